"""The command line, fed with damaged files: it says what is wrong, and never hangs or traps."""

import subprocess
from collections.abc import Callable

from homeward_rig import paths
from homeward_rig.house.programs import program

from ..gateway import Gateway
from ..judgement import Ground, attack
from ..mutation import damaged_bytes

SEEDS = paths.REPOSITORY / "Tests" / "Fuzz" / "Seeds"
SECONDS = 20
CALENDAR = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//x//y//EN\r
BEGIN:VEVENT\r
UID:a@b\r
DTSTAMP:20260101T000000Z\r
DTSTART;TZID=Europe/Oslo:20260301T083000\r
DTEND;TZID=Europe/Oslo:20260301T090000\r
RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20271231T235959Z\r
EXDATE;TZID=Europe/Oslo:20260304T083000\r
SUMMARY:Physiotherapy\\, second floor\r
END:VEVENT\r
BEGIN:VTODO\r
UID:c@d\r
DTSTAMP:20260101T000000Z\r
DUE:20261224T180000\r
SUMMARY:Water the plants\r
END:VTODO\r
END:VCALENDAR\r
"""


def _run(ground: Ground, words: str, arguments: list[str], data: bytes) -> int | None:
    """Runs the command line; gives its exit code."""
    ground.count(1, "runs")
    try:
        done = subprocess.run(
            [program("homeward"), *arguments],
            input=data,
            capture_output=True,
            timeout=SECONDS,
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": str(ground.folder), "SWIFT_BACKTRACE": "enable=no"},
        )
    except subprocess.TimeoutExpired:
        ground.found("F20", f"{words} takes longer than {SECONDS} s", data[:200])
        return None
    if done.returncode < 0 or done.returncode > 4:
        ground.found("F20", f"{words} ends by {done.returncode}", (arguments, data[:200]))
    return done.returncode


def _importing(ground: Ground) -> list[str]:
    """The words that take a calendar in, at a gateway of their own; RuntimeError when a sound one is not taken."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    words = ["routine", "import", "-", "--source", "x", "--dry-run", "--socket", str(gateway.socket)]
    if _run(ground, "routine import", words, CALENDAR) != 0:
        raise RuntimeError("a sound calendar is not taken in")
    return words


@attack("command-line-mutated")
def command_line_mutated(ground: Ground) -> None:
    """decode, replay, schedule, glucose analyse and routine import read damaged input."""
    seeds = {
        name: [file.read_bytes() for file in sorted((SEEDS / name).iterdir())]
        for name in ("advertisement", "gatt", "track", "glucose-table", "rrule")
    }
    chance = ground.chance
    decoders = (
        "glucose-measurement",
        "glucose-context",
        "racp",
        "cgm-measurement",
        "cgm-feature",
        "cgm-session-start",
        "cgm-control",
    )

    def some(name: str) -> bytes:
        return damaged_bytes(chance, chance.choice(seeds[name]))

    def rule() -> str:
        return some("rrule").decode("latin-1").replace("\0", " ").removeprefix("RRULE:")

    start = ["--start", "2026-03-27T02:30", "--zone", "Europe/Madrid"]
    importing = _importing(ground)
    kinds: list[tuple[str, Callable[[], tuple[list[str], bytes]]]] = [
        ("decode advertisement", lambda: (["decode", "advertisement", some("advertisement").hex()], b"")),
        ("decode of a meter", lambda: (["decode", chance.choice(decoders), some("gatt").hex()], b"")),
        ("replay track", lambda: (["replay", "track", "-", "--zone", "Home,59.9,10.7,25", "--json"], some("track"))),
        ("glucose analyse", lambda: (["glucose", "analyse", "-", "--zone", "Europe/Oslo"], some("glucose-table"))),
        ("schedule", lambda: (["schedule", *start, "--rule", rule(), "--count", "20"], b"")),
        ("routine import", lambda: (importing, damaged_bytes(chance, CALENDAR, 8))),
    ]
    for _ in range(ground.size(30, 1000)):
        for words, make in kinds:
            arguments, data = make()
            _run(ground, words, arguments, data)


def _calendar(*lines: str) -> bytes:
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", *lines, "END:VCALENDAR", ""]).encode()


def _event(*lines: str, name: str = "a@b", start: str = "20260301T083000Z") -> list[str]:
    own = [f"UID:{name}", "DTSTAMP:20260101T000000Z", f"DTSTART:{start}", "SUMMARY:Walk"]
    return ["BEGIN:VEVENT", *own, *lines, "END:VEVENT"]


def _bombs(size: int) -> dict[str, bytes]:
    """Calendars that are small to write and could be much work to read."""
    days = [f"2026{1 + n // 28 % 12:02}{1 + n % 28:02}T{n % 24:02}{n % 60:02}00Z" for n in range(size)]
    moved = [line for day in days for line in _event(f"RECURRENCE-ID:{day}", start=day)]
    return {
        "exceptions": _calendar(*_event("RRULE:FREQ=DAILY", *(f"EXDATE:{day}" for day in days))),
        "exceptions in one line": _calendar(*_event("RRULE:FREQ=DAILY", f"EXDATE:{','.join(days)}")),
        "added dates": _calendar(*_event(*(f"RDATE:{day}" for day in days))),
        "moved dates": _calendar(*_event("RRULE:FREQ=DAILY"), *moved),
        "events": _calendar(*(line for n in range(size) for line in _event("RRULE:FREQ=DAILY", name=f"{n}@b"))),
        "a count beyond all bounds": _calendar(*_event("RRULE:FREQ=DAILY;COUNT=99999999999999999999")),
        "a rule that never holds": _calendar(*_event("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30,31;BYDAY=5MO")),
        "every second": _calendar(*_event("RRULE:FREQ=SECONDLY;BYSECOND=" + ",".join(map(str, range(60))))),
        "nested parts": _calendar(*["BEGIN:VEVENT"] * size, *["END:VEVENT"] * size),
        "parameters": _calendar(*_event("DESCRIPTION" + ";X-A=b" * size + ":x")),
        "an endless line": _calendar(*_event("DESCRIPTION:" + "x" * (size * 100))),
        "folds": _calendar(*_event("DESCRIPTION:x" + "\r\n x" * size)),
    }


@attack("calendar-bombs", "F20")
def calendar_bombs(ground: Ground) -> None:
    """Calendars that are small to write and much work to read are read in bounded time, or refused."""
    importing = _importing(ground)
    for words, data in _bombs(ground.size(9_000, 90_000)).items():
        _run(ground, f"routine import of {words}", importing, data)
