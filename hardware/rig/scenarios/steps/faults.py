"""Steps about faults that the hub shows to its owner."""

from behave import then
from homeward_rig.stage import CheckFailed, eventually


def faults(hub, component):
    return [fault for fault in hub.status()["faults"] if fault["component"] == component]


@then('within {seconds:g} seconds the hub shows a fault of "{component}": {words}')
def shows_fault(context, seconds, component, words):
    hub = context.stage.hub
    shown = []

    def probe():
        shown[:] = faults(hub, component)
        return any(words in fault["detail"] for fault in shown)

    try:
        eventually(f'a fault of {component} that says "{words}"', seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it shows {shown}") from None


@then('within {seconds:g} seconds the hub shows no fault of "{component}"')
def shows_no_fault(context, seconds, component):
    hub = context.stage.hub
    eventually(f"no fault of {component}", seconds, lambda: not faults(hub, component))
