"""Reads an exported calendar as others do, and prints when each item is due, for comparison.

    differential.py FILE FROM TO    two times in ISO 8601, in UTC

Prints an object: "instants" by item as python-dateutil expands them by the system's zones; "other" the same by
recurring-ical-events; "zones" how many local times each VTIMEZONE was compared at with the system's database,
and "wrong" where they differ.
"""

import datetime
import io
import json
import re
import sys
import zoneinfo

import icalendar
import recurring_ical_events
from dateutil.rrule import rrule, rruleset, rrulestr
from dateutil.tz import tzical

UTC = datetime.UTC


def item(component):
    return re.fullmatch(r"(.+?)(-\d{4})?@homeward", str(component["UID"]))[1]


def moments(component, name):
    """The times of a property as they stand there, with the zone that they name."""
    found = component.get(name)
    for entry in found if isinstance(found, list) else [found] if found is not None else []:
        zone = zoneinfo.ZoneInfo(entry.params["TZID"]) if "TZID" in entry.params else UTC
        for value in [entry.dt] if hasattr(entry, "dt") else [one.dt for one in entry.dts]:
            yield value.replace(tzinfo=zone)


def expand(component, start, end):
    first = next(moments(component, "DTSTART"))
    times = rruleset()
    if "RRULE" in component:
        times.rrule(rrulestr(component["RRULE"].to_ical().decode(), dtstart=first))
    else:
        times.rrule(rrule(freq=3, count=1, dtstart=first))
    for added in moments(component, "RDATE"):
        times.rdate(added)
    for excluded in moments(component, "EXDATE"):
        times.exdate(excluded)
    for moment in times:
        instant = moment.astimezone(UTC)
        if instant >= end + datetime.timedelta(days=2):
            return
        if start <= instant < end:
            yield instant


def compare_zone(text):
    # That reader refuses names that it does not know.
    text = re.sub(r"^X-LIC-LOCATION:.*\n", "", text, flags=re.MULTILINE)
    name = re.search(r"^TZID:(.*)$", text, re.MULTILINE)[1]
    stated, system = tzical(io.StringIO(text)).get(name), zoneinfo.ZoneInfo(name)
    years = sorted(int(year) for year in re.findall(r"^DTSTART:(\d{4})", text, re.MULTILINE))
    moment, count, wrong = datetime.datetime(years[0], 1, 2), 0, []
    # An export serves for some years; by then it is made anew.
    while moment.year < 2034:
        offsets = {moment.replace(tzinfo=system, fold=fold).utcoffset() for fold in (0, 1)}
        if len(offsets) == 1:
            count += 1
            if moment.replace(tzinfo=stated).utcoffset() not in offsets:
                wrong.append(f"{name} {moment}")
        moment += datetime.timedelta(hours=5, minutes=17)
    return name, count, wrong[:5]


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        text = file.read()
    start, end = (datetime.datetime.fromisoformat(word) for word in sys.argv[2:])
    calendar = icalendar.Calendar.from_ical(text)
    instants, other, zones, wrong = {}, {}, {}, []
    titles = {item(one): str(one["SUMMARY"]) for one in calendar.walk() if one.name in ("VEVENT", "VTODO")}
    for component in calendar.walk("VEVENT"):
        assert not component.errors, component.errors
        instants.setdefault(item(component), set()).update(expand(component, start, end))
    # That one takes seconds for an hour's rule: it reads a part.
    for component in calendar.walk("VEVENT"):
        if not re.fullmatch(r"item-\d\d?", item(component)) or "HOURLY" in str(component.get("RRULE")):
            calendar.subcomponents = [one for one in calendar.subcomponents if one is not component]
    for event in recurring_ical_events.of(calendar).between(start, end):
        other.setdefault(item(event), set()).add(event["DTSTART"].dt.astimezone(UTC))
    for section in re.findall(r"BEGIN:VTIMEZONE.*?END:VTIMEZONE", text.replace("\r\n", "\n"), re.DOTALL):
        name, count, errors = compare_zone(section)
        zones[name] = count
        wrong += errors
    seconds = {
        kind: {name: sorted(int(one.timestamp()) for one in times) for name, times in found.items()}
        for kind, found in (("instants", instants), ("other", other))
    }
    print(json.dumps({**seconds, "zones": zones, "wrong": wrong, "titles": titles}))


main()
