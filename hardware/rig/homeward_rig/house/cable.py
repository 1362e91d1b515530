"""A serial line of the house: a pseudo-terminal, and a socket at which a peer plugs in."""

import contextlib
import os
import select
import socket
import threading
import tty
from pathlib import Path

_CHUNK = 4096


class Cable:
    """The gateway opens `port`; whoever connects to the socket is a device being plugged in, in place of an older."""

    def __init__(self, name: str, folder: Path) -> None:
        self.port = folder / f"{name}.port"
        self._master, self._keeper = os.openpty()
        tty.setraw(self._keeper)
        os.set_blocking(self._master, False)
        # gpsd gives up being root before it opens the line.
        os.chmod(os.ttyname(self._keeper), 0o666)
        self.port.symlink_to(os.ttyname(self._keeper))
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(folder / f"{name}.sock"))
        self._listener.listen()
        self._end, self._ended = os.pipe()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self) -> None:
        peer: socket.socket | None = None
        while True:
            waiting = [self._master, self._listener, self._end, *([peer] if peer else [])]
            ready, _, _ = select.select(waiting, [], [])
            if self._end in ready:
                break
            if self._listener in ready:
                if peer:
                    peer.close()
                peer, _ = self._listener.accept()
            elif peer and peer in ready:
                data = b""
                with contextlib.suppress(OSError):
                    data = peer.recv(_CHUNK)
                if data:
                    # What nobody reads is lost, as on a serial line.
                    with contextlib.suppress(BlockingIOError):
                        os.write(self._master, data)
                else:
                    peer.close()
                    peer = None
            if self._master in ready:
                said = os.read(self._master, _CHUNK)
                if peer:
                    with contextlib.suppress(OSError):
                        peer.sendall(said)
        if peer:
            peer.close()

    def close(self) -> None:
        """Takes the line away."""
        os.write(self._ended, b"x")
        self._thread.join()
        self._listener.close()
        for descriptor in (self._master, self._keeper, self._end, self._ended):
            os.close(descriptor)
