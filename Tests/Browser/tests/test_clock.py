"""A clock that jumps under open pages: whoever looks goes on, and is told no nonsense."""

import contextlib
import re
import unittest
from datetime import UTC, datetime

from house import Browsers, House, until

DAY = 86_400
# What no page may say of how old something is.
NONSENSE = re.compile(r"-\d|NaN|Infinity|undefined|Invalid")


class ClockTests(unittest.TestCase):
    def test_pages_go_on_when_the_clock_jumps(self):
        with (
            contextlib.closing(House(begins=datetime(2026, 11, 20, 9, 30, tzinfo=UTC))) as house,
            contextlib.closing(Browsers(house)) as browsers,
        ):
            until("the position", lambda: any(one["tracking"].get("position") for one in house.call("residents.list")))
            anna, bo = browsers.visitor("anna@example.org"), browsers.visitor("bo@example.org")
            bo.goto(f"{house.base}/messages?resident=mary")
            house.do("setting.put", target="mary", name="prealarmSeconds", value=5)
            # As after a flat battery, with nobody who vouches for it; then as the network puts it right.
            for days, is_sure in ((1, False), (-2, True)):
                with self.subTest(days=days):
                    house.clock.set_synchronised(is_sure)
                    house.clock.set_wall(house.clock.wall() + days * DAY, is_true=False)
                    self.goes_on(house, anna, bo, f"Moved by {abs(days)}.")
            self.assertEqual(browsers.faults, [])

    def goes_on(self, house, anna, bo, words):
        """A message is seen, and an alarm from its beginning to its end."""
        id = re.sub(r"\W+", "-", words.lower().rstrip("."))
        house.do("message.send", target=id, resident="mary", sender="Bo", text=words)
        bo.locator("#main", has_text=words).wait_for()
        house.do("sos.raise", target="mary", trigger="backend")
        anna.wait_for_url(re.compile("/alarm"))
        began = anna.locator("main time[data-age]").first
        began.wait_for()
        self.assertRegex(began.inner_text(), r"^\d+ s ")
        anna.click("text=I’m coming")
        anna.get_by_text("Anna takes charge.").first.wait_for()
        for page in (anna, bo):
            self.assertNotRegex(re.sub(r"\d{4}-\d\d-\d\d", "", page.inner_text("body")), NONSENSE)
        anna.click("summary")
        anna.fill("[name=reason]", "She is at home.")
        anna.click("button:has-text('Close the alarm')")
        anna.wait_for_url(re.compile("/alerts"))
        bo.get_by_text("This alarm is over").first.wait_for()
        bo.goto(f"{house.base}/messages?resident=mary")
        for path in ("/", "/map", "/history", "/day", "/alerts"):
            anna.goto(house.base + path)
            self.assertNotRegex(re.sub(r"\d{4}-\d\d-\d\d", "", anna.inner_text("body")), NONSENSE)


if __name__ == "__main__":
    unittest.main()
