"""What an attack brings, and how it is told."""

import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from breaker import attacks, suite
from breaker.judgement import ATTACKS, Attack, Ground, NotRun, Outcome, attack, chosen, closing, table


class PerformTests(unittest.TestCase):
    def outcome(self, deed: Callable[[Ground], None]) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            return suite.perform(Attack("tried", (), "It tries.", deed), Path(folder), 1, True, False)

    def test_what_was_tried_without_a_finding_withstood(self) -> None:
        outcome = self.outcome(lambda ground: ground.count(3, "kicks"))
        self.assertFalse(outcome.failed)
        self.assertEqual(outcome.tried, "3 kicks")

    def test_a_finding_fails_and_the_same_counts_once(self) -> None:
        def deed(ground: Ground) -> None:
            ground.count(1, "kicks")
            for evidence in ("a", "b"):
                ground.found("F1", "it fell", evidence)

        outcome = self.outcome(deed)
        self.assertTrue(outcome.failed)
        self.assertEqual([finding.evidence for finding in outcome.findings], ["a"])

    def test_an_attack_that_tried_nothing_was_not_made(self) -> None:
        outcome = self.outcome(lambda ground: None)
        self.assertTrue(outcome.failed)
        self.assertEqual(outcome.not_run, "it tried nothing")

    def test_an_attack_that_stumbles_was_not_made_and_keeps_what_it_found(self) -> None:
        def deed(ground: Ground) -> None:
            ground.found("F2", "it fell")
            raise ValueError("no such wall")

        outcome = self.outcome(deed)
        self.assertTrue(outcome.failed)
        self.assertEqual(outcome.not_run, "ValueError: no such wall")
        self.assertEqual(len(outcome.findings), 1)

    def test_only_what_is_allowed_to_lack_does_not_fail(self) -> None:
        for is_allowed in (True, False):

            def deed(ground: Ground, is_allowed: bool = is_allowed) -> None:
                raise NotRun("this kernel lacks it", is_allowed)

            self.assertEqual(self.outcome(deed).failed, not is_allowed)

    def test_everything_that_was_started_is_ended(self) -> None:
        ended: list[str] = []

        def deed(ground: Ground) -> None:
            ground.afterwards.callback(ended.append, "gateway")
            raise ValueError

        self.outcome(deed)
        self.assertEqual(ended, ["gateway"])


class TellingTests(unittest.TestCase):
    def outcomes(self) -> list[Outcome]:
        with tempfile.TemporaryDirectory() as folder:
            ground = Ground("one", Path(folder), 1, True, Path(folder))
            ground.count(2, "kicks")
            ground.found("F1", "it fell", {"far": "down\nthere"})
            ground.found("F2", "it broke")
        fell = Outcome("one", ground.counts, ground.findings)
        return [fell, Outcome("two", not_run="no kernel", is_allowed=True), Outcome("three", ground.counts)]

    def test_each_finding_and_each_attack_has_a_line(self) -> None:
        lines = table(self.outcomes()).splitlines()
        self.assertEqual(len(lines), 5)
        self.assertIn("F1: it fell [{'far': 'down\\nthere'}]", lines[1])
        self.assertTrue(lines[2].endswith("F2: it broke"))
        self.assertTrue(lines[3].endswith("not run (allowed): no kernel"))
        self.assertTrue(lines[4].endswith("withstood"))

    def test_the_last_line_counts(self) -> None:
        self.assertEqual(closing(self.outcomes(), 12.4), "3 attacks, 2 findings, 1 not run; 4 tries in 12 s.")


class ChoosingTests(unittest.TestCase):
    def test_by_name_by_number_or_all(self) -> None:
        self.assertIsNotNone(attacks)
        self.assertEqual(chosen([]), list(ATTACKS.values()))
        self.assertEqual([one.name for one in chosen(["clock-jumps"])], ["clock-jumps"])
        by_number = chosen(["f2", "backup-overwrites"])
        self.assertEqual([one.name for one in by_number], ["backup-overwrites"])
        with self.assertRaises(ValueError):
            chosen(["nonsense"])

    def test_each_number_of_the_list_has_an_attack(self) -> None:
        numbers = {number for one in ATTACKS.values() for number in one.numbers}
        self.assertEqual(numbers, {f"F{number}" for number in range(1, 21)})

    def test_two_attacks_do_not_share_a_name(self) -> None:
        with self.assertRaises(ValueError):
            attack("clock-jumps")(lambda ground: None)


class ChanceTests(unittest.TestCase):
    def test_the_same_seed_and_name_make_the_same_chance(self) -> None:
        def numbers(name: str, seed: int) -> list[int]:
            chance = Ground(name, Path(), seed, True, Path()).chance
            return [chance.randrange(1000) for _ in range(8)]

        self.assertEqual(numbers("one", 1), numbers("one", 1))
        self.assertNotEqual(numbers("one", 1), numbers("one", 2))
        self.assertNotEqual(numbers("one", 1), numbers("two", 1))
