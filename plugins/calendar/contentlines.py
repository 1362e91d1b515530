"""The lines and components of an iCalendar file (RFC 5545, section 3.1), as far as a routine needs them.

Bounded throughout: a file from a family's calendar is nobody's friend. Debian's icalendar is not used here: one line
that it cannot read loses the whole calendar, it makes a comma of "%2C" in a title, and it expands the rules of zones.
"""

import re
from dataclasses import dataclass, field

from texts import gettext

MAXIMUM_BYTES = 8 << 20
MAXIMUM_EVENTS = 20_000
MAXIMUM_LINES = 2000
LINE_BYTES = 65_536
TRIGGERS = 20
RELEVANT = frozenset(
    (
        *("UID", "SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "STATUS", "COMPLETED", "SEQUENCE"),
        *("DTSTART", "DUE", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID"),
    )
)
NAME = re.compile(rb"[A-Za-z0-9-]+")


class CalendarFault(Exception):
    """Why a file cannot be taken as a calendar at all: a code, and a sentence that says what to do."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass
class Line:
    """One content line, unfolded; the value still has its escapes."""

    name: str
    parameters: dict
    value: str
    is_cut: bool = False


@dataclass
class Component:
    """One event or task."""

    is_task: bool
    lines: list = field(default_factory=list)
    triggers: list = field(default_factory=list)
    is_too_long: bool = False

    def get(self, name):
        return next((line for line in self.lines if line.name == name), None)

    def all(self, name):
        return [line for line in self.lines if line.name == name]

    def value(self, name):
        line = self.get(name)
        return line.value if line else ""


def parameter_value(raw, index):
    is_quoted, value = False, bytearray()
    while index < len(raw):
        byte = raw[index]
        if byte == 0x22:
            is_quoted = not is_quoted
        elif not is_quoted and byte in b";:":
            break
        else:
            value.append(byte)
        index += 1
    return value.decode("utf-8", "replace"), index


def read_line(raw):
    """A line, or nothing when it has no name or no colon."""
    match = NAME.match(raw)
    if not match:
        return None
    name, index, parameters = match.group().decode().upper(), match.end(), {}
    while index < len(raw) and raw[index] == 0x3B:
        match = NAME.match(raw, index + 1)
        key, index = (match.group().decode().upper(), match.end()) if match else ("", index + 1)
        value = ""
        if index < len(raw) and raw[index] == 0x3D:
            value, index = parameter_value(raw, index + 1)
        parameters.setdefault(key, value)
    if index >= len(raw) or raw[index] != 0x3A:
        return None
    return Line(name, parameters, raw[index + 1 :].decode("utf-8", "replace"))


def physical_lines(data):
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end]
        yield line[:-1] if line.endswith(b"\r") else line
        start = end + 1


def logical_lines(data):
    """Unfolded lines of at most LINE_BYTES, and whether more was there."""
    parts, size, is_cut = None, 0, False
    for line in physical_lines(data):
        if parts is not None and line[:1] in (b" ", b"\t"):
            line = line[1:]
        else:
            if parts is not None:
                yield b"".join(parts), is_cut
            parts, size, is_cut = [], 0, False
        is_cut = is_cut or len(line) > LINE_BYTES - size
        line = line[: LINE_BYTES - size]
        if line:
            parts.append(line)
            size += len(line)
    if parts is not None:
        yield b"".join(parts), is_cut


class CalendarFile:
    """The events and tasks of a file, as they stand there."""

    def __init__(self, data):
        if len(data) > MAXIMUM_BYTES:
            raise CalendarFault(
                "too-large",
                gettext("the calendar is larger than {limit} MiB; share a smaller one", limit=MAXIMUM_BYTES >> 20),
            )
        head = data.lstrip(bytes(range(0x21)) + b"\xef\xbb\xbf")[:15]
        if not head:
            raise CalendarFault("empty", gettext("the server sent nothing"))
        if head.startswith(b"<"):
            raise CalendarFault(
                "not-a-calendar",
                gettext("the server sent a web page and no calendar; use the address that ends in .ics"),
            )
        if head.upper() != b"BEGIN:VCALENDAR":
            raise CalendarFault(
                "not-a-calendar",
                gettext("the server sent something that is no iCalendar file; check the address"),
            )
        self.components, self.locations = [], {}
        self.open, self.zone, self.current = [], None, None
        for raw, is_cut in logical_lines(data):
            line = read_line(raw)
            if line is not None:
                line.is_cut = is_cut
                self.take(line)
        if self.open:
            raise CalendarFault("truncated", gettext("the calendar ends in the middle; it is fetched again"))

    def take(self, line):
        if line.name == "BEGIN":
            self.begin(line.value.upper().lstrip(" ").split(" ")[0][:40])
        elif line.name == "END":
            self.end(line.value.upper().lstrip(" ").split(" ")[0][:40])
        elif len(self.open) == 2 and self.current is not None:
            self.take_event_line(line)
        elif len(self.open) == 2 and self.open[1] == "VTIMEZONE":
            if line.name == "TZID":
                self.zone = line.value
            elif line.name == "X-LIC-LOCATION" and self.zone is not None and len(self.locations) < 1000:
                self.locations[self.zone] = line.value
        elif self.current is not None and self.open[2:] == ["VALARM"] and line.name == "TRIGGER":
            self.current.triggers = [*self.current.triggers, line][:TRIGGERS]

    def begin(self, word):
        if len(self.open) >= 8:
            return
        if self.open == ["VCALENDAR"] and word in ("VEVENT", "VTODO"):
            if len(self.components) >= MAXIMUM_EVENTS:
                raise CalendarFault(
                    "too-many",
                    gettext("the calendar has more than {limit} events; share a smaller one", limit=MAXIMUM_EVENTS),
                )
            self.current = Component(word == "VTODO")
        self.open.append(word)

    def end(self, word):
        if word not in self.open:
            return
        depth = len(self.open) - 1 - self.open[::-1].index(word)
        if depth <= 1:
            if self.current is not None:
                self.components.append(self.current)
            self.current, self.zone = None, None
        del self.open[depth:]

    def take_event_line(self, line):
        if line.name not in RELEVANT:
            return
        if line.is_cut and line.name != "DESCRIPTION":
            self.current.is_too_long = True
        if len(self.current.lines) >= MAXIMUM_LINES:
            self.current.is_too_long = True
            return
        self.current.lines.append(line)
