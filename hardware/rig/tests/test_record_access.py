import unittest
from datetime import datetime, timedelta

from homeward_rig.air import readings, record_access
from homeward_rig.air.readings import Meal, Reading
from homeward_rig.air.record_access import Answer

STORED = [Reading(number, datetime(2026, 1, 2, 8) + timedelta(hours=number), 100 + number) for number in range(1, 6)]


def answer(request: str, stored: list[Reading] = STORED) -> Answer:
    return record_access.answer(bytes.fromhex(request), stored)


def reported(request: str) -> list[int]:
    return [reading.sequence for reading in answer(request).report]


class RecordAccessTest(unittest.TestCase):
    def test_reports_what_was_asked_for(self):
        for request, sequences in {
            "0101": [1, 2, 3, 4, 5],
            "0105": [1],
            "0106": [5],
            "0103010300": [3, 4, 5],
            "0102010200": [1, 2],
            "01040102000400": [2, 3, 4],
            # 2026-01-02 11:00 and later; until then; 10:00 to 12:00.
            "010302ea0701020b0000": [3, 4, 5],
            "010202ea0701020b0000": [1, 2, 3],
            "010402ea0701020a0000ea0701020c0000": [2, 3, 4],
        }.items():
            with self.subTest(request):
                self.assertEqual(reported(request), sequences)
                self.assertEqual(answer(request).indication.hex(), "06000101")

    def test_time_is_the_users(self):
        shifted = [Reading(1, datetime(2026, 1, 2, 8), 100, offset_minutes=180)]
        self.assertEqual(len(answer("010302ea0701020b0000", shifted).report), 1)

    def test_counts(self):
        self.assertEqual(answer("0401").indication.hex(), "05000500")
        self.assertEqual(answer("0403010400").indication.hex(), "05000200")
        self.assertEqual(answer("0401", []).indication.hex(), "05000000")

    def test_refuses_with_the_code_of_the_profile(self):
        for request, response in {
            "": "06000002",
            "0901": "06000902",
            "0100": "06000103",
            "0107": "06000104",
            "010101": "06000105",
            "0103": "06000105",
            "01030103": "06000105",
            "0103030000": "06000109",
            "01040104000200": "06000105",
            "010302ea070d020b0000": "06000105",
            "0103010600": "06000106",
            "0301": "06000303",
            "0400": "06000403",
        }.items():
            with self.subTest(request):
                self.assertEqual(answer(request).indication.hex(), response)
                self.assertEqual(answer(request).report, ())

    def test_aborts(self):
        self.assertTrue(answer("0300").aborts)
        self.assertEqual(answer("0300").indication.hex(), "06000301")

    def test_deletes_only_when_asked_to(self):
        for request in ("0101", "0401", "0300", "0103010300"):
            self.assertEqual(answer(request).delete, ())
        self.assertEqual([reading.sequence for reading in answer("0202010200").delete], [1, 2])


class CapturedReadingsTest(unittest.TestCase):
    """The meter sends what real ones sent."""

    def test_contour_next_one(self):
        # Captured in California: base time UTC, offset -420 minutes.
        reading = Reading(30, datetime(2018, 9, 20, 5, 27, 7), 111, -420, location=15, status=None, meal=Meal.AFTER)
        self.assertEqual(readings.measurement(reading).hex(), "131e00e2070914051b075cfe6fb0f1")
        self.assertEqual(readings.context(reading).hex(), "021e0002")

    def test_a_meter_without_contexts(self):
        reading = Reading(4, datetime(2020, 5, 14, 12, 49, 29), 104, 334, kind=8, location=15)
        self.assertEqual(readings.measurement(reading).hex(), "0b0400e407050e0c311d4e0168b0f80000")
        self.assertIsNone(readings.context(reading))

    def test_millimoles(self):
        # 100 mg/dL is 5.6 mmol/L: 56e-4 mol/L.
        self.assertEqual(readings.measurement(Reading(1, datetime(2026, 1, 1), 100, in_mmol=True))[12:14].hex(), "38c0")

    def test_what_is_no_sfloat_is_refused(self):
        for mantissa in (0x7FE, -0x7FE, 5000):
            with self.assertRaises(ValueError):
                readings.sfloat(mantissa, 0)
