import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from homeward_rig import paths, runner

STEPS = """
import time
from pathlib import Path
from behave import then, when

@when("a second passes")
def wait(context):
    time.sleep(1)

@when("the power fails")
def cut(context):
    context.stage.machine.cut_power()

@when("somebody looks")
def look(context):
    context.stage.machine.run("/bin/true")

@then("all is well")
def well(context):
    pass

@then("the second try is the better one")
def better(context):
    tried = Path(__file__).with_name("tried")
    is_second = tried.exists()
    tried.touch()
    assert is_second, "it is the first"

@then("all is lost")
def lost(context):
    assert False, "it is not lost"
"""


class BenchRunnerTest(unittest.TestCase):
    """Scenarios on a bench that has a hub and nothing else, played through behave as all are."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rig.")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "steps").mkdir()
        (self.folder / "steps" / "test.py").write_text(STEPS)
        shutil.copy(paths.SCENARIOS / "environment.py", self.folder)
        self.bench = self.folder / "bench.toml"
        self.bench.write_text('[hub]\nssh = "nobody@127.0.0.1"\noptions = ["-p", "9", "-F", "none"]\n')

    def play(self, once_more: bool = False, **scenarios: str) -> tuple[dict[str, runner.Outcome], str]:
        """Plays scenarios, name to steps; gives their outcomes and the printed table."""
        selection = []
        for name, steps in scenarios.items():
            file = self.folder / f"{name}.feature"
            file.write_text(f"Feature: {name}\n  Scenario: {name}\n    {steps}\n")
            selection.append(runner.Scenario(name, file, name, frozenset({"ci", "CARD-10"})))
        printed = io.StringIO()
        with (
            mock.patch.dict(os.environ, {"HOMEWARD_RIG_BENCH": str(self.bench)}),
            mock.patch.object(paths, "RUNS", self.folder / "runs"),
            mock.patch.object(runner.play, "__defaults__", (self.folder / "runs", None)),
            contextlib.redirect_stdout(printed),
        ):
            outcomes = runner.run(selection, jobs=1, once_more=once_more)
        return {outcome.scenario.name: outcome for outcome in outcomes}, printed.getvalue()

    def test_a_scenario_that_needs_what_is_not_there_is_skipped_by_name_and_never_passes(self):
        outcomes, printed = self.play(
            fine="Then all is well",
            needy="When the power fails\n    Then all is well",
            broken="Then all is lost",
        )
        self.assertTrue(outcomes["fine"].passed)
        needy = outcomes["needy"]
        self.assertEqual((needy.passed, needy.failure, needy.skipped), (False, "", "no power relay on this bench"))
        self.assertRegex(printed, r"(?m)^needy +skipped +[0-9.]+  no power relay on this bench$")
        self.assertRegex(printed, r"(?m)^3 scenarios: 1 passed, 1 failed, 1 skipped, in \d+ s\.$")

    def test_a_failure_before_what_is_not_there_counts(self):
        outcomes, _ = self.play(broken="Then all is lost\n    When the power fails")
        self.assertRegex(outcomes["broken"].failure, "it is not lost")
        self.assertEqual(outcomes["broken"].skipped, "")

    def test_what_failed_is_played_once_more_where_wanted_and_its_first_failure_is_told(self):
        outcomes, printed = self.play(
            once_more=True, late="Then the second try is the better one", broken="Then all is lost"
        )
        self.assertTrue(outcomes["late"].passed)
        self.assertFalse(outcomes["broken"].passed)
        self.assertRegex(printed, r"late failed the first time at\n  Then the second .*it is the first")
        self.assertRegex(printed, r"(?m)^2 scenarios: 1 passed \(1 at the second try\), 1 failed, in \d+ s\.$")
        (self.folder / "steps" / "tried").unlink()
        outcomes, _ = self.play(late="Then the second try is the better one")
        self.assertFalse(outcomes["late"].passed)

    def test_what_went_wrong_beside_the_checks_is_told(self):
        outcomes, printed = self.play(lonely="When somebody looks")
        self.assertEqual(
            outcomes["lonely"].failure, "When somebody looks: GuestError: the connection to the hub was lost"
        )
        self.assertIn("lonely failed at", printed)


class BenchCommandTest(unittest.TestCase):
    def test_a_bench_with_mistakes_is_refused_before_anything_is_played(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("[hub]\nssh = 3\n")
            file.flush()
            finished = subprocess.run(
                [sys.executable, "-m", "homeward_rig", "--bench", file.name],
                cwd=paths.RIG,
                capture_output=True,
                text=True,
                timeout=60,
            )
        self.assertEqual(finished.returncode, 2)
        self.assertIn("hub.ssh has to be a text.", finished.stderr)
