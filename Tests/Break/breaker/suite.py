"""Makes the attacks, two at a time, and tells what came of them."""

import argparse
import os
import shutil
import signal
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from . import sandbox
from .judgement import Attack, Ground, NotRun, Outcome, chosen, closing, table

SEED = 20261123


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="make break", description="Attacks a real gateway on this computer, and counts what withstood."
    )
    made.add_argument("attack", nargs="*", help="names, or numbers of findings such as F7; all without")
    made.add_argument("--programs", type=Path, metavar="DIR", help="the build to attack; .build/release without")
    made.add_argument("--short", action="store_true", help="fewer tries of each kind, in about two minutes")
    made.add_argument("--seed", type=int, default=SEED, help=f"what chance is made from; {SEED} unless set")
    made.add_argument("--jobs", type=int, default=2, help="attacks at a time; 2 unless set")
    made.add_argument("--list", action="store_true", help="names the attacks and what they can find")
    made.add_argument("--keep", action="store_true", help="keeps the folders of attacks that found nothing, too")
    return made


def main() -> int:
    arguments = parser().parse_args()
    if arguments.programs is not None:
        # Read once, when the house's parts are imported.
        os.environ["HOMEWARD_BUILD"] = str(arguments.programs.resolve())
    else:
        default = Path(__file__).resolve().parents[3] / ".build" / "release"
        os.environ.setdefault("HOMEWARD_BUILD", str(default))
    from . import attacks  # noqa: F401

    try:
        selection = chosen(arguments.attack)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.list:
        for one in selection:
            print(f"{one.name:24} {' '.join(one.numbers):16} {one.title}")
        return 0
    if not sandbox.is_inside():
        sandbox.enter(sys.argv[1:], Path(os.environ["HOMEWARD_BUILD"]))
    # The first process of a namespace ends by the signals that it has a word for, and everything in it ends with it.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
    sandbox.raise_loopback()
    return run(selection, arguments)


def run(selection: list[Attack], arguments: argparse.Namespace) -> int:
    """Makes the attacks and prints what came of them; gives the exit code."""
    began = time.monotonic()
    folder = sandbox.folder()
    print(f"Attacking the gateway in {os.environ['HOMEWARD_BUILD']}, seed {arguments.seed}.", flush=True)
    outcomes: dict[str, Outcome] = {}
    try:
        with ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
            tasks = {
                pool.submit(perform, one, folder, arguments.seed, arguments.short, arguments.keep): one
                for one in selection
            }
            for done in as_completed(tasks):
                outcome = done.result()
                outcomes[outcome.name] = outcome
                word = "FAILED" if outcome.failed else "not run" if outcome.not_run else "withstood"
                print(f"{word:9}  {outcome.name:24} {outcome.seconds:6.1f} s  {outcome.tried}", flush=True)
    except KeyboardInterrupt:
        os._exit(130)
    told = [outcomes[one.name] for one in selection]
    print(f"\n{table(told)}\n\n{closing(told, time.monotonic() - began)}")
    if any(outcome.failed for outcome in told) or arguments.keep:
        print(f"What was left is in {folder}.")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if any(outcome.failed for outcome in told) else 0


def perform(attack: Attack, base: Path, seed: int, is_short: bool, keeps: bool) -> Outcome:
    """Makes one attack; what goes wrong in it is told, and never ends the others."""
    began = time.monotonic()
    folder = base / attack.name
    folder.mkdir()
    ground = Ground(attack.name, folder, seed, is_short, base)
    outcome = Outcome(attack.name)
    try:
        with ground.afterwards:
            attack.perform(ground)
    except NotRun as error:
        outcome.not_run, outcome.is_allowed = str(error), error.is_allowed
    except Exception as error:
        (folder / "traceback.txt").write_text(traceback.format_exc())
        outcome.not_run = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    outcome.counts, outcome.findings = ground.counts, ground.findings
    outcome.seconds = time.monotonic() - began
    if not outcome.counts and not outcome.findings and not outcome.not_run:
        outcome.not_run = "it tried nothing"
    if not outcome.failed and not keeps:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome
