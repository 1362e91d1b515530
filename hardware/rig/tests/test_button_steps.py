from homeward_rig.button import Held
from homeward_rig.stage import CheckFailed

from .support import CheckTest, fails, steps

BUTTON = steps("button")
WIRED = ("/bin/cat", "/run/rig-watch-wired")
BIG = ("/bin/cat", "/run/rig-watch-big")
ONCE = "1 100 0\n0 103 0\n"
TWICE = ONCE + "1 104 0\n0 104 200000000\n"
BOUNCING = "1 100 0\n0 100 1000000\n1 100 2000000\n0 103 0\n"


class ButtonStepsTest(CheckTest):
    def watched(self, edges: str, spoken_of: int = 0):
        """A hub that has seen these edges of both buttons."""
        context = self.context({WIRED: edges, BIG: edges})
        context.presses_spoken_of = {"wired": spoken_of, "big": spoken_of}
        # Of the big button's maker only its delay matters here.
        context.stage.machine.monitor = None
        return context

    @fails("within {seconds:g} seconds the hub has seen the {name:Button} button pressed {times:Times}")
    def test_presses_lacking_or_too_many_or_not_over_are_noticed(self):
        for edges, times in (("", 1), (ONCE, 2), (TWICE, 1), ("1 100 0\n", 1), (ONCE + "1 105 0\n", 2)):
            with self.subTest(edges=edges), self.assertRaises(CheckFailed):
                BUTTON.seen_pressed(self.watched(edges), 0, "wired", times)
        context = self.watched(TWICE)
        BUTTON.seen_pressed(context, 0, "big", 2)
        with self.assertRaises(CheckFailed):
            BUTTON.seen_pressed(context, 0, "big", 1)

    @fails("by the kernel's clock each press lasted {seconds:g} seconds")
    def test_a_press_of_another_length_is_noticed(self):
        context = self.watched(ONCE)
        BUTTON.seen_pressed(context, 0, "wired", 1)
        for told, held in (
            (3, [Held(2, 2.1)]),
            (3, [Held(4, 4.1)]),
            (5, [Held(2.99, 3.01)]),
            (1, [Held(2.99, 3.01)]),
            (3, []),
            (3, [Held(3, 3), Held(3, 3)]),
        ):
            context.held = held
            with self.subTest(told=told, held=held), self.assertRaises(CheckFailed):
                BUTTON.lasted(context, told)
        context.held = [Held(2.999, 3.001)]
        BUTTON.lasted(context, 3)

    @fails("the kernel saw its contact bounce, with at most {edges:d} edges")
    def test_a_clean_contact_and_one_with_edges_from_nowhere_are_noticed(self):
        for edges, most in ((ONCE, 14), (BOUNCING, 3)):
            context = self.watched(edges)
            BUTTON.seen_pressed(context, 0, "wired", 1)
            with self.assertRaises(CheckFailed):
                BUTTON.bounced(context, most)
        BUTTON.bounced(context, 4)

    @fails("within {seconds:g} seconds the hub sees the {name:Button} button held down, and not let go")
    def test_a_button_that_is_not_held_is_noticed(self):
        for edges in ("", ONCE, TWICE, ONCE + "1 105 0\n"):
            with self.subTest(edges=edges), self.assertRaises(CheckFailed):
                BUTTON.held_down(self.watched(edges), 0, "wired")
        BUTTON.held_down(self.watched("1 100 0\n"), 0, "wired")

    @fails("the hub has seen no other press of the {name:Button} button")
    def test_a_press_that_nobody_made_is_noticed(self):
        with self.assertRaises(CheckFailed):
            BUTTON.no_other(self.watched(TWICE, spoken_of=1), "wired")
        BUTTON.no_other(self.watched(TWICE, spoken_of=2), "wired")

    @fails("within {seconds:g} seconds the hub watches its big button again")
    def test_a_button_that_did_not_come_back_is_noticed(self):
        for seen in ("plugged\n", "plugged\nunplugged\n", ""):
            with self.subTest(seen), self.assertRaises(CheckFailed):
                BUTTON.watches_again(self.watched(seen), 0)
        BUTTON.watches_again(self.watched("plugged\n1 5 0\nunplugged\nplugged\n"), 0)
