import unittest

from homeward_rig.alarms import about, link_in, tag_of, told_under, wrong_with
from homeward_rig.gps.walker import Place

LATITUDE, LONGITUDE = Place().degrees
LINK = f"https://osm.org/?mlat={LATITUDE:.5f}&mlon={LONGITUDE:.5f}&zoom=17"


def text(words: str, number: str = "+47", complete: bool = True) -> dict:
    return {"number": number, "text": words, "complete": complete, "time": 0}


class AlarmsTest(unittest.TestCase):
    def test_a_tag_stands_at_the_end_and_nowhere_else(self):
        self.assertEqual(tag_of(text("SOS Ada #B2C3 #A7K2")), "A7K2")
        for words in ("SOS Ada A7K2", "SOS #a7k2", "SOS #A7K", "SOS #A7K22"):
            self.assertIsNone(tag_of(text(words)))

    def test_messages_are_found_by_tag_and_number(self):
        texts = [text("#A7K2"), text("#A7K2", "+48"), text("#B2C3"), text("none")]
        self.assertEqual(about(texts, "A7K2"), texts[:2])
        self.assertEqual(about(texts, "A7K2", "+48"), texts[1:2])
        self.assertEqual(told_under(texts, ["A7K2"]), texts[2:])

    def test_a_call_for_help_that_lacks_something_is_noticed(self):
        right = f"SOS Ada needs help. {LINK} Reply 1 = I am going #A7K2"
        self.assertEqual(wrong_with(text(right), "Ada", "A7K2", Place(), 10), "")
        for words, wrong in (
            (right.replace("Ada", "Eve"), "does not name"),
            (right.replace("A7K2", "A7K3"), "tag"),
            (right.replace(LINK, "at home"), "no link"),
            (right.replace("needs", "needs " * 20), "characters"),
        ):
            with self.subTest(wrong):
                self.assertIn(wrong, wrong_with(text(words), "Ada", "A7K2", Place(), 10))
        self.assertIn("characters", wrong_with(text(right, complete=False), "Ada", "A7K2", Place(), 10))
        self.assertIn("leads 50 m away", wrong_with(text(right), "Ada", "A7K2", Place(50, 0), 10))

    def test_a_link_is_read_as_a_map_does(self):
        self.assertAlmostEqual(link_in(LINK).meters_from_home, 0, delta=1)
        self.assertIsNone(link_in("https://osm.org/?mlat=&mlon="))
