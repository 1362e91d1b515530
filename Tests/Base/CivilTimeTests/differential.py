"""Prints what Python's zoneinfo makes of moments and local times, for comparison."""

import datetime
import random
import sys
import zoneinfo

UTC = datetime.UTC
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)


def seconds(moment):
    return (moment - EPOCH) // datetime.timedelta(seconds=1)


def main():
    directory, seed = sys.argv[1], int(sys.argv[2])
    zoneinfo.reset_tzpath([directory])
    numbers = random.Random(seed)
    for name in sorted(zoneinfo.available_timezones()):
        zone = zoneinfo.ZoneInfo(name)
        for _kind, low, high in (("past", -(2**31), 2**31), ("now", 1500000000, 2500000000), ("far", 2**31, 2**37)):
            for _ in range(12):
                moment = EPOCH + datetime.timedelta(seconds=numbers.randrange(low, high))
                local = moment.astimezone(zone)
                offset = int(local.utcoffset().total_seconds())
                print("u", name, seconds(moment), offset, local.tzname())
        changes(name, zone, numbers)


def changes(name, zone, numbers):
    """Local times in the hours around every change of offset between 1970 and 2400, by bisection of sampled spans."""
    year = numbers.randrange(2030, 2400)
    starts = [datetime.datetime(y, 1, 1, tzinfo=UTC) for y in (1980, 2011, 2018, 2022, 2026, year)]
    for start in starts:
        for day in range(366):
            a = start + datetime.timedelta(days=day)
            b = a + datetime.timedelta(days=1)
            if a.astimezone(zone).utcoffset() == b.astimezone(zone).utcoffset():
                continue
            for minutes in range(-26 * 60, 50 * 60, 107):
                wall = a.replace(tzinfo=None) + datetime.timedelta(minutes=minutes)
                instant = wall.replace(tzinfo=zone).astimezone(UTC)
                print("l", name, seconds(wall.replace(tzinfo=UTC)), seconds(instant))


main()
