"""The family that changes places all day (guest/acknowledger): starting it, and what Homeward must know afterwards."""

from collections.abc import Sequence
from typing import Any

from .promises import Promises, lines, promises
from .virtual_machine import VirtualMachine

# As in guest/acknowledger.
WINDOW = 16
ALARM_EVERY = 10
PLACES = 500
UNIT = "rig-acknowledger"


def start(machine: VirtualMachine, rate: float) -> None:
    """Starts the family in the machine, where the last boot left off; `rate` in changes a second, if that many go.

    What was asked for and not answered before a power cut is asked for again.
    """
    given = promises(lines(machine.acknowledged))
    # That far the last boot may have asked.
    first = max(given.places, default=0) + WINDOW + 1 if given.places else 1
    again = ",".join(str(number) for number in range(1, first) if number not in given.places)
    machine.run(
        "/usr/bin/systemd-run",
        "--quiet",
        "--collect",
        f"--unit={UNIT}",
        "/usr/lib/homeward-rig/acknowledger",
        f"--first={first}",
        f"--promises={given.count}",
        f"--again={again}",
        f"--rate={rate:g}",
    )


def stop(machine: VirtualMachine) -> None:
    """Ends the family."""
    machine.run("/bin/systemctl", "stop", UNIT, check=False)


def forgotten(given: Promises, bookmarks: Sequence[dict[str, Any]], zones: Sequence[dict[str, Any]]) -> list[str]:
    """What Homeward no longer knows of the places that it promised; a later change than the promised one is fine.

    `bookmarks` and `zones` as the command line lists them.
    """
    known = {bookmark["id"]: bookmark["name"] for bookmark in (*bookmarks, *zones)}
    last: dict[str, int] = {}
    for number in sorted(given.places):
        last["market" if number % ALARM_EVERY == 0 else f"place-{number % PLACES}"] = number
    wrong = []
    for identity, number in last.items():
        name = known.get(identity)
        if name is None or int(name.removeprefix("Place ")) < number:
            wrong.append(f"{identity} should be at least Place {number} and is {name or 'gone'}")
    return wrong
