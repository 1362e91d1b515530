"""Whether the gateway takes a recurrence rule, and whether a repeated event is over.

Nothing is expanded to due times here: that is the gateway's, which knows the rules of gaps and months' ends.
"""

import datetime
import re

from dateutil.rrule import rrulestr
from texts import gettext

FREQUENCIES = ("HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
UNSUPPORTED = ("BYSECOND", "BYWEEKNO", "BYYEARDAY", "BYEASTER", "RSCALE", "SKIP")
RANGES = {"BYMONTH": (1, 12), "BYHOUR": (0, 23), "BYMINUTE": (0, 59)}
POSITIONS = {"BYMONTHDAY": 31, "BYSETPOS": 366}
KNOWN = ("FREQ", "INTERVAL", "COUNT", "UNTIL", *RANGES, *POSITIONS, "BYDAY", "WKST")
DAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
UNTIL = re.compile(r"\d{8}(T\d{6}Z?)?")
NUMBER = re.compile(r"[+-]?\d{1,3}")
MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
ALLOWED = gettext("FREQ, INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSETPOS and WKST")
# How many times of a rule with an end are gone through for one calendar, to see whether it is over.
BUDGET = 100_000


class RuleFault(Exception):
    """Why a rule cannot be taken, in a sentence."""


def must_be(part, allowed):
    return RuleFault(gettext("{part} must be {allowed}.", part=part, allowed=allowed))


def read_rule(text):
    """The parts of a rule by name, checked as the gateway checks them."""
    if len(text.encode()) > 1000:
        raise RuleFault(gettext("The rule is longer than 1,000 bytes. Split it into several events."))
    parts = {}
    for piece in text.upper().removeprefix("RRULE:").split(";"):
        name, _, value = piece.partition("=")
        if not name or not value:
            raise RuleFault(gettext("A part of its rule is not of the form NAME=VALUE."))
        if name in UNSUPPORTED:
            raise RuleFault(gettext("{part} is not possible here. Say it with {parts}.", part=name, parts=ALLOWED))
        if name not in KNOWN:
            raise RuleFault(gettext("Its rule has a part that nobody knows. There are {parts}.", parts=ALLOWED))
        if name in parts:
            raise RuleFault(gettext("{part} stands there twice. Keep one of them.", part=name))
        parts[name] = value
    if parts.get("FREQ") not in FREQUENCIES:
        raise RuleFault(gettext("FREQ must be HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY."))
    check_values(parts)
    check_combination(parts)
    return parts


def numbers(parts, name):
    return [int(word) for word in parts[name].split(",")] if name in parts else []


def check_values(parts):
    for name, limit, allowed in (
        ("INTERVAL", 10_000, gettext("a whole number from 1 to 10000")),
        ("COUNT", 100_000, gettext("a whole number from 1 to 100000")),
    ):
        if name in parts and not (re.fullmatch(r"\d{1,9}", parts[name]) and 1 <= int(parts[name]) <= limit):
            raise must_be(name, allowed)
    for name in (*RANGES, *POSITIONS):
        words = parts[name].split(",") if name in parts else []
        if len(words) > 100 or not all(NUMBER.fullmatch(word) for word in words):
            raise must_be(name, gettext("numbers with commas between, at most 100"))
        low, high = RANGES.get(name, (-POSITIONS.get(name, 0), POSITIONS.get(name, 0)))
        if not all(low <= number <= high and (name in RANGES or number != 0) for number in numbers(parts, name)):
            raise RuleFault(gettext("{part} has a number outside of {low} to {high}.", part=name, low=low, high=high))
    days = parts["BYDAY"].split(",") if "BYDAY" in parts else []
    if len(days) > 100 or not all(DAY.fullmatch(day) for day in days):
        raise must_be("BYDAY", gettext("weekdays MO, TU, WE, TH, FR, SA, SU, with commas between"))
    if "WKST" in parts and not re.fullmatch("MO|TU|WE|TH|FR|SA|SU", parts["WKST"]):
        raise must_be("WKST", gettext("one of MO, TU, WE, TH, FR, SA, SU"))
    if "UNTIL" in parts and until(parts["UNTIL"]) is None:
        raise must_be("UNTIL", gettext("a date from 1900 on"))


def check_combination(parts):
    frequency = parts["FREQ"]
    if "COUNT" in parts and "UNTIL" in parts:
        raise RuleFault(gettext("COUNT and UNTIL exclude each other. Keep one of them."))
    ordinals = [int(match) for match in re.findall(r"([+-]?\d+)[A-Z]", parts.get("BYDAY", ""))]
    if ordinals:
        if frequency not in ("MONTHLY", "YEARLY"):
            raise RuleFault(gettext("A weekday with a number needs FREQ=MONTHLY or FREQ=YEARLY."))
        limit = 5 if frequency == "MONTHLY" or "BYMONTH" in parts else 53
        if not all(1 <= abs(ordinal) <= limit for ordinal in ordinals):
            raise must_be("BYDAY", gettext("such as 1MO to {limit}MO here", limit=limit))
    if frequency == "WEEKLY" and "BYMONTHDAY" in parts:
        raise RuleFault(gettext("BYMONTHDAY does not go with FREQ=WEEKLY."))
    if "BYSETPOS" in parts and not any(name in parts for name in ("BYDAY", "BYMONTHDAY", *RANGES)):
        raise RuleFault(gettext("BYSETPOS chooses among the times of another part."))


def until(text):
    """The end of a rule, of a day its last second, and whether it is in UTC; nothing when it is no date."""
    if not UNTIL.fullmatch(text):
        return None
    try:
        if "T" not in text:
            return datetime.datetime.strptime(text + "235959", "%Y%m%d%H%M%S"), False
        end = datetime.datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S")
    except ValueError:
        return None
    return (end, text.endswith("Z")) if end.year >= 1900 else None


def is_impossible(parts, start):
    """Whether no month has any of the days, such as 30 February for ever."""
    days = numbers(parts, "BYMONTHDAY")
    months = numbers(parts, "BYMONTH")
    if not days or not months:
        return False
    return all(abs(day) > MONTH_DAYS[month - 1] for day in days for month in months)


class EndFinder:
    """Says whether a repeated event has an end and is past it."""

    def __init__(self):
        self.budget = BUDGET

    def is_over(self, start, parts, excluded, horizon):
        """Whether no time of the rule lies behind the horizon; all in naive local time. Unsure counts as not over.

        A rule that may have years without a time is not gone through: that could take long.
        """
        if "COUNT" not in parts and "UNTIL" not in parts:
            return False
        if parts.get("UNTIL") and parts["UNTIL"] <= horizon:
            return True
        if not self.is_plain(parts):
            return False
        text = ";".join(f"{name}={value}" for name, value in parts.items() if name != "UNTIL")
        if "UNTIL" in parts:
            text += parts["UNTIL"].strftime(";UNTIL=%Y%m%dT%H%M%S")
        for moment in rrulestr(text, dtstart=start):
            self.budget -= 1
            if self.budget < 0 or (moment > horizon and moment not in excluded):
                return False
        return True

    @staticmethod
    def is_plain(parts):
        """Whether a time comes at least each few years, so that the next is found soon."""
        if set(parts) - {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST", "BYMONTHDAY"}:
            return False
        if "BYMONTHDAY" in parts:
            return parts["FREQ"] == "MONTHLY" and "BYDAY" not in parts and int(parts.get("INTERVAL", 1)) <= 60
        if int(parts.get("INTERVAL", 1)) > 366:
            return False
        if "BYDAY" in parts and parts["FREQ"] == "DAILY":
            return int(parts.get("INTERVAL", 1)) == 1
        return "BYDAY" not in parts or parts["FREQ"] in ("WEEKLY", "MONTHLY")
