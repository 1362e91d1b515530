"""The rig's command line; see hardware/rig/README.md."""

import argparse
import os
import signal
import sys

from . import mutations, runner, shell


def main() -> int:
    parser = argparse.ArgumentParser(prog="rig", description="Plays scenarios against Homeward in a virtual machine.")
    parser.add_argument("scenario", nargs="*", help="names of scenarios; all of the suite without")
    parser.add_argument("--suite", choices=runner.SUITES, default="ci", help="ci: at most 15 minutes; full: everything")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="machines at a time")
    parser.add_argument("--list", action="store_true", help="lists the scenarios and what they prove")
    parser.add_argument("--mutations", action="store_true", help="builds a broken gateway for each of mutations/, and"
                        " plays the scenario that has to notice; the arguments are names of mutations")
    parser.add_argument("--shell", action="store_true", help="boots the machine with all devices, for a look around")
    arguments = parser.parse_args()
    if arguments.shell:
        return shell.run()
    if arguments.mutations:
        try:
            return 0 if mutations.run(mutations.mutations(arguments.scenario)) else 1
        except (ValueError, RuntimeError) as error:
            print(error, file=sys.stderr)
            return 2
    try:
        selection = runner.chosen(arguments.scenario, arguments.suite)
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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        outcomes = runner.run(selection, max(1, arguments.jobs))
    except KeyboardInterrupt:
        print("\nEnded; nothing of it runs any more.", file=sys.stderr)
        return 130
    return 0 if all(outcome.passed for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
