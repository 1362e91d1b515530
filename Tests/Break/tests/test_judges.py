"""How attacks judge: what is wrong is seen, and what is right is let be."""

import random
import sqlite3
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

from breaker.attacks.database import _differences, _flip, _smash
from breaker.attacks.privacy import _exact
from breaker.attacks.readers import _methods, _requests, _samples
from breaker.peers import place, report

TRUTH = {"zones": {"home": {"id": "home", "radiusMeters": 50}}, "guardians": {"anna": {"id": "anna", "phone": "+1"}}}


class KnowledgeTests(unittest.TestCase):
    def test_what_was_put_in_is_right(self) -> None:
        self.assertEqual(_differences(TRUTH, TRUTH), ([], []))

    def test_another_number_is_wrong_and_a_guardian_who_is_gone_is_lost(self) -> None:
        believed = {"zones": {"home": {"id": "home", "radiusMeters": 51}}, "guardians": {}}
        wrong, lost = _differences(believed, TRUTH)
        self.assertEqual(len(wrong), 1)
        self.assertEqual(lost, ["guardians anna"])

    def test_who_was_never_put_in_is_wrong(self) -> None:
        believed = {**TRUTH, "guardians": {**TRUTH["guardians"], "joe": {"id": "joe", "phone": "+2"}}}
        self.assertEqual(_differences(believed, TRUTH), (["guardians joe was never put in"], []))


class DamageTests(unittest.TestCase):
    def test_a_flip_changes_one_byte_and_a_smash_more(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "care.db"
            with closing(sqlite3.connect(file)) as database:
                database.execute("CREATE TABLE things (name TEXT)")
                database.executemany("INSERT INTO things VALUES (?)", [(f"thing {n}",) for n in range(2000)])
                database.commit()
            before = file.read_bytes()
            for seed in range(20):
                file.write_bytes(before)
                _flip(random.Random(seed), file, range(len(before)))
                after = file.read_bytes()
                self.assertEqual(len(after), len(before))
                self.assertEqual(sum(a != b for a, b in zip(before, after, strict=True)), 1)
                file.write_bytes(before)
                _smash(random.Random(seed), Path(folder), seed)
                self.assertTrue(file.read_bytes() != before)


class PlaceTests(unittest.TestCase):
    def event(self, **data: object) -> dict[str, object]:
        return {"type": "zone.left", "data": data}

    def test_distances_and_places_near_home_are_exact(self) -> None:
        near = place(155)
        for data in ({"distanceMeters": 155.9}, {"explanation": "She is 120 m from its centre."}, near):
            self.assertTrue(_exact([self.event(**data)]), data)

    def test_a_displaced_place_and_a_sentence_without_distances_are_not(self) -> None:
        near = place(155)
        for data in ({**near, "positionPrivacy": "approximate"}, {"explanation": "The clock is right."}, place(90_000)):
            self.assertFalse(_exact([self.event(**data)]), data)

    def test_metres_are_metres(self) -> None:
        fix = report(1000)
        self.assertAlmostEqual((fix["lon"] - 133.0) * 111_195 * 0.91355, 1000, delta=1)
        self.assertEqual(fix["lat"], -24.0)


class SampleTests(unittest.TestCase):
    def test_all_methods_are_asked_but_those_that_end_something(self) -> None:
        self.assertGreater(len(_methods()), 35)
        asked = {one["method"] for one in _requests()}
        self.assertEqual(set(_methods()) - asked, {"watch", "backup.create"})

    def test_samples_are_messages(self) -> None:
        self.assertGreater(len({one["action"] for one in _samples("commands")}), 20)
        self.assertTrue(all("method" in one or "result" in one or "error" in one for one in _samples("plugin")))
