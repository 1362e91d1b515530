"""Starts the programs that play devices and services, and talks with them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from .control import Control


class Peer:
    """A running program of `homeward_rig.peers` with its control channel."""

    def __init__(
        self, name: str, folder: Path, sockets: Path, *arguments: str, environment: dict[str, str] | None = None
    ) -> None:
        """Starts `peers/NAME.py`; its log is NAME.log in the run's folder. `environment` is added to this program's."""
        self.name = name
        self.is_plugged_in = False
        self._cable = sockets / f"{name}.sock"
        control = sockets / f"{name}.control"
        with open(folder / f"{name}.log", "ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    f"homeward_rig.peers.{name.replace('-', '_')}",
                    "--control",
                    str(control),
                    "--folder",
                    str(folder),
                    *arguments,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **(environment or {})},
            )
        try:
            self._control = Control(control)
        except TimeoutError:
            self.end()
            text = (folder / f"{name}.log").read_text(errors="replace")
            raise RuntimeError(f"the {name} did not start:\n{text}") from None

    def plug_in(self) -> None:
        """Connects the device to the machine; to one that is off, as soon as it is on."""
        self.is_plugged_in = True
        if self._cable.exists():
            self.do("plug", path=str(self._cable))

    def unplug(self) -> None:
        """Pulls the plug."""
        self.is_plugged_in = False
        self.do("unplug")

    def do(self, action: str, timeout: float = 30, **parameters: Any) -> Any:
        """Asks for an action; `Refused` with the peer's words when it cannot."""
        return self._control.do(action, timeout, **parameters)

    def end(self) -> None:
        """Ends the program."""
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
