"""The pages of somebody who is looked after, as they use them: a telephone, a tablet, the hub's screen."""

import base64
import contextlib
import io
import re
import unittest
from datetime import UTC, datetime

import residents
from house import TELEPHONE, Browsers, House, Refused, until
from looks import IS_WHOLE, foreign_words, violations
from PIL import Image

# A Sunday afternoon.
BEGINS = datetime(2026, 11, 22, 14, 31, tzinfo=UTC)
PAGES = [
    "/me", "/me/places", "/me/places?place=own-1", "/me/places?keep=1", "/me/way", "/me/here", "/me/messages",
    "/me/messages?say=1", "/me/messages?say=voice", "/me/messages?at=1", "/me/memos", "/me/memos?new=1", "/me/more",
    "/me/manual", "/me/manual?page=3", "/me/look", "/me/size", "/me/ok",
]  # fmt: skip


class ResidentTests(unittest.TestCase):
    """A house with a clock of its own, in which it is Sunday afternoon."""

    @classmethod
    def setUpClass(cls):
        cls.house = House(begins=BEGINS, has_telephones=True)
        cls.addClassCleanup(cls.house.close)
        cls.browsers = Browsers(cls.house)
        cls.move_in(cls.house)

    @classmethod
    def move_in(cls, house):
        do = house.do
        schedule = {"kind": "calendar", "start": "2026-11-01T00:00:00", "timeZone": "UTC", "rrule": "FREQ=DAILY"}
        for id, kind, title, times, more in (
            ("pill", "medicine", "Blood pressure pill", ["20:00"], {"dose": "One tablet, with water"}),
            ("walk", "routine", "A walk with Erik", ["15:00"], {}),
            ("ruth", "appointment", "Ruth visits", ["17:30"], {}),
        ):
            item = {"id": id, "resident": "mary", "kind": kind, "title": title, **more}
            do("routine.put", item={**item, "schedule": {**schedule, "times": times}})
        now = "2026-11-22T10:00:00Z"
        note = {"id": "cake", "resident": "mary", "kind": "memo", "time": now, "changedAt": now}
        do("note.put", note={**note, "title": "Ruth visits on Tuesday.", "text": "She brings cake."})
        park = {"id": "park", "resident": "mary", "name": "The park", "address": "Long Lane 1"}
        do("bookmark.put", bookmark={**park, "coordinate": {"latitude": 40.011, "longitude": -74.01}})
        guardian = {"id": "anna", "resident": "mary", "name": "Anna", "email": "anna@example.org"}
        do("guardian.put", guardian={**guardian, "phone": "+12025550143"})
        do("pin.set", target="mary", kind="okay", pin="2468")
        until("where Mary is", lambda: cls.mary(house)["tracking"].get("position"))
        do("guidance.keep", target="mary", name="The bench")

    @staticmethod
    def mary(house):
        return next(one for one in house.call("residents.list") if one["id"] == "mary")

    def setUp(self):
        self.addCleanup(self.leave)

    def leave(self):
        faults, self.browsers.faults = self.browsers.faults, []
        self.browsers.close()
        self.assertEqual(faults, [])

    def visit(self, **more):
        page = self.browsers.visitor("mary@example.org", **more)
        page.wait_for_url(re.compile("/me$"))
        return page

    def go(self, page, path):
        page.goto(self.house.base + path)

    def press(self, page, words):
        page.get_by_role("button", name=words, exact=True).locator("visible=true").first.click()

    def say(self, page, text):
        page.get_by_text(text).locator("visible=true").first.wait_for()

    @staticmethod
    def speaks(page, language):
        """Waits until the pages talk a language."""
        until(language, lambda: page.reload() and page.get_attribute("html", "lang") == language)

    def test_every_page_is_large_clear_and_brief(self):
        for language in ("en", "zh"):
            page = self.visit(language=language)
            self.house.do("setting.put", target="mary", name="language", value=language)
            if language == "zh":
                self.go(page, "/me/look")
                page.click("text=中文")
                self.speaks(page, "zh-Hans")
            for path in PAGES:
                with self.subTest(path=path, language=language):
                    self.go(page, path)
                    self.assertEqual(residents.faults(page), [])
                    # What axe judges is the same in both languages; how long words are is not.
                    if language == "en" or IS_WHOLE:
                        page.set_viewport_size({"width": 800, "height": 480})
                        self.assertEqual(violations(page), [])
                    if language == "zh":
                        page.evaluate("() => document.querySelectorAll('[data-theirs]').forEach(one => one.remove())")
                        self.assertEqual([one for one in foreign_words(page) if one not in ("The", "bench")], [])
        self.house.do("setting.put", target="mary", name="language", value=None)
        self.go(page, "/me/look")
        page.click("text=English")
        self.speaks(page, "en")

    def test_home_says_what_is_now_what_was_and_what_comes(self):
        page = self.visit()
        words = re.sub(r"\s+", " ", page.inner_text(".panel"))
        self.assertRegex(words, r"^14:3\d Sunday afternoon Mary Next: A walk with Erik, 3 o’clock in the afternoon")
        self.assertIn("Expected: Ruth visits, 5:30 in the afternoon", words)
        self.assertIn("“Ruth visits on Tuesday.”", words)
        self.assertEqual(
            [key.inner_text() for key in page.locator(".six .key").all()],
            ["Take me home", "My places", "Where am I", "Messages", "Show the way", "Help"],
        )

    def test_one_press_takes_home_and_another_stops(self):
        page = self.visit()
        self.house.offset = (600.0, 0.0)
        self.addCleanup(setattr, self.house, "offset", (0.0, 0.0))
        until("away", lambda: self.house.call("guidance.home", {"resident": "mary"}).get("meters", 0) > 300)
        self.go(page, "/me/way")
        self.say(page, re.compile("Home is"))
        page.click("text=Take me home")
        self.say(page, re.compile("To home"))
        # Straight on to the south, seen by who looks north: the arrow points back.
        page.wait_for_function("() => Math.abs(document.querySelector('.compass')?.dataset.turned) > 150")
        page.evaluate(
            """() => window.dispatchEvent(
              Object.assign(new Event('deviceorientationabsolute'), { absolute: true, alpha: 180 }))"""
        )
        page.wait_for_function("() => Math.abs(document.querySelector('.compass')?.dataset.turned) < 30")
        self.press(page, "Stop")
        page.wait_for_url(re.compile("/me$"))
        self.assertEqual(self.house.call("guidance.list"), [])
        self.say(page, "Take me home")

    def test_a_place_is_kept_asked_about_once_and_shown_the_way_to(self):
        page = self.visit()
        page.click("text=My places")
        page.click("text=Keep this place")
        page.get_by_label("Another name").fill("Duck pond")
        page.click("form button")
        page.wait_for_url(re.compile("/me/places$"))
        self.say(page, "Duck pond")
        page.click("text=The park")
        self.say(page, "Shall I show you the way to The park?")
        page.click("text=No, not now")
        page.click("text=The park")
        page.click("text=Yes, let us go")
        self.say(page, re.compile("To The park"))
        self.house.do("guidance.cancel", target="mary")
        self.go(page, "/me/places")
        page.click("text=Duck pond")
        page.click("text=Forget it")
        page.wait_for_url(re.compile("/me/places$"))
        self.assertEqual([one["name"] for one in self.house.call("guidance.places")], ["The bench"])

    def test_a_memo_has_a_picture_that_was_taken_and_words_that_were_said(self):
        page = self.visit(extra_http_headers=TELEPHONE)
        page.add_init_script(
            """window.SpeechRecognition = class {
              start() { setTimeout(() => this.onresult({ results: [[{ transcript: 'The blue cup' }]] }), 20); }
            }"""
        )
        self.go(page, "/me/memos?new=1")
        self.assertEqual(residents.faults(page), [])
        self.assertEqual(violations(page), [])
        # What no browser shows is said so, and the words stay.
        self.press(page, "Say it")
        page.wait_for_function("() => document.getElementById('f-note-text').value === 'The blue cup'")
        page.set_input_files("#f-picture", {"name": "a.heic", "mimeType": "image/heic", "buffer": b"ftypheic" * 9})
        self.say(page, "This browser cannot show the picture.")
        taken = io.BytesIO()
        Image.new("RGB", (3000, 2000), "navy").save(taken, "JPEG")
        page.set_input_files("#f-picture", {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": taken.getvalue()})
        page.locator("form img").wait_for()
        self.press(page, "Keep it")
        page.wait_for_url(re.compile("/me/memos$"))
        self.say(page, "The blue cup")
        page.wait_for_function("() => document.querySelector('figure img')?.naturalWidth === 1600")
        self.assertEqual(residents.faults(page), [])
        memo = self.house.call("notes.query", {"resident": "mary", "kind": "memo"})[0]
        self.assertEqual((memo["text"], len(memo["pictures"])), ("The blue cup", 1))
        self.press(page, "Delete")
        self.say(page, "She brings cake.")
        # At the hub there is nothing to choose one from.
        hub = self.visit(size=Browsers.HUB)
        self.go(hub, "/me/memos?new=1")
        self.assertEqual(hub.locator("#f-picture").count(), 0)

    def test_a_telephone_rings_itself_and_nobody_is_told(self):
        page = self.visit(extra_http_headers=TELEPHONE)
        page.add_init_script(
            "window.heard = []; document.addEventListener('spoken', event => window.heard.push(event.detail));"
        )
        self.go(page, "/me/more")
        before = self.house.call("events.query", {"limit": 1})
        page.context.set_offline(True)
        self.press(page, "Have my phone ring")
        self.say(page, "Incoming call")
        self.say(page, "A friend")
        self.assertEqual(residents.faults(page), [])
        self.press(page, "Answer")
        self.say(page, "You are talking with")
        page.wait_for_function("() => window.heard.includes('Hello, it is me. Can you hear me all right?')")
        self.press(page, "Hang up")
        page.locator("dialog").wait_for(state="detached")
        page.context.set_offline(False)
        self.assertEqual(self.house.call("events.query", {"limit": 1}), before)
        # What matters more ends it.
        self.press(page, "Have my phone ring")
        self.house.do("sos.raise", target="mary")
        page.locator("dialog").wait_for(state="detached")
        page.locator("#main .alarm, #main .count").first.wait_for()
        self.house.do("sos.cancel", target="mary", pin="2468")

    def test_a_message_is_heard_and_answered(self):
        page = self.visit()
        self.house.do("message.send", target="six", resident="mary", sender="Anna", text="I come at six.")
        self.say(page, "1 message")
        page.click("text=1 message")
        self.say(page, "I come at six.")
        page.click("text=Answer")
        page.click("text=Yes, gladly.")
        page.wait_for_url(re.compile("/me/messages$"))
        page.click("text=I heard it")
        self.say(page, "You said")
        told = {one["text"]: one for one in self.house.call("messages.query", {"resident": "mary"})}
        self.assertEqual(told["Yes, gladly."]["direction"], "to-caregivers")
        self.assertIn("readAt", told["I come at six."])

    def test_when_a_reminder_is_due_it_fills_whichever_screen_is_open(self):
        taken = io.BytesIO()
        Image.new("RGB", (400, 300), "navy").save(taken, "JPEG")
        data = base64.b64encode(taken.getvalue()).decode()
        piece = {"resident": "mary", "upload": "erik", "offset": 0, "data": data, "isLast": True}
        picture = self.house.call("picture.add", piece)["id"]
        walk = next(one for one in self.house.call("routine.list") if one["id"] == "walk")
        names = ("id", "resident", "kind", "title", "schedule")
        self.house.do("routine.put", item={**{name: walk[name] for name in names}, "picture": picture})
        page = self.visit(size=Browsers.HUB)
        self.go(page, "/me/manual")
        # What was planned a moment ago was not due before it: the clock comes to that by itself.
        self.house.clock.set_wall(datetime(2026, 11, 22, 14, 59, 57, tzinfo=UTC).timestamp())
        self.say(page, "A walk with Erik")
        self.say(page, "It is 3 o’clock in the afternoon")
        page.wait_for_function("() => document.querySelector('.due .picture img')?.naturalWidth === 400")
        self.assertEqual(residents.faults(page), [])
        self.assertEqual(violations(page), [])
        self.press(page, "Done")
        self.say(page, "Well done.")
        self.say(page, "How it works")
        self.assertEqual(page.get_by_role("button", name="Done").count(), 0)
        [walk] = self.house.call("occurrences.query", {"resident": "mary", "item": "walk", "limit": 1})
        self.assertEqual(walk["state"], "done")
        self.go(page, "/me")
        self.say(page, "Done: A walk with Erik")

    def test_help_is_called_counted_down_called_off_and_called(self):
        page = self.visit()
        self.go(page, "/me/memos")
        self.press(page, "Help")
        self.say(page, "I call for help")
        figure = page.locator("#main .count")
        figure.wait_for()
        page.wait_for_function("() => Number(document.querySelector('#main .count')?.textContent) > 0")
        self.assertEqual(residents.faults(page), [])
        self.press(page, "Stop")
        self.say(page, "Memos")
        self.assertEqual(self.house.call("alarms.list"), [])
        self.go(page, "/me")
        self.press(page, "Help")
        self.say(page, "Help has been called")
        self.assertEqual(residents.faults(page), [])
        self.assertEqual(violations(page), [])
        # From where an alarm is open every page says so, and leads back.
        self.go(page, "/me/messages")
        page.click("#banner a")
        anna = self.browsers.visitor("anna@example.org")
        anna.click("text=Mary needs help")
        anna.click("text=I’m coming")
        self.say(page, "Anna is coming.")
        page.click("text=I am all right")
        self.assertEqual(residents.faults(page), [])
        for digit in "1111":
            page.click(f".pad button:has-text('{digit}')")
        page.click("form button.first")
        page.locator(".fault:visible").wait_for()
        for _ in range(4):
            page.click(".pad [data-digit=back]")
        for digit in "2468":
            page.click(f".pad button:has-text('{digit}')")
        page.click("form button.first")
        page.wait_for_url(re.compile("/me$"))
        self.assertEqual(self.house.call("alarms.list"), [])
        self.say(page, "The alarm is over")

    def test_help_goes_on_trying_without_a_connection(self):
        page = self.visit()
        page.context.set_offline(True)
        self.press(page, "Help")
        self.say(page, "I cannot reach the gateway.")
        self.assertEqual(page.locator("dialog a.key").first.get_attribute("href"), "tel:+12025550143")
        self.assertEqual(self.house.call("alarms.list"), [])
        page.context.set_offline(False)
        until("the call", lambda: self.house.call("alarms.list"), 20)
        page.locator("#main .count, #main .alarm").first.wait_for()
        self.house.do("sos.cancel", target="mary", pin="2468")

    def test_whoever_calls_it_off_without_a_connection_is_not_told_that_it_is_off(self):
        page = self.visit()
        page.context.set_offline(True)
        self.press(page, "Help")
        self.say(page, "I cannot reach the gateway.")
        page.locator("dialog button:has-text('Stop')").click()
        page.locator("#notices", has_text="I cannot reach the gateway.").wait_for()
        self.assertNotIn("Nobody is told", page.inner_text("body"))
        page.context.set_offline(False)
        self.say(page, "All right. Nobody is told.")
        self.assertEqual(self.house.call("alarms.list"), [])

    def is_quiet(self):
        """Whether no alarm goes on, now that whatever goes on was called off: the page may do it first."""
        for _ in self.house.call("alarms.list"):
            with contextlib.suppress(Refused):
                self.house.do("sos.cancel", target="mary", pin="2468")
        return self.house.call("alarms.list") == []

    def test_who_presses_everything_for_a_while_does_no_harm(self):
        page = self.visit(size=Browsers.HUB)
        before = self.house.call("bookmarks.list")
        for turn in range(60):
            keys = page.locator("button:visible, a.key:visible")
            count = keys.count()
            if count:
                with contextlib.suppress(Exception):
                    keys.nth(turn * 7 % count).click(timeout=1000, no_wait_after=True)
            if not page.url.split("?")[0].split("/")[3].startswith("me"):
                self.go(page, "/me")
        self.assertEqual(self.house.call("bookmarks.list"), before)
        until("quiet", self.is_quiet)
        for one in self.house.call("guidance.list"):
            self.house.do("guidance.cancel", target=one["resident"])

        def is_home():
            # What was pressed last may still lead elsewhere.
            with contextlib.suppress(Exception):
                self.go(page, "/me")
            return page.locator(".six .key").count() == 6

        until("everything as before", is_home)

    def test_where_nothing_draws_on_paper_the_page_says_so_and_can_be_printed(self):
        anna = self.browsers.visitor("anna@example.org")
        self.assertEqual(anna.goto(self.house.base + "/report.pdf?resident=mary&kind=missing").status, 503)
        self.say(anna, "has not switched on the plugin “report”")
        anna.click("text=Back to the report")
        self.say(anna, "Missing person: Mary")

    def test_keys_are_as_large_as_they_should_be_on_a_screen_with_fine_points(self):
        page = self.visit(size=(1280, 720))
        self.go(page, "/me/look")
        page.click("text=How large the keys are")
        # A card 54 mm wide is 443 points here: 8.2 to a millimetre, as on a screen of 7 inches with 1280 of them.
        # Until the script has drawn it, it is as wide as the page.
        page.wait_for_function("() => document.querySelector('.between')?.style.width")
        width = "() => document.querySelector('.between').getBoundingClientRect().width"
        while page.evaluate(width) < 438:
            self.press(page, "Too narrow")
        self.press(page, "It fits")
        page.wait_for_url(re.compile("/me/look$"))
        for path in ("/me", "/me/places", "/me/more", "/me/look"):
            self.go(page, path)
            sides = page.evaluate(
                """() => [...document.querySelectorAll('.key')].map(one => one.getBoundingClientRect())
                  .map(({ width, height }) => Math.min(width, height))"""
            )
            self.assertGreaterEqual(min(sides), 16 * 8.1, path)
            self.assertEqual(page.evaluate("() => document.documentElement.scrollWidth - innerWidth"), 0)
        # It can be made smaller again, and is never smaller than on a screen of which nobody said anything.
        self.go(page, "/me/size")
        for _ in range(60):
            self.press(page, "Too wide")
        self.press(page, "It fits")
        page.wait_for_url(re.compile("/me/look$"))
        self.assertEqual(page.evaluate("() => document.documentElement.style.getPropertyValue('--key')"), "92px")

    def test_whoever_cares_has_other_pages(self):
        anna = self.browsers.visitor("anna@example.org")
        self.assertEqual(anna.goto(self.house.base + "/me").status, 404)


if __name__ == "__main__":
    unittest.main()
