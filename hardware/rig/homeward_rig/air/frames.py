"""Advertisements byte by byte, as tags send them: iBeacon, Eddystone, BTHome."""

import struct
from enum import IntEnum

from bumble.core import UUID, AdvertisingData
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

MAXIMUM_LENGTH = 31
"""Bytes that fit into one legacy advertisement."""

_APPLE = 0x004C
_EDDYSTONE = 0xFEAA
_BTHOME = 0xFCD2
_FLAGS = (AdvertisingData.FLAGS, b"\x06")
# Prefixes and endings that an Eddystone URL stands one byte for.
_SCHEMES = ("http://www.", "https://www.", "http://", "https://")
_ENDINGS = (
    ".com/",
    ".org/",
    ".edu/",
    ".net/",
    ".info/",
    ".biz/",
    ".gov/",
    ".com",
    ".org",
    ".edu",
    ".net",
    ".info",
    ".biz",
    ".gov",
)


class Press(IntEnum):
    """Button events of BTHome."""

    NONE = 0x00
    PRESS = 0x01
    DOUBLE_PRESS = 0x02
    TRIPLE_PRESS = 0x03
    LONG_PRESS = 0x04
    LONG_DOUBLE_PRESS = 0x05
    LONG_TRIPLE_PRESS = 0x06
    HOLD_PRESS = 0x80


def _advertisement(*structures: tuple[int, bytes]) -> bytes:
    data = bytes(AdvertisingData([_FLAGS, *structures]))
    if len(data) > MAXIMUM_LENGTH:
        raise ValueError(f"{len(data)} bytes do not fit into one advertisement of {MAXIMUM_LENGTH}")
    return data


def ibeacon(uuid: bytes, major: int, minor: int, power_at_1_m_dbm: int) -> bytes:
    """iBeacon: company, 02 15, UUID of 16 bytes, major and minor big-endian, power at one metre.

    - Source: Apple, Proximity Beacon Specification.
    """
    body = struct.pack("<H", _APPLE) + b"\x02\x15" + uuid + struct.pack(">HHb", major, minor, power_at_1_m_dbm)
    return _advertisement((AdvertisingData.MANUFACTURER_SPECIFIC_DATA, body))


def _eddystone(frame: bytes) -> bytes:
    return _advertisement(
        (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, struct.pack("<H", _EDDYSTONE)),
        (AdvertisingData.SERVICE_DATA_16_BIT_UUID, struct.pack("<H", _EDDYSTONE) + frame),
    )


def eddystone_uid(namespace: bytes, instance: bytes, power_at_0_m_dbm: int) -> bytes:
    """Eddystone-UID: 00, power at no distance, namespace of 10 bytes, instance of 6.

    - Source: github.com/google/eddystone, eddystone-uid.
    """
    return _eddystone(struct.pack(">Bb", 0x00, power_at_0_m_dbm) + namespace + instance)


def eddystone_url(url: str, power_at_0_m_dbm: int) -> bytes:
    """Eddystone-URL: 10, power at no distance, a byte for the scheme, the rest with endings of one byte.

    ValueError for a URL without http or https, or too long.

    - Source: github.com/google/eddystone, eddystone-url.
    """
    scheme = next((number for number, text in enumerate(_SCHEMES) if url.startswith(text)), None)
    if scheme is None:
        raise ValueError(f"neither http nor https: {url}")
    rest = url[len(_SCHEMES[scheme]) :]
    for number, text in enumerate(_ENDINGS):
        rest = rest.replace(text, chr(number))
    return _eddystone(struct.pack(">BbB", 0x10, power_at_0_m_dbm, scheme) + rest.encode("ascii"))


def eddystone_tlm(battery_millivolts: int, celsius: float | None, advertisements: int, uptime_seconds: float) -> bytes:
    """Eddystone-TLM: 20 00, battery in mV, temperature in 1/256 °C (8000: none), count, uptime in 0.1 s; big-endian.

    - Source: github.com/google/eddystone, eddystone-tlm, tlm-plain.
    """
    temperature = -0x8000 if celsius is None else round(celsius * 256)
    return _eddystone(
        struct.pack(">BBHhII", 0x20, 0x00, battery_millivolts, temperature, advertisements, round(uptime_seconds * 10))
    )


def bthome(objects: bytes) -> bytes:
    """BTHome v2, open: 40 and objects, each an identifier and a little-endian value, in ascending order.

    - Source: bthome.io/format.
    """
    return _advertisement((AdvertisingData.SERVICE_DATA_16_BIT_UUID, struct.pack("<H", _BTHOME) + b"\x40" + objects))


def bthome_encrypted(objects: bytes, key: bytes, address: bytes, counter: int) -> bytes:
    """BTHome v2, encrypted by AES-CCM: 41, objects, counter of 4 bytes, check of 4 bytes.

    `key` has 16 bytes, `address` is the sender's in the order in which it is written.

    - Source: bthome.io/encryption.
    """
    header = struct.pack("<H", _BTHOME) + b"\x41"
    count = struct.pack("<I", counter)
    sealed = AESCCM(key, tag_length=4).encrypt(address + header + count, objects, None)
    body = header + sealed[:-4] + count + sealed[-4:]
    return _advertisement((AdvertisingData.SERVICE_DATA_16_BIT_UUID, body))


def bthome_button(packet: int, battery_percent: int, press: Press) -> bytes:
    """Objects of a button: packet identifier (00), battery (01), event (3a)."""
    return bytes([0x00, packet & 0xFF, 0x01, battery_percent, 0x3A, press])


def bthome_battery(packet: int, battery_percent: int) -> bytes:
    """Objects of a button at rest: packet identifier (00) and battery (01)."""
    return bytes([0x00, packet & 0xFF, 0x01, battery_percent])


def service_list(*uuids: UUID) -> bytes:
    """A connectable device's advertisement: its flags and its services of 16 bits."""
    return _advertisement(
        (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, b"".join(uuid.to_bytes() for uuid in uuids))
    )


def local_name(name: str) -> bytes:
    """A scan response that holds the device's name."""
    return bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, name.encode())]))
