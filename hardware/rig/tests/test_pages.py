import unittest

from homeward_rig.pages import TONES, ringing


def ring(seconds, hertz=TONES, state="running", begins=0.0, level=0.2):
    """What a page's output tells of three rising tones and a pause, over and over."""
    found = []
    for number in range(round(seconds * 20)):
        time = number / 20
        tone = int(time % 1.25 / 0.25)
        sounds = tone < 3
        found.append(
            {
                "time": begins + time,
                "level": level if sounds else 0.0,
                "hertz": hertz[tone % len(hertz)] + 5 if sounds else 0,
                "state": state,
            }
        )
    return found


class RingingTest(unittest.TestCase):
    def test_a_row_of_tones_is_as_long_as_it_sounds(self):
        heard = ringing(ring(9.45))
        self.assertAlmostEqual(heard.seconds, 9.4, delta=0.11)
        self.assertEqual(heard.tones, set(TONES))
        self.assertEqual(str(ringing(ring(1))), "0.7 s with the tones 523, 659, 784 Hz")

    def test_what_is_silent_suspended_or_of_another_pitch_is_no_ringing(self):
        for samples in ([], ring(9, level=0.001), ring(9, state="suspended"), ring(9, hertz=[440])):
            self.assertEqual(ringing(samples).seconds, 0)
            self.assertEqual(ringing(samples).tones, set())

    def test_two_that_ring_with_silence_between_are_not_one(self):
        heard = ringing([*ring(3), *ring(2, begins=60)])
        self.assertAlmostEqual(heard.seconds, 3, delta=0.3)
        # A page that rings once more begins its clock anew.
        self.assertAlmostEqual(ringing([*ring(3), *ring(2)]).seconds, 3, delta=0.3)
