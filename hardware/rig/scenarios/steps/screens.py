"""Steps about a screen that stands in the home of somebody who is looked after, and shows their pages."""

from behave import then, when
from homeward_rig.course import course, differences
from homeward_rig.stage import CheckFailed, eventually

PATIENCE = 180
"""Seconds that a screen may take to show its first page: the machine is an emulated one."""


def browsers(context):
    return context.stage.peer("browsers")


def look(context, name):
    return browsers(context).do("look", timeout=90, who=name)


def screens(context):
    """What each screen of the story showed when that was last noted, by whose it is."""
    if not hasattr(context, "screens"):
        context.screens = {}
    return context.screens


def note(context):
    for name in screens(context):
        screens(context)[name] = look(context, name)


def excerpt(seen):
    return f"{seen.get('address')} says {' '.join(seen.get('text', '').split())[:400]}"


def wait_until(what, context, seconds, name, holds):
    """Waits until what a screen shows is as wanted; CheckFailed with what it shows instead."""
    seen = {}

    def as_wanted():
        seen.update(look(context, name))
        return holds(seen)

    try:
        eventually(what, seconds, as_wanted)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {excerpt(seen)}") from None
    return seen


# What is done at a screen


@when("{name}'s screen is let in by a code")
def let_in(context, name):
    answer = context.stage.hub.homeward("accounts", "screen", "--resident", name)
    code = answer.get("result", answer)["code"]
    browsers(context).do("let-in", timeout=PATIENCE, who=name, code=code)
    is_live(context, 60, name)


@when('{name} opens "{path}" on the screen')
def open_page(context, name, path):
    browsers(context).do("open", timeout=90, who=name, path=path)


@when('{name} presses "{label}" on the screen')
def press(context, name, label):
    browsers(context).do("press", timeout=90, who=name, label=label)


@when("the power of {name}'s screen is cut")
def cut(context, name):
    browsers(context).do("switch-off", timeout=60, who=name)


@when("{name}'s screen is switched on again")
def switch_on(context, name):
    browsers(context).do("switch-on", timeout=PATIENCE, who=name)


@when("Homeward is killed, and stays away")
def kill(context):
    note(context)
    for words in (("kill", "--signal=KILL"), ("stop",)):
        context.stage.machine.run("/bin/systemctl", *words, "homeward.service")


@when("Homeward starts again")
def start(context):
    context.stage.machine.run("/bin/systemctl", "start", "homeward.service", timeout=120)
    context.stage.hub.await_homeward()


# What a screen shows


@then("within {seconds:g} seconds {name}'s screen says: {words}")
def says(context, seconds, name, words):
    wait_until(f'"{words}" on {name}\'s screen', context, seconds, name, lambda seen: words in seen["text"])


@then("within {seconds:g} seconds {name}'s screen says nothing of: {words}")
def says_nothing_of(context, seconds, name, words):
    wait_until(f'{name}\'s screen without "{words}"', context, seconds, name, lambda seen: words not in seen["text"])


@then("{name}'s screen still says: {words}")
def still_says(context, name, words):
    if words not in (seen := look(context, name))["text"]:
        raise CheckFailed(f'"{words}" is gone; {excerpt(seen)}')


@then("{name}'s screen has no key that says {label}")
def has_no_key(context, name, label):
    if label in (keys := look(context, name)["keys"]):
        raise CheckFailed(f'there should be no "{label}"; the keys are {", ".join(keys)}')


@then("{name}'s screen shows that alone, and it fills the screen")
def fills(context, name):
    """The frame's keys stay around it: home, read to me, help."""
    seen = look(context, name)
    own = [key for key in seen["keys"] if key not in ("Home", "Read to me", "Help")]
    if own != ["Done", "Not now"] or seen["filled"] < 0.95:
        raise CheckFailed(f"the keys are {', '.join(seen['keys'])}, on {seen['filled']:.0%} of the screen")


@then("within {seconds:g} seconds {name}'s screen is live")
def is_live(context, seconds, name):
    """It hears what happens, also where it began with what it had seen last."""
    screens(context)[name] = wait_until(
        f"a live screen of {name}", context, seconds, name, lambda seen: seen["streams"]
    )


@then("within {seconds:g} seconds {name}'s screen is live again, loaded by nobody")
def live_again(context, seconds, name):
    """The same page hears what happens again; what it shows counts from here on."""
    before = screens(context)[name]
    seen = wait_until(
        f"a live screen of {name}", context, seconds, name, lambda seen: seen["streams"] > before["streams"]
    )
    if seen["loads"] != before["loads"]:
        raise CheckFailed(f"it was loaded anew, {seen['loads'] - before['loads']} times")
    print(f"    {name}'s screen heard nothing for {seen['away']:.1f} s", flush=True)
    screens(context)[name] = seen


@then("{name}'s screen sees {resident}, and nobody else")
def sees_alone(context, name, resident):
    """What it can ask for, whatever its pages show; of others it cannot even ask."""
    listed = browsers(context).do("ask", timeout=90, who=name, path="/api/v1/residents/list")
    names = [one["name"] for one in listed["answer"]] if listed["status"] == 200 else listed
    if names != [resident]:
        raise CheckFailed(f"it should see {resident} alone, and sees {names}")
    for one in context.stage.hub.homeward("residents"):
        if one["name"] == resident:
            continue
        path = f"/api/v1/events/query?resident={one['id']}"
        answer = browsers(context).do("ask", timeout=90, who=name, path=path)
        if answer["status"] != 403:
            raise CheckFailed(f"it should not be told of {one['name']}, and is told {answer}")


# Help


def course_of(context):
    """What came of the alarm that the story speaks of, at all ends."""
    stage = context.stage
    entries = stage.hub.homeward("events", "--limit", "1000")
    told = stage.peer("broker").do("events")
    return course(context.alarm, entries, told, stage.peer("modem").do("sent"))


@when("what came of this alarm is noted, to its last receipt")
def note_course(context):
    def has_all():
        context.course = course_of(context)
        return context.course.receipts >= len(context.stage.phones)

    eventually("a receipt of each text message", 60, has_all)


@then("within {seconds:g} seconds as much has come of this alarm as of the one that was noted, and nothing else")
def same_course(context, seconds):
    if not context.course.events:
        raise CheckFailed("nothing had come of the one that was noted, so that this proves nothing")
    found = []

    def is_same():
        found[:] = differences(context.course, course_of(context))
        return not found

    try:
        eventually("the same course", seconds, is_same)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {'; '.join(found)}") from None
    print(f"    {context.course}", flush=True)
