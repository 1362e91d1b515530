"""What Nightscout is to hold of a reading.

Its `entries` are a time line that other programs reckon with, some of them to dose insulin. Only what is sure goes
there: sensor values as `sgv`, finger-sticks as `mbg`. What somebody noted, and what is not sure, goes to `treatments`,
which people read.
"""

import datetime
import uuid

from texts import gettext

COLLECTIONS = ("entries", "treatments")
# Nightscout takes an `sgv` below this for a sensor's error code and not for a level.
LEAST_SGV = 39
UNITS = {"mg/dL": "mg/dl", "mmol/L": "mmol"}
GLUCOSE_TYPES = {"finger-stick": "Finger", "cgm": "Sensor", "unknown": "Manual"}


def identifier(reading_id):
    """The name of a reading's documents, the same for ever; it tells nothing of the gateway."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"urn:homeward:glucose-reading:{reading_id}"))


def documents(reading, with_notes):
    """The documents of a reading by collection; none where a collection is to hold nothing of it."""
    found = dict.fromkeys(COLLECTIONS)
    if reading.doubt:
        found["treatments"] = doubtful(reading, with_notes)
        return found
    found["entries"] = entry(reading)
    if found["entries"] is None:
        found["treatments"] = check(reading, with_notes)
    elif reading.tag and with_notes:
        found["treatments"] = treatment(reading, "Note", notes=reading.tag)
    return found


def base(reading):
    milliseconds = round(reading.time.timestamp() * 1000)
    return {
        "identifier": identifier(reading.id),
        "date": milliseconds,
        "utcOffset": int(reading.time.utcoffset().total_seconds() // 60),
        "app": "homeward",
        "device": reading.meter or "homeward",
    }


def instant(reading):
    return reading.time.astimezone(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def entry(reading):
    """A sure reading of a known kind, or nothing."""
    kind = {"finger-stick": "mbg", "cgm": "sgv"}.get(reading.sensor)
    if kind is None or (kind == "sgv" and reading.mgdl < LEAST_SGV):
        return None
    when = reading.time.isoformat(timespec="milliseconds")
    return {**base(reading), "type": kind, kind: reading.mgdl, "dateString": when}


def treatment(reading, kind, **fields):
    return {**base(reading), "eventType": kind, "created_at": instant(reading), "enteredBy": "Homeward", **fields}


def check(reading, with_notes):
    """A sure reading of which nobody knows the sensor, or that `entries` would take for an error code."""
    level = {
        "glucose": float(reading.level),
        "glucoseType": GLUCOSE_TYPES[reading.sensor],
        "units": UNITS[reading.unit],
    }
    notes = {"notes": reading.tag} if reading.tag and with_notes else {}
    return treatment(reading, "BG Check", **level, **notes)


def doubtful(reading, with_notes):
    """A reading whose time may be wrong: words, and no number that a program could take for a level at that time."""
    level, unit = str(reading.level), reading.unit
    text = gettext("Glucose {level} {unit}, time uncertain: {doubt}", level=level, unit=unit, doubt=reading.doubt)
    if reading.tag and with_notes:
        text = gettext("{text} ({tag})", text=text, tag=reading.tag)
    return treatment(reading, "Note", notes=str(text))
