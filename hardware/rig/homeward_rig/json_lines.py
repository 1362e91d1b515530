"""JSON objects, one a line, over a Unix socket: how the rig talks with the emulator, the guest agent and its peers."""

import json
import socket
import time
from pathlib import Path
from typing import Any


class Disconnected(Exception):
    """The other side is gone."""


class JSONLines:
    """A connection to a Unix socket that carries one JSON object a line, both ways."""

    def __init__(self, path: Path, connect_timeout: float = 10) -> None:
        """Connects, trying again until the other side listens; TimeoutError when it never does."""
        end = time.monotonic() + connect_timeout
        while True:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                self._socket.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                self._socket.close()
                if time.monotonic() > end:
                    raise TimeoutError(f"nothing listens at {path}") from None
                time.sleep(0.05)
        self._rest = b""

    def send(self, message: dict[str, Any]) -> None:
        try:
            # What was left of the last answer's time is not this question's.
            self._socket.settimeout(10)
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise Disconnected(str(error)) from error

    def receive(self, timeout: float) -> dict[str, Any]:
        """The next object; TimeoutError, or Disconnected. What is no JSON object is passed over."""
        end = time.monotonic() + timeout
        while True:
            while b"\n" in self._rest:
                line, self._rest = self._rest.split(b"\n", 1)
                # The guest agent marks a new beginning with a byte that is no text.
                line = line.lstrip(b"\xff").strip()
                try:
                    message = json.loads(line)
                except ValueError:
                    continue
                if isinstance(message, dict):
                    return message
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError("no answer")
            self._socket.settimeout(left)
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                raise TimeoutError("no answer") from None
            except OSError as error:
                raise Disconnected(str(error)) from error
            if not data:
                raise Disconnected("closed by the other side")
            self._rest += data

    def close(self) -> None:
        self._socket.close()
