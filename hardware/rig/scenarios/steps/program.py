"""Steps about Homeward's own program on the hub, and what it says of its parts."""

import json

from behave import then, when
from homeward_rig.stage import CheckFailed, eventually


@when("Homeward crashes")
def crash(context):
    # All of it at once, plugins too, with no chance to put anything in order; systemd starts it again.
    context.stage.machine.run("/bin/systemctl", "kill", "--signal=KILL", "homeward.service")
    context.stage.hub.await_homeward()


@then('the hub says of "{component}": {words}')
def says(context, component, words):
    part = context.stage.hub.component(component)
    if not part or words not in json.dumps(part):
        raise CheckFailed(f'the hub does not say "{words}" of {component}, but: {part}')


@then('within {seconds:g} seconds the hub says of "{component}": {words}')
def comes_to_say(context, seconds, component, words):
    hub = context.stage.hub
    try:
        eventually(words, seconds, lambda: words in json.dumps(hub.component(component)))
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it says: {hub.component(component)}") from None
