import subprocess
import tempfile
import unittest
import wave
from pathlib import Path
from unittest import mock

from homeward_rig import virtual_machine


class DiskTest(unittest.TestCase):
    def devices(self, **options):
        """What the emulator is told of its block devices."""
        with tempfile.TemporaryDirectory() as folder:
            machine = virtual_machine.VirtualMachine(Path(folder))
            machine.disk = virtual_machine.Disk(Path("base"), Path("image"), Path("log"))
            try:
                return [word for word in machine._command(virtual_machine.Options(**options)) if "drive" in word]
            finally:
                machine.dispose()

    def test_a_disk_that_is_well_is_recorded(self):
        devices = self.devices()
        self.assertEqual(len([word for word in devices if word.startswith("virtio-blk-pci")]), 3)
        self.assertIn("driver=blklogwrites,node-name=data,file=image,log=record", devices)

    def test_a_disk_that_only_reads_cannot_be_written_by_the_emulator(self):
        devices = self.devices(data_disk="read-only")
        self.assertIn("driver=file,node-name=data,filename=image,read-only=on", devices)
        self.assertFalse([word for word in devices if "blklogwrites" in word])

    def test_a_dead_disk_fails_from_power_on(self):
        devices = self.devices(data_disk="dead")
        self.assertTrue([word for word in devices if "id=data-disk,drive=dead" in word])
        self.assertTrue([word for word in devices if "blkdebug" in word])

    def test_the_emergency_card_is_a_disk_of_its_own(self):
        devices = self.devices(keeps_emergency_card=True)
        self.assertTrue([word for word in devices if word.endswith("emergency-card.img,cache.no-flush=on")])
        self.assertEqual(
            [word for word in devices if word.startswith("virtio-blk-pci")][-1], "virtio-blk-pci,drive=card,serial=card"
        )


class NetworkTest(unittest.TestCase):
    def test_the_pages_are_reached_from_this_computer_alone_and_only_where_a_scenario_has_them(self):
        for port, told in ((None, False), (40123, True)):
            with tempfile.TemporaryDirectory() as folder:
                machine = virtual_machine.VirtualMachine(Path(folder))
                self.addCleanup(machine.dispose)
                machine.disk = virtual_machine.Disk(Path("base"), Path("image"), Path("log"))
                words = machine._command(virtual_machine.Options(pages_port=port))
            (network,) = [word for word in words if word.startswith("user,id=network")]
            self.assertIn("restrict=on", network)
            self.assertEqual("hostfwd=tcp:127.0.0.1:40123-:8474" in network, told)
            self.assertEqual("hostfwd" in network, told)


class ScriptedMachine(virtual_machine.VirtualMachine):
    """A machine whose starts are told in advance: what its console says, and whether its agent answers.

    In the place of the answer stands, of one that ends before it does, what it ended with, and of one that has run for
    longer than it can have, for how many seconds.
    """

    def __init__(self, folder, *starts):
        super().__init__(folder)
        self.starts, self.started = list(starts), 0
        (folder / "base").touch()
        self.insert_disk(folder / "base")

    def _start(self, options):
        words, answers = self.starts[self.started]
        self.started += 1
        with open(self.folder / "console.log", "a") as console:
            console.write(words)
        has_ended = isinstance(answers, str)
        self._process = subprocess.Popen(["bash", "-c", answers] if has_ended else ["sleep", "600"])
        self._agent = mock.Mock()
        up = 0.0 if isinstance(answers, bool) else answers
        self._agent.run.return_value = mock.Mock(output=f"{up} 0.00\n")
        if has_ended:
            self._agent.wait.side_effect = virtual_machine.Disconnected("Connection reset by peer")
        if answers is False:
            self._agent.wait.side_effect = virtual_machine.GuestError("the machine did not start")


class StartTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "qemu.log").write_text("no such device")

    def machine(self, *starts):
        machine = ScriptedMachine(self.folder, *starts)
        self.addCleanup(machine.dispose)
        return machine

    def test_a_machine_whose_emulator_lost_a_timer_is_started_once_more(self):
        machine = self.machine(("rcu: Possible timer handling issue on cpu=1", False), ("", True))
        machine.switch_on(timeout=1)
        self.assertEqual((machine.started, machine.boots), (2, 1))
        self.assertTrue(machine.is_on)

    def test_a_machine_whose_emulator_crashed_is_started_once_more(self):
        machine = self.machine(("", "kill -SEGV $$"), ("", True))
        machine.switch_on(timeout=5)
        self.assertEqual((machine.started, machine.boots), (2, 1))

    def test_an_emulator_that_ends_by_itself_or_crashes_again_is_told_with_how_it_ended(self):
        for end, code, starts in (("exit 1", "1", 1), ("kill -SEGV $$", "-11", 2)):
            with self.subTest(end):
                machine = self.machine(*[("", end)] * 2)
                with self.assertRaisesRegex(virtual_machine.GuestError, f"QEMU ended with {code}:\nno such device"):
                    machine.switch_on(timeout=5)
                self.assertEqual(machine.started, starts)

    def test_an_emulator_that_crashes_after_a_write_is_not_started_again(self):
        machine = self.machine(("", "kill -SEGV $$"), ("", True))
        machine.disk.log.write_bytes(b"written")
        with self.assertRaisesRegex(virtual_machine.GuestError, "QEMU ended with -11"):
            machine.switch_on(timeout=5)
        self.assertEqual(machine.started, 1)

    def test_a_machine_whose_clock_runs_too_fast_is_started_once_more_with_the_disk_as_it_was(self):
        machine = self.machine(("", 480.25), ("", True))
        (self.folder / "base").write_text("as it was")
        for path in (machine.disk.image, machine.disk.log):
            path.write_text("written since")
        machine.switch_on(timeout=5)
        self.assertEqual((machine.started, machine.boots), (2, 1))
        self.assertEqual((machine.disk.image.read_text(), machine.disk.log.read_text()), ("as it was", ""))

    def test_a_clock_that_runs_too_fast_again_is_told(self):
        machine = self.machine(*[("", 480.25)] * 3)
        with self.assertRaisesRegex(virtual_machine.GuestError, "clock ran 480 s in 0 s, twice"):
            machine.switch_on(timeout=5)
        self.assertEqual(machine.started, 2)

    def test_it_is_never_started_a_third_time(self):
        machine = self.machine(*[("Possible timer handling issue", False)] * 3)
        with self.assertRaises(virtual_machine.GuestError):
            machine.switch_on(timeout=0.2)
        self.assertEqual(machine.started, 2)

    def test_a_machine_that_hangs_for_another_reason_is_not_started_again(self):
        machine = self.machine(("Kernel panic", False), ("", True))
        with self.assertRaisesRegex(virtual_machine.GuestError, "did not start within 0.2 s"):
            machine.switch_on(timeout=0.2)
        self.assertEqual(machine.started, 1)

    def test_what_an_earlier_start_said_is_not_taken_for_this_one(self):
        (self.folder / "console.log").write_text("Possible timer handling issue\n")
        machine = self.machine(("", False), ("", True))
        with self.assertRaises(virtual_machine.GuestError):
            machine.switch_on(timeout=0.2)
        self.assertEqual(machine.started, 1)

    def test_a_machine_that_has_written_to_its_disk_is_not_started_again(self):
        machine = self.machine(("Possible timer handling issue", False), ("", True))
        machine.disk.log.write_bytes(b"written")
        with self.assertRaises(virtual_machine.GuestError):
            machine.switch_on(timeout=0.2)
        self.assertEqual(machine.started, 1)


class RecordingTest(unittest.TestCase):
    def test_a_recording_that_was_cut_off_can_be_played(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "speaker-1.wav"
            with wave.open(str(path), "wb") as file:
                file.setnchannels(2)
                file.setsampwidth(2)
                file.setframerate(48_000)
            # As QEMU leaves it: the header says that nothing follows.
            with open(path, "ab") as file:
                file.write(bytes(4 * 4_800))
            with wave.open(str(path)) as file:
                self.assertEqual(file.getnframes(), 0)
            virtual_machine._complete_header(path)
            with wave.open(str(path)) as file:
                self.assertEqual(file.getnframes(), 4_800)

    def test_what_is_no_recording_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "speaker-1.wav"
            virtual_machine._complete_header(path)
            self.assertFalse(path.exists())
            path.write_bytes(b"")
            virtual_machine._complete_header(path)
            self.assertEqual(path.read_bytes(), b"")
