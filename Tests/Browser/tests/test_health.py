"""Pages about health: readings, the diary, the graph over time, and the home page of somebody with diabetes."""

import io
import json
import pathlib
import re
import subprocess
import time
import unittest

from house import Browsers, until
from looks import IS_WHOLE, violations
from PIL import Image
from shared_house import InTheHouse

DAY = 86_400
# A browser that hears words, as one with speech recognition does; there is no program that plays one without a network.
HEARS = """words => {
  window.SpeechRecognition = class {
    start() { setTimeout(() => this.onresult({ results: [[{ transcript: words.shift() }]] }), 20); }
  };
}"""
# How far the buttons of the home page are apart, and whether any lie on each other.
APART = """() => {
  const boxes = [...document.querySelectorAll('.choice')].map(one => one.getBoundingClientRect());
  const gaps = [];
  boxes.forEach((one, index) => boxes.slice(index + 1).forEach(other => {
    const across = Math.max(other.left - one.right, one.left - other.right, 0);
    const down = Math.max(other.top - one.bottom, one.top - other.bottom, 0);
    gaps.push(Math.hypot(across, down));
  }));
  return { count: boxes.length, least: Math.min(...gaps) };
}"""


def written(moment):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


SIZES = (Browsers.PHONE, Browsers.HUB)
# What EG-4 names, in its words, and by what somebody knows to be there.
FUNCTIONS = {
    "glucose": "label:has-text('Level')",
    "diary": "label:has-text('What it was')",
    "trend": "label:has-text('Only days with entries in the diary')",
    "report": "h1:has-text('Report for the doctor')",
    "system": "h1:has-text('Settings')",
    "profile": "label:has-text('Date of birth')",
}


class Newcomer:
    """Somebody who knows what they want and nothing of the pages: they read what can be pressed and press what says so.

    Where nothing does, they press what speaks of health, and where nothing does that either, what promises more.
    """

    HINTS = ("health", "more")

    def __init__(self, page):
        self.page = page

    def find(self, wanted, sign):
        """How many presses it takes until there is what was looked for."""
        for presses in range(4):
            if self.page.locator(sign).locator("visible=true").count():
                return presses
            self.press(wanted)
        raise AssertionError(f"{wanted} was not found: {self.page.url}: {self.page.inner_text('main')[:600]}")

    def press(self, wanted):
        """Reads and presses."""
        self.page.locator("main a:visible, main button:visible").first.wait_for()
        keys = self.page.locator("a:visible, button:visible, summary:visible")
        names = [name.strip().lower() for name in keys.all_inner_texts()]
        for word in (wanted, *self.HINTS):
            for number, name in enumerate(names):
                if word in re.findall(r"\w+", name):
                    keys.nth(number).click()
                    self.page.wait_for_load_state()
                    return
        raise AssertionError(f"Nothing here speaks of {wanted}: {names}")


class HealthTests(InTheHouse):
    def setUp(self):
        super().setUp()
        self.house.do("setting.put", target="ben", name="glucoseUnit", value="mmol/L")
        self.addCleanup(self.clean)

    def clean(self):
        self.house.do("setting.put", target="ben", name="glucoseUnit", value=None)
        for one in self.house.call("glucose.query", {"resident": "ben"}):
            self.house.do("glucose.remove", target=one["id"], revision=one["revision"])
        for one in self.house.call("notes.query", {"resident": "ben", "kind": "diary"}):
            self.house.do("note.remove", target=one["id"], revision=one["revision"])
        token = self.house.token("anna@example.org")
        for alarm in self.house.call("alarms.list"):
            members = {"target": alarm["alarm"], "reason": "It was a test."}
            self.house.post("/api/v1/alarm/resolve", members, token)

    def reading(self, id, level, age_days, tag=None, unit="mmol/L"):
        moment = written(time.time() - age_days * DAY)
        reading = {"id": id, "resident": "ben", "level": level, "unit": unit, "time": moment, "receivedAt": moment}
        reading |= {"source": "hand", "revision": 0} | ({"tag": tag} if tag else {})
        self.house.do("glucose.put", reading=reading)

    def readings(self):
        return self.house.call("glucose.query", {"resident": "ben"})

    def visit_glucose(self, **more):
        page = self.visit("anna@example.org", **more)
        self.go(page, "/glucose?resident=ben")
        return page

    def test_home_has_large_buttons_that_are_far_apart_and_lead_there_at_once(self):
        page = self.visit("anna@example.org")
        for size in (Browsers.PHONE, (320, 640), Browsers.HUB, Browsers.DESK):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            self.go(page, "/health?resident=ben")
            found = page.evaluate(APART)
            self.assertEqual(found["count"], 6)
            self.assertGreaterEqual(found["least"], 50)
        self.assertEqual(violations(page), [])
        page.click("text=What is what?")
        self.say(page, "Write down what you ate and did")
        page.click(".choice:has-text('Diary')")
        page.wait_for_url(re.compile("/diary"))

    def test_somebody_who_never_was_here_finds_each_function_by_three_presses(self):
        # Ben's is for those who are asked for the first time.
        self.house.do("profile.put", target="mary", profile={"birthDate": "1948-03-07", "diabetes": "none"})
        self.addCleanup(self.house.do, "profile.put", target="mary", profile={})
        for email, sizes in (("anna@example.org", SIZES), ("mary@example.org", SIZES[::-1])):
            for size in sizes if IS_WHOLE else sizes[:1]:
                page = self.visit(email, size=size)
                for wanted, sign in FUNCTIONS.items():
                    with self.subTest(email=email, size=size, wanted=wanted):
                        self.go(page, "/")
                        self.assertLessEqual(Newcomer(page).find(wanted, sign), 3)
            # What the graph shows is explained where it is shown.
            self.go(page, "/trend")
            page.click("text=What do I see here?")
            self.say(page, "Each dot is a reading")

    def test_a_comma_a_tag_and_now(self):
        page = self.visit_glucose()
        page.get_by_label("Level in mmol/L").fill("5,6")
        page.get_by_label("Tag", exact=True).select_option("before-lunch")
        page.click("text=Write it down")
        page.locator("tbody strong", has_text="5.6 mmol/L").wait_for()
        [reading] = self.readings()
        self.assertEqual((reading["level"], reading["tag"]), ("5.6", "before-lunch"))
        self.say(page, "before lunch")
        page.get_by_label("Level in mmol/L").fill("6.1")
        page.get_by_label("Or a tag of your own").fill("after the walk")
        page.click("text=Write it down")
        self.say(page, "after the walk")
        self.assertEqual(violations(page), [])

    def test_what_may_be_a_slip_is_asked(self):
        page = self.visit_glucose()
        page.get_by_label("Level in mmol/L").fill("101")
        page.click("text=Write it down")
        self.say(page, "101 is no level in mmol/L. Did you mean 101 mg/dL?")
        page.click("text=No, I correct it")
        self.assertEqual(self.readings(), [])
        page.click("text=Write it down")
        page.click("text=Yes, it is right")
        page.locator("tbody strong", has_text="5.6 mmol/L").wait_for()
        self.assertEqual((self.readings()[0]["level"], self.readings()[0]["unit"]), ("101", "mg/dL"))
        page.get_by_label("Level in mmol/L").fill("33.4")
        page.click("text=Write it down")
        self.say(page, "above 600 mg/dL (33.3 mmol/L) they say HI")
        self.assertEqual(page.get_by_label("Level in mmol/L").input_value(), "33.4")
        page.get_by_label("Level in mmol/L").fill("much")
        page.click("text=Write it down")
        page.locator(".fault:visible").wait_for()
        self.assertEqual(len(self.readings()), 1)

    def test_fourteen_may_be_forty_and_is_asked(self):
        page = self.visit_glucose()
        page.evaluate("() => localStorage.clear()")
        page.add_init_script(f"({HEARS})(['fourteen', 'six point four', 'nothing'])")
        self.go(page, "/glucose?resident=ben")
        page.click("text=Say it")
        self.say(page, "I heard “fourteen”. Which one is it?")
        self.assertEqual(page.locator("dialog button").all_inner_texts(), ["14", "40", "No, I correct it"])
        page.click("dialog button:has-text('14')")
        self.assertEqual(page.get_by_label("Level in mmol/L").input_value(), "14")
        page.click("text=Say it")
        page.click("dialog button:has-text('6.4')")
        self.assertEqual(page.get_by_label("Level in mmol/L").input_value(), "6.4")
        page.click("text=Say it")
        self.say(page, "I heard no number.")

    def test_a_table_is_sorted_both_ways_filtered_and_opened_to_change(self):
        for id, level, age, tag in (("a", "5.0", 3, "fasting"), ("b", "9.0", 2, "after-lunch"), ("c", "7.0", 1, None)):
            self.reading(id, level, age, tag)
        page = self.visit_glucose(size=Browsers.DESK)
        levels = page.locator("tbody strong")
        self.assertEqual([one[:3] for one in levels.all_inner_texts()], ["7.0", "9.0", "5.0"])
        page.click("th a:has-text('Level')")
        page.wait_for_url(re.compile("sort=level"))
        self.assertEqual([one[:3] for one in levels.all_inner_texts()], ["9.0", "7.0", "5.0"])
        page.click("th a:has-text('Level')")
        page.wait_for_url(re.compile("order=up"))
        self.assertEqual([one[:3] for one in levels.all_inner_texts()], ["5.0", "7.0", "9.0"])
        page.click("th a:has-text('Tag')")
        page.wait_for_url(re.compile("sort=tag"))
        self.assertEqual([one[:3] for one in levels.all_inner_texts()], ["5.0", "9.0", "7.0"])
        page.click("nav a:has-text('after lunch')")
        page.wait_for_url(re.compile("tag=after-lunch"))
        self.assertEqual(levels.count(), 1)
        page.click("tbody a")
        page.wait_for_url(re.compile("reading=b"))
        before = next(one for one in self.readings() if one["id"] == "b")
        page.locator("[name='reading.level']").fill("9.2")
        page.click("button:has-text('Save')")
        page.wait_for_url(re.compile("/glucose"))
        page.locator("tbody strong", has_text="9.2").wait_for()
        after = next(one for one in self.readings() if one["id"] == "b")
        # Not a second of its time has changed.
        self.assertEqual((after["time"], after["level"], after["tag"]), (before["time"], "9.2", "after-lunch"))

    def test_a_diary_entry_has_a_picture_tags_and_what_happened(self):
        page = self.visit("anna@example.org")
        self.go(page, "/diary?resident=ben")
        page.get_by_label("Title").fill("Lentil soup")
        page.get_by_label("What it was").fill("A plate, with bread.")
        page.get_by_label("Tags").fill("soup, lunch")
        page.get_by_label("exercise").check()
        large = io.BytesIO()
        Image.new("RGB", (3000, 2000), "olive").save(large, "PNG")
        page.set_input_files("#f-picture", {"name": "soup.png", "mimeType": "image/png", "buffer": large.getvalue()})
        page.locator("[data-brings-picture] img").wait_for()
        page.click("text=Write it down")
        page.locator("tbody strong", has_text="Lentil soup").wait_for()
        [entry] = self.house.call("notes.query", {"resident": "ben", "kind": "diary"})
        self.assertEqual(sorted(entry["tags"]), ["exercise", "lunch", "soup"])
        picture = self.house.call("picture.get", {"id": entry["pictures"][0]})
        self.assertEqual((picture["width"], picture["height"], picture["mediaType"]), (1600, 1067, "image/jpeg"))
        self.assertEqual(violations(page), [])
        page.click("tbody a")
        page.wait_for_function("() => document.querySelector('figure img')?.naturalWidth > 0")
        page.get_by_label("Tags").fill("soup")
        page.click("button:has-text('Save')")
        until(
            "the tags",
            lambda: len(self.house.call("notes.query", {"resident": "ben", "kind": "diary"})[0]["tags"]) == 2,
        )
        self.assertEqual(
            self.house.call("notes.query", {"resident": "ben", "kind": "diary"})[0]["pictures"], entry["pictures"]
        )

    def test_what_is_no_picture_is_told_and_nothing_is_lost(self):
        page = self.visit("anna@example.org")
        self.go(page, "/diary?resident=ben")
        page.get_by_label("Title").fill("Cake")
        # A HEIC file, as telephones make it, which this browser cannot show; and one that says that it is a picture.
        for content in (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 100, b"GIF89a" + b"\xff" * 50):
            page.set_input_files("#f-picture", {"name": "x.heic", "mimeType": "image/heic", "buffer": content})
            self.say(page, "This browser cannot show the picture.")
        self.assertEqual(page.get_by_label("Title").input_value(), "Cake")
        # A few bytes that say they are 60,000 pixels wide and high.
        bomb = b"GIF89a" + (60_000).to_bytes(2, "little") * 2 + b"\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0"
        bomb += (60_000).to_bytes(2, "little") * 2 + b"\0\x02\x02D\x01\0;"
        page.set_input_files("#f-picture", {"name": "bomb.gif", "mimeType": "image/gif", "buffer": bomb})
        page.wait_for_function("() => !document.querySelector('form button.first[aria-disabled]')")
        page.click("text=Write it down")
        page.locator("tbody strong", has_text="Cake").wait_for()

    def test_the_graph_moves_and_changes_nothing(self):
        for number in range(40):
            self.reading(f"r{number}", f"{4 + number % 9}.{number % 10}", number * 3)
        now = written(time.time() - 2 * DAY)
        note = {"id": "pie", "resident": "ben", "kind": "diary", "title": "Pie", "time": now, "changedAt": now}
        self.house.do("note.put", note=note)
        before = self.readings()
        page = self.visit("anna@example.org", size=Browsers.DESK)
        self.go(page, "/trend?resident=ben")
        words = page.locator("#timeline-words")
        until("words", lambda: re.search(r"\d+ readings", words.inner_text()))
        self.assertIn("10 readings", words.inner_text())
        page.click("text=Wider")
        until("more", lambda: re.search(r": (19|20|21) readings", words.inner_text()))
        page.click("button:has-text('All')")
        until("all", lambda: "40 readings" in words.inner_text())
        page.get_by_label("Only days with entries in the diary").check()
        until("one", lambda: re.search(r": [01] readings|No reading", words.inner_text()))
        page.get_by_label("Only days with entries in the diary").uncheck()
        page.locator("#only-which").select_option("above")
        expected = sum(float(one["level"]) > 10 for one in before)
        until("above", lambda: f": {expected} readings" in words.inner_text())
        page.locator("#timeline").focus()
        page.keyboard.press("ArrowLeft")
        box = page.locator("#timeline").bounding_box()
        page.mouse.move(box["x"] + 300, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 500, box["y"] + 100, steps=5)
        page.mouse.up()
        page.mouse.wheel(0, -300)
        self.assertEqual(self.readings(), before)
        self.assertEqual(violations(page), [])
        self.say(page, "Readings in range")
        page.click("text=What do I see here?")
        self.say(page, "Each dot is a reading")

    def test_of_nothing_and_of_one_the_pages_say_so(self):
        page = self.visit("anna@example.org")
        self.go(page, "/trend?resident=ben")
        self.say(page, "No reading has come in this time.")
        self.reading("one", "6.0", 0.1)
        self.go(page, "/trend?resident=ben")
        self.say(page, "1 of 1 readings are in range.")
        self.say(page, "Fewer than 10 readings")
        self.assertNotIn("NaN", page.inner_text("body"))

    def test_three_questions_are_asked_once_and_saved_together(self):
        own = self.house.account("Ben Own", "ben.own@example.org", role="resident", own="ben")
        self.addCleanup(self.house.do, "account.remove", target=own)
        page = self.visit("ben.own@example.org")
        self.go(page, "/health")
        self.say(page, "What is your name?")
        page.get_by_label("What is your name?").fill("")
        page.click("text=Next")
        self.say(page, "What is your name?")
        page.get_by_label("What is your name?").fill("Ben Miller")
        page.keyboard.press("Enter")
        self.say(page, "When were you born?")
        page.click("text=Next")
        page.locator(".fault:visible").wait_for()
        page.get_by_label("When were you born?").fill("1951-04-09")
        page.click("text=Next")
        page.get_by_label("Type 1").wait_for()
        self.assertEqual(violations(page), [])
        page.click("text=Back")
        self.assertEqual(page.get_by_label("When were you born?").input_value(), "1951-04-09")
        # Nothing is saved before all of it is answered.
        self.assertEqual(self.house.call("profile.get", {"resident": "ben"}), {})
        page.click("text=Next")
        page.click("text=That is all")
        page.locator(".fault:visible").wait_for()
        page.get_by_label("Type 2").check()
        page.click("text=That is all")
        page.wait_for_url(re.compile("/health$"))
        page.locator(".choice:has-text('Glucose')").wait_for()
        kept = self.house.call("profile.get", {"resident": "ben"})
        self.assertEqual((kept["name"], kept["birthDate"], kept["diabetes"]), ("Ben Miller", "1951-04-09", "type-2"))
        # Whoever it is about changes it, and the unit of the levels, and nothing before it is saved.
        page.click(".choice:has-text('Profile')")
        page.get_by_label("Biological sex").select_option("male")
        page.get_by_label("Date of birth").fill("1951-04-10")
        self.assertEqual(self.house.call("profile.get", {"resident": "ben"}), kept)
        page.click("[data-command='profile.put'] button")
        until("the profile", lambda: self.house.call("profile.get", {"resident": "ben"}).get("sex") == "male")
        self.go(page, "/profile")
        page.get_by_label("Glucose in").select_option("mg/dL")
        page.click("[data-command='setting.put'] button")
        until("the unit", lambda: self.house.call("settings.list", {"resident": "ben"})["glucoseUnit"] == "mg/dL")
        self.assertEqual(violations(page), [])
        self.go(page, "/profile")
        page.get_by_label("Date of birth").fill("2999-01-01")
        page.click("[data-command='profile.put'] button")
        page.locator(".fault:visible").wait_for()
        self.house.do("profile.put", target="ben", profile={})

    def test_a_report_says_the_same_on_the_page_and_in_the_table(self):
        for number in range(12):
            self.reading(f"r{number}", f"{5 + number % 4}.{number % 10}", number)
        pill = {"id": "pill", "resident": "ben", "kind": "medicine", "title": "The white pill", "dose": "1 tablet"}
        schedule = {"kind": "calendar", "start": "2026-01-01T08:00:00", "timeZone": "UTC", "rrule": "FREQ=DAILY"}
        self.house.do("routine.put", item={**pill, "schedule": schedule})
        self.addCleanup(self.house.do, "routine.remove", target="pill")
        page = self.visit("anna@example.org", size=Browsers.DESK)
        self.go(page, "/report?resident=ben")
        self.say(page, "Report for the doctor")
        self.say(page, "The white pill")
        self.assertEqual(violations(page), [])
        facts = {
            row.locator("th").inner_text(): row.locator("td").inner_text() for row in page.locator(".facts tr").all()
        }
        self.assertEqual(facts["Readings"], "12")
        with page.expect_download() as download:
            page.click("text=As a table (CSV)")
        table = pathlib.Path(download.value.path()).read_bytes().decode("utf-8-sig")
        for name, value in facts.items():
            self.assertIn(f"{name},{value}\r\n", table)
        # On paper by the gateway: the same figures again, in order.
        for paper, size in (("A4", "A4"), ("Letter", "letter")):
            with page.expect_download() as download:
                page.click(f"text=PDF, {paper} paper")
            pdf = download.value.path()
            self.assertIn(f"({size})", subprocess.check_output(["pdfinfo", pdf], text=True))
            words = "".join(subprocess.check_output(["pdftotext", "-raw", pdf, "-"], text=True).split())
            expected = ["Readings", "12", "Mean", facts["Mean"], "Highest", facts["Highest"], "The white pill"]
            self.assertRegex(words, ".*".join(re.escape("".join(each.split())) for each in expected))
        # As a printer has it: nothing around it, on A4 and on letter paper.
        for paper in ("A4", "Letter"):
            self.assertTrue(page.pdf(format=paper).startswith(b"%PDF"))
        page.emulate_media(media="print")
        self.assertFalse(page.locator(".top").is_visible() or page.locator("[data-print]").is_visible())
        page.emulate_media(media="screen")
        for kind, words in (("week", "The week of Ben"), ("missing", "Missing person: Ben")):
            self.go(page, f"/report?resident=ben&kind={kind}")
            self.say(page, words)
            self.assertEqual(violations(page), [])
        page.click("text=Describe, with a photograph")
        page.get_by_label("What does Ben look like?").fill("1.80 m, white beard, walks with a stick.")
        page.click("text=Save")
        self.say(page, "1.80 m, white beard, walks with a stick.")
        self.say(page, "There is no photograph.")
        [portrait] = self.house.call("notes.query", {"resident": "ben", "kind": "portrait"})
        self.house.do("note.remove", target=portrait["id"], revision=portrait["revision"])
        # Whoever is not linked gets neither.
        bo = self.house.token("bo@example.org")
        self.assertNotIn("Ben", self.house.get("/report.csv?resident=ben", bo)[2])
        self.assertNotIn("Ben", self.house.get("/report.pdf?resident=ben", bo)[2])
        for name in ("csv", "pdf"):
            self.assertEqual(self.house.get(f"/report.{name}?resident=ben")[0], 401)

    def test_a_picture_is_brought_for_somebody_who_is_linked_alone(self):
        piece = {"resident": "ben", "upload": "x1", "offset": 0, "data": "AAAA", "isLast": False}
        self.assertEqual(self.house.post("/api/v1/picture/add", piece, self.house.token("bo@example.org"))[0], 403)
        status, _, text = self.house.post("/api/v1/picture/add", piece, self.house.token("anna@example.org"))
        self.assertEqual((status, json.loads(text)), (200, {"received": 3}))
        self.assertEqual(self.house.post("/api/v1/picture/add", piece)[0], 401)
        self.assertEqual(self.house.get("/api/v1/picture/add", self.house.token("anna@example.org"))[0], 405)


if __name__ == "__main__":
    unittest.main()
