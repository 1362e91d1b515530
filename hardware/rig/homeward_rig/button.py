"""The two buttons that a person presses, and what the hub's kernel saw of them.

`WiredButton` is a contact on a GPIO line, `BigButton` an input device on USB. A step asks for a `Button` and does not
know which it has, so that a relay on the tester's own GPIO can press a real one in their place.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .bench.machine import Bench
from .bench.switch import Switch
from .devices import PROGRAMS
from .hub import Machine
from .machine import Lacking
from .monitor import Monitor

DEBOUNCE = 0.1
"""Seconds: edges closer together than this are one contact that bounces, in an emulator that may be slow."""


@dataclass(frozen=True)
class Held:
    """How long a finger held a button, in seconds: no less than `shortest` and no more than `longest`."""

    shortest: float
    longest: float


class Button(Protocol):
    """Something that can be pressed."""

    late: float
    """Seconds by which the kernel may hear of an edge after the finger moved."""

    def press(self, seconds: float, bounces: int = 0, times: int = 1, pause: float = 0.2) -> list[Held]:
        """Presses `times` times, `seconds` each, with `pause` seconds between; gives how long each press was held.

        With `bounces`, the contact goes off and on again so often at both ends of a press.
        """

    def hold(self) -> None:
        """Presses, and does not let go."""

    def let_go(self) -> None:
        """Lets go."""


class WiredButton:
    """The contact on line SOS of the simulated GPIO chip; pressed by a program in the machine, guest/button."""

    # The line's interrupt is handled before the program that moved it goes on.
    late = 0.05

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def press(self, seconds: float, bounces: int = 0, times: int = 1, pause: float = 0.2) -> list[Held]:
        numbers = (seconds, bounces, times, pause)
        output = self._machine.run(
            f"{PROGRAMS}/button", "press", *map(str, numbers), timeout=60 + 3 * times * (seconds + pause)
        ).output
        held = []
        for line in output.splitlines():
            close_began, closed, open_began, opened = map(float, line.split())
            held.append(Held(shortest=open_began - closed, longest=opened - close_began))
        return held

    def hold(self) -> None:
        self._machine.run(f"{PROGRAMS}/button", "down")

    def let_go(self) -> None:
        self._machine.run(f"{PROGRAMS}/button", "up")


class BigButton:
    """A one-key keyboard on USB; pressed by the emulator's monitor. Its chip keeps a bouncing contact to itself."""

    # The hub asks a USB device for news a hundred times a second, when it is not kept from that.
    late = 0.5
    KEY = "ret"

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor

    def press(self, seconds: float, bounces: int = 0, times: int = 1, pause: float = 0.2) -> list[Held]:
        if bounces:
            raise ValueError("a button on USB does not bounce")
        held = []
        for number in range(times):
            if number:
                time.sleep(pause)
            close_began, closed = self._move(True)
            time.sleep(seconds)
            open_began, opened = self._move(False)
            held.append(Held(shortest=open_began - closed, longest=opened - close_began))
        return held

    def hold(self) -> None:
        self._move(True)

    def let_go(self) -> None:
        self._move(False)

    def _move(self, down: bool) -> tuple[float, float]:
        """Presses the key or lets it go; the times before and after."""
        before = time.monotonic()
        key = {"type": "qcode", "data": self.KEY}
        self._monitor.ask("input-send-event", events=[{"type": "key", "data": {"down": down, "key": key}}])
        return before, time.monotonic()


class RelayButton:
    """A real button, wired or on USB; a relay of the tester's computer lies across its contact."""

    # A relay pulls in and falls back within 20 ms; the rest is for a hub on USB.
    late = 0.5

    def __init__(self, contact: Switch) -> None:
        self._contact = contact

    def press(self, seconds: float, bounces: int = 0, times: int = 1, pause: float = 0.2) -> list[Held]:
        if bounces:
            raise Lacking("contact that bounces as it is told")
        held = []
        for number in range(times):
            if number:
                time.sleep(pause)
            close_began = time.monotonic()
            self._contact.drive()
            closed = time.monotonic()
            time.sleep(seconds)
            open_began = time.monotonic()
            self._contact.release()
            held.append(Held(shortest=open_began - closed, longest=time.monotonic() - close_began))
        return held

    def hold(self) -> None:
        self._contact.drive()

    def let_go(self) -> None:
        self._contact.release()


ON_BENCH = {"wired": "button", "big": "big-button"}
"""What a bench's file calls a button."""


def button(machine: Machine, name: str) -> Button:
    """The wired button of a machine, or the big one."""
    if isinstance(machine, Bench):
        return RelayButton(machine.contact(ON_BENCH[name]))
    return WiredButton(machine) if name == "wired" else BigButton(machine.monitor)


@dataclass(frozen=True)
class Edge:
    """A change of a button as the kernel stamped it: CLOCK_MONOTONIC in nanoseconds."""

    pressed: bool
    nanoseconds: int


@dataclass(frozen=True)
class Press:
    """Edges that belong to one press; it is still held when `seconds` is None."""

    edges: Sequence[Edge]

    @property
    def seconds(self) -> float | None:
        """From the first contact to the last."""
        if self.edges[-1].pressed:
            return None
        return (self.edges[-1].nanoseconds - self.edges[0].nanoseconds) / 1e9

    def __str__(self) -> str:
        length = "still held" if self.seconds is None else f"{self.seconds:.3f} s"
        return f"{length} with {len(self.edges)} edges"


def presses(edges: Sequence[Edge]) -> list[Press]:
    """Gathers edges into presses: a contact that is open for less than `DEBOUNCE` has not been let go of.

    A release without a press before it, of a button held since before it was watched, is a press of its own.
    """
    gathered: list[list[Edge]] = []
    for edge in edges:
        last = gathered[-1][-1] if gathered else None
        parted = last is None or (
            not last.pressed and edge.pressed and edge.nanoseconds - last.nanoseconds >= DEBOUNCE * 1e9
        )
        if parted:
            gathered.append([])
        gathered[-1].append(edge)
    return [Press(tuple(group)) for group in gathered]


class EdgeLog:
    """Programs in the machine that write down what its kernel reports of a button: gpiomon, and watch-keys."""

    def __init__(self, machine: Machine, button: str) -> None:
        self._machine = machine
        self._button = button
        self._unit = f"rig-watch-{button}"
        self._file = f"/run/{self._unit}"
        self._on_hub: tuple[str, ...] = ("rig", "0") if button == "wired" else ()
        if isinstance(machine, Bench):
            self._on_hub = machine.button_on_hub(ON_BENCH[button])

    def start(self) -> None:
        """Begins to watch; GuestError when the button's line cannot be had."""
        watcher = (
            (f"{PROGRAMS}/watch-keys",)
            if self._button == "big"
            else ("/usr/bin/gpiomon", "--active-low", "--line-buffered", "--format=%e %s %n")
        )
        self._machine.run(
            "/usr/bin/systemd-run",
            "--quiet",
            "--collect",
            f"--unit={self._unit}",
            f"--property=StandardOutput=append:{self._file}",
            *watcher,
            *self._on_hub,
        )

    def stop(self) -> None:
        """Ends the watching; the line is free for others."""
        self._machine.run("/bin/systemctl", "stop", self._unit)

    def is_watching(self) -> bool:
        """Whether the watcher has come so far as to miss no edge."""
        if self._button == "big":
            return self.comings_and_goings()[-1:] == ["plugged"]
        return '"gpiomon"' in self._machine.run("/usr/bin/gpioinfo", self._on_hub[0]).output

    def comings_and_goings(self) -> list[str]:
        """ "plugged" and "unplugged" as the watcher had the device and lost it; of the big button only."""
        return [line for line in self._lines() if line in ("plugged", "unplugged")]

    def edges(self) -> list[Edge]:
        """All edges so far, oldest first."""
        edges = []
        for line in self._lines():
            words = line.split()
            if len(words) == 3:
                edges.append(Edge(words[0] == "1", int(words[1]) * 1_000_000_000 + int(words[2])))
        return edges

    def _lines(self) -> list[str]:
        # A line that is being written has no end yet.
        return self._machine.run("/bin/cat", self._file).output.split("\n")[:-1]
