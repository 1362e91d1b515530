"""The photograph of an SOS stands on its page and among the alerts, for those who may see it and for nobody else."""

import io
import json
import re
import unittest

from house import Browsers, House, until
from looks import misshapen, violations
from PIL import Image

WIDTH, HEIGHT = 96, 64
# Loaded whole, and in the colour of what the camera saw.
SEEN = """async () => {
  const picture = document.querySelector('figure img');
  if (!picture?.complete || !picture.naturalWidth) return null;
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  return [canvas.width, canvas.height, ...context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
}"""


def picture():
    """What the camera sees: a wall, painted red."""
    data = io.BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT), (200, 30, 30)).save(data, "JPEG")
    return data.getvalue()


class PhotographTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House(picture=picture())
        cls.addClassCleanup(cls.house.close)
        cls.house.do("setting.put", target="mary", name="prealarmSeconds", value=5)
        cls.house.account("Cem", "cem@example.org", "ben")
        cls.house.account("Noor", "noor@example.org", role=None)
        cls.browsers = Browsers(cls.house)
        cls.addClassCleanup(cls.browsers.close)

    def tearDown(self):
        self.browsers.close()
        self.assertEqual(self.browsers.faults, [])

    def raised(self):
        """A new SOS of Mary; its id."""
        self.house.do("sos.raise", target="mary", trigger="backend")
        return next(one for one in self.house.call("alarms.list") if one["kind"] == "sos")["alarm"]

    def resolve(self, alarm):
        """Ends an SOS, as Anna does."""
        members = {"target": alarm, "reason": "She is well."}
        status, _, text = self.house.post("/api/v1/alarm/resolve", members, self.house.token("anna@example.org"))
        self.assertEqual(status, 200, text)

    def photographs(self, alarm):
        """The events of photographs of an alarm."""
        events = self.house.call("events.query", {"types": ["alarm.photo"], "limit": 50})
        return [one for one in events if one["data"]["alarm"] == alarm]

    def test_it_is_seen_by_those_who_care_and_by_nobody_else(self):
        alarm = self.raised()
        anna = self.browsers.visitor("anna@example.org", size=Browsers.DESK)
        anna.goto(self.house.base + f"/alarm?id={alarm}")
        anna.get_by_role("heading", name="What the camera saw").wait_for()
        width, height, red, green, blue, _ = until("the picture", lambda: anna.evaluate(SEEN))
        self.assertEqual((width, height), (WIDTH, HEIGHT))
        self.assertTrue(red > 150 and green < 90 and blue < 90, (red, green, blue))
        self.assertRegex(anna.locator("figure img").get_attribute("alt"), r"Photograph, taken \d\d:\d\d")
        self.assertEqual((violations(anna), misshapen(anna)), ([], []))
        [event] = self.photographs(alarm)
        self.assertTrue(event["data"]["isTaken"])
        path = f"/photograph/{event['id']}"
        # Whoever cares for her, and she herself.
        for email in ("anna@example.org", "bo@example.org", "mary@example.org"):
            status, headers, _ = self.house.get(path, self.house.token(email))
            self.assertEqual((status, headers["Content-Type"]), (200, "image/jpeg"), email)
            self.assertEqual(headers["Cache-Control"], "private, no-cache")
        # Whoever has it is not sent it again, as long as they may see it.
        tag, token = headers["ETag"], self.house.token("anna@example.org")
        self.assertEqual(self.house.get(path, token, If_None_Match=tag)[0], 304)
        self.assertEqual(self.house.get(path, If_None_Match=tag)[0], 401)
        # Neither who cares for somebody else, nor who is linked to nobody, nor who has not logged in.
        for email in ("cem@example.org", "noor@example.org"):
            token = self.house.token(email)
            self.assertIn(self.house.get(path, token)[0], (403, 404), email)
            self.assertIn(self.house.get(f"/api/v1/alarm/photograph?id={event['id']}", token)[0], (403, 404), email)
            self.assertNotIn(event["id"], json.dumps(self.house.get("/api/v1/events/query", token)[2]))
        self.assertEqual(self.house.get(path)[0], 401)
        self.assertEqual(self.house.get(f"/api/v1/alarm/photograph?id={event['id']}")[0], 401)
        cem = self.browsers.visitor("cem@example.org")
        cem.goto(self.house.base + f"/alarm?id={alarm}")
        cem.get_by_role("heading", name="This alarm is over").wait_for()
        self.assertEqual(cem.locator("figure").count(), 0)
        # Among the alerts it is told of, and once the alarm is over its page still shows it.
        anna.goto(self.house.base + "/alerts")
        anna.get_by_text(re.compile("photograph", re.IGNORECASE)).first.wait_for()
        self.resolve(alarm)
        anna.goto(self.house.base + f"/alarm?id={alarm}")
        anna.get_by_role("heading", name="This alarm is over").wait_for()
        self.assertEqual(until("the picture", lambda: anna.evaluate(SEEN))[:2], [WIDTH, HEIGHT])

    def test_nobody_is_photographed_who_does_not_agree_until_they_do(self):
        self.house.do("consent.put", target="mary", kind="camera", isGranted=False, by="Mary")
        alarm = self.raised()
        page = self.browsers.visitor("anna@example.org")
        page.goto(self.house.base + f"/alarm?id={alarm}")
        page.get_by_text("Mary does not agree to be photographed").wait_for()
        self.assertEqual([one["data"]["isTaken"] for one in self.photographs(alarm)], [False])
        page.get_by_role("button", name="They consent").click()
        page.get_by_text("Mary does not agree to be photographed").wait_for(state="detached")
        self.resolve(alarm)
        again = self.raised()
        # The new alarm opens its page by itself.
        page.wait_for_url(re.compile(again))
        page.locator("figure img").wait_for()
        self.assertEqual([one["data"]["isTaken"] for one in self.photographs(again)], [True])
        self.resolve(again)


if __name__ == "__main__":
    unittest.main()
