"""Steps about guardians who are told by mail or push, and about the plugins that tell them."""

from behave import given, register_type, then, when
from homeward_rig.configuration import FILE, email, pushes
from homeward_rig.letters import CHANNELS, about, letters
from homeward_rig.machine import Lacking
from homeward_rig.stage import CheckFailed, eventually
from parse import with_pattern

OPTIONS = {"guardian": (), "guardian in reserve": ("--tier", "2"), "caregiver": ("--caregiver",)}


@with_pattern(r"mail|push")
def letter(text: str) -> str:
    return text


@with_pattern(r"guardian in reserve|guardian|caregiver")
def role(text: str) -> str:
    return text


register_type(Letter=letter, RoleAfar=role)


def house(context):
    """The machine of a story on this computer, which reaches the far ends of this computer."""
    if not hasattr(context.stage.machine, "clock"):
        raise Lacking("mail server and push service")
    return context.stage.machine


def addresses(context):
    """Where each helper gets letters: by helper and channel."""
    if not hasattr(context, "addresses"):
        context.addresses = {}
    return context.addresses


@given("the hub has a mail server for alarms")
def with_mail(context):
    house(context)
    context.stage.configuration.plugins.append(email(context.stage.peer("mail-server").do("port")))


@given("the hub has a push service for alarms, which knows {helper}")
def with_pushes(context, helper):
    name = helper.lower()
    secret = house(context).sockets / f"push-address-of-{name}"
    port = context.stage.peer("web-server", "--address", "127.0.0.1").do("port")
    # The certificate is made by the story's clock, and the plugin has no part in trusting it.
    secret.write_text(f"jsons://127.0.0.1:{port}/{name}?verify=no")
    secret.chmod(0o600)
    context.stage.configuration.plugins.append(pushes(name, secret, port))


@given("{helper}, reached by {kind:Letter} alone, is a {role:RoleAfar} of {name}")
def is_reached_by(context, helper, kind, role, name):
    address = f"{helper.lower()}@example.org" if kind == "mail" else helper.lower()
    channel = CHANNELS[kind]
    context.stage.hub.homeward(
        *("guardians", "add", "--resident", name, "--name", helper, f"--{channel}", address, *OPTIONS[role])
    )
    addresses(context)[helper, channel] = address


@then('within {seconds:g} seconds {helper} has a {kind:Letter} of this alarm: "{words}"')
def has_letter(context, seconds, helper, kind, words):
    found = []

    def came():
        found[:] = letters_of_this(context, helper, kind)
        return any(words in one["text"] for one in found)

    try:
        eventually(f'a {kind} with "{words}" to {helper}', seconds, came)
    except CheckFailed as failure:
        told = "; ".join(one["text"] for one in found) or "nothing"
        raise CheckFailed(f"{failure}; of alarm {context.alarm.tag} {helper} has {told}") from None


@then("{helper} has no {kind:Letter} of this alarm")
def has_no_letter(context, helper, kind):
    if found := letters_of_this(context, helper, kind):
        raise CheckFailed(f"{helper} should not have {found[0]['text']}")


def letters_of_this(context, helper, kind):
    channel = CHANNELS[kind]
    return about(letters(context.stage), context.alarm.tag, channel, addresses(context)[helper, channel])


@when("the mail server vanishes")
def vanish(context):
    context.stage.peer("mail-server").do("vanish")


@when("the mail server comes back")
def come_back(context):
    context.stage.peer("mail-server").do("come-back")


# Plugins


@when('the plugin "{name}" is taken away')
def take_away(context, name):
    """Its entry leaves the configuration, and the hub reads that again."""
    plugins = context.stage.configuration.plugins
    entry = next((entry for entry in plugins if f"- name: {name}\n" in entry), None)
    if entry is None:
        raise CheckFailed(f"there is no plugin {name}")
    plugins.remove(entry)
    if not hasattr(context, "taken_away"):
        context.taken_away = {}
    context.taken_away[name] = entry
    reconfigure(context)


@when('the plugin "{name}" is given back')
def give_back(context, name):
    context.stage.configuration.plugins.append(context.taken_away.pop(name))
    reconfigure(context)


def reconfigure(context):
    context.stage.options.files[FILE] = context.stage.configuration.text
    house(context).reconfigure(context.stage.options)


@then('within {seconds:g} seconds the hub does without "{component}"')
def is_no_part(context, seconds, component):
    """The hub knows of it at most that it is used no more."""
    hub = context.stage.hub

    def is_gone():
        found = hub.component(component)
        return found is None or found["state"] == "unused"

    try:
        eventually(f"the end of {component}", seconds, is_gone)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {component} is still there: {hub.component(component)}") from None
