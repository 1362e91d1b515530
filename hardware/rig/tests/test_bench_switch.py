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

    def test_the_installed_gpioset_understands_the_command(self):
        command = gpioset(LineSettings("gpiochip99", 17, active_low=True))
        self.assertEqual(command[-1], "17=1")
        with self.assertRaises(SwitchError) as caught:
            LineSwitch(LineSettings("gpiochip99", 17, active_low=True)).drive()
        # It got as far as the chip, which is not there.
        self.assertRegex(str(caught.exception), "gpiochip99.*: .*(No such file|cannot find|error setting|unable to open)")

    def test_a_line_at_rest_can_be_released(self):
        LineSwitch(LineSettings("gpiochip99", 17)).release()
