import re
import unittest

from homeward_rig import paths, runner

from . import support


def expecting_steps() -> dict[str, str]:
    """Text of each step that expects something, and the module that has it."""
    found = {}
    for file in sorted((paths.SCENARIOS / "steps").glob("*.py")):
        for _quote, text in re.findall(r"^@then\(([\"'])(.*)\1\)", file.read_text(), re.MULTILINE):
            found[text] = file.stem
    return found


class EveryCheckTest(unittest.TestCase):
    def test_each_expecting_step_is_shown_to_fail(self):
        for file in sorted((paths.RIG / "tests").glob("test_*_steps.py")):
            __import__(f"tests.{file.stem}")
        lacking = {text: module for text, module in expecting_steps().items() if text not in support.shown_to_fail}
        self.assertEqual(lacking, {}, "steps that no test has seen fail")
        self.assertGreater(len(expecting_steps()), 0)

    def test_no_test_speaks_of_a_step_that_is_gone(self):
        self.assertEqual(support.shown_to_fail - expecting_steps().keys(), set())


class ScenarioFilesTest(unittest.TestCase):
    def test_each_file_is_one_scenario_of_its_name_with_suite_and_requirements(self):
        for file in sorted(paths.SCENARIOS.glob("*.feature")):
            text = file.read_text()
            with self.subTest(file.name):
                self.assertEqual(re.findall(r"^  Scenario: (.*)$", text, re.MULTILINE), [file.stem])
                tags = re.findall(r"@(\S+)", text.split("Feature:")[0])
                self.assertEqual(len({"ci", "full", "stories"} & set(tags)), 1, "exactly one suite")
                self.assertTrue([tag for tag in tags if re.fullmatch(r"[A-Z]+-\d+", tag)], "requirements")
                self.assertRegex(text, r"(?m)^    (Then|And|But) ", "it expects something")

    def test_the_readme_lists_each_with_what_it_proves(self):
        text = (paths.RIG / "README.md").read_text()
        rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \| (.*) \| (ci|full|stories) \|$", text, re.MULTILINE)
        listed = [(name, title, proves.split(), suite) for name, title, proves, suite in rows]
        expected = [(s.name, s.title, s.requirements, s.suite) for s in runner.scenarios()]
        self.assertEqual(listed, expected)
