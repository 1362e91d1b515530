"""Every page as people see it: both languages, telephone, hub and desk, every colour; and what they do on it."""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest

from axe_playwright_python.sync_playwright import Axe
from house import PASSWORD, ROOT, Browsers, House, until
from radio import GLUCOSE

PAGES = [
    "/", "/map", "/zones", "/zones?resident=mary&zone=home", "/zones?resident=mary&zone=garden", "/zones?zone=new",
    "/alerts", "/alerts?span=month&about=zones", "/day", "/routine", "/more", "/bookmarks", "/history", "/messages",
    "/memos", "/glucose", "/devices", "/guardians", "/settings", "/family", "/looks", "/account",
    "/reach",
]  # fmt: skip
# All of them, for everybody and at every size, where the long tests are wanted.
IS_WHOLE = os.environ.get("HOMEWARD_WHOLE_TESTS") == "1"
ENTRIES = ["/log-in", "/sign-up", "/forgot", "/enter", "/trust", "/nowhere"]
# Of what people press, the least side in CSS pixels; and no text that is cut, nor a page that is moved sideways.
GEOMETRY = """() => {
  const faults = [];
  const pressed = 'button, a.button, nav a, a.entry, input:not([type=hidden]), select, textarea, summary';
  for (const one of document.querySelectorAll(pressed)) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || one.closest('[hidden], details:not([open]) > :not(summary), #map')) continue;
    const least = one.type === 'checkbox' ? 28 : 48;
    const side = Math.min(box.height, box.width);
    if (side < least - 0.5) faults.push(`small: ${one.outerHTML.slice(0, 90)} ${side}`);
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) faults.push(`sideways by ${wide}`);
  return faults;
}"""
AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
    "rules": {"target-size": {"enabled": True}, "color-contrast-enhanced": {"enabled": True}},
}


class InTheHouse(unittest.TestCase):
    """Tests that share one house and one browser."""

    HAS_RADIO = False

    @classmethod
    def setUpClass(cls):
        cls.house = House(has_radio=cls.HAS_RADIO)
        cls.addClassCleanup(cls.house.close)
        cls.browsers = Browsers(cls.house)
        cls.addClassCleanup(cls.browsers.close)

    def tearDown(self):
        faults, self.browsers.faults = self.browsers.faults, []
        for context in self.browsers.chromium.contexts:
            context.close()
        self.assertEqual(faults, [])

    def visit(self, *words, **more):
        return self.browsers.visitor(*words, **more)

    def go(self, page, path):
        page.goto(self.house.base + path)

    def read(self, page):
        """What a camera reads from the code that a page shows."""
        page.locator("#qr:visible").wait_for()
        with tempfile.NamedTemporaryFile(suffix=".png") as picture:
            page.screenshot(path=picture.name, full_page=True)
            read = subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True)
        self.assertEqual(read.returncode, 0, read.stderr)
        return read.stdout.strip()

    def say(self, page, text):
        """Waits until a page says something."""
        page.get_by_text(text).locator("visible=true").first.wait_for()


class LookTests(InTheHouse):
    """Pages that hold something, looked at."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        house = cls.house
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        house.do(
            "bookmark.put",
            bookmark={
                "id": "park",
                "resident": "mary",
                "name": "Park",
                "address": "Long Lane 1",
                "coordinate": {"latitude": 40.011, "longitude": -74.01},
            },
        )
        corners = [[-74.0102, 40.0108], [-74.0095, 40.0108], [-74.0095, 40.0114], [-74.0102, 40.0108]]
        border = {"type": "Polygon", "coordinates": [corners]}
        house.do("zone.put", zone={"id": "garden", "resident": "mary", "name": "Garden", "border": border})
        house.do("message.send", target="hello", resident="mary", sender="Anna", text="I come at six.")
        note = {
            "id": "tap",
            "resident": "mary",
            "kind": "memo",
            "title": "Tap",
            "text": "The tap drips.",
            "time": now,
            "changedAt": now,
        }
        house.do("note.put", note=note)
        house.do(
            "glucose.put",
            reading={
                "id": "one",
                "resident": "mary",
                "level": "6.4",
                "unit": "mmol/L",
                "time": now,
                "receivedAt": now,
                "source": "hand",
                "revision": 0,
            },
        )
        until(
            "Mary's position",
            lambda: (
                house.call("residents.list")[1]["tracking"].get("position")
                or house.call("residents.list")[0]["tracking"].get("position")
            ),
        )

    def test_every_page_can_be_used_by_everybody(self):
        axe = Axe()
        for email, language in (("anna@example.org", "en"), ("an@example.org", "zh"), ("mary@example.org", "en")):
            page = self.visit(email, language=language)
            for path in PAGES if IS_WHOLE or language == "zh" else PAGES[::3]:
                with self.subTest(path=path, who=email):
                    self.go(page, path)
                    found = axe.run(page, options=AXE).response["violations"]
                    found = [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found]
                    self.assertEqual(found, [])
                    self.assertEqual(page.evaluate(GEOMETRY), [])

    def test_nobody_has_to_move_a_page_sideways(self):
        page = self.visit("anna@example.org")
        for width, height in ((320, 640), (800, 480), (1280, 800)) if IS_WHOLE else ((320, 640), (800, 480)):
            page.set_viewport_size({"width": width, "height": height})
            for size in ("", "larger") if IS_WHOLE else ("larger",):
                page.evaluate("size => localStorage.setItem('size', size)", size)
                for path in PAGES:
                    with self.subTest(path=path, width=width, size=size):
                        self.go(page, path)
                        faults = [fault for fault in page.evaluate(GEOMETRY) if fault.startswith("sideways")]
                        self.assertEqual(faults, [])

    def test_every_colour_can_be_read(self):
        axe, page = Axe(), self.visit("anna@example.org")
        for look in ("dark", "contrast"):
            page.evaluate("look => localStorage.setItem('look', look)", look)
            for path in ("/", "/alerts", "/settings", "/zones?resident=mary&zone=garden", "/devices"):
                with self.subTest(path=path, look=look):
                    self.go(page, path)
                    found = axe.run(page, options=AXE).response["violations"]
                    self.assertEqual([(one["id"], one["nodes"][0]["html"][:120]) for one in found], [])

    def test_who_is_not_logged_in_sees_the_entry_and_nothing_else(self):
        axe, page = Axe(), self.visit()
        for path in ENTRIES[:4]:
            with self.subTest(path=path):
                self.go(page, path)
                self.assertEqual(axe.run(page, options=AXE).response["violations"], [])
                self.assertEqual(page.evaluate(GEOMETRY), [])
        for path in PAGES:
            with self.subTest(path=path):
                status, headers, text = self.house.get(path)
                self.assertEqual(status, 303)
                self.assertTrue(headers["Location"].startswith("/log-in"))
                self.assertEqual(text, "")

    def test_every_text_of_a_page_is_in_its_language(self):
        page = self.visit("an@example.org", language="zh")
        english = re.compile(r"[A-Za-z]{3,}(?: [A-Za-z]+)+")
        for path in PAGES:
            with self.subTest(path=path):
                self.go(page, path)
                # What people wrote, names of parts and sentences of the gateway's own language stand as they are.
                others = ".line, .entry, select, #words, .siren"
                # At once: a page that comes true in between has them again.
                said = page.evaluate(
                    """others => {
                      document.querySelectorAll(others).forEach(one => one.remove());
                      return document.body.innerText;
                    }""",
                    others,
                )
                self.assertEqual(english.findall(said), [])
                self.assertEqual(page.get_attribute("html", "lang"), "zh-Hans")

    def test_scripts_keep_to_the_types_they_name(self):
        files = sorted(str(path) for path in (ROOT / "plugins/console/web").glob("*.js") if path.name != "sw.js")
        words = [
            "tsc",
            "--allowJs",
            "--checkJs",
            "--noEmit",
            "--strict",
            "--target",
            "es2022",
            "--module",
            "es2022",
            "--lib",
            "es2022,dom,dom.iterable",
        ]
        done = subprocess.run([*words, *files], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class DeedTests(InTheHouse):
    """What people do on the pages, seen again at the gateway."""

    HAS_RADIO = True

    def test_a_tag_and_a_meter_are_found_paired_named_and_taken_away(self):
        page, radio = self.visit("anna@example.org", Browsers.DESK), self.house.radio
        radio.device("A4:C1:38:8D:18:B2", name="Beacon", rssi=-50)
        meter = radio.device("C4:11:22:33:44:55", name="Guide", rssi=-60, uuids=[GLUCOSE], pairing="passkey")

        def search():
            self.go(page, "/devices?resident=mary")
            button = page.locator("button:has-text('Search')")
            button.evaluate(
                "one => one.dataset.members = JSON.stringify({...JSON.parse(one.dataset.members), seconds: 1})"
            )
            button.click()
            page.locator("#nearby progress").wait_for()
            for path in (meter, "/org/bluez/hci0/dev_A4_C1_38_8D_18_B2"):
                radio.ask("advertise", path=path, rssi=-52)

        search()
        page.get_by_role("link", name="Add Beacon").click()
        page.fill("[name='tag.name']", "Keys")
        page.select_option("[name='tag.awaySeconds']", "300")
        page.click("#chosen button:has-text('Add it')")
        page.get_by_role("link", name="Change Keys").click()
        page.fill("[name='tag.name']", "Bunch of keys")
        page.click("#chosen button:has-text('Save')")
        page.get_by_role("link", name="Change Bunch of keys").wait_for()
        kept = self.house.call("tag.get", {"id": self.house.call("tags.list")[0]["tag"]})
        self.assertEqual((kept["name"], kept["awaySeconds"], kept["resident"]), ("Bunch of keys", 300, "mary"))
        page.get_by_role("link", name="Change Bunch of keys").click()
        page.click("#chosen button:has-text('Take it away')")
        page.click("dialog button:has-text('Cancel')")
        self.assertEqual(len(self.house.call("tags.list")), 1)
        page.click("#chosen button:has-text('Take it away')")
        page.click("dialog button:has-text('Do it all the same')")
        page.click("text=Undo")
        page.get_by_role("link", name="Change Bunch of keys").wait_for()
        self.assertEqual(self.house.call("tags.list")[0]["identities"], ["address:A4:C1:38:8D:18:B2"])
        page.get_by_role("link", name="Add Guide").click()
        page.select_option("[name='meter.resident']", "ben")
        page.click("#chosen button:has-text('Cancel'), #chosen a:has-text('Cancel')")
        page.get_by_role("link", name="Add Guide").click()
        page.fill("[name='meter.name']", "Kitchen meter")
        page.click("text=Pair it")
        page.fill("[name=passkey]", "123456")
        page.click("text=Go on")
        self.say(page, "Kitchen meter is paired.")
        self.assertEqual([one["name"] for one in self.house.call("meters.list")], ["Kitchen meter"])
        self.assertEqual(radio.ask("state")["trusted"], [meter])

    def test_a_zone_is_made_changed_deleted_and_brought_back(self):
        page = self.visit("anna@example.org", size=Browsers.DESK)
        self.go(page, "/zones?resident=mary&zone=new")
        page.fill("[name='zone.name']", "Day centre")
        page.fill("[name='zone.radiusMeters']", "60")
        page.click("text=The middle of the map")
        page.click("text=Save")
        self.say(page, "Circle, 60 m")
        zone = until("the zone", lambda: self.zone("Day centre"))
        self.assertEqual((zone["radiusMeters"], zone["resident"]), (60, "mary"))
        page.click("text=Day centre")
        page.fill("[name='zone.radiusMeters']", "80")
        page.click("text=Save")
        until("the change", lambda: self.zone("Day centre")["radiusMeters"] == 80)
        page.click("text=Day centre")
        page.click("button:has-text('Delete')")
        until("the removal", lambda: self.zone("Day centre") is None)
        page.click("button:has-text('Undo')")
        until("the zone again", lambda: self.zone("Day centre"))
        self.house.do("zone.remove", target=self.zone("Day centre")["id"])

    def zone(self, name):
        return next((zone for zone in self.house.call("zones.list") if zone["name"] == name), None)

    def test_a_border_is_drawn_with_taps_and_changed_without_the_map(self):
        page = self.visit("anna@example.org")
        self.go(page, "/zones?resident=mary&zone=new")
        page.fill("[name='zone.name']", "Garden")
        page.select_option("#f-shape", "border")
        page.click("button:has-text('Save')")
        self.say(page, "Shape: A border needs three corners at least.")
        page.click("button:has-text('Draw on the map')")
        box = page.locator("#map").bounding_box()
        for index, (x, y) in enumerate(((0.3, 0.3), (0.7, 0.7), (0.7, 0.3), (0.3, 0.7))):
            page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
            page.locator(f"#corner-{index}").wait_for()
        bar = page.locator("#drawing")
        bar.get_by_text("The border crosses itself.").wait_for()
        bar.get_by_text("Undo corner").click()
        bar.get_by_text("Corners so far: 3.").wait_for()
        bar.get_by_text("Finish").click()
        corner = page.locator("#corner-1").bounding_box()
        page.mouse.move(corner["x"] + 24, corner["y"] + 24)
        page.mouse.down()
        page.mouse.move(corner["x"] + 24, corner["y"] + 64, steps=4)
        page.mouse.up()
        page.focus("#f-corner-0")
        before = page.input_value("#f-corner-0")
        page.focus("button[data-border=north]")
        page.keyboard.press("Enter")
        page.wait_for_function("before => document.querySelector('#f-corner-0').value !== before", arg=before)
        # What the gateway alone refuses is said beside the form as well, and nothing is lost.
        page.fill("#f-corner-2", "45, -74")
        page.click("button:has-text('Save')")
        self.say(page, "A zone reaches at most 100 km from its middle.")
        self.assertEqual(page.input_value("#f-corner-2"), "45, -74")
        page.click("#border button:has-text('Undo corner')")
        page.click("button:has-text('Save')")
        self.say(page, "Shape, 3 corners")
        border = self.zone("Garden")["border"]
        page.click("text=Garden")
        page.fill("[name='zone.name']", "The garden")
        page.click("button:has-text('Save')")
        self.say(page, "The garden")
        self.assertEqual(self.zone("The garden")["border"], border)
        self.house.do("zone.remove", target=self.zone("The garden")["id"])

    def test_two_seconds_on_the_map_put_a_zone_there(self):
        page = self.visit("anna@example.org", size=Browsers.DESK)
        self.go(page, "/zones?resident=mary")
        box = page.locator("#map").bounding_box()
        page.mouse.move(box["x"] + 300, box["y"] + 300)
        page.mouse.down()
        page.wait_for_url(re.compile("zone=new"))
        page.mouse.up()
        page.wait_for_function("document.querySelector('[name=\"zone.center.latitude\"]').value !== ''")
        self.assertAlmostEqual(float(page.input_value("[name='zone.center.latitude']")), 40.01, delta=0.05)

    def test_what_is_wrong_is_said_beside_the_form_and_nothing_is_lost(self):
        page = self.visit("anna@example.org")
        self.go(page, "/guardians?resident=mary")
        page.fill("[name='guardian.name']", "Cleo")
        page.fill("[name='guardian.phone']", "not a number")
        page.click("text=Add a guardian")
        page.locator(".fault:visible").wait_for()
        self.assertEqual(page.input_value("[name='guardian.name']"), "Cleo")
        page.fill("[name='guardian.phone']", "+15555550123")
        page.click("text=Add a guardian")
        until("Cleo", lambda: [one for one in self.house.call("guardians.list") if one["name"] == "Cleo"])
        self.say(page, "+15555550123")

    def test_messages_memos_and_places_reach_the_gateway(self):
        page = self.visit("anna@example.org")
        self.go(page, "/messages?resident=mary")
        page.fill("textarea", "Lunch is at noon.")
        page.click("button:has-text('Send')")
        self.say(page, "Lunch is at noon.")
        self.go(page, "/memos?resident=mary")
        page.fill("textarea", "Milk is out.")
        page.click("text=Keep it")
        self.say(page, "Milk is out.")
        page.click("button:has-text('Delete')")
        page.click("button:has-text('Undo')")
        self.say(page, "Milk is out.")
        self.go(page, "/account")
        page.select_option("[name='profile.gender']", "woman")
        page.click("form:has([name='profile.name']) button")
        until(
            "the profile",
            lambda: "woman" in json.dumps(self.house.call("account.show", {"account": self.own("anna@example.org")})),
        )

    def test_a_medicine_is_planned_switched_off_deleted_and_brought_back(self):
        page = self.visit("anna@example.org")
        self.go(page, "/routine?resident=mary")
        page.fill("[name='item.title']", "The white pill")
        page.fill("[name='item.schedule.times']", "8 Uhr")
        page.click("text=Plan it")
        page.locator(".fault:visible").wait_for()
        page.fill("[name='item.schedule.times']", "08:00, 20:00")
        page.click("text=Plan it")
        self.say(page, "The white pill")
        item = until("the pill", self.pill)
        self.assertEqual(item["schedule"]["times"], ["08:00", "20:00"])
        self.assertEqual(item["kind"], "medicine")
        page.click("button:has-text('Switch off')")
        until("it is off", lambda: not self.pill()["isOn"])
        page.click("button:has-text('Switch on')")
        until("it is on", lambda: self.pill()["isOn"])
        page.click("button:has-text('Delete')")
        until("the removal", lambda: self.pill() is None)
        page.click("button:has-text('Undo')")
        until("the pill again", self.pill)

    def pill(self):
        return next((one for one in self.house.call("routine.list") if one["title"] == "The white pill"), None)

    def own(self, email):
        return next(one["id"] for one in self.house.call("accounts.list") if one.get("email") == email)

    def test_what_takes_help_away_is_asked_once_more(self):
        page = self.visit("anna@example.org")
        self.go(page, "/settings?resident=mary")
        page.click("text=Switch tracking off")
        dialog = page.locator("dialog")
        dialog.wait_for()
        dialog.get_by_text("Cancel").click()
        self.assertTrue(self.tracking())
        page.click("text=Switch tracking off")
        dialog.get_by_text("Do it all the same").click()
        self.say(page, "Switch tracking on")
        self.assertFalse(self.tracking())
        page.click("text=Switch tracking on")
        until("tracking", self.tracking)

    def tracking(self):
        mary = next(one for one in self.house.call("residents.list") if one["id"] == "mary")
        return mary["tracking"]["isOn"]

    def test_an_alarm_reaches_every_page_and_who_comes_is_seen_by_the_others(self):
        anna, bo = self.visit("anna@example.org"), self.visit("bo@example.org", size=Browsers.DESK)
        self.house.do("setting.put", target="mary", name="prealarmSeconds", value=5)
        self.go(bo, "/messages?resident=mary")
        bo.fill("textarea", "Shall I bring")
        self.house.do("sos.raise", target="mary")
        anna.wait_for_url(re.compile("/alarm"))
        bo.locator(".banner").wait_for()
        self.assertEqual(bo.input_value("textarea"), "Shall I bring")
        self.say(anna, "Nobody was called yet")
        anna.locator("button.great").wait_for()
        # Where she is stands there in words, and on a small map below what can be done.
        self.say(anna, "Mary is in it")
        anna.locator("#map path").first.wait_for(state="attached")
        self.assertEqual([one["id"] for one in Axe().run(anna, options=AXE).response["violations"]], [])
        self.assertEqual(anna.evaluate(GEOMETRY), [])
        self.say(anna, "Nobody has taken charge yet.")
        self.assertLess(anna.locator("text=I’m coming").bounding_box()["y"], 844 - 90)
        anna.click("text=I’m coming")
        self.say(anna, "Anna takes charge.")
        bo.locator(".banner", has_text="Anna takes charge.").wait_for()
        bo.click(".banner")
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
        # Mary calls again, and takes it back in words of her own.
        self.house.do("pin.set", target="mary", kind="okay", pin="4711")
        mary = self.visit("mary@example.org")
        self.house.do("sos.raise", target="mary")
        self.say(anna, "Nobody has taken charge yet.")
        self.go(mary, "/alerts")
        mary.click("a:has-text('Mary needs help')")
        self.assertEqual(mary.input_value("[name=message]"), "I am all right. Thank you for looking after me.")
        self.assertEqual(mary.locator("text=I’m coming").count(), 0)
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

    def test_who_is_unlinked_sees_nothing_from_then_on(self):
        id = self.house.account("Dan", "dan@example.org", "mary")
        page = self.visit("dan@example.org")
        self.say(page, "Mary")
        token = self.house.token("dan@example.org")
        self.assertIn("Mary", self.house.get("/api/v1/residents/list", token)[2])
        self.house.do("account.unlink", target=id, resident="mary")
        self.say(page, "You are linked to nobody yet.")
        self.assertNotIn("Mary", self.house.get("/api/v1/residents/list", token)[2])
        self.assertNotIn("Mary", self.house.get("/", token)[2])

    def test_the_pages_go_on_when_the_gateway_was_started_again(self):
        page = self.visit("anna@example.org")
        self.say(page, "Mary")
        self.house.stop()
        self.house.start()
        self.house.do("message.send", target="again", resident="mary", sender="Bo", text="Here again.")
        self.say(page, "Here again.")


class EntryTests(InTheHouse):
    """The way in: for somebody new, by a code, by an address, and not for others."""

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
        mary.wait_for_url(self.house.base + "/")
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

    def test_somebody_is_linked_by_an_address(self):
        self.house.account("Finn", "finn@example.org")
        finn, mary = self.visit("finn@example.org"), self.visit("mary@example.org")
        self.go(mary, "/family")
        self.go(finn, "/family")
        finn.fill("[name=email]", "mary@example.org")
        finn.click("button:has-text('Ask')")
        self.say(finn, "You asked Mary Own")
        self.say(mary, "Finn asks to be linked with you")
        mary.click("button:has-text('Yes')")
        finn.wait_for_url(self.house.base + "/")

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
            self.assertNotIn(number, anna.inner_text("#browser"))
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
        # Both the answer and the end of the stream lead there.
        phone.get_by_role("heading", name="Log in").wait_for()

    def test_a_wrong_password_is_refused_in_plain_words(self):
        page = self.visit()
        page.fill("[name=email]", "anna@example.org")
        page.fill("[name=password]", "something else")
        page.click("form button")
        page.locator(".fault:visible").wait_for()
        self.assertTrue(page.url.endswith("/log-in"))
        self.browsers.log_in(page, "anna@example.org")

    def test_who_logs_out_is_out_in_every_tab(self):
        page = self.visit("bo@example.org")
        other = page.context.new_page()
        other.goto(self.house.base + "/alerts")
        self.go(page, "/account")
        page.click("button:has-text('Log out')")
        page.wait_for_url(re.compile("/log-in"))
        other.wait_for_url(re.compile("/log-in"))

    def test_whatever_people_write_stays_a_text(self):
        evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>\"'"
        self.house.do("resident.put", resident={"id": "ben", "name": evil[:190], "timeZone": "UTC"})
        self.house.do(
            "zone.put",
            zone={
                "id": "evil",
                "resident": "ben",
                "name": evil,
                "radiusMeters": 50,
                "center": {"latitude": 40.0, "longitude": -74.0},
            },
        )
        self.house.do("message.send", target="evil", resident="ben", sender=evil[:90], text=evil)
        page = self.visit("anna@example.org", size=Browsers.DESK)
        for path in (
            "/",
            "/map",
            "/zones?resident=ben",
            "/zones?resident=ben&zone=evil",
            "/messages?resident=ben",
            "/history?resident=ben",
            "/settings?resident=ben",
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


class ConnectionTests(InTheHouse):
    """Without a connection, and with a bad one."""

    def test_what_was_seen_can_be_read_without_a_connection_and_what_is_written_is_sent_once(self):
        page = self.visit("anna@example.org")
        page.wait_for_function("navigator.serviceWorker && navigator.serviceWorker.controller")
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


if __name__ == "__main__":
    unittest.main()
