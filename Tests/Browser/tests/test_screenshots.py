"""Of which pages `make screenshots` takes pictures; how they come about needs a house and a browser."""

import io
import pathlib
import tempfile
import unittest
from unittest import mock

import screenshots
from PIL import Image

LOOKS = {"day en": "1", "day zh": "2", "looks en": "3", "looks zh": "4", "zones en": "5", "zones zh": "6"}


class WantedTests(unittest.TestCase):
    def test_pictures_are_taken_of_what_is_new_and_of_what_changed_in_a_language_that_is_pictured(self):
        kept = {"day en": "1", "day zh": "2", "looks en": "3", "zones en": "5", "zones zh": "6", "gone en": "7"}
        with mock.patch.object(screenshots, "CHINESE", ("day", "zones")):
            for changed, names in (
                ({}, []),
                ({"day en": "0"}, ["day"]),
                ({"day zh": "0"}, ["day"]),
                ({"looks zh": "0"}, []),
            ):
                with self.subTest(changed=changed):
                    self.assertEqual(screenshots.wanted({**LOOKS, **changed}, kept, False)[0], names)
            self.assertEqual(screenshots.wanted(LOOKS, {}, False)[0], ["day", "looks", "zones"])
            names, pictured = screenshots.wanted(LOOKS, kept, True)
        self.assertEqual(names, ["day", "looks", "zones"])
        self.assertEqual(pictured, {"day en", "day zh", "looks en", "zones en", "zones zh"})

    def test_a_picture_that_shows_the_same_stays_as_it_is(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(screenshots, "DOCS", pathlib.Path(folder)):
            file = pathlib.Path(folder) / "home.webp"
            screenshots.keep("home", self.picture("white"))
            file.write_bytes(file.read_bytes() + b"\0")
            before = file.read_bytes()
            screenshots.keep("home", self.picture("white"))
            self.assertEqual(file.read_bytes(), before)
            screenshots.keep("home", self.picture("black"))
            self.assertNotEqual(file.read_bytes(), before)

    def picture(self, colour):
        data = io.BytesIO()
        Image.new("RGB", (8, 8), colour).save(data, "PNG")
        return data.getvalue()


if __name__ == "__main__":
    unittest.main()
