"""A receiver of the u-blox M8 kind: NMEA after power on, and the binary protocol UBX when somebody asks for it.

Source: u-blox 8 / u-blox M8 Receiver description including protocol specification (UBX-13003221), sections 31 to 33.
"""

import struct
from datetime import UTC, datetime, timedelta

from pyubx2 import GET, UBXMessage

from .epoch import SATELLITES, Epoch
from .nmea import NMEAReceiver

_GPS_ERA = datetime(1980, 1, 6, tzinfo=UTC)
_LEAP_SECONDS = 18

# Bits of CFG-PRT's protocol masks.
_UBX, _NMEA = 1, 2

# What can be switched on and off: group and number of each kind, in the order in which they are sent.
_SENTENCES = {"RMC": (0xF0, 4), "GGA": (0xF0, 0), "GSA": (0xF0, 2), "GST": (0xF0, 7), "GSV": (0xF0, 3)}
_MESSAGES = {
    "NAV-DOP": (1, 0x04),
    "NAV-PVT": (1, 0x07),
    "NAV-TIMEGPS": (1, 0x20),
    "NAV-SAT": (1, 0x35),
    "NAV-EOE": (1, 0x61),
}

_SYNC = b"\xb5\x62"
_LONGEST = 1024


def _checksum(data: bytes) -> bytes:
    first = second = 0
    for byte in data:
        first = (first + byte) & 255
        second = (second + first) & 255
    return bytes((first, second))


class UBloxReceiver:
    """What the receiver sends depends on what it was told: protocols by CFG-PRT, messages by CFG-MSG."""

    def __init__(self) -> None:
        self._nmea = NMEAReceiver()
        self._heard = b""
        self._protocols = _UBX | _NMEA
        # Seconds between two of a kind, 0 for never. After power on only NMEA is on.
        self._rates = dict.fromkeys(_SENTENCES, 1) | dict.fromkeys(_MESSAGES, 0) | {"GST": 0}
        self._seconds = 0

    @property
    def speaks_ubx(self) -> bool:
        """Whether somebody has asked for positions in UBX, and switched NMEA off."""
        sentences = [name for name in _SENTENCES if self._rates[name]]
        return bool(self._protocols & _UBX and self._rates["NAV-PVT"]) and not (self._protocols & _NMEA and sentences)

    # Questions and settings

    def listen(self, data: bytes) -> bytes:
        """Takes what the other side sends, in pieces of any length, and gives the answers."""
        self._heard = (self._heard + data)[-4 * _LONGEST :]
        answers = b""
        while (start := self._heard.find(_SYNC)) >= 0:
            self._heard = self._heard[start:]
            if len(self._heard) < 6:
                break
            length = struct.unpack_from("<H", self._heard, 4)[0]
            if length > _LONGEST:
                self._heard = self._heard[2:]
                continue
            if len(self._heard) < length + 8:
                break
            frame = self._heard[: length + 8]
            if _checksum(frame[2:-2]) != frame[-2:]:
                self._heard = self._heard[2:]
                continue
            self._heard = self._heard[length + 8 :]
            answers += self._answer(frame[2], frame[3], frame[6:-2])
        return answers

    def _answer(self, group: int, kind: int, payload: bytes) -> bytes:
        match group, kind:
            case 0x0A, 0x04:
                return self._version()
            case 0x06, 0x00 if len(payload) <= 1:
                return self._port() + self._acknowledge(group, kind)
            case 0x06, 0x00:
                self._protocols = struct.unpack_from("<H", payload, 14)[0]
                return self._acknowledge(group, kind)
            case 0x06, 0x01 if len(payload) in (3, 8):
                return self._set_rate(payload)
            case 0x06, _:
                return self._acknowledge(group, kind)
            case _:
                return b""

    def _set_rate(self, payload: bytes) -> bytes:
        # The long form has a rate for each port; this is the first serial one, the second of the list.
        rate = payload[2] if len(payload) == 3 else payload[3]
        for name, identity in (_SENTENCES | _MESSAGES).items():
            if identity == (payload[0], payload[1]):
                self._rates[name] = rate
                return self._acknowledge(0x06, 0x01)
        # This receiver has no such message: it stays off, which is what was wanted, or it cannot be had.
        return self._acknowledge(0x06, 0x01, is_good=rate == 0)

    def _acknowledge(self, group: int, kind: int, is_good: bool = True) -> bytes:
        name = "ACK-ACK" if is_good else "ACK-NAK"
        return UBXMessage("ACK", name, GET, payload=bytes((group, kind))).serialize()

    def _version(self) -> bytes:
        texts = (30, "EXT CORE 3.01 (107888)"), (10, "00080000"), (30, "FWVER=SPG 3.01"), (30, "PROTVER=18.00")
        payload = b"".join(text.encode().ljust(length, b"\0") for length, text in texts)
        return UBXMessage("MON", "MON-VER", GET, payload=payload).serialize()

    def _port(self) -> bytes:
        payload = struct.pack("<BBHIIHHHH", 1, 0, 0, 0x08D0, 9600, _UBX | _NMEA, self._protocols, 0, 0)
        return UBXMessage("CFG", "CFG-PRT", GET, payload=payload).serialize()

    # Positions

    def tell(self, epoch: Epoch) -> bytes:
        """The messages of one second that are switched on."""
        due = {name for name, rate in self._rates.items() if rate and self._seconds % rate == 0}
        self._seconds += 1
        told = b""
        if self._protocols & _NMEA:
            told += self._nmea.tell(epoch, due)
        if self._protocols & _UBX:
            told += b"".join(self._message(name, epoch).serialize() for name in _MESSAGES if name in due)
        return told

    def _message(self, name: str, epoch: Epoch) -> UBXMessage:
        week, milliseconds = _gps_time(epoch.time)
        match name:
            case "NAV-DOP":
                fields = {f"{kind}DOP": 1.2 if epoch.has_fix else 99.99 for kind in "gptvhne"}
            case "NAV-PVT":
                fields = self._position(epoch)
            case "NAV-SAT":
                fields = self._satellites(epoch)
            case "NAV-TIMEGPS":
                fields = {
                    "fTOW": 0,
                    "week": week,
                    "leapS": _LEAP_SECONDS,
                    "towValid": 1,
                    "weekValid": 1,
                    "leapSValid": 1,
                    "tAcc": 30,
                }
            case _:
                fields = {}
        return UBXMessage("NAV", name, GET, iTOW=milliseconds, **fields)

    def _position(self, epoch: Epoch) -> dict[str, float]:
        time = epoch.time
        told: dict[str, float] = {
            "year": time.year,
            "month": time.month,
            "day": time.day,
            "hour": time.hour,
            "min": time.minute,
            "second": time.second,
            "validDate": 1,
            "validTime": 1,
            "fullyResolved": 1,
            "tAcc": 30,
        }
        if not epoch.has_fix:
            return told | {"hAcc": 4_294_967_295, "vAcc": 4_294_967_295, "pDOP": 99.99, "invalidLlh": 1}
        return told | {
            "fixType": 3,
            "gnssFixOk": 1,
            "diffSoln": 1,
            "numSV": len(SATELLITES),
            "lat": epoch.latitude,
            "lon": epoch.longitude,
            "height": 12_000,
            "hMSL": 12_000,
            "hAcc": round(epoch.accuracy * 1000),
            "vAcc": round(epoch.accuracy * 1500),
            "gSpeed": round(epoch.speed * 1000),
            "headMot": epoch.course,
            "sAcc": 200,
            "headAcc": 5.0,
            "pDOP": 1.2,
        }

    def _satellites(self, epoch: Epoch) -> dict[str, int]:
        fields: dict[str, int] = {"version": 1, "numSvs": len(SATELLITES)}
        for number, satellite in enumerate(SATELLITES, 1):
            fields |= {
                f"gnssId_{number:02}": 0,
                f"svId_{number:02}": satellite.number,
                f"cno_{number:02}": satellite.signal,
                f"elev_{number:02}": satellite.elevation,
                f"azim_{number:02}": satellite.azimuth,
                f"qualityInd_{number:02}": 7,
                f"svUsed_{number:02}": int(epoch.has_fix),
                f"health_{number:02}": 1,
            }
        return fields


def _gps_time(time: datetime) -> tuple[int, int]:
    """GPS week, and milliseconds of the week."""
    since = time - _GPS_ERA + timedelta(seconds=_LEAP_SECONDS)
    weeks, rest = divmod(since, timedelta(weeks=1))
    return weeks, round(rest / timedelta(milliseconds=1))
