"""Steps about the people who are looked after: where they live, where the hub believes them to be."""

from behave import given, then, when
from homeward_rig.gps.walker import HOME, Place
from homeward_rig.stage import CheckFailed, eventually


@when("{name} comes to live at home, a safe zone of {radius:g} m with {margin:g} m beyond its edge")
@given("{name} lives at home, a safe zone of {radius:g} m with {margin:g} m beyond its edge")
def lives_at_home(context, name, radius, margin):
    hub = context.stage.hub
    latitude, longitude = HOME
    hub.homeward("residents", "add", "--name", name, "--time-zone", "Etc/UTC", "--gps", "gps")
    hub.homeward(
        "zones",
        "add",
        "--resident",
        name,
        "--name",
        "Home",
        f"--at={latitude},{longitude}",
        "--radius",
        f"{radius:g}",
        "--margin",
        f"{margin:g}",
        "--home",
    )


@when("a caregiver asks where {name} is")
def asks_where(context, name):
    context.stage.hub.homeward("locate", name)


@then("within {seconds:g} seconds the hub knows that {name} is at home")
def knows_at_home(context, seconds, name):
    await_presence(context, seconds, name, "inside")


@then("within {seconds:g} seconds the hub knows that {name} is away from home")
def knows_away(context, seconds, name):
    await_presence(context, seconds, name, "outside")


def await_presence(context, seconds, name, presence):
    """Waits until the hub is certain of somebody's presence at home."""
    seen = None

    def probe():
        nonlocal seen
        found = context.stage.hub.resident(name)
        tracking = (found or {}).get("tracking") or {}
        seen = [(zone["zoneName"], zone["presence"]) for zone in tracking.get("zones", []) if zone["isHome"]]
        return [(zone, word) for zone, word in seen if word == presence]

    try:
        eventually(f"{name} {presence} of home", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the hub says {seen or 'nothing'}") from None


@then("within {seconds:g} seconds the hub records where {name} is, {meters:g} m from home, because somebody asked")
def records_because_asked(context, seconds, name, meters):
    """Within 20 m of the distance: a receiver errs."""
    hub = context.stage.hub
    seen = []

    def probe():
        found = hub.new_events("location.recorded")
        seen[:] = [(entry["data"]["reason"], place_of(entry).meters_from_home) for entry in found]
        return next((entry for entry in found if entry["data"]["reason"] == "refresh"), None)

    try:
        entry = eventually(f"a position of {name} because somebody asked", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; recorded were {seen or 'none'}") from None
    if abs(place_of(entry).meters_from_home - meters) > 20:
        raise CheckFailed(f"the hub puts {name} {place_of(entry).meters_from_home:.0f} m from home, not {meters:g} m")
    context.event = hub.speak_of(entry)


def place_of(entry):
    data = entry["data"]
    return Place.from_degrees(data["latitude"], data["longitude"])


@then("{name} has been away for {least:g} to {most:g} seconds when that is reported")
def away_for(context, name, least, most):
    """Time away as the event of coming home tells it."""
    away = context.event["data"].get("awaySeconds")
    if away is None or not least <= away <= most:
        raise CheckFailed(f"the hub says that {name} was away for {away} s, not {least:g} to {most:g} s")


@then("the hub shows since when {name} has been away")
def shows_away(context, name):
    found = context.stage.hub.resident(name)
    if not ((found or {}).get("tracking") or {}).get("leftHomeAt"):
        raise CheckFailed(f"the hub does not say since when {name} has been away: {found}")


@then("the hub shows no time away for {name}")
def shows_no_time_away(context, name):
    found = context.stage.hub.resident(name)
    if found is None or (found.get("tracking") or {}).get("leftHomeAt"):
        raise CheckFailed(f"the hub believes {name} to be away: {found}")
