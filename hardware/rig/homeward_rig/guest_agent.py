"""Runs programs in the virtual machine through QEMU's guest agent."""

import base64
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .json_lines import JSONLines


class GuestError(Exception):
    """A program in the machine failed, or the machine did not answer."""


@dataclass(frozen=True)
class Completed:
    """What a program left behind."""

    arguments: tuple[str, ...]
    status: int
    output: str
    errors: str


class GuestAgent:
    """The machine's guest agent; see the QEMU Guest Agent Protocol Reference."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = JSONLines(path)
        # Counted over all waits: an answer to one that was given up would be taken for that to the next.
        self._questions = 0

    def wait(self, timeout: float) -> None:
        """Waits until the agent answers; GuestError when it does not in time."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self._questions += 1
            number = self._questions
            try:
                self._lines.send({"execute": "guest-sync", "arguments": {"id": number}})
                # Nobody reads before the agent is there, and some 70 questions fill the line: one in 5 s is enough.
                left = max(0.1, end - time.monotonic())
                while self._lines.receive(min(5, left)).get("return") != number:
                    pass
                return
            except TimeoutError:
                continue
        raise GuestError(f"the machine did not start within {timeout:g} s")

    def _ask(self, command: str, **arguments: Any) -> Any:
        self._lines.send({"execute": command, "arguments": arguments})
        try:
            answer = self._lines.receive(30)
        except TimeoutError:
            raise GuestError(f"the machine does not answer ({command})") from None
        if "error" in answer:
            raise GuestError(f"{command}: {answer['error'].get('desc')}")
        return answer.get("return")

    def run(self, *arguments: str, data: bytes = b"", timeout: float = 60, check: bool = True) -> Completed:
        """Runs a program to its end; GuestError when it fails, unless `check` is off, or takes more than `timeout`."""
        process = self._ask(
            "guest-exec",
            path=arguments[0],
            arg=list(arguments[1:]),
            **{"capture-output": True},
            **({"input-data": base64.b64encode(data).decode()} if data else {}),
        )["pid"]
        end = time.monotonic() + timeout
        pause = 0.02
        while not (state := self._ask("guest-exec-status", pid=process))["exited"]:
            if time.monotonic() > end:
                self._ask("guest-exec", path="/bin/kill", arg=["-KILL", str(process)])
                raise GuestError(f"{' '.join(arguments)}: still running after {timeout:g} s")
            time.sleep(pause)
            pause = min(0.2, pause * 1.5)
        status = state["exitcode"] if "exitcode" in state else -state.get("signal", 0)
        completed = Completed(arguments, status, _text(state, "out-data"), _text(state, "err-data"))
        if check and status != 0:
            raise GuestError(
                f"{' '.join(arguments)}: exit code {status}\n{completed.output}{completed.errors}".rstrip()
            )
        return completed

    def close(self) -> None:
        self._lines.close()


def _text(state: dict[str, Any], key: str) -> str:
    return base64.b64decode(state.get(key, "")).decode(errors="replace")
