"""Steps about the people who help: guardians with phones, caregivers in the house, and what a resident has set."""

from behave import given, register_type, then, when
from homeward_rig.alarms import about, wrong_with
from homeward_rig.configuration import BUTTONS, CAMERA, LAMP, MODEM, SOUND, SPEECH
from homeward_rig.gps.walker import Place
from homeward_rig.stage import CheckFailed, eventually
from parse import with_pattern

OPTIONS = {"guardian": (), "guardian in reserve": ("--tier", "2"), "caregiver": ("--caregiver",)}


@with_pattern(r"guardian in reserve|guardian|caregiver")
def role(text: str) -> str:
    return text


register_type(Role=role)


# The hub and its people


@given("the hub is one for alarms")
def for_alarms(context):
    configuration = context.stage.configuration
    configuration.sections += [BUTTONS, LAMP, SOUND]
    configuration.plugins += [SPEECH, MODEM]


@given("the hub has a camera for alarms")
def with_camera(context):
    context.stage.configuration.plugins.append(CAMERA)


@given("{helper}, at {number}, is a {role:Role} of {name}")
def is_guardian(context, helper, number, role, name):
    context.stage.hub.homeward(
        *("guardians", "add", "--resident", name, "--name", helper, "--phone", number, *OPTIONS[role])
    )
    context.stage.phones[helper] = number


@given("for {name} the setting {setting} is {content}")
def set_to(context, name, setting, content):
    context.stage.hub.homeward("settings", "set", setting, content, "--resident", name)


@given("{name}'s PIN is {pin:d}")
def has_pin(context, name, pin):
    set_pin(context, name, pin)


@given("{name}'s duress PIN is {pin:d}")
def has_duress_pin(context, name, pin):
    set_pin(context, name, pin, "--duress")


def set_pin(context, name, pin, *options):
    command = ("/usr/bin/homeward", "--json", "pin", "set", "--resident", name, *options)
    context.stage.machine.run(*command, data=f"{pin}\n".encode())


# What they get


def texts(context):
    """All messages that the modem took for the mobile network."""
    return context.stage.peer("modem").do("sent")


def described(messages):
    return "; ".join(f'"{text["text"]}" to {text["number"]}' for text in messages) or "nothing"


@then('within {seconds:g} seconds {helper} has a text message of this alarm: "{words}"')
def has_text(context, seconds, helper, words):
    number = context.stage.phones[helper]
    found = []

    def came():
        found[:] = about(texts(context), context.alarm.tag, number)
        return next((text for text in found if words in text["text"]), None)

    try:
        context.told = eventually(f'a text message with "{words}" to {helper}', seconds, came)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; of alarm {context.alarm.tag} {helper} has {described(found)}") from None


@then('within {seconds:g} seconds {helper} has a text message: "{words}"')
def has_news(context, seconds, helper, words):
    """Of no alarm."""
    number = context.stage.phones[helper]

    def came():
        return [text for text in texts(context) if text["number"] == number and words in text["text"]]

    try:
        eventually(f'a text message with "{words}" to {helper}', seconds, came)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the modem sent {described(texts(context))}") from None


@then('{helper} has no text message of this alarm: "{words}"')
def has_no_text(context, helper, words):
    found = [
        text for text in about(texts(context), context.alarm.tag, context.stage.phones[helper]) if words in text["text"]
    ]
    if found:
        raise CheckFailed(f"{helper} should not have {described(found)}")


@then("it says in one message that it is {name}, the tag, and how to find her at home on a map")
def is_complete(context, name):
    """A receiver errs, and so does the distance by a few metres."""
    if wrong := wrong_with(context.told, name, context.alarm.tag, Place(), 40):
        raise CheckFailed(f'the text message "{context.told["text"]}" {wrong}')


@then("for {seconds:g} seconds no text message leaves the hub")
def no_text(context, seconds):
    before = len(texts(context))
    context.stage.wait(seconds)
    if came := texts(context)[before:]:
        raise CheckFailed(f"nobody should be told anything; the modem sent {described(came)}")


@then("no text message has left the hub")
def no_text_so_far(context):
    if came := texts(context):
        raise CheckFailed(f"nobody should have been told anything; the modem sent {described(came)}")


@then("within {seconds:g} seconds {helper} is told of this alarm once more")
def told_again(context, seconds, helper):
    number, tag = context.stage.phones[helper], context.alarm.tag
    before = len(about(texts(context), tag, number))
    if not before:
        raise CheckFailed(f"{helper} was not told of alarm {tag} before, so that this proves nothing")
    eventually(f"another message to {helper}", seconds, lambda: len(about(texts(context), tag, number)) > before)


@then("for {seconds:g} seconds no guardian is told of this alarm again")
def not_told_again(context, seconds):
    before = len(about(texts(context), context.alarm.tag))
    context.stage.wait(seconds)
    if more := about(texts(context), context.alarm.tag)[before:]:
        raise CheckFailed(f"nobody was to be told again; the modem sent {described(more)}")


@then("{first:w} was told before {second:w}")
def told_before(context, first, second):
    """Names of helpers: in the order of the first message to each."""
    times = {}
    for helper in (first, second):
        found = about(texts(context), context.alarm.tag, context.stage.phones[helper])
        if not found:
            raise CheckFailed(f"{helper} was not told at all")
        times[helper] = found[0]["time"]
    if times[first] >= times[second]:
        raise CheckFailed(f"{second} was told {times[first] - times[second]:.1f} s before {first}")


@when("messages reach their phones after {seconds:g} seconds")
def reach_later(context, seconds):
    context.stage.peer("modem").do("reports", outcome="delivered", seconds=seconds)
