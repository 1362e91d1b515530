"""Steps about what has come to the other end of the line: the broker, or the web endpoint."""

from behave import then
from homeward_rig import delivery
from homeward_rig.delivery import arrivals, journal
from homeward_rig.stage import CheckFailed, eventually


def expect_nothing(wrong):
    if wrong:
        raise CheckFailed(wrong)


@then("within {seconds:g} seconds everything that the hub reported has arrived at the {place}, and nothing else")
def has_everything(context, seconds, place):
    wrong = ""

    def is_the_same():
        nonlocal wrong
        # The journal goes on meanwhile: what is there before the look at the far side has to be there.
        wrong = delivery.difference(journal(context.stage), arrivals(context.stage, place))
        return not wrong

    try:
        eventually("all at the far side", seconds, is_the_same, pause=1)
    except CheckFailed:
        raise CheckFailed(f"after {seconds:g} s {wrong}") from None


@then("at the {place} nothing came twice with different words")
def no_contradiction(context, place):
    expect_nothing(delivery.contradiction(arrivals(context.stage, place)))


@then("at the {place} the news about each person came in order")
def in_order(context, place):
    stage = context.stage
    expect_nothing(delivery.disorder(journal(stage), arrivals(stage, place), stage.hub.early_alarms()))


@then("at the {place} the alarms that it had missed came first")
def alarms_first(context, place):
    expect_nothing(delivery.overtaking(context.missed[place], arrivals(context.stage, place)))
