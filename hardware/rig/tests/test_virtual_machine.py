import tempfile
import unittest
import wave
from pathlib import Path

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
            [word for word in devices if word.startswith("virtio-blk-pci")][-1], "virtio-blk-pci,drive=card"
        )


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
