"""Steps about the life of an alarm: raised, cancelled, acknowledged, resolved, and who at the far ends hears of it."""

from behave import register_type, then, when
from homeward_rig.alarms import Alarm, of_people
from homeward_rig.delivery import arrivals
from homeward_rig.gps.walker import Place
from homeward_rig.hub import seconds_of
from homeward_rig.stage import CheckFailed, eventually
from parse import with_pattern


@with_pattern(r"prealarm|dispatched|acknowledged")
def stage_of_life(text: str) -> str:
    return text


register_type(StageOfLife=stage_of_life)


# What people do


@when("an SOS is raised for {name}")
def raise_sos(context, name):
    context.alarm = Alarm.of({"data": answer_of(context.stage.hub.homeward("sos", "raise", "--resident", name))})


def answer_of(answer):
    """The result of a command, which tells the alarm's id and tag."""
    found = (answer or {}).get("result", answer) or {}
    if "alarm" not in found or "tag" not in found:
        raise CheckFailed(f"the hub does not name the alarm in its answer: {answer}")
    return found


@when("{name} cancels the SOS")
def cancel(context, name):
    context.stage.hub.homeward("sos", "cancel", "--resident", name)


@when('{name} cancels the SOS with the PIN {pin:d}: "{message}"')
def cancel_with_words(context, name, pin, message):
    cancel_with_pin(context, name, pin, "--message", message)


@when("{name} cancels the SOS with the PIN {pin:d}")
def cancel_by_pin(context, name, pin):
    cancel_with_pin(context, name, pin)


def cancel_with_pin(context, name, pin, *options):
    """Keeps what the hub says to her, in words, and whether it took it."""
    command = ("/usr/bin/homeward", "sos", "cancel", "--pin", "--resident", name, *options)
    completed = context.stage.machine.run(*command, data=f"{pin}\n".encode(), check=False)
    context.said = (completed.status, completed.output.strip(), completed.errors.strip())


@when('{helper} resolves the alarm: "{reason}"')
def resolve(context, helper, reason):
    context.stage.hub.homeward("sos", "resolve", "--by", helper.lower(), "--reason", reason)


# What the hub says of it


@then("within {seconds:g} seconds the hub has raised an SOS for {name}")
def has_raised(context, seconds, name):
    hub = context.stage.hub
    entry = eventually(
        f"an SOS for {name}",
        seconds,
        lambda: next((entry for entry in hub.new_events("alarm.raised") if entry["data"]["kind"] == "sos"), None),
    )
    event = hub.speak_of(entry)
    if event["subject"] != f"resident/{name.lower()}":
        raise CheckFailed(f"the SOS should be {name}'s: {event}")
    context.alarm = Alarm.of(event)


@then("within {seconds:g} seconds an SOS of {name} is open")
def is_open(context, seconds, name):
    """As the hub has it in memory: with a disk that takes nothing, its journal does not know of it yet."""

    def come():
        return next((a for a in context.stage.hub.homeward("alarm", "list") if a["kind"] == "sos"), None)

    found = eventually(f"an open SOS of {name}", seconds, come)
    if found["resident"] != name.lower():
        raise CheckFailed(f"the SOS should be {name}'s: {found}")
    context.alarm = Alarm(found["alarm"], found["tag"])


@then("within {seconds:g} seconds the alarm is {stage:StageOfLife}, and no other is open")
def has_come_to(context, seconds, stage):
    seen = []

    def come():
        seen[:] = of_people(context.stage.hub.homeward("alarm", "list"))
        return [(alarm["alarm"], alarm["stage"]) for alarm in seen] == [(context.alarm.identity, stage)]

    try:
        eventually(f"alarm {context.alarm.tag} {stage}", seconds, come)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; open are {seen}") from None


@then("no alarm is open")
def none_open(context):
    if alarms := of_people(context.stage.hub.homeward("alarm", "list")):
        raise CheckFailed(f"open are {alarms}")


@then('within {seconds:g} seconds the hub reports "{kind}" of this alarm')
def reports_of_this(context, seconds, kind):
    """Wherever in the journal it stands."""
    context.event = eventually(
        f"{kind} of alarm {context.alarm.tag}", seconds, lambda: next(of_this(context, kind), None)
    )


@then('the hub has not reported "{kind}" of this alarm')
def not_reported_of_this(context, kind):
    if event := next(of_this(context, kind), None):
        raise CheckFailed(f"{kind}, and should not: {event}")


def of_this(context, kind):
    entries = context.stage.hub.homeward("events", "--type", kind, "--limit", "500")
    return (entry for entry in entries if entry["data"].get("alarm") == context.alarm.identity)


@then("it was {helper} who did that")
def was_by(context, helper):
    told = context.event["data"].get("by") or context.event["data"].get("byName")
    if helper.lower() not in str(told).lower():
        raise CheckFailed(f"{context.event['type']} should be by {helper}, and is by {told}: {context.event['data']}")


@then("that looks to her as if it were over")
def looks_over(context):
    """The same words as for the right PIN, whatever was entered."""
    status, output, errors = context.said
    if status != 0 or "cancelled" not in output or errors:
        raise CheckFailed(
            f"the hub should say that it is cancelled, and says {output!r}, {errors!r} (exit code {status})"
        )


@then("the hub refuses that, and says how many tries are left")
def refuses_with_tries(context):
    status, output, errors = context.said
    if status == 0 or not any(letter.isdigit() for letter in errors) or "tr" not in errors:
        raise CheckFailed(f"the hub should refuse a wrong PIN, and says {output!r}, {errors!r} (exit code {status})")


# What the far ends hear


def came_of_this(context, place, kind):
    """Events of this alarm that came to a place, once each, in the order of their coming."""
    found = {}
    for arrival in arrivals(context.stage, place):
        event = arrival.event
        if event["type"] == kind and event["data"].get("alarm") == context.alarm.identity:
            found.setdefault(event["id"], event)
    return list(found.values())


@then('within {seconds:g} seconds "{kind}" of this alarm has come to the {place}')
def has_come_to_place(context, seconds, kind, place):
    eventually(f"{kind} at the {place}", seconds, lambda: came_of_this(context, place, kind), pause=1)


@then('"{kind}" of this alarm has not come to the {place}')
def has_not_come(context, kind, place):
    if came := came_of_this(context, place, kind):
        raise CheckFailed(f"{kind} at the {place}, and should not: {came[0]}")


@then("within {seconds:g} seconds at least {count:d} live positions of this alarm have come to the {place}, in order")
def live_positions(context, seconds, count, place):
    came = eventually(
        f"{count} live positions at the {place}",
        seconds,
        lambda: (found := came_of_this(context, place, "alarm.location")) and len(found) >= count and found,
        pause=1,
    )
    times = [seconds_of(event["time"]) for event in came]
    if times != sorted(times):
        raise CheckFailed(f"live positions came out of order: {[event['time'] for event in came]}")
    for event in came:
        data = event["data"]
        if Place.from_degrees(data["latitude"], data["longitude"]).meters_from_home > 2000:
            raise CheckFailed(f"a live position leads nowhere near: {data}")


@then("for {seconds:g} seconds no live position comes to the {place}")
def no_live_position(context, seconds, place):
    before = len(came_of_this(context, place, "alarm.location"))
    context.stage.wait(seconds)
    if more := came_of_this(context, place, "alarm.location")[before:]:
        raise CheckFailed(f"the alarm is over, and {len(more)} live positions came to the {place}: {more[0]}")
