"""Steps about the broker that the hub tells its news to."""

from behave import given, when
from homeward_rig.delivery import arrivals_everywhere


def broker(context):
    return context.stage.peer("broker")


@given("a broker")
def there_is(context):
    context.stage.options.broker_port = broker(context).do("port")


@when("the broker vanishes")
def vanish(context):
    context.came_before = arrivals_everywhere(context.stage)
    broker(context).do("vanish")


@when("the broker comes back")
def come_back(context):
    broker(context).do("come-back", timeout=60)


@when("the broker hangs")
def hang(context):
    context.came_before = arrivals_everywhere(context.stage)
    broker(context).do("hang")


@when("the broker goes on")
def go_on(context):
    broker(context).do("go-on")
