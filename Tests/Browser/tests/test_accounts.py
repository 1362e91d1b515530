"""The way in, for somebody new, by a code, by an address, and not for others; and the way out."""

import json
import re
import time
import unittest

from house import PASSWORD, Browsers, Refused, until
from shared_house import InTheHouse


class AccountTests(InTheHouse):
    def test_somebody_new_is_linked_by_a_code_and_both_pages_go_on_by_themselves(self):
        new, mary = self.visit(), self.visit("mary@example.org")
        self.go(mary, "/family")
        mary.click("button:has-text('Show a code')")
        code = until("the code", lambda: mary.inner_text("#code").replace(" ", ""))
        self.assertRegex(code, "^[A-Za-z0-9]{8}$")
        link = self.read(mary)
        self.assertEqual(link, f"{self.house.base}/family#code={code}")
        new.goto(link)
        new.wait_for_url(re.compile("/log-in"))
        self.assertNotIn(code, new.url)
        new.click("text=I have no account yet")
        new.fill("[name='profile.name']", "Eve")
        new.fill("[name=email]", "eve@example.org")
        new.fill("[name=password]", "short")
        new.click("form button")
        new.locator(".fault:visible").wait_for()
        new.fill("[name=password]", PASSWORD)
        new.click("form button")
        new.wait_for_url(re.compile("/welcome"))
        new.click("text=I care for somebody")
        new.wait_for_url(re.compile("/family"))
        self.assertNotIn("Mary", new.inner_text("main"))
        self.say(new, "Nobody is linked before you press.")
        self.assertEqual(new.input_value("[name=code]"), code)
        new.fill("[name=code]", "AAAAAAAA")
        new.click("text=Link us")
        new.locator(".fault:visible").wait_for()
        new.reload()
        self.assertNotIn("Mary", new.inner_text("main"))
        self.assertEqual(new.input_value("[name=code]"), code)
        new.click("text=Link us")
        new.wait_for_url(self.house.base + "/")
        self.say(new, "Mary")
        mary.wait_for_url(self.house.base + "/me")
        self.comes_in_by_questions(new)

    def comes_in_by_questions(self, eve):
        """Eve keeps secret questions, and forgets her password."""
        self.go(eve, "/account")
        secrets = eve.locator("form[data-command='account.set-questions']")
        for place, text in {
            "#q-1": "First dog?",
            "#q-answer-1": "Rex",
            "#q-2": "Street?",
            "#q-answer-2": "Elm",
        }.items():
            secrets.locator(place).fill(text)
        secrets.locator("#q-password").fill(PASSWORD)
        secrets.locator("button").click()
        self.say(eve, "Street?")
        page = self.visit()
        self.go(page, "/forgot")
        page.fill("#q-email", "anna@example.org")
        page.click("text=Show my questions")
        self.say(page, "This account has no secret questions.")
        page.fill("#q-email", "eve@example.org")
        page.click("text=Show my questions")
        page.get_by_label("First dog?").fill("Wolf")
        page.get_by_label("Street?").fill(" elm ")
        page.fill("#a-password", "another boat on the lake")
        answering = page.locator("#answers button")
        answering.click()
        self.say(page, "Not every answer is right.")
        page.get_by_label("First dog?").fill("REX")
        answering.click()
        page.wait_for_url(self.house.base + "/")
        self.say(page, "Mary")
        eve.wait_for_url(re.compile("/log-in"))
        self.keeps_her_account(page, "another boat on the lake")
        self.erases_her_account(page, "another boat on the lake")

    def keeps_her_account(self, eve, password):
        """Eve takes another address, lets a program in and puts it out again, and ends all other sessions."""
        self.go(eve, "/account")
        address = eve.locator("form[data-command='account.set-email']")
        for guess in ("no such boat", password):
            address.locator("[name=email]").fill("eve@example.net")
            address.locator("[name=password]").fill(guess)
            address.locator("button").click()
            if guess != password:
                self.say(eve, "That password is not right.")
        eve.locator(".soft", has_text="eve@example.net").wait_for()
        eve.click("#program > summary")
        program = eve.locator("#program form")
        program.locator("[name=label]").fill("Weekly report")
        program.get_by_label("Where they are, and their zones").check()
        program.locator("summary").click()
        program.get_by_label("Write messages").check()
        program.locator("[name=until]").select_option(index=0)
        program.locator("[name=password]").fill(password)
        program.locator("button").click()
        line = eve.locator("li", has_text="Weekly report")
        self.assertIn("May: Where they are, and their zones, Write messages", line.inner_text())
        token = eve.input_value("#token:visible")
        self.assertIn("Mary", self.house.get("/api/v1/residents/list", token)[2])
        self.assertEqual(self.house.get("/api/v1/guardians/list", token)[0], 403)
        line.locator("button").click()
        line.wait_for(state="detached")
        self.assertEqual(self.house.get("/api/v1/residents/list", token)[0], 401)
        other = self.house.post("/api/v1/account/log-in", {"email": "eve@example.net", "password": password})[2]
        eve.reload()
        self.assertEqual(eve.input_value("#token"), "")
        eve.click("text=End all others")
        eve.click("dialog button:has-text('Do it all the same')")
        eve.locator("button:has-text('End all others')").wait_for(state="detached")
        self.assertEqual(self.house.get("/api/v1/account/show", json.loads(other)["token"])[0], 401)

    def erases_her_account(self, eve, password):
        """It takes her password, and she is asked once more."""
        eve.click("#erasure summary")
        eve.fill("#r-password", password)
        for answer in ("Cancel", "Do it all the same"):
            eve.click("#erasure button")
            eve.click(f"dialog button:has-text('{answer}')")
            if answer == "Cancel":
                eve.locator("dialog").wait_for(state="detached")
                self.own("eve@example.net")
        self.is_out(eve)
        self.assertNotIn("Eve", [one["profile"]["name"] for one in self.house.call("accounts.list")])

    def test_another_device_is_let_in_by_its_number_and_by_no_other(self):
        anna, phone = self.visit("anna@example.org"), self.visit()
        self.go(anna, "/account")
        for is_right in (False, True):
            anna.click("#browser button:has-text('Show')")
            link = self.read(anna)
            self.assertRegex(link, "/enter#browser=[0-9a-f]{32}$")
            phone.goto(link)
            self.say(phone, "The camera has read the code of your other device.")
            self.assertTrue(phone.url.endswith("/enter"))
            phone.click("text=Ask to be let in")
            self.say(phone, "Anna")
            number = phone.inner_text("#number")
            self.say(anna, "A device wants to be let in.")
            # What a browser calls itself has numbers of its own.
            words = [line for line in anna.inner_text("#browser").splitlines() if "calls itself" not in line]
            self.assertNotIn(number, "\n".join(words))
            anna.fill("[name=number]", number if is_right else str(109 - int(number)))
            anna.click("text=Let it in")
            if not is_right:
                self.say(anna, "nobody was let in")
                phone.goto(link)
                phone.click("text=Ask to be let in")
                phone.locator(".fault:visible").wait_for()
                anna.reload()
        phone.wait_for_url(self.house.base + "/")
        self.say(phone, "Mary")
        self.go(phone, "/account")
        phone.locator("li:has-text('This one') button:has-text('Log out')").click()
        self.is_out(phone)

    def test_somebody_is_linked_by_an_address(self):
        self.house.account("Finn", "finn@example.org")
        finn, mary = self.visit("finn@example.org"), self.visit("mary@example.org")
        self.go(mary, "/family")
        self.go(finn, "/family")
        finn.fill("[name=email]", "mary@example.org")
        finn.click("button:has-text('Ask')")
        self.say(finn, "You asked Mary Own")
        for is_wanted in (False, True):
            self.say(mary, "Finn asks to be linked with you")
            answer = mary.get_by_role("button", name="Yes" if is_wanted else "No", exact=True)
            answer.click()
            if not is_wanted:
                self.say(finn, "Mary Own said no")
                answer.wait_for(state="detached")
                finn.fill("[name=email]", "mary@example.org")
                finn.click("button:has-text('Ask')")
        finn.wait_for_url(self.house.base + "/")
        self.say(finn, "Mary Own said yes")
        finn.click("button:has-text('Put away')")
        finn.locator("text=said yes").wait_for(state="detached")

    def test_a_wrong_password_is_refused_in_plain_words(self):
        page = self.visit()
        page.fill("[name=email]", "anna@example.org")
        page.fill("[name=password]", "something else")
        page.click("form button")
        page.locator(".fault:visible").wait_for()
        self.assertTrue(page.url.endswith("/log-in"))
        self.browsers.log_in(page, "anna@example.org")
        self.hears_of_wrong_passwords(page)

    def hears_of_wrong_passwords(self, anna):
        """Who cares for Mary, and Mary herself, are told that somebody guesses; the badge and the page say the same."""
        self.house.account("Kim", "kim@example.org", "mary")
        for _ in range(5):
            with self.assertRaises(Refused):
                self.house.do("account.log-in", email="kim@example.org", password="a guess")
        words = "Somebody tried 5 wrong passwords for the account of Kim"
        anna.get_by_label(re.compile("unseen alert")).wait_for()
        self.go(anna, "/alerts?about=passwords")
        self.say(anna, words)
        anna.locator(".badge").wait_for(state="detached")
        mary = self.visit("mary@example.org")
        self.say(mary, words)
        mary.click("text=I have seen it")
        mary.locator(".line", has_text=words).wait_for()
        mary.locator(".badge").wait_for(state="detached")
        self.go(mary, "/")
        self.assertNotIn(words, mary.inner_text("main"))

    def test_who_logs_out_is_out_in_every_tab(self):
        page = self.visit("bo@example.org", is_new=True)
        other = page.context.new_page()
        other.goto(self.house.base + "/alerts")
        self.go(page, "/account")
        page.click("button:has-text('Log out')")
        self.is_out(page)
        self.is_out(other)

    def test_whatever_people_write_stays_a_text(self):
        evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>\"'"
        # Somebody of whom nobody else sees anything, and nothing is left.
        self.house.do("resident.put", resident={"id": "zed", "name": evil[:190], "timeZone": "UTC"})
        self.addCleanup(self.house.do, "resident.erase", target="zed", confirms=True)
        self.house.account(evil[:90], "zoe@example.org", "zed")
        place = {"latitude": 40.0, "longitude": -74.0}
        zone = {"id": "evil", "resident": "zed", "name": evil, "radiusMeters": 50, "center": place}
        self.house.do("zone.put", zone=zone)
        self.house.do("message.send", target="evil", resident="zed", sender=evil[:90], text=evil)
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        note = {"id": "evil", "resident": "zed", "kind": "memo", "title": evil[:90], "text": evil}
        self.house.do("note.put", note={**note, "time": now, "changedAt": now})
        kept = {"id": "evil", "resident": "zed", "name": evil[:90], "address": evil[:90], "coordinate": place}
        self.house.do("bookmark.put", bookmark=kept)
        guardian = {"id": "evil", "resident": "zed", "name": evil[:90], "phone": "+15555550125"}
        self.house.do("guardian.put", guardian=guardian)
        tag = {"id": "evil", "resident": "zed", "name": evil[:60], "kind": "wallet"}
        self.house.do("tag.put", tag=tag, identities=["address:C0:11:22:33:44:66/random"])
        schedule = {"kind": "calendar", "start": "2026-01-01T08:00", "timeZone": "UTC", "rrule": "FREQ=DAILY"}
        item = {"id": "evil", "resident": "zed", "title": evil[:90], "dose": evil[:40], "schedule": schedule}
        self.house.do("routine.put", item=item)
        page = self.visit("zoe@example.org", size=Browsers.DESK)
        for path in (
            "/",
            "/map",
            "/zones?resident=zed",
            "/zones?resident=zed&zone=evil",
            "/messages?resident=zed",
            "/memos?resident=zed",
            "/bookmarks?resident=zed&place=evil",
            "/guardians?resident=zed&guardian=evil",
            "/devices?resident=zed",
            "/routine?resident=zed",
            "/family",
            "/looks?resident=zed",
            "/history?resident=zed",
            "/settings?resident=zed",
            f"/zones?resident={evil}",
            f"/log-in?next={evil}",
        ):
            with self.subTest(path=path):
                self.go(page, path)
                self.assertNotEqual(page.title(), "owned")
                self.assertEqual(page.locator("img[src=x], main script:not([type='application/json'])").count(), 0)

    def test_nobody_is_led_elsewhere_by_a_link(self):
        for place in ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"):
            text = self.house.get(f"/log-in?next={place}")[2]
            self.assertNotIn("evil.example", text)
            self.assertNotIn("javascript:", text)

    def test_who_is_unlinked_sees_nothing_from_then_on(self):
        id = self.house.account("Dan", "dan@example.org", "mary")
        token = self.house.token("dan@example.org")
        self.assertIn("Mary", self.house.get("/api/v1/residents/list", token)[2])
        page = self.visit("dan@example.org")
        # The page has looked once more when its stream began, and learns by that alone what happens from here on.
        with page.expect_response(lambda answer: answer.request.resource_type == "xhr") as looked:
            page.reload()
        looked.value.finished()
        self.say(page, "Mary")
        self.house.do("account.unlink", target=id, resident="mary")
        self.say(page, "You are linked to nobody yet.")
        self.assertNotIn("Mary", self.house.get("/api/v1/residents/list", token)[2])
        self.assertNotIn("Mary", self.house.get("/", token)[2])


if __name__ == "__main__":
    unittest.main()
