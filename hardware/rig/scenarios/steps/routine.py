"""Steps about the routine: what is due, how the resident is reminded, and who answers."""

import datetime
import itertools
import json
import random
import time

from behave import given, register_type, then, when
from homeward_rig import power
from homeward_rig.alarms import of_people
from homeward_rig.delivery import arrivals
from homeward_rig.hub import seconds_of
from homeward_rig.listening import announced_voices, bursts, voices
from homeward_rig.routine import FINAL, due_times
from homeward_rig.stage import CheckFailed, eventually, never
from parse import with_pattern

KINDS = {"item": (), "medicine": ("--medicine",), "critical medicine": ("--medicine", "--critical")}
WORDS = {"done": "done", "not now": "not-now", "missed": "missed"}


@with_pattern(r"item|medicine|critical medicine")
def kind_of_item(text: str) -> str:
    return text


@with_pattern(r"done|not now|missed")
def end(text: str) -> str:
    return WORDS[text]


register_type(ItemKind=kind_of_item, End=end)


# What is due


@given("{name} lives by the clock of {zone}")
def lives_by(context, name, zone):
    context.stage.hub.homeward("residents", "add", "--name", name, "--time-zone", zone)


@given('the routine of {name} has the {kind:ItemKind} "{title}", every day, due in {minutes:d} minutes')
@when('the routine of {name} gets the {kind:ItemKind} "{title}", every day, due in {minutes:d} minutes')
def is_due_in(context, name, kind, title, minutes):
    """At the full minute that comes so many minutes from now, by the hub's clock and in UTC."""
    now = seconds_of(context.stage.hub.status()["clock"]["utc"])
    moment = datetime.datetime.fromtimestamp((now + 15) // 60 * 60 + minutes * 60, datetime.UTC)
    has_item(context, name, kind, title, f"{moment:%H:%M}")


@given('the routine of {name} has the {kind:ItemKind} "{title}", every day at {clock}')
@when('the routine of {name} gets the {kind:ItemKind} "{title}", every day at {clock}')
def has_item(context, name, kind, title, clock):
    answer = context.stage.hub.homeward(
        *("routine", "add", "--resident", name, "--title", title, "--daily", "--at", clock, *KINDS[kind])
    )
    items(context)[title] = answer["id"]


def items(context):
    """The ids of the story's items, by title."""
    if not hasattr(context, "items"):
        context.items = {}
    return context.items


def lives(context, title):
    """The due times of an item so far, oldest first."""
    events = context.stage.hub.homeward("events", "--type", "reminder", "--limit", "1000")
    found = due_times(reversed(events))
    return [life for life in found.values() if life.item == items(context)[title]]


def described(found):
    return "; ".join(map(str, found)) or "nothing"


@when('a caregiver says that "{title}" is done')
def caregiver_says_done(context, title):
    context.stage.hub.homeward("routine", "done", items(context)[title])


# What the hub does


@then('within {seconds:g} seconds the hub reminds {name} of "{title}"')
def reminds(context, seconds, name, title):
    """For the first time since the story spoke of anything."""
    hub = context.stage.hub
    identity = items(context)[title]

    def prompted():
        events = hub.new_events("reminder.prompted")
        return next((entry for entry in events if entry["data"]["item"] == identity), None)

    try:
        event = hub.speak_of(eventually(f"a reminder of {title}", seconds, prompted))
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it was told {described(lives(context, title))}") from None
    if event["subject"] != f"resident/{name.lower()}":
        raise CheckFailed(f"the reminder should be {name}'s: {event}")
    context.event = event


@then('for {seconds:g} seconds the hub does not remind {name} of "{title}"')
def does_not_remind(context, seconds, name, title):

    def told():
        found = context.stage.hub.new_events("reminder.prompted")
        return [entry for entry in found if entry["data"]["item"] == items(context)[title]]

    never(f"a reminder of {title} for {name}", seconds, told, pause=2)


@then("that was due at {clock} by the clock on the wall")
def was_due_at(context, clock):
    """`clock` with the offset from UTC, such as 03:30 +02:00; the event that was just spoken of."""
    told = context.event["data"].get("dueLocal", "")
    moment, offset = clock.split()
    if told[11:16] != moment or not told.endswith(offset):
        raise CheckFailed(f"it should have been due at {clock}, and was due at {told or 'no time'}")


@then('within {seconds:g} seconds "{title}" counts as {end:End}, by {who}')
def is_ended_by(context, seconds, title, end, who):
    """The newest due time; `who` is a part of the name that the hub gives, or nobody."""
    wanted = "" if who == "nobody" else who

    def ended():
        newest = next(reversed(lives(context, title)), None)
        return newest and newest.ends == [end] and (wanted in newest.by if wanted else not newest.by)

    try:
        eventually(f"{title} {end}", seconds, ended)
    except CheckFailed as failure:
        raise CheckFailed(
            f"{failure}; it was told {described(lives(context, title))}, by "
            f"{', '.join(life.by or 'nobody' for life in lives(context, title)) or 'nobody'}"
        ) from None


@then('within {seconds:g} seconds the broker has heard that "{title}" counts as {end:End}')
def broker_heard(context, seconds, title, end):
    def heard():
        told = [arrival.event for arrival in arrivals(context.stage, "broker")]
        seen[:] = [event["type"] for event in told if event["data"].get("item") == items(context)[title]]
        return f"reminder.{end}" in seen

    seen = []
    try:
        eventually(f"{title} {end} at the broker", seconds, heard)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it heard {', '.join(seen) or 'nothing'}") from None


@then('the routine shows "{title}" as {state}, and when it is due next')
def shows_state(context, title, state):
    """`state`: done, waiting or off."""
    listed = context.stage.hub.homeward("routine", "list")
    found = next((item for item in listed if item["id"] == items(context)[title]), None)
    if not found or found.get("state") != state or not found.get("nextDue"):
        raise CheckFailed(f"{title} should be {state} with its next due time: {found}")


@then('"{title}" has been due {count:d} times in all')
@then('"{title}" has been due {count:d} time in all')
def due_in_all(context, title, count):
    found = lives(context, title)
    if len(found) != count:
        raise CheckFailed(f"{title} should have been due {count} times: {described(found)}")


@then("no due time was told twice, nor went on after its end")
def lives_are_whole(context):
    events = context.stage.hub.homeward("events", "--type", "reminder", "--limit", "1000")
    found = due_times(reversed(events))
    if not found:
        raise CheckFailed("nothing was ever due, so that this proves nothing")
    if bad := [life for life in found.values() if life.wrong]:
        raise CheckFailed(f"{bad[0].wrong}: {bad[0]}")


@then("within {seconds:g} seconds everything that was due has ended, each once")
def all_ended(context, seconds):
    """All items of the story; every item has been due at least once."""

    def lacking():
        return [title for title in items(context) if not any(life.ends for life in lives(context, title))]

    try:
        eventually("the end of everything that was due", seconds, lambda: not lacking())
    except CheckFailed as failure:
        told = "; ".join(f"{title}: {described(lives(context, title))}" for title in lacking())
        raise CheckFailed(f"{failure}; {told}") from None
    lives_are_whole(context)


@then("the hub has written down at most {most:d} events in the last minute")
def no_storm(context, most):
    """By the order of the journal, since the story last spoke of an event."""
    found = context.stage.hub.new_events()
    if len(found) > most:
        kinds = sorted({entry["type"] for entry in found})
        raise CheckFailed(f"{len(found)} events, and should be {most} at most: {', '.join(kinds)}")


@then("within {seconds:g} seconds no alarm about a person is open")
def no_alarm_open(context, seconds):
    hub = context.stage.hub
    eventually("the end of all alarms about people", seconds, lambda: not of_people(hub.homeward("alarm", "list")))


@then('within {seconds:g} seconds {helper} has a text message about "{words}"')
def has_text_about(context, seconds, helper, words):
    number = context.stage.phones[helper]

    def came():
        sent = context.stage.peer("modem").do("sent")
        return [text for text in sent if text["number"] == number and words in text["text"]]

    try:
        eventually(f'"{words}" for {helper}', seconds, came)
    except CheckFailed as failure:
        sent = [text["text"] for text in context.stage.peer("modem").do("sent")]
        raise CheckFailed(f"{failure}; sent were {sent or 'no messages'}") from None


# What is heard


@then("within {seconds:g} seconds a chime is heard, then a voice")
def chime_then_voice(context, seconds):
    room = context.room
    try:
        eventually("a chime and a voice", seconds, lambda: announced_voices(room.heard()))
    except CheckFailed as failure:
        recording = room.heard()
        raise CheckFailed(
            f"{failure}; heard were {len(bursts(recording))} sounds, "
            f"voices {', '.join(map(str, voices(recording))) or 'none'}"
        ) from None


@then("within {seconds:g} seconds the voice is heard once more, half a minute later")
def voice_again(context, seconds):
    """Counted from the end of the first to the beginning of the second, with the chime between them."""
    room = context.room

    def pauses():
        spoken = voices(room.heard())
        return [later.begin - earlier.end for earlier, later in itertools.pairwise(spoken)]

    try:
        eventually("the voice once more", seconds, lambda: any(25 <= pause <= 45 for pause in pauses()))
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; between voices were {[round(pause, 1) for pause in pauses()]} s") from None


# When the power fails


@when("the power fails {times:d} times while the routine goes on, {least:g} to {most:g} seconds apart")
def power_fails_while_due(context, times, least, most):
    """After each second return somebody answers what is due."""
    stage = context.stage
    lottery = random.Random(power.SEED)
    for number in range(1, times + 1):
        stage.wait(lottery.uniform(least, most))
        cut = power.cut_power(stage.machine, lottery.getrandbits(32))
        stage.switch_on()
        waiting = [item for item in stage.hub.homeward("routine", "list") if item.get("state") == "waiting"]
        answered = ""
        if number % 2 == 0 and (due := [item for item in waiting if item.get("slot")]):
            stage.hub.homeward("routine", "done", due[0]["id"])
            answered = f"; {due[0]['title']} is answered"
        print(f"    cut {number}: {cut}; then waiting: {len(waiting)}{answered}", flush=True)


# Time


@when("the hub's clock is set {minutes:g} minutes ahead")
def set_ahead(context, minutes):
    set_by(context, minutes)


@when("the hub's clock is set {minutes:g} minutes back")
def set_back(context, minutes):
    set_by(context, -minutes)


def set_by(context, minutes):
    now = context.stage.machine.run("/bin/date", "+%s").output.strip()
    set_to(context, int(now) + minutes * 60)


@when("the hub is switched on again at {moment}")
def switch_on_at(context, moment):
    """By its battery's clock, as after a while without power."""
    context.stage.options.clock = moment.rstrip("Z")
    context.stage.switch_on()


@given("the hub's clock is set to {moment}")
@when("the hub's clock is set to {moment}")
def set_moment(context, moment):
    """`moment` in UTC, such as 2027-03-28T01:28:40Z."""
    set_to(context, seconds_of(moment))


def set_to(context, seconds):
    context.stage.machine.run("/bin/date", f"--set=@{seconds:.0f}")


# Messages


@given("{sender} may write messages through the broker")
def may_write(context, sender):
    context.stage.configuration.commands[sender.lower()] = ["message.send"]


@when('{sender} writes to {name} through the broker: "{text}"')
def writes_through_broker(context, sender, name, text):
    expiry = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=10)
    command = {
        "id": f"rig-{sender}-{time.time_ns()}",
        "expiresAt": expiry.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "request": {
            "action": "message.send",
            "target": f"rig-{sender.lower()}-{time.time_ns()}",
            "resident": name.lower(),
            "sender": sender,
            "text": text,
        },
    }
    context.stage.peer("broker").do(
        "publish", topic=f"homeward/rig/command/{sender.lower()}", text=json.dumps(command, ensure_ascii=False)
    )


@when('{name} writes to the caregivers: "{text}"')
def writes_to_caregivers(context, name, text):
    context.stage.hub.homeward("message", "send", "--resident", name, "--to-caregivers", text)


@then('within {seconds:g} seconds "{kind}" with the words "{text}" has come to the broker')
def words_have_come(context, seconds, kind, text):
    def came():
        bodies = (event["body"] for event in context.stage.peer("broker").do("events"))
        return any(f'"type":"{kind}"' in body and text in body for body in bodies)

    eventually(f"{kind} at the broker", seconds, came)


@then("within {seconds:g} seconds the broker knows that the message was read, by {who}")
def receipt(context, seconds, who):
    def came():
        bodies = [event["body"] for event in context.stage.peer("broker").do("events")]
        return any('"type":"message.read"' in body and who in body for body in bodies)

    eventually("the read receipt at the broker", seconds, came)


assert set(WORDS.values()) <= set(FINAL)
