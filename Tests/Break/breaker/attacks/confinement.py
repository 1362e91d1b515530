"""A plugin against its walls: the daemon, the other plugins, the files and the network behind them."""

import contextlib
import ctypes
import os
import signal
import socket
import time
from pathlib import Path
from typing import Any

from homeward_rig.house.rest import descendants

from ..gateway import Deaf, Gateway, Puppet, holds
from ..judgement import Ground, NotRun, attack
from ..peers import PlayedGPSD, gateway_with_broker
from ..sandbox import within_tasks

SYSTEM_V = ("/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg")
TASKS = 256
"""As the unit's TasksMax."""
_IOPRIO_GET = {"x86_64": 252, "aarch64": 31}


def _hostile_house(ground: Ground, **more: Any) -> tuple[Gateway, Puppet]:
    gateway = Gateway(ground)
    hostile = gateway.add_puppet("hostile")
    gateway.add_puppet("victim")
    gateway.start(**more)
    gateway.settle()
    hostile.await_ready()
    gateway.puppets["victim"].await_ready()
    return gateway, hostile


def _state(process: int) -> dict[str, Any]:
    """Limits, priority and schedule of a process, as seen from outside."""
    libc = ctypes.CDLL(None, use_errno=True)
    return {
        "limits": Path(f"/proc/{process}/limits").read_text(),
        "nice": os.getpriority(os.PRIO_PROCESS, process),
        "schedule": os.sched_getscheduler(process),
        "processors": sorted(os.sched_getaffinity(process)),
        "disk priority": libc.syscall(_IOPRIO_GET[os.uname().machine], 1, process),
    }


def _is_apart(plugin: list[int]) -> bool:
    """Whether a plugin has process numbers of its own, so that no number of its means another's process."""
    own = os.readlink("/proc/self/ns/pid")
    return any(os.readlink(f"/proc/{process}/ns/pid") != own for process in plugin)


@attack("plugin-hampers-others", "F1")
def plugin_hampers_others(ground: Ground) -> None:
    """A plugin without grants acts on the daemon and on another plugin by their numbers."""
    gateway, hostile = _hostile_house(ground)
    assert gateway.process is not None
    # What holds a plugin comes before what it is.
    victim = gateway.processes_of("victim")[-1]
    targets = {"the daemon": gateway.process.pid, "another plugin": victim}
    before = {name: _state(process) for name, process in targets.items()}
    answers = hostile.do("hamper", targets=list(targets.values()))
    ground.count(len(answers), "calls")
    for name, process in targets.items():
        now = _state(process)
        changed = [what for what, state in now.items() if state != before[name][what]]
        if changed:
            accepted = sorted(call for call, answer in answers.items() if answer == "done")
            ground.found("F1", f"a plugin without grants changed of {name}: {', '.join(changed)}", ", ".join(accepted))
    if not gateway.answers():
        ground.found("F1", "the daemon answers nothing any more", gateway.said()[-200:])


@attack("plugin-ends-daemon", "F1")
def plugin_ends_daemon(ground: Ground) -> None:
    """A plugin without grants does all that could end the daemon or make it deaf; an SOS has to go out meanwhile."""
    broker, gateway = gateway_with_broker(ground)
    hostile = gateway.add_puppet("hostile")
    gateway.start()
    gateway.settle()
    broker.await_gateway()
    assert gateway.process is not None
    hostile.await_ready()
    order = hostile.order("hamper", targets=[gateway.process.pid], is_deadly=True)
    holds(5, lambda: hostile.answer(order) or not gateway.is_alive)
    ground.count(len((hostile.answer(order) or {}).get("result", ["one"])), "calls")
    signals = hostile.order("own_signals", targets=[gateway.process.pid])
    holds(5, lambda: hostile.answer(signals) or not gateway.is_alive)
    # The log's file is one that a limit of file sizes holds for, too.
    try:
        gateway.raise_sos()
    except Deaf as error:
        holds(2, lambda: not gateway.is_alive)
        code = gateway.process.poll()
        how = f"ended by {signal.Signals(-code).name}" if code is not None and code < 0 else f"{error}"
        ground.found("F1", "a plugin without grants ended the daemon or made it deaf", how)
        return
    if not holds(10, lambda: broker.events("alarm.dispatched")):
        ground.found(
            "F1", "an SOS reached nobody after a plugin without grants acted on the daemon", gateway.said()[-200:]
        )


@attack("plugin-owns-signals", "F1")
def plugin_owns_signals(ground: Ground) -> None:
    """A plugin makes the kernel send its signals to the daemon; without Landlock's ABI 6 they would kill it."""
    gateway, hostile = _hostile_house(ground)
    assert gateway.process is not None
    own = gateway.processes_of("hostile")
    answers = hostile.do("own_signals", targets=[gateway.process.pid])
    ground.count(len(answers), "calls")
    if not gateway.answers():
        ground.found("F1", "a signal through F_SETOWN ended the daemon", answers)
    accepted = [call for call, answer in answers.items() if answer == "done"]
    if accepted and not _is_apart(own):
        ground.found("F1", "the kernel's signals may be directed at others, which kills below Landlock ABI 6", accepted)


@attack("plugin-sends-datagrams", "F1")
def plugin_sends_datagrams(ground: Ground) -> None:
    """A plugin without network sends to a datagram socket of the system through a pair of sockets."""
    gateway, hostile = _hostile_house(ground)
    path = Path(gateway.folder) / "log.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(path))
        path.chmod(0o777)
        answers = hostile.do("datagram", path=str(path))
        ground.count(len(answers), "kinds of sockets")
        listener.settimeout(1)
        try:
            heard = listener.recv(100)
        except TimeoutError:
            heard = b""
    if heard:
        ground.found("F1", "a plugin without network reached a Unix socket of the system", answers)


@attack("plugin-leaves-and-nests", "F1")
def plugin_leaves_and_nests(ground: Ground) -> None:
    """A plugin makes System V memory that outlives it, namespaces of its own, and reads who listens where."""
    gateway, hostile = _hostile_house(ground)
    before = {path: Path(path).read_text() for path in SYSTEM_V}
    answers = {**hostile.do("leftovers"), **hostile.do("namespaces")}
    told = hostile.do("neighbours")
    ground.count(len(answers) + len(told), "calls")
    gateway.stop()
    left = [Path(path).name for path in SYSTEM_V if Path(path).read_text() != before[path]]
    if left:
        ground.found("F1", f"System V objects of a plugin outlive it: {', '.join(left)}", answers)
    made = [call for call, answer in answers.items() if "NEWUSER" in call and answer == "done"]
    if made:
        ground.found("F1", "a plugin makes user namespaces, in which it is root", made)
    if f":{gateway.port:04X} " in told["/proc/self/net/tcp"]:
        ground.found("F1", "a plugin without network reads which ports and connections there are", "/proc/self/net/tcp")
    if str(gateway.socket) in told["/proc/net/unix"]:
        ground.found("F1", "a plugin without network reads which Unix sockets there are", "/proc/net/unix")


@attack("plugin-reads-and-calls", "F1")
def plugin_reads_and_calls(ground: Ground) -> None:
    """A plugin tries the files, calls and kinds of sockets that are none of its business."""
    gateway, hostile = _hostile_house(ground)
    assert gateway.process is not None
    daemon = gateway.process.pid
    victim = gateway.plugins / "victim" / "puppet.py"
    files = [
        *(
            gateway.state / name
            for name in ("", "care.db", "care.db-wal", "inputs.db", "lock", "backups", "plugins/victim")
        ),
        *(gateway.state / "plugins" / "victim" / name for name in ("heard.jsonl", "orders.jsonl")),
        *(gateway.runtime, gateway.socket, gateway.folder, gateway.folder / "homeward.yaml", gateway.log, victim),
        *(gateway.folder / "emergency", gateway.runtime / "emergency", gateway.plugins),
        *map(Path, ("/", "/etc/passwd", "/etc/shadow", "/root", "/home", "/tmp", "/var/tmp", "/var/log")),
        *map(
            Path,
            ("/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/shm", "/run", "/run/dbus/system_bus_socket", "/sys/kernel"),
        ),
        *(Path(f"/proc/{daemon}/{name}") for name in ("environ", "mem", "maps", "fd", "root", "cwd", "stack", "task")),
    ]
    wanted = [str(path) for path in files if os.path.lexists(path)]
    answers = hostile.do("read_all", paths=wanted)
    ground.count(len(answers), "paths")
    if read := sorted(path for path, answer in answers.items() if answer == "done"):
        ground.found("F1", "a plugin without grants reads what is none of its business", read)
    calls = hostile.do("forbidden_calls", targets=[daemon])
    ground.count(len(calls), "calls")
    if done := sorted(call for call, answer in calls.items() if answer == "done"):
        ground.found("F1", "a plugin makes calls that no plugin needs", done)
    kinds = hostile.do("sockets")
    ground.count(len(kinds), "kinds of sockets")
    if opened := sorted(kind for kind, answer in kinds.items() if answer == "done"):
        ground.found("F1", "a plugin without network opens sockets", opened)


@attack("plugin-fork-bomb", "F19")
def plugin_fork_bomb(ground: Ground) -> None:
    """A plugin without grants takes all tasks; the plugin for the broker has to come back, and an SOS through it."""
    try:
        limit = within_tasks(TASKS)
    except LookupError as error:
        raise NotRun(str(error), is_allowed=True) from None
    broker, gateway = gateway_with_broker(ground)
    hostile = gateway.add_puppet("hostile")
    gateway.start(limit)
    gateway.settle()
    broker.await_gateway()
    hostile.await_ready()
    mqtt = gateway.processes_of("mqtt")
    seconds = 40
    hostile.order("bomb", lasting=seconds)
    ground.count(1, "fork bombs")
    end = time.monotonic() + seconds

    def tasks() -> int:
        assert gateway.process is not None
        return len(descendants(gateway.process.pid))

    # As many as it gets; walls may keep it from getting many.
    previous = -1
    while (now := tasks()) != previous and time.monotonic() < end - 25:
        previous = now
        holds(0.5, lambda: None)
    # The gateway may be slow to say anything now: it was asked before.
    for process in mqtt:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    try:
        gateway.raise_sos(timeout=15)
    except Deaf as error:
        ground.found("F19", "the daemon answers nothing while a plugin forks", error)
    if not holds(max(5.0, min(20.0, end - time.monotonic() - 5)), lambda: broker.events("alarm.dispatched")):
        seen = f"{tasks()} tasks; {gateway.said()[-200:]}"
        ground.found("F19", "a plugin that forks without end keeps others from starting: an SOS reached nobody", seen)


@attack("plugin-reaches-loopback", "F11")
def plugin_reaches_loopback(ground: Ground) -> None:
    """A plugin with the network alone asks gpsd where somebody is, and the gateway how it does."""
    gpsd = PlayedGPSD(ground)
    gateway = Gateway(ground, gps=[{"name": "gps", "port": gpsd.port}])
    nosy = gateway.add_puppet("nosy", ["network"])
    gateway.start()
    gateway.settle()
    holds(10, lambda: gpsd.came)
    nosy.await_ready()
    order = nosy.order("fetch", port=gpsd.port, say='?WATCH={"enable":true,"json":true};\r\n')
    holds(2.5, lambda: gpsd.tell(0) and nosy.answer(order), 0.3)
    answer = nosy.answer(order)["result"]
    ground.count(3, "ports")
    if '"lat"' in answer["came"]:
        ground.found("F11", "a plugin with the network reads exact positions from gpsd", answer["came"][:200])
    for path in ("/metrics", "/health"):
        told = nosy.do("fetch", port=gateway.port, say=f"GET {path} HTTP/1.0\r\n\r\n")
        if "HTTP/1" in told["came"]:
            ground.found("F11", f"a plugin with the network reads the gateway's {path}", told["came"][:60])
