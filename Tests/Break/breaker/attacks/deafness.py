"""What the daemon waits for and must not: a log that nobody reads, a disk that takes nothing."""

import contextlib
import os
import socket

from homeward_rig.house.page import Page

from ..gateway import HOME, Deaf, Gateway, Refused, holds
from ..judgement import Ground, attack
from ..peers import gateway_with_broker, house_library

COMMANDS_ON_A_FULL_DISK = 12


def _judge_deaf(ground: Ground, gateway: Gateway, words: str) -> None:
    try:
        gateway.raise_sos(timeout=10)
    except Deaf as error:
        ground.found("F6", f"{words}: an SOS is not taken any more", error)
        return
    if not gateway.answers():
        ground.found("F6", f"{words}: the control socket answers nobody", gateway.port)


@attack("log-unread", "F6")
def log_unread(ground: Ground) -> None:
    """Nobody reads the daemon's log, a pipe or a stream, while a plugin writes into it without end."""
    for words in ("a pipe", "a stream"):
        gateway = Gateway(ground, f"gateway-{words.split()[-1]}")
        noisy = gateway.add_puppet("noisy")
        if words == "a pipe":
            kept, written = os.pipe()
        else:
            pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            kept, written = pair[0].detach(), pair[1].detach()
        gateway.start(errors=written)
        os.close(written)
        gateway.settle()
        noisy.await_ready()
        # Several times what a pipe holds, as fast as a plugin's log is taken.
        order = noisy.order("log", lines=600, length=3000)
        ground.count(600, "lines")
        holds(15, lambda order=order, noisy=noisy: noisy.answer(order))
        _judge_deaf(ground, gateway, f"the log is {words} that nobody reads")
        gateway.kill()
        os.close(kept)


@attack("log-unread-refusals", "F6")
def log_unread_refusals(ground: Ground) -> None:
    """Nobody reads the log, and a plugin says things that are refused and noted in it."""
    gateway = Gateway(ground)
    noisy = gateway.add_puppet("noisy")
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with pair[0], pair[1]:
        pair[1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        gateway.start(errors=pair[1].fileno())
        gateway.settle()
        noisy.await_ready()
        line = b'{"jsonrpc":"2.0","method":"' + b"nonsense" * 8 + b'","params":{}}\n'
        count = 1500
        path = noisy.write("refused", line * count)
        order = noisy.order("tell_bytes", path=path)
        ground.count(count, "messages")
        holds(20, lambda: noisy.answer(order))
        _judge_deaf(ground, gateway, "the log is a stream that nobody reads, and messages are refused")
        gateway.kill()


class FullDisk:
    """A gateway whose disk can fill up to the last byte."""

    def __init__(self, ground: Ground, gateway: Gateway) -> None:
        self._page = Page(ground.folder / "page")
        self._page.set("is_synchronised", 1)
        self.environment = {
            "LD_PRELOAD": str(house_library(ground)),
            "HOMEWARD_STORY_CLOCK": str(self._page.file),
            "HOMEWARD_STORY_TIMERS": "1",
        }
        ground.afterwards.callback(self._page.close)

    def fill(self, is_full: bool) -> None:
        self._page.set("disk_is_full", int(is_full))


@attack("disk-full-answers", "F13")
def disk_full_answers(ground: Ground) -> None:
    """The disk takes nothing: what is answered as done is kept, or the answer says that it is not."""
    broker, gateway = gateway_with_broker(ground)
    disk = FullDisk(ground, gateway)
    gateway.start(environment=disk.environment)
    gateway.settle()
    broker.await_gateway()
    disk.fill(True)
    promised = []
    for number in range(COMMANDS_ON_A_FULL_DISK):
        bookmark = {"id": f"full-{number}", "resident": "mary", "name": f"Full {number}", "coordinate": HOME}
        ground.count(1, "commands")
        with contextlib.suppress(Refused):
            answer = gateway.command("bookmark.put", timeout=15, bookmark=bookmark)
            if not (isinstance(answer, dict) and answer.get("durable") is False):
                promised.append(f"full-{number}")
    answer = gateway.raise_sos(timeout=15)
    ground.count(1, "commands")
    is_promised = not (isinstance(answer, dict) and answer.get("durable") is False)
    if not holds(10, lambda: broker.events("alarm.dispatched")):
        ground.found("F13", "an SOS reaches nobody while the disk is full", gateway.said()[-300:])
    gateway.kill()
    disk.fill(False)
    gateway.start(environment=disk.environment)
    kept = {one["id"] for one in gateway.ask("bookmarks.list")}
    if gone := [one for one in promised if one not in kept]:
        ground.found(
            "F13", "commands are answered as done, and are gone after a power cut", f"{len(gone)} of {len(promised)}"
        )
    if is_promised and not gateway.alarms():
        ground.found("F13", "an SOS is answered as kept, and is gone after a power cut", answer)


@attack("few-descriptors", "F20")
def few_descriptors(ground: Ground) -> None:
    """Hardly any open files or memory are left to the daemon: it answers, or ends, so that it is started anew."""
    limits = [*(f"--nofile={count}:{count}" for count in (24, 20, 16, 14, 12)), "--as=94371840", "--as=67108864"]
    for number, limit in enumerate(limits):
        gateway = Gateway(ground, f"gateway-{number}")
        gateway.add_puppet("one")
        gateway.add_puppet("other")
        ground.count(1, "limits")
        try:
            gateway.start(("prlimit", limit, "--"), seconds=8)
        except Deaf:
            if gateway.is_alive:
                ground.found("F20", f"with {limit.strip('-')} it runs and answers nobody", gateway.said()[-200:])
        gateway.kill()
