"""Steps about text messages: the modem, the mobile network behind it, and the people with phones."""

from behave import given, then, when
from homeward_rig.stage import CheckFailed, as_json, eventually

PROGRAM = "/usr/lib/homeward-rig/modem"
DEVICE = "/dev/homeward/modem"
SECONDS = 180
"""The phone program gives up by itself before; most of it is patience with modems that hang."""


def modem(context):
    return context.stage.peer("modem")


def use(context, *arguments):
    """Runs the phone program in the hub; its answer, and None with a note of its words when it failed."""
    completed = context.stage.machine.run(PROGRAM, *arguments, timeout=SECONDS, check=False)
    context.refusal = completed.errors.strip() if completed.status else None
    return None if completed.status else as_json(completed.output)


def is_there(context):
    return context.stage.machine.run("/usr/bin/test", "-e", DEVICE, check=False).status == 0


@given("a modem on USB")
@when("the modem is plugged in")
@when("the modem is plugged in again")
def plug_in(context):
    modem(context).plug_in()


@when("the modem is unplugged")
def unplug(context):
    modem(context).unplug()


@then("within {seconds:g} seconds the hub has the modem")
def has_modem(context, seconds):
    eventually("the modem's device", seconds, lambda: is_there(context))


@then("within {seconds:g} seconds the hub has no modem")
def has_no_modem(context, seconds):
    eventually("the end of the modem's device", seconds, lambda: not is_there(context))


@when('the message "{text}" is sent to {number}')
def send(context, text, number):
    context.message = use(context, "send", number, text)
    context.number = number


@then('{number} has got "{text}"')
def has_got(context, number, text):
    got = [
        message["text"] for message in modem(context).do("sent") if message["number"] == number and message["complete"]
    ]
    if text not in got:
        raise CheckFailed(f'{number} has not got "{text}", but {got or "nothing"}')


@then("{number} has got {count:d} messages")
def has_got_so_many(context, number, count):
    got = [message["text"] for message in modem(context).do("sent") if message["number"] == number]
    if len(got) != count:
        raise CheckFailed(f"{number} has got {len(got)} messages: {got}")


@then("within {seconds:g} seconds its delivery is reported")
def is_reported(context, seconds):
    report_of(context, seconds, 0)


@then("within {seconds:g} seconds it is reported that it could not be delivered")
def is_reported_lost(context, seconds):
    report_of(context, seconds, 0x46)


def report_of(context, seconds, status):
    """Waits for the report of the last message, all parts, with this TP-Status."""
    if not context.message:
        raise CheckFailed(f"no message was sent: {context.refusal}")
    wanted = dict.fromkeys(context.message["references"], status)
    told = {}

    def arrive():
        answer = use(context, "read") or {"reports": []}
        told.update(
            {
                report["reference"]: report["status"]
                for report in answer["reports"]
                if report["number"] == context.number
            }
        )
        return wanted.items() <= told.items()

    try:
        eventually("reports of delivery", seconds, arrive)
    except CheckFailed:
        raise CheckFailed(f"reports expected by reference: {wanted}; told within {seconds:g} s: {told}") from None


@then("sending fails: {words}")
def failed(context, words):
    if context.refusal is None or words not in context.refusal:
        raise CheckFailed(f"expected a failure with the words {words}, but: {context.refusal or 'it was sent'}")


@when('{number} answers "{text}"')
def answers(context, number, text):
    modem(context).do("receive", number=number, text=text)


@then('the hub reads "{text}" from {number}')
def reads(context, text, number):
    answer = use(context, "read") or {"messages": context.refusal}
    if {"number": number, "text": text} not in answer["messages"]:
        raise CheckFailed(f'"{text}" from {number} is not among what was read: {answer["messages"]}')


@when("the mobile network refuses the next message")
def refuse_next(context):
    modem(context).do("fail", code=38, times=1)


@when("messages do not reach their phones")
def do_not_reach(context):
    modem(context).do("reports", outcome="failed")


@when("messages reach their phones again")
def reach(context):
    modem(context).do("reports", outcome="delivered")


@when("the mobile network is lost")
def lose_network(context):
    modem(context).do("network", state="searching")


@when("the mobile network is found")
def find_network(context):
    modem(context).do("network", state="home")


@then("the hub is in the mobile network")
def in_network(context):
    expect_network(context, "HomeNetwork")


@then("the hub is in no mobile network")
def in_no_network(context):
    expect_network(context, "RequestingNetwork")


def expect_network(context, state):
    answer = use(context, "network") or {"state": context.refusal}
    if answer["state"] != state:
        raise CheckFailed(f"the modem says of the network: {answer['state']}")


@when("the modem hangs")
def hang(context):
    modem(context).do("hang")


@when("the modem recovers")
def recover(context):
    modem(context).do("recover")
