import io
import subprocess
import unittest
import wave
from functools import cache

import numpy as np
from homeward_rig import speech
from homeward_rig.sound import RATE, Recording

HOME = "You are home, Ada. Well done."
TURN = "Now turn left into Church Lane."
OTHER = "Please wait there, Anna comes to you."


@cache
def spoken(text: str) -> bytes:
    """A wave file of a sentence, by the same voice as the hub's."""
    return subprocess.run(
        ["espeak-ng", "-v", "en", "-s", "140", "--stdout", text], capture_output=True, check=True
    ).stdout


def in_room(data: bytes, seconds: float, level: float = 0.3, noise: float = 0.001) -> Recording:
    """The sentence that many seconds after the beginning, as a microphone in the room has it."""
    with wave.open(io.BytesIO(data)) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(2**31 // 2 - 1), "<i2") / 32768
    count = round(len(samples) * RATE / rate)
    resampled = np.interp(np.arange(count) * rate / RATE, np.arange(len(samples)), samples)
    around = np.zeros(round(seconds * RATE))
    room = np.concatenate([around, level * resampled, np.zeros(RATE)])
    return Recording(room + noise * np.random.default_rng(1).standard_normal(len(room)))


class SpeechTest(unittest.TestCase):
    def likeness(self, recording: Recording, text: str) -> float:
        return speech.find(recording, speech.sentence(spoken(text))).likeness

    def test_a_sentence_is_found_where_it_is(self):
        for level in (0.05, 1.0):
            found = speech.find(in_room(spoken(HOME), 2.5, level), speech.sentence(spoken(HOME)))
            self.assertGreater(found.likeness, speech.LIKE)
            self.assertAlmostEqual(found.seconds, 2.5, delta=0.2)

    def test_another_sentence_of_the_same_voice_is_none(self):
        for text, other in ((HOME, TURN), (TURN, HOME), (HOME, OTHER), (OTHER, TURN)):
            self.assertLess(self.likeness(in_room(spoken(text), 1), other), 0.5, f"{text} {other}")

    def test_a_word_more_or_less_is_another_sentence(self):
        self.assertLess(self.likeness(in_room(spoken("Turn left."), 1), TURN), speech.LIKE)

    def test_a_tear_of_a_tenth_of_a_second_makes_no_other_sentence(self):
        whole = in_room(spoken(HOME), 1).samples
        torn = np.concatenate([whole[: 2 * RATE], np.zeros(RATE // 10), whole[2 * RATE + RATE // 10 :]])
        self.assertGreater(self.likeness(Recording(torn), HOME), speech.LIKE)

    def test_silence_noise_and_too_little_are_nothing(self):
        for samples in (np.zeros(5 * RATE), 0.1 * np.random.default_rng(2).standard_normal(5 * RATE), np.zeros(10)):
            self.assertLess(self.likeness(Recording(samples), HOME), 0.5)

    def test_the_file_of_a_sentence_has_the_hubs_name(self):
        # FNV-1a of nothing but the mark between the two is the start, taken once by 0xFF.
        self.assertEqual(len(speech.file_name("en", HOME)), 33)
        self.assertNotEqual(speech.file_name("en", HOME), speech.file_name("zh", HOME))
        self.assertEqual(speech.file_name("", "")[:-1], f"{(speech._START ^ 0xFF) * speech._PRIME % 2**128:032x}")
