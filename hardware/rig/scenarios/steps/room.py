"""Steps about what is heard in the room when there is an alarm or a telephone rings, and what the lamp shows."""

from behave import given, then, when
from homeward_rig.button import button
from homeward_rig.lamp import SIGNALS, LampLog, described, first_shown
from homeward_rig.listening import RINGS, alarm_tones, bursts, harmonics, rings_as, voices
from homeward_rig.stage import CheckFailed, eventually

LOUDNESS = 15
"""dB that a harmonic may be louder or fainter than its fundamental: IEC 60601-1-8."""

LATE = 8
"""Seconds after the hold in which the alarm has to be heard, in an emulator that is slow."""


# Sound


@then("within {seconds:g} seconds the SOS ringtone is heard, for {length:g} seconds or longer")
def ringtone(context, seconds, length):
    """Its bursts, counted from the first to the last; a voice between them is part of it."""
    room = context.room

    def long_enough():
        tones = alarm_tones(room.heard())
        return tones if tones and tones[-1].end - tones[0].begin >= length - 0.5 else None

    try:
        tones = eventually("the SOS ringtone", seconds, long_enough)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {heard(room.heard())}") from None
    context.ringtone = tones
    levels = harmonics(room.heard(), tones[0])
    strong = [number for number, level in levels.items() if 2 <= number <= 7 and abs(level) <= LOUDNESS]
    if len(strong) < 4:
        raise CheckFailed(f"the ringtone has no four harmonics within {LOUDNESS} dB for old ears: {levels}")


@then("it began after the button had been held for 3 seconds, and not much later")
def began_in_time(context):
    """By the room's own time."""
    if context.pressed_at is None:
        raise CheckFailed("nobody noted when the button was pressed")
    after = context.ringtone[0].begin - context.pressed_at
    if not 2.5 <= after <= 3 + LATE:
        raise CheckFailed(f"the ringtone began {after:.1f} s after the button went down")


@when("somebody holds the wired button for {seconds:g} seconds")
def hold_and_listen(context, seconds):
    context.pressed_at = context.room.heard().seconds if hasattr(context, "room") else None
    button(context.stage.machine, "wired").press(seconds)


@then("within {seconds:g} seconds a voice is heard")
def voice(context, seconds):
    room = context.room
    try:
        eventually("a voice", seconds, lambda: voices(room.heard()))
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {heard(room.heard())}") from None


@then("within {seconds:g} seconds no alarm sounds any more")
def alarm_ends(context, seconds):
    """Not for five seconds: its bursts come more often."""
    room = context.room

    def is_quiet():
        recording = room.heard()
        tones = alarm_tones(recording)
        return recording.seconds >= 5 and (not tones or recording.seconds - tones[-1].end >= 5)

    try:
        eventually("the end of the alarm's sound", seconds, is_quiet)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {heard(room.heard())}") from None
    room.forget()


@then("in {seconds:g} seconds no alarm sounds")
def no_alarm_sounds(context, seconds):
    room = context.room
    room.forget()
    context.stage.wait(seconds)
    if tones := alarm_tones(room.heard()):
        raise CheckFailed(f"no alarm should sound; {', '.join(map(str, tones))}")


@then("within {seconds:g} seconds the telephone rings as in {country}")
def rings(context, seconds, country):
    room = context.room
    wrong = []

    def rung():
        wrong[:] = [rings_as(room.heard(), RINGS[country])]
        return not wrong[0]

    try:
        eventually(f"a telephone that rings as in {country}", seconds, rung)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {wrong[0]}") from None


@then("within {seconds:g} seconds it is silent in the room")
def falls_silent(context, seconds):
    """For five seconds, longer than a telephone's pause."""
    room = context.room

    def is_silent():
        recording = room.heard()
        found = bursts(recording)
        return recording.seconds >= 5 and (not found or recording.seconds - found[-1].end >= 5)

    try:
        eventually("silence in the room", seconds, is_silent)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {heard(room.heard())}") from None
    room.forget()


@when("the room is listened to from now on")
def from_now_on(context):
    context.room.forget()


def heard(recording):
    """For people: what there was in a recording."""
    tones, spoken = alarm_tones(recording), voices(recording)
    parts = [
        f"the alarm's tone {', '.join(map(str, tones))}" if tones else "",
        f"voices {', '.join(map(str, spoken))}" if spoken else "",
        f"{len(bursts(recording))} sounds in {recording.seconds:.1f} s",
    ]
    return "heard were " + "; ".join(part for part in parts if part)


# Lamp


@given("somebody watches the lamp")
@when("somebody watches the lamp again")
def watch_lamp(context):
    context.lamp = LampLog(context.stage.machine)
    context.lamp.start()


@then("within {seconds:g} seconds the lamp has shown {signals}, in this order")
def has_shown(context, seconds, signals):
    """`signals` as in homeward_rig/lamp.py, with commas between; others may come between them."""
    wanted = [signal.strip() for signal in signals.split(",")]
    if unknown := [signal for signal in wanted if signal not in SIGNALS]:
        raise CheckFailed(f"a lamp shows {', '.join(SIGNALS)}, not {', '.join(unknown)}")
    lacking = wanted

    def shown():
        nonlocal lacking
        lights = context.lamp.lights()
        since = float("-inf")
        for number, signal in enumerate(wanted):
            lacking = wanted[number:]
            found = first_shown(lights, signal, since)
            if found is None:
                return False
            since = found
        return True

    try:
        eventually("the lamp's signals", seconds, shown, pause=1)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}: not {lacking[0]}; it was {described(context.lamp.lights())}") from None
