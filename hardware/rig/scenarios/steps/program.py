"""Steps about Homeward's own program on the hub, its log, and what it says of its parts."""

import json

from behave import given, then, when
from homeward_rig import paths
from homeward_rig.stage import CheckFailed, eventually


@when("Homeward crashes")
def crash(context):
    # All of it at once, plugins too, with no chance to put anything in order; systemd starts it again.
    context.stage.machine.run("/bin/systemctl", "kill", "--signal=KILL", "homeward.service")
    context.stage.hub.await_homeward()


@when("the journal hangs")
def hang_journal(context):
    # As with a card that does not answer: it is there, and takes nothing.
    context.stage.machine.run("/bin/systemctl", "kill", "--signal=STOP", "systemd-journald.service")


@when("the journal goes on")
def release_journal(context):
    context.stage.machine.run("/bin/systemctl", "kill", "--signal=CONT", "systemd-journald.service")


PLUGINS = "/usr/lib/homeward/plugins"


def bring_plugin(stage, name):
    """One of the rig's own, which is on the hub only where a scenario wants it."""
    for file in sorted((paths.RIG / name).iterdir()):
        stage.options.files[f"{PLUGINS}/{name}/{file.name}"] = file.read_text()
    stage.configuration.plugins.append(f"    - name: {name}")


@given("a plugin that fills the log from the first message that somebody writes")
def chatter_plugin(context):
    bring_plugin(context.stage, "chatter")


@then("within {seconds:g} seconds nobody takes Homeward's log any more")
def log_is_stuck(context, seconds):
    # systemd gives the way to the journal room for 16 MiB: it takes that many lines until anything is felt.
    def probe():
        part = context.stage.hub.component("log")
        return part and part["state"] == "degraded"

    eventually("a log that nobody takes", seconds, probe)


@then("within {seconds:g} seconds Homeward's log says: {words}")
def log_says(context, seconds, words):
    hub = context.stage.hub
    eventually(f'"{words}" in the log', seconds, lambda: words in hub.log(words))


@then('the hub says of "{component}": {words}')
def says(context, component, words):
    part = context.stage.hub.component(component)
    if not part or words not in json.dumps(part):
        raise CheckFailed(f'the hub does not say "{words}" of {component}, but: {part}')


@then('within {seconds:g} seconds the hub says of "{component}": {words}')
def comes_to_say(context, seconds, component, words):
    hub = context.stage.hub
    try:
        eventually(words, seconds, lambda: words in json.dumps(hub.component(component)))
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it says: {hub.component(component)}") from None


@given("a plugin without grants wants to end Homeward")
def hostile_plugin(context):
    bring_plugin(context.stage, "hostile")


@then("within {seconds:g} seconds that plugin has tried all it can")
def has_tried(context, seconds):
    hub = context.stage.hub
    eventually("a plugin that has tried everything", seconds, lambda: "tried" in hub.log())
    context.lives = lives(hub)
    print(f"    {[line for line in hub.log().splitlines() if 'tried' in line][-1][-300:]}", flush=True)


def lives(hub):
    """The daemon's number and how often each plugin was started anew, but for the hostile one."""
    plugins = hub.homeward("plugins")
    daemon = hub.machine.run("/bin/systemctl", "show", "--property=MainPID", "--value", "homeward.service").output
    return daemon.strip(), {one["name"]: one["restarts"] for one in plugins if one["name"] != "hostile"}


@then("Homeward runs as it did, and so do its other plugins")
def runs_as_it_did(context):
    if (now := lives(context.stage.hub)) != context.lives:
        raise CheckFailed(f"it was {context.lives}, and is {now}")


WALLS = "/usr/lib/homeward-rig/walls"
"""Where a machine has what tries them; `make rig` builds it."""


@when("each wall is tried with each plugin")
def try_walls(context):
    machine = context.stage.machine
    if machine.run("/usr/bin/test", "-x", f"{WALLS}/homeward-walls", check=False).status != 0:
        raise CheckFailed("homeward-walls is not on the machine; make rig SCENARIO=each-wall builds it")
    # With the rights that the daemon has, so that what holds is no right of root's.
    user = ("/usr/bin/setpriv", "--reuid=homeward", "--regid=homeward", "--init-groups", "--")
    context.walls = machine.run(*user, f"{WALLS}/homeward-walls", PLUGINS, WALLS, timeout=2400, check=False)
    # For people, also when all is well: how many deeds succeeded behind which walls.
    (paths.BUILT / "each-wall.txt").write_text(context.walls.output)


@then("no wall has a hole")
def no_hole(context):
    if context.walls.status != 0:
        raise CheckFailed(f"status {context.walls.status}: {context.walls.output[-2000:]}")


@then("they were tried with each plugin that is installed")
def tried_with_each(context):
    tried = {line.split(":")[0] for line in context.walls.output.splitlines()}
    installed = context.stage.machine.run("/bin/ls", PLUGINS).output.split()
    if missing := set(installed) - tried or not installed:
        raise CheckFailed(f"not tried with: {missing}")


@when("the broker's plugin is started anew")
def restart_broker_plugin(context):
    # What somebody asks for counts as no failure.
    context.stage.hub.homeward("plugins", "restart", "mqtt")
