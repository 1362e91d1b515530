"""Readings of glucose, as plugins/events.md has their events; nothing is guessed, and what does not fit is refused."""

import dataclasses
import datetime
import re
from decimal import Decimal

from delivery import Refused
from texts import gettext

ACTIONS = {f"glucose.{action}": action for action in ("recorded", "corrected", "removed")}
SENSORS = ("finger-stick", "cgm", "unknown")
SOURCES = ("meter", "hand", "file")
# One constant: 180.156 g/mol, in the units of the two.
MGDL_OF_MMOL = Decimal("18.0156")
UNITS = {"mg/dL": Decimal(1), "mmol/L": MGDL_OF_MMOL}
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclasses.dataclass(frozen=True)
class Reading:
    """One reading: the level as it was received, and what is known of it."""

    id: str
    resident: str
    level: Decimal
    unit: str
    mgdl: int
    time: datetime.datetime
    tag: str
    sensor: str
    source: str
    meter: str
    serial: str
    doubt: str


def resident(event):
    """Whom an event is about."""
    subject = event.get("subject") if isinstance(event, dict) else None
    if not isinstance(subject, str) or not re.fullmatch(r"resident/.{1,100}", subject):
        raise Refused(gettext("the event does not say whose reading it is"))
    return subject.removeprefix("resident/")


def action(event):
    """What happened to the reading: `recorded`, `corrected` or `removed`; nothing for any other event."""
    kind = event.get("type") if isinstance(event, dict) else None
    return ACTIONS.get(kind) if isinstance(kind, str) else None


def identity(event):
    """The id of the reading, all that a removal needs."""
    data = event.get("data")
    if not isinstance(data, dict):
        raise misfit("data")
    if isinstance(data.get("reading"), str) and len(data["reading"]) > 200:
        raise misfit("reading")
    return words(data, "reading", 200)


def reading(event):
    """The reading that an event bears."""
    data = event.get("data")
    name = identity(event)
    level, unit, mgdl = concentration(data)
    meter = data.get("meter")
    if meter is not None and not isinstance(meter, dict):
        raise misfit("meter")
    return Reading(
        id=name,
        resident=resident(event),
        level=level,
        unit=unit,
        mgdl=mgdl,
        time=moment(data.get("time")),
        tag=words(data, "tag", 200, needed=False),
        sensor=one_of(data, "sensor", SENSORS),
        source=one_of(data, "source", SOURCES),
        meter=words(meter, "name", 200, member="meter") if meter is not None else "",
        serial=words(meter, "serial", 200, needed=False, member="meter") if meter is not None else "",
        doubt=words(data, "timeDoubt", 500, needed=False),
    )


def misfit(member):
    return Refused(gettext("the reading cannot be read: {member} does not fit", member=member))


def words(data, name, limit, needed=True, member=None):
    """A text on one line, shortened; empty for one that is absent and need not be there."""
    text = data.get(name)
    if text is None and not needed:
        return ""
    if not isinstance(text, str) or (needed and not text.strip()):
        raise misfit(member or name)
    # Half of a surrogate pair is no text anywhere else.
    text = CONTROL.sub(" ", text).encode("utf-8", "replace").decode().strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_of(data, member, known):
    if data.get(member) not in known:
        raise misfit(member)
    return data[member]


def concentration(data):
    """The level, its unit and whole mg/dL, which must be the same level: otherwise one of them is wrong."""
    text, unit, mgdl = (data.get(member) for member in ("value", "unit", "mgdl"))
    if not isinstance(text, str) or not re.fullmatch(r"\d{1,4}(\.\d{1,6})?", text, re.ASCII):
        raise misfit("value")
    if not isinstance(unit, str) or unit not in UNITS:
        raise misfit("unit")
    if isinstance(mgdl, bool) or not isinstance(mgdl, int) or not 1 <= mgdl <= 9999:
        raise misfit("mgdl")
    level = Decimal(text)
    # Whoever rounded may have had another constant in use (18 through 18.0182) and may have rounded half up or down.
    if abs(level * UNITS[unit] - mgdl) > Decimal("0.5") + level * (Decimal("0.02") if unit == "mmol/L" else 0):
        raise misfit("mgdl")
    return level, unit, mgdl


def moment(text):
    """A time with its offset, in whole minutes as every peer wants it."""
    try:
        time = datetime.datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise misfit("time") from None
    offset = time.utcoffset()
    if offset is None or offset.total_seconds() % 60 or not 2000 <= time.year <= 2199:
        raise misfit("time")
    return time
