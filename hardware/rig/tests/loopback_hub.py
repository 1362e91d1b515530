"""A real SSH server on this machine's loopback, which plays the hub of a bench."""

import contextlib
import os
import pwd
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from signal import SIGKILL, SIGSTOP

WRAPPER = next(iter(sorted(Path("/usr/lib").glob("*/libnss_wrapper.so"))), None)


class LoopbackHub:
    """dropbear(8), not as a service and without root: it lets in one key, made for this test, on one free port.

    The name service wrapper gives this user a home of the test's own, so that no real list of keys is read or changed.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="homeward-hub.")
        folder = Path(self._folder.name)
        self.home = folder / "home"
        (self.home / ".ssh").mkdir(parents=True, mode=0o700)
        self.home.chmod(0o700)
        key = folder / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        (self.home / ".ssh" / "authorized_keys").write_text(key.with_suffix(".pub").read_text())
        (self.home / ".ssh" / "authorized_keys").chmod(0o600)
        self._host_key = folder / "host-key"
        subprocess.run(["dropbearkey", "-t", "ed25519", "-f", self._host_key], check=True, capture_output=True)
        me = pwd.getpwuid(os.getuid())
        self._users = folder / "passwd"
        self._users.write_text(f"{me.pw_name}:x:{me.pw_uid}:{me.pw_gid}::{self.home}:/bin/sh\n")
        self._groups = folder / "group"
        self._groups.write_text(f"{me.pw_name}:x:{me.pw_gid}:\n")
        self.port = free_port()
        self.log = folder / "log"
        self.destination = f"{me.pw_name}@127.0.0.1"
        self.options = (
            "-F",
            "none",
            "-p",
            str(self.port),
            "-i",
            str(key),
            "-o",
            "IdentitiesOnly=yes",
            "-o",
            "StrictHostKeyChecking=no",
            "-o",
            "UserKnownHostsFile=/dev/null",
            "-o",
            "LogLevel=ERROR",
        )
        self._server: subprocess.Popen[bytes] | None = None

    def switch_on(self) -> None:
        """Starts the server and waits until it listens."""
        with open(self.log, "ab") as log:
            self._server = subprocess.Popen(
                # -a: forwarded ports may be at any address, as "GatewayPorts clientspecified" does.
                [
                    "/usr/sbin/dropbear",
                    "-F",
                    "-E",
                    "-s",
                    "-a",
                    "-r",
                    str(self._host_key),
                    "-p",
                    f"127.0.0.1:{self.port}",
                    "-P",
                    "",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={
                    **os.environ,
                    "LD_PRELOAD": str(WRAPPER),
                    "NSS_WRAPPER_PASSWD": str(self._users),
                    "NSS_WRAPPER_GROUP": str(self._groups),
                },
            )
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self._server.poll() is not None or time.monotonic() > end:
                    raise AssertionError(f"dropbear does not listen: {self.log.read_text()}") from None
                time.sleep(0.05)

    def cut_power(self) -> None:
        """Ends the server and all that runs under it, without a word to anybody."""
        if self._server is None:
            return
        # All are held before one ends: a session that outlived its program would tell how that ended.
        processes = [self._server.pid, *reversed(descendants(self._server.pid))]
        for signal in (SIGSTOP, SIGKILL):
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal)
        self._server.wait()
        self._server = None

    def close(self) -> None:
        self.cut_power()
        self._folder.cleanup()


def descendants(process: int) -> list[int]:
    """Process ids of children and their children, the youngest first."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [found for child in children for found in (*descendants(int(child)), int(child))]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
