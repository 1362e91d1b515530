"""What a scenario plays on: one hub, the peers around it, and what the hub said so far."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from .configuration import FILE, Configuration
from .hub import Hub
from .machine import SwitchableMachine
from .peer import Peer
from .virtual_machine import Options, VirtualMachine

Result = TypeVar("Result")


class RealTime:
    """Time as it passes by itself."""

    def now(self) -> float:
        """Seconds of a clock that only goes on."""
        return time.monotonic()

    def true(self) -> float:
        """Seconds since 1970, as it really is."""
        return time.time()

    def pause(self, pause: float, _within: float) -> float:
        """Seconds between two looks at something that is to happen within some time."""
        return pause

    def pass_by(self, seconds: float) -> None:
        """Waits."""
        time.sleep(seconds)


story_time: Any = RealTime()
"""What `eventually` and `never` wait by; a house brings its own."""


class CheckFailed(AssertionError):
    """What a scenario expected did not hold."""


def eventually(what: str, seconds: float, probe: Callable[[], Result | None], pause: float = 0.5) -> Result:
    """Asks again and again until the probe gives something, and returns that; CheckFailed after `seconds`."""
    end = story_time.now() + seconds
    while True:
        result = probe()
        if result:
            return result
        if story_time.now() > end:
            raise CheckFailed(f"{what}: not within {seconds:g} s")
        story_time.pass_by(story_time.pause(pause, seconds))


def never(what: str, seconds: float, probe: Callable[[], Result | None], pause: float = 1) -> None:
    """CheckFailed as soon as the probe gives something within `seconds`."""
    end = story_time.now() + seconds
    while True:
        if result := probe():
            raise CheckFailed(f"{what}, and should not: {result}")
        if story_time.now() >= end:
            return
        story_time.pass_by(story_time.pause(pause, seconds))


class Stage:
    """The hub of one scenario, a virtual machine unless told otherwise; its peers start as they are first spoken to."""

    def __init__(self, folder: Path, machine: SwitchableMachine | None = None) -> None:
        self.folder = folder
        self.machine: SwitchableMachine = machine or VirtualMachine(folder)
        self.options = Options()
        self.configuration = Configuration()
        self.hub = Hub(self.machine)
        self.phones: dict[str, str] = {}
        """Number of each helper by name."""
        self._peers: dict[str, Peer] = {}

    def wait(self, seconds: float) -> None:
        """Lets time pass in the story; on a hub it is real time, for the drivers and daemons are real."""
        story_time.pass_by(seconds)

    # Peers

    def peer(self, name: str, *arguments: str) -> Peer:
        """The peer of that name; started at the first call, with the arguments given there."""
        if name not in self._peers:
            self._peers[name] = self.machine.start_peer(name, *arguments)
        return self._peers[name]

    def has_peer(self, name: str) -> bool:
        """Whether the story has spoken to that peer."""
        return name in self._peers

    # Power

    def switch_on(self) -> None:
        """Starts the hub and waits until Homeward answers."""
        if self.configuration.is_changed:
            self.options.files[FILE] = self.configuration.text
        self.machine.switch_on(self.options)
        for peer in self._peers.values():
            if peer.is_plugged_in:
                peer.plug_in()
        self.hub.await_homeward()

    def close(self) -> None:
        """Ends everything; the run's folder keeps what was recorded."""
        for peer in self._peers.values():
            peer.end()
        self.machine.dispose()

    def collect(self) -> None:
        """Leaves journal, status and events in the run's folder, as far as the machine still answers."""
        for name, command in {
            "journal.log": ("/bin/journalctl", "--boot", "--output=short-precise", "--no-pager"),
            "status.txt": ("/usr/bin/homeward", "status"),
            "events.json": ("/usr/bin/homeward", "--json", "events", "--limit", "1000"),
        }.items():
            try:
                completed = self.machine.run(*command, check=False, timeout=60)
            except Exception as error:
                text = f"{type(error).__name__}: {error}\n"
            else:
                text = completed.output + completed.errors
            (self.folder / name).write_text(text)


def as_json(text: str) -> Any:
    """The JSON value of a text; CheckFailed with the text when it is none."""
    try:
        return json.loads(text)
    except ValueError:
        raise CheckFailed(f"no JSON: {text[:500]}") from None
