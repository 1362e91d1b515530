"""Readings of glucose are shown and written down in the resident's own unit, on every page."""

import datetime
import re

from house import until
from shared_house import InTheHouse


class GlucoseTests(InTheHouse):
    def unit(self, unit):
        self.house.do("setting.put", target="ben", name="glucoseUnit", value=unit)

    def test_a_reading_is_written_down_and_shown_everywhere_in_the_unit_of_the_resident(self):
        self.unit("mmol/L")
        self.addCleanup(self.unit, None)
        page = self.visit("anna@example.org")
        self.go(page, "/glucose?resident=ben")
        # What is plausible in the other unit alone is no level in this one.
        page.get_by_label("Level in mmol/L").fill("101")
        page.click("text=Write it down")
        self.say(page, "101 is no level in mmol/L. Did you mean 101 mg/dL?")
        page.click("text=No, I correct it")
        page.get_by_label("Level in mmol/L").fill("2.6")
        page.click("text=Write it down")
        # It is very low: the alarm opens its page, which says so in the same unit, as the alerts do.
        page.wait_for_url(re.compile("/alarm"))
        self.say(page, "2.6 mmol/L")
        [reading] = self.house.call("glucose.query", {"resident": "ben"})
        self.assertEqual((reading["level"], reading["unit"], reading["origin"]), ("2.6", "mmol/L", "Anna"))
        token = self.house.token("anna@example.org")
        for alarm in self.house.call("alarms.list"):
            members = {"target": alarm["alarm"], "reason": "He ate something."}
            self.assertEqual(self.house.post("/api/v1/alarm/resolve", members, token)[0], 200)
        self.unit("mg/dL")
        self.go(page, "/")
        self.say(page, "Glucose 47 mg/dL")
        self.go(page, "/glucose?resident=ben")
        page.get_by_label("Level in mg/dL").fill("45")
        before = datetime.date.today() - datetime.timedelta(days=200)
        page.get_by_label("Measured at").fill(f"{before}T07:30")
        page.click("text=Write it down")
        until("it", lambda: len(self.house.call("glucose.query", {"resident": "ben"})) == 2)
        self.go(page, "/glucose?resident=ben&days=365")
        page.locator("tbody strong", has_text="45 mg/dL").wait_for()
        self.say(page, "47 mg/dL")
        old = self.house.call("glucose.query", {"resident": "ben"})[-1]
        self.assertEqual((old["level"], old["unit"]), ("45", "mg/dL"))
        near = [str(before + datetime.timedelta(days=days)) for days in (-1, 0, 1)]
        self.assertIn(old["time"][:10], near)
        for path in ("/history?resident=ben&about=", "/alerts"):
            self.go(page, path)
            page.get_by_text(re.compile(r"(2\.6 mmol/L|47 mg/dL)")).first.wait_for()
        for one in self.house.call("glucose.query", {"resident": "ben"}):
            self.house.do("glucose.remove", target=one["id"], revision=one["revision"])
