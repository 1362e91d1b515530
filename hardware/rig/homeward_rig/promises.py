"""What Homeward has promised to keep, as the acknowledger in the machine wrote it down.

One JSON object a line, numbered from 1 on over all boots:

    {"number": 7, "place": 6}                                        the command "Place 6" was answered
    {"number": 8, "event": "01J…", "lane": "record", "digest": "…"}   this event was shown as stored

`digest` is the SHA-256 of the event's bytes.
"""

import json
import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .block_log import BLOCK, BlockLog

_MARK = struct.Struct("<8sQ")
_MARK_MAGIC = b"PROMISES"


class PromisesError(Exception):
    """The list of promises is not whole."""


@dataclass
class Promises:
    """Commands that were answered and events that were shown as stored."""

    places: set[int] = field(default_factory=set)
    """Numbers of the commands that were answered."""
    events: dict[str, str] = field(default_factory=dict)
    """Id and digest of each event that was shown as stored."""
    count: int = 0
    """Lines read."""

    def add(self, line: str) -> None:
        """Takes one line; PromisesError when it does not follow the last."""
        try:
            promise = json.loads(line)
            number = promise["number"]
        except (ValueError, KeyError, TypeError):
            raise PromisesError(f"no promise: {line[:200]!r}") from None
        if number != self.count + 1:
            raise PromisesError(f"promise {number} follows promise {self.count}")
        self.count = number
        if "place" in promise:
            self.places.add(promise["place"])
        else:
            self.events[promise["event"]] = promise["digest"]


def lines(file: Path) -> list[str]:
    """The whole lines of a list; one that a power cut left unfinished was not promised yet."""
    if not file.exists():
        return []
    text = file.read_text(errors="replace")
    return text[: text.rfind("\n") + 1].splitlines()


def drop_unfinished_line(file: Path) -> None:
    """Takes away a last line that a power cut left unfinished, so that the next boot begins a new one."""
    if file.exists():
        data = file.read_bytes()
        os.truncate(file, data.rfind(b"\n") + 1)


def promises(promised: Iterable[str]) -> Promises:
    """The promises of these lines."""
    result = Promises()
    for line in promised:
        result.add(line)
    return result


def marks(log: BlockLog, disk_size: int) -> list[tuple[int, int]]:
    """How many promises had been given by which entry of a record: `[(entry, promises)]`, both rising.

    The acknowledger writes each new count into the last 4 KiB of the disk, past the cache, after the promises.
    """
    found = []
    for index, data in log.writes_to(disk_size - BLOCK):
        magic, count = _MARK.unpack_from(data)
        if magic == _MARK_MAGIC:
            found.append((index, count))
    return found
