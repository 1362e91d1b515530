import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from homeward_rig.sound import Recording, Room, as_wave, silence, tone
from homeward_rig.stage import CheckFailed

from .support import CheckTest, fails, steps

SOUND = steps("sound")
QUIET = silence(1)
TONE = np.concatenate([QUIET, tone(440, 0.5), QUIET])
ROW = np.concatenate([QUIET, tone(440, 0.3), silence(0.2), tone(440, 0.3), QUIET])


def torn() -> np.ndarray:
    samples = TONE.copy()
    samples[60000:60150] = 0
    return samples


class SoundStepsTest(CheckTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def hearing(self, samples: np.ndarray) -> SimpleNamespace:
        """A room in which the speaker has been recorded so far."""
        (self.folder / "speaker-1.wav").write_bytes(as_wave(samples))
        context = self.context(folder=self.folder)
        context.room = Room(SimpleNamespace(recording=self.folder / "speaker-1.wav"))
        return context

    @fails("a tone of {frequency:g} Hz is heard for {seconds:g} seconds")
    def test_a_tone_that_is_not_as_told_is_noticed(self):
        clipped = np.concatenate([QUIET, tone(440, 0.5, level=6), QUIET])
        for what, samples, frequency, seconds in (
            ("pitch", TONE, 450, 0.5),
            ("too short", TONE, 440, 0.6),
            ("too long", TONE, 440, 0.4),
            ("torn", torn(), 440, 0.5),
            ("clipped", clipped, 440, 0.5),
            ("two", ROW, 440, 0.3),
        ):
            with self.subTest(what), self.assertRaises(CheckFailed):
                SOUND.heard(self.hearing(samples), frequency, seconds)
        SOUND.heard(self.hearing(TONE), 440, 0.5)

    @fails("{count:d} tones of {frequency:g} Hz are heard, {seconds:g} seconds each with pauses of {pause:g} seconds")
    def test_a_row_that_is_not_as_told_is_noticed(self):
        for what, count, pause in (("lacking", 3, 0.2), ("pause too long", 2, 0.3), ("pause too short", 2, 0.1)):
            with self.subTest(what), self.assertRaises(CheckFailed):
                SOUND.row_heard(self.hearing(ROW), count, 440, 0.3, pause)
        SOUND.row_heard(self.hearing(ROW), 2, 440, 0.3, 0.2)

    @fails("for {seconds:g} seconds nothing is heard")
    def test_a_sound_in_silence_is_noticed(self):
        with self.assertRaises(CheckFailed):
            SOUND.nothing_heard(self.hearing(TONE), 2)
        SOUND.nothing_heard(self.hearing(QUIET), 1)

    @fails("its recording has a tone of {frequency:g} Hz for {seconds:g} seconds", "its recording is silent")
    def test_a_microphone_that_hears_something_else_is_noticed(self):
        context = SimpleNamespace(recording=Recording(TONE))
        SOUND.recording_has(context, 440, 0.5)
        with self.assertRaises(CheckFailed):
            SOUND.recording_silent(context)
        with self.assertRaises(CheckFailed):
            SOUND.recording_has(context, 880, 0.5)
        context.recording = Recording(QUIET)
        SOUND.recording_silent(context)
        with self.assertRaises(CheckFailed):
            SOUND.recording_has(context, 440, 0.5)
        context.recording = Recording(silence(0))
        with self.assertRaises(CheckFailed):
            SOUND.recording_silent(context)
