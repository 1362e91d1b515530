import tempfile
import time
import unittest
from pathlib import Path

import numpy as np
from homeward_rig.sound import RATE, Recording, RoomClock, analyse, as_wave, from_wave, level, silence, tone


def gap(samples, at: float, seconds: float):
    """The samples with nothing in them for a while."""
    torn = samples.copy()
    torn[round(at * RATE) : round((at + seconds) * RATE)] = 0
    return torn


class ToneTest(unittest.TestCase):
    def test_pitch_and_level_of_short_and_long_and_low_and_high(self):
        for frequency, seconds in ((150, 1), (440, 2), (523.25, 0.1), (1000, 0.06), (3100, 0.5)):
            with self.subTest(frequency=frequency, seconds=seconds):
                made_of = analyse(tone(frequency, seconds, level=-20))
                self.assertAlmostEqual(made_of.fundamental, frequency, delta=frequency * 0.002)
                self.assertAlmostEqual(made_of.partials[0][1], -20, delta=0.1)
                self.assertLess(made_of.impurity, -60)

    def test_harmonics_are_told_with_their_levels(self):
        made_of = analyse(tone(523.25, 0.15, -12, harmonics=(-3, -6, -9, 6)))
        self.assertAlmostEqual(made_of.fundamental, 523.25, delta=1)
        for number, expected in enumerate((0, -3, -6, -9, 6), start=1):
            self.assertAlmostEqual(made_of.harmonics[number], expected, delta=0.3)

    def test_two_tones_at_once_are_both_found(self):
        partials = analyse(tone(440, 1) + tone(480, 1)).partials
        self.assertEqual([round(frequency) for frequency, _ in partials], [440, 480])

    def test_what_tears_a_tone_is_noticed(self):
        whole = tone(440, 2)
        skipped = np.concatenate([whole[: RATE // 2], whole[RATE // 2 + 100 :]])
        noisy = whole + 0.05 * np.random.default_rng(1).normal(size=len(whole))
        for what, samples in {
            "a gap of 2 ms": gap(whole, 1, 0.002),
            "a gap at the end": gap(whole, 1.9, 0.004),
            "2 ms left out": skipped,
            "noise": noisy,
        }.items():
            with self.subTest(what):
                self.assertGreater(analyse(samples).impurity, -30)

    def test_clipping_is_noticed(self):
        (clipped,) = Recording(np.clip(tone(440, 1, level=3), -1, 1)).sounds()
        self.assertGreater(clipped.clipped, 0.3)
        (clean,) = Recording(tone(440, 1, level=-0.1)).sounds()
        self.assertEqual(clean.clipped, 0)

    def test_a_sound_too_short_for_a_pitch_says_so(self):
        (click,) = Recording(tone(440, 0.02)).sounds()
        with self.assertRaises(ValueError):
            click.tone()


class RecordingTest(unittest.TestCase):
    def test_sounds_and_pauses_of_the_high_priority_burst(self):
        pulse = tone(523.25, 0.144, -12, harmonics=(-3, -6, -9, -12))
        recording = Recording(np.concatenate([silence(1), pulse, silence(0.079), pulse, silence(0.244), pulse]))
        begins = [sound.begin for sound in recording.sounds()]
        np.testing.assert_allclose(begins, [1, 1.223, 1.611], atol=0.002)
        np.testing.assert_allclose([sound.seconds for sound in recording.sounds()], 0.144, atol=0.003)
        np.testing.assert_allclose(recording.pauses(), [0.079, 0.244], atol=0.003)

    def test_a_pause_of_a_hundredth_parts_two_sounds(self):
        self.assertEqual(len(Recording(gap(tone(440, 1), 0.5, 0.012)).sounds()), 2)

    def test_a_low_faint_tone_is_one_sound(self):
        (sound,) = Recording(tone(150, 1, level=-50)).sounds()
        self.assertAlmostEqual(sound.level, -50, delta=0.1)

    def test_silence_has_no_sounds_and_no_level(self):
        for samples in (silence(1), silence(0), tone(440, 1, level=-70)):
            self.assertEqual(Recording(samples).sounds(), [])
        self.assertEqual(level(silence(1)), float("-inf"))


class WaveTest(unittest.TestCase):
    def test_what_is_written_is_read_again(self):
        np.testing.assert_allclose(from_wave(as_wave(tone(440, 0.5))), tone(440, 0.5), atol=1e-4)

    def test_a_file_that_is_still_being_written_is_read_as_far_as_it_goes(self):
        data = as_wave(tone(440, 0.5))
        for length in (0, 10, 44, 45, 1001):
            self.assertEqual(len(from_wave(data[:length])), max(0, length - 44) // 2)


class RoomClockTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "speaker.wav"
        self.file.write_bytes(as_wave(tone(440, 1)))
        self.clock = RoomClock(self.file)
        self.start = time.monotonic()

    def test_time_in_which_nothing_is_recorded_is_silence(self):
        for second in (0.5, 1, 2, 3):
            self.clock.look(self.start + second)
        self.file.write_bytes(as_wave(np.concatenate([tone(440, 1), tone(880, 1)])))
        self.clock.look(self.start + 3.1)
        recording = Recording(self.clock.in_time(from_wave(self.file.read_bytes())))
        first, second = recording.sounds()
        self.assertAlmostEqual(first.seconds, 1, delta=0.01)
        self.assertAlmostEqual(second.begin, 4, delta=0.05)
        self.assertAlmostEqual(second.seconds, 1, delta=0.01)

    def test_a_recording_that_grows_slowly_is_left_as_it_is(self):
        for number in range(1, 5):
            self.file.write_bytes(as_wave(tone(440, 1 + number)))
            self.clock.look(self.start + 0.9 * number)
        self.assertEqual(len(self.clock.in_time(from_wave(self.file.read_bytes()))), 5 * RATE)

    def test_a_recording_that_is_not_there_stands_still(self):
        self.file.unlink()
        self.clock.look(self.start + 0.5)
        self.assertEqual(len(self.clock.in_time(silence(0))), 0)
