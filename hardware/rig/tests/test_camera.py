import tempfile
import unittest
from pathlib import Path

from homeward_rig.camera import Picture


class PictureTest(unittest.TestCase):
    def test_brightness_is_that_of_the_luma_alone(self):
        picture = Picture.from_yuyv(bytes([100, 128, 50, 128]) * 6, 4, 3)
        self.assertEqual((picture.size, picture.brightness, picture.contrast), ((4, 3), 75, 25))

    def test_a_size_that_is_not_right_is_refused(self):
        with self.assertRaises(ValueError):
            Picture.from_yuyv(bytes(10), 4, 3)

    def test_it_can_be_looked_at(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "picture.pgm"
            Picture.from_yuyv(bytes([7, 0]) * 6, 3, 2).save(file)
            self.assertEqual(file.read_bytes(), b"P5 3 2 255\n" + bytes([7] * 6))
