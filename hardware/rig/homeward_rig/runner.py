"""Runs scenarios, each with a machine of its own, and says how they went."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from . import paths


@dataclass(frozen=True)
class Scenario:
    """A file of `scenarios/`: its name is the file's, its tags are its suite and the requirements that it proves."""

    name: str
    file: Path
    title: str
    tags: frozenset[str]

    @property
    def requirements(self) -> list[str]:
        return sorted(tag for tag in self.tags if tag not in SUITES)

    @property
    def suite(self) -> str:
        return "ci" if "ci" in self.tags else "full"


SUITES = ("ci", "full")


@dataclass(frozen=True)
class Outcome:
    """How a scenario went."""

    scenario: Scenario
    passed: bool
    seconds: float
    failure: str
    folder: Path


def scenarios() -> list[Scenario]:
    """All scenarios, the quickest to answer first: `@first` beats the alphabet."""
    found = []
    for file in sorted(paths.SCENARIOS.glob("*.feature")):
        text = file.read_text()
        title = re.search(r"^\s*Scenario:\s*(.+)$", text, re.MULTILINE)
        tags = frozenset(re.findall(r"@(\S+)", text.split("Feature:")[0]))
        found.append(Scenario(file.stem, file, title.group(1) if title else "", tags))
    return found


def chosen(names: list[str], suite: str) -> list[Scenario]:
    """The scenarios of these names, or of a suite; ValueError with the nearest names for one that is not there."""
    everything = scenarios()
    if names:
        known = {scenario.name: scenario for scenario in everything}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(f"There is no scenario {', '.join(unknown)}. There are: {', '.join(known)}.")
        return [known[name] for name in names]
    return [scenario for scenario in everything if suite == "full" or scenario.suite == "ci"]


def play(scenario: Scenario, runs: Path = paths.RUNS, environment: dict[str, str] | None = None) -> Outcome:
    """Plays one scenario; its folder stays if it failed."""
    folder = runs / scenario.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began = time.monotonic()
    with open(folder / "story.log", "wb") as log:
        process = subprocess.run(
            [sys.executable, "-m", "behave", "--no-color", "--no-capture", "--no-capture-stderr", "--no-logcapture",
             "--format=plain", "--outfile=/dev/stdout", "--format=json", f"--outfile={folder}/story.json",
             str(scenario.file)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=paths.SCENARIOS,
            env={**os.environ, **(environment or {}), "PYTHONPATH": str(paths.RIG), "HOMEWARD_RIG_RUN": str(folder),
                 "PYTHONDONTWRITEBYTECODE": "1"},
        )
    passed = process.returncode == 0
    outcome = Outcome(scenario, passed, time.monotonic() - began, "" if passed else failure(folder), folder)
    if passed and not os.environ.get("KEEP"):
        shutil.rmtree(folder)
    return outcome


def failure(folder: Path) -> str:
    """The step that failed and why, on one line."""
    try:
        features = json.loads((folder / "story.json").read_text())
    except (OSError, ValueError):
        features = []
    for feature in features:
        for element in feature.get("elements", []):
            for step in element.get("steps", []):
                result = step.get("result", {})
                if result.get("status") not in ("passed", None):
                    message = result.get("error_message", "")
                    lines = [message] if isinstance(message, str) else message
                    words = " ".join(" ".join(lines).split())
                    return f"{step['keyword']} {step['name']}: {words[:400] or result.get('status')}"
    tail = (folder / "story.log").read_text(errors="replace").strip().splitlines()[-1:]
    return tail[0] if tail else "it ended without a word"


def run(selection: list[Scenario], jobs: int, show_progress: bool = True) -> list[Outcome]:
    """Plays scenarios, `jobs` at a time, and prints each as it ends, a table and the closing count."""
    began = time.monotonic()
    width = max(len(scenario.name) for scenario in selection)
    outcomes: list[Outcome] = []
    print(f"{'scenario':<{width}}  result  seconds  proves", flush=True)
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        pending = [pool.submit(play, scenario) for scenario in selection]
        for done in as_completed(pending):
            outcome = done.result()
            outcomes.append(outcome)
            word = "passed" if outcome.passed else "FAILED"
            proves = " ".join(outcome.scenario.requirements)
            print(f"{outcome.scenario.name:<{width}}  {word}  {outcome.seconds:7.1f}  {proves}", flush=True)
    for outcome in outcomes:
        if not outcome.passed:
            print(f"\n{outcome.scenario.name} failed at\n  {outcome.failure}\n  logs, sound, radio and disk: {outcome.folder}")
    passed = sum(outcome.passed for outcome in outcomes)
    print(f"\n{len(outcomes)} scenarios: {passed} passed, {len(outcomes) - passed} failed, "
          f"in {time.monotonic() - began:.0f} s.", flush=True)
    return outcomes
