"""Steps about a long time: days that pass, places beside home, and a week that is looked back on."""

import datetime

from behave import given, register_type, then, when
from homeward_rig.gps.walker import Place
from homeward_rig.machine import Lacking
from homeward_rig.routine import due_times
from homeward_rig.stage import CheckFailed
from parse import with_pattern

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EAST = 90


@with_pattern("|".join(WEEKDAYS))
def weekday(text: str) -> int:
    return WEEKDAYS.index(text)


register_type(Weekday=weekday)


@given('"{zone}" is another safe zone of {name}, of {radius:g} m, {meters:g} m from home')
@when('"{zone}" becomes another safe zone of {name}, of {radius:g} m, {meters:g} m from home')
def another_zone(context, zone, name, radius, meters):
    """To the east, where everybody walks to."""
    latitude, longitude = Place.at(meters, EAST).degrees
    context.stage.hub.homeward(
        *("zones", "add", "--resident", name, "--name", zone, f"--at={latitude:.7f},{longitude:.7f}"),
        *("--radius", f"{radius:g}", "--margin", "50"),
    )


def house(context):
    """The machine of a story whose time leaps; elsewhere nobody waits for days."""
    if not hasattr(context.stage.machine, "clock"):
        raise Lacking("clock that leaps over days")
    return context.stage.machine


@when("it becomes {day:Weekday} {clock}")
def becomes(context, day, clock):
    """The next such moment, in UTC."""
    machine = house(context)
    now = machine.clock.utc()
    hour, minute = map(int, clock.split(":"))
    then_ = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    then_ += datetime.timedelta(days=(day - now.weekday()) % 7)
    if then_ <= now:
        then_ += datetime.timedelta(days=7)
    machine.clock.pass_until(then_)


@when("the power fails, and the hub wakes in 1970 with nobody to tell it the time")
def wakes_in_1970(context):
    machine = house(context)
    machine.wake_in_1970(context.stage.options)
    context.stage.hub.await_homeward()


# Looking back


def lives(context, title):
    events = context.stage.hub.homeward("events", "--type", "reminder", "--limit", "1000")
    found = due_times(reversed(events))
    return [life for life in found.values() if life.item == context.items[title]]


@then('"{title}" was taken {done:d} times and missed {missed:d} times')
@then('"{title}" was taken {done:d} times and missed {missed:d} time')
def taken_and_missed(context, title, done, missed):
    """Of all its due times that have ended, by the last word about each."""
    ends = [life.ends[-1] for life in lives(context, title) if life.ends]
    if (ends.count("done"), ends.count("missed"), len(ends)) != (done, missed, done + missed):
        raise CheckFailed(f"{title} should have been done {done} and missed {missed} times, and was: {ends}")


@then("{name} was outside of every safe zone {times:d} times in all")
@then("{name} was outside of every safe zone {times:d} time in all")
def left_in_all(context, name, times):
    """By the alarms that were raised about it."""
    events = context.stage.hub.homeward("events", "--type", "alarm.raised", "--limit", "1000")
    left = [entry for entry in events if entry["data"]["kind"] == "zone"]
    if len(left) != times or any(event["subject"] != f"resident/{name.lower()}" for event in left):
        told = [(event["time"], event["data"].get("explanation")) for event in left]
        raise CheckFailed(f"{name} should have left {times} times, and the hub raised: {told}")
