"""Steps about the hub's pages: who has them open in a browser, what rings there, and what comes of pressing."""

from urllib.parse import quote

from behave import given, then, when
from homeward_rig import configuration, pages
from homeward_rig.listening import alarm_tones, longest_silence
from homeward_rig.machine import Lacking
from homeward_rig.stage import CheckFailed, eventually
from homeward_rig.virtual_machine import PAGES_PORT, VirtualMachine

PASSWORD = "paper boat on the river"
LATER = 0.3
"""Seconds by which a silence may be longer than the longest before: the emulator tears sound by tenths."""
PLUGIN = "homeward-plugin-console"


def browsers(context):
    return context.stage.peer("browsers")


def look(context, who):
    return browsers(context).do("look", timeout=90, who=who)


@given("the hub has pages for families")
def has_pages(context):
    stage = context.stage
    if not isinstance(stage.machine, VirtualMachine):
        raise Lacking("way from a browser to the hub's pages", "here")
    identity, port = pages.make_identity(stage.folder), pages.free_port()
    stage.options.pages_port = port
    stage.options.files[f"{pages.FOLDER}/certificate.pem"] = identity.certificate
    stage.options.files[f"{pages.FOLDER}/key.pem"] = identity.key
    stage.configuration.plugins.append(configuration.pages(pages.NAME, PAGES_PORT, pages.FOLDER))
    # It starts at the first word that is spoken to it.
    stage.peer("browsers", "--name", pages.NAME, "--port", str(port), "--key-hash", identity.key_hash)


@given("{name} has an account at the hub, and sees {resident}")
def has_account(context, name, resident):
    command = ("/usr/bin/homeward", "accounts", "add", "--name", name, "--email", address(name))
    context.stage.machine.run(*command, "--resident", resident, data=f"{PASSWORD}\n".encode())


def address(name):
    return f"{name.lower()}@example.org"


@when("{name} logs in at the pages")
def log_in(context, name):
    """From then on the page is live, and nobody loads it anew."""
    browsers(context).do("log-in", timeout=180, who=name, email=address(name), password=PASSWORD)
    eventually(f"a live page of {name}", 60, lambda: look(context, name)["streams"])


@then("within {seconds:g} seconds the page of this alarm has opened by itself in {name}'s browser")
def has_opened(context, seconds, name):
    seen, wanted = {}, f"/alarm?id={quote(context.alarm.identity)}"

    def opened():
        seen.update(look(context, name))
        return seen["address"] == wanted

    try:
        eventually(f"the alarm's page in {name}'s browser", seconds, opened)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it shows {seen.get('address')}: {excerpt(seen)}") from None
    context.loads = {**getattr(context, "loads", {}), name: seen["loads"]}


@then("within {seconds:g} seconds {name}'s browser rings, for {length:g} seconds or longer")
def browser_rings(context, seconds, name, length):
    """All three tones, measured at the page's audio output by its own clock."""
    heard = pages.ringing([])

    def rung():
        nonlocal heard
        heard = pages.ringing(browsers(context).do("sounds", timeout=90, who=name))
        return heard.seconds >= length and heard.tones == set(pages.TONES)

    try:
        eventually(f"a browser that rings for {length:g} s", seconds, rung, pause=1)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {name}'s rang {heard}") from None
    print(f"    {name}'s browser rang {heard}", flush=True)


@then("within {seconds:g} seconds {name}'s page says: {words}")
def page_says(context, seconds, name, words):
    seen = {}

    def said():
        seen.update(look(context, name))
        return words in seen["text"]

    try:
        eventually(f'"{words}" on {name}\'s page', seconds, said)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {seen.get('address')} says {excerpt(seen)}") from None


def excerpt(seen):
    return " ".join(seen.get("text", "").split())[:400]


@when('{name} presses "{label}" on the page')
def press(context, name, label):
    browsers(context).do("press", timeout=90, who=name, label=label)


# The end of the console


@when("the siren has been listened to for {seconds:g} seconds")
def listen_to_siren(context, seconds):
    context.room.forget()
    context.silence = longest_silence(heard_for(context, seconds))


@when("the console is killed")
def kill_console(context):
    """With no chance to put anything in order; the hub starts it again."""
    hub = context.stage.hub
    context.restarts = restarts(hub)
    context.streams = {name: look(context, name)["streams"] for name in context.loads}
    context.room.forget()
    context.stage.machine.run("/usr/bin/pkill", "--signal", "KILL", "--full", f"^[^ ]*{PLUGIN}")


def restarts(hub):
    return next(one["restarts"] for one in hub.homeward("plugins") if one["name"] == "console")


@then("for {seconds:g} seconds the siren goes on, with no silence longer than before")
def siren_goes_on(context, seconds):
    """From the moment at which the console was killed."""
    recording = heard_for(context, seconds)
    silence, tones = longest_silence(recording), alarm_tones(recording)
    if not tones:
        raise CheckFailed(f"no alarm sounded in {recording.seconds:.0f} s")
    told = f"the longest silence was {silence:.2f} s, and {context.silence:.2f} s before"
    print(f"    {told}", flush=True)
    if silence > context.silence + LATER:
        raise CheckFailed(told)


def heard_for(context, seconds):
    """So many seconds of what is heard in the room, by its own time."""
    room = context.room
    return eventually(
        "a room that is listened to",
        4 * seconds,
        lambda: (recording := room.heard()) and recording.seconds >= seconds and recording,
    )


@then("within {seconds:g} seconds the hub has started the console again")
def has_restarted(context, seconds):
    hub = context.stage.hub
    now = context.restarts

    def started():
        nonlocal now
        now = restarts(hub)
        return now > context.restarts and hub.component("plugin/console")["state"] == "working"

    try:
        eventually("a console that was started again", seconds, started)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; restarts: {context.restarts} before, {now} now") from None


@then("within {seconds:g} seconds {name}'s page is live again by itself")
def live_again(context, seconds, name):
    """The same page, loaded by nobody, hears what happens."""
    before, seen = context.streams[name], {}

    def live():
        seen.update(look(context, name))
        return seen["streams"] > before

    try:
        eventually(f"a live page of {name}", seconds, live)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {seen.get('address')} says {excerpt(seen)}") from None
    if seen["loads"] != context.loads[name]:
        raise CheckFailed(f"{name}'s page was loaded anew, {seen['loads'] - context.loads[name]} times")
    print(f"    {name}'s page was without the console for {seen['away']:.1f} s", flush=True)
