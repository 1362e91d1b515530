import os
import tempfile
import unittest
import wave
from pathlib import Path
from unittest import mock

from homeward_rig.bench.recorder import Recorder, RecorderError


class RecorderTest(unittest.TestCase):
    """Through the real ALSA library, with a device of its file plugin in place of a sound card."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.frames = b"".join((n % 1000).to_bytes(2, "little") * 2 for n in range(48000))
        (self.folder / "room.raw").write_bytes(self.frames)
        (self.folder / "asound.conf").write_text(
            f'pcm.room {{ type file file "/dev/null" infile "{self.folder}/room.raw" format raw\n'
            "  slave.pcm { type null } }\n"
        )
        environment = mock.patch.dict(os.environ, {"ALSA_CONFIG_PATH": str(self.folder / "asound.conf")})
        environment.start()
        self.addCleanup(environment.stop)

    def test_what_the_device_hears_is_in_the_file(self):
        recorder = Recorder("room", self.folder / "speaker-1.wav")
        # The file plugin hears faster than time passes: it is through with the second at once.
        while (self.folder / "speaker-1.wav").stat().st_size < 44 + len(self.frames):
            pass
        recorder.end()
        with wave.open(str(self.folder / "speaker-1.wav")) as file:
            self.assertEqual((file.getframerate(), file.getsampwidth(), file.getnchannels()), (48000, 2, 2))
            self.assertEqual(file.readframes(48000), self.frames)

    def test_a_device_that_is_not_there_is_told(self):
        with self.assertRaisesRegex(RecorderError, "cellar cannot be recorded: .*cellar"):
            Recorder("cellar", self.folder / "speaker-1.wav")
