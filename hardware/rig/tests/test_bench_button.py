from pathlib import Path

from homeward_rig.bench.settings import ButtonSettings, CommandSettings
from homeward_rig.button import EdgeLog, button
from homeward_rig.machine import Lacking

from .bench_support import BenchTest


class BenchButtonTest(BenchTest):
    """A relay that is a file: a line for each time that it moves, with the time."""

    def setUp(self):
        super().setUp()
        self.moves = self.folder / "moves"
        drive, release = (
            ("sh", "-c", f"echo {word} $(cut -d' ' -f1 /proc/uptime) >>{self.moves}") for word in ("down", "up")
        )
        self.machine = self.bench(
            buttons={
                "button": ButtonSettings(CommandSettings(drive, release), ("gpiochip0", "17")),
            }
        )

    def moved(self) -> list[tuple[str, float]]:
        return [(word, float(at)) for word, at in map(str.split, self.moves.read_text().splitlines())]

    def test_a_relay_presses_as_often_and_as_long_as_it_is_told(self):
        held = button(self.machine, "wired").press(0.5, times=2, pause=0.3)
        moved = self.moved()
        self.assertEqual([word for word, _ in moved], ["down", "up", "down", "up"])
        for press, (_, down), (_, up) in zip(held, moved[::2], moved[1::2], strict=True):
            self.assertGreaterEqual(press.shortest, 0.5)
            # The file's times are hundredths of a second.
            self.assertLessEqual(press.shortest - 0.02, up - down)
            self.assertLessEqual(up - down, press.longest + 0.02)
        self.assertGreaterEqual(moved[2][1] - moved[1][1], 0.28)

    def test_a_stuck_button_stays_down_until_it_comes_loose_or_the_scenario_ends(self):
        button(self.machine, "wired").hold()
        self.assertEqual(self.moved()[-1][0], "down")
        button(self.machine, "wired").let_go()
        self.assertEqual(self.moved()[-1][0], "up")
        button(self.machine, "wired").hold()
        self.machine.dispose()
        self.assertEqual(self.moved()[-1][0], "up")

    def test_what_a_relay_cannot_do_or_is_not_there_is_named(self):
        with self.assertRaisesRegex(Lacking, "no contact that bounces as it is told"):
            button(self.machine, "wired").press(1, bounces=3)
        self.assertFalse(Path(self.moves).exists())
        for ask in (button, EdgeLog):
            with self.assertRaisesRegex(Lacking, "no relay that presses the big button"):
                ask(self.machine, "big")

    def test_the_hub_watches_the_line_that_the_file_names(self):
        self.machine._shell.connect(30)
        # There is no such chip here, and the hub says so.
        with self.assertRaisesRegex(
            Exception, "gpioinfo gpiochip0: .*(No such file|unable to open|cannot find)|looking up"
        ):
            EdgeLog(self.machine, "wired").is_watching()
