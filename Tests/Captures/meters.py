"""Values of glucose meters and continuous monitors, with what they say; nobody's blood: amounts are thrown with dice.

Little-endian throughout. Sources: Bluetooth Glucose Service 1.0.1, Continuous Glucose Monitoring Service 1.0.2, GATT
Specification Supplement; ISO/IEEE 11073-20601 (SFLOAT).
"""

import json
import random
import struct
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

SEED = 20260121

MEASUREMENT, CONTEXT, FEATURE, RECORD_ACCESS = "0x2A18", "0x2A34", "0x2A51", "0x2A52"
CGM_MEASUREMENT, CGM_FEATURE, CGM_STATUS, CGM_START, CGM_CONTROL = "0x2AA7", "0x2AA8", "0x2AA9", "0x2AAA", "0x2AAC"

_MG_DL_PER_MMOL_L = Decimal("18.0156")
_NOT_A_NUMBER = struct.pack("<H", 0x07FF)


def sfloat(mantissa, exponent):
    """Twelve bits of mantissa, above them four of exponent, both two's complement."""
    if not -0x800 < mantissa < 0x7FE or not -8 <= exponent <= 7:
        raise ValueError(f"{mantissa}e{exponent} is no SFLOAT")
    return struct.pack("<H", mantissa & 0xFFF | (exponent & 0xF) << 12)


def checked(body):
    """A value with its E2E-CRC behind it: polynomial 0x1021, low bits first, from 0xFFFF."""
    crc = 0xFFFF
    for byte in body:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return body + struct.pack("<H", crc)


def date_time(moment):
    """Year of two bytes, month, day, hour, minute, second."""
    return struct.pack("<H5B", *moment.timetuple()[:6])


def _plain(number):
    """A decimal number without a power of ten."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _bits(mask):
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


class _Values:
    """The values so far; each is named by what it is."""

    def __init__(self):
        self.vectors = []

    def add(self, name, uuid, body, **expected):
        self.vectors.append({"id": name, "uuid": uuid, "hex": body.hex(), "expected": {"valid": True, **expected}})

    def add_damaged(self, name, uuid, body):
        self.vectors.append({"id": name, "uuid": uuid, "hex": body.hex(), "expected": {"valid": False}})

    def measurement(
        self, name, sequence, base, amount=None, *, offset=None, kind=1, location=1, status=None, has_context=False
    ):
        """Glucose Measurement, section 3.1; `amount` is mantissa and exponent in kg/L, or in mol/L with `True` behind.

        offset  0  1..2  3........9      10.11  12.13  14          15.16
        field   F  seq   base time       dt     conc   type|place  status
        """
        flags, body = 0x10 * has_context, struct.pack("<H", sequence) + date_time(base)
        expected = {"sequence": sequence, "context_follows": has_context, "base_time": base.isoformat()}
        expected["time_offset_min"] = offset
        expected["user_facing_time"] = (base + timedelta(minutes=offset or 0)).isoformat()
        if offset is not None:
            flags, body = flags | 0x01, body + struct.pack("<h", offset)
        if amount is not None:
            mantissa, exponent, *is_molar = amount
            flags, body = flags | 0x02 | 0x04 * bool(is_molar), body + sfloat(mantissa, exponent)
            body += bytes([kind | location << 4])
            told = Decimal(mantissa).scaleb(exponent)
            # A kg/L is 100,000 mg/dL, a mol/L 1,000 mmol/L.
            mg = told * 1000 * _MG_DL_PER_MMOL_L if is_molar else told * 100_000
            mmol = told * 1000 if is_molar else mg / _MG_DL_PER_MMOL_L
            expected |= {"unit": "mol/L" if is_molar else "kg/L", "concentration": _plain(told)}
            expected |= {"mg_dL": _rounded(mg), "mmol_L_18.0156": _rounded(mmol), "type": kind, "location": location}
        if status is not None:
            flags, body = flags | 0x08, body + struct.pack("<H", status)
            expected |= {"status": status, "status_bits": _bits(status)}
        self.add(name, MEASUREMENT, bytes([flags]) + body, **expected)


def _rounded(number):
    return _plain(number.quantize(Decimal("0.001"), ROUND_HALF_UP))


def _measurements(values, dice):
    base = datetime(2026, 3, 1, 7, 15, 30)
    mg_dl = [dice.randrange(70, 200) for _ in range(6)]
    values.measurement("stick-mass", 1, base, (mg_dl[0], -5), offset=60)
    values.measurement("stick-molar", 2, base, (dice.randrange(40, 120), -4, True), offset=0)
    values.measurement("stick-west", 300, base, (mg_dl[1], -5), offset=-420, location=15, has_context=True)
    # A clock that runs freely: the offset is more than that of any time zone.
    values.measurement("stick-free-clock", 17, base, (mg_dl[2], -5), offset=1100, kind=8, location=15, status=0)
    values.measurement("stick-without-offset", 4, base, (mg_dl[3], -5), location=2, status=0b1_0000_0101)
    values.measurement("stick-without-amount", 5, base, offset=0, status=0b10)
    values.measurement("stick-high", 6, base, (600, -5), offset=0, status=1 << 5)
    values.measurement("stick-low", 7, base, (10, -5), offset=0, status=1 << 6)
    values.measurement("control-solution", 8, base, (mg_dl[4], -5), offset=0, kind=10, location=4)
    values.measurement("last-number", 0xFFFF, base, (mg_dl[5], -5), offset=0)
    no_number = b"\x02" + struct.pack("<H", 9) + date_time(base) + _NOT_A_NUMBER + b"\x11"
    values.add("stick-no-number", MEASUREMENT, no_number, sequence=9, meaning="not-a-number")
    values.add_damaged("stick-cut-off", MEASUREMENT, no_number[:-1])


def _contexts(values, dice):
    """Glucose Measurement Context, section 3.2."""
    values.add("after-a-meal", CONTEXT, struct.pack("<BHB", 0x02, 300, 2), sequence=300, meal="0x02")
    grams = dice.randrange(20, 90)
    breakfast = struct.pack("<BHB", 0x03, 301, 1) + sfloat(grams, -3) + b"\x01"
    told = {"carbohydrate_id": "0x01", "carbohydrate.kg": _plain(Decimal(grams).scaleb(-3)), "meal": "0x01"}
    values.add("breakfast", CONTEXT, breakfast, sequence=301, **told)
    seconds, percent, litres, hba1c = dice.randrange(60, 3600), dice.randrange(10, 90), dice.randrange(2, 30), 65
    body = struct.pack("<BHB", 0xFF, 302, 0x00) + b"\x03" + sfloat(grams, -3) + b"\x04" + bytes([1 | 5 << 4])
    body += struct.pack("<HB", seconds, percent) + b"\x02" + sfloat(litres, -5) + sfloat(hba1c, -1)
    values.add(
        "everything",
        CONTEXT,
        body,
        sequence=302,
        extended_flags="0x00",
        carbohydrate_id="0x03",
        meal="0x04",
        tester=1,
        health=5,
        exercise_duration=str(seconds),
        exercise_intensity=str(percent),
        medication_id="0x02",
        hba1c="6.5",
        **{"medication.l": _plain(Decimal(litres).scaleb(-5))},
    )
    values.add("nothing-more", CONTEXT, struct.pack("<BH", 0, 303), sequence=303)
    values.add_damaged("context-cut-off", CONTEXT, body[:-1])


def _record_access(values, dice):
    """Record Access Control Point, section 3.4: opcode, operator, filter and limits."""
    first, count = dice.randrange(1, 500), dice.randrange(1, 500)
    since = datetime(2026, 2, 28, 23, 59, 58)
    values.add("features", FEATURE, struct.pack("<H", 0x0421), feature=0x0421, feature_bits=[0, 5, 10])
    values.add("report-all", RECORD_ACCESS, b"\1\1", opcode=1, operator=1)
    values.add("report-last", RECORD_ACCESS, b"\1\6", opcode=1, operator=6)
    values.add("count-all", RECORD_ACCESS, b"\4\1", opcode=4, operator=1)
    values.add("abort", RECORD_ACCESS, b"\3\0", opcode=3, operator=0)
    since_number = b"\1\3\1" + struct.pack("<H", first)
    values.add("report-from", RECORD_ACCESS, since_number, opcode=1, operator=3, filter_type=1, operand=first)
    limits = b"\1\4\1" + struct.pack("<HH", first, first + 9)
    values.add("report-between", RECORD_ACCESS, limits, operator=4, minimum=first, maximum=first + 9)
    since_time = b"\1\3\2" + date_time(since)
    values.add("report-since", RECORD_ACCESS, since_time, operator=3, filter_type=2, operand=since.isoformat())
    values.add("counted", RECORD_ACCESS, b"\5\0" + struct.pack("<H", count), opcode=5, number_of_records=count)
    for code, name in ((1, "success"), (6, "no records found"), (8, "procedure not completed")):
        answer = {"request_opcode": 1, "response_code": code, "response_name": name}
        values.add(f"answer-{code}", RECORD_ACCESS, bytes([6, 0, 1, code]), opcode=6, **answer)
    values.add_damaged("report-cut-off", RECORD_ACCESS, since_number[:-1])


def _cgm_record(mg_dl, minutes, *, octets=(), trend=None, quality=None, has_crc=False):
    """A record, and what it says; octets are those of status, calibration and warning that are there, by their flag.

    offset  0     1  2.3   4.5      …       …      …        …
    field   size  F  conc  minutes  octets  trend  quality  CRC
    """
    flags, body = 0, sfloat(mg_dl, 0) + struct.pack("<H", minutes)
    told = {"mg_dL": str(mg_dl), "time_offset_min": minutes, "has_crc": has_crc}
    status = 0
    for flag, place, octet in octets:
        flags, body, status = flags | flag, body + bytes([octet]), status | octet << place
    if octets:
        told |= {"status": status, "status_bits": _bits(status)}
    if trend is not None:
        flags, body = flags | 0x01, body + sfloat(trend, -1)
        told["trend_mg_dL_min"] = _plain(Decimal(trend).scaleb(-1))
    if quality is not None:
        flags, body = flags | 0x02, body + sfloat(quality, -1)
        told["quality_percent"] = _plain(Decimal(quality).scaleb(-1))
    body = bytes([len(body) + 2 + 2 * has_crc, flags]) + body
    return (checked(body) if has_crc else body), told


def _cgm(values, dice):
    """Continuous Glucose Monitoring Service, sections 3.1 to 3.11."""
    status, calibration, warning = (0x80, 0), (0x40, 8), (0x20, 16)

    def record(minutes, **particulars):
        return _cgm_record(dice.randrange(70, 200), minutes, **particulars)

    def add(name, *records):
        told = [each for _, each in records]
        # Members of one record are compared one by one, those of several in whole lists.
        values.add(name, CGM_MEASUREMENT, b"".join(body for body, _ in records), records=told)

    add("cgm-plain", record(5))
    add("cgm-falling", record(10, octets=[(*warning, 0b1_0000)], trend=-21, quality=985, has_crc=True))
    add("cgm-warned", record(15, octets=[(*status, 0b10), (*calibration, 0b100), (*warning, 0b10)], has_crc=True))
    add("cgm-several", record(20), record(25, trend=4), record(30, has_crc=True))
    wrong = bytearray(record(35, has_crc=True)[0])
    wrong[-1] ^= 0x01
    values.add_damaged("cgm-wrong-checksum", CGM_MEASUREMENT, bytes(wrong))
    values.add_damaged("cgm-cut-off", CGM_MEASUREMENT, record(40)[0][:-1])

    features = 0x01_9006
    body = features.to_bytes(3, "little") + bytes([9 | 2 << 4])
    told = {"feature": features, "feature_bits": _bits(features), "type": 9, "location": 2}
    values.add("cgm-features", CGM_FEATURE, checked(body), has_crc=True, **told)
    values.add_damaged("cgm-features-wrong-checksum", CGM_FEATURE, body + b"\0\0")
    minutes = dice.randrange(1, 14 * 24 * 60)
    body = struct.pack("<HBBB", minutes, 0x01, 0x08, 0x00)
    values.add("cgm-stopped", CGM_STATUS, checked(body), time_offset_min=minutes, status_bits=[0, 11], has_crc=True)
    start = date_time(datetime(2026, 3, 1, 12, 0, 9)) + struct.pack("<bB", -20, 0)
    told = {"local_time": "2026-03-01T12:00:09", "zone_quarter_hours": -20, "dst_quarter_hours": 0}
    values.add("cgm-start", CGM_START, checked(start), utc="2026-03-01T17:00:09.000Z", has_crc=True, **told)
    low = dice.randrange(55, 75)
    level = b"\x0d" + sfloat(low, 0)
    values.add("cgm-hypo-level", CGM_CONTROL, level, opcode=13, amount=str(low), has_crc=False)
    values.add("cgm-answer", CGM_CONTROL, checked(b"\x1c\x1a\x01"), request_opcode=26, response_name="success")


def captures():
    """The path and bytes of all values, one a line."""
    values, dice = _Values(), random.Random(SEED)
    for add in (_measurements, _contexts, _record_access, _cgm):
        add(values, dice)
    vectors = ",\n".join(json.dumps(vector) for vector in values.vectors)
    return {"meters.json": f'{{"seed": {SEED}, "vectors": [\n{vectors}\n]}}\n'.encode()}
