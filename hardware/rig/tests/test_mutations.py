import unittest

from homeward_rig import mutations, paths, runner


class MutationsTest(unittest.TestCase):
    def test_each_mutation_finds_its_place_once_and_its_scenario(self):
        scenarios = {scenario.name for scenario in runner.scenarios()}
        self.assertTrue(mutations.mutations())
        for mutation in mutations.mutations():
            with self.subTest(mutation.name):
                source = (paths.REPOSITORY / mutation.file).read_text()
                self.assertNotEqual(mutation.applied(source), source)
                self.assertIn(mutation.scenario, scenarios)

    def test_a_place_that_moved_is_said(self):
        mutation = mutations.mutations()[0]
        with self.assertRaisesRegex(ValueError, "found 0 times"):
            mutation.applied("// another source")

    def test_an_unknown_name_is_said(self):
        with self.assertRaisesRegex(ValueError, "There is no mutation nonsense"):
            mutations.mutations(["nonsense"])
