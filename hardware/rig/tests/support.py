"""What the rig's own tests share: proof that a check can fail.

A scenario is worth as much as its checks. Each expecting step is called here with a hub that does not do as expected
(and with one that does), and has to notice. `test_every_check.py` finds steps without such a test.
"""

import importlib.util
import json
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from homeward_rig import paths
from homeward_rig.guest_agent import Completed
from homeward_rig.hub import Hub

shown_to_fail: set[str] = set()
"""Texts of the expecting steps that a test has seen fail."""


def fails(*patterns: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Says which steps a test shows to fail when they should; give each step's text as it stands in its decorator."""

    def mark(test: Callable[..., None]) -> Callable[..., None]:
        shown_to_fail.update(patterns)
        return test

    return mark


def steps(name: str) -> ModuleType:
    """The step functions of scenarios/steps/NAME.py, callable as they are."""
    module = f"rig_steps_{name}"
    if module not in sys.modules:
        specification = importlib.util.spec_from_file_location(module, paths.SCENARIOS / "steps" / f"{name}.py")
        assert specification and specification.loader
        sys.modules[module] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(sys.modules[module])
    return sys.modules[module]


class ScriptedMachine:
    """A machine whose programs print what the test says: for a broken gateway that nobody would build."""

    def __init__(self, outputs: dict[tuple[str, ...], Any]) -> None:
        """`outputs`: beginning of a command to its output; what is no text is printed as JSON; callables are called."""
        self.outputs = outputs

    def run(self, *arguments: str, data: bytes = b"", timeout: float = 60, check: bool = True) -> Completed:
        for length in range(len(arguments), 0, -1):
            if arguments[:length] in self.outputs:
                output = self.outputs[arguments[:length]]
                output = output() if callable(output) else output
                text = output if isinstance(output, str) else json.dumps(output)
                return Completed(arguments, 0, text, "")
        raise AssertionError(f"the test has no output for {arguments}")


EVENTS = ("/usr/bin/homeward", "--json", "events")
STATUS = ("/usr/bin/homeward", "--json", "status")


class CheckTest(unittest.TestCase):
    """A test of steps on a scripted machine."""

    def context(self, outputs: dict[tuple[str, ...], Any] | None = None, folder: Path = Path()) -> SimpleNamespace:
        """The context of a step; its hub answers with `outputs`."""
        machine = ScriptedMachine(outputs or {})
        return SimpleNamespace(stage=SimpleNamespace(machine=machine, hub=Hub(machine), folder=folder))
