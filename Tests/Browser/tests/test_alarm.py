"""An alarm on the pages: it cannot be missed, and everybody sees who comes."""

import re
import unittest

import keys
from house import Browsers
from looks import misshapen, show, violations
from shared_house import InTheHouse


class AlarmTests(InTheHouse):
    def test_an_alarm_reaches_every_page_and_who_comes_is_seen_by_the_others(self):
        anna, bo = self.visit("anna@example.org"), self.visit("bo@example.org", size=Browsers.DESK)
        self.house.do("setting.put", target="mary", name="prealarmSeconds", value=5)
        eva = {"id": "eva", "resident": "mary", "name": "Eva", "phone": "+15555550126"}
        self.house.do("guardian.put", guardian=eva)
        self.go(bo, "/messages?resident=mary")
        bo.fill("textarea", "Shall I bring")
        self.house.do("sos.raise", target="mary")
        anna.wait_for_url(re.compile("/alarm"))
        bo.locator(".banner:not(.calm)").wait_for()
        self.assertEqual(bo.input_value("textarea"), "Shall I bring")
        self.say(anna, "Nobody was called yet")
        anna.locator("button.great").wait_for()
        # Where she is stands there in words, and on a small map below what can be done.
        self.say(anna, "Mary is in it")
        anna.locator("#map path").first.wait_for(state="attached")
        self.assertEqual((violations(anna), misshapen(anna), keys.walk(anna)), ([], [], []))
        show(anna, Browsers.PHONE)
        self.say(anna, "Nobody has taken charge yet.")
        self.assertLess(anna.locator("text=I’m coming").bounding_box()["y"], 844 - 90)
        self.assertEqual(anna.get_by_role("link", name="Call Eva").get_attribute("href"), "tel:+15555550126")
        # Whoever reads Chinese reads so what happened to one who speaks English.
        an = self.visit("an@example.org", language="zh")
        self.go(an, "/alarm?id=" + anna.url.split("id=")[1])
        self.assertIn("Mary请求帮助。", an.inner_text(".siren"))
        an.context.close()
        anna.click("text=Silence the room")
        self.say(anna, "Saved.")
        anna.click("text=I’m coming")
        self.say(anna, "Anna takes charge.")
        bo.locator(".banner", has_text="Anna takes charge.").wait_for()
        bo.click(".banner:not(.calm)")
        self.say(bo, "Anna takes charge.")
        bo.evaluate("() => document.addEventListener('calmed', () => { window.isCalmed = true; })")
        anna.click("summary")
        anna.fill("[name=reason]", "She only dropped a cup.")
        anna.click("button:has-text('Close the alarm')")
        anna.wait_for_url(re.compile("/alerts"))
        self.say(bo, "This alarm is over")
        bo.locator("#map").wait_for(state="detached")
        bo.wait_for_function("() => window.isCalmed")
        anna.locator(".banner.calm", has_text="She only dropped a cup.").wait_for()
        # What comes next is not seen on the list of alerts, which tells that it was looked at.
        self.go(anna, "/messages?resident=mary")
        # Mary calls again, and takes it back in words of her own.
        self.house.do("pin.set", target="mary", kind="okay", pin="4711")
        mary = self.visit("mary@example.org")
        self.house.do("sos.raise", target="mary")
        self.say(anna, "Nobody has taken charge yet.")
        self.go(mary, "/alerts")
        mary.click("a:has-text('Mary needs help')")
        self.assertEqual(mary.input_value("[name=message]"), "I am all right. Thank you for looking after me.")
        self.assertEqual(mary.locator("text=I’m coming").count(), 0)
        self.assertEqual((violations(mary), misshapen(mary)), ([], []))
        mary.fill("[name=message]", "It was only the cat.")
        mary.fill("[name=pin]", "4711")
        mary.click("button:has-text('All is well')")
        self.say(anna, "It was only the cat.")
        self.say(bo, "This alarm is over")
        # What nobody looked at yet is counted, until somebody has, on any of their devices.
        self.go(anna, "/")
        anna.get_by_label(re.compile("unseen alert")).wait_for()
        self.go(anna, "/alerts")
        anna.locator(".badge").wait_for(state="detached")
        self.assertIn("alertsSeen", self.house.get("/api/v1/account/show", self.house.token("anna@example.org"))[2])
        bo.get_by_label(re.compile("unseen alert")).wait_for()
        self.assertEqual(self.house.get("/photograph/nothing", self.house.token("bo@example.org"))[0], 404)


if __name__ == "__main__":
    unittest.main()
