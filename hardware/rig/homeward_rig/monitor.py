"""The emulator's monitor (QEMU Machine Protocol): unplugging, keys of the keyboard, the network's plug."""

from pathlib import Path
from typing import Any

from .json_lines import JSONLines


class MonitorError(Exception):
    """The emulator refused a command."""


class Monitor:
    """A connection to QEMU's monitor socket."""

    def __init__(self, path: Path) -> None:
        self._lines = JSONLines(path)
        self._lines.receive(10)
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: Any) -> Any:
        """Carries a command out and gives its result; events that come between are passed over."""
        self._lines.send({"execute": command, "arguments": arguments})
        while True:
            answer = self._lines.receive(30)
            if "error" in answer:
                raise MonitorError(f"{command}: {answer['error'].get('desc')}")
            if "return" in answer:
                return answer["return"]

    def ask_and_await(self, command: str, event: str, **arguments: Any) -> None:
        """Carries a command out and waits for the event that says that it has happened."""
        self._lines.send({"execute": command, "arguments": arguments})
        returned = happened = False
        while not (returned and happened):
            answer = self._lines.receive(30)
            if "error" in answer:
                raise MonitorError(f"{command}: {answer['error'].get('desc')}")
            returned = returned or "return" in answer
            happened = happened or answer.get("event") == event

    def close(self) -> None:
        self._lines.close()
