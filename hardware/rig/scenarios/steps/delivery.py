"""Steps about what has come to the other end of the line: the broker, or the web endpoint."""

from behave import then
from homeward_rig import delivery
from homeward_rig.delivery import arrivals
from homeward_rig.stage import CheckFailed, eventually

def journal(context):
    return sorted(context.stage.hub.homeward("events", "--limit", "1000"), key=lambda entry: entry["sequence"])


def expect_nothing(wrong):
    if wrong:
        raise CheckFailed(wrong)


@then("within {seconds:g} seconds everything that the hub reported has arrived at the {place}, and nothing else")
def has_everything(context, seconds, place):
    wrong = ""

    def is_the_same():
        nonlocal wrong
        # The journal goes on meanwhile: what is there before the look at the far side has to be there.
        wrong = delivery.difference(journal(context), arrivals(context.stage, place))
        return not wrong

    try:
        eventually("all at the far side", seconds, is_the_same, pause=1)
    except CheckFailed:
        raise CheckFailed(f"after {seconds:g} s {wrong}") from None


@then("at the {place} nothing came twice with different words")
def no_contradiction(context, place):
    expect_nothing(delivery.contradiction(arrivals(context.stage, place)))


@then("at the {place} each lane came in order")
def in_order(context, place):
    expect_nothing(delivery.disorder(journal(context), arrivals(context.stage, place)))


@then("at the {place} the alarms that it had missed came first")
def alarms_first(context, place):
    before = context.came_before[place]
    expect_nothing(delivery.overtaking(before, arrivals(context.stage, place)[len(before):]))
