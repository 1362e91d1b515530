"""Prints schedules and when python-dateutil and zoneinfo say that they are due, for comparison; one JSON object a line.

    differential.py ZONEINFO_DIRECTORY SEED COUNT

Local times come from dateutil, naive; moments from zoneinfo with fold=0, which is the first of a doubled time and the
offset before a gap. Nothing behind the year 2100 is asked.
"""

import datetime
import heapq
import itertools
import json
import random
import sys
import types
import zoneinfo

from dateutil import rrule

LAST_YEAR = 2100
EPOCH = datetime.datetime(1970, 1, 1)
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
# dateutil walks rules that are never due to the year 9999; here it stops where the rule or what is compared ends.
rrule.datetime = calendar = types.SimpleNamespace(**vars(datetime))


def seconds(wall):
    return (wall - EPOCH) // datetime.timedelta(seconds=1)


def offset(wall, zone):
    return int(wall.replace(tzinfo=zone).utcoffset().total_seconds())


def moment(wall, zone):
    return seconds(wall) - offset(wall, zone)


def iso(wall):
    return wall.isoformat(timespec="seconds")


def change_of(zone, year, month):
    """The local time of the first change of the offset within a year from the start of a month, or none."""
    first = datetime.datetime(year, month, 1)
    marks = [first + datetime.timedelta(days=days) for days in range(0, 366, 28)]
    for low, high in itertools.pairwise(marks):
        if offset(low, zone) == offset(high, zone):
            continue
        while high - low > datetime.timedelta(minutes=1):
            middle = low + (high - low) // 2
            if offset(middle, zone) == offset(low, zone):
                low = middle
            else:
                high = middle
        return high.replace(second=0, microsecond=0)
    return None


class Maker:
    """Makes schedules by chance, many of them around changes of the clock."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.names = sorted(zoneinfo.available_timezones())

    def some(self, values, most):
        return sorted(self.chance.sample(list(values), self.chance.randrange(1, most + 1)))

    def likely(self, share):
        return self.chance.random() < share

    def start(self, zone):
        change = None
        for _ in range(self.chance.choice((0, 5, 5))):
            year = self.chance.randrange(1900, LAST_YEAR)
            change = change or change_of(zone, year, self.chance.randrange(1, 13))
        year = self.chance.randrange(1900, LAST_YEAR + 1)
        if change is None:
            day = datetime.datetime(year, 1, 1) + datetime.timedelta(days=self.chance.randrange(365))
            # Days at the ends of months are where rules differ.
            if self.likely(0.3):
                day = day.replace(day=28) + datetime.timedelta(days=self.chance.randrange(4))
            wall = day + datetime.timedelta(minutes=self.chance.randrange(1440))
        else:
            days = self.chance.choice((0, 0, 1, 1, 2, 7, 7, self.chance.randrange(30)))
            wall = change - datetime.timedelta(days=days, minutes=self.chance.randrange(-90, 90))
        wall = wall.replace(minute=self.chance.choice((0, 0, 15, 30, 30, 45, wall.minute)), second=0)
        if self.likely(0.05):
            wall = wall.replace(second=self.chance.randrange(60))
        return min(max(wall, datetime.datetime(1900, 1, 1)), datetime.datetime(LAST_YEAR, 12, 31, 23, 59))

    def weekdays(self, frequency, has_month):
        days = self.some(WEEKDAYS, 4)
        if frequency not in ("MONTHLY", "YEARLY") or self.likely(0.4):
            return days
        most = 5 if frequency == "MONTHLY" or has_month else 53
        counted = [f"{self.chance.choice((-1, 1)) * self.chance.randrange(1, most + 1)}{day}" for day in days]
        return counted + ([self.chance.choice(WEEKDAYS)] if self.likely(0.05) else [])

    def rule(self, start):
        """A rule's parts, by name, without its end."""
        frequency = self.chance.choice(("HOURLY", "DAILY", "DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"))
        most = {"HOURLY": 50, "DAILY": 40, "WEEKLY": 9, "MONTHLY": 25, "YEARLY": 8}[frequency]
        parts = {"FREQ": frequency}
        if self.likely(0.5):
            parts["INTERVAL"] = self.chance.randrange(1, most)
        if self.likely(0.2):
            parts["BYMONTH"] = self.some(range(1, 13), 4)
        if frequency != "WEEKLY" and self.likely(0.3):
            parts["BYMONTHDAY"] = self.some((*range(1, 32), *range(-31, 0), 28, 29, 30, 31, -1), 4)
        if self.likely(0.35):
            parts["BYDAY"] = self.weekdays(frequency, "BYMONTH" in parts)
        if self.likely(0.2):
            parts["BYHOUR"] = self.some(range(24), 3)
        if self.likely(0.2):
            parts["BYMINUTE"] = self.some(range(60), 3)
        if len(parts) > 2 and any(name.startswith("BY") for name in parts) and self.likely(0.2):
            # A day or hour has few times to choose from; a position that it never has would be looked for in vain.
            is_short = frequency in ("HOURLY", "DAILY")
            parts["BYSETPOS"] = self.some((1, -1) if is_short else (*range(1, 8), *range(-7, 0)), 2)
        if self.likely(0.15):
            parts["WKST"] = self.chance.choice(WEEKDAYS)
        return parts

    def end(self, start):
        kind = self.chance.randrange(5)
        later = start + datetime.timedelta(seconds=int(3600 * 10 ** self.chance.uniform(-1, 5)))
        if kind == 1:
            return "COUNT", self.chance.choice((1, 2, 3, 5, 8, 40, 365, 100_000))
        return ("", None) if kind == 0 else (("DATE", "LOCAL", "UTC")[kind - 2], later)

    def schedule_over_change(self):
        """A plain schedule whose first times lie around a change of the clock."""
        name = self.chance.choice(self.names)
        zone = zoneinfo.ZoneInfo(name)
        change = change_of(zone, self.chance.randrange(1900, LAST_YEAR), self.chance.randrange(1, 13))
        if change is None:
            return None
        near = change - datetime.timedelta(minutes=self.chance.choice((0, 15, 30, 30, 45, 59, 60, 90)))
        kind = self.chance.randrange(4)
        if kind == 0:
            hours = self.chance.randrange(1, 4)
            start = near - hours * self.chance.randrange(4) * HOUR
            parts = {"FREQ": "HOURLY", "INTERVAL": hours}
        elif kind == 1:
            start = near - self.chance.randrange(3) * HOUR
            parts = {"FREQ": "HOURLY", "BYMINUTE": self.some((0, 10, 30, 50), 2)}
        elif kind == 2:
            start = near - self.chance.randrange(8) * DAY
            parts = {"FREQ": "DAILY"}
        else:
            start = near - self.chance.randrange(4) * DAY
            parts = {"FREQ": "WEEKLY", "BYDAY": self.some(WEEKDAYS, 7)}
        made = Schedule(name, zone, start, parts, *self.end(start))
        if kind >= 2 and self.likely(0.5):
            times = [near + minutes * HOUR / 60 for minutes in self.some((-90, -60, -30, 0, 30, 60, 90), 4)]
            made.times = sorted({(time.hour, time.minute) for time in times})
        return made

    def schedule(self):
        if self.likely(0.3) and (made := self.schedule_over_change()):
            return made
        name = self.chance.choice(self.names)
        zone = zoneinfo.ZoneInfo(name)
        start = self.start(zone)
        parts = self.rule(start)
        made = Schedule(name, zone, start, parts, *self.end(start))
        if "BYHOUR" not in parts and "BYMINUTE" not in parts and parts["FREQ"] != "HOURLY" and self.likely(0.25):
            made.times = sorted({(self.chance.randrange(24), self.chance.choice((0, 30))) for _ in range(3)})
        day_only = set(parts) <= {"FREQ", "INTERVAL", "WKST"}
        if day_only and parts["FREQ"] in ("MONTHLY", "YEARLY") and self.likely(0.7):
            made.uses_last_day = True
        return made


class Schedule:
    """One schedule, and dateutil's rules for it."""

    def __init__(self, name, zone, start, parts, end, limit):
        self.name, self.zone, self.start, self.parts = name, zone, start, parts
        self.end, self.limit = end, limit
        self.times, self.excluded, self.added = [], [], []
        self.uses_last_day = False

    def text(self, parts, until):
        parts = dict(parts)
        if self.end == "COUNT":
            parts["COUNT"] = self.limit
        elif until:
            parts["UNTIL"] = until
        words = {
            name: ",".join(map(str, part)) if isinstance(part, list) else str(part) for name, part in parts.items()
        }
        return ";".join(f"{name}={word}" for name, word in words.items())

    def asked(self):
        """The schedule as Homeward reads it."""
        until = {
            "DATE": lambda: self.limit.strftime("%Y%m%d"),
            "LOCAL": lambda: self.limit.strftime("%Y%m%dT%H%M%S"),
            "UTC": lambda: (EPOCH + datetime.timedelta(seconds=moment(self.limit, self.zone))).strftime(
                "%Y%m%dT%H%M%SZ"
            ),
        }.get(self.end, lambda: None)()
        return {
            "kind": "calendar",
            "start": iso(self.start),
            "timeZone": self.name,
            "rrule": self.text(self.parts, until),
            "times": [f"{hour:02}:{minute:02}" for hour, minute in self.times],
            "excluded": [iso(wall) for wall in self.excluded],
            "added": [iso(wall) for wall in self.added],
            "monthEnd": "last-day" if self.uses_last_day else "skip",
        }

    def ruled(self):
        """What the rule gives, ascending; a day as the end means all of it, and a moment is compared as a moment."""
        parts = dict(self.parts)
        if self.uses_last_day and self.start.day > 28:
            if parts["FREQ"] == "MONTHLY" or self.start.month == 2:
                parts["BYMONTHDAY"], parts["BYSETPOS"] = list(range(28, self.start.day + 1)), -1
            if parts["FREQ"] == "YEARLY":
                parts["BYMONTH"] = self.start.month
        until = {"DATE": "%Y%m%dT235959", "LOCAL": "%Y%m%dT%H%M%S"}.get(self.end)
        calendar.MAXYEAR = min(self.limit.year + 1, LAST_YEAR) if until or self.end == "UTC" else LAST_YEAR
        text = self.text(parts, self.limit.strftime(until) if until else None)
        starts = [self.start.replace(hour=hour, minute=minute, second=0) for hour, minute in self.times]
        try:
            walls = heapq.merge(*(rrule.rrulestr(text, dtstart=start) for start in starts or [self.start]))
            if self.end != "UTC":
                yield from walls
                return
            limit = moment(self.limit, self.zone)
            for wall in walls:
                if wall > self.limit + 30 * HOUR:
                    return
                if moment(wall, self.zone) <= limit:
                    yield wall
        except ValueError as fault:
            # dateutil says so of hours that an hourly rule never meets.
            if "empty set" not in str(fault):
                raise

    def walls(self, most):
        """The first local times, at most so many, and whether that is all."""
        excluded = set(self.excluded)
        merged = (wall for wall, _ in itertools.groupby(heapq.merge(self.ruled(), sorted(self.added))))
        found = list(itertools.islice((wall for wall in merged if wall not in excluded), most + 1))
        return found[:most], len(found) <= most

    def slots(self, most):
        """Moments with their local times, one a moment, as far as no later local time can come in between."""
        walls, is_all = self.walls(most)
        earliest = {}
        for wall in walls:
            earliest.setdefault(moment(wall, self.zone), wall)
        slots = sorted(earliest.items())
        if is_all:
            return slots, True
        largest = max(offset(walls[-1] + hours * HOUR, self.zone) for hours in range(-60, 61, 6))
        return [slot for slot in slots if slot[0] < seconds(walls[-1]) - largest], False


def main():
    directory, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    zoneinfo.reset_tzpath([directory])
    maker = Maker(seed)
    for _ in range(count):
        schedule = maker.schedule()
        if maker.likely(0.2):
            walls, _ = schedule.walls(8)
            schedule.excluded = maker.some(walls, min(3, len(walls))) if walls else []
            schedule.added = [schedule.start + maker.chance.randrange(-400, 400) * HOUR for _ in range(2)]
            schedule.added = [wall for wall in schedule.added if 1900 <= wall.year <= LAST_YEAR]
        slots, is_all = schedule.slots(400 if maker.likely(0.03) else 9)
        questions = []
        if slots:
            low, high = slots[0][0] - 90_000, slots[-1][0] + (90_000 if is_all else -1)
            for _ in range(2):
                near = maker.chance.choice(slots)[0] + maker.chance.choice((-1, 0, 1, -1800, 1800, 3600))
                at = min(max(near if maker.likely(0.6) else maker.chance.randrange(low, max(low, high) + 1), low), high)
                before = [slot for slot in slots if slot[0] <= at]
                after = [slot for slot in slots if slot[0] > at]
                questions.append([at, before[-1][0] if before else None, after[0][0] if after else None])
        shown = slots[:9]
        print(
            json.dumps(
                {
                    "schedule": schedule.asked(),
                    "slots": [[iso(wall), at] for at, wall in shown],
                    "isAll": is_all and len(shown) == len(slots),
                    "questions": questions,
                },
                separators=(",", ":"),
            )
        )


main()
