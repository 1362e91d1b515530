"""What an import is made of, without its tools: what is refused, what is found again, and what is drawn where."""

import contextlib
import io
import json
import math
import os
import sqlite3
import sys
import tempfile
import unittest
import zlib
from pathlib import Path
from unittest import mock

from invented_town import HOUSES_WITHOUT_TOWN, Town, moved

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import itertools

import gazetteer
import importer
import maptiles
import walking


class Case(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content=b"x"):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def run_importer(self, *words):
        """Exit status and what was told."""
        told = io.StringIO()
        with mock.patch.object(sys, "argv", ["importer.py", *map(str, words)]), contextlib.redirect_stdout(told):
            status = importer.main()
        return status, [json.loads(line) for line in told.getvalue().splitlines()]


class Walking(unittest.TestCase):
    def test_expressways_are_for_nobody_on_foot(self):
        for tags in (
            {"highway": "motorway"}, {"highway": "trunk_link"}, {"highway": "primary", "motorroad": "yes"},
            {"highway": "trunk", "foot": "no"}, {"highway": "trunk", "sidewalk": "none"},
        ):  # fmt: skip
            self.assertFalse(walking.is_for_walkers(tags), tags)

    def test_other_streets_are_and_those_with_a_pavement(self):
        for tags in (
            {"highway": "primary"}, {"highway": "steps"}, {"railway": "platform"}, {"highway": "trunk", "foot": "yes"},
            {"highway": "trunk", "sidewalk": "both"}, {"highway": "trunk", "sidewalk:left": "yes"},
        ):  # fmt: skip
            self.assertTrue(walking.is_for_walkers(tags), tags)


class Refusals(Case):
    def refused(self, extract, *words):
        status, told = self.run_importer(extract, self.folder / "places")
        self.assertEqual(status, 1)
        for word in words:
            self.assertIn(word, told[-1]["error"])
        self.assertFalse((self.folder / "places" / "current").exists())

    def test_what_is_no_extract(self):
        self.refused(self.file("changes.osc.gz"), "changes.osc.gz", "OsmChange", ".osm.pbf")
        self.refused(self.file("picture.png"), "no OpenStreetMap extract", ".osm.pbf")
        self.refused(self.file("town.osm", b""), "is empty")
        self.refused(self.folder / "nothing.osm", "nothing.osm", "No such file")

    def test_a_planet(self):
        planet = self.file("planet.osm.pbf")
        os.truncate(planet, 80_000_000_000)
        self.refused(planet, "too large", "80000 MB", "2000 MB", "your region")

    def test_a_full_disk(self):
        usage = mock.Mock(free=5_000_000)
        with mock.patch.object(importer.shutil, "disk_usage", return_value=usage):
            self.refused(self.file("town.osm"), "280 MB on the disk", "5 MB are free", "smaller extract")

    def test_too_little_memory(self):
        with mock.patch.object(importer, "available_memory", return_value=50_000_000):
            self.refused(self.file("town.osm"), "120 MB of memory", "50 MB are free", "--to")

    def test_a_second_import_at_the_same_time(self):
        target = self.folder / "places"
        target.mkdir()
        with open(target / "import.lock", "w") as lock:
            importer.fcntl.flock(lock, importer.fcntl.LOCK_EX)
            self.refused(self.file("town.osm"), "Another import", "Wait")

    @unittest.skipUnless(os.geteuid() == 0, "only root makes folders for others")
    def test_folders_belong_to_whoever_has_the_one_above(self):
        os.chown(self.folder, 1234, 4321)
        target = self.folder / "plugins" / "places"
        importer.make(target)
        for path in (target, target.parent):
            self.assertEqual((path.stat().st_uid, path.stat().st_gid), (1234, 4321))
        importer.make(target)

    def test_a_plan_says_what_it_needs_and_does_nothing(self):
        extract = self.file("town.osm.pbf", b"x" * 1000)
        status, told = self.run_importer("--plan", extract, self.folder / "places")
        self.assertEqual(status, 0)
        self.assertEqual(told[0]["plan"]["bytes"], 1000)
        self.assertEqual(told[0]["plan"]["diskBytes"], 280_014_000)
        self.assertEqual(list((self.folder / "places").iterdir()), [])


class Sets(Case):
    """Steps and sets, with the work itself played."""

    def setUp(self):
        super().setUp()
        self.target = self.folder / "places"
        self.built = []
        for name in ("make_environment", "build_places", "build_routes"):
            patch = mock.patch.object(importer, name, getattr(self, f"play_{name}"))
            patch.start()
            self.addCleanup(patch.stop)
        self.fails = None

    def play_make_environment(self, folder):
        return folder / "environment"

    def play_build_places(self, _, extract, stage):
        self.step("places", extract)
        (stage / "places.db").write_bytes(extract.read_bytes())
        about = {"counts": {"address": 1}, "tiles": {}, "bounds": None, "attribution": "nobody"}
        (stage / "places.json").write_text(json.dumps(about))

    def play_build_routes(self, _, extract, stage):
        self.step("routes", extract)
        (stage / "routes").mkdir(exist_ok=True)
        (stage / "extract.osm.pbf").touch()

    def step(self, name, extract):
        self.built.append((name, extract.name))
        if self.fails == name:
            raise importer.Refused("no power")

    def bring(self, extract):
        return self.run_importer(extract, self.target)

    def names(self):
        return sorted(path.name.split("-")[0] for path in self.target.iterdir())

    def test_what_is_finished_is_not_done_again(self):
        town = self.file("town.osm", b"town")
        self.fails = "routes"
        status, told = self.bring(town)
        self.assertEqual((status, told[-1]), (1, {"error": "no power"}))
        self.assertEqual(self.names(), ["import", "import.lock"])
        self.fails = None
        status, told = self.bring(town)
        self.assertEqual(status, 0)
        self.assertEqual(self.built, [("places", "town.osm"), ("routes", "town.osm"), ("routes", "town.osm")])
        self.assertEqual(told[-1]["done"]["extract"], "town.osm")
        self.assertEqual(self.names(), ["current", "import.lock", "set"])
        self.assertEqual(
            sorted(path.name for path in (self.target / "current").iterdir()), ["about.json", "places.db", "routes"]
        )

    def test_another_extract_takes_the_place_of_the_first_when_it_is_whole(self):
        self.bring(self.file("town.osm", b"town"))
        before = (self.target / "current").resolve()
        self.fails = "routes"
        self.bring(self.file("other.osm", b"other"))
        self.assertEqual((self.target / "current").resolve(), before)
        self.fails = None
        self.bring(self.file("other.osm", b"other"))
        self.assertEqual((self.target / "current" / "places.db").read_bytes(), b"other")
        self.assertFalse(before.exists())
        self.assertEqual(self.names(), ["current", "import.lock", "set"])

    def test_the_same_extract_again_makes_a_new_set(self):
        for _ in range(2):
            self.assertEqual(self.bring(self.file("town.osm", b"town"))[0], 0)
        self.assertEqual(self.names(), ["current", "import.lock", "set"])
        self.assertEqual((self.target / "current" / "places.db").read_bytes(), b"town")


class Words(unittest.TestCase):
    def test_house_numbers_of_a_tag(self):
        for text, expected in (
            ("12", ["12"]), ("12;14 a", ["12", "14 a"]), ("3-7", ["3-7"]), (" ; ,", []), ("1,2;3", ["1", "2", "3"]),
            ("7 B, courtyard", ["7 B"]), ("courtyard", ["courtyard"]),
        ):  # fmt: skip
            self.assertEqual(gazetteer.numbers(text), expected)
        self.assertEqual(len(gazetteer.numbers(";".join(map(str, range(99))))), 20)

    def test_forms_of_a_word_with_a_letter_left_out(self):
        self.assertEqual(gazetteer.forms("abb"), {"abb", "bb", "ab"})
        self.assertLessEqual(len(gazetteer.forms("x" * 500)), 2)

    def test_a_writing_without_spaces_is_taken_apart(self):
        self.assertEqual(gazetteer.spaced("安静路 1").split(), ["安", "静", "路", "1"])
        self.assertEqual(gazetteer.spaced("Тихая"), "Тихая")


class Found(Case):
    """The file of addresses."""

    def setUp(self):
        super().setUp()
        self.town = Town()
        writer = gazetteer.Gazetteer(self.folder / "places.db")
        for tags, position, line in self.town.things():
            writer.take(tags, position, line)
        writer.finish({"format": 1}, lambda part: None)
        self.database = sqlite3.connect(self.folder / "places.db")
        self.addCleanup(self.database.close)

    def rows(self, sql, *values):
        return self.database.execute(sql, values).fetchall()

    def test_every_house_and_street_is_there_once(self):
        houses = self.rows("SELECT street, number FROM place WHERE kind = 'address'")
        self.assertEqual(sorted(houses), sorted((street, number) for street, number, _ in self.town.houses))
        streets = self.rows("SELECT name FROM place WHERE kind = 'street'")
        self.assertEqual(sorted(name for (name,) in streets), sorted(self.town.streets))

    def test_a_house_that_says_no_town_has_the_village_around_it(self):
        towns = self.rows("SELECT DISTINCT city FROM place WHERE street = ?", HOUSES_WITHOUT_TOWN)
        self.assertEqual(towns, [("Velmbach",)])

    def test_an_address_is_found_by_its_words_in_any_order(self):
        for words in ("untere muhlstraße 10", "10 ahrenstett muhlstraße", "安 静 路 10"):
            found = self.rows(
                "SELECT number FROM place_text JOIN place ON id = place_text.rowid WHERE place_text MATCH ?",
                " AND ".join(f'"{word}"' for word in words.split()),
            )
            self.assertIn(("10",), found)

    def test_the_same_town_is_the_same_file(self):
        self.assertEqual(Town().xml(), Town().xml())
        self.assertNotEqual(Town().xml(), Town(2).xml())


class Drawn(Case):
    """The file of the map."""

    def squares(self, take):
        writer = maptiles.MapTiles(self.folder / "map.db")
        take(writer)
        writer.finish({}, lambda part: None)
        database = sqlite3.connect(self.folder / "map.db")
        self.addCleanup(database.close)
        return {
            (zoom, column, row): json.loads(zlib.decompress(content))["features"]
            for zoom, column, row, content in database.execute("SELECT * FROM tile")
        }

    @staticmethod
    def drawn_area(rings):
        """What polygons on the unit square cover, in squares of zoom level 15."""
        total = 0
        for index, ring in enumerate(rings):
            points = [maptiles.project((latitude, longitude)) for longitude, latitude in ring]
            doubled = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in itertools.pairwise(points))
            total += abs(doubled) / 2 * (1 if index == 0 else -1)
        return total * 4**15

    def test_a_lake_with_an_island_is_drawn_in_full_and_without_the_island(self):
        south_west = (30.0, -40.0)
        rings = []
        for inset, side in ((0, 30_000), (10_000, 10_000)):
            start = moved(south_west, inset, inset)
            corners = [start, moved(start, 0, side), moved(start, side, side), moved(start, side, 0), start]
            rings.append(corners)
        squares = self.squares(lambda writer: writer.take_area({"natural": "water"}, [rings]))
        drawn = [
            feature["geometry"]["coordinates"]
            for (zoom, *_), features in squares.items() if zoom == 15 for feature in features
        ]  # fmt: skip
        whole = self.drawn_area([[(longitude, latitude) for latitude, longitude in ring] for ring in rings])
        # Each square is drawn with a margin, so that all of them cover a little more.
        self.assertAlmostEqual(sum(map(self.drawn_area, drawn)) / whole, (1 + 2 * maptiles.MARGIN) ** 2, delta=0.01)

    def test_a_road_across_the_antimeridian_is_drawn_on_both_sides_only(self):
        road = [(-16.8, 179.99), (-16.8, -179.99)]
        squares = self.squares(lambda writer: writer.take_line({"highway": "primary"}, road))
        columns = {column for zoom, column, _ in squares if zoom == 15}
        self.assertTrue({0, 2**15 - 1} <= columns <= {0, 1, 2**15 - 2, 2**15 - 1}, columns)
        self.assertLess(len(squares), 12)
        for (zoom, column, _), features in squares.items():
            for feature in features:
                for line in feature["geometry"]["coordinates"]:
                    for longitude, _ in line:
                        self.assertLess(abs((longitude + 180) / 360 * 2**zoom - (column + 0.5)), 0.53)

    def test_nothing_is_drawn_beyond_the_map(self):
        lake = [(84.9, 10), (84.9, 10.1), (89.9, 10.1), (89.9, 10), (84.9, 10)]
        squares = self.squares(lambda writer: writer.take_area({"natural": "water"}, [[lake]]))
        self.assertTrue(squares)
        self.assertTrue(all(0 <= row < 2**zoom for zoom, _, row in squares))

    def test_a_broken_border_draws_nothing(self):
        point = (30.0, -40.0)
        squares = self.squares(lambda writer: writer.take_area({"natural": "water"}, [[[point, point, point]]]))
        self.assertEqual(squares, {})

    def test_the_edges_of_a_map(self):
        writer = maptiles.MapTiles(self.folder / "bounds.db")
        self.assertIsNone(writer.bounds)
        writer.take_line({"highway": "primary"}, [(30.0, -40.0), (30.1, -39.9)])
        for found, expected in zip(writer.bounds, (30.0, -40.0, 30.1, -39.9), strict=True):
            self.assertTrue(math.isclose(found, expected, abs_tol=1e-5))
        writer.database.close()


if __name__ == "__main__":
    unittest.main()
