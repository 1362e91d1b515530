"""Proof that scenarios notice a broken gateway: Homeward is built with one thing made wrong; its scenario has to fail.

Each file of `mutations/` names what is changed, and the scenario and the step that have to notice.
"""

import os
import subprocess
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from . import paths, runner

MUTANT = paths.BUILT / "mutant"
"""The changed sources with a build of their own."""


@dataclass(frozen=True)
class Mutation:
    """One change of one source file."""

    name: str
    title: str
    scenario: str
    noticed_by: str
    file: str
    find: str
    replace: str

    def applied(self, source: str) -> str:
        """The source with the change; ValueError when its place is not there exactly once."""
        places = source.count(self.find)
        if places != 1:
            raise ValueError(f"{self.name}: the place to change is found {places} times in {self.file}")
        return source.replace(self.find, self.replace)


def mutations(names: Iterable[str] = ()) -> list[Mutation]:
    """All mutations, or those of these names; ValueError for a name that is not there."""
    found = {}
    for file in sorted(paths.MUTATIONS.glob("*.toml")):
        content = tomllib.loads(file.read_text())
        found[file.stem] = Mutation(
            file.stem,
            content["title"],
            content["scenario"],
            content["noticed-by"],
            content["file"],
            content["find"],
            content["replace"],
        )
    if unknown := [name for name in names if name not in found]:
        raise ValueError(f"There is no mutation {', '.join(unknown)}. There are: {', '.join(found)}.")
    return [found[name] for name in names] if names else list(found.values())


def run(selection: list[Mutation]) -> bool:
    """Builds each mutant and plays its scenario; prints a table; whether every one was noticed where it should be."""
    width = max(len(mutation.name) for mutation in selection)
    print(f"{'mutation':<{width}}  result       seconds  scenario", flush=True)
    _copy_sources()
    noticed = 0
    remarks = []
    for mutation in selection:
        began = time.monotonic()
        layer = _build(mutation)
        scenario = runner.chosen([mutation.scenario], "full")[0]
        outcome = runner.play(scenario, paths.BUILT / "mutant-runs", {"HOMEWARD_RIG_LAYER": str(layer)})
        is_noticed = not outcome.passed and mutation.noticed_by in outcome.failure
        noticed += is_noticed
        word = "noticed" if is_noticed else "NOT NOTICED"
        print(f"{mutation.name:<{width}}  {word:<11}  {time.monotonic() - began:7.1f}  {mutation.scenario}", flush=True)
        remarks.append(f"{mutation.name}: {mutation.title}\n  {outcome.failure or 'the scenario passed'}")
    print()
    print("\n".join(remarks))
    print(f"\n{len(selection)} mutations: {noticed} noticed, {len(selection) - noticed} not.", flush=True)
    return noticed == len(selection)


def _copy_sources() -> None:
    """Brings the mutant's sources to the state of the repository; unchanged files keep their times, for the build."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=paths.REPOSITORY,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    wanted = {name for name in listed if name and (paths.REPOSITORY / name).is_file()}
    for name in sorted(wanted):
        _write(MUTANT / name, (paths.REPOSITORY / name).read_bytes(), os.access(paths.REPOSITORY / name, os.X_OK))
    for file in MUTANT.rglob("*"):
        relative = file.relative_to(MUTANT)
        if file.is_file() and relative.parts[0] != ".build" and str(relative) not in wanted:
            file.unlink()


def _build(mutation: Mutation) -> Path:
    """A layer with the mutant's release build; the sources are put right again afterwards."""
    source = MUTANT / mutation.file
    right = source.read_bytes()
    layer = paths.BUILT / f"{mutation.name}.squashfs"
    log = paths.BUILT / f"{mutation.name}.log"
    _write(source, mutation.applied(right.decode()).encode())
    try:
        with open(log, "wb") as output:
            for command in (
                ["make", "release"],
                [str(paths.RIG / "machine" / "layer"), f"{MUTANT}/.build/release", str(layer)],
            ):
                subprocess.run(command, cwd=MUTANT, check=True, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"{mutation.name} could not be built, see {log}") from error
    finally:
        _write(source, right)
    return layer


def _write(file: Path, content: bytes, is_program: bool = False) -> None:
    if file.is_file() and file.read_bytes() == content:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    file.chmod(0o755 if is_program else 0o644)
