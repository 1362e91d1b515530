"""Steps about the line between the hub and the world."""

from behave import when
from homeward_rig.delivery import arrivals_everywhere
from homeward_rig.network import Network


def network(context):
    return Network(context.stage.machine.monitor)


@when("the network cable is pulled")
def pull(context):
    context.came_before = arrivals_everywhere(context.stage)
    network(context).pull_cable()


@when("the network cable is put back")
def put_back(context):
    network(context).put_cable_back()


@when("the internet is gone")
def lose(context):
    context.came_before = arrivals_everywhere(context.stage)
    network(context).lose_internet()


@when("the internet is there again")
def find(context):
    network(context).find_internet()
