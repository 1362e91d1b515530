import unittest

import numpy as np
from homeward_rig.listening import RINGS, alarm_tones, bursts, harmonics, longest_silence, rings_as, voices
from homeward_rig.sound import RATE, Recording, Samples, silence, tone


def pulses(frequency: float, seconds: float = 10) -> Samples:
    """Bursts of three and two pulses, as the alarm's."""
    pulse = tone(frequency, 0.144, -8, [-1, -2, -3, -4])
    burst = [pulse, silence(0.08)] * 3 + [silence(0.16)] + [pulse, silence(0.08)] * 2 + [silence(0.47)]
    whole = np.concatenate(burst)
    return np.tile(whole, int(np.ceil(seconds * RATE / len(whole))))[: round(seconds * RATE)]


def speech(seconds: float = 2) -> Samples:
    """A voice that goes up and down, with its harmonics."""
    moments = np.arange(round(seconds * RATE)) / RATE
    pitch = 110 + 40 * np.sin(2 * np.pi * 1.7 * moments)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    parts = [np.sin(number * phase) / number for number in range(1, 12)]
    return np.asarray(0.2 * sum(parts) * (0.6 + 0.4 * np.sin(2 * np.pi * 4 * moments)))


def ringing(cadence: tuple[float, ...], times: int = 3) -> Samples:
    bell = [
        tone(740, seconds, -8, [-4]) if place % 2 == 0 else silence(seconds) for place, seconds in enumerate(cadence)
    ]
    return np.concatenate([silence(0.3), *bell * times])


class ListeningTest(unittest.TestCase):
    def test_the_alarm_is_told_from_a_voice_and_from_other_tones(self):
        room = Recording(np.concatenate([silence(1), pulses(523.25), silence(1.5), speech(), silence(1)]))
        (alarm,) = alarm_tones(room)
        self.assertAlmostEqual(alarm.begin, 1, delta=0.15)
        self.assertAlmostEqual(alarm.seconds, 10, delta=0.7)
        (voice,) = voices(room)
        self.assertAlmostEqual(voice.begin, 12.5, delta=0.3)
        for other in (pulses(587.33), tone(1000, 3), speech()):
            self.assertEqual(alarm_tones(Recording(other)), [])
        bell = ringing(RINGS["Great Britain"])
        for other in (pulses(523.25), pulses(587.33), tone(1000, 3), silence(3), speech(0.5), bell):
            self.assertEqual(voices(Recording(other)), [])

    def test_harmonics_are_those_of_the_tone(self):
        room = Recording(pulses(523.25))
        levels = harmonics(room, alarm_tones(room)[0])
        for number, wanted in ((2, -1), (3, -2), (4, -3), (5, -4)):
            self.assertAlmostEqual(levels[number], wanted, delta=1)
        self.assertLess(levels[6], -20)

    def test_a_telephone_rings_in_its_countrys_cadence_only(self):
        for country, cadence in RINGS.items():
            room = Recording(ringing(cadence))
            for other, wanted in RINGS.items():
                with self.subTest(heard=country, wanted=other):
                    self.assertEqual(rings_as(room, wanted) == "", cadence == wanted)
        once = Recording(ringing(RINGS["Japan"], 1))
        self.assertIn("it should ring", rings_as(once, RINGS["Japan"]))
        self.assertIn("nothing that rings", rings_as(Recording(silence(3)), RINGS["Japan"]))

    def test_bursts_are_measured_to_a_hundredth(self):
        room = Recording(np.concatenate([silence(0.5), tone(440, 0.3), silence(0.2), tone(440, 0.1), silence(1)]))
        found = [(round(burst.begin, 2), round(burst.seconds, 2)) for burst in bursts(room)]
        self.assertEqual(found, [(0.5, 0.3), (1.0, 0.1)])

    def test_the_longest_silence_counts_beginning_and_end(self):
        for parts, seconds in (
            ([pulses(523.25, 3), silence(2), pulses(523.25, 3)], 2.05),
            ([silence(4), pulses(523.25, 3), silence(2), pulses(523.25, 3)], 4),
            ([pulses(523.25, 3), silence(5)], 5.05),
            ([silence(6)], 6),
        ):
            self.assertAlmostEqual(longest_silence(Recording(np.concatenate(parts))), seconds, delta=0.05)
