import tempfile
import unittest
import wave
from pathlib import Path

from homeward_rig import virtual_machine


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
