"""Advertisements of tags, beacons, buttons and telephones, with what is to be read in them; the numbers are dice.

Sources: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65 (events), and its Supplement, part A
(structures); Apple, Proximity Beacon; AltBeacon 1.0; github.com/google/eddystone; bthome.io/format; Heinrich et al.,
"Who Can Find My Devices?", PoPETs 2021, table 2 (Find My); AirGuard (numbers of other makers' services).
"""

import json
import random
import struct

SEED = 20260122

_APPLE, _RADIUS_NETWORKS, _OTHER_MAKER = 0x004C, 0x0118, 0x0180
_EDDYSTONE, _BTHOME, _BATTERY = 0xFEAA, 0xFCD2, 0x180F
# Kinds of structure.
_FLAGS, _SERVICES, _NAME, _POWER, _SERVICE_DATA, _MAKERS_DATA = 0x01, 0x03, 0x09, 0x0A, 0x16, 0xFF
_COMMON_FLAGS = 0x06
_SCHEMES = ("http://www.", "https://www.", "http://", "https://")
_ENDINGS = (".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/")
_PRESSES = {
    0x01: "press",
    0x02: "double_press",
    0x03: "triple_press",
    0x04: "long_press",
    0x05: "long_double_press",
    0x06: "long_triple_press",
    0x80: "hold_press",
}


def structure(kind, body):
    """A length, which counts the kind, too; the kind; the body."""
    return bytes([len(body) + 1, kind]) + body


def _data(*structures):
    return structure(_FLAGS, bytes([_COMMON_FLAGS])) + b"".join(structures)


def _service(number, body):
    return structure(_SERVICE_DATA, struct.pack("<H", number) + body)


def _maker(number, body):
    return structure(_MAKERS_DATA, struct.pack("<H", number) + body)


def event(reports):
    """An LE Advertising Report: event 3e 02; of each report its kind, who sent it, data, strength.

    offset  0   1   2    3   4      then: 0     1     2..7     8    9..     last
    field   04  3e  len  02  count        kind  type  address  len  data    dBm
    """
    body = bytes([0x02, len(reports)])
    for kind, address, is_random, data, dbm in reports:
        body += bytes([kind, is_random]) + address[::-1] + bytes([len(data)]) + data + struct.pack("<b", dbm)
    return b"\x04\x3e" + bytes([len(body)]) + body


def extended_event(address, data, dbm, power):
    """An LE Extended Advertising Report of one that takes no connection, at a random address, with set number 1."""
    head = struct.pack("<HB6sBBBbb", 0, 1, address[::-1], 1, 2, 1, power, dbm)
    body = b"\x0d\x01" + head + bytes(9) + bytes([len(data)]) + data
    return b"\x04\x3e" + bytes([len(body)]) + body


class _Tags:
    """The advertisements so far."""

    def __init__(self, dice):
        self.vectors, self.dice = [], dice

    def bytes(self, count):
        """Bytes without a meaning: keys, serial numbers."""
        return self.dice.randbytes(count)

    def add(self, identity, *structures, **expected):
        """Bare structures; they hold what is expected, and are whole."""
        expected = {"contents": [], "faults": [], **expected}
        self.vectors.append({"id": identity, "hex": _data(*structures).hex(), "expected": expected})

    def add_event(self, name, packet, *reports):
        """An event and what each of its reports says."""
        self.vectors.append({"id": name, "hex": packet.hex(), "expected": {"reports": list(reports)}})

    def address(self, top):
        """Six bytes; the two highest bits tell the kind of a random one: 3 stays, 1 changes."""
        first, *rest = self.bytes(6)
        return bytes([top << 6 | first & 0x3F, *rest])


def _beacons(tags):
    uuid, major, minor, dbm = tags.bytes(16), *struct.unpack("<HH", tags.bytes(4)), -59
    text = "-".join((uuid[:4].hex(), uuid[4:6].hex(), uuid[6:8].hex(), uuid[8:10].hex(), uuid[10:].hex()))
    beacon = _maker(_APPLE, b"\x02\x15" + uuid + struct.pack(">HHb", major, minor, dbm))
    content = {"kind": "ibeacon", "uuid": text, "major": major, "minor": minor, "power_1m_dbm": dbm}
    content["identity"] = f"ibeacon:{text}:{major}:{minor}"
    tags.add("ibeacon", beacon, contents=[content])
    tags.add("same-data-of-another-maker", _maker(_OTHER_MAKER, b"\x02\x15" + uuid))
    number, dbm = tags.bytes(20), -65
    beacon = _maker(_RADIUS_NETWORKS, b"\xbe\xac" + number + struct.pack(">bB", dbm, 0))
    tags.add("altbeacon", beacon, contents=[{"kind": "altbeacon", "id": number.hex(), "power_1m_dbm": dbm}])

    def eddystone(name, body, **content):
        services = structure(_SERVICES, struct.pack("<H", _EDDYSTONE))
        tags.add(name, services, _service(_EDDYSTONE, body), contents=[{"kind": name.split("/")[0], **content}])

    namespace, instance = tags.bytes(10), tags.bytes(6)
    told = {"namespace": namespace.hex(), "instance": instance.hex(), "power_0m_dbm": -18}
    eddystone("eddystone-uid", struct.pack(">Bb", 0x00, -18) + namespace + instance + b"\0\0", **told)
    for number, scheme in enumerate(_SCHEMES):
        ending = tags.dice.randrange(len(_ENDINGS))
        body = struct.pack(">BbB", 0x10, -20, number) + b"hub" + bytes([ending]) + b"a"
        url = f"{scheme}hub{_ENDINGS[ending]}a"
        eddystone(f"eddystone-url/{number}", body, url=url, power_0m_dbm=-20)
    millivolts, count, tenths = tags.dice.randrange(2500, 3200), tags.dice.getrandbits(20), tags.dice.getrandbits(24)
    body = struct.pack(">BBHhII", 0x20, 0, millivolts, 21 * 256 + 128, count, tenths)
    told = {"advertisements": count, "uptime_s": tenths / 10}
    eddystone("eddystone-tlm", body, battery_mv=millivolts, celsius=21.5, **told)
    # A beacon that measures neither has 0 for its battery and the lowest number for its temperature.
    body = struct.pack(">BBHhII", 0x20, 0, 0, -0x8000, count, tenths)
    eddystone("eddystone-tlm/bare", body, battery_mv=None, celsius=None, **told)
    cipher = tags.bytes(12)
    told = {"cipher_text": cipher.hex(), "salt": 0x0102, "check": 0xA1B2}
    eddystone("eddystone-etlm", b"\x20\x01" + cipher + b"\x01\x02\xa1\xb2", **told)
    number = tags.bytes(8)
    eddystone("eddystone-eid", struct.pack(">Bb", 0x30, -12) + number, ephemeral_id=number.hex(), power_0m_dbm=-12)


def _bthome(tags):
    def reading(number, name, value, unit=None):
        return {"object": number, "name": name, "value": value} | ({"unit": unit} if unit else {})

    def add(name, info, body, *readings, **told):
        content = {"kind": "bthome", "encrypted": False, "readings": list(readings), **told}
        tags.add(f"bthome-{name}", _service(_BTHOME, bytes([info]) + body), contents=[content])

    percent = tags.dice.randrange(20, 101)
    battery = reading(0x01, "battery", percent, "%")
    for packet, (code, word) in enumerate(_PRESSES.items(), 7):
        body = bytes([0x00, packet, 0x01, percent, 0x3A, code])
        head = reading(0x00, "packet-id", packet), battery
        add(word, 0x44, body, *head, reading(0x3A, "button", word), packet_id=packet, triggered=True)
    second = reading(0x3A, "button", "none"), reading(0x3A, "button", "press")
    add("second-button", 0x44, b"\x3a\x00\x3a\x01", *second)
    add("at-rest", 0x40, bytes([0x00, 9, 0x01, percent]), reading(0x00, "packet-id", 9), battery, packet_id=9)
    add("dimmer", 0x44, b"\x3c\x01\x03", reading(0x3C, "dimmer", -3))
    hundredths, tenths = tags.dice.randrange(-1500, 3000), tags.dice.randrange(200, 900)
    body = b"\x02" + struct.pack("<h", hundredths) + b"\x03" + struct.pack("<H", tenths * 10)
    told = reading(0x02, "temperature", hundredths / 100, "°C"), reading(0x03, "humidity", tenths / 10, "%")
    add("thermometer", 0x40, body, *told)
    add("motion", 0x44, b"\x21\x01", reading(0x21, "motion", True))
    cipher, check, counter = tags.bytes(6), tags.bytes(4), tags.dice.getrandbits(24)
    body = cipher + struct.pack("<I", counter) + check
    add("sealed", 0x45, body, encrypted=True, opened=False, counter=counter)
    # A first edition, and a battery without its number.
    tags.add("bthome-1", _service(_BTHOME, b"\x20\x02\x01\x32"), faults=[{"code": "unknown word"}])
    content = {"kind": "bthome", "readings": [], "fault": {"code": "truncated"}}
    tags.add("bthome-cut-off", _service(_BTHOME, b"\x40\x01"), contents=[content], faults=[{"code": "truncated"}])


def _trackers(tags):
    """Those that change so that strangers cannot follow them: it is known what they are, and they stand for nobody."""

    def add(name, *structures, **told):
        tags.add(name, *structures, contents=[{"kind": name.split("/")[0], "is_identity": False, **told}])

    away = b"\x12\x19\x10" + tags.bytes(22) + b"\x02\x00"
    add("apple-find-my/away", _maker(_APPLE, away), separated=True, member="airtag", battery_stage=0)
    add("apple-find-my/near", _maker(_APPLE, b"\x12\x02\x64\x01"), separated=False, battery_stage=1)
    messages = b"\x10\x05" + tags.bytes(5) + b"\x0c\x02" + tags.bytes(2)
    add("apple-continuity", _maker(_APPLE, messages), types=[0x10, 0x0C])
    add("google-find-hub/near", _service(_EDDYSTONE, b"\x40" + tags.bytes(20)), separated=False)
    add("google-find-hub/away", _service(_EDDYSTONE, b"\x41" + tags.bytes(20)), separated=True)
    add("tile/first", _service(0xFEED, b"\x02\x00" + tags.bytes(8)))
    add("tile/second", _service(0xFD84, tags.bytes(10)))
    for number in (0xFD59, 0xFD5A, 0xFD69):
        add(f"samsung-smarttag/{number:04x}", _service(number, tags.bytes(16)))
    add("chipolo", structure(_SERVICES, struct.pack("<H", 0xFE33)))
    add("pebblebee", _service(0xFA25, tags.bytes(6)))
    services = structure(_SERVICES, struct.pack("<H", 0xFFE0))
    tags.add("itag", structure(_NAME, b"iTAG  "), services, contents=[{"kind": "itag"}], services=["ffe0"])
    percent = tags.dice.randrange(101)
    tags.add("battery", _service(_BATTERY, bytes([percent])), contents=[{"kind": "battery", "percent": percent}])
    too_much = [{"code": "out of range"}]
    tags.add("battery-of-200-per-cent", _service(_BATTERY, b"\xc8"), faults=too_much)
    name, power = structure(_NAME, b"Kitchen"), structure(_POWER, struct.pack("<b", -8))
    services = structure(_SERVICES, struct.pack("<HH", 0x1808, 0x180A))
    told = {"flags": _COMMON_FLAGS, "name": "Kitchen", "tx_power_dbm": -8, "services": ["1808", "180a"]}
    tags.add("plain-device", services, name, power, **told)
    # The last structure claims more than there is.
    tags.add("structure-cut-off", name[:-2], faults=[{"code": "truncated"}])


def _events(tags):
    """What a controller says of them: who sent it, how strong, in which kind of event."""

    def report(address, kind, dbm, name, **told):
        head = {"address": address.hex(":").upper(), "address_type": kind, "rssi_dbm": dbm}
        return head | told | {"complete": True, "data": {"name": name, "faults": []}}

    public, lasting, changing = tags.address(0), tags.address(3), tags.address(1)
    name = structure(_NAME, b"Hall")
    told = report(public, "public", -44, "Hall", legacy=True, connectable=True, address_changes=False)
    tags.add_event("event-public", event([(0, public, 0, name, -44)]), told)
    told = report(changing, "random", -91, "Hall", scannable=False, connectable=False, address_changes=True)
    tags.add_event("event-changing", event([(3, changing, 1, name, -91)]), told)
    first = report(lasting, "random", -60, None, scan_response=False, address_changes=False)
    second = report(lasting, "random", -61, "Hall", scan_response=True)
    pair = (0, lasting, 1, _data(), -60), (4, lasting, 1, name, -61)
    tags.add_event("event-two-reports", event(pair), first, second)
    told = report(lasting, "random", -70, "Hall", legacy=False, tx_power_dbm=4, set_id=1, connectable=False)
    tags.add_event("event-extended", extended_event(lasting, name, -70, 4), told)


def captures():
    """The path and bytes of all advertisements, one a line."""
    tags = _Tags(random.Random(SEED))
    for add in (_beacons, _bthome, _trackers, _events):
        add(tags)
    vectors = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in tags.vectors)
    return {"tags.json": f'{{"seed": {SEED}, "vectors": [\n{vectors}\n]}}\n'.encode()}
