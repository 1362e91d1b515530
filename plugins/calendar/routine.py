"""Makes items of a resident's routine from an iCalendar file (RFC 5545), and names what cannot be one.

The rules are those of `homeward routine import`; both are tested by Tests/Formats/CalendarsTests/cases.json.
"""

import datetime
import re
import zoneinfo

from contentlines import CalendarFault, CalendarFile
from recurrence import EndFinder, RuleFault, is_impossible, read_rule, until
from texts import gettext
from windows_zones import PLACES

MAXIMUM_ITEMS = 1000
MAXIMUM_DATES = 1000
MAXIMUM_NAMED = 200
# What is over is kept for a day, so that nothing vanishes while somebody is being reminded of it.
KEPT = datetime.timedelta(days=1)
UTC = datetime.UTC
ZONE_NAME = re.compile(r"(?=.{1,128}$)[A-Za-z0-9_+][A-Za-z0-9_+-]*(/[A-Za-z0-9_+][A-Za-z0-9_+-]*)*", re.ASCII)
VALUE = re.compile(r"(\d{8})(T\d{6}(Z?))?", re.ASCII)
DURATION = re.compile(
    r"([+-]?)P(?:(\d{1,8})W)?(?:(\d{1,8})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?", re.ASCII
)
CONTROL = "\x00-\x1f\x7f-\x9f"

NEVER = gettext("By its rule it never happens. Correct the rule in the calendar.")
START = gettext("It has no beginning that can be read. Give it a date and a time.")
RANGE = gettext(
    "Some of its dates were moved together with all later ones. End the old series in the calendar and make a new one."
)
TOO_LONG = gettext("It is too long, or has too many dates. Make several events of it.")


class EventFault(Exception):
    """Why one event cannot become an item: a code and a sentence."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code = code


def unescaped(value):
    return re.sub(r"\\(.?)", lambda match: "\n" if match[1] in ("n", "N") else match[1], value, flags=re.DOTALL)


def one_line(value):
    return " ".join(word for word in re.split(rf"[\s{CONTROL}]+", unescaped(value)) if word)


def several_lines(value):
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "", unescaped(value)).strip()


def shortened(text, limit):
    return text if len(text) <= limit else text[: limit - 1] + "…"


def fingerprint(parts):
    """FNV-1a with 128 bits of texts in order, as the gateway names things."""
    state = 0x6C62272E07BB014262B821756295C58D
    for byte in b"\xff".join(part.encode("utf-8", "replace") for part in parts):
        state = ((state ^ byte) * 0x0000000001000000000000000000013B) & ((1 << 128) - 1)
    return f"{state:032x}"


class Zones:
    """Finds what a file's names of zones mean, and brings times into a zone."""

    def __init__(self, home, all_day, locations):
        self.known = {}
        self.all_day = all_day
        self.locations = locations
        self.home = self.load(home)
        if self.home is None:
            raise CalendarFault(
                "zone", gettext("the time zone {zone} is unknown; write one such as Europe/Madrid", zone=home[:60])
            )

    def load(self, name):
        if name not in self.known:
            try:
                zone = zoneinfo.ZoneInfo(name) if ZONE_NAME.fullmatch(name) else None
            except (zoneinfo.ZoneInfoNotFoundError, OSError, ValueError):
                zone = None
            if len(self.known) >= 1000:
                return zone
            self.known[name] = zone
        return self.known[name]

    def zone(self, name):
        if name is None:
            return self.home
        words = [word for word in name.split("/") if word][-3:]
        ends = ["/".join(words[index:]) for index in range(len(words))]
        for candidate in (name, self.locations.get(name), *ends, PLACES.get(name)):
            zone = self.load(candidate) if candidate is not None else None
            if zone is not None:
                return zone
        shown = shortened(one_line(name), 60)
        raise EventFault(
            "zone",
            gettext('Its time zone "{zone}" is unknown. Choose one such as Europe/Madrid in the calendar.', zone=shown),
        )

    def own(self, time):
        """A time on the wall of its own zone: where a series of it lives."""
        kind, civil, name = time
        if kind == "day":
            return civil.replace(hour=self.all_day[0], minute=self.all_day[1]), self.home
        return civil, self.zone("Etc/UTC" if kind == "utc" else name)

    def local(self, time, zone):
        local, own = self.own(time)
        return local if own.key == zone.key else instant(local, own).astimezone(zone).replace(tzinfo=None)


def instant(local, zone):
    """By RFC 5545: in a gap the offset before it, of two the first; which is what fold=0 means."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def read_time(text, zone):
    """A DATE or DATE-TIME, of a period its start: its kind, the civil time, and the file's name of the zone."""
    match = VALUE.fullmatch(text.split("/")[0].strip(" ").split(" ")[0].upper())
    if not match:
        return None
    day, time, is_utc = match.groups()
    try:
        civil = datetime.datetime.strptime(day + (time or "T000000")[1:7], "%Y%m%d%H%M%S")
    except ValueError:
        return None
    if not 1900 <= civil.year <= 2100:
        return None
    if time is None:
        return ("day", civil, None)
    return ("utc", civil, None) if is_utc else ("local", civil, zone)


def line_times(line):
    times = [read_time(word, line.parameters.get("TZID")) for word in line.value.split(",") if word]
    return None if None in times else times


def line_time(line):
    return read_time(line.value, line.parameters.get("TZID"))


def is_cancelled(component):
    status = component.value("STATUS").upper()
    return status.startswith(("CANCELLED", "COMPLETED")) or component.get("COMPLETED") is not None


def sequence(component):
    text = component.value("SEQUENCE")[:9]
    return int(text) if re.fullmatch(r"[+-]?\d+", text, re.ASCII) else 0


def words(component):
    return [component.value(name) for name in ("SUMMARY", "DESCRIPTION", "LOCATION")]


class Series:
    """The components of one event: the event, and dates of it that were changed."""

    def __init__(self, uid):
        self.uid = uid
        self.master = None
        self.changes = []


def grouped(components):
    """Series in the order in which they first appear; of two versions the higher SEQUENCE, then the later."""
    series = {}
    for index, component in enumerate(components):
        uid = one_line(component.value("UID"))
        key = (component.is_task, uid or f"#{index}")
        one = series.setdefault(key, Series(uid))
        if component.get("RECURRENCE-ID") is not None:
            one.changes.append(component)
        elif one.master is None or sequence(one.master) <= sequence(component):
            one.master = component
    return series.values()


class CalendarImport:
    """Items, and a report of everything that does not become one."""

    def __init__(self, data, *, resident, source, time_zone, now, all_day=(9, 0)):
        file = CalendarFile(data)
        self.resident, self.source = resident, source
        self.horizon = now - KEPT
        self.zones = Zones(time_zone, all_day, file.locations)
        self.ends = EndFinder()
        self.items, self.left_out = [], []
        self.left_out_count = self.past = self.cancelled = self.later = self.shortened = 0
        self.component_count = len(file.components)
        self.due, self.cut, self.ids = [], set(), set()
        for series in grouped(file.components):
            self.take(series)
        self.limit()

    # Events

    def take(self, series):
        if series.master is None:
            for change in series.changes:
                self.take_single(change, series.uid)
        elif is_cancelled(series.master):
            self.cancelled += 1
        elif any(series.master.get(name) is not None for name in ("RRULE", "RDATE", "EXRULE")):
            self.attempt(series.master, lambda: self.take_repeated(series))
        else:
            self.attempt(series.master, lambda: self.take_once(series.master, series.uid))
            if not series.master.is_too_long:
                for change in series.changes:
                    self.take_single(change, series.uid)

    def take_single(self, change, uid):
        """A changed date that becomes an item of its own."""
        if is_cancelled(change):
            self.cancelled += 1
            return
        identity = f"{uid} {change.value('RECURRENCE-ID')}"
        self.attempt(change, lambda: self.take_once(change, identity))

    def attempt(self, component, body):
        try:
            if component.is_too_long:
                raise EventFault("too-long", TOO_LONG)
            body()
        except EventFault as fault:
            self.left_out_count += 1
            if len(self.left_out) < MAXIMUM_NAMED:
                self.left_out.append((shortened(self.title(component), 100), fault.code, str(fault)))

    def beginning(self, component, is_repeated):
        names = ("DTSTART",) if not component.is_task else ("DTSTART", "DUE") if is_repeated else ("DUE", "DTSTART")
        line = next((line for line in map(component.get, names) if line is not None), None)
        if line is None and component.is_task and not is_repeated:
            return None
        time = line_time(line) if line is not None else None
        if time is None:
            raise EventFault("start", START)
        return time

    def take_once(self, component, identity):
        time = self.beginning(component, False)
        if time is None:
            self.add(component, identity, {"kind": "never"}, None)
            return
        local, zone = self.zones.own(time)
        if time[0] == "utc":
            local, zone = self.zones.local(time, self.zones.home), self.zones.home
        due = instant(local, zone)
        if due <= self.horizon:
            self.past += 1
            return
        self.add(component, identity, {"kind": "calendar", "start": local.isoformat(), "timeZone": zone.key}, due)

    def take_repeated(self, series):
        master = series.master
        start, zone = self.zones.own(self.beginning(master, True))
        rules = master.all("RRULE")
        if len(rules) > 1 or master.get("EXRULE") is not None:
            raise EventFault("rule", gettext("It has several rules. Make one event of each."))
        schedule = {"kind": "calendar", "start": start.isoformat(), "timeZone": zone.key}
        parts = None
        if rules:
            text = one_line(rules[0].value)
            try:
                parts = read_rule(text)
            except RuleFault as fault:
                raise EventFault("rule", str(fault)) from None
            schedule["rrule"] = text.upper().removeprefix("RRULE:")
            self.check_occurs(parts, start, zone)
        excluded, added = self.dates("EXDATE", master, zone), self.dates("RDATE", master, zone)
        extras = self.apply(series.changes, master, zone, excluded, added)
        for name, dates in (("excluded", excluded), ("added", added)):
            if len(dates) > MAXIMUM_DATES:
                raise EventFault("too-long", TOO_LONG)
            if dates:
                schedule[name] = [date.isoformat() for date in sorted(dates)]
        if self.is_over(start, zone, parts, excluded, added):
            self.past += 1
        else:
            self.add(master, series.uid, schedule, None)
        for extra in extras:
            self.take_single(extra, series.uid)

    def check_occurs(self, parts, start, zone):
        """Finds rules that never happen; brings UNTIL into the event's local time."""
        if is_impossible(parts, start):
            raise EventFault("rule", NEVER)
        if "UNTIL" in parts:
            end, is_utc = until(parts["UNTIL"])
            if is_utc:
                end = end.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)
            if end < start:
                raise EventFault("rule", NEVER)
            parts["UNTIL"] = end

    def is_over(self, start, zone, parts, excluded, added):
        horizon = self.horizon.astimezone(zone).replace(tzinfo=None)
        if any(date > horizon and date not in excluded for date in added):
            return False
        if parts is None:
            return start <= horizon or start in excluded
        return self.ends.is_over(start, parts, excluded, horizon)

    def dates(self, name, component, zone):
        dates = set()
        for line in component.all(name):
            times = line_times(line)
            if times is None:
                raise EventFault(
                    "rule",
                    gettext("One of its dates in {property} cannot be read. Make the event anew.", property=name),
                )
            dates |= {self.zones.local(time, zone) for time in times}
        return dates

    def apply(self, changes, master, zone, excluded, added):
        """Moves dates within the series; answers those that say something else and become items of their own."""
        extras = []
        for change in changes:
            if change.is_too_long:
                raise EventFault("too-long", TOO_LONG)
            line = change.get("RECURRENCE-ID")
            old = line_time(line)
            if old is None:
                raise EventFault("start", START)
            if "RANGE" in line.parameters:
                raise EventFault("range", RANGE)
            nominal = self.zones.local(old, zone)
            if is_cancelled(change):
                excluded.add(nominal)
            elif words(change) != words(master):
                excluded.add(nominal)
                extras.append(change)
            else:
                moved = self.zones.local(self.beginning(change, True), zone)
                if moved != nominal:
                    excluded.add(nominal)
                    added.add(moved)
        return extras

    # Items

    def title(self, component):
        title = shortened(one_line(component.value("SUMMARY")), 200)
        return title or (gettext("Task") if component.is_task else gettext("Appointment"))

    def add(self, component, identity, schedule, due):
        title, place = one_line(component.value("SUMMARY")), one_line(component.value("LOCATION"))
        details = several_lines(component.value("DESCRIPTION"))
        description = component.get("DESCRIPTION")
        if len(title) > 200 or len(place) > 200 or len(details) > 10_000 or (description and description.is_cut):
            self.cut.add(len(self.items))
        item = {
            "id": self.fresh_id(identity),
            "resident": self.resident,
            "kind": self.kind(component),
            "title": self.title(component),
            "details": shortened(details, 10_000),
            "place": shortened(place, 200),
            "schedule": schedule,
            "source": self.source,
        }
        if identity and not identity.startswith(" "):
            item["event"] = fingerprint([identity])
        notice = self.notice_minutes(component)
        if notice is not None:
            item["timing"] = {"noticeMinutes": notice}
        self.items.append(item)
        self.due.append(due)

    @staticmethod
    def kind(component):
        named = {one_line(word) for line in component.all("CATEGORIES") for word in line.value.upper().split(",")}
        if named & {"MEDICINE", "MEDICATION"}:
            return "medicine"
        if "ROUTINE" in named:
            return "routine"
        if "APPOINTMENT" in named:
            return "appointment"
        return "routine" if component.is_task else "appointment"

    @staticmethod
    def notice_minutes(component):
        """The longest warning of at most four hours."""
        found = []
        for line in component.triggers:
            text = one_line(line.value).upper()
            match = DURATION.fullmatch(text)
            if line.parameters.get("RELATED", "").upper() == "END" or not match or text.endswith(("P", "T")):
                continue
            weeks, days, hours, minutes, seconds = (int(number or 0) for number in match.groups()[1:])
            total = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds
            if match[1] == "-" and 1 <= total // 60 <= 240:
                found.append(total // 60)
        return max(found, default=None)

    def fresh_id(self, identity):
        base = "cal-" + fingerprint([self.resident, self.source, identity])
        name, number = base, 2
        while name in self.ids:
            name, number = f"{base}-{number}", number + 1
        self.ids.add(name)
        return name

    def limit(self):
        """Leaves no more items than there is room for: what comes again first, then the soonest."""
        kept = range(len(self.items))
        if len(kept) > MAXIMUM_ITEMS:
            first = datetime.datetime.min.replace(tzinfo=UTC)
            self.later = len(kept) - MAXIMUM_ITEMS
            kept = sorted(sorted(kept, key=lambda index: (self.due[index] or first, index))[:MAXIMUM_ITEMS])
        self.shortened = sum(index in self.cut for index in kept)
        self.items = [self.items[index] for index in kept]
