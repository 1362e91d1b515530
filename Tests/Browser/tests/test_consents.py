"""What somebody agrees to is asked, written down and taken back on the pages, and what was refused is off."""

from house import Browsers, Refused, until
from shared_house import InTheHouse


class ConsentTests(InTheHouse):
    def answer(self, kind):
        """What Ben answered to a kind, as the gateway has it."""
        ben = next(one for one in self.house.call("residents.list") if one["id"] == "ben")
        return ben["consent"][kind]

    def test_calls_are_asked_written_down_and_taken_back(self):
        page = self.visit("anna@example.org")
        self.go(page, "/guardians?resident=ben")
        asks = page.locator("p:has-text('May the gateway phone the emergency services for Ben?')")
        asks.locator("xpath=following-sibling::p[1]").get_by_role("button", name="They refuse").click()
        # What takes help away is asked once more.
        page.click("dialog button:has-text('Do it all the same')")
        self.say(page, "Ben does not agree to calls")
        until("the answer", lambda: self.answer("calls") == "refused")
        self.house.do("guardian.put", guardian={"id": "eva", "resident": "ben", "name": "Eva", "phone": "+4791234567"})
        # Norway takes no texts, so that nothing is left to be set up.
        with self.assertRaises(Refused) as refusal:
            self.house.do("emergency.prepare", target="ben", profile="NO", text="Ben, 80")
        self.assertIn("homeward consent grant calls", str(refusal.exception))
        self.house.do("guardian.remove", target="eva")
        refused = page.locator("p:has-text('Ben does not agree to calls')").locator("xpath=following-sibling::p[1]")
        refused.get_by_role("button", name="They consent").click()
        until("the other answer", lambda: self.answer("calls") == "granted")
        page.get_by_text("Ben does not agree to calls").wait_for(state="detached")
        self.go(page, "/settings?resident=ben")
        self.say(page, "That the gateway phones the emergency services for them")

    def test_whoever_does_not_agree_to_be_located_is_not_asked_for_until_they_agree(self):
        page = self.visit("anna@example.org", size=Browsers.DESK)
        self.go(page, "/settings?resident=ben")
        page.locator(".line:has-text('To be located')").get_by_role("button", name="They refuse").click()
        page.click("dialog button:has-text('Do it all the same')")
        until("the answer", lambda: self.answer("location") == "refused")
        self.go(page, "/map")
        self.say(page, "Ben does not agree to be located")
        self.assertEqual(page.locator("[data-person=ben] button").count(), 0)
        self.assertEqual(page.locator("[data-person=mary] button").count(), 1)
        with self.assertRaises(Refused):
            self.house.do("locate", target="ben")
        page.locator("p:has-text('Ben does not agree') + p").get_by_role("button", name="They consent").click()
        page.locator("[data-person=ben] button").wait_for()
        self.assertEqual(self.answer("location"), "granted")
        self.house.do("tracking.set", target="ben", isOn=True)
