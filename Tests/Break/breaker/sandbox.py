"""Own namespaces: what is done to a gateway here reaches no other process, no network and no other program's memory.

The suite becomes the root of a user namespace, with processes, network, System V memory and mounts of its own; there is
loopback and nothing else, and everything in it ends with it. It needs no rights for that, on Debian's kernel. The
gateway runs in one more user namespace, as an ordinary user without any capability, as it does on a hub.
"""

import fcntl
import os
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

_INSIDE = "HOMEWARD_BREAK_INSIDE"
NAMESPACES = (
    "--user",
    "--map-root-user",
    "--net",
    "--ipc",
    "--mount",
    "--pid",
    "--fork",
    "--mount-proc",
    "--kill-child",
)
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40
"""Source: linux/sockios.h, linux/if.h."""
AS_GATEWAY = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")
"""Before a command: as the gateway's user, without capabilities."""
SOMEBODY_ELSE = 65534
AS_SOMEBODY_ELSE = ("setpriv", f"--reuid={SOMEBODY_ELSE}", f"--regid={SOMEBODY_ELSE}", "--clear-groups")
"""Before a command, for root: limits of tasks hold for others only."""


def is_inside() -> bool:
    return _INSIDE in os.environ


def enter(arguments: list[str], programs: Path) -> NoReturn:
    """Becomes this program once more, inside, with a folder of its own."""
    own = [sys.executable, str(Path(__file__).resolve().parent.parent), *arguments]
    folder = tempfile.mkdtemp(prefix="break.")
    before: tuple[str, ...] = ()
    if os.geteuid() == 0 and _can_begin_as_somebody_else(own[:2], programs):
        before = AS_SOMEBODY_ELSE
        os.chown(folder, SOMEBODY_ELSE, SOMEBODY_ELSE)
    os.environ[_INSIDE] = folder
    command = [*before, "unshare", *NAMESPACES, "--", *own]
    os.execvp(command[0], command)


def _can_begin_as_somebody_else(own: list[str], programs: Path) -> bool:
    """Whether somebody without rights can read what is needed; root's own home is closed to others."""
    needed = ([*own, "--list"], ["test", "-x", str(programs / "homewardd")])
    return all(subprocess.run([*AS_SOMEBODY_ELSE, *one], capture_output=True).returncode == 0 for one in needed)


def folder() -> Path:
    """The suite's own folder; inside only."""
    return Path(os.environ[_INSIDE])


def raise_loopback() -> None:
    """Switches the loopback interface on; a new network namespace has it off."""
    with socket.socket() as any_socket:
        request = struct.pack("16sh14x", b"lo", _IFF_UP | _IFF_RUNNING)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, request)


def within_tasks(tasks: int) -> tuple[str, ...]:
    """Before a command: so many tasks and no more for it and all that it starts, as the unit's TasksMax gives them.

    LookupError where nothing limits them: the machine's own root has no such limit, whatever a namespace calls it.
    """
    if Path("/proc/self/uid_map").read_text().split()[1] == "0":
        raise LookupError("the machine's own root has no limit of tasks: run this as somebody else")
    return ("prlimit", f"--nproc={tasks}:{tasks}", "--")
