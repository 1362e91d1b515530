"""The database: replaced, emptied, damaged; what the gateway believes afterwards is compared with what was put in."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..gateway import Deaf, Gateway, Refused, holds
from ..judgement import Ground, NotRun, attack

Knowledge = dict[str, dict[str, Any]]
DEFAULTS = {"prealarmSeconds": 10, "tierSeconds": 180, "sirenSeconds": 240}
"""The settings that the household changes."""
AILING = ("guardians", "speech", "sound", "gps", "plugin", "clock")
"""Parts that this household lacks, or that have nothing to do with what is stored."""


def _put_in(gateway: Gateway) -> None:
    """A household with something of each kind."""
    gateway.settle()
    for number in range(4):
        gateway.command(
            "guardian.put",
            guardian={
                "id": f"helper-{number}",
                "resident": "mary",
                "name": f"Helper {number}",
                "phone": f"+479123450{number}",
                "email": f"helper{number}@example.org",
                "tier": 2,
            },
        )
    for number in range(6):
        center = {"latitude": -24.5 - number, "longitude": 133.5}
        zone = {"id": f"place-{number}", "resident": "mary", "name": f"Place {number}", "radiusMeters": 40 + number}
        gateway.command("zone.put", zone={**zone, "center": center})
        gateway.command(
            "bookmark.put",
            bookmark={"id": f"mark-{number}", "resident": "mary", "name": f"Mark {number}", "coordinate": center},
        )
    gateway.command("setting.put", target="mary", name="tierSeconds", value=150)
    gateway.command("setting.put", target="mary", name="sirenSeconds", value=77)


def _known(gateway: Gateway) -> Knowledge:
    """What the gateway believes of the household, by kind and id."""
    found: Knowledge = {}
    kinds = {
        "residents.list": ("id", "name", "timeZone"),
        "zones.list": ("id", "name", "center", "radiusMeters", "isHome"),
        "guardians.list": ("id", "name", "phone", "email", "push", "tier"),
        "bookmarks.list": ("id", "name", "coordinate"),
    }
    for method, members in kinds.items():
        rows = gateway.ask(method)
        found[method.split(".")[0]] = {row["id"]: {name: row.get(name) for name in members} for row in rows}
    try:
        told = gateway.ask("settings.list", resident="mary")
        # One that has its default again is lost.
        found["settings"] = {
            name: {"value": told.get(name)} for name, usual in DEFAULTS.items() if told.get(name) != usual
        }
    except Refused:
        found["settings"] = {}
    return found


def _differences(believed: Knowledge, truth: Knowledge) -> tuple[list[str], list[str]]:
    """What is believed and was never put in, and what was put in and is gone."""
    wrong, lost = [], []
    for kind, rows in truth.items():
        for identity, row in rows.items():
            if identity not in believed[kind]:
                lost.append(f"{kind} {identity}")
            elif believed[kind][identity] != row:
                wrong.append(f"{kind} {identity}: {believed[kind][identity]} is not {row}")
        wrong += [f"{kind} {identity} was never put in" for identity in believed[kind] if identity not in rows]
    return wrong, lost


def _is_told(gateway: Gateway) -> bool:
    """Whether the gateway says by itself that something was lost: a fault of a part that is well otherwise."""

    def told() -> bool:
        parts = [one["component"] for one in gateway.faults()]
        parts += [str(one["data"].get("component")) for one in gateway.events("fault.raised")]
        return any(part.split("/")[0] not in AILING for part in parts)

    with contextlib.suppress(Deaf, Refused):
        return holds(12, told, 0.2)
    return False


def _household(ground: Ground, name: str = "gateway") -> tuple[Gateway, Knowledge]:
    """A gateway at rest whose household is known, with a backup of it."""
    gateway = Gateway(ground, name)
    gateway.start()
    _put_in(gateway)
    holds(5, lambda: _backs_up(gateway), 0.3)
    truth = _known(gateway)
    return gateway, truth


KEPT = ("state", "emergency", "run")
"""What a gateway keeps, below its folder: the state, and the emergency cards beside it."""


def _save(gateway: Gateway, name: str) -> Path:
    """Copies what a gateway that does not run has kept."""
    saved = gateway.ground.folder / name
    for part in KEPT:
        if (gateway.folder / part).exists():
            shutil.copytree(gateway.folder / part, saved / part, ignore=shutil.ignore_patterns("*.sock"))
    return saved


def _put_back(gateway: Gateway, saved: Path) -> None:
    for part in KEPT:
        shutil.rmtree(gateway.folder / part, ignore_errors=True)
        if (saved / part).exists():
            shutil.copytree(saved / part, gateway.folder / part)


def _backs_up(gateway: Gateway) -> bool:
    try:
        gateway.ask("backup.create")
    except Refused:
        return False
    return True


@attack("backup-overwrites", "F2")
def backup_overwrites(ground: Ground) -> None:
    """A member of the group has a backup written over the live database, and over everything else of the gateway."""
    gateway, truth = _household(ground)
    assert gateway.process is not None
    own = ground.folder / "letters.txt"
    own.write_text("of the owner")
    link = ground.folder / "link"
    link.symlink_to(gateway.state / "care.db")
    inside = gateway.state / "plugins" / "anything.db"
    inside.parent.mkdir(exist_ok=True)
    states = (
        "care.db",
        "care.db-wal",
        "care.db-shm",
        "lock",
        "inputs.db",
        "backups",
        "./care.db",
        "backups/../care.db",
    )
    kinds = {
        "over what the gateway has": [
            *(f"{gateway.state}/{name}" for name in states),
            *map(str, (gateway.socket, gateway.folder / "homeward.yaml", link)),
            "state/care.db",
        ],
        "into the gateway's own folders": [
            *map(str, (gateway.runtime / "new.db", gateway.state / "new.db", inside)),
        ],
        "over a file of the owner's": [str(own)],
        "to a path that is no text": [f"{ground.folder}/x\0y.db", ""],
    }
    for words, targets in kinds.items():
        written = []
        for target in targets:
            ground.count(1, "targets")
            with contextlib.suppress(Refused, Deaf):
                gateway.ask("backup.create", path=target)
                written.append(target.replace(str(gateway.folder), "$GATEWAY").replace(str(ground.folder), "$OWNER"))
        if written:
            ground.found("F2", f"a backup is written {words}", written)
    if own.read_text(errors="replace") != "of the owner":
        ground.found("F2", "a file of the owner's was overwritten")
    try:
        gateway.command("bookmark.put", bookmark={**_MARK, "id": "after"})
        gateway.raise_sos()
    except (Deaf, Refused) as error:
        ground.found("F2", "the gateway does not go on after the backups", error)
    gateway.kill()
    try:
        gateway.start()
    except Deaf as error:
        ground.found("F2", "the gateway does not start after the backups", error)
        return
    truth["bookmarks"]["after"] = {name: {**_MARK, "id": "after"}[name] for name in ("id", "name", "coordinate")}
    wrong, lost = _differences(_known(gateway), truth)
    if wrong or lost or not gateway.alarms():
        ground.found("F2", "what was acknowledged is gone after the backups", [*wrong, *lost, len(gateway.alarms())])


_MARK = {"resident": "mary", "name": "Here", "coordinate": {"latitude": -24.0, "longitude": 133.0}}


def _empty(state: Path) -> None:
    os.truncate(state / "care.db", 0)


def _remove(state: Path) -> None:
    (state / "care.db").unlink()


def _remove_all(state: Path) -> None:
    for file in state.glob("care.db*"):
        file.unlink()


def _empty_all(state: Path) -> None:
    for file in state.glob("care.db*"):
        os.truncate(file, 0)


def _header_only(state: Path) -> None:
    os.truncate(state / "care.db", 4096)


def _empty_of_rows(state: Path) -> None:
    """A database as one that was never used: SQLite finds nothing wrong with it."""
    (state / "care.db").unlink()
    with contextlib.closing(sqlite3.connect(state / "care.db")) as database:
        database.execute("VACUUM")


@attack("database-emptied", "F3")
def database_emptied(ground: Ground) -> None:
    """The database is empty or gone while good backups lie beside it, as after a power cut."""
    gateway, truth = _household(ground)
    gateway.raise_sos()
    gateway.kill()
    saved = _save(gateway, "saved")
    ways: dict[str, list[str]] = {}
    for damage in (_empty, _remove, _remove_all, _empty_all, _header_only, _empty_of_rows):
        for has_backup in (True, False):
            ground.count(1, "ways")
            _put_back(gateway, saved)
            if not has_backup:
                shutil.rmtree(gateway.state / "backups")
            damage(gateway.state)
            words = damage.__name__.strip("_").replace("_", " ") + ("" if has_backup else " without a backup")
            for sentence in _faults_of_start(gateway, truth, has_backup):
                ways.setdefault(sentence, []).append(words)
    for sentence, which in ways.items():
        ground.found("F3", f"the database is empty or gone: {sentence}", which)


def _faults_of_start(gateway: Gateway, truth: Knowledge, must_recover: bool) -> list[str]:
    """Starts a damaged gateway; what is wrong with that: nothing false may be believed, and no loss be silent."""
    found = []
    try:
        gateway.start(seconds=10)
        wrong, lost = _differences(_known(gateway), truth)
        if wrong:
            found.append("it believes what was never put in")
        if lost and not _is_told(gateway):
            found.append("it says nothing of what it lost")
        if lost and must_recover:
            found.append("what a backup still has is not put back")
    except Deaf:
        found.append("it does not start")
    gateway.kill()
    return found


def _header(chance: random.Random, state: Path) -> str:
    return _flip(chance, state / "care.db", range(100))


def _anywhere(chance: random.Random, state: Path) -> str:
    file = state / "care.db"
    return _flip(chance, file, range(100, file.stat().st_size))


def _log(chance: random.Random, state: Path) -> str:
    file = state / "care.db-wal"
    return _flip(chance, file, range(file.stat().st_size))


def _row(chance: random.Random, state: Path) -> str:
    """In what was put in: names, numbers, addresses."""
    file = state / "care.db"
    data = file.read_bytes()
    words = (
        b"Helper ",
        b"+47912345",
        b"helper",
        b"Place ",
        b"anna@",
        b"radiusMeters",
        b"sirenSeconds",
        b"guardian",
        b"Mary",
    )
    found = []
    for word in words:
        place = -1
        while (place := data.find(word, place + 1)) >= 0:
            found += range(place, place + len(word) + 2)
    return _flip(chance, file, found)


def _flip(chance: random.Random, file: Path, places: Any) -> str:
    """One bit, or one byte; says where."""
    data = bytearray(file.read_bytes())
    place = chance.choice(places)
    data[place] ^= 1 << chance.randrange(8) if chance.random() < 0.5 else chance.randrange(1, 256)
    file.write_bytes(data)
    return f"{file.name} at {place}"


@attack("database-flipped", "F7")
def database_flipped(ground: Ground) -> None:
    """A byte of the database or its log flips, anywhere: nothing wrong is believed, and every loss is told."""
    gateway, truth = _household(ground)
    # One has all in the database, the other all in its log.
    gateway.stop()
    first_truth = {kind: dict(rows) for kind, rows in truth.items()}
    checkpointed = _save(gateway, "checkpointed")
    gateway.start()
    for number in range(6):
        gateway.command("zone.put", zone={**_zone(number), "radiusMeters": 60 + number})
        truth["zones"][f"place-{number}"] = {**truth["zones"][f"place-{number}"], "radiusMeters": 60 + number}
    logged_truth = _known(gateway)
    gateway.kill()
    logged = _save(gateway, "logged")
    kinds: list[tuple[str, Path, Callable[[random.Random, Path], str], Knowledge]] = [
        ("the header", checkpointed, _header, first_truth),
        ("a row", checkpointed, _row, first_truth),
        ("a page", checkpointed, _anywhere, first_truth),
        ("the log", logged, _log, logged_truth),
    ]
    for trial in range(ground.size(24, 160)):
        words, saved, damage, known = kinds[trial % len(kinds)]
        _put_back(gateway, saved)
        where = damage(ground.chance, gateway.state)
        ground.count(1, "flips")
        _judge_flip(ground, gateway, known, first_truth, words, where)


def _zone(number: int) -> dict[str, Any]:
    center = {"latitude": -24.5 - number, "longitude": 133.5}
    return {"id": f"place-{number}", "resident": "mary", "name": f"Place {number}", "center": center}


def _judge_flip(ground: Ground, gateway: Gateway, truth: Knowledge, older: Knowledge, words: str, where: str) -> None:
    try:
        gateway.start(seconds=10)
    except Deaf as error:
        ground.found("F7", f"a flipped byte in {words}: it does not start", f"{where}: {error}")
        gateway.kill()
        return
    believed = _known(gateway)
    wrong, lost = _differences(believed, truth)
    # What it was before is a loss, and not a lie.
    never = {one.split(": ")[0] for one in _differences(believed, older)[0]}
    if lies := [one for one in wrong if one.split(": ")[0] in never]:
        ground.found("F7", f"a flipped byte in {words}: it believes what was never put in", f"{where}: {lies[0]}")
    if (lost or wrong) and not _is_told(gateway):
        ground.found(
            "F7", f"a flipped byte in {words}: something is lost without a word", f"{where}: {[*lost, *wrong]}"
        )
    gateway.kill()


@attack("backup-with-triggers", "F16")
def backup_with_triggers(ground: Ground) -> None:
    """A backup that holds commands of its own is put back."""
    gateway, truth = _household(ground)
    backup = next((gateway.state / "backups").glob("*.db"), None)
    if backup is None:
        raise NotRun("there is no backup")
    forged = ground.folder / "forged.db"
    shutil.copy(backup, forged)
    with contextlib.closing(sqlite3.connect(forged)) as database:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        aims = sorted(name for name in tables if "guardian" in name or "zone" in name)
        if not aims or "journal" not in tables:
            raise NotRun(f"the tables have other names: {sorted(tables)}")
        deeds = " ".join(f"DELETE FROM {name};" for name in aims)
        database.execute(f"CREATE TRIGGER helpful AFTER INSERT ON journal BEGIN {deeds} END")
        database.commit()
    gateway.stop()
    done = gateway.line("restore", "--state", str(gateway.state), "--yes", str(forged))
    ground.count(1, "backups")
    if done.returncode != 0:
        return
    try:
        gateway.start()
        gateway.command("bookmark.put", bookmark={**_MARK, "id": "after"})
        gateway.stop()
        gateway.start()
    except Deaf as error:
        ground.found("F16", "a backup with a trigger is put back, and the gateway does not start", error)
        return
    _, lost = _differences(_known(gateway), truth)
    ground.found("F16", "a backup with a trigger is put back", f"then lost: {lost}")


@attack("database-smashed")
def database_smashed(ground: Ground) -> None:
    """Pages, header, log and length of the database are smashed: it starts, an SOS is raised, and the loss is told."""
    gateway, truth = _household(ground)
    gateway.kill()
    saved = _save(gateway, "saved")
    for trial in range(ground.size(10, 120)):
        _put_back(gateway, saved)
        where = _smash(ground.chance, gateway.state, trial)
        ground.count(1, "databases")
        try:
            gateway.start(seconds=10)
            gateway.put_mary()
            gateway.raise_sos()
            _, lost = _differences(_known(gateway), truth)
        except (Deaf, Refused) as error:
            ground.found(
                "F7", "a smashed database keeps the gateway from starting or from raising an SOS", f"{where}: {error}"
            )
            gateway.kill()
            continue
        lost = [one for one in lost if not one.startswith("residents")]
        if lost and not _is_told(gateway):
            ground.found("F7", "a smashed database: what was lost is not told", f"{where}: {lost}")
        gateway.kill()


def _smash(chance: random.Random, state: Path, trial: int) -> str:
    """Many bytes of the database or its log; says where."""
    file = state / ("care.db-wal" if trial % 5 == 4 and (state / "care.db-wal").exists() else "care.db")
    before = file.read_bytes()
    data, place = bytearray(before), 0
    # Where there was nothing but zeros already nothing is smashed.
    while data == before and before:
        place = chance.randrange(len(data))
        match trial % 4:
            case 0:
                page = place // 4096 * 4096
                data[page : page + 4096] = chance.randbytes(len(data[page : page + 4096]))
            case 1:
                for _ in range(chance.randint(2, 200)):
                    data[chance.randrange(len(data))] = chance.randrange(256)
            case 2:
                del data[place:]
            case _:
                data[place : place + 512] = bytes(len(data[place : place + 512]))
    file.write_bytes(data)
    return f"{file.name} at {place}"


@attack("database-is-odd", "F20")
def database_is_odd(ground: Ground) -> None:
    """Where the database should be is a pipe, a folder, a link into nothing or a text: the start does not hang."""
    gateway = Gateway(ground)
    file = gateway.state / "care.db"
    ways: dict[str, Callable[[], Any]] = {
        "a pipe": lambda: os.mkfifo(file),
        "a folder": file.mkdir,
        "a link into nothing": lambda: file.symlink_to("/nowhere/at/all"),
        "a text": lambda: file.write_text("Dear Mary, " * 1000),
    }
    for words, make in ways.items():
        shutil.rmtree(gateway.state)
        gateway.state.mkdir()
        make()
        ground.count(1, "ways")
        try:
            gateway.start(seconds=8)
        except Deaf:
            # To end and say why is an answer; to hang is none.
            if gateway.is_alive:
                ground.found("F20", f"care.db is {words}: the start hangs", gateway.said()[-200:])
        gateway.kill()
    subprocess.run(["rm", "-rf", gateway.state], check=True)
