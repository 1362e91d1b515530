"""Serial cables between peers on the tester's computer and the hub."""

import contextlib
import os
import signal
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

from ..machine import Lacking
from ..peer import Peer
from .settings import CableSettings
from .switch import switch


class CableError(Exception):
    """A cable's port cannot be used."""


class SerialCable:
    """Carries bytes between a Unix socket, where a peer plugs itself in, and a port of this computer, through socat(1).

    So a peer needs to know nothing of ttys, and its socket comes and goes with the hub's power as in a virtual machine.
    """

    def __init__(self, name: str, settings: CableSettings, sockets: Path, folder: Path) -> None:
        self.name = name
        self._settings = settings
        self._socket = sockets / f"{name}.sock"
        self._log = folder / f"{name}-cable.log"
        self._carrier: subprocess.Popen[bytes] | None = None
        self._unplug = switch(settings.unplug) if settings.unplug else None

    def connect(self) -> None:
        """Lays the cable; CableError when there is no such port."""
        port = self._settings.port
        try:
            kind = port.stat().st_mode
        except OSError as error:
            raise CableError(f"the {self.name}'s port {port}: {error.strerror}") from None
        if stat.S_ISSOCK(kind):
            self._socket.symlink_to(port)
            return
        if not stat.S_ISCHR(kind):
            raise CableError(f"the {self.name}'s port {port} is neither a tty nor a socket")
        with open(self._log, "ab") as log:
            self._carrier = subprocess.Popen(
                [
                    "socat",
                    f"UNIX-LISTEN:{self._socket},fork,max-children=1",
                    f"OPEN:{port},raw,echo=0,b{self._settings.speed}",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        end = time.monotonic() + 10
        while not self._socket.exists():
            if self._carrier.poll() is not None or time.monotonic() > end:
                raise CableError(f"the {self.name}'s cable: {self._log.read_text(errors='replace').strip()}")
            time.sleep(0.02)

    def disconnect(self) -> None:
        """Takes the cable away; a peer at its end notices."""
        if self._carrier is not None:
            # One socat listens, and another, its child, carries.
            for process in (*_children(self._carrier.pid), self._carrier.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGTERM)
            try:
                self._carrier.wait(5)
            except subprocess.TimeoutExpired:
                self._carrier.kill()
                self._carrier.wait()
            self._carrier = None
        self._socket.unlink(missing_ok=True)

    def plug_in(self) -> None:
        """Closes the contact in the cable, if it has one."""
        if self._unplug is not None:
            self._unplug.release()

    def unplug(self) -> None:
        """Opens the contact; without one, a silent cable would pass for none, so `Lacking`."""
        if self._unplug is None:
            raise Lacking(f"contact that unplugs the {self.name}")
        self._unplug.drive()


def _children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


class CabledPeer(Peer):
    """A peer on a real cable."""

    def __init__(self, cable: SerialCable, folder: Path, sockets: Path, *arguments: Any) -> None:
        super().__init__(cable.name, folder, sockets, *arguments)
        self._serial = cable

    def plug_in(self) -> None:
        self._serial.plug_in()
        super().plug_in()

    def unplug(self) -> None:
        self._serial.unplug()
        super().unplug()
