"""Steps about what is heard from the hub's speaker, and what the hub hears with its microphone."""

import base64

import numpy as np
from behave import given, then, when
from homeward_rig.bench.machine import Bench
from homeward_rig.devices import PROGRAMS
from homeward_rig.house.machine import House
from homeward_rig.house.room import StoryRoom
from homeward_rig.sound import Recording, Room, as_wave, from_wave, silence, tone
from homeward_rig.stage import CheckFailed, eventually

SPEAKER = "plughw:CARD=Audio"
ENDED = 0.5
"""Seconds of silence after which a row of sounds has ended."""
TOLERANCE = 0.03
"""Seconds by which a sound or pause may be longer or shorter."""


@given("somebody listens in the room")
@when("somebody listens in the room again")
def listen(context):
    machine = context.stage.machine
    context.room = StoryRoom(machine) if isinstance(machine, House) else Room(machine)
    context.room.listen()


@when("the hub plays a tone of {frequency:g} Hz for {seconds:g} seconds")
def play(context, frequency, seconds):
    play_row(context, 1, frequency, seconds, 0)


@when("the hub plays {count:d} tones of {frequency:g} Hz, {seconds:g} seconds each with pauses of {pause:g} seconds")
def play_row(context, count, frequency, seconds, pause):
    # Silence at the end: what the emulator is behind with is lost when the hub closes its speaker.
    row = [*[tone(frequency, seconds), silence(pause)] * count, silence(0.7)]
    machine = context.stage.machine
    speaker = machine.speaker if isinstance(machine, Bench) else SPEAKER
    machine.run("/usr/bin/aplay", "--quiet", f"--device={speaker}", "-", data=as_wave(np.concatenate(row)))


@then("a tone of {frequency:g} Hz is heard for {seconds:g} seconds")
def heard(context, frequency, seconds):
    row_heard(context, 1, frequency, seconds, 0)


@then("{count:d} tones of {frequency:g} Hz are heard, {seconds:g} seconds each with pauses of {pause:g} seconds")
def row_heard(context, count, frequency, seconds, pause):
    room = context.room

    def ended() -> Recording | None:
        recording = room.heard()
        sounds = recording.sounds()
        return recording if sounds and recording.seconds - sounds[-1].end >= ENDED + pause else None

    recording = eventually("a sound is heard, and ends", 30 + count * (seconds + pause), ended)
    room.speak_of(recording.seconds)
    check_row(recording, count, frequency, seconds, pause)


@then("for {seconds:g} seconds nothing is heard")
def nothing_heard(context, seconds):
    room = context.room
    recording = eventually(
        f"{seconds:g} s of the room are recorded",
        30 + seconds,
        lambda: (now := room.heard()).seconds >= seconds and now,
    )
    room.speak_of(recording.seconds)
    check_silent(recording)


@when("a tone of {frequency:g} Hz sounds near the microphone for {seconds:g} seconds, while the hub records")
def record_tone(context, frequency, seconds):
    # Silence around it: the simulated microphone tears what it hears last.
    record(context, as_wave(np.concatenate([silence(0.5), tone(frequency, seconds), silence(0.5)])), 1)


@when("the hub records for {seconds:g} seconds")
def record_silence(context, seconds):
    record(context, b"", seconds)


def record(context, sound: bytes, seconds: float) -> None:
    """Has the hub record while a sound, a wave file, plays near its microphone, and for so many seconds after."""
    machine, file = context.stage.machine, "/run/rig-recording.wav"
    machine.run(f"{PROGRAMS}/hear", file, str(seconds), data=sound, timeout=90 + 3 * seconds)
    data = base64.b64decode(machine.run("/usr/bin/base64", "--wrap=0", file).output)
    (context.stage.folder / "microphone.wav").write_bytes(data)
    context.recording = Recording(from_wave(data))


@then("its recording has a tone of {frequency:g} Hz for {seconds:g} seconds")
def recording_has(context, frequency, seconds):
    check_row(context.recording, 1, frequency, seconds, 0)


@then("its recording is silent")
def recording_silent(context):
    if context.recording.seconds < 0.5:
        raise CheckFailed(f"the recording has {context.recording.seconds:.2f} s only")
    check_silent(context.recording)


def check_row(recording: Recording, count: int, frequency: float, seconds: float, pause: float) -> None:
    """A row of clean tones of that pitch and length, and nothing else."""
    sounds = recording.sounds()
    wanted = f"{count} × {seconds:g} s of {frequency:g} Hz with pauses of {pause:g} s"
    if len(sounds) != count:
        raise CheckFailed(f"expected {wanted}; heard {recording}")
    for sound in sounds:
        made_of = sound.tone()
        if abs(made_of.fundamental - frequency) > 0.005 * frequency:
            raise CheckFailed(f"expected {wanted}; the pitch is wrong: {recording}")
        if abs(sound.seconds - seconds) > TOLERANCE:
            raise CheckFailed(f"expected {wanted}; the length is wrong: {recording}")
        if sound.clipped > 0 or made_of.impurity > -30:
            raise CheckFailed(f"expected {wanted}; torn or distorted ({made_of.impurity:.0f} dB): {recording}")
    for between in recording.pauses():
        if abs(between - pause) > TOLERANCE:
            raise CheckFailed(f"expected {wanted}; a pause has {between:.3f} s")


def check_silent(recording: Recording) -> None:
    if recording.sounds():
        raise CheckFailed(f"expected silence; heard {recording}")
