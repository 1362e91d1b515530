"""Runs programs on the hub through one ssh connection."""

import shlex
import subprocess
import time
from pathlib import Path

from ..guest_agent import Completed, GuestError

# The last line of a program's errors, written after its end: without it, the connection was lost before.
END = "homeward-rig: exit code "


class SecureShell:
    """A connection of ssh(1) to a hub, over which programs run side by side.

    The user needs a key that asks nothing: there is nobody to type a password.
    """

    def __init__(self, destination: str, options: tuple[str, ...], folder: Path) -> None:
        """`folder` takes the connection's socket, and has to have a short path."""
        self._destination = destination
        self._socket = folder / "ssh"
        self._log = folder / "ssh.log"
        self._common = ("ssh", *options, "-o", "BatchMode=yes", "-o", f"ControlPath={self._socket}")
        self._master: subprocess.Popen[bytes] | None = None

    # The connection

    @property
    def is_connected(self) -> bool:
        return self._master is not None and self._master.poll() is None and self._control("check").returncode == 0

    def connect(self, timeout: float) -> None:
        """Connects, trying again while the hub starts; GuestError with ssh's own words when that does not help."""
        end = time.monotonic() + timeout
        words = ""
        while not self._try_to_connect(end):
            words = self._log.read_text(errors="replace").strip() or words
            if time.monotonic() > end:
                self.disconnect()
                raise GuestError(f"the hub {self._destination} cannot be reached by ssh within {timeout:g} s: {words}")
            time.sleep(1)

    def _try_to_connect(self, end: float) -> bool:
        self.disconnect()
        with open(self._log, "wb") as log:
            self._master = subprocess.Popen(
                [
                    *self._common,
                    "-o",
                    "ControlMaster=yes",
                    "-o",
                    "ConnectTimeout=10",
                    # A hub whose power was cut says no goodbye.
                    "-o",
                    "ServerAliveInterval=5",
                    "-o",
                    "ServerAliveCountMax=3",
                    "-N",
                    self._destination,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        while self._master.poll() is None and time.monotonic() <= end:
            if self._control("check").returncode == 0:
                return True
            time.sleep(0.1)
        return False

    def disconnect(self) -> None:
        """Ends the connection, and what runs over it."""
        if self._master is not None:
            self._master.terminate()
            try:
                self._master.wait(5)
            except subprocess.TimeoutExpired:
                self._master.kill()
                self._master.wait()
            self._master = None
        self._socket.unlink(missing_ok=True)

    def _control(self, command: str, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._common, "-O", command, *options, self._destination],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
        )

    def forward(self, address: str, port: int, here: int) -> None:
        """Lets the hub reach port `here` of this computer's loopback at an address of its own."""
        if not self.is_connected:
            raise GuestError("the connection to the hub was lost")
        answer = self._control("forward", "-R", f"{address}:{port}:127.0.0.1:{here}")
        if answer.returncode != 0:
            raise GuestError(
                f"the hub does not listen at {address}:{port} for this computer: {answer.stderr.strip()}\n"
                'Its /etc/ssh/sshd_config needs "GatewayPorts clientspecified".'
            )

    # Programs

    def run(self, *arguments: str, data: bytes = b"", timeout: float = 60, check: bool = True) -> Completed:
        """Runs a program on the hub to its end; like `GuestAgent.run`, with GuestError also for a lost connection."""
        if not self.is_connected:
            raise GuestError("the connection to the hub was lost")
        # The hub itself ends what takes too long: the end of a connection does not end a program.
        program = shlex.join(("timeout", "--signal=KILL", f"{timeout:g}", *arguments))
        script = f"{program}; printf '\\n{END}%s\\n' $? >&2"
        command = [
            *self._common,
            "-o",
            "ControlMaster=no",
            # Without the connection, ssh would silently make one of its own.
            "-o",
            "ProxyCommand=false",
            self._destination,
            shlex.join(("sh", "-c", script)),
        ]
        began = time.monotonic()
        try:
            finished = subprocess.run(command, input=data, capture_output=True, timeout=timeout + 30)
        except subprocess.TimeoutExpired:
            raise GuestError(f"{' '.join(arguments)}: the hub does not answer") from None
        output, errors = (text.decode(errors="replace") for text in (finished.stdout, finished.stderr))
        errors, found, status_text = errors.rpartition(f"\n{END}")
        if not found:
            raise GuestError(f"{' '.join(arguments)}: the connection to the hub was lost\n{status_text}".rstrip())
        status = int(status_text.split()[0])
        if status == 137 and time.monotonic() - began >= timeout:
            raise GuestError(f"{' '.join(arguments)}: still running after {timeout:g} s")
        # A shell says 128 + N of a program that signal N ended; the guest agent's -N is easier to read.
        completed = Completed(arguments, 128 - status if 128 < status <= 192 else status, output, errors)
        if check and completed.status != 0:
            raise GuestError(f"{' '.join(arguments)}: exit code {completed.status}\n{output}{errors}".rstrip())
        return completed
