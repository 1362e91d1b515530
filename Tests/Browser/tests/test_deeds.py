"""What people do on the pages, seen again at the gateway."""

import contextlib
import io
import json
import re
import unittest

from house import Browsers, Refused, until
from PIL import Image
from radio import GLUCOSE
from shared_house import InTheHouse


class DeedTests(InTheHouse):
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
        self.addCleanup(self.leave_no_zone, "Day centre")
        self.assertEqual((zone["radiusMeters"], zone["resident"]), (60, "mary"))
        page.click("text=Day centre")
        page.fill("[name='zone.radiusMeters']", "80")
        page.click("text=Save")
        # The gateway knows it before the page has gone back to the list.
        self.say(page, "Circle, 80 m")
        self.assertEqual(self.zone("Day centre")["radiusMeters"], 80)
        page.click("text=Day centre")
        page.click("button:has-text('Delete')")
        until("the removal", lambda: self.zone("Day centre") is None)
        page.click("button:has-text('Undo')")
        until("the zone again", lambda: self.zone("Day centre"))

    def leave_no_zone(self, name):
        """What a test that failed left behind would stand on the pages of the others."""
        if zone := self.zone(name):
            self.house.do("zone.remove", target=zone["id"])

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
        page.wait_for_function("() => document.querySelector('[name=\"zone.center.latitude\"]').value !== ''")
        self.assertAlmostEqual(float(page.input_value("[name='zone.center.latitude']")), 40.01, delta=0.05)

    def test_a_place_is_pressed_changed_deleted_and_brought_back(self):
        page = self.visit("anna@example.org", size=Browsers.DESK)
        self.go(page, "/bookmarks?resident=mary")
        page.fill("[name='bookmark.name']", "Baker")
        page.click("text=Keep this place")
        self.say(page, "Say where the place is")
        page.fill("[name='bookmark.address']", "Nowhere Lane 1")
        page.click("text=Keep this place")
        self.say(page, "and choose one")
        page.fill("[name='bookmark.address']", "")
        box = page.locator("#map").bounding_box()
        page.mouse.move(box["x"] + 300, box["y"] + 300)
        page.mouse.down()
        page.wait_for_function("() => document.querySelector('[data-latitude]').value !== ''")
        page.mouse.up()
        page.click("text=Keep this place")
        page.get_by_role("link", name="Baker").click()
        [place] = [one for one in self.house.call("bookmarks.list") if one["name"] == "Baker"]
        self.assertAlmostEqual(place["coordinate"]["latitude"], 40.01, delta=0.05)
        page.fill("[name='bookmark.name']", "The baker")
        page.click("text=Save")
        page.get_by_role("link", name="The baker").wait_for()
        self.assertIn({**place, "name": "The baker"}, self.house.call("bookmarks.list"))
        page.click("button:has-text('Delete')")
        page.click("button:has-text('Undo')")
        page.get_by_role("link", name="The baker").wait_for()
        # Whoever is looked after sees it, and is offered nothing that would be refused.
        own = self.visit("mary@example.org")
        self.go(own, "/bookmarks")
        self.say(own, "The baker")
        for path in ("/bookmarks", "/zones?zone=new", "/guardians", "/routine", "/settings"):
            self.go(own, path)
            offered = own.eval_on_selector_all("main [data-command]", "all => all.map(one => one.dataset.command)")
            self.assertLessEqual(set(offered), {"consent.put"}, path)
        self.house.do("bookmark.remove", target=place["id"])

    def test_who_is_asked_where_they_are_stays_in_the_middle_of_the_map(self):
        here = {"latitude": 40.012, "longitude": -74.003}
        page = self.visit("anna@example.org", geolocation=here, permissions=["geolocation"])
        self.addCleanup(lambda: setattr(self.house, "offset", (0.0, 0.0)))
        self.go(page, "/map?me=1")
        page.locator("path[fill='#1a73e8']").wait_for()
        page.locator("[data-person=mary] button").click()
        self.say(page, "Asked. The map shows the newer position as soon as it comes.")
        self.house.offset = (60.0, 0.0)
        page.wait_for_function(
            """async () => {
              const { map } = await import(document.querySelector('script[src*="map.js"]').src);
              const drawn = JSON.parse(document.getElementById('drawn').textContent);
              const { position } = drawn.people.find(person => person.id === 'mary');
              const away = map.getCenter().distanceTo([position.latitude, position.longitude]);
              return position.latitude > 40.0104 && away < 15;
            }"""
        )

    def test_help_is_called_for_somebody_and_ends_with_the_pin_that_was_set(self):
        page = self.visit("anna@example.org")
        self.go(page, "/settings?resident=ben")
        page.fill("[name=pin]", "12")
        page.click("text=Set it")
        page.locator(".fault:visible").wait_for()
        page.fill("[name=pin]", "4711")
        page.click("text=Set it")
        # Whoever knows a PIN ends an alarm with it: the gateway asks once more.
        page.click("dialog button:has-text('Do it all the same')")
        self.say(page, "Saved.")
        self.go(page, "/")
        dora = {"id": "dora", "resident": "ben", "name": "Dora", "phone": "+15555550124"}
        self.house.do("guardian.put", guardian=dora)
        self.house.do("setting.put", target="ben", name="prealarmSeconds", value=5)
        page.click("text=Call for help for Ben")
        page.click("dialog button:has-text('Do it all the same')")
        # Nobody knows where Ben is: the page of his alarm has no map, and follows all the same.
        page.wait_for_url(re.compile("/alarm"))
        until("Dora, who comes", lambda: self.comes("dora"))
        page.locator(".deeds strong", has_text="Dora").wait_for()
        with self.assertRaises(Refused):
            self.house.do("sos.cancel", target="ben", pin="4712")
        self.house.do("sos.cancel", target="ben", pin="4711")
        self.say(page, "is over")
        self.go(page, "/guardians?resident=ben")
        page.click("text=Send a test")
        page.click("dialog button:has-text('Do it all the same')")
        self.say(page, "The test is on its way.")
        latest = {"resident": "ben", "limit": 5}
        until(
            "the test", lambda: "alarm.dispatched" in [one["type"] for one in self.house.call("events.query", latest)]
        )

    def comes(self, guardian):
        """Whether the gateway takes it that a guardian comes: while it is counted down nobody has to."""
        with contextlib.suppress(Refused):
            return self.house.do("alarm.acknowledge", by=guardian) is not None
        return False

    def test_what_is_wrong_is_said_beside_the_form_and_nothing_is_lost(self):
        page = self.visit("anna@example.org")
        self.go(page, "/guardians?resident=ben")
        page.fill("[name='guardian.name']", "Cleo")
        page.fill("[name='guardian.phone']", "not a number")
        page.click("text=Add a guardian")
        page.locator(".fault:visible").wait_for()
        self.assertEqual(page.input_value("[name='guardian.name']"), "Cleo")
        page.fill("[name='guardian.phone']", "+15555550123")
        page.click("text=Add a guardian")
        until("Cleo", lambda: [one for one in self.house.call("guardians.list") if one["name"] == "Cleo"])
        self.say(page, "+15555550123")
        page.get_by_role("link", name="Cleo").click()
        page.fill("[name='guardian.email']", "cleo@example.org")
        page.select_option("[name='guardian.tier']", "2")
        page.click("text=Save")
        self.say(page, "+15555550123, cleo@example.org, told in round 2")

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
        page.select_option("[name='profile.units']", "imperial")
        page.click("form:has([name='profile.name']) button")
        until(
            "the profile",
            lambda: "woman" in json.dumps(self.house.call("account.show", {"account": self.own("anna@example.org")})),
        )
        # Who counts in feet sees and types them; what stays as it was is kept exactly.
        self.go(page, "/zones?resident=mary&zone=home")
        self.say(page, "Circle, 131 ft")
        self.assertEqual(page.input_value("[name='zone.radiusMeters']"), "131.2")
        page.fill("[name='zone.exitMarginMeters']", "100")
        page.click("button:has-text('Save')")
        self.say(page, "left counts 100 ft beyond")
        kept = self.zone("Home")
        self.assertEqual((kept["radiusMeters"], round(kept["exitMarginMeters"], 3)), (40, 30.48))
        self.house.do("zone.put", zone={**kept, "exitMarginMeters": 50})
        self.go(page, "/account")
        page.select_option("[name='profile.units']", "metric")
        page.click("form:has([name='profile.name']) button")
        self.say(page, "Saved.")

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

    def test_what_recurs_is_changed_and_has_a_picture_of_its_own(self):
        schedule = {"kind": "calendar", "start": "2026-11-01T00:00:00", "timeZone": "UTC", "rrule": "FREQ=DAILY"}
        item = {
            "id": "yellow",
            "resident": "mary",
            "kind": "medicine",
            "title": "The yellow pill",
            "details": "With water",
        }
        self.house.do("routine.put", item={**item, "schedule": {**schedule, "times": ["08:00", "20:00"]}})
        self.addCleanup(self.house.do, "routine.remove", target="yellow")
        page = self.visit("anna@example.org")
        self.go(page, "/routine?resident=mary")
        line = page.locator("li:has-text('The yellow pill')")
        line.get_by_role("link", name="Change").click()
        self.assertEqual(page.input_value("[name='item.schedule.times']"), "08:00, 20:00")
        self.assertFalse(page.locator("[data-drops-picture]").is_visible())
        # The second one takes the place of the first.
        self.show(page, "red")
        self.show(page, "navy")
        page.fill("[name='item.dose']", "half a tablet")
        page.fill("[name='item.schedule.times']", "08:30")
        page.click("button:has-text('Save')")
        page.wait_for_url(re.compile("/routine[^#]*$"))
        changed = self.pill("The yellow pill")
        self.assertEqual((changed["dose"], changed["schedule"]["times"]), ("half a tablet", ["08:30"]))
        self.assertEqual((changed["details"], changed["schedule"]["rrule"]), ("With water", "FREQ=DAILY"))
        page.wait_for_function("() => document.querySelector('li img')?.naturalWidth > 0")
        # Who takes a removal back has the picture again; who changes something else keeps it.
        line.get_by_role("button", name="Delete").click()
        until("the removal", lambda: self.pill("The yellow pill") is None)
        page.click("button:has-text('Undo')")
        self.assertEqual(until("the pill again", lambda: self.pill("The yellow pill"))["picture"], changed["picture"])
        line.get_by_role("link", name="Change").click()
        page.fill("[name='item.dose']", "")
        page.click("button:has-text('Save')")
        page.wait_for_url(re.compile("/routine[^#]*$"))
        self.assertEqual(
            (self.pill("The yellow pill")["dose"], self.pill("The yellow pill")["picture"]), ("", changed["picture"])
        )
        line.get_by_role("link", name="Change").click()
        page.click("text=Without a picture")
        page.click("button:has-text('Save')")
        page.wait_for_url(re.compile("/routine[^#]*$"))
        self.assertNotIn("picture", self.pill("The yellow pill"))
        # Times that these few fields cannot say stay as they are.
        kept = self.pill("The yellow pill")["schedule"] | {"rrule": "FREQ=DAILY;INTERVAL=3"}
        self.house.do("routine.put", item={**item, "schedule": kept})
        self.go(page, "/routine?resident=mary&item=yellow")
        self.assertEqual(page.locator("[name='item.schedule.times']").count(), 0)
        page.fill("[name='item.title']", "The yellow pill again")
        page.click("button:has-text('Save')")
        self.say(page, "The yellow pill again")
        yellow = next(one for one in self.house.call("routine.list") if one["id"] == "yellow")
        self.assertEqual((yellow["schedule"], yellow["title"]), (kept, "The yellow pill again"))

    def show(self, page, color):
        """Chooses a picture in a form, and waits until it was brought."""
        taken = io.BytesIO()
        Image.new("RGB", (400, 300), color).save(taken, "JPEG")
        before = page.locator("form img").evaluate_all("(all) => all.map((one) => one.src)")
        page.set_input_files("#f-picture", {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": taken.getvalue()})
        page.wait_for_function(
            """(before) => { const all = [...document.querySelectorAll('form img')];
              return all.length === 1 && !before.includes(all[0].src) && all[0].naturalWidth > 0; }""",
            arg=before,
        )

    def pill(self, title="The white pill"):
        return next((one for one in self.house.call("routine.list") if one["title"] == title), None)

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
        # A browser of five years ago, which has no dialogs of pages.
        page.evaluate("() => { delete HTMLDialogElement.prototype.showModal; }")
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("text=Switch tracking off")
        self.say(page, "Switch tracking on")
        self.assertFalse(self.tracking())
        page.click("text=Switch tracking on")
        until("tracking again", self.tracking)

    def tracking(self):
        mary = next(one for one in self.house.call("residents.list") if one["id"] == "mary")
        return mary["tracking"]["isOn"]


if __name__ == "__main__":
    unittest.main()
