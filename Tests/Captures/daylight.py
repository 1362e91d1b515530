"""Local times of rules around changes of the clock, with the moments that RFC 5545, section 3.3.5, has them mean.

The moments are those of Python's zoneinfo. All are past, so that no law yet to be made changes a case.
"""

import calendar
import itertools
import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

# Zone, first local time, rule.
CASES = [
    # An hour is left out, an hour comes twice; north and south.
    ("Europe/Paris", "20240329T023000", "FREQ=DAILY;COUNT=5"),
    ("Europe/Paris", "20241025T023000", "FREQ=DAILY;COUNT=5"),
    ("America/Chicago", "20230310T023000", "FREQ=DAILY;COUNT=5"),
    ("America/Chicago", "20231103T013000", "FREQ=DAILY;COUNT=5"),
    ("Australia/Sydney", "20230929T021500", "FREQ=DAILY;COUNT=5"),
    ("Australia/Sydney", "20240405T024500", "FREQ=DAILY;COUNT=4"),
    # Midnight itself is left out; an hour before midnight comes twice; a minute after midnight.
    ("America/Santiago", "20230901T000000", "FREQ=DAILY;COUNT=5"),
    ("America/Santiago", "20240405T233000", "FREQ=DAILY;COUNT=4"),
    ("America/St_Johns", "20100312T001500", "FREQ=DAILY;COUNT=4"),
    # Half an hour, and two hours.
    ("Australia/Lord_Howe", "20230930T021500", "FREQ=DAILY;COUNT=4"),
    ("Antarctica/Troll", "20240329T023000", "FREQ=DAILY;COUNT=4"),
    ("Antarctica/Troll", "20241026T013000", "FREQ=DAILY;COUNT=3"),
    # Clocks go back for a month of fasting, and forward after it.
    ("Africa/El_Aaiun", "20230318T023000", "FREQ=DAILY;COUNT=3"),
    ("Africa/El_Aaiun", "20230422T023000", "FREQ=DAILY;COUNT=3"),
    # A day that was left out, and a zone that has no such thing.
    ("Pacific/Fakaofo", "20111228T080000", "FREQ=DAILY;COUNT=4"),
    ("Asia/Kathmandu", "20240101T080000", "FREQ=DAILY;COUNT=3"),
    # The hour stays on the clock's face; days that some months and years lack.
    ("Europe/Dublin", "20241026T080000", "FREQ=WEEKLY;BYDAY=SA,SU;COUNT=4"),
    ("Europe/Paris", "20240131T080000", "FREQ=MONTHLY;COUNT=5"),
    ("Europe/Paris", "20240131T080000", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5"),
    ("Europe/Paris", "20040229T080000", "FREQ=YEARLY;COUNT=3"),
]

_FORMAT = "%Y%m%dT%H%M%S"
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def _is_due(day, start, rule):
    last = calendar.monthrange(day.year, day.month)[1]
    match rule:
        case {"FREQ": "DAILY"}:
            return True
        case {"FREQ": "WEEKLY", "BYDAY": days}:
            return _WEEKDAYS[day.weekday()] in days.split(",")
        case {"FREQ": "MONTHLY", "BYMONTHDAY": "-1"}:
            return day.day == last
        case {"FREQ": "MONTHLY"}:
            return day.day == start.day
        case {"FREQ": "YEARLY"}:
            return (day.month, day.day) == (start.month, start.day)
    raise ValueError(rule)


def _local_times(start, text):
    rule = dict(part.split("=") for part in text.split(";"))
    days = (start + timedelta(days=number) for number in itertools.count())
    return itertools.islice((day for day in days if _is_due(day, start, rule)), int(rule["COUNT"]))


def _instance(local, zone):
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    moment = first.astimezone(UTC)
    exists = moment.astimezone(zone).replace(tzinfo=None) == local
    return {
        "local": local.strftime(_FORMAT),
        "utc_rfc5545": moment.strftime(_FORMAT + "Z"),
        "exists": exists,
        "ambiguous": exists and first.utcoffset() != second.utcoffset(),
    }


def _case(zone, start, rule):
    times = _local_times(datetime.strptime(start, _FORMAT), rule)
    instances = [_instance(local, ZoneInfo(zone)) for local in times]
    return {"tzid": zone, "dtstart": start, "rrule": rule, "instances": instances}


def captures():
    """The path and bytes of the cases, one a line."""
    cases = ",\n".join(json.dumps(_case(*case)) for case in CASES)
    return {"daylight-saving.json": f'{{"cases": [\n{cases}\n]}}\n'.encode()}
