"""The power switch: cutting it at a chosen moment, and playing through the cuts that a recorded run could have had."""

import os
import random
import shutil
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from .block_log import BLOCK, SECTOR, BlockLog, Cut, Replay, build
from .disk_check import Verdict, check
from .promises import Promises, drop_unfinished_line, lines, marks
from .virtual_machine import Disk, VirtualMachine

SEED = int(os.environ.get("SEED", "1"))
"""Draws the moments of cuts and what survives them; another one plays other cuts."""


def cut_power(machine: VirtualMachine, seed: int) -> Cut:
    """Cuts the power, and puts the disk as the cut left it into the machine, which is off; gives the cut.

    Of the disk's cache a part survives that `seed` draws: any sector of it, or none.
    """
    machine.cut_power()
    disk = machine.disk
    assert disk is not None, "the machine was never on"
    drop_unfinished_line(machine.acknowledged)
    log = BlockLog(disk.log)
    cut = _drawn(random.Random(seed), len(log.entries))
    left = machine.folder / f"cut-{machine.boots}.img"
    build(disk.base, log, cut, left)
    machine.insert_disk(left)
    return cut


def _drawn(lottery: random.Random, entries: int) -> Cut:
    """A cut there: in one of five nothing of the cache survives, in two pieces of 4 KiB do, in two single sectors."""
    piece = lottery.choice((None, BLOCK, BLOCK, SECTOR, SECTOR))
    if piece is None:
        return Cut(entries)
    return Cut(entries, lottery.getrandbits(32), piece, lottery.choice((0.1, 0.5, 0.9)))


@dataclass
class Loss:
    """A power cut after which something was wrong, and what is needed to see it again."""

    log: Path
    cut: Cut
    verdict: Verdict

    def __str__(self) -> str:
        return f"{self.log.name}, {self.cut}: {self.verdict}"


@dataclass
class Tally:
    """What many power cuts did."""

    cuts: int = 0
    places: int = 0
    """Different entries of the records that were cut after."""
    promised: int = 0
    """Promises that were given in the whole run."""
    compared: int = 0
    """Promises looked for, over all cuts."""
    unmountable: list[Loss] = field(default_factory=list)
    """Cuts after which the file system was not whole."""
    losses: list[Loss] = field(default_factory=list)
    """Cuts after which Homeward had lost something, or had it damaged or twice."""

    def __str__(self) -> str:
        return (
            f"{self.cuts:,} power cuts at {self.places:,} places, {self.promised:,} promises, "
            f"{self.compared:,} looked for, {len(self.losses):,} cuts with a loss, "
            f"{len(self.unmountable):,} with a broken file system"
        )


@dataclass(frozen=True)
class _Share:
    """Cuts of one record, in order, for one process: each with the number of promises given by then."""

    disk: Disk
    cuts: Sequence[tuple[Cut, int]]
    acknowledged: Path
    scratch: Path


def play_cuts(disks: Sequence[Disk], acknowledged: Path, number: int, seed: int) -> Tally:
    """Plays `number` power cuts at random places of recorded runs, checks each disk, and says what was found.

    `disks` are the runs one after the other, `acknowledged` the promises of all of them.
    """
    lottery = random.Random(seed)
    logs = [BlockLog(disk.log) for disk in disks]
    places = [(run, entries) for run, log in enumerate(logs) for entries in range(1, len(log.entries) + 1)]
    if not places:
        raise ValueError("nothing was recorded")
    drawn = sorted(lottery.choices(places, k=number))
    by_run: dict[int, list[tuple[Cut, int]]] = {run: [] for run in range(len(disks))}
    given = _promises_given(disks, logs)
    for run, entries in drawn:
        by_run[run].append((_drawn(lottery, entries), given[run][entries]))
    tally = Tally(number, len(set(drawn)), len(lines(acknowledged)))
    tally.compared = sum(count for cuts in by_run.values() for _, count in cuts)
    scratch = Path(tempfile.mkdtemp(prefix="homeward-cuts.", dir=_fast_folder()))
    try:
        shares = [
            _Share(disks[run], cuts[start : start + 50], acknowledged, scratch)
            for run, cuts in by_run.items()
            for start in range(0, len(cuts), 50)
        ]
        # Not forked from a program that may have threads.
        with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
            for found in pool.map(_play_share, shares):
                for loss in found:
                    (tally.unmountable if loss.verdict.unmountable else tally.losses).append(loss)
    finally:
        shutil.rmtree(scratch)
    return tally


def _promises_given(disks: Sequence[Disk], logs: Sequence[BlockLog]) -> list[list[int]]:
    """For each run, how many promises had been given after so many entries."""
    given = []
    count = 0
    for disk, log in zip(disks, logs, strict=True):
        rising = dict(marks(log, disk.base.stat().st_size))
        after = [count]
        for index in range(len(log.entries)):
            count = max(count, rising.get(index, 0))
            after.append(count)
        given.append(after)
    return given


def _play_share(share: _Share) -> list[Loss]:
    """Plays one process's cuts; gives those after which something was wrong."""
    found = []
    log = BlockLog(share.disk.log)
    promised = lines(share.acknowledged)
    so_far = Promises()
    with tempfile.TemporaryDirectory(dir=share.scratch) as name:
        folder = Path(name)
        replay = Replay(share.disk.base, log, folder / "certain.img")
        for cut, count in share.cuts:
            for line in promised[so_far.count : count]:
                so_far.add(line)
            replay.make(cut, folder / "cut.img")
            verdict = check(folder / "cut.img", so_far, folder)
            if not verdict.is_good:
                found.append(Loss(share.disk.log, cut, verdict))
        replay.close()
    return found


def _fast_folder() -> str | None:
    """Memory, where there is enough of it; disks are made there by the thousand."""
    memory = Path("/dev/shm")
    try:
        return str(memory) if shutil.disk_usage(memory).free > 1 << 30 else None
    except OSError:
        return None
