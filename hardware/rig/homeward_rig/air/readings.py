"""What a glucose meter has measured, byte by byte as the Glucose Service sends it; little-endian throughout."""

import struct
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum

MG_DL_PER_MMOL_L = 18.0156


class Meal(IntEnum):
    """When a reading was taken, as the context says it."""

    BEFORE = 1
    AFTER = 2
    FASTING = 3
    CASUAL = 4
    BEDTIME = 5


@dataclass(frozen=True)
class Reading:
    """One stored measurement. `base_time` is the meter's clock; its user sees base time and offset together."""

    sequence: int
    base_time: datetime
    mg_dl: int
    offset_minutes: int | None = 0
    kind: int = 1
    """Sample type: 1 is capillary whole blood, 10 control solution."""
    location: int = 1
    """Sample location: 1 is a finger."""
    status: int | None = 0
    """Sensor status annunciation; bit 5: higher than the meter can tell, bit 6: lower."""
    in_mmol: bool = field(default=False, kw_only=True)
    meal: Meal | None = None
    carbohydrate_grams: int | None = None

    @property
    def user_facing_time(self) -> datetime:
        return self.base_time + timedelta(minutes=self.offset_minutes or 0)

    @property
    def has_context(self) -> bool:
        return self.meal is not None or self.carbohydrate_grams is not None


def sfloat(mantissa: int, exponent: int) -> bytes:
    """SFLOAT: four bits of exponent, twelve of mantissa, both two's complement; ValueError when it does not fit."""
    # 0x7FE to 0x802 are no numbers.
    if not -0x7FE < mantissa < 0x7FE or not -8 <= exponent <= 7:
        raise ValueError(f"{mantissa}e{exponent} is no SFLOAT")
    return struct.pack("<H", mantissa & 0xFFF | (exponent & 0xF) << 12)


def date_time(moment: datetime) -> bytes:
    """Date Time: year of two bytes, month, day, hour, minute, second."""
    return struct.pack("<H5B", *moment.timetuple()[:6])


def measurement(reading: Reading) -> bytes:
    """Glucose Measurement (0x2A18).

        offset  0  1..2  3........9      10.11  12.13  14          15.16
        field   F  seq   base time       dt     conc   type|place  status

    Flags: 1 offset there, 2 concentration and sample there, 4 mol/L in place of kg/L, 8 status there, 16 context
    follows.

    - Source: Bluetooth Glucose Service 1.0.1, section 3.1.
    """
    flags = 0x02 | 0x04 * reading.in_mmol | 0x10 * reading.has_context
    body = struct.pack("<H", reading.sequence) + date_time(reading.base_time)
    if reading.offset_minutes is not None:
        flags |= 0x01
        body += struct.pack("<h", reading.offset_minutes)
    if reading.in_mmol:
        # A tenth of a mmol/L is 1e-4 mol/L.
        body += sfloat(round(reading.mg_dl / MG_DL_PER_MMOL_L * 10), -4)
    else:
        # A mg/dL is 1e-5 kg/L.
        body += sfloat(reading.mg_dl, -5)
    body += bytes([reading.kind | reading.location << 4])
    if reading.status is not None:
        flags |= 0x08
        body += struct.pack("<H", reading.status)
    return bytes([flags]) + body


def context(reading: Reading) -> bytes | None:
    """Glucose Measurement Context (0x2A34): flags, sequence, carbohydrate (breakfast, kg), meal; None without one.

    - Source: Bluetooth Glucose Service 1.0.1, section 3.2.
    """
    if not reading.has_context:
        return None
    flags, body = 0, b""
    if reading.carbohydrate_grams is not None:
        flags |= 0x01
        body += bytes([1]) + sfloat(reading.carbohydrate_grams, -3)
    if reading.meal is not None:
        flags |= 0x02
        body += bytes([reading.meal])
    return bytes([flags]) + struct.pack("<H", reading.sequence) + body
