import io
import tarfile
from pathlib import Path

from homeward_rig import paths
from homeward_rig.bench.machine import SIMULATED, Bench, guest_files
from homeward_rig.bench.settings import ButtonSettings, CableSettings, CommandSettings, PowerSettings, Settings
from homeward_rig.bench.switch import SwitchError
from homeward_rig.guest_agent import GuestError
from homeward_rig.machine import Lacking
from homeward_rig.virtual_machine import Options, VirtualMachine

from .bench_support import BenchTest


class BenchMachineTest(BenchTest):
    """A hub that is this machine, which no bench may erase."""

    # What a bench may erase

    def test_a_hub_that_is_not_marked_is_left_alone(self):
        bench = self.bench()
        with self.assertRaisesRegex(GuestError, "would be erased.*touch /etc/homeward/test-hub"):
            bench.switch_on()
        self.assertFalse(bench.is_on)

    def test_a_configuration_that_names_the_rigs_own_devices_is_for_no_real_hub(self):
        bench = self.bench()
        with self.assertRaisesRegex(Lacking, "may name"):
            bench.switch_on(Options(files={"/etc/homeward/homeward.yaml": "buttons: []"}))
        self.assertFalse(bench.is_on)

    def test_the_hub_gets_the_rigs_programs_and_configuration(self):
        with tarfile.open(fileobj=io.BytesIO(guest_files())) as tar:
            modes = {entry.name: entry.mode for entry in tar.getmembers()}
        self.assertEqual(modes["etc/homeward/homeward.yaml"], 0o644)
        programs = {name.rpartition("/")[2] for name, mode in modes.items() if mode == 0o755}
        there = {file.name for file in (paths.RIG / "guest").iterdir()}
        # All but what plays hardware.
        self.assertEqual(programs | {"homeward.yaml"}, there - set(SIMULATED))

    # What a bench lacks

    def test_what_is_not_there_is_named(self):
        bench = self.bench()
        for what, words in {
            lambda: bench.cut_power(): "no power relay on this bench",
            lambda: bench.shut_down(): "no power relay on this bench",
            lambda: bench.switch_on(Options(clock="1970-01-01T00:00:00")): "no hardware clock that a test can set",
            lambda: bench.start_peer("radio"): "no scripted radio on this bench",
            lambda: bench.start_peer("receiver"): "no cable to the receiver input on this bench",
            lambda: bench.start_peer("modem"): "no cable to the modem input on this bench",
            lambda: bench.start_peer("broker"): "no way from the hub to this computer's servers",
            lambda: bench.contact("button"): "no relay that presses the button on this bench",
            lambda: bench.contact("big-button"): "no relay that presses the big button on this bench",
            lambda: bench.run("/usr/lib/homeward-rig/button", "down"): "no simulated GPIO board on this bench",
            lambda: bench.speaker: "no sound input that hears the speaker on this bench",
            lambda: bench.recording: "no sound input that hears the speaker on this bench",
            lambda: bench.monitor: "no emulator that pulls plugs and types on this bench",
            lambda: bench.disk: "no disk whose writes are recorded on this bench",
            lambda: bench.recorded: "no disk whose writes are recorded on this bench",
            lambda: bench.insert_disk(Path()): "no disk whose writes are recorded on this bench",
            lambda: bench.acknowledged: "no line that outlives a power cut on this bench",
        }.items():
            with self.subTest(words), self.assertRaisesRegex(Lacking, words):
                what()

    def test_a_bench_has_or_lacks_whatever_a_virtual_machine_has(self):
        machine = VirtualMachine(self.folder)
        self.addCleanup(machine.dispose)
        public = {name for name in (*dir(machine), *vars(machine)) if not name.startswith("_")}
        # Of the emulator itself: its agent, and the end of a shell in it.
        self.assertEqual(public - {"agent", "wait"} - {*dir(Bench), *vars(self.bench())}, set())

    def test_what_only_an_emulator_has_is_not_asked_of_a_real_hub(self):
        bench = self.bench()
        for command, words in {
            ("/usr/bin/systemd-run", "/usr/bin/gpiomon", "--active-low", "rig", "0"): "simulated GPIO board",
            ("/usr/bin/gpiofind", "SOS"): "simulated GPIO board",
            ("/bin/bash", "-c", "arecord --device=plughw:CARD=Microphone,DEV=1 x"): "microphone that a test can feed",
            ("/sbin/modprobe", "vivid"): "camera that sees what a test wants",
        }.items():
            with self.subTest(command), self.assertRaisesRegex(Lacking, words):
                bench.run(*command)
        bench._shell.connect(30)
        self.assertEqual(bench.run("echo", "Original-rig", "/dev/portal").output, "Original-rig /dev/portal\n")

    # Power

    def test_the_relay_takes_the_power_and_gives_it_back(self):
        bench = self.bench(power=PowerSettings(self.contact("cut"), 0))
        bench._shell.connect(30)
        bench.cut_power()
        self.assertTrue(self.is_driven("cut"))
        self.assertFalse(bench.is_on)
        with self.assertRaises(GuestError):
            bench.run("true")
        # The hub that is this machine is refused only after it has its power back.
        with self.assertRaisesRegex(GuestError, "would be erased"):
            bench.switch_on()
        self.assertFalse(self.is_driven("cut"))

    def test_at_the_end_every_contact_is_at_rest(self):
        bench = self.bench(
            power=PowerSettings(self.contact("cut"), 0),
            buttons={"button": ButtonSettings(self.contact("pressed"), ("gpiochip0", "17"))},
            cables={"receiver": CableSettings(Path("/dev/null"), 9600, self.contact("unplugged"))},
        )
        bench.contact("button").drive()
        bench._cables["receiver"].unplug()
        bench.cut_power()
        names = ("cut", "pressed", "unplugged")
        self.assertEqual([self.is_driven(name) for name in names], [True] * 3)
        sockets = bench.sockets
        bench.dispose()
        self.assertEqual([self.is_driven(name) for name in names], [False] * 3)
        self.assertFalse(sockets.exists())

    def test_a_contact_that_fails_keeps_no_other_from_rest(self):
        broken = CommandSettings(("true",), ("false",))
        bench = Bench(
            self.folder,
            Settings(
                self.hub.destination,
                self.hub.options,
                buttons={"button": ButtonSettings(broken, ("gpiochip0", "17"))},
                power=PowerSettings(self.contact("cut"), 0),
            ),
        )
        bench.cut_power()
        with self.assertRaisesRegex(SwitchError, "false: exit code 1"):
            bench.dispose()
        self.assertFalse(self.is_driven("cut"))
        self.assertFalse(bench.sockets.exists())
