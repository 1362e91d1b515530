"""The rig's command line; see hardware/rig/README.md."""

import argparse
import os
import signal
import sys
from pathlib import Path

from . import mutations, runner, shell
from .bench import settings
from .house import home_assistant


def main() -> int:
    parser = argparse.ArgumentParser(prog="rig", description="Plays scenarios against Homeward in a virtual machine.")
    parser.add_argument("scenario", nargs="*", help="names of scenarios; all of the suite without")
    parser.add_argument(
        "--suite",
        choices=runner.SUITES,
        default="ci",
        help="ci: at most 15 minutes; full: everything that needs a machine; stories: what --here tells",
    )
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="machines at a time")
    parser.add_argument(
        "--once-more", action="store_true", help="plays what failed a second time, alone; both are told"
    )
    parser.add_argument(
        "--here",
        action="store_true",
        help="tells the stories on this computer, in leaps of time, against the build in HOMEWARD_BUILD",
    )
    parser.add_argument(
        "--home-assistant",
        metavar="PYTHON",
        help="with --here: a real Home Assistant looks on, that of this Python's virtual environment;"
        " what it shows stays in home-assistant.txt of the run's folder",
    )
    parser.add_argument("--list", action="store_true", help="lists the scenarios and what they prove")
    parser.add_argument(
        "--mutations",
        action="store_true",
        help="builds a broken gateway for each of mutations/, and"
        " plays the scenario that has to notice; the arguments are names of mutations",
    )
    parser.add_argument("--shell", action="store_true", help="boots the machine with all devices, for a look around")
    parser.add_argument(
        "--bench", type=Path, metavar="FILE", help="plays on real hardware, as named in FILE; see bench.example.toml"
    )
    arguments = parser.parse_args()
    if arguments.bench is not None and (arguments.shell or arguments.mutations):
        print("On a bench there are scenarios only; for a shell, use ssh.", file=sys.stderr)
        return 2
    if arguments.shell:
        return shell.run()
    if arguments.mutations:
        try:
            return 0 if mutations.run(mutations.mutations(arguments.scenario)) else 1
        except (ValueError, RuntimeError) as error:
            print(error, file=sys.stderr)
            return 2
    try:
        selection = runner.chosen(arguments.scenario, runner.STORIES if arguments.here else arguments.suite)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.list:
        for scenario in selection:
            print(f"{scenario.name}\n  {scenario.title}\n  {scenario.suite}; {' '.join(scenario.requirements)}")
        return 0
    if not selection:
        print("There is no scenario to play.", file=sys.stderr)
        return 2
    jobs = max(1, arguments.jobs)
    if arguments.bench is not None:
        try:
            bench = settings.read(arguments.bench)
        except settings.SettingsError as error:
            print(error, file=sys.stderr)
            return 2
        os.environ["HOMEWARD_RIG_BENCH"] = str(arguments.bench.resolve())
        print(f"On the bench: {bench.destination}.", flush=True)
        # There is one hub.
        jobs = 1
    if arguments.here:
        os.environ["HOMEWARD_RIG_HOUSE"] = "1"
    if arguments.home_assistant:
        os.environ[home_assistant.PYTHON] = arguments.home_assistant
        os.environ["KEEP"] = "1"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        outcomes = runner.run(selection, jobs, arguments.once_more)
    except KeyboardInterrupt:
        print("\nEnded; nothing of it runs any more.", file=sys.stderr)
        return 130
    # A bench that lacks something for every scenario has shown nothing.
    some_passed = any(outcome.passed for outcome in outcomes)
    return 0 if some_passed and not any(outcome.failure for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
