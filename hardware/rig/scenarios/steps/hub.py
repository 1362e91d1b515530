"""Steps about the hub as a whole: power, people, events, status."""

from behave import given, then, when
from homeward_rig.stage import CheckFailed, eventually, never


@given("the hub is on")
@when("the hub is switched on")
@when("the hub is switched on again")
def switch_on(context):
    context.stage.switch_on()


@when("{seconds:g} seconds pass")
def wait(context, seconds):
    context.stage.wait(seconds)


@then('within {seconds:g} seconds the hub reports "{kind}"')
def reports(context, seconds, kind):
    hub = context.stage.hub
    entry = eventually(f"event {kind}", seconds, lambda: next(iter(hub.new_events(kind)), None))
    context.event = hub.speak_of(entry)


@then('for {seconds:g} seconds the hub does not report "{kind}"')
def does_not_report(context, seconds, kind):
    hub = context.stage.hub
    never(f"event {kind}", seconds, lambda: next(iter(hub.new_events(kind)), None))


@then('the hub has not reported "{kind}"')
def has_not_reported(context, kind):
    if entries := context.stage.hub.new_events(kind):
        raise CheckFailed(f"event {kind}, and should not: {entries[0]}")


@then('within {seconds:g} seconds "{component}" is {state}')
def component_is(context, seconds, component, state):
    hub = context.stage.hub

    def probe():
        part = hub.component(component)
        context.component = part
        return part and part["state"] == state

    try:
        eventually(f"{component} {state}", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it is {context.component}") from None


@then('the hub has never reported "{kind}"')
def has_never_reported(context, kind):
    """Not since it was set up, whatever the story has spoken of meanwhile."""
    entries = context.stage.hub.homeward("events", "--type", kind, "--limit", "50")
    # An alarm about a part of the hub is another matter.
    about_people = [entry for entry in entries if entry["data"].get("kind") != "fault"]
    if about_people:
        raise CheckFailed(f"event {kind}, and should not: {about_people[0]}")
