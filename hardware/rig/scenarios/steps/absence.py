"""Steps about planned absences: when somebody is expected to be out, and who is missed."""

from behave import then, when
from homeward_rig.alarms import Alarm
from homeward_rig.stage import CheckFailed, eventually


@when('{name} is expected at "{place}" until {clock}')
def expected_until(context, name, place, clock):
    context.stage.hub.homeward("absence", "until", clock, place, "--resident", name)


@when('nobody expects {name} at "{place}" any more')
def not_expected(context, name, place):
    """Whoever's it is: a family has one of that name."""
    context.stage.hub.homeward("absence", "remove", place)


@then('the status says of {name}: "{words}"')
def says_where(context, name, words):
    """In words, as a caregiver reads it."""
    shown = context.stage.hub.machine.run("/usr/bin/homeward", "status").output
    line = next((line for line in shown.splitlines() if line.startswith(name)), "")
    if words not in line:
        raise CheckFailed(f"of {name} the hub says: {line or shown}")


@then('within {seconds:g} seconds {name} is missed: "{words}"')
def is_missed(context, seconds, name, words):
    """An alarm about where she is, in these words, is what `this alarm` is from now on."""

    def come():
        alarms = context.stage.hub.homeward("alarm", "list")
        return next((a for a in alarms if a["kind"] == "zone" and a["resident"] == name.lower()), None)

    found = eventually(f"an alarm about where {name} is", seconds, come)
    if words not in found["explanation"]:
        raise CheckFailed(f'the alarm should say "{words}": {found["explanation"]}')
    context.alarm = Alarm(found["alarm"], found["tag"])
