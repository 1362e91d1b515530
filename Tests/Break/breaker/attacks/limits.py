"""Shared limits: who takes all of them leaves the others theirs."""

import contextlib
import json
import os
import signal
import socket
import time
from pathlib import Path

from ..gateway import Gateway, Refused, holds
from ..judgement import Ground, attack
from ..peers import gateway_with_broker

MEGABYTE = 1 << 20
MOST_PARTS = 300


def _memory(gateway: Gateway) -> int:
    """Bytes of the daemon that are in memory now."""
    assert gateway.process is not None
    lines = Path(f"/proc/{gateway.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) * 1024


def _watch(gateway: Gateway, types: list[str]) -> socket.socket:
    connection = gateway.connection()
    request = {"jsonrpc": "2.0", "id": 1, "method": "watch", "params": {"types": types}}
    connection.sendall(json.dumps(request).encode() + b"\n")
    with contextlib.suppress(TimeoutError):
        connection.recv(4096)
    return connection


@attack("watchers-crowd", "F19")
def watchers_crowd(ground: Ground) -> None:
    """One member watches events as often as the gateway allows; an SOS of another still gets through."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    with contextlib.ExitStack() as held:
        for _ in range(64):
            with contextlib.suppress(OSError):
                held.callback(_watch(gateway, []).close)
                ground.count(1, "watchers")
        done = gateway.line("sos", "raise")
        if done.returncode != 0:
            ground.found("F19", "watchers of one member keep others from calling for help", done.stderr)


@attack("watchers-ask-much", "F19")
def watchers_ask_much(ground: Ground) -> None:
    """Watchers name ninety thousand types each: the gateway does not keep them."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    before = _memory(gateway)
    types = [f"t{number}" for number in range(90_000)]
    with contextlib.ExitStack() as held:
        for _ in range(28):
            with contextlib.suppress(OSError):
                held.callback(_watch(gateway, types).close)
                ground.count(1, "watchers")
        grown = _memory(gateway) - before
        if grown > 40 * MEGABYTE:
            ground.found("F19", "the types that watchers name fill the memory", f"{grown // MEGABYTE} MB more")
        if not gateway.answers():
            ground.found("F19", "watchers make the gateway deaf")


@attack("http-slow", "F19")
def http_slow(ground: Ground) -> None:
    """Many open a connection to /health and say a byte now and then: others are answered all the same."""
    gateway = Gateway(ground)
    gateway.start()
    with contextlib.ExitStack() as held:
        slow = []
        for _ in range(48):
            with contextlib.suppress(OSError):
                made = held.enter_context(socket.create_connection(("127.0.0.1", gateway.port), timeout=2))
                made.sendall(b"GET /health HTTP/1.1\r\nX:")
                slow.append(made)
        ground.count(len(slow), "connections")
        answered, asked, end = 0, 0, time.monotonic() + 14
        while time.monotonic() < end and answered < 2:
            for connection in slow:
                with contextlib.suppress(OSError):
                    connection.sendall(b" ")
            asked += 1
            answered += gateway.serves("/health")
            time.sleep(0.3)
        ground.count(asked, "requests")
        if answered < 2:
            ground.found("F19", "slow connections keep /health from being answered", f"{answered} of {asked} answered")


@attack("health-names", "F19")
def health_names(ground: Ground) -> None:
    """A plugin reports the health of three thousand parts of its own, which stay as faults."""
    gateway = Gateway(ground)
    puppet = gateway.add_puppet("chatty", ["observe:health"])
    gateway.start()
    gateway.settle()
    puppet.await_ready()
    failed = {"kind": "health", "state": "failed", "code": "x", "detail": "y"}
    count = ground.size(1500, 3000)
    requests = [["observe", {"observation": {**failed, "component": f"part-{n}"}}] for n in range(count)]
    puppet.do("ask_all", seconds=90, requests=requests)
    ground.count(len(requests), "reports")
    if (kept := _parts(gateway)) > MOST_PARTS:
        ground.found("F19", "names that a plugin makes up fill the status and the faults", kept)
    gateway.kill()
    gateway.start()
    if (kept := _parts(gateway)) > MOST_PARTS:
        ground.found("F19", "names that a plugin made up are there after a restart, too", kept)


def _parts(gateway: Gateway) -> int:
    """How many parts the gateway watches, or holds for faulty."""
    status = gateway.status()
    return max(len(status["components"]), len(status["faults"]))


@attack("plugin-hangs", "F19")
def plugin_hangs(ground: Ground) -> None:
    """The plugin for the broker hangs when an SOS is raised: it is replaced, and the SOS goes out in half a minute."""
    broker, gateway = gateway_with_broker(ground)
    gateway.start()
    gateway.settle()
    broker.await_gateway()
    for process in gateway.processes_of("mqtt"):
        os.kill(process, signal.SIGSTOP)
    gateway.raise_sos()
    ground.count(1, "plugins")
    if not holds(30, lambda: broker.events("alarm.dispatched")):
        ground.found("F19", "an SOS waits for more than half a minute for a plugin that hangs", gateway.said()[-200:])


@attack("backup-at-once", "F20")
def backup_at_once(ground: Ground) -> None:
    """A backup in the first second, and what is documented to be asked: each is answered."""
    gateway = Gateway(ground)
    gateway.start()
    for method, parameters in (("backup.create", {}), ("metrics", {}), ("health", {})):
        ground.count(1, "requests")
        try:
            gateway.ask(method, **parameters)
        except Refused as error:
            ground.found("F20", f"{method} is documented, and refused on a new gateway", error)


@attack("control-flood")
def control_flood(ground: Ground) -> None:
    """Connections without end, endless and half lines at the control socket: the gateway stays small and answers."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    before = _memory(gateway)
    with contextlib.ExitStack() as held:
        for number in range(ground.size(400, 1000)):
            with contextlib.suppress(OSError):
                connection = held.enter_context(gateway.connection())
                connection.settimeout(1)
                ground.count(1, "connections")
                if number % 10 == 0:
                    connection.sendall(b'{"jsonrpc":"2.0","method":"' + b"x" * MEGABYTE)
        with contextlib.suppress(OSError):
            connection = held.enter_context(gateway.connection())
            connection.settimeout(1)
            for _ in range(25):
                connection.sendall(b"[" * MEGABYTE)
        if not gateway.answers():
            ground.found("F19", "a flood of connections makes the gateway deaf")
        grown = _memory(gateway) - before
        if grown > 64 * MEGABYTE:
            ground.found("F19", "a flood of connections fills the memory", f"{grown // MEGABYTE} MB more")


@attack("plugin-floods")
def plugin_floods(ground: Ground) -> None:
    """A plugin sends endless lines, messages and logs: it is stopped, the daemon answers and the others are served."""
    gateway = Gateway(ground)
    flooder = gateway.add_puppet("flooder", ["observe:health"])
    other = gateway.add_puppet("other", lanes=("alarm",))
    gateway.start()
    gateway.settle()
    flooder.await_ready()
    other.await_ready()
    before = _memory(gateway)
    note = b'{"jsonrpc":"2.0","method":"health","params":{"state":"working","code":"","detail":""}}\n'
    path = flooder.write("messages", note * 40_000)
    flooder.order("tell_bytes", path=path)
    flooder.order("log", lines=20_000, length=400)
    ground.count(60_000, "messages")
    gateway.raise_sos()
    if not holds(10, lambda: [one for one in other.events() if one["type"] == "alarm.dispatched"]):
        ground.found("F19", "a plugin that floods keeps others from being served", gateway.said()[-200:])
    path = flooder.write("line", b'{"jsonrpc":"2.0","method":"' + b"x" * (3 * MEGABYTE) + b'"}\n')
    flooder.order("tell_bytes", path=path)
    ground.count(1, "endless lines")
    if not gateway.answers():
        ground.found("F19", "a plugin that floods makes the gateway deaf")
    if (grown := _memory(gateway) - before) > 64 * MEGABYTE:
        ground.found("F19", "a plugin that floods fills the daemon's memory", f"{grown // MEGABYTE} MB more")
