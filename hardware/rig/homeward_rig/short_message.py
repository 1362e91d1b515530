"""Short messages as modems and networks exchange them: 3GPP TS 23.040 (frames) and TS 23.038 (alphabets).

Only what a message centre sees of a phone: it reads SMS-SUBMIT, and makes SMS-DELIVER and SMS-STATUS-REPORT. All frames
begin with the address of the message centre, as in AT commands (TS 27.005).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import gsm0338

GSM = gsm0338.Codec()
"""The default alphabet with its extension table, one byte a septet."""

CENTRE = "+31624000000"
SEPTETS_IN_ALL, SEPTETS_IN_PART = 160, 153
UNITS_IN_ALL, UNITS_IN_PART = 70, 67

DELIVERED = 0x00
EXPIRED = 0x46
"""TP-Status: received by the phone; or given up because the validity period ended."""


class MalformedMessage(ValueError):
    """A frame that no network would take."""


@dataclass(frozen=True)
class Part:
    """Which part of a long message this is: `number` of `total`, joined by `reference`."""

    reference: int
    total: int
    number: int


@dataclass(frozen=True)
class Submitted:
    """A message, or part of one, that a phone hands to the network."""

    number: str
    text: str
    alphabet: str
    """"GSM", "UCS2", or "8-bit", whose text is hexadecimal."""
    wants_report: bool
    part: Part | None = None


@dataclass(frozen=True)
class Incoming:
    """One SMS-DELIVER: its frame, and the text in it."""

    frame: bytes
    text: str


# Pieces of frames


def packed(septets: bytes, fill_bits: int = 0) -> bytes:
    """Seven-bit characters, first one lowest, after so many fill bits (TS 23.038, 6.1.2.1)."""
    bits = 0
    for place, septet in enumerate(septets):
        bits |= septet << (7 * place + fill_bits)
    return bits.to_bytes((7 * len(septets) + fill_bits + 7) // 8, "little")


def unpacked(octets: bytes, count: int, fill_bits: int = 0) -> bytes:
    """The reverse of `packed`; MalformedMessage when there are fewer than `count`."""
    if len(octets) * 8 < count * 7 + fill_bits:
        raise MalformedMessage("the text is shorter than it says")
    bits = int.from_bytes(octets, "little") >> fill_bits
    return bytes(bits >> (7 * place) & 0x7F for place in range(count))


def encoded_number(number: str) -> tuple[int, bytes]:
    """Digits and, behind the type of number, two in an octet; international with a leading "+"."""
    digits = number.removeprefix("+")
    pairs = digits + "F" * (len(digits) % 2)
    kind = 0x91 if number.startswith("+") else 0x81
    return len(digits), bytes([kind, *(int(pairs[place + 1] + pairs[place], 16) for place in range(0, len(pairs), 2))])


def decoded_number(length: int, octets: bytes) -> str:
    """The number of `length` digits behind the octet with its type."""
    digits = "".join(f"{octet & 15:x}{octet >> 4:x}" for octet in octets[1:])[:length]
    return ("+" if octets[0] & 0x70 == 0x10 else "") + digits.translate(str.maketrans("abc", "*#a"))


def encoded_time(moment: datetime) -> bytes:
    """Year to second and the zone in quarters of an hour, each two swapped digits; `moment` knows its zone."""
    offset = moment.utcoffset()
    if offset is None:
        raise ValueError("a moment without time zone")
    quarters = int(offset.total_seconds() // 900)
    zone = f"{abs(quarters):02d}"
    pairs = [
        f"{value:02d}"
        for value in (moment.year % 100, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    ]
    octets = bytes(int(pair[1] + pair[0], 16) for pair in (*pairs, zone))
    return octets if quarters >= 0 else octets[:-1] + bytes([octets[-1] | 0x08])


def _with_centre(frame: bytes) -> bytes:
    _, address = encoded_number(CENTRE)
    return bytes([len(address)]) + address + frame


def length_of(frame: bytes) -> int:
    """Octets of a frame without the message centre's address: the <length> of AT commands."""
    return len(frame) - 1 - frame[0]


# Frames


def read_submit(frame: bytes) -> Submitted:
    """
    An SMS-SUBMIT, as `AT+CMGS` gives it in PDU mode.

        octets  1+n     1      1    1       1+m     1    1    0/1/7     1     rest
        field   centre  flags  ref  digits  number  PID  DCS  validity  UDL   UD

    MalformedMessage when it is cut short or no SMS-SUBMIT. Source: TS 23.040, 9.2.2.2.
    """
    octets = iter(frame)

    def take(count: int) -> bytes:
        taken = bytes(octet for _, octet in zip(range(count), octets, strict=False))
        if len(taken) < count:
            raise MalformedMessage("the frame is cut short")
        return taken

    take(take(1)[0])
    flags = take(1)[0]
    if flags & 0x03 != 0x01:
        raise MalformedMessage(f"no SMS-SUBMIT: its first octet is {flags:02x}")
    take(1)
    digits = take(1)[0]
    number = decoded_number(digits, take(1 + (digits + 1) // 2))
    take(1)
    coding = take(1)[0]
    take((0, 7, 1, 7)[flags >> 3 & 0x03])
    length = take(1)[0]
    alphabet = alphabet_of(coding)
    data = take((length * 7 + 7) // 8 if alphabet == "GSM" else length)
    if next(octets, None) is not None:
        raise MalformedMessage("something follows the text")
    header = data[1 : 1 + data[0]] if flags & 0x40 else b""
    skipped = len(header) + 1 if flags & 0x40 else 0
    if alphabet == "GSM":
        first = (skipped * 8 + 6) // 7
        fill_bits = first * 7 - skipped * 8
        text = GSM.decode(unpacked(data[skipped:], length - first, fill_bits))[0]
    elif alphabet == "UCS2":
        text = data[skipped:].decode("utf-16-be", errors="replace")
    else:
        text = data[skipped:].hex()
    return Submitted(number, text, alphabet, bool(flags & 0x20), _part(header))


def alphabet_of(coding: int) -> str:
    """Alphabet by data coding scheme: "GSM", "8-bit" or "UCS2" (TS 23.038, 4)."""
    if coding & 0xF0 == 0xF0:
        return "8-bit" if coding & 0x04 else "GSM"
    if coding & 0xF0 == 0xE0:
        return "UCS2"
    if coding & 0x80:
        return "GSM"
    return {0x04: "8-bit", 0x08: "UCS2"}.get(coding & 0x0C, "GSM")


def _part(header: bytes) -> Part | None:
    """Concatenation among the elements of a user data header: 8-bit (0x00) or 16-bit (0x08) reference."""
    place = 0
    while place + 1 < len(header):
        element, length = header[place], header[place + 1]
        content = header[place + 2 : place + 2 + length]
        if (element, len(content)) in ((0x00, 3), (0x08, 4)):
            return Part(int.from_bytes(content[:-2]), content[-2], content[-1])
        place += 2 + length
    return None


def make_delivers(number: str, text: str, moment: datetime, reference: int = 0) -> list[Incoming]:
    """The SMS-DELIVER frames of a text, as many as it needs, in the default alphabet when that has all of it."""
    try:
        units = GSM.encode(text)[0]
        pieces = _pieces(units, SEPTETS_IN_ALL, SEPTETS_IN_PART, lambda piece: piece[-1] == 0x1B)
        coding = 0x00
    except UnicodeEncodeError:
        units = text.encode("utf-16-be")
        pieces = _pieces(units, 2 * UNITS_IN_ALL, 2 * UNITS_IN_PART, lambda piece: piece[-2] & 0xFC == 0xD8)
        coding = 0x08
    made = []
    for place, piece in enumerate(pieces):
        header = bytes([5, 0, 3, reference & 0xFF, len(pieces), place + 1]) if len(pieces) > 1 else b""
        if coding == 0x00:
            first = (len(header) * 8 + 6) // 7
            length, data = first + len(piece), header + packed(piece, first * 7 - len(header) * 8)
        else:
            length, data = len(header) + len(piece), header + piece
        digits, address = encoded_number(number)
        flags = 0x04 | (0x40 if header else 0)
        frame = _with_centre(
            bytes([flags, digits]) + address + bytes([0, coding]) + encoded_time(moment) + bytes([length]) + data
        )
        made.append(Incoming(frame, piece.decode("utf-16-be") if coding else GSM.decode(piece)[0]))
    return made


def _pieces(units: bytes, in_all: int, in_part: int, ends_inside: Callable[[bytes], bool]) -> list[bytes]:
    """Parts of at most `in_part` of a text that is longer than `in_all`; never cut in the middle of a character."""
    if len(units) <= in_all:
        return [units]
    pieces = []
    while units:
        piece = units[:in_part]
        while len(piece) < len(units) and ends_inside(piece):
            piece = piece[:-1] if in_all == SEPTETS_IN_ALL else piece[:-2]
        pieces.append(piece)
        units = units[len(piece) :]
    return pieces


def make_status_report(reference: int, number: str, sent: datetime, done: datetime, status: int) -> bytes:
    """An SMS-STATUS-REPORT of the message with that reference. Source: TS 23.040, 9.2.2.3."""
    digits, address = encoded_number(number)
    return _with_centre(
        bytes([0x06, reference, digits]) + address + encoded_time(sent) + encoded_time(done) + bytes([status])
    )
