"""Without a connection, and with a bad one."""

import re
import unittest

import slow
from house import until
from shared_house import InTheHouse


class ConnectionTests(InTheHouse):
    def test_what_was_seen_can_be_read_without_a_connection_and_what_is_written_is_sent_once(self):
        page = self.visit("anna@example.org")
        page.wait_for_function("() => navigator.serviceWorker && navigator.serviceWorker.controller")
        self.go(page, "/messages?resident=mary")
        page.context.set_offline(True)
        page.reload()
        self.say(page, "Messages")
        page.fill("textarea", "Written on the train.")
        page.click("button:has-text('Send')")
        self.say(page, "There is no connection to the gateway.")
        page.reload()
        page.context.set_offline(False)
        self.say(page, "Written on the train.")
        sent = [one["text"] for one in self.house.call("messages.query", {"limit": 50})]
        self.assertEqual(sent.count("Written on the train."), 1)

    def test_a_page_says_when_it_is_not_live(self):
        page = self.visit("anna@example.org")
        page.wait_for_load_state("load")
        later = """() => {
          const own = Date.now; Date.now = () => own() + 100_000;
          document.dispatchEvent(new Event('visibilitychange'));
          return document.getElementById('stale') !== null;
        }"""
        # The first sign of life of the stream may still be on its way.
        until("the notice", lambda: page.evaluate(later) and page.get_by_text("Not live since").first.is_visible())

    def test_a_message_and_an_alarm_come_through_on_a_slow_telephone(self):
        anna, bo = self.visit("anna@example.org", service_workers="block"), self.visit("bo@example.org")
        proof = slow.prove(anna)
        self.assertGreater(proof["downloadMilliseconds"], 0.8 * proof["downloadExpectedMilliseconds"])
        self.assertGreater(proof["downloadMilliseconds"], proof["downloadUnthrottledMilliseconds"])
        self.assertGreater(proof["slowdown"], slow.SLOWDOWN / 2)
        self.go(anna, "/messages?resident=mary")
        anna.fill("textarea", "I am on the way.")
        # Nothing seems to happen, and so she presses once more.
        anna.locator("button:has-text('Send'):visible").dblclick()
        self.say(anna, "I am on the way.")
        self.say(bo, "I am on the way.")
        sent = [one["text"] for one in self.house.call("messages.query", {"limit": 50})]
        self.assertEqual(sent.count("I am on the way."), 1)
        self.house.do("sos.raise", target="mary", trigger="backend")
        anna.wait_for_url(re.compile("/alarm"))
        anna.click("text=I’m coming")
        self.say(anna, "Anna takes charge.")
        self.say(bo, "Anna takes charge.")
        # It was slow until now.
        script = anna.locator("script[src*='/static/']").first.get_attribute("src")
        took = anna.evaluate(slow.DOWNLOAD, script.rpartition("/")[0] + "/leaflet.js")[1]
        self.assertGreater(took, 0.8 * proof["downloadExpectedMilliseconds"])
        alarm = self.house.call("alarms.list")[0]["alarm"]
        self.house.do("alarm.resolve", target=alarm, by="anna", reason="She is at home.")

    def test_the_pages_go_on_when_the_gateway_was_started_again(self):
        page = self.visit("anna@example.org")
        self.say(page, "Mary")
        self.house.stop()
        self.house.start()
        self.house.do("message.send", target="again", resident="mary", sender="Bo", text="Here again.")
        self.say(page, "Here again.")


if __name__ == "__main__":
    unittest.main()
