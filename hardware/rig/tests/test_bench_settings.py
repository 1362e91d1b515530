import tempfile
import unittest
from pathlib import Path

from homeward_rig import paths
from homeward_rig.bench import settings
from homeward_rig.bench.settings import (
    ButtonSettings,
    CableSettings,
    CommandSettings,
    LineSettings,
    PowerSettings,
    SettingsError,
    SpeakerSettings,
)


def read(text: str) -> settings.Settings:
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        return settings.read(Path(file.name))


class BenchSettingsTest(unittest.TestCase):
    def test_the_example_names_everything_there_is(self):
        example = settings.read(paths.RIG / "bench.example.toml")
        self.assertEqual(set(example.cables), set(settings.CABLES))
        self.assertEqual(set(example.buttons), set(settings.BUTTONS))
        self.assertTrue(example.power and example.speaker and example.forwards)
        self.assertIsInstance(example.buttons["button"].switch, LineSettings)
        self.assertIsInstance(example.cables["receiver"].unplug, CommandSettings)

    def test_a_hub_alone_is_a_bench(self):
        bench = read('[hub]\nssh = "root@hub"\n')
        self.assertEqual(bench, settings.Settings("root@hub"))

    def test_each_table_is_read(self):
        bench = read("""
            hub = { ssh = "hub", options = ["-p", "2222"] }
            receiver = { port = "/dev/ttyUSB0", speed = 38400, unplug = { chip = "gpiochip0", line = 4 } }
            button = { drive = ["true"], release = ["false"], on-hub = "gpiochip0 17" }
            speaker = { capture = "hw:1", on-hub = "plughw:CARD=Audio" }
            power = { chip = "0", line = 17, active-low = true, off-seconds = 2.5 }
        """)
        self.assertEqual(bench.options, ("-p", "2222"))
        self.assertEqual(
            bench.cables, {"receiver": CableSettings(Path("/dev/ttyUSB0"), 38400, LineSettings("gpiochip0", 4))}
        )
        self.assertEqual(
            bench.buttons, {"button": ButtonSettings(CommandSettings(("true",), ("false",)), ("gpiochip0", "17"))}
        )
        self.assertEqual(bench.speaker, SpeakerSettings("hw:1", "plughw:CARD=Audio"))
        self.assertEqual(bench.power, PowerSettings(LineSettings("0", 17, True), 2.5))

    def test_all_mistakes_are_told_at_once(self):
        with self.assertRaises(SettingsError) as caught:
            read("""
                speaker = "hw:0"
                [hub]
                ssh = "-oProxyCommand=reboot"
                [receiver]
                port = 3
                speed = "fast"
                [button]
                chip = "gpiochip0"
                on-hub = "17"
                [power]
                drive = "relay on"
                off-seconds = -1
                [lamp]
            """)
        for key in (
            "speaker",
            "hub.ssh",
            "receiver.port",
            "receiver.speed",
            "button.line",
            "button.on-hub",
            "power.drive",
            "power.release",
            "power.off-seconds",
            "lamp",
        ):
            self.assertRegex(str(caught.exception), rf": (there is no )?{key}\b")

    def test_a_file_that_is_no_toml_or_not_there_is_named(self):
        with self.assertRaisesRegex(SettingsError, "No such file"):
            settings.read(Path("/nowhere/bench.toml"))
        with self.assertRaisesRegex(SettingsError, "Expected"):
            read("[hub")
