"""Damage: the same again from the same chance, and never none for long."""

import json
import random
import unittest

from breaker.mutation import damaged_bytes, damaged_json, damaged_line

MESSAGE = {"jsonrpc": "2.0", "id": 1, "params": {"zone": {"id": "home", "radiusMeters": 50.0}, "types": ["a", "b"]}}
TRIES = 500


class MutationTests(unittest.TestCase):
    def test_the_same_chance_makes_the_same_damage(self) -> None:
        def lines() -> list[bytes]:
            chance = random.Random(7)
            return [damaged_line(chance, MESSAGE) for _ in range(TRIES)]

        self.assertEqual(lines(), lines())

    def test_a_line_is_one_line(self) -> None:
        chance = random.Random(7)
        for _ in range(TRIES):
            line = damaged_line(chance, MESSAGE)
            self.assertEqual(line.count(b"\n"), 1)
            self.assertTrue(line.endswith(b"\n"))

    def test_most_lines_differ_from_what_they_were(self) -> None:
        chance = random.Random(7)
        whole = json.dumps(MESSAGE, separators=(",", ":")).encode() + b"\n"
        self.assertGreater(len({damaged_line(chance, MESSAGE) for _ in range(TRIES)} - {whole}), TRIES * 0.8)

    def test_what_is_damaged_stays_whole_itself(self) -> None:
        before = json.dumps(MESSAGE)
        chance = random.Random(7)
        for _ in range(TRIES):
            # Twice, for damage goes into what damage has put there.
            json.dumps(damaged_json(chance, damaged_json(chance, MESSAGE, 3), 3), allow_nan=False)
        self.assertEqual(json.dumps(MESSAGE), before)

    def test_bytes_are_damaged_even_when_there_are_hardly_any(self) -> None:
        chance = random.Random(7)
        for data in (b"", b"x", bytes(100)):
            self.assertTrue(any(damaged_bytes(chance, data) != data for _ in range(50)))
