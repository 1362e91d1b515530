import unittest

from homeward_rig import town
from homeward_rig.gps.walker import Place


class TownTest(unittest.TestCase):
    def test_home_is_at_a_crossing_and_others_are_around_it(self):
        self.assertLess(town.crossing("Lindengasse", "Kirchengasse").meters_from_home, 0.1)
        place = town.crossing("Hafenstraße", "Rue de l’Église")
        self.assertEqual(place, town.crossing("Rue de l’Église", "Hafenstraße"))
        self.assertLess(place.meters_to(Place(270, 90)), 40)

    def test_streets_that_do_not_cross_are_told(self):
        for streets in (("Hafenstraße", "Kirchengasse"), ("Lindengasse", "Rue de l’Église"), ("No", "Hafenstraße")):
            with self.subTest(streets), self.assertRaisesRegex(ValueError, "do not cross"):
                town.crossing(*streets)
