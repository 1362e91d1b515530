import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from homeward_rig.lamp import LampLog
from homeward_rig.listening import RINGS
from homeward_rig.sound import Room, as_wave, silence, tone
from homeward_rig.stage import CheckFailed

from .support import CheckTest, fails, steps
from .test_listening import pulses, ringing, speech

ROOM = steps("room")
ALARM = np.concatenate([silence(4), pulses(523.25), silence(1), speech(), silence(1)])
PLAIN = np.tile(np.concatenate([tone(523.25, 0.144), silence(0.1)]), 41)
QUIET = silence(6)


class RoomStepsTest(CheckTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def hearing(self, samples: np.ndarray) -> SimpleNamespace:
        """A room in which the speaker has been recorded so far."""
        (self.folder / "speaker-1.wav").write_bytes(as_wave(samples))
        context = self.context(folder=self.folder)
        context.room = Room(SimpleNamespace(recording=self.folder / "speaker-1.wav"))
        context.stage.wait = lambda seconds: None
        return context

    @fails("within {seconds:g} seconds the SOS ringtone is heard, for {length:g} seconds or longer")
    def test_a_ringtone_that_lacks_or_is_short_or_plain_is_noticed(self):
        for what, samples in (
            ("silence", QUIET),
            ("another pitch", pulses(587.33)),
            ("too short", pulses(523.25, 7)),
            ("without harmonics", PLAIN),
            ("a voice", speech(11)),
        ):
            with self.subTest(what), self.assertRaises(CheckFailed):
                ROOM.ringtone(self.hearing(samples), 0, 10)
        ROOM.ringtone(self.hearing(ALARM), 0, 10)

    @fails("it began after the button had been held for 3 seconds, and not much later")
    def test_a_ringtone_at_the_wrong_time_is_noticed(self):
        context = self.hearing(ALARM)
        ROOM.ringtone(context, 0, 10)
        for pressed_at in (None, 2, -20):
            context.pressed_at = pressed_at
            with self.assertRaises(CheckFailed):
                ROOM.began_in_time(context)
        context.pressed_at = 0.8
        ROOM.began_in_time(context)

    @fails("within {seconds:g} seconds a voice is heard")
    def test_a_hub_that_does_not_speak_is_noticed(self):
        for samples in (QUIET, pulses(523.25)):
            with self.assertRaises(CheckFailed):
                ROOM.voice(self.hearing(samples), 0)
        ROOM.voice(self.hearing(ALARM), 0)

    @fails("within {seconds:g} seconds no alarm sounds any more", "in {seconds:g} seconds no alarm sounds")
    def test_an_alarm_that_goes_on_is_noticed(self):
        with self.assertRaises(CheckFailed):
            ROOM.alarm_ends(self.hearing(pulses(523.25)), 0)
        for samples in (np.concatenate([pulses(523.25), QUIET]), speech(6)):
            ROOM.alarm_ends(self.hearing(samples), 0)
        context = self.hearing(QUIET)
        file = context.room.file
        context.stage.wait = lambda seconds: file.write_bytes(as_wave(np.concatenate([QUIET, pulses(523.25)])))
        with self.assertRaises(CheckFailed):
            ROOM.no_alarm_sounds(context, 10)
        context = self.hearing(pulses(523.25))
        ROOM.no_alarm_sounds(context, 10)

    @fails("within {seconds:g} seconds the telephone rings as in {country}")
    def test_a_foreign_telephone_is_noticed(self):
        with self.assertRaises(CheckFailed):
            ROOM.rings(self.hearing(ringing(RINGS["Germany"])), 0, "Great Britain")
        ROOM.rings(self.hearing(ringing(RINGS["Great Britain"])), 0, "Great Britain")

    @fails("within {seconds:g} seconds it is silent in the room")
    def test_a_sound_that_does_not_end_is_noticed(self):
        for samples in (np.concatenate([speech(), silence(3)]), silence(3)):
            with self.assertRaises(CheckFailed):
                ROOM.falls_silent(self.hearing(samples), 0)
        ROOM.falls_silent(self.hearing(np.concatenate([speech(), QUIET])), 0)

    @fails("within {seconds:g} seconds the lamp has shown {signals}, in this order")
    def test_a_lamp_that_shows_something_else_or_in_another_order_is_noticed(self):
        stored = [(int(second % 2 == 0), 9 + second) for second in range(7)]
        changes = [(0, 0), (1, 5), (0, 8), *stored, (0, 15.5), (1, 20)]
        text = "".join(f"{level} {time:.3f}\n" for level, time in changes) + "30.0 1.0\n"
        context = self.context({("/bin/cat", LampLog.FILE): text})
        context.lamp = LampLog(context.stage.machine)
        ROOM.has_shown(context, 0, "pressed, stored, acknowledged")
        for signals in ("stored, pressed, stored", "pressed, sent", "failed", "purple"):
            with self.subTest(signals), self.assertRaises(CheckFailed):
                ROOM.has_shown(context, 0, signals)
