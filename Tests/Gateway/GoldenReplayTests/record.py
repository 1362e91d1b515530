#!/usr/bin/env python3
"""Writes what happens to a gateway in some time, one JSON object a line, for the golden replay.

    record.py sos-day | bluetooth-day | year

Everything is made up, from a seed; the same name gives the same bytes. The first line is how the gateway starts, each
further one is something that comes from outside, at a moment: an input in the form in which the gateway records its
own, or a cut of the power. What follows from the gateway's own doing (a sound that ends, a message that is sent) is not
in here: the replay answers that by fixed rules.
"""

import datetime
import sys

from recording import HOME, Recording


def sos_day():
    """Ada has a bad day: a walk, a call for help that nobody answers at first, a power cut in the midst of it."""
    zone = "Australia/Darwin"
    buttons = [
        {"button": "wired", "resident": "ada", "press": "assist", "double": "fake-call", "triple": "photograph"},
        {
            "button": "hall",
            "resident": "ada",
            "caregiver": "carl",
            "press": "acknowledge",
            "double": "none",
            "triple": "none",
        },
    ]
    start = datetime.datetime(2026, 3, 2, 20, 0, tzinfo=datetime.UTC)
    day = Recording(20260302, start, {"buttons": buttons, "gpsSources": ["gps"], "language": "en"})
    day.resident("ada", "Ada", zone, "gps")
    day.resident("bea", "Bea", zone)
    day.zone("home", "Home", "ada")
    day.zone("park", "The park", "ada", north=600, radius=80, is_home=False, alarm=False)
    day.guardian("anna", "ada", "Anna", phone="+61491570006", email="anna@example.org")
    day.guardian("ben", "ada", "Ben", phone="+61491570156", push="ntfy://ben", tier=2, language="zh")
    day.guardian("carl", "ada", "Carl", email="carl@example.org", isCaregiver=True)
    day.guardian("dora", "bea", "Dora", email="dora@example.org", isCaregiver=True)
    day.ask("tracking.set", target="ada", isOn=True)
    for part in ("gps/gps", "sound", "plugin/sms-modem", "plugin/email"):
        day.observe("health", component=part, state="working", code="", detail="")
    day.ways("sms", "voice", "email", "push")
    day.item("pill", "ada", "heart pill", "FREQ=DAILY", "2026-03-01T08:00", zone, critical=True, stock={"units": 9})
    day.item("walk", "ada", "walk", "FREQ=DAILY", "2026-03-01T10:00", zone, kind="routine")
    day.ask("setting.put", target="ada", name="prealarmSeconds", value=10)
    day.ask("setting.put", target="ada", name="nonsense", value=10)
    day.ask(
        "bookmark.put",
        bookmark={
            "id": "bench",
            "resident": "ada",
            "name": "The bench",
            "address": "",
            "coordinate": {"latitude": HOME[0] + 0.003, "longitude": HOME[1]},
        },
    )
    # 05:30 at home until the pill at 08:00, taken after the second reminder.
    day.stay(150)
    day.wait(minutes=7)
    day.press("press")
    day.stay(20)
    day.ask("alarm.test", target="ada")
    day.stay(10)
    # She goes to the park and comes back; then she goes the other way, which is an alarm, and comes back.
    day.walk(0, 600)
    day.stay(15, north=600)
    day.walk(600, 0)
    day.answer("pill", "done")
    day.stay(20)
    day.walk(0, -400)
    day.stay(5, north=-400)
    day.take_charge("anna")
    day.walk(-400, 0)
    day.stay(10)
    # Held by mistake, and called off in time; and an SOS that is told and found to be none.
    day.hold()
    day.wait(4)
    day.ask("sos.cancel", target="ada")
    day.stay(5)
    day.press("double")
    day.wait(40)
    day.stay(5)
    # Bea's button is nobody's: a caregiver calls for her.
    day.ask("sos.raise", by="dora", target="bea", kind="sos", trigger="backend", text="She does not answer")
    day.wait(minutes=3)
    day.ask("alarm.resolve", by="dora", reason="false-alarm", by_="dora")
    # The call that counts: nobody answers, the power goes, the clock is of no use afterwards for a while.
    day.stay(10)
    day.hold()
    day.stay(4, every=20)
    day.power_cut(95, quality="untrusted", behind=95)
    day.observe("health", component="gps/gps", state="working", code="", detail="")
    day.ways("sms", "voice", "email", "push")
    day.stay(5, every=20)
    day.set_clock()
    day.stay(30, every=30)
    day.press("press", "hall")
    day.stay(10)
    day.ask("photo.take", target="ada")
    day.wait(30)
    day.ask("alarm.resolve", by="carl", reason="helped", by_="carl")
    # The broker's plugin and the modem go; what protects is taken away and given back.
    day.ways("email")
    day.observe("health", component="plugin/sms-modem", state="failed", code="", detail="no modem")
    day.stay(30)
    day.ask("setting.put", target="ada", name="zoneAlarm", value=False)
    day.stay(5)
    day.ask("setting.put", target="ada", name="zoneAlarm", value=True)
    day.ask("guardian.remove", target="ben")
    day.stay(5)
    day.ways("sms", "voice", "email", "push")
    day.observe("health", component="plugin/sms-modem", state="working", code="", detail="")
    # Words, notes, an absence, and the end of everything about Bea.
    day.ask(
        "message.send", target="m-1", resident="ada", direction="to-resident", sender="Anna", text="I come at four 🎂"
    )
    day.wait(minutes=1)
    day.press("press")
    day.ask(
        "note.put",
        note={
            "id": "n-1",
            "resident": "ada",
            "kind": "diary",
            "title": "Tired",
            "text": "Slept badly",
            "tags": ["sleep"],
            "time": day.text(3600),
            "pictures": [],
            "author": "Anna",
            "changedAt": day.text(),
        },
    )
    day.ask(
        "absence.put",
        absence={
            "id": "day-centre",
            "resident": "ada",
            "name": "Day centre",
            "on": "2026-03-03",
            "from": "09:00",
            "until": "16:00",
        },
    )
    day.ask("consent.put", by="Ada", target="ada", kind="location", isGranted=False, by_="Ada")
    day.stay(10)
    day.ask("consent.put", by="Ada", target="ada", kind="location", isGranted=True, by_="Ada")
    day.ask("resident.erase", target="bea")
    # Positions end, in the night; the battery of nothing; the next morning nobody takes the pill.
    day.stay(60)
    day.observe("health", component="gps/gps", state="failed", code="silent", detail="nothing comes")
    day.until(19, 0)
    day.wait(hours=6)
    day.take_charge("anna")
    day.wait(hours=1)
    day.end()


def bluetooth_day():
    """Ada's tags and meter: at home, out with everything, out without the wallet, lows, a meter with a wrong clock."""
    zone = "Australia/Darwin"
    beacon = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:"
    start = datetime.datetime(2026, 5, 4, 22, 0, tzinfo=datetime.UTC)
    hearers = [{"id": "bluetooth", "offsetDB": 0}]
    day = Recording(20260504, start, {"hearers": hearers, "gpsSources": ["gps"]})
    day.resident("ada", "Ada", zone, "gps")
    day.zone("home", "Home", "ada")
    day.guardian("anna", "ada", "Anna", phone="+61491570006", email="anna@example.org")
    day.ask("tracking.set", target="ada", isOn=True)
    day.observe("health", component="gps/gps", state="working", code="", detail="")
    day.observe("health", component="bluetooth", state="working", code="", detail="")
    day.ways("sms", "email")
    for number, (tag, kind) in enumerate(
        (("hall", "home"), ("wallet", "wallet"), ("keys", "keys"), ("kitchen", "room"), ("ole", "companion"))
    ):
        members = {"zone": "home"} if kind == "home" else {}
        day.ask(
            "tag.put",
            tag={"id": tag, "resident": "ada", "name": f"The {tag}", "kind": kind, **members},
            identities=[f"{beacon}{number}"],
        )
    day.ask("meter.put", meter={"address": "C0:11:22:33:44:55/random", "resident": "ada", "name": "The meter"})
    day.observe("listening", hearer="bluetooth", isListening=True)

    def live(minutes, heard, start=0.0, end=None, every=10):
        end = start if end is None else end
        steps = round(minutes * 60 / every)
        for step in range(1, steps + 1):
            day.wait(every)
            day.fix(start + (end - start) * step / steps + day.random.uniform(-3, 3), day.random.uniform(-3, 3))
            for tag, strength in heard.items():
                if day.random.random() < 0.9:
                    day.sight(tag, strength + day.random.randrange(-6, 7), battery=80)

    def measure(number, level, unit, minutes_ago=1, ahead=0, **members):
        time = day.text(minutes_ago * 60)
        reading = {
            "id": f"reading-{number}",
            "resident": "ada",
            "level": level,
            "unit": unit,
            "time": time,
            "receivedAt": day.text(),
            "source": "meter",
            "origin": "The meter",
            "timeDoubts": [],
            "meterTime": {"base": time[:19], "aheadSeconds": ahead},
            **members,
        }
        day.observe(
            "meter", meter="C0:11:22:33:44:55/random", readings=[reading], beyondRange=[], bookmark={"last": number}
        )

    home = {"hall": -55, "wallet": -60, "keys": -62, "kitchen": -70}
    taken = {"wallet": -55, "keys": -58, "ole": -60}
    live(40, home)
    measure(1, "6.1", "mmol/L", tag="before-meal")
    live(10, home)
    measure(2, "2.9", "mmol/L")
    live(5, home)
    day.take_charge("anna")
    live(20, home)
    measure(3, "101", "mg/dL")
    live(5, home)
    # The positions drift while the tag of the hall is heard; then out with everything, and home again.
    live(10, home, 0, 120)
    live(5, home)
    live(8, taken, 0, 500)
    live(10, taken, 500)
    live(8, taken, 500, 0)
    live(10, home)
    # Out without the wallet; the companion comes after her.
    live(8, {"keys": -58}, 0, 500)
    live(15, {"keys": -58, "ole": -70}, 500)
    live(8, taken, 500, 0)
    live(5, home)
    # Deaf for a while, a power cut, a low battery, a tag that goes silent.
    day.observe("listening", hearer="bluetooth", isListening=False)
    live(10, {})
    day.power_cut(300)
    day.observe("health", component="gps/gps", state="working", code="", detail="")
    day.observe("listening", hearer="bluetooth", isListening=True)
    day.ways("sms", "email")
    live(10, home)
    day.sight("wallet", -60, battery=9)
    live(5, home)
    # Readings by hand, HI, a wrong clock, an import and its taking back.
    day.observe(
        "meter",
        meter="C0:11:22:33:44:55/random",
        readings=[],
        beyondRange=[{"end": "high", "time": day.text(60)}],
        bookmark={"last": 4},
    )
    live(15, home)
    measure(5, "18.2", "mmol/L", ahead=7200)
    measure(6, "9.0", "mmol/L")
    reading = {
        "resident": "ada",
        "unit": "mg/dL",
        "receivedAt": day.text(),
        "source": "hand",
        "origin": "Anna",
        "timeDoubts": [],
    }
    by_hand = {**reading, "id": "h-1", "level": "150", "time": day.text(30)}
    day.ask("glucose.put", reading=by_hand, revision=0)
    old = [
        {**reading, "source": "file", "id": f"old-{n}", "level": str(90 + n), "time": day.text(86_400 * n)}
        for n in range(1, 20)
    ]
    day.ask("glucose.import", target="ada", readings=old)
    live(60, {"hall": -55, "keys": -62}, every=30)
    day.ask("tag.remove", target="ole")
    day.ask("meter.remove", target="C0:11:22:33:44:55/random")
    # A night without anything.
    day.wait(hours=12)
    day.end()


def year():
    """A year of 30 items in a house with daylight saving, answers by dice, power cuts and wrong clocks."""
    zone = "America/New_York"
    start = datetime.datetime(2026, 1, 1, 17, 0, tzinfo=datetime.UTC)
    year = Recording(1, start, {"language": "en"})
    dice = year.random
    year.resident("ada", "Ada", zone)
    year.guardian("anna", "ada", "Anna", email="anna@example.org")
    year.ways("email")
    rules = (
        "FREQ=DAILY", "FREQ=DAILY;INTERVAL=2", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=MONTHLY;BYDAY=3TU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
    )  # fmt: skip
    hours = (2, 8, 12, 18, 21)
    for number in range(30):
        timing = {"timing": {"noticeMinutes": 15}} if number % 4 == 1 else {}
        first = f"2025-12-{1 + number % 5:02}T{hours[number % 5]:02}:{number:02}"
        title = f"Item {number}"
        critical = number % 15 == 0
        year.item(f"item-{number}", "ada", title, rules[number % 6], first, zone, critical=critical, **timing)
    end = start + datetime.timedelta(days=365)
    hour = 3_600_000
    while year.truth < end:
        year.wait(minutes=dice.randrange(120))
        chance = dice.randrange(400)
        if chance < 2:
            minutes = dice.choice((2, 20, 90, 600, 3 * 1440))
            if dice.randrange(3):
                year.power_cut(minutes * 60)
            else:
                year.power_cut(minutes * 60, quality="untrusted", behind=minutes * 60)
                year.wait(minutes=dice.randrange(90))
                year.set_clock()
            year.ways("email")
        elif chance < 4:
            year.set_clock(dice.choice((hour, -hour, 2 * hour, -3 * hour, 30 * hour, 30 * 8766 * hour)))
            year.wait(minutes=dice.randrange(60))
            year.set_clock()
        elif chance < 8:
            year.press("double")
        elif chance < 40:
            year.press("press")
        else:
            if dice.randrange(8) == 0:
                year.take_charge("anna")
            item = f"item-{dice.randrange(30)}"
            answer = dice.choice(("done", "done", "done", "not-now", "skip", "snooze"))
            members = {"skip": {"reason": "by dice"}, "snooze": {"minutes": 15}}.get(answer, {})
            year.answer(item, answer, **members)
    year.wait(hours=24)
    year.end()


if __name__ == "__main__":
    {"sos-day": sos_day, "bluetooth-day": bluetooth_day, "year": year}[sys.argv[1]]()
