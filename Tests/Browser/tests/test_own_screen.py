"""The screen that the gateway has itself: let in once by its keeper, and never out again by itself."""

import re
import unittest

from house import Browsers, until
from looks import violations
from shared_house import InTheHouse


class OwnScreenTests(InTheHouse):
    @property
    def base(self):
        return f"http://localhost:{self.house.screen_port}"

    def screen(self):
        """The browser of the screen, in which nothing was done yet."""
        page = self.visit(size=Browsers.HUB)
        page.goto(self.base + "/")
        return page

    def code(self, resident="mary"):
        return self.house.do("account.add-screen", resident=resident)["code"]

    def enter(self, page, code):
        page.goto(f"{self.base}/screen?new=1#screen={code}")

    def set_up(self):
        page = self.screen()
        self.enter(page, self.code())
        page.wait_for_url(self.base + "/me")
        until("a page that is kept", lambda: page.evaluate("async () => (await caches.match('/me')) !== undefined"))
        return page

    def account(self):
        accounts = self.house.call("accounts.list")
        return next(one["id"] for one in accounts if one["role"] == "resident" and "mary" in one["residents"])

    def sessions(self):
        page = self.house.call("account.show", {"account": self.account()})
        return [one["id"] for one in page["sessions"] if one["kind"] == "screen"]

    def test_one_that_is_not_set_up_says_what_to_do_whatever_is_asked_for(self):
        page = self.screen()
        for path in ("/", "/me", "/log-in", "/sign-up", "/forgot", "/enter", "/alarm?id=1"):
            with self.subTest(path=path):
                page.goto(self.base + path)
                self.assertEqual(page.url, self.base + "/screen")
                self.say(page, "This screen is not set up")
                self.say(page, "sudo homeward kiosk")
                self.assertEqual(page.locator("input").count(), 0)
        self.assertEqual(violations(page), [])

    def test_a_code_of_the_keeper_lets_it_in_without_a_press_and_once(self):
        page = self.screen()
        code = self.code()
        self.enter(page, code)
        page.wait_for_url(self.base + "/me")
        self.say(page, "Take me home")
        names = page.evaluate("async () => (await (await fetch('/api/v1/residents/list')).json()).map(one => one.name)")
        self.assertEqual(names, ["Mary"])
        # A browser keeps nothing for longer than 400 days.
        [cookie] = page.context.cookies(self.base)
        self.assertGreater(cookie["expires"] - self.house.time(), 390 * 86_400)
        other = self.screen()
        self.enter(other, code)
        self.say(other, "This screen is not set up")
        self.assertEqual(other.locator("[data-entering]:visible").count(), 0)

    def test_another_code_shows_somebody_elses_pages_from_then_on(self):
        self.house.do("resident.put", resident={"id": "olga", "name": "Olga", "timeZone": "UTC"})
        self.addCleanup(self.house.do, "resident.erase", target="olga", confirms=True)
        page = self.set_up()
        self.enter(page, self.code("olga"))
        page.wait_for_url(self.base + "/me")
        self.say(page, "Olga")

    def test_whoever_presses_everything_does_not_log_it_out(self):
        page = self.set_up()
        page.goto(self.base + "/account")
        self.say(page, "This one")
        self.assertEqual(page.get_by_role("button", name="Log out").count(), 0)
        # A menu of the browser leads elsewhere.
        page.goto(self.base + "/me")
        pressed_long = "key => key.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))"
        self.assertFalse(page.locator(".key").first.evaluate(pressed_long))

    def test_it_is_no_telephone(self):
        eve = {"id": "eve", "resident": "mary", "name": "Eve", "phone": "+12025550143"}
        self.house.do("guardian.put", guardian=eve)
        page = self.set_up()
        page.context.set_offline(True)
        page.get_by_role("button", name="Help").locator("visible=true").first.click()
        self.say(page, re.compile(r"Call Eve: \+12025550143"))
        self.assertEqual(page.locator("a[href^='tel:']").count(), 0)
        page.locator("dialog button:has-text('Stop')").click()
        page.context.set_offline(False)
        self.say(page, "All right. Nobody is told.")

    def test_where_somebody_ends_it_it_says_so(self):
        page = self.set_up()
        for session in self.sessions():
            self.house.do("account.end-session", target=self.account(), session=session)
        self.say(page, "This screen is not set up")
        self.assertEqual(page.url, self.base + "/screen")

    def test_without_the_gateway_no_press_leads_nowhere_and_what_is_shown_says_how_old_it_is(self):
        page = self.set_up()
        page.goto(self.base + "/me/more")
        self.say(page, "Memos")
        page.goto(self.base + "/me")
        self.house.stop()
        # Seen before, and then a page that nobody has opened yet.
        page.evaluate("() => { const own = Date.now; Date.now = () => own() + 100_000; }")
        page.goto(self.base + "/me/more")
        self.assertEqual(page.evaluate("() => document.body.dataset.kept"), "page")
        page.goto(self.base + "/me/places")
        self.assertEqual(page.evaluate("() => document.body.dataset.kept"), "first")
        self.say(page, "Take me home")
        self.house.start()
        until("the page that was asked for", lambda: page.get_by_role("heading", name="My places").count())

    def test_where_nothing_was_kept_it_says_so_and_tries_again(self):
        page = self.set_up()
        self.house.stop()
        page.evaluate("() => caches.delete('homeward-pages')")
        page.goto(self.base + "/me")
        self.say(page, "I am not connected just now. One moment, please.")
        self.house.start()
        self.say(page, "Take me home")

    def test_at_the_door_of_everybody_there_is_no_such_page(self):
        page = self.visit()
        page.goto(self.house.base + "/screen")
        self.assertEqual(page.url, self.house.base + "/enter")


if __name__ == "__main__":
    unittest.main()
