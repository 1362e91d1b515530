import subprocess
import sys
import unittest

from homeward_rig import paths
from homeward_rig.button import Edge, presses


def edges(*moments: float) -> list[Edge]:
    """Edges at these seconds, by turns pressed and released."""
    return [Edge(number % 2 == 0, round(moment * 1e9)) for number, moment in enumerate(moments)]


class PressesTest(unittest.TestCase):
    def test_a_bouncing_contact_is_one_press(self):
        (press,) = presses(edges(10, 10.001, 10.002, 10.5, 10.502, 10.503))
        self.assertAlmostEqual(press.seconds, 0.503)
        self.assertEqual(len(press.edges), 6)

    def test_two_presses_stay_two(self):
        self.assertEqual([round(press.seconds, 3) for press in presses(edges(10, 10.2, 10.6, 10.8))], [0.2, 0.2])

    def test_a_press_that_is_not_over_has_no_length(self):
        self.assertIsNone(presses(edges(10))[0].seconds)

    def test_a_slow_kernel_that_makes_one_edge_of_two_does_not_part_a_press(self):
        (press,) = presses([Edge(True, 0), Edge(True, 3_000_000), Edge(False, 400_000_000), Edge(False, 403_000_000)])
        self.assertAlmostEqual(press.seconds, 0.403)

    def test_a_release_of_what_was_pressed_before_is_seen(self):
        self.assertEqual(len(presses([Edge(False, 0), *edges(1, 1.5)])), 2)


class ButtonProgramTest(unittest.TestCase):
    def test_it_says_how_it_is_used(self):
        completed = subprocess.run(
            [sys.executable, "-I", paths.RIG / "guest" / "button", "prees"], capture_output=True, text=True, check=False
        )
        self.assertEqual(completed.returncode, 2)
        self.assertIn("button press SECONDS", completed.stderr)
