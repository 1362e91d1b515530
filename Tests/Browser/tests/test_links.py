"""A guardian without an account opens the link in a message: one alarm, live, until it is over and not after."""

import re
import unittest

import keys
from house import HOME, Browsers, House, until
from letters import Letters
from looks import misshapen, violations


class LinkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.letters = Letters()
        cls.addClassCleanup(cls.letters.close)
        cls.house = House(mail_port=cls.letters.port)
        cls.addClassCleanup(cls.house.close)
        for name in ("cy", "di"):
            guardian = {"id": name, "resident": "mary", "name": name.capitalize(), "email": f"{name}@example.net"}
            cls.house.do("guardian.put", guardian={**guardian, "isCaregiver": name == "di"})
        cls.browsers = Browsers(cls.house)
        cls.addClassCleanup(cls.browsers.close)

    def link(self, name):
        """The link in the last letter to somebody."""
        address = f"{name}@example.net"
        text = until("the letter", lambda: self.letters.texts(address))[-1]
        return re.search(rf"{re.escape(self.house.base)}(/g/[0-9a-f]{{32}})", text).group(1)

    def test_the_link_shows_one_alarm_live_until_it_is_over(self):
        self.house.do("sos.raise", target="mary", trigger="backend")
        path = self.link("cy")
        page = self.browsers.visitor()
        page.goto(self.house.base + path)
        page.wait_for_selector("h1:has-text('Mary needs help')")
        text = page.inner_text("#main")
        self.assertIn("Nobody has taken charge yet.", text)
        self.assertIn(f"{HOME[0]:.5f},{HOME[1]:.5f}", text)
        self.assertEqual((violations(page), misshapen(page), keys.walk(page)), ([], [], []))
        other = self.browsers.visitor(language="zh")
        other.goto(self.house.base + path)
        self.assertIn("Mary请求帮助。", other.inner_text("#main"))
        other.context.close()
        # Where she is is told anew at least every ten seconds.
        self.house.offset = (300.0, 0.0)
        page.wait_for_function("() => document.querySelector('#main').innerText.includes('40.0127')", timeout=20_000)
        self.assertLess(float(page.evaluate(
            "() => (Date.now() - Date.parse(document.querySelector('.card time').dateTime)) / 1000")), 10)  # fmt: skip
        page.click("button:has-text('I’m coming')")
        page.wait_for_selector("text=You said that you are coming.")
        alarm = next(one for one in self.house.call("alarms.list") if one["kind"] == "sos")
        self.assertEqual(alarm["acknowledgedBy"], ["cy"])
        # Nothing else is to be had by it.
        token = path.removeprefix("/g/")
        for other in (
            "residents/list",
            "guardians/list",
            "zones/list",
            "events/query",
            "locations/query?resident=mary",
        ):
            self.assertEqual(self.house.get(f"/api/v1/{other}", token)[0], 403, other)
        self.assertEqual(self.house.get("/api/v1/alarms/list", token)[0], 200)
        self.assertEqual(self.house.post("/api/v1/zone/remove", {"target": "home"}, token)[0], 403)
        self.assertEqual(self.house.get("/", token)[0], 303)
        # The daemon starts anew, as after a power cut: the link is the same.
        self.house.stop()
        self.house.start()
        self.assertEqual(self.house.get(path)[0], 200)
        self.house.do("alarm.resolve", target=alarm["alarm"], by="di", reason="She is at home.")
        page.wait_for_selector("h1:has-text('This link opens nothing')", timeout=20_000)
        status, headers, text = self.house.get(path)
        self.assertEqual((status, headers["Cache-Control"]), (410, "no-store"))
        self.assertNotIn("Mary", text)
        self.assertEqual(self.house.get("/api/v1/alarm/linked", token)[0], 401)
        self.assertEqual(self.house.get("/g/" + "0" * 32)[0], 410)
        page.context.close()
        self.assertEqual(self.browsers.faults, [])


if __name__ == "__main__":
    unittest.main()
