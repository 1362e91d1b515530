"""Bytes of files that flip on a disk while the machine is off, as a worn memory card does it.

The file system does not notice: its own checksums cover what it keeps of files, not what is in them. Nothing is
mounted, and nobody needs to be root.
"""

import os
import random
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Beliefs = dict[str, list[dict[str, Any]]]
"""What a hub knows, by kind, as its commands print it."""

# Where Debian keeps the tools of file systems, which is not in everybody's path.
_ENVIRONMENT = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}


@dataclass(frozen=True)
class Flip:
    """One byte that is not what was written."""

    file: str
    """The name of the file, from the root of the disk."""
    place: int
    """Which byte of the file, from 0."""
    mask: int
    """The bits that changed, 1 to 255."""

    def __str__(self) -> str:
        return f"byte {self.place} of {self.file} by {self.mask:#04x}"


class FlipError(Exception):
    """A disk on which nothing could be flipped."""


def flip(image: Path, names: Sequence[str], count: int, seed: int) -> list[Flip]:
    """Flips `count` bytes in files of an ext4 image, the same for the same seed; a longer file is hit more often.

    Files that are not there or empty are left out. Raises FlipError when none is left. What a power cut left in the
    file system's journal is put in its place first, as the next start of the machine would do.
    """
    subprocess.run(["e2fsck", "-y", "-E", "journal_only", image], capture_output=True, check=False, env=_ENVIRONMENT)
    block_bytes = _block_bytes(image)
    files = {name: _File.of(image, name) for name in names}
    sizes = [(name, file.size) for name, file in files.items() if file and file.blocks]
    if not sizes:
        raise FlipError(f"none of {', '.join(names)} is on {image}")
    dice = random.Random(seed)
    flips = []
    with open(image, "r+b") as disk:
        for _ in range(count):
            name = dice.choices([name for name, _ in sizes], [size for _, size in sizes])[0]
            chosen = Flip(name, dice.randrange(files[name].size), dice.randrange(1, 256))
            number = files[name].blocks.get(chosen.place // block_bytes)
            # A hole in a file is no place on the disk.
            if number is None:
                continue
            disk.seek(number * block_bytes + chosen.place % block_bytes)
            old = disk.read(1)[0]
            disk.seek(-1, os.SEEK_CUR)
            disk.write(bytes([old ^ chosen.mask]))
            flips.append(chosen)
        disk.flush()
        os.fsync(disk.fileno())
    return flips


def wrong(before: Beliefs, after: Beliefs, is_told: bool, earlier: Beliefs | None = None) -> list[str]:
    """What a hub believes after flips and must not, and what it lost without a word; one sentence each.

    `before` and `after` are lists of what it knows, by kind: guardians, zones, settings. What a copy had `earlier` may
    be believed again, when it is told.
    """
    found = []
    for kind in sorted(before.keys() | after.keys()):
        knew, knows = before.get(kind, []), after.get(kind, [])
        allowed = [*knew, *((earlier or {}).get(kind, []) if is_told else [])]
        found += [f"believed of {kind}: {one}" for one in knows if one not in allowed]
        if not is_told:
            found += [f"lost of {kind} without a word: {one}" for one in knew if one not in knows]
    return found


@dataclass(frozen=True)
class _File:
    size: int
    blocks: dict[int, int]
    """Numbers of the disk's blocks by those of the file's."""

    @staticmethod
    def of(image: Path, name: str) -> "_File | None":
        told = _debugfs(image, f"stat /{name}")
        size = re.search(r"\bSize: (\d+)", told)
        if not size or "Type: regular" not in told:
            return None
        blocks = {}
        extents = told.partition("EXTENTS:")[2]
        # "(0-3):1153-1156, (4):1160"; those of the tree itself are "(ETB0):1152".
        for first, last, start in re.findall(r"\((\d+)(?:-(\d+))?(?:\[u\])?\):(\d+)", extents):
            for block in range(int(first), int(last or first) + 1):
                blocks[block] = int(start) + block - int(first)
        return _File(int(size[1]), blocks)


def _block_bytes(image: Path) -> int:
    found = re.search(r"^Block size:\s+(\d+)", _debugfs(image, "show_super_stats -h"), re.MULTILINE)
    if not found:
        raise FlipError(f"{image} has no file system of ext4")
    return int(found[1])


def _debugfs(image: Path, command: str) -> str:
    done = subprocess.run(
        ["debugfs", "-R", command, image], capture_output=True, text=True, check=False, env=_ENVIRONMENT
    )
    return done.stdout
