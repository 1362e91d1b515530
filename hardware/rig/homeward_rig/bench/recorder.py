"""Hears the hub's speaker."""

import signal
import subprocess
import time
from pathlib import Path


class RecorderError(Exception):
    """The speaker cannot be heard."""


class Recorder:
    """Records an ALSA device with arecord(1) into a WAV file: 48 kHz, 16 bit, stereo."""

    def __init__(self, device: str, file: Path) -> None:
        """Starts; RecorderError when the device cannot be opened."""
        self._log = file.with_suffix(".log")
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [
                    "arecord",
                    "--quiet",
                    f"--device={device}",
                    "--file-type=wav",
                    "--format=S16_LE",
                    "--rate=48000",
                    "--channels=2",
                    str(file),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        end = time.monotonic() + 10
        # The header is written once the device is open.
        while not file.exists() or file.stat().st_size < 44:
            if self._process.poll() is not None or time.monotonic() > end:
                self.end()
                raise RecorderError(f"{device} cannot be recorded: {self._log.read_text(errors='replace').strip()}")
            time.sleep(0.02)

    def end(self) -> None:
        """Stops; arecord then writes the true length into the file's header."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
