"""Whether programs are at rest: every thread of theirs sleeps, and none has run since one looked last."""

import time
from pathlib import Path

REST_SECONDS = 0.003
"""Rest that lasts so long is rest."""
PATIENCE_SECONDS = 20.0
"""A program that never rests is not waited for any longer. On a busy computer one that only works is."""


def _threads(process: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return []


def descendants(process: int) -> list[int]:
    """Process ids of children and theirs."""
    found = []
    for thread in _threads(process):
        try:
            children = (thread / "children").read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            found += [child, *descendants(child)]
    return found


RESTLESS = ("homeward-audio",)
"""Threads that work as long as something sounds, and for nothing else."""


def activity(processes: list[int]) -> tuple[bool, int]:
    """Whether all threads sleep but those of the sound, and how often they have been woken in all."""
    is_asleep, woken = True, 0
    for process in processes:
        for thread in _threads(process):
            try:
                status = (thread / "status").read_text()
            except OSError:
                continue
            fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
            if fields.get("Name") in RESTLESS:
                continue
            is_asleep = is_asleep and fields.get("State", "S")[0] in "SZX"
            woken += int(fields.get("voluntary_ctxt_switches", 0)) + int(fields.get("nonvoluntary_ctxt_switches", 0))
    return is_asleep, woken


def await_rest(processes: list[int]) -> bool:
    """Waits until these programs rest; false when they do not within `PATIENCE_SECONDS`."""
    end = time.monotonic() + PATIENCE_SECONDS
    before = activity(processes)
    while time.monotonic() < end:
        time.sleep(REST_SECONDS)
        now = activity(processes)
        if now == before and now[0]:
            return True
        before = now
    return False
