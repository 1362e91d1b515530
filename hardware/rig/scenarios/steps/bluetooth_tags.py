"""Steps about what Homeward itself hears: tags near and away, alarm buttons, and what becomes of bluetoothd."""

from behave import given, register_type, then, when
from homeward_rig.bluetooth import bluetooth, radio, strength
from homeward_rig.configuration import BLUETOOTH
from homeward_rig.homeward_bluetooth import homeward_bluetooth as homeward
from homeward_rig.hub import seconds_of
from homeward_rig.stage import CheckFailed, eventually, never
from parse import with_pattern

KINDS = {"home tag": "home", "keys": "keys", "wallet": "wallet", "thing": "thing"}
PRESENCES = {"near": "near", "in the room": "room", "away": "away"}


@with_pattern("|".join(KINDS))
def tag_kind(text: str) -> str:
    return KINDS[text]


@with_pattern("|".join(PRESENCES))
def tag_presence(text: str) -> str:
    return PRESENCES[text]


register_type(TagKind=tag_kind, TagPresence=tag_presence)


# The hub's ear


@given("the hub listens through bluetoothd")
def listens_through_bluez(context):
    context.stage.configuration.sections.append(BLUETOOTH.format(source="bluez"))


@given("the hub listens past bluetoothd")
def listens_past_bluez(context):
    context.stage.configuration.sections.append(BLUETOOTH.format(source="hci"))


@when("bluetoothd is stopped")
def stop_bluetoothd(context):
    """And stays so: whoever speaks to it on the bus would start it again."""
    systemctl(context, "mask", "--runtime", "--now", "bluetooth.service")


@when("bluetoothd is started again")
def start_bluetoothd(context):
    systemctl(context, "unmask", "--runtime", "bluetooth.service")
    systemctl(context, "start", "bluetooth.service")
    note_time(context)


@when("bluetoothd is restarted")
def restart_bluetoothd(context):
    systemctl(context, "restart", "bluetooth.service")
    note_time(context)


@when("the hub's own radio service is started")
def start_hci(context):
    systemctl(context, "start", "homeward-hci.service")
    note_time(context)


@when("the hub's own radio service is restarted")
def restart_hci(context):
    systemctl(context, "restart", "homeward-hci.service")
    note_time(context)


def systemctl(context, *command):
    context.stage.machine.run("/bin/systemctl", *command, timeout=120)


def note_time(context):
    """By the hub's clock: what is heard later was heard since."""
    context.listening_since = seconds_of(context.stage.hub.status()["clock"]["utc"])


@then("within {seconds:g} seconds Homeward listens for Bluetooth devices")
def is_listening(context, seconds):
    try:
        eventually("an adapter that listens", seconds, homeward(context).is_listening)
    except CheckFailed as failure:
        part = context.stage.hub.component("bluetooth")
        raise CheckFailed(f"{failure}; it says {part}, {homeward(context).status()}") from None


@then("within {seconds:g} seconds Homeward says that it cannot listen for Bluetooth devices")
def is_not_listening(context, seconds):
    """That it starts is as honest as that it fails; that it works is not."""
    state = None

    def probe():
        nonlocal state
        state = homeward(context).state
        return state in ("starting", "degraded", "failed")

    try:
        eventually("Homeward says that it cannot listen", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it says {state}") from None


# Tags


@when('the hub is told that "{name}" is {resident}\'s {kind:TagKind}')
def add_tag(context, name, resident, kind):
    know_tag(context, name, resident, kind, None)


@when('the hub is told that "{name}" is {resident}\'s {kind:TagKind}, away after {seconds:d} seconds of silence')
def add_tag_with_patience(context, name, resident, kind, seconds):
    know_tag(context, name, resident, kind, seconds)


def know_tag(context, name, resident, kind, away_seconds):
    identity = radio(context).do("identities", name=name)[0]
    homeward(context).add_tag(name, resident, kind, identity, away_seconds)


@when('"{name}" is left behind, out of reach')
def left_behind(context, name):
    radio(context).do("carry", name=name, rssi=strength("out of reach"))


@then('within {seconds:g} seconds the hub knows that "{name}" is {presence:TagPresence}')
def is_present(context, seconds, name, presence):
    seen = None

    def probe():
        nonlocal seen
        seen = homeward(context).tag(name)
        return seen["presence"] == presence

    try:
        eventually(f"{name} {presence}", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the hub says {seen}") from None


@then('for {seconds:g} seconds the hub knows that "{name}" is {presence:TagPresence}')
def stays_present(context, seconds, name, presence):
    def otherwise():
        tag = homeward(context).tag(name)
        return tag if tag["presence"] != presence else None

    never(f"{name} other than {presence}", seconds, otherwise)


@then('the hub knows that "{name}" is not away')
def is_not_away(context, name):
    tag = homeward(context).tag(name)
    if tag["presence"] not in ("near", "room"):
        raise CheckFailed(f"{name} is heard all the time, and the hub says {tag}")


@then('within {seconds:g} seconds the hub reports that "{name}" is {presence:TagPresence}')
def presence_is_reported(context, seconds, name, presence):
    hub = context.stage.hub
    seen = []

    def probe():
        found = [entry for entry in hub.new_events("tag.changed") if entry["data"]["tagName"] == name]
        seen[:] = [entry["data"]["presence"] for entry in found]
        return next((entry for entry in found if entry["data"]["presence"] == presence), None)

    try:
        context.event = hub.speak_of(eventually(f'"tag.changed" of {name} to {presence}', seconds, probe))
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; there was {seen or 'none'}; now it is {homeward(context).tag(name)}") from None


@then('within {seconds:g} seconds Homeward has heard "{name}" since')
def heard_since(context, seconds, name):
    seen = None

    def probe():
        nonlocal seen
        seen = homeward(context).tag(name).get("lastHeardAt")
        return seen and seconds_of(seen) > context.listening_since

    try:
        eventually(f"{name} is heard", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it was heard {seen or 'never'}") from None


@then('within {seconds:g} seconds the hub knows that the battery of "{name}" is at {percent:d} %')
def knows_battery(context, seconds, name, percent):
    seen = None

    def probe():
        nonlocal seen
        seen = homeward(context).tag(name).get("batteryPercent")
        return seen == percent

    try:
        eventually(f"the battery of {name} at {percent} %", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the hub says {seen}") from None


# Left behind


@then('within {seconds:g} seconds the hub reports that {resident} went out without "{name}"')
def reports_left(context, seconds, resident, name):
    hub = context.stage.hub

    def told():
        return next((entry for entry in hub.new_events("left.without") if is_about(entry, resident, name)), None)

    context.event = hub.speak_of(eventually(f"{resident} out without {name}", seconds, told))


@then('the hub has never reported that {resident} went out without "{name}"')
def has_not_reported_left(context, resident, name):
    entries = context.stage.hub.homeward("events", "--type", "left.without", "--limit", "50")
    if told := [entry for entry in entries if is_about(entry, resident, name)]:
        raise CheckFailed(f"{resident} went out with {name}, and the hub says: {told[0]}")


def is_about(event, resident, name):
    return event["data"]["tagName"] == name and event["subject"] == f"resident/{resident.lower()}"


# Drifting positions


@when("{name}'s position drifts to {meters:g} m from home at {speed:g} m/s")
def drifts(context, name, meters, speed):
    """As positions do indoors: the receiver tells what it would tell of somebody who walks there."""
    receiver = context.stage.peer("receiver")
    context.stage.wait(receiver.do("walk", meters=meters, bearing=90, speed=speed))


@when("{name}'s position drifts home at {speed:g} m/s")
def drifts_home(context, name, speed):
    context.stage.wait(context.stage.peer("receiver").do("walk-home", speed=speed))


# Alarm buttons


@given('the hub has "{name}" for a button')
def has_button(context, name):
    address = bluetooth(context).address(name)
    context.stage.configuration.bluetooth_buttons[name.removeprefix("the ").replace(" ", "-")] = f"{address}/random"


@when('"{name}" is held down')
def hold(context, name):
    """It tells of a long press, again and again, under one number."""
    radio(context).do("press", name=name, event="long-press")
