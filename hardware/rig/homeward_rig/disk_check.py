"""What a disk holds of Homeward, looked at from outside: with the tools of the file system and SQLite alone.

Nothing is mounted, and nobody needs to be root.
"""

import contextlib
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .promises import Promises

_DATABASE = re.compile(r"(?:care|inputs|traces-\d{4}-\d{2})\.db(?:-wal)?")

# Where Debian keeps the tools of file systems, which is not in everybody's path.
_ENVIRONMENT = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}


@dataclass
class Verdict:
    """What was found on a disk."""

    unmountable: str = ""
    """Why the file system cannot be mounted or is not whole; nothing else is known then. It is not Homeward's fault."""
    damaged: list[str] = field(default_factory=list)
    """What is wrong with databases, one sentence each."""
    lost: list[str] = field(default_factory=list)
    """Promised commands and events that are not there."""
    changed: list[str] = field(default_factory=list)
    """Ids of events whose bytes are not those that were shown."""
    twice: list[str] = field(default_factory=list)
    """Commands and event ids that are there more than once."""
    set_aside: list[str] = field(default_factory=list)
    """Databases that Homeward took for damaged."""
    events: int = 0
    """Events in the journal."""

    @property
    def is_good(self) -> bool:
        return not (self.unmountable or self.damaged or self.lost or self.changed or self.twice or self.set_aside)

    def __str__(self) -> str:
        found = [f"the file system: {self.unmountable}"] if self.unmountable else []
        for words, what in (
            ("damaged", self.damaged),
            ("lost", self.lost),
            ("changed", self.changed),
            ("twice", self.twice),
            ("set aside", self.set_aside),
        ):
            if what:
                more = f" and {len(what) - 3} more" if len(what) > 3 else ""
                found.append(f"{len(what)} {words}: {', '.join(what[:3])}{more}")
        return "; ".join(found) or f"{self.events} events, all well"


def check(image: Path, promises: Promises, scratch: Path | None = None) -> Verdict:
    """Looks at a disk after a power cut, as its next start would find it, and compares it with what was promised.

    The file system's own journal is played back into `image`; what Homeward left is not changed. `scratch` is where the
    databases are copied to, best in memory.
    """
    verdict = Verdict()
    if trouble := _mend_file_system(image):
        verdict.unmountable = trouble
        return verdict
    folder = Path(tempfile.mkdtemp(prefix="disk.", dir=scratch))
    try:
        names = _copy_databases(image, folder)
        verdict.set_aside = [name for name in names if "damaged" in name]
        for name in names:
            if _DATABASE.fullmatch(name) and not name.endswith("-wal") and (trouble := _damage(folder / name)):
                verdict.damaged.append(f"{name}: {trouble}")
        if not any(text.startswith("care.db") for text in verdict.damaged):
            _compare(folder / "care.db", promises, verdict)
    finally:
        shutil.rmtree(folder)
    return verdict


def _mend_file_system(image: Path) -> str:
    """Plays the file system's journal back, as mounting does; gives what is wrong with it afterwards."""
    for program, allowed in ((("e2fsck", "-E", "journal_only", "-p"), (0, 1)), (("e2fsck", "-fn"), (0,))):
        done = subprocess.run([*program, image], capture_output=True, text=True, env=_ENVIRONMENT)
        if done.returncode not in allowed:
            return f"{' '.join(program)} ended with {done.returncode}: {' '.join((done.stdout + done.stderr).split())}"
    return ""


def _debugfs(image: Path, commands: str, folder: Path) -> str:
    return subprocess.run(
        ["debugfs", "-f", "-", image],
        input=commands,
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
        env=_ENVIRONMENT,
    ).stdout


def _copy_databases(image: Path, folder: Path) -> list[str]:
    """Copies Homeward's databases out of an image; gives the names of all files beside them."""
    # Inode, mode, owner, group, name, size.
    names = [
        fields[5]
        for line in _debugfs(image, "ls -p /\n", folder).splitlines()
        if len(fields := line.split("/")) >= 7 and fields[5] not in (".", "..")
    ]
    wanted = [name for name in names if _DATABASE.fullmatch(name)]
    _debugfs(image, "".join(f"dump /{name} {name}\n" for name in wanted), folder)
    return names


def _damage(path: Path) -> str:
    """What is wrong with a database; nothing when it is whole."""
    try:
        with contextlib.closing(sqlite3.connect(path)) as database:
            answer = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if answer == "ok" else answer


def _compare(path: Path, promises: Promises, verdict: Verdict) -> None:
    digests: dict[str, str] = {}
    places: dict[int, int] = {}
    if path.exists():
        with contextlib.closing(sqlite3.connect(path)) as database:
            # A disk whose power was cut before the first commit has no journal yet.
            if database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'journal'").fetchone()[0]:
                _read_journal(database, verdict, digests, places)
    verdict.lost += [f"event {event}" for event in promises.events if event not in digests]
    verdict.changed += [
        event for event, digest in promises.events.items() if event in digests and digests[event] != digest
    ]
    verdict.lost += [f"Place {number}" for number in sorted(promises.places) if number not in places]
    verdict.twice += [f"Place {number}" for number, times in places.items() if times > 1]


def _read_journal(
    database: sqlite3.Connection, verdict: Verdict, digests: dict[str, str], places: dict[int, int]
) -> None:
    # What the columns say and what the body says has to be the same, for events that were not promised too.
    rows = database.execute(
        "SELECT id, body, CASE WHEN json_valid(body) THEN json_extract(body, '$.id') END,"
        " CASE WHEN type = 'record.changed' AND json_valid(body) THEN json_extract(body, '$.data.content.name') END"
        " FROM journal"
    )
    for event, body, inner, name in rows:
        verdict.events += 1
        if event in digests:
            verdict.twice.append(f"event {event}")
        digests[event] = hashlib.sha256(body.encode()).hexdigest()
        if inner != event:
            verdict.changed.append(event)
        if name and (match := re.fullmatch(r"Place (\d+)", name)):
            number = int(match[1])
            places[number] = places.get(number, 0) + 1
