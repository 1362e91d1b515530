"""A gateway's clocks and what comes from outside of it, as lines of a recording; see record.py."""

import datetime
import json
import math
import random

MILLISECOND = 1_000_000
HOME = (-24.0, 133.0)
"""Nobody's: in the middle of Australia."""
METERS_PER_DEGREE = 111_195.0


def zone_file(rule):
    """A file of the zone database without transitions, whose rule says everything: RFC 8536."""

    def block(version, times):
        counts = (0, 0, 0, 0, 1, 4)
        header = b"TZif" + version + bytes(15) + b"".join(n.to_bytes(4, "big") for n in counts)
        return header + bytes(6) + b"UTC\0" + times

    return (block(b"2", b"") + block(b"2", b"") + f"\n{rule}\n".encode()).hex()


ZONES = {
    "America/New_York": zone_file("EST5EDT,M3.2.0,M11.1.0"),
    "Australia/Darwin": zone_file("ACST-9:30"),
}


class Recording:
    """A gateway's clocks, and the lines so far."""

    def __init__(self, seed, start, configuration):
        self.random = random.Random(seed)
        self.truth = start
        self.tick = 10_000
        """Milliseconds since the gateway was switched on."""
        self.offset = 0
        """Milliseconds by which the gateway's clock is ahead."""
        self.quality = "synchronised"
        self.boots = 1
        self.commands = 0
        configuration = {
            "gateway": "golden",
            "heartbeatSeconds": 86_400,
            "faultAfterSeconds": 10,
            "trackingDefaults": [],
            "timeZoneFiles": ZONES,
            **configuration,
        }
        self._write({"configuration": configuration, "seed": seed, "boot": "boot-1"})
        self.put({"started": "golden"})

    def _write(self, line):
        line = {"tick": self.tick, "utc": self.utc, "quality": self.quality, **line}
        print(json.dumps(line, separators=(",", ":"), ensure_ascii=False))

    @property
    def utc(self):
        """The gateway's clock, in milliseconds since 1970."""
        return round(self.truth.timestamp() * 1000) + self.offset

    def text(self, seconds_ago=0):
        moment = datetime.datetime.fromtimestamp(self.utc / 1000 - seconds_ago, datetime.UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"

    # Time

    def wait(self, seconds=0, minutes=0, hours=0):
        milliseconds = round((seconds + 60 * (minutes + 60 * hours)) * 1000)
        self.tick += milliseconds
        self.truth += datetime.timedelta(milliseconds=milliseconds)

    def until(self, hour, minute=0, second=0):
        """Waits until a time of day, in UTC."""
        wanted = self.truth.replace(hour=hour, minute=minute, second=second, microsecond=0)
        if wanted <= self.truth:
            wanted += datetime.timedelta(days=1)
        self.wait((wanted - self.truth).total_seconds())

    def power_cut(self, seconds, quality="synchronised", behind=0):
        """The power goes, and comes again after some time; the clock then may be behind, and known to be of no use."""
        self.truth += datetime.timedelta(seconds=seconds)
        self.tick = 5_000 + self.random.randrange(60) * 1000
        self.boots += 1
        self.quality, self.offset = quality, -behind * 1000
        self._write({"powerCut": True, "seed": self.random.randrange(1 << 62), "boot": f"boot-{self.boots}"})
        self.put({"started": "golden"})

    def set_clock(self, offset=0, quality="synchronised"):
        step = offset - self.offset
        self.offset, self.quality = offset, quality
        self.observe("clock", quality=quality, stepMilliseconds=step)

    def end(self):
        """The last line: until here the gateway lives."""
        self._write({"end": True})

    # Inputs

    def put(self, content):
        self._write({"input": content})

    def observe(self, kind, **members):
        self.put({"observation": {"kind": kind, **members}})

    def ask(self, action, by="anna", channel="local", **members):
        self.commands += 1
        request = {"action": action, **{name.rstrip("_"): value for name, value in members.items()}}
        command = {"id": f"c-{self.commands}", "principal": {"channel": channel, "name": by}, "request": request}
        if channel == "plugin":
            command |= {"expiresAt": self.text(-600), "sentAt": self.text()}
        self.put({"command": command})

    def take_charge(self, guardian):
        """As somebody answers whose word comes through the broker."""
        self.ask("alarm.acknowledge", by=f"mqtt/{guardian}", channel="plugin")

    def press(self, gesture, button="wired"):
        self.observe("button", button=button, gesture=gesture, edge=self.tick * MILLISECOND)

    def hold(self, button="wired"):
        self.press("down", button)
        self.wait(3)
        self.press("hold", button)

    def fix(self, north, east=0, accuracy=4.0, source="gps"):
        latitude = HOME[0] + north / METERS_PER_DEGREE
        longitude = HOME[1] + east / METERS_PER_DEGREE / math.cos(math.radians(HOME[0]))
        self.observe(
            "fix",
            source=source,
            mode="3d",
            latitude=round(latitude, 7),
            longitude=round(longitude, 7),
            accuracyMeters=accuracy,
            speedMetersPerSecond=1.2,
            receiverTime=self.text(),
        )

    def stay(self, minutes, north=0.0, every=20):
        """Is somewhere for a while; positions wander by some metres."""
        for _ in range(round(minutes * 60 / every)):
            self.wait(every)
            self.fix(north + self.random.uniform(-3, 3), self.random.uniform(-3, 3))

    def walk(self, start, end, every=5):
        """Walks along the meridian at 1.2 m/s."""
        steps = max(1, round(abs(end - start) / 1.2 / every))
        for step in range(1, steps + 1):
            self.wait(every)
            self.fix(start + (end - start) * step / steps + self.random.uniform(-2, 2))

    def sight(self, tag, strength, hearer="bluetooth", battery=None):
        members = {} if battery is None else {"batteryPercent": battery}
        tick = self.tick * MILLISECOND
        self.observe(
            "sighting",
            tag=tag,
            hearer=hearer,
            strengthDBm=strength,
            tick=tick,
            utc=self.utc,
            quality=self.quality,
            **members,
        )

    def ways(self, *channels, voice=True):
        plugins = {"sms": "sms-modem", "voice": "sms-modem", "email": "email", "push": "apprise"}
        offers = [{"channel": one, "plugin": plugins[one], "isRunning": True} for one in channels]
        service = {"voice": {"plugin": "speech", "isRunning": True}} if voice else {}
        self.observe("ways", offers=offers, **service)

    # People

    def resident(self, id, name, zone, source=None):
        members = {"gpsSource": source} if source else {}
        self.ask("resident.put", resident={"id": id, "name": name, "timeZone": zone, **members})

    def zone(self, id, name, resident, north=0.0, radius=25, is_home=True, alarm=True):
        center = {"latitude": HOME[0] + north / METERS_PER_DEGREE, "longitude": HOME[1]}
        zone = {"id": id, "resident": resident, "name": name, "center": center, "radiusMeters": radius}
        self.ask("zone.put", zone={**zone, "exitMarginMeters": 50, "isHome": is_home, "alarmOnLeaving": alarm})

    def guardian(self, id, resident, name, **members):
        self.ask("guardian.put", guardian={"id": id, "resident": resident, "name": name, **members})

    def item(self, id, resident, title, rule, start, zone, kind="medicine", critical=False, **members):
        schedule = {"kind": "calendar", "start": start, "timeZone": zone, "rrule": rule}
        item = {"id": id, "resident": resident, "kind": kind, "title": title, "isCritical": critical}
        self.ask("routine.put", item={**item, "schedule": schedule, **members})

    def answer(self, item, answer, **members):
        self.ask("routine.answer", target=item, answer=answer, **members)
