"""The record of a disk's writes, and the disk as a power cut at any place of the record leaves it.

QEMU's driver `blklogwrites` writes the record in the format of the kernel's dm-log-writes (Documentation/admin-guide/
device-mapper/log-writes.rst), little endian: one sector of header, then the entries, each one sector of description
followed by its data. What lies before the last flush is on the disk for certain. What comes after it was in the disk's
cache: a power cut keeps none of it, or any part of it, in any order, a sector being the smallest part.
"""

import enum
import mmap
import os
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC = 0x6A736677736872
SECTOR = 512
BLOCK = 4096
_HEADER = struct.Struct("<QQQI")
_ENTRY = struct.Struct("<QQQQ")


class BlockLogError(Exception):
    """A record of writes cannot be read."""


class Flags(enum.IntFlag):
    """What an entry is besides a write."""

    FLUSH = 1
    FUA = 2
    DISCARD = 4
    MARK = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """One request that reached the disk."""

    offset: int
    """Where on the disk, in bytes."""
    length: int
    """Bytes written or discarded; 0 for a mere flush."""
    flags: Flags
    data: int
    """Where in the record the written bytes begin."""

    @property
    def writes(self) -> bool:
        return self.length > 0 and not self.flags & (Flags.DISCARD | Flags.MARK)


class BlockLog:
    """A record of writes, as far as it can be read."""

    def __init__(self, path: Path) -> None:
        """Reads the record's entries; BlockLogError when it is none."""
        self.path = path
        self._bytes: mmap.mmap | bytes = b""
        if path.stat().st_size:
            with open(path, "rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.counted = 0
        """Entries that the header speaks of; it is written at each flush."""
        if len(self._bytes) >= SECTOR:
            magic, version, self.counted, sector = _HEADER.unpack_from(self._bytes, 0)
            # Before the first flush the header is empty.
            if magic and (magic, version, sector) != (MAGIC, 1, SECTOR):
                raise BlockLogError(f"{path}: no record of writes with sectors of {SECTOR} bytes")
        self.entries: list[Entry] = []
        self.ending = "whole"
        """How the record ends: "whole", in a "hole" that was never written, or in an entry that is cut "short"."""
        self._read()

    def _read(self) -> None:
        place = SECTOR
        while place + SECTOR <= len(self._bytes):
            entry, after = self._entry_at(place)
            if entry is not None and after > len(self._bytes):
                self.ending = "short"
                return
            if entry is None:
                self.ending = "hole"
                # Requests that are under way side by side are recorded side by side. One that never finished leaves a
                # hole; a flush behind it that the header counts did finish, and what it promised holds.
                if len(self.entries) >= self.counted or (place := self._next_written(place)) is None:
                    return
                continue
            self.entries.append(entry)
            place = after
        if place < len(self._bytes):
            self.ending = "short"

    def _entry_at(self, place: int) -> tuple[Entry | None, int]:
        """The entry that begins there, and where the next one begins; no entry where none was written."""
        sector, sectors, flags, _length = _ENTRY.unpack_from(self._bytes, place)
        if flags & ~0xF or not (sectors or flags):
            return None, place
        data = place + SECTOR
        # A mark's text lies in the sector of its description.
        has_data = not flags & (Flags.DISCARD | Flags.MARK)
        after = data + (sectors * SECTOR if has_data else 0)
        return Entry(sector * SECTOR, sectors * SECTOR, Flags(flags), data), after

    def _next_written(self, place: int) -> int | None:
        for next_place in range(place + SECTOR, len(self._bytes) - SECTOR + 1, SECTOR):
            if any(self._bytes[next_place : next_place + _ENTRY.size]):
                return next_place
        return None

    def data(self, entry: Entry) -> bytes:
        """What an entry wrote."""
        return self._bytes[entry.data : entry.data + entry.length] if entry.writes else b""

    def writes_to(self, offset: int) -> Iterator[tuple[int, bytes]]:
        """Index and content of each entry that begins at that place of the disk."""
        for index, entry in enumerate(self.entries):
            if entry.offset == offset and entry.writes:
                yield index, self.data(entry)


@dataclass(frozen=True)
class Cut:
    """A power cut."""

    entries: int
    """How many entries of the record had reached the disk."""
    seed: int | None = None
    """Draws what survives of the disk's cache; nothing of it does without."""
    piece: int = BLOCK
    """Bytes that survive or are lost together: 4096, or 512 for writes that are torn."""
    chance: float = 0.5
    """How likely a piece survives."""

    def __str__(self) -> str:
        if self.seed is None:
            return f"after entry {self.entries}, with nothing of the cache"
        return (
            f"after entry {self.entries}, with {self.chance:.0%} of the cache in pieces of {self.piece} bytes, "
            f"drawn with seed {self.seed}"
        )


class Replay:
    """The disk of a record, moved forward from cut to cut."""

    def __init__(self, base: Path, log: BlockLog, image: Path) -> None:
        """`image` holds what is on the disk for certain; `base` is the disk at the record's beginning."""
        self._log = log
        self._image = open(image, "w+b", buffering=0)  # noqa: SIM115 - open as long as the replay
        with open(base, "rb") as file:
            copy_sparse(file.fileno(), self._image.fileno())
        self._certain = 0

    def close(self) -> None:
        self._image.close()

    def make(self, cut: Cut, output: Path) -> None:
        """Writes the disk as the cut leaves it; cuts come in the order of their entries.

        Raises ValueError for one that lies before the flushes of an earlier one, or beyond the record's end.
        """
        entries = self._log.entries
        if cut.entries > len(entries):
            raise ValueError(f"the record has {len(entries)} entries only")
        certain = next((index for index in range(cut.entries, 0, -1) if entries[index - 1].flags & Flags.FLUSH), 0)
        # A flush that carries data promises what came before it, and not its own data.
        if certain and entries[certain - 1].writes:
            certain -= 1
        if certain < self._certain:
            raise ValueError("this cut lies before an earlier one")
        for entry in entries[self._certain : certain]:
            if entry.writes:
                os.pwrite(self._image.fileno(), self._log.data(entry), entry.offset)
        self._certain = certain
        with open(output, "w+b", buffering=0) as file:
            copy_sparse(self._image.fileno(), file.fileno())
            lottery = random.Random(cut.seed) if cut.seed is not None else None
            for entry in entries[certain : cut.entries]:
                if entry.writes:
                    self._keep_some(entry, cut, lottery, file.fileno())

    def _keep_some(self, entry: Entry, cut: Cut, lottery: random.Random | None, output: int) -> None:
        data = self._log.data(entry)
        if entry.flags & Flags.FUA:
            os.pwrite(output, data, entry.offset)
            return
        if lottery is None:
            return
        # A file system does not survive half of its first block, which no program can mend.
        piece = BLOCK if entry.offset < BLOCK else cut.piece
        for start in range(0, len(data), piece):
            if lottery.random() < cut.chance:
                os.pwrite(output, data[start : start + piece], entry.offset + start)


def build(base: Path, log: BlockLog, cut: Cut, output: Path) -> None:
    """Writes the disk as one cut leaves it."""
    replay = Replay(base, log, output.with_suffix(".certain"))
    try:
        replay.make(cut, output)
    finally:
        replay.close()
        output.with_suffix(".certain").unlink()


def copy_sparse(source: int, target: int) -> None:
    """Copies a file between descriptors, holes as holes; the target is made as long as the source."""
    size = os.fstat(source).st_size
    os.ftruncate(target, 0)
    os.ftruncate(target, size)
    place = 0
    while place < size:
        try:
            place = os.lseek(source, place, os.SEEK_DATA)
        except OSError:
            return
        end = os.lseek(source, place, os.SEEK_HOLE)
        os.lseek(source, place, os.SEEK_SET)
        os.lseek(target, place, os.SEEK_SET)
        while place < end:
            copied = os.sendfile(target, source, None, end - place)
            if copied == 0:
                return
            place += copied
