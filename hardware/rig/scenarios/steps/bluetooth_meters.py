"""Steps about glucose meters and Homeward itself, which fetches their readings whenever they are awake."""

from behave import then, when
from homeward_rig.bluetooth import bluetooth, radio
from homeward_rig.homeward_bluetooth import homeward_bluetooth as homeward
from homeward_rig.homeward_bluetooth import wrong_with
from homeward_rig.stage import CheckFailed, eventually

PAIRING_SECONDS = 180


def meter(context, name):
    """What the meter itself tells."""
    return radio(context).do("meter", name=name)


def log(context, name):
    """What Homeward's log has of the meter's owner."""
    return homeward(context).readings(bluetooth(context).address(name))


# Pairing


@when('somebody pairs "{name}" with Homeward for {resident}, typing in the code that it shows')
def pair(context, name, resident):
    address = bluetooth(context).address(name)
    homeward(context).find_meter(address, PAIRING_SECONDS)
    shown = lambda: radio(context).do("display", name=name)  # noqa: E731
    homeward(context).pair(name, address, resident, shown, PAIRING_SECONDS)


@then('within {seconds:g} seconds Homeward and "{name}" know each other')
def know_each_other(context, seconds, name):
    address = bluetooth(context).address(name)
    owner = homeward(context).owners[address].lower()
    seen = None

    def probe():
        nonlocal seen
        seen = homeward(context).meter(address)
        return seen and seen["isBonded"] and seen["resident"] == owner

    try:
        eventually(f"{name} as {owner}'s meter", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; Homeward says {seen or 'nothing of it'}") from None
    if len(bonds := meter(context, name)["bonds"]) != 1:
        raise CheckFailed(f"{name} knows {bonds or 'nobody'}, and should know the hub alone")


# What happens to a transfer


@when('"{name}" takes {pause:g} s for each reading that it tells')
def pace(context, name, pause):
    radio(context).do("pace", name=name, seconds=pause)


@when('"{name}" goes to sleep')
def goes_to_sleep(context, name):
    radio(context).do("sleep", name=name)


@when('the link to "{name}" is going to break after {count:d} readings')
def break_after(context, name, count):
    radio(context).do("break-after", name=name, readings=count)


@when('"{name}" has just told its reading {number:d}')
def has_told(context, name, number):
    """Counted from its first; asked often, for what follows should follow at once."""
    told = lambda: number in meter(context, name)["sent"]  # noqa: E731
    eventually(f"{name} tells its reading {number}", 300, told, pause=0.05)


@then('within {seconds:g} seconds the link to "{name}" has broken once')
def has_broken(context, seconds, name):
    eventually(f"the link to {name} breaks", seconds, lambda: meter(context, name)["breaks"])
    if (breaks := meter(context, name)["breaks"]) != 1:
        raise CheckFailed(f"the link to {name} should have broken once, and broke {breaks} times")


# Readings


@then('within {seconds:g} seconds Homeward has the {count:d} readings of "{name}", each once and as it was measured')
def has_readings(context, seconds, count, name):
    stored = meter(context, name)["readings"]
    if len(stored) != count:
        raise CheckFailed(f"{name} holds {len(stored)} readings, and the story speaks of {count}")
    wrong = []

    def probe():
        wrong[:] = [wrong_with(stored, log(context, name))]
        return not wrong[0]

    try:
        eventually(f"{count} readings of {name}", seconds, probe, pause=2)
    except CheckFailed as failure:
        state = homeward(context).meter(bluetooth(context).address(name))
        raise CheckFailed(f"{failure}; {wrong[0]}; of the meter Homeward says {state}") from None


@then('Homeward has reported each reading of "{name}" once')
def has_reported(context, name):
    kept = sorted(reading["id"] for reading in log(context, name))
    told = sorted(homeward(context).reported())
    if not kept or told != kept:
        raise CheckFailed(f"the log has {kept or 'no reading'}, and events told of {told or 'none'}")


@then('"{name}" was asked only once for the first {count:d} of its readings')
def asked_once(context, name, count):
    """The newest one that is known the hub may ask for again, to see that it is still the same memory."""
    sent = meter(context, name)["sent"]
    stored = meter(context, name)["readings"][:count]
    if len(stored) != count:
        raise CheckFailed(f"{name} holds only {len(stored)} readings")
    if wrong := {r["sequence"]: sent.count(r["sequence"]) for r in stored if sent.count(r["sequence"]) != 1}:
        raise CheckFailed(f"{name} has told {wrong}, reading to times; in order: {sent}")


# Its clock


@then('within {seconds:g} seconds Homeward says that the clock of "{name}" is {minutes:g} minutes ahead')
def says_clock_ahead(context, seconds, name, minutes):
    seen = None

    def probe():
        nonlocal seen
        seen = (homeward(context).meter(bluetooth(context).address(name)) or {}).get("clockDifferenceSeconds")
        # A machine's own clock lags, and so does the way there.
        return seen is not None and abs(seen - minutes * 60) <= 60

    try:
        eventually(f"the clock of {name} {minutes:g} minutes ahead", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; Homeward says {seen} s") from None


@then('each reading of "{name}" carries a doubt about the clock of the meter')
def clock_doubted(context, name):
    kept = log(context, name)
    if not kept or any("meter-clock" not in reading["timeDoubts"] for reading in kept):
        raise CheckFailed(f"each reading's time is in doubt for the meter's clock, and the log has {doubts(kept)}")


@then('no reading of "{name}" carries a doubt about the clock of the meter')
def clock_trusted(context, name):
    kept = log(context, name)
    if not kept or any("meter-clock" in reading["timeDoubts"] for reading in kept):
        raise CheckFailed(f"no reading's time is in doubt for the meter's clock, and the log has {doubts(kept)}")


@then('Homeward has told in "glucose.recorded" that the times of "{name}" may be wrong')
def doubt_is_told(context, name):
    entries = context.stage.hub.homeward("events", "--type", "glucose.recorded", "--limit", "500")
    if not entries:
        raise CheckFailed(f"no reading of {name} was told at all")
    if sure := [entry for entry in entries if not entry["data"].get("timeDoubt")]:
        raise CheckFailed(f"a time of {name} was told as if it were sure: {sure[0]}")


def doubts(kept):
    return [(reading["time"], reading["timeDoubts"]) for reading in kept] or "no reading"
