import unittest

from homeward_rig.lamp import SIGNALS, LampLog, Light, first_shown

from .support import ScriptedMachine


def shown(*cadence: float, times: int = 3, begin: float = 0) -> list[Light]:
    lights = []
    for place, seconds in enumerate(cadence * times):
        lights.append(Light(place % 2 == 0, begin, seconds))
        begin += seconds
    return lights


class LampTest(unittest.TestCase):
    def test_each_blinking_is_told_from_the_others(self):
        blinking = {name: cadence for name, cadence in SIGNALS.items() if len(cadence) > 1}
        self.assertGreaterEqual(len(blinking), 4)
        for name, cadence in blinking.items():
            for other in blinking:
                with self.subTest(shown=name, wanted=other):
                    self.assertEqual(first_shown(shown(*cadence), other) is not None, name == other)

    def test_a_steady_light_and_a_dark_lamp_take_their_time(self):
        lit = [Light(False, 0, 1), Light(True, 1, 5), Light(False, 6, 9)]
        self.assertEqual(first_shown(lit, "pressed"), 1)
        self.assertEqual(first_shown(lit, "off"), 6)
        self.assertIsNone(first_shown([Light(False, 0, 1), Light(True, 1, 0.7)], "acknowledged"))

    def test_what_came_before_does_not_count(self):
        lights = shown(*SIGNALS["stored"])
        self.assertEqual(first_shown(lights, "stored"), 2)
        self.assertIsNone(first_shown(lights, "stored", since=2.1))

    def test_the_log_is_read_up_to_now(self):
        machine = ScriptedMachine({("/bin/cat", LampLog.FILE): "0 100.000\n1 103.500\n105.00 200.00\n"})
        self.assertEqual(LampLog(machine).lights(), [Light(False, 100, 3.5), Light(True, 103.5, 1.5)])
