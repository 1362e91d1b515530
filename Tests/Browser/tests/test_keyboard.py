"""Families who have nothing but a keyboard, and those who move on with Tab while the page changes."""

import re
import unittest

import keys
from house import PASSWORD, Browsers, until
from shared_house import InTheHouse


class KeyboardTests(InTheHouse):
    def tearDown(self):
        for alarm in self.house.call("alarms.list"):
            self.house.do("alarm.resolve", target=alarm["alarm"], by="anna", reason="The test is over.")
        super().tearDown()

    def stays(self, page, selector, text=""):
        """Says that the focus is on something, which is part of the page."""
        self.assertTrue(page.evaluate(keys.IS_FOCUSED, [selector, text]), page.evaluate(keys.WHERE))

    def test_who_cares_does_everything_with_the_keyboard(self):
        page = self.visit(language="zh", size=Browsers.HUB)
        keys.log_in(page, "an@example.org", PASSWORD)
        # Past what is the same on every page.
        keys.reach(page, ".skip")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        self.assertTrue(page.evaluate("() => document.activeElement.closest('main') !== null"))

        # A message.
        keys.press(page, "nav a[href='/more']")
        page.wait_for_url(re.compile("/more"))
        keys.press(page, "a[href='/messages']")
        page.wait_for_url(re.compile("/messages"))
        keys.write(page, "textarea", "我六点来。")
        keys.press(page, "main form button", key="Space")
        self.say(page, "我六点来。")
        self.stays(page, "main form button")

        # A zone, beside the map and by it.
        keys.press(page, "nav a[href='/map']")
        page.wait_for_url(re.compile("/map"))
        keys.press(page, "a[href='/zones']")
        page.wait_for_url(re.compile("/zones"))
        keys.press(page, "main a.button.first")
        page.wait_for_url(re.compile("zone=new"))
        keys.write(page, "[name='zone.name']", "公园")
        keys.press(page, "[data-here]", key="Space")
        before = float(page.input_value("[name='zone.center.latitude']"))
        keys.reach(page, "#map")
        page.keyboard.press("ArrowUp")
        keys.reach(page, "[data-here]", key="Shift+Tab")
        page.keyboard.press("Space")
        self.assertGreater(float(page.input_value("[name='zone.center.latitude']")), before)
        keys.press(page, "#zone button.first")
        zone = until("the zone", lambda: self.zone("公园"))
        page.wait_for_url(re.compile(r"/zones\?resident=[a-z]+$"))
        keys.press(page, f"a[href$='zone={zone['id']}']")
        page.wait_for_url(re.compile("zone="))
        keys.press(page, "#zone [data-command='zone.remove']")
        until("the removal", lambda: not self.zone("公园"))
        page.wait_for_url(re.compile(r"/zones\?resident=[a-z]+$"))
        keys.press(page, "#undo button")
        until("the zone again", lambda: self.zone("公园"))
        self.house.do("zone.remove", target=zone["id"])

        # What takes help away is asked once more, and Escape says no.
        self.go(page, "/settings?resident=mary")
        keys.press(page, "[data-command='tracking.set']")
        page.locator("dialog").wait_for()
        self.stays(page, "dialog button")
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        self.stays(page, "[data-command='tracking.set']")

        # A key that is held down presses once.
        keys.reach(page, "[data-command='consent.put']", "同意")

        def answers():
            consents = self.house.call("consents.list", {"resident": "mary"})
            return [one["isGranted"] for one in consents if one["kind"] == "location"]

        page.keyboard.down("Enter")
        until("the consent", answers)
        page.wait_for_function("() => document.activeElement.dataset.members?.includes('\"isGranted\":false')")
        page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        self.assertEqual(answers(), [True])

        # An alarm opens its page by itself.
        self.house.do("sos.raise", target="mary", trigger="backend")
        page.wait_for_url(re.compile("/alarm"))
        page.locator("button.great").wait_for()
        keys.press(page, "button.great")
        page.locator(".deeds", has_text="安娜").wait_for()
        self.stays(page, "button.great")
        keys.press(page, ".deeds summary")
        keys.write(page, "[name=reason]", "她很好。")
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/alerts"))
        self.assertEqual(self.house.call("alarms.list"), [])

        # Her account, and out.
        keys.press(page, "a.owner")
        page.wait_for_url(re.compile("/account"))
        keys.reach(page, "[name='profile.gender']")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        keys.press(page, "[data-command='account.end-session'][data-then]")
        self.is_out(page)

    def test_who_is_looked_after_does_everything_with_the_keyboard(self):
        self.house.do("pin.set", target="mary", kind="okay", pin="4711")
        page = self.visit()
        keys.log_in(page, "mary@example.org", PASSWORD)
        keys.press(page, "a.key", "More")
        page.wait_for_url(re.compile("/me/more"))
        keys.press(page, "a.key", "All pages")
        page.wait_for_url(re.compile(r"\d/more$"))
        keys.press(page, "nav a", "Map")
        page.wait_for_url(re.compile("/map"))
        keys.press(page, "[data-command=locate]", key="Space")
        self.say(page, "Asked.")
        keys.press(page, "nav a", "More")
        page.wait_for_url(re.compile("/more"))
        keys.press(page, "a.entry", "Who sees whom")
        page.wait_for_url(re.compile("/family"))
        keys.press(page, "button", "Show a code")
        until("the code", lambda: page.inner_text("#code"))
        self.stays(page, "button", "Show a code")
        # She called by mistake, and says so.
        self.house.do("sos.raise", target="mary", trigger="backend")
        keys.press(page, "a.banner:not(.calm)")
        page.wait_for_url(re.compile("/alarm"))
        keys.write(page, "[name=message]", "It was only the cat.")
        keys.write(page, "[name=pin]", "4711")
        page.keyboard.press("Enter")
        self.say(page, "It was only the cat.")
        self.assertEqual(self.house.call("alarms.list"), [])
        keys.press(page, "a.key", "More")
        page.wait_for_url(re.compile("/me/more"))
        keys.press(page, "a.key", "All pages")
        page.wait_for_url(re.compile(r"\d/more$"))
        keys.press(page, "a.owner")
        page.wait_for_url(re.compile("/account"))
        keys.press(page, "button", "Log out")
        self.is_out(page)

    def test_a_field_of_several_lines_comes_into_sight_whole(self):
        page = self.visit("anna@example.org", size=Browsers.HUB)
        self.go(page, "/messages")
        # Wherever it stands below the edge of the screen.
        for height in range(140, 260, 10):
            page.evaluate("height => { document.querySelector('header').style.marginBottom = `${height}px`; }", height)
            page.evaluate(keys.BEGIN)
            page.evaluate("() => scrollTo(0, 0)")
            keys.reach(page, "#f-text")
            box = page.locator("#f-text").bounding_box()
            self.assertGreaterEqual(box["y"], 0)
            self.assertLessEqual(box["y"] + box["height"], page.viewport_size["height"], height)

    def test_what_happens_takes_the_focus_from_nobody(self):
        page = self.visit("anna@example.org")
        keys.reach(page, "section:nth-of-type(2) a", "See on map")
        here = page.evaluate("() => document.activeElement.getAttribute('href')")
        self.house.do("message.send", target="focus", resident="mary", sender="Bo", text="Look up.")
        self.say(page, "Look up.")
        self.stays(page, f"a[href='{here}']")
        # What somebody deletes is gone, and the way back is at hand.
        now = page.get_attribute("#main", "data-now")
        note = {"resident": "ben", "kind": "memo", "time": now, "changedAt": now}
        for name in ("hat", "coat"):
            self.house.do("note.put", note={**note, "id": name, "title": name, "text": "In the hall."})
        self.go(page, "/memos?resident=ben")
        keys.press(page, "button[data-command='note.remove']")
        self.say(page, "Removed.")
        page.wait_for_function("() => document.querySelectorAll('#main .line').length === 1")
        self.stays(page, "#undo")
        page.keyboard.press("Tab")
        self.stays(page, "#undo button")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelectorAll('#main .line').length === 2")
        self.stays(page, "#main")

    def test_what_happens_pushes_nobody_out_of_sight(self):
        page = self.visit("mary@example.org", size=Browsers.DESK)
        self.go(page, "/memos")
        # At the lower edge of the screen, without having moved the page.
        page.evaluate("""() => {
          const text = document.querySelector('textarea');
          const room = innerHeight - text.getBoundingClientRect().bottom - 16;
          document.querySelector('main form').style.paddingTop = `${room}px`;
          text.focus();
        }""")
        self.assertEqual(page.evaluate("() => scrollY"), 0)
        self.house.do("sos.raise", target="mary", trigger="backend")
        page.locator(".banner:not(.calm):visible").first.wait_for()
        self.stays(page, "textarea")
        page.wait_for_function(
            "() => document.querySelector('textarea').getBoundingClientRect().bottom <= innerHeight", timeout=5000
        )


if __name__ == "__main__":
    unittest.main()
