"""Steps that give the hub something to tell: places, and what carers change about them."""

from behave import when

HOMEWARD = "/usr/bin/homeward"


@when("{count:d} places are noted")
def note_places(context, count):
    # One shell for all: a backlog, not a trickle.
    context.stage.machine.run(
        "/bin/sh",
        "-ec",
        f'for place in $(seq {count}); do {HOMEWARD} bookmarks add --name "Place $place" --at 59.9,10.$place; done',
        timeout=120,
    )


@when("somebody makes Ada's safe zone smaller")
def shrink_zone(context):
    hub = context.stage.hub
    home = next(zone for zone in hub.homeward("zones") if zone["name"] == "Home")
    hub.homeward("zones", "change", home["id"], "--radius", f"{home['radiusMeters'] - 5:g}")
