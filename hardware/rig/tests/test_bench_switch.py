import subprocess
import tempfile
import unittest
from pathlib import Path

from homeward_rig.bench.settings import CommandSettings, LineSettings
from homeward_rig.bench.switch import CommandSwitch, LineSwitch, SwitchError, gpioset, switch


class CommandSwitchTest(unittest.TestCase):
    def test_it_calls_its_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            contact = switch(CommandSettings(("touch", f"{folder}/driven"), ("rm", f"{folder}/driven")))
            self.assertFalse(Path(folder, "driven").exists())
            contact.drive()
            self.assertTrue(Path(folder, "driven").exists())
            contact.release()
            self.assertFalse(Path(folder, "driven").exists())

    def test_a_command_that_fails_is_told(self):
        with self.assertRaisesRegex(SwitchError, "(?s)exit code 1.*No such file"):
            CommandSwitch(CommandSettings(("rm", "/nowhere/x"), ("true",))).drive()
        with self.assertRaisesRegex(SwitchError, "/nowhere/relay: No such file"):
            CommandSwitch(CommandSettings(("true",), ("/nowhere/relay",))).release()


class LineSwitchTest(unittest.TestCase):
    """As far as a computer without GPIO lets it."""

    def test_a_chip_that_is_not_there_is_told(self):
        with self.assertRaisesRegex(SwitchError, "(?s)gpioinfo.*gpiochip99.*(No such file|unable to open|cannot find)"):
            LineSwitch(LineSettings("gpiochip99", 17)).drive()

    def test_the_installed_gpioset_understands_its_options(self):
        command = gpioset(LineSettings("gpiochip99", 17, active_low=True))
        words = subprocess.run(command, capture_output=True, text=True, timeout=30).stderr
        # It comes as far as the chip.
        self.assertRegex(words, "No such file|unable to open|cannot find")

    def test_a_line_at_rest_can_be_released(self):
        LineSwitch(LineSettings("gpiochip99", 17)).release()
