"""Steps about devices as such: their plugs, the lamp, and a hub that has much to do."""

from behave import given, register_type, then, when
from homeward_rig.devices import Device, Lamp, devices
from homeward_rig.stage import CheckFailed, eventually
from parse import with_pattern


@with_pattern(r"speaker|microphone|camera|big button|button board")
def device_name(text: str) -> str:
    return text


register_type(Device=device_name)


def device(context, name: str) -> Device:
    return devices(context.stage.machine)[name]


@given("a {name:Device} is plugged in")
@when("the {name:Device} is plugged in")
@when("the {name:Device} is plugged in again")
def plug_in(context, name):
    device(context, name).plug_in()


@when("the {name:Device} is unplugged")
def unplug(context, name):
    device(context, name).unplug()


@then("within {seconds:g} seconds the hub finds its {name:Device}")
def finds(context, seconds, name):
    eventually(f"the hub finds its {name}", seconds, device(context, name).is_found)


@then("within {seconds:g} seconds the hub misses its {name:Device}")
def misses(context, seconds, name):
    eventually(f"the hub misses its {name}", seconds, lambda: not device(context, name).is_found())


@when("a program on the hub lights the lamp")
def light(context):
    Lamp(context.stage.machine).switch(True)


@when("a program on the hub puts the lamp out")
def put_out(context):
    Lamp(context.stage.machine).switch(False)


@then("within {seconds:g} seconds the lamp is {state}")
def lamp_is(context, seconds, state):
    if state not in ("lit", "dark"):
        raise CheckFailed(f"a lamp is lit or dark, not {state}")
    eventually(f"the lamp is {state}", seconds, lambda: Lamp(context.stage.machine).is_lit() == (state == "lit"))


BUSY = "rig-busy"


@when("the hub is kept busy")
def keep_busy(context):
    # Four endless loops on two processors; ended after two minutes should the scenario forget.
    context.stage.machine.run(
        "/usr/bin/systemd-run",
        "--quiet",
        "--collect",
        f"--unit={BUSY}",
        "--property=RuntimeMaxSec=120",
        "/bin/bash",
        "-c",
        "for i in 1 2 3; do while :; do :; done & done; while :; do :; done",
    )


@when("the hub is no longer kept busy")
def leave_alone(context):
    context.stage.machine.run("/bin/systemctl", "stop", BUSY)
