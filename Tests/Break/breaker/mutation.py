"""Damage that can be repeated: the same chance makes the same bytes again."""

import copy
import json
import random
from typing import Any

EXTREMES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    2**31,
    2**63 - 1,
    -(2**63),
    2**64,
    1e308,
    -1e308,
    5e-324,
    "",
    " ",
    "\0",
    "\x1b[2J",
    "\u202e",
    "'; DROP TABLE journal; --",
    "../../../../etc/passwd",
    "%s%n%p",
    "é" * 300,
    "x" * 70_000,
    "9999-12-31T23:59:59Z",
    "-0001-01-01T00:00:00Z",
    "2026-02-30T25:61:61Z",
    [],
    {},
    [[]] * 300,
)
"""What a reader may not have thought of."""
TOKENS = (b"NaN", b"-inf", b"1e999", b"\xff\xfe", b"\x00", b"\xed\xa0\x80", b'"', b"}", b"[", b"\\ud800", b",,", b"\n")


def damaged_bytes(chance: random.Random, data: bytes, most: int = 4) -> bytes:
    """A few bytes flipped, cut, doubled, or put where none belong."""
    made = bytearray(data)
    for _ in range(chance.randint(1, most)):
        place = chance.randrange(len(made) + 1)
        match chance.randrange(6):
            case 0 if made:
                made[place % len(made)] ^= 1 << chance.randrange(8)
            case 1 if made:
                made[place % len(made)] = chance.randrange(256)
            case 2:
                del made[place : place + chance.randint(1, 16)]
            case 3:
                made[place:place] = chance.choice(TOKENS)
            case 4:
                made[place:place] = made[place : place + chance.randint(1, 64)] * chance.randint(1, 8)
            case _:
                del made[place:]
    return bytes(made)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        found += _places(member, (*path, key))
    return found


def damaged_json(chance: random.Random, value: Any, most: int = 2) -> Any:
    """One or two members changed into something that nobody expects there, gone, or doubled."""
    made = copy.deepcopy(value)
    for _ in range(chance.randint(1, most)):
        places = _places(made)
        if not places:
            return chance.choice(EXTREMES)
        *way, last = chance.choice(places)
        holder = made
        for key in way:
            holder = holder[key]
        match chance.randrange(5):
            case 0:
                del holder[last]
            case 1 if isinstance(holder, dict):
                holder[f"{last}{chance.choice('xé ')}"] = holder.pop(last)
            case 2:
                holder[last] = [copy.deepcopy(holder[last]) for _ in range(chance.randint(2, 40))]
            case 3:
                holder[last] = {"of": holder[last]}
            case _:
                holder[last] = copy.deepcopy(chance.choice(EXTREMES))
    return made


def damaged_line(chance: random.Random, message: Any) -> bytes:
    """A JSON message on a line of its own: its meaning damaged, its bytes, or both."""
    if chance.random() < 0.7:
        message = damaged_json(chance, message)
    # As most programs write it: without a space.
    text = json.dumps(message, ensure_ascii=chance.random() < 0.5, separators=(",", ":"))
    line = text.encode(errors="surrogatepass")
    if chance.random() < 0.5:
        line = damaged_bytes(chance, line)
    return line.replace(b"\n", b" ") + b"\n"
