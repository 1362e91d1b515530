"""Logs of GPS receivers: what each kind says on its line, and what gpsd has to report of it.

Nobody walks here: the places are far out at sea. A receiver's words are those of its kind, of no particular product.

Sources: NMEA 0183, version 3.01 (sentences); u-blox M8 Receiver description UBX-13003221 (frames); gpsd_json(5).
"""

import functools
import json
import math
import operator
import random
import struct
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

SEED = 20260118

_START = datetime(2025, 5, 4, 9, 30, tzinfo=UTC)
_WEEKS_OF_AN_ERA = timedelta(weeks=1024)
# By quarter of the earth, each in the middle of an ocean.
_NORTH_EAST, _SOUTH_EAST, _SOUTH_WEST, _NORTH_WEST = (12.0, 88.0), (-35.0, 80.0), (-48.8767, -123.3933), (30.0, -40.0)
_METERS_PER_DEGREE = 111_195
_KNOTS = 3600 / 1852
_SATELLITES = {
    "GP": [
        (3, 58, 214, 45),
        (6, 37, 121, 40),
        (9, 25, 296, 37),
        (14, 52, 41, 43),
        (17, 16, 163, 34),
        (19, 74, 325, 46),
    ],
    "GL": [(66, 37, 78, 27), (67, 62, 349, 26), (76, 43, 57, 25)],
    "GA": [(2, 33, 250, 38), (11, 71, 15, 42)],
}


@dataclass(frozen=True)
class Epoch:
    """What a receiver believes in one second."""

    time: datetime
    latitude: float
    longitude: float
    """Degrees."""
    speed: float
    """Metres per second."""
    course: float
    """Degrees from north over east."""


def _walk(dice, start, seconds, every=1):
    """Somebody who wanders about for so many seconds."""
    latitude, longitude = start
    course = dice.uniform(0, 360)
    for second in range(0, seconds, every):
        speed = dice.uniform(0.9, 1.6)
        course = (course + dice.gauss(0, 8)) % 360
        north, east = (speed * every * turn(math.radians(course)) for turn in (math.cos, math.sin))
        latitude += north / _METERS_PER_DEGREE
        longitude += east / (_METERS_PER_DEGREE * math.cos(math.radians(latitude)))
        yield Epoch(_START + timedelta(seconds=second), latitude, longitude, speed, course)


class Log:
    """The bytes of a log and the reports that are due for them."""

    def __init__(self, talker="GP", decimals=4, has_small_digits=False):
        """`decimals` of a minute of arc; `has_small_digits`: the checksum's letters are small."""
        self.line, self.reports = b"", []
        self._talker, self._decimals, self._has_small_digits = talker, decimals, has_small_digits

    def say(self, body, talker=None):
        """A sentence; `body` begins with its kind, or with `P` when it is a maker's own."""
        text = body if body.startswith("P") else (talker or self._talker) + body
        check = f"{functools.reduce(operator.xor, text.encode()):02X}"
        self.line += f"${text}*{check.lower() if self._has_small_digits else check}\r\n".encode()

    def blind(self, **particulars):
        """Reports that there is no fix."""
        self.reports.append({"class": "TPV", "mode": 1, **particulars})

    def see(self, epoch, latitude=None, longitude=None, time=True, **particulars):
        """Reports a position twice, as gpsd does in the middle and at the end of a second.

        Without its time in the second of a first fix: gpsd takes the date from a valid RMC, which has yet to come.
        """
        head = {"class": "TPV", "mode": 2}
        if time:
            head["time"] = epoch.time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        head["lat"] = self._heard(epoch.latitude) if latitude is None else latitude
        head["lon"] = self._heard(epoch.longitude) if longitude is None else longitude
        motion = {"track": round(epoch.course, 2), "speed": round(epoch.speed, 3)}
        self.reports.append({**head, **particulars, **motion})
        self.reports.append({**head, "mode": 3, **particulars, "altMSL": 12.0, **motion})

    # Sentences

    def minimum(self, epoch, mode="A", date=None):
        """RMC with a position."""
        motion = f"{epoch.speed * _KNOTS:.3f},{epoch.course:.2f}"
        date = f"{epoch.time:%d%m%y}" if date is None else date
        self.say(f"RMC,{_clock(epoch)},A,{self.place(epoch)},{motion},{date},,,{mode}")

    def fix(self, epoch, quality=1, satellites=8):
        """GGA with a position."""
        self.say(f"GGA,{_clock(epoch)},{self.place(epoch)},{quality},{satellites:02},0.90,12.0,M,0.0,M,,")

    def blind_fix(self, epoch, place=",,,", dilution="99.99"):
        """GGA without a fix."""
        self.say(f"GGA,{_clock(epoch)},{place},0,00,{dilution},,M,,M,,")

    def used(self, talker=None, system="GP"):
        """GSA: the satellites that are used."""
        numbers = [f"{satellite[0]:02}" for satellite in _SATELLITES[system]]
        self.say(f"GSA,A,3,{','.join(numbers + [''] * (12 - len(numbers)))},1.60,0.90,1.30", talker)

    def in_view(self, system="GP"):
        """GSV: the satellites that are in view."""
        seen = _SATELLITES[system]
        groups = [seen[start : start + 4] for start in range(0, len(seen), 4)]
        for number, group in enumerate(groups, 1):
            told = ",".join("%02d,%02d,%03d,%02d" % satellite for satellite in group)
            self.say(f"GSV,{len(groups)},{number},{len(seen):02},{told}", system)

    def whole_second(self, epoch, mode="A", quality=1, date=None):
        """What most receivers say in a second with a fix."""
        self.fix(epoch, quality)
        self.used()
        self.minimum(epoch, mode, date)

    def place(self, epoch):
        """Latitude and longitude as most sentences have them."""
        latitude, longitude = self._angle(epoch.latitude, 2), self._angle(epoch.longitude, 3)
        return f"{latitude},{'S' if epoch.latitude < 0 else 'N'},{longitude},{'W' if epoch.longitude < 0 else 'E'}"

    def _angle(self, degrees, width):
        """Degrees and minutes, as in `4852.6020`."""
        units = 10**self._decimals
        whole, rest = divmod(round(abs(degrees) * 60 * units), 60 * units)
        minutes, fraction = divmod(rest, units)
        return f"{whole:0{width}}{minutes:02}.{fraction:0{self._decimals}}"

    def _heard(self, degrees):
        """What is left of an angle that was told with so many decimals of a minute, with the nine that gpsd prints."""
        units = 60 * 10**self._decimals
        return round(round(degrees * units) / units, 9)


def _clock(epoch):
    return f"{epoch.time:%H%M%S}.{epoch.time.microsecond // 10_000:02}"


# Kinds of receiver


def common(dice):
    """one that most people have: it moves, and says what others say, too"""
    log = Log()
    for number, epoch in enumerate(_walk(dice, _NORTH_EAST, 30)):
        log.whole_second(epoch)
        log.say(f"VTG,{epoch.course:.2f},T,,M,{epoch.speed * _KNOTS:.3f},N,{epoch.speed * 3.6:.3f},K,A")
        if number % 5 == 0:
            log.in_view()
        log.see(epoch)
    return log


def cold_start(dice):
    """one that is switched on: it remembers where it was, says that it does not know, and finds itself"""
    log, blind = Log(), 12
    for number, epoch in enumerate(_walk(dice, _SOUTH_EAST, 80)):
        if number < blind:
            place = log.place(epoch)
            log.blind_fix(epoch, place, "00.0")
            log.say(f"RMC,{_clock(epoch)},V,{place},0.00,0.00,{epoch.time:%d%m%y},,,N")
            log.blind()
        else:
            log.whole_second(epoch)
            log.see(epoch, time=number > blind)
    return log


def no_fix(dice):
    """one that lies in a drawer: it knows the time and no more"""
    log = Log()
    for epoch in _walk(dice, _NORTH_WEST, 15):
        log.say(f"RMC,{_clock(epoch)},V,,,,,,,{epoch.time:%d%m%y},,,N")
        log.say("GSA,A,1,,,,,,,,,,,,,,,")
        log.blind(time=epoch.time.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
    return log


def simulator(dice):
    """one in a shop that shows itself off: it says that its positions are simulated"""
    log = Log()
    for epoch in _walk(dice, _NORTH_WEST, 12):
        log.whole_second(epoch, mode="S", quality=8)
        log.see(epoch, status=8)
    return log


def pole(dice):
    """one that claims the North Pole, at quality 0, until it knows better; with a maker's own sentences before"""
    log = Log()
    for body in ("PMTK010,001", "PMTK011,MTKGPS"):
        log.say(body)
    blind = 8
    for number, epoch in enumerate(_walk(dice, _SOUTH_WEST, 16)):
        if number < blind:
            place = "8960.0000,N,00000.0000,E"
            log.say(f"GGA,{_clock(epoch)},{place},0,0,,137.000,M,13.000,M,,")
            log.say(f"RMC,{_clock(epoch)},V,{place},0.000,0.00,{epoch.time:%d%m%y},,,N")
            log.blind()
        else:
            log.whole_second(epoch)
            log.see(epoch, time=number > blind)
    return log


def beyond_the_earth(dice):
    """one that says 360 degrees of latitude, and that they do not count"""
    log, blind = Log(), 7
    for number, epoch in enumerate(_walk(dice, _NORTH_EAST, 14)):
        if number < blind:
            log.blind_fix(epoch, "0000.0000,N,00000.0000,E", "50.0")
            log.say(f"GLL,36000.0000,N,72000.0000,E,{_clock(epoch)},V")
            log.say(f"RMC,{_clock(epoch)},V,36000.0000,N,72000.0000,E,0.000000,,{epoch.time:%d%m%y},,")
            log.blind()
        else:
            log.fix(epoch)
            log.say(f"GLL,{log.place(epoch)},{_clock(epoch)},A")
            log.minimum(epoch)
            log.see(epoch, time=number > blind)
    return log


def several_systems(dice):
    """one that hears GPS, GLONASS and Galileo, with a minute's fifth decimal"""
    log = Log(talker="GN", decimals=5)
    for number, epoch in enumerate(_walk(dice, _NORTH_EAST, 25)):
        log.minimum(epoch)
        log.fix(epoch, satellites=11)
        for system in _SATELLITES:
            log.used("GN", system)
        if number % 5 == 0:
            for system in _SATELLITES:
                log.in_view(system)
        log.see(epoch)
    return log


def errors_only(dice):
    """one that complains in its maker's own sentences, and says nothing else"""
    log = Log()
    for _ in range(6):
        log.say(f"PXYZ,IC,error={dice.randrange(3, 8)}")
    return log


def time_goes_back(dice):
    """one in a modem: it believes the network's clock, and then the satellites, which are two hours behind"""
    log = Log()
    for body in ("GGA,,,,,,0,,,,M,,M,,", "RMC,,V,,,,,,,,,,N"):
        log.say(body)
        log.blind()
    for number, epoch in enumerate(_walk(dice, _SOUTH_EAST, 30)):
        if number < 8:
            epoch = replace(epoch, time=epoch.time + timedelta(hours=2))
        log.whole_second(epoch)
        log.see(epoch)
    return log


def sailing(dice):
    """one for a boat: a way to the next buoy, checksums in small letters, a sentence every two seconds"""
    log = Log(has_small_digits=True)
    for number, epoch in enumerate(_walk(dice, _SOUTH_WEST, 40, every=2)):
        if number < 6:
            log.say("RMB,V,,,,,,,,,,,,V")
            log.say(f"RMC,{_clock(epoch)},V,,,,,,,,,,,V")
            log.blind()
        else:
            log.say("RMB,A,0.02,R,BUOY1,BUOY2,4852.1000,S,12323.9000,W,1.2,231.0,3.0,V,A")
            log.whole_second(epoch)
            log.see(epoch)
    return log


def week_rollover(dice):
    """one that counts weeks from its own beginning and is an era behind, and once garbles the date"""
    log = Log()
    for number, epoch in enumerate(_walk(dice, _NORTH_WEST, 12)):
        epoch = replace(epoch, time=epoch.time - _WEEKS_OF_AN_ERA)
        is_garbled = number == 0
        log.minimum(epoch, date="2009-5" if is_garbled else None)
        log.see(epoch, time=not is_garbled)
    return log


def binary(dice):
    """one that speaks UBX and no sentences: a frame with all that it knows, and one for the end of the second"""
    log = Log()
    for epoch in _walk(dice, _SOUTH_WEST, 20):
        latitude, longitude = round(epoch.latitude * 1e7), round(epoch.longitude * 1e7)
        milliseconds = _milliseconds_of_week(epoch.time)
        log.line += ubx(0x01, 0x07, _position(epoch, milliseconds, latitude, longitude))
        log.line += ubx(0x01, 0x61, struct.pack("<I", milliseconds))
        log.see(epoch, latitude=latitude / 1e7, longitude=longitude / 1e7)
    return log


def _milliseconds_of_week(time, leap_seconds=18):
    since = time - datetime(1980, 1, 6, tzinfo=UTC) + timedelta(seconds=leap_seconds)
    return since % timedelta(weeks=1) // timedelta(milliseconds=1)


def _position(epoch, milliseconds, latitude, longitude):
    """UBX-NAV-PVT, section 32.17.15: a fix in three dimensions with all flags of time, 3 m of error."""
    time = epoch.time
    moment = struct.pack("<IH5BBIi", milliseconds, *time.timetuple()[:6], 0x07, 30, 0)
    fix = struct.pack("<4B2i2iII", 3, 0x01, 0, 9, longitude, latitude, 12_000, 12_000, 3_000, 4_500)
    course = epoch.course
    down = (round(epoch.speed * 1000 * turn(math.radians(course))) for turn in (math.cos, math.sin))
    motion = struct.pack("<3iiiII", *down, 0, round(epoch.speed * 1000), round(course * 1e5), 200, 500_000)
    return moment + fix + motion + struct.pack("<HH4xihH", 120, 0, 0, 0, 0)


def ubx(group, kind, payload):
    """A frame: two marks, group, kind, length, payload, two sums."""
    body = struct.pack("<BBH", group, kind, len(payload)) + payload
    first = second = 0
    for byte in body:
        first = (first + byte) & 0xFF
        second = (second + first) & 0xFF
    return b"\xb5\x62" + body + bytes((first, second))


KINDS = (
    common,
    cold_start,
    no_fix,
    simulator,
    pole,
    beyond_the_earth,
    several_systems,
    errors_only,
    time_goes_back,
    sailing,
    week_rollover,
    binary,
)


def captures():
    """Paths and bytes: of each kind its log, and beside it the reports that are due."""
    files = {}
    for number, kind in enumerate(KINDS):
        name = kind.__name__.replace("_", "-")
        log = kind(random.Random(SEED + number))
        head = f"# Made by Tests/Captures/receivers.py, seed {SEED + number}: {kind.__doc__}.\n"
        files[f"receivers/{name}.log"] = head.encode() + log.line
        reports = (json.dumps(report, separators=(",", ":")) + "\n" for report in log.reports)
        files[f"receivers/{name}.log.chk"] = "".join(reports).encode()
    return files
