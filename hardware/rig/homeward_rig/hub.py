"""Homeward on its hub, as its owner sees it: through the command line."""

import json
import re
import time
from datetime import datetime
from typing import Any, Protocol

from .guest_agent import Completed, GuestError


def seconds_of(time: str) -> float:
    """Seconds since 1970 of a time as Homeward writes it, such as 2026-11-20T17:43:42.383Z."""
    return datetime.fromisoformat(time).timestamp()


class Machine(Protocol):
    """Something that programs can be run on."""

    def run(self, *arguments: str, data: bytes = b"", timeout: float = 60, check: bool = True) -> Completed: ...


class Hub:
    """The command line of Homeward on a machine, and a place in its journal that a story has come to."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.seen = 0
        """Sequence number of the last event that the story has spoken of."""

    def homeward(self, *arguments: str, timeout: float = 60) -> Any:
        """Runs a command and gives its JSON; GuestError with its words when it fails."""
        output = self.machine.run("/usr/bin/homeward", "--json", *arguments, timeout=timeout).output
        return json.loads(output) if output.strip() else None

    def await_homeward(self, seconds: float = 180) -> None:
        """Waits until the daemon answers; GuestError with its log when it does not."""
        end = time.monotonic() + seconds
        while self.machine.run("/usr/bin/homeward", "--json", "status", check=False).status != 0:
            if time.monotonic() > end:
                raise GuestError(f"Homeward does not answer after {seconds:g} s:\n{self.log()[-4000:]}")
            time.sleep(0.5)

    def log(self, words: str = "") -> str:
        """What the daemon has told the machine's log, or those lines of it that hold some words."""
        only = [f"--grep={re.escape(words)}", "--case-sensitive=true"] if words else []
        return self.machine.run("/bin/journalctl", "--unit=homeward", "--no-pager", *only, check=False).output

    def early_alarms(self) -> set[str]:
        """Identities of the alarms that went out from memory, because the disk did not take them in time."""
        return set(re.findall(r"alarm (\S+) goes out before the disk has it", self.log()))

    def status(self) -> dict[str, Any]:
        return self.homeward("status")

    def component(self, name: str) -> dict[str, Any] | None:
        """State of one part, such as "gps/gps"; None when the hub knows of none."""
        return next((part for part in self.status()["components"] if part["component"] == name), None)

    def resident(self, name: str) -> dict[str, Any] | None:
        """What is known of somebody now; None when nobody of that name is looked after."""
        return next((person for person in self.status()["residents"] if person["name"] == name), None)

    def new_events(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Events that the story has not spoken of yet, oldest first, each with its `sequence`; of one type, or all."""
        arguments = ("--type", kind) if kind else ()
        events = self.homeward("events", *arguments, "--limit", "500")
        return [entry for entry in reversed(events) if entry["sequence"] > self.seen]

    def speak_of(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Marks an event as spoken of, and everything before it; gives the event."""
        self.seen = max(self.seen, entry["sequence"])
        return entry
