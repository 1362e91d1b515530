"""Runs scenarios, each with a machine of its own, and says how they went."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
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
        return sorted(tag for tag in self.tags if re.fullmatch(r"[A-Z]+-\d+", tag))

    @property
    def is_long(self) -> bool:
        return "long" in self.tags

    @property
    def is_quick(self) -> bool:
        return "quick" in self.tags

    @property
    def suite(self) -> str:
        return next((suite for suite in ("ci", STORIES) if suite in self.tags), "full")

    @property
    def is_story(self) -> bool:
        """Whether it can be told on this computer, without a machine."""
        return bool(self.tags & {STORIES, "here"})


STORIES = "stories"
"""The suite of those that are told on this computer: their own, and those of the machine that need no machine."""
SUITES = ("ci", "full", STORIES)


@dataclass(frozen=True)
class Outcome:
    """How a scenario went."""

    scenario: Scenario
    passed: bool
    seconds: float
    failure: str
    folder: Path
    skipped: str = ""
    """Why it was not played, in words: what a bench lacks for it; it has neither passed nor failed then."""
    first_failure: str = ""
    """Where it failed beside another machine, before it was played once more alone."""


def scenarios() -> list[Scenario]:
    """All scenarios, by name."""
    found = []
    for file in sorted(paths.SCENARIOS.glob("*.feature")):
        text = file.read_text()
        title = re.search(r"^Feature:\s*(.+)$", text, re.MULTILINE)
        tags = frozenset(re.findall(r"@(\S+)", text.split("Feature:")[0]))
        found.append(Scenario(file.stem, file, title.group(1) if title else "", tags))
    return found


def chosen(names: list[str], suite: str) -> list[Scenario]:
    """The scenarios of these names, or of a suite; ValueError with all names for one that is not there."""
    everything = scenarios()
    if names:
        known = {scenario.name: scenario for scenario in everything}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(f"There is no scenario {', '.join(unknown)}. There are: {', '.join(known)}.")
        return [known[name] for name in names]
    if suite == STORIES:
        return [scenario for scenario in everything if scenario.is_story]
    return [scenario for scenario in everything if scenario.suite in ("ci", suite)]


MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""
LONGEST_SECONDS = 3600
"""A scenario that takes longer has hung."""


def play(scenario: Scenario, runs: Path = paths.RUNS, environment: dict[str, str] | None = None) -> Outcome:
    """Plays one scenario; its folder stays if it failed. Whatever it started has ended afterwards."""
    folder = runs / scenario.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began = time.monotonic()
    # Of a story on this computer nothing outlives it, and a slow disk would only make it longer.
    memory = MEMORY if os.environ.get("HOMEWARD_RIG_HOUSE") and MEMORY.is_dir() else None
    with open(folder / "story.log", "wb") as log, tempfile.TemporaryDirectory(prefix="rig.", dir=memory) as temporary:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "behave",
                "--no-color",
                "--no-capture",
                "--no-capture-stderr",
                "--no-logcapture",
                "--format=plain",
                "--outfile=-",
                "--format=json",
                f"--outfile={folder}/story.json",
                str(scenario.file),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=paths.SCENARIOS,
            start_new_session=True,
            env={
                **os.environ,
                **(environment or {}),
                "PYTHONPATH": str(paths.RIG),
                "HOMEWARD_RIG_RUN": str(folder),
                "PYTHONDONTWRITEBYTECODE": "1",
                "TMPDIR": temporary,
            },
        )
        _playing.add(process.pid)
        try:
            status = process.wait(LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            # The story, its peers and its machines are one process group.
            _end(process.pid)
            process.wait()
    skipped = (folder / "skipped").read_text() if (folder / "skipped").exists() else ""
    if status == 0:
        reason = ""
    elif status is None:
        reason = f"it was still playing after {LONGEST_SECONDS} s; the last words of story.log say where"
    else:
        reason = failure(folder)
    passed = status == 0 and not skipped
    outcome = Outcome(scenario, passed, time.monotonic() - began, reason, folder, "" if reason else skipped)
    if not reason and not os.environ.get("KEEP"):
        shutil.rmtree(folder)
    return outcome


_playing: set[int] = set()


def _end(group: int) -> None:
    _playing.discard(group)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def end_all() -> None:
    """Ends what still plays, when the runner itself is ended."""
    for group in list(_playing):
        _end(group)


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
                    message = result.get("error_message", "") or error(folder)
                    lines = [message] if isinstance(message, str) else message
                    words = " ".join(" ".join(lines).split())
                    return f"{step['keyword']} {step['name']}: {words[:400] or result.get('status')}"
    tail = (folder / "story.log").read_text(errors="replace").strip().splitlines()[-1:]
    return tail[0] if tail else "it ended without a word"


def error(folder: Path) -> str:
    """What went wrong in a step that found no fault but could not be carried out; behave's report leaves it out."""
    try:
        return (folder / "error").read_text()
    except OSError:
        return ""


def _as_completed(pool: ThreadPoolExecutor, pending: list[Future[Outcome]]) -> Iterator[Future[Outcome]]:
    try:
        yield from as_completed(pending)
    except BaseException:
        # Ctrl-C, or the end of the whole: nothing more begins, and what plays ends.
        pool.shutdown(wait=False, cancel_futures=True)
        end_all()
        raise


def _once_more(first: Outcome) -> Outcome:
    """Plays a scenario that failed again, with nothing beside it; what the first try left behind stays."""
    kept = first.folder.with_name(f"{first.folder.name}.first")
    shutil.rmtree(kept, ignore_errors=True)
    first.folder.rename(kept)
    return replace(play(first.scenario), first_failure=f"{first.failure}\n  left behind: {kept}")


def _print_line(outcome: Outcome, width: int) -> None:
    word = "passed" if outcome.passed else "skipped" if outcome.skipped else "FAILED"
    proves = outcome.skipped or " ".join(outcome.scenario.requirements)
    print(f"{outcome.scenario.name:<{width}}  {word:<7} {outcome.seconds:7.1f}  {proves}", flush=True)


def run(selection: list[Scenario], jobs: int, once_more: bool = False) -> list[Outcome]:
    """Plays scenarios, `jobs` at a time, and prints each as it ends, a table and the closing count.

    With `once_more`, one that failed is played a second time, alone: on a small machine two machines beside each other
    are late now and then. Its first failure is printed all the same.
    """
    began = time.monotonic()
    width = max(len(scenario.name) for scenario in selection)
    outcomes: list[Outcome] = []
    # With machines beside each other the long stories begin at once; one after the other, they come last. Before the
    # others come the quick ones, so that something is seen soon.
    selection = sorted(selection, key=lambda scenario: (scenario.is_long == (jobs == 1), not scenario.is_quick))
    print(f"{'scenario':<{width}}  result  seconds  proves", flush=True)
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        pending = [pool.submit(play, scenario) for scenario in selection]
        for done in _as_completed(pool, pending):
            outcome = done.result()
            outcomes.append(outcome)
            _print_line(outcome, width)
    if once_more:
        for place, first in enumerate(outcomes):
            if first.failure:
                print(f"once more, alone: {first.scenario.name}", flush=True)
                outcomes[place] = _once_more(first)
                _print_line(outcomes[place], width)
    for outcome in outcomes:
        if outcome.first_failure:
            print(f"\n{outcome.scenario.name} failed the first time at\n  {outcome.first_failure}")
        if outcome.failure:
            print(
                f"\n{outcome.scenario.name} failed at\n  {outcome.failure}\n"
                f"  logs, sound, radio and disk: {outcome.folder}"
            )
    passed = sum(outcome.passed for outcome in outcomes)
    skipped = sum(bool(outcome.skipped) for outcome in outcomes)
    late = sum(outcome.passed and bool(outcome.first_failure) for outcome in outcomes)
    second = f" ({late} at the second try)" if late else ""
    print(
        f"\n{len(outcomes)} scenarios: {passed} passed{second}, {len(outcomes) - passed - skipped} failed, "
        f"{f'{skipped} skipped, ' if skipped else ''}in {time.monotonic() - began:.0f} s.",
        flush=True,
    )
    return outcomes
