"""The captures are what the generators make, and the generators agree with examples that others published."""

import pathlib
import runpy
import struct
import unittest

import meters
import receivers
import shapes
import tags

FOLDER = pathlib.Path(__file__).parent.parent


class CaptureTests(unittest.TestCase):
    def test_every_capture_is_what_its_generator_makes(self):
        captures = runpy.run_path(str(FOLDER / "__main__.py"))["captures"]()
        for path, content in captures.items():
            with self.subTest(path):
                self.assertEqual((FOLDER / path).read_bytes(), content, "run: python3 Tests/Captures")
        kept = {
            str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.*") if path.suffix not in (".py", ".md", ".pyc")
        }
        self.assertEqual(kept, set(captures), "a capture without a generator")


class PublishedExampleTests(unittest.TestCase):
    def test_a_checksum_of_bluetooth(self):
        # CRC-16/MCRF4XX, check value of the catalogue of parametrised CRC algorithms.
        self.assertEqual(meters.checked(b"123456789")[-2:], struct.pack("<H", 0x6F91))

    def test_a_short_float(self):
        self.assertEqual(meters.sfloat(114, 0), b"\x72\x00")
        self.assertEqual(meters.sfloat(-1, -1), b"\xff\xff")
        for mantissa, exponent in ((0x7FE, 0), (0, 8), (0, -9)):
            with self.assertRaises(ValueError):
                meters.sfloat(mantissa, exponent)

    def test_a_sentence_and_a_frame(self):
        log = receivers.Log()
        log.say("GLL,4916.45,N,12311.12,W,225444,A")
        self.assertEqual(log.line, b"$GPGLL,4916.45,N,12311.12,W,225444,A*31\r\n")
        # A poll of MON-VER.
        self.assertEqual(receivers.ubx(0x0A, 0x04, b""), bytes.fromhex("b5620a0400000e34"))

    def test_a_structure(self):
        self.assertEqual(tags.structure(0x01, b"\x06"), b"\x02\x01\x06")

    def test_the_way_from_flinders_peak_to_buninyong(self):
        # Geoscience Australia's example of Vincenty's formulae; its bearing is rounded to what is 1.3 mm at the end.
        latitude, longitude = shapes.destination(
            -(37 + 57 / 60 + 3.72030 / 3600), 144 + 25 / 60 + 29.52440 / 3600, 306 + 52 / 60 + 5.37 / 3600, 54972.271
        )
        self.assertAlmostEqual(latitude, -(37 + 39 / 60 + 10.15610 / 3600), delta=2e-8)
        self.assertAlmostEqual(longitude, 143 + 55 / 60 + 35.38390 / 3600, delta=2e-8)

    def test_a_point_is_in_a_square_and_not_in_its_notch(self):
        ring = [(0, 0), (0, 10), (5, 5), (10, 10), (10, 0)]
        self.assertTrue(shapes.winding((5, 2), ring))
        self.assertFalse(shapes.winding((5, 8), ring))
        self.assertFalse(shapes.winding((11, 5), ring))


if __name__ == "__main__":
    unittest.main()
