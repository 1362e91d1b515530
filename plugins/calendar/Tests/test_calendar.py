"""Drives the plugin over pipes, as the host would, against a real HTTPS server and Debian's CalDAV server Radicale."""

import base64
import datetime
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from calendar_peers import PLUGIN, SOON, PluginCase, Radicale, calendar, event
from contentlines import CalendarFault
from fetch import collection
from plugin_host import WAIT_SECONDS, Host
from routine import CalendarImport

ROOT = pathlib.Path(__file__).resolve().parents[3]
NOW = datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.UTC)


class CaseTests(unittest.TestCase):
    def test_each_calendar_of_the_table_becomes_what_the_table_says(self):
        cases = json.loads((ROOT / "Tests" / "Formats" / "CalendarsTests" / "cases.json").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(cases), 99)
        for case in cases:
            with self.subTest(case["name"]):
                self.check(case)

    def check(self, case):
        text = case["text"].encode() if "text" in case else calendar(*case["lines"])
        all_day = tuple(map(int, case.get("allDayTime", "09:00").split(":")))
        context = {"resident": "ada", "source": "family", "time_zone": "Europe/Madrid", "now": NOW, "all_day": all_day}
        if "fault" in case:
            with self.assertRaises(CalendarFault) as caught:
                CalendarImport(text, **context)
            self.assertEqual(caught.exception.code, case["fault"])
            return
        read = CalendarImport(text, **context)
        plain = {"id", "resident", "source", "event"}
        items = [{key: value for key, value in item.items() if key not in plain and value} for item in read.items]
        self.assertEqual(items, case["items"])
        self.assertEqual([[title, code] for title, code, _ in read.left_out], case.get("leftOut", []))
        counts = (read.past, read.cancelled, read.shortened)
        self.assertEqual(counts, tuple(case.get(name, 0) for name in ("past", "cancelled", "shortened")))
        self.assertEqual({(item["resident"], item["source"]) for item in read.items} - {("ada", "family")}, set())

    def test_an_event_has_the_name_that_an_import_by_hand_gives_it(self):
        read = CalendarImport(
            calendar(event("u1", "A")), resident="ada", source="family", time_zone="Europe/Madrid", now=NOW
        )
        self.assertEqual([item["id"] for item in read.items], ["cal-03f32ac8ae8303549a363e211e7550cf"])

    def test_an_event_has_the_same_fingerprint_in_every_calendar(self):
        def events(source, *lines):
            context = {"resident": "ada", "source": source, "time_zone": "Europe/Madrid", "now": NOW}
            return [item.get("event") for item in CalendarImport(calendar(*lines), **context).items]

        self.assertEqual(events("family", event("u1", "A")), events("other", event("u1", "B")))
        self.assertNotEqual(events("family", event("u1", "A")), events("family", event("u2", "A")))
        nameless = event("u1", "A").replace("UID:u1\r\n", "")
        self.assertEqual(events("family", nameless), [None])

    def test_a_hostile_calendar_is_bounded(self):
        context = {"resident": "ada", "source": "family", "time_zone": "Europe/Madrid", "now": NOW}
        for data, code in (
            (calendar(*["BEGIN:VEVENT\r\nEND:VEVENT"] * 20_001), "too-many"),
            (calendar("X" * (9 << 20)), "too-large"),
            (b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" * 50_000, "truncated"),
        ):
            with self.assertRaises(CalendarFault) as caught:
                CalendarImport(data, **context)
            self.assertEqual(caught.exception.code, code)
        endless = [
            event(f"c{number}", "x", "19000101T103000Z", "RRULE:FREQ=HOURLY;COUNT=100000") for number in range(300)
        ]
        read = CalendarImport(
            calendar(*endless, event("bad", "bad \udcff".encode("utf-8", "surrogateescape").decode("latin-1"))),
            **context,
        )
        self.assertLessEqual(len(read.items), 1000)
        many = [
            event(str(number), str(number), f"2027{number % 12 + 1:02}{number % 28 + 1:02}T100000Z")
            for number in range(1500)
        ]
        read = CalendarImport(calendar(*many), **context)
        self.assertEqual((len(read.items), read.later), (1000, 500))

    def test_every_cut_of_a_calendar_is_told_from_the_whole(self):
        whole = calendar(event("1", "A"), event("2", "B"))
        for length in range(len(whole) - 2):
            with self.assertRaises(CalendarFault):
                CalendarImport(whole[:length], resident="a", source="f", time_zone="Europe/Madrid", now=NOW)

    def test_a_caldav_answer_that_is_broken_or_a_bomb_is_refused(self):
        bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><multistatus xmlns="DAV:">&a;</multistatus>'
        for body in (b"", b"<html>", bomb, b'<multistatus xmlns="DAV:"><response>', b"<html></html>"):
            with self.assertRaises(CalendarFault):
                collection(body)
        self.assertIn(b"BEGIN:VCALENDAR", collection(b'<multistatus xmlns="DAV:"/>'))


class WebTests(PluginCase):
    """The plugin against a real HTTPS server."""

    def test_a_calendar_is_handed_over_once_and_again_only_when_it_changed(self):
        first = (
            200,
            {"ETag": '"1"', "Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT"},
            calendar(event("1", "陳小美 Dentist")),
        )
        self.server.answers = [first]
        self.start(self.server.url(scheme="webcal"))
        items = self.replaced()
        self.assertEqual([item["title"] for item in items], ["陳小美 Dentist"])
        self.health("")
        self.stop()
        # The next run knows what the gateway took, and asks the server only for news.
        self.server.answers = [(304, {}, b"")]
        self.run_plugin()
        self.start(self.server.url(scheme="webcal"))
        self.health("")
        self.assertTrue(self.host.requests.empty())
        self.server.requests.get(timeout=WAIT_SECONDS)
        headers = self.server.requests.get(timeout=WAIT_SECONDS)[1]
        self.assertEqual(headers["If-None-Match"], '"1"')
        self.assertEqual(headers["If-Modified-Since"], "Fri, 20 Nov 2026 10:00:00 GMT")
        self.stop()
        self.server.answers = [(200, {"ETag": '"2"'}, calendar(event("1", "Dentist"), event("2", "Lunch")))]
        self.run_plugin()
        self.start(self.server.url(scheme="webcal"))
        self.assertEqual([item["title"] for item in self.replaced()], ["Dentist", "Lunch"])

    def test_nothing_that_is_no_calendar_wipes_the_routine(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start()
        self.assertEqual(len(self.replaced()), 1)
        self.health("")
        self.stop()
        for code, answer in (
            ("not-a-calendar", (200, {"Content-Type": "text/html"}, b"<!DOCTYPE html><html>Sign in</html>")),
            ("truncated", (200, {}, calendar(event("1", "A"))[:-20])),
            ("empty", (200, {}, b"")),
            ("emptied", (200, {}, calendar())),
            ("unauthorised", (401, {}, b"")),
            ("missing", (410, {}, b"gone")),
            ("answer", (503, {"Retry-After": "3600"}, b"")),
            ("unreachable", (200, {"Content-Length": "5000"}, b"BEGIN:VCALENDAR\r\n")),
            ("too-large", (200, {}, b"BEGIN:VCALENDAR\r\n" + b"X" * (9 << 20))),
            ("address", (302, {"Location": "http://localhost/family.ics"}, b"")),
            ("redirects", (302, {"Location": "/again.ics"}, b"")),
        ):
            with self.subTest(code):
                self.server.answers = [answer]
                self.run_plugin()
                self.start()
                health = self.health(code)
                self.assertEqual(health["state"], "degraded")
                self.assertIn("its last good copy stays", health["detail"])
                self.assertTrue(self.host.requests.empty())
                self.stop()

    def test_a_dead_network_changes_nothing_and_is_told(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start()
        self.replaced()
        self.health("")
        self.stop()
        url = self.server.url()
        self.server.close()
        self.run_plugin()
        self.start(url)
        self.assertIn("last good copy", self.health("unreachable")["detail"])
        self.assertTrue(self.host.requests.empty())

    def test_an_empty_calendar_empties_the_routine_only_where_the_owner_says_so(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start(allowEmpty=True)
        self.replaced()
        self.health("")
        self.stop()
        self.server.answers = [(200, {}, calendar())]
        self.run_plugin()
        self.start(allowEmpty=True)
        self.assertEqual(self.replaced(), [])

    def test_what_is_left_out_is_named_to_the_owner_and_only_counted_in_the_log(self):
        strange = event("2", "Aunt's secret", SOON, "RRULE:FREQ=SECONDLY")
        self.server.answers = [(200, {}, calendar(event("1", "A"), strange))]
        self.start()
        self.assertEqual([item["title"] for item in self.replaced()], ["A"])
        health = self.health("left-out")
        self.assertEqual(health["state"], "working")
        self.assertIn("Aunt's secret", health["detail"])
        self.host.logged("1 left out for their rule")
        self.assertNotIn("secret", self.host.log)

    def test_what_the_gateway_refuses_is_told_and_offered_again(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start()
        request = self.host.requests.get(timeout=WAIT_SECONDS)
        error = {"code": 1001, "message": "There is no resident ada."}
        self.host.send_line(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}))
        self.assertIn("There is no resident ada", self.health("refused")["detail"])
        self.stop()
        self.run_plugin()
        self.start()
        self.assertEqual(len(self.replaced()), 1)

    def test_what_another_calendar_holds_is_named_and_offered_again(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start()
        held = {"result": {"alreadyThere": [{"title": "A", "source": "clinic"}]}}
        self.host.request(held)
        health = self.health("left-out")
        self.assertEqual(health["state"], "working")
        self.assertIn("clinic", str(health["detail"]))
        self.stop()
        # The same calendar is handed over once more: the other one may be gone meanwhile.
        self.run_plugin()
        self.start()
        self.assertEqual([item["title"] for item in self.replaced()], ["A"])

    def test_the_password_goes_to_the_server_and_nowhere_else(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start(username="ada", password="pässword")
        self.replaced()
        headers = self.server.requests.get(timeout=WAIT_SECONDS)[1]
        self.assertEqual(base64.b64decode(headers["Authorization"].split()[1]).decode(), "ada:pässword")
        self.stop()
        kept = b"".join(path.read_bytes() for path in pathlib.Path(self.state.name).iterdir())
        self.assertNotIn("pässword".encode(), kept)
        self.assertNotIn("pässword", self.host.log)

    def test_a_certificate_that_nobody_vouches_for_is_not_trusted(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start(ca=False)
        self.health("certificate")
        self.assertTrue(self.server.requests.empty())

    def test_settings_that_cannot_work_are_refused_with_a_sentence(self):
        for changes, words in (
            ({"url": "http://localhost/a.ics"}, "must begin with https"),
            ({"allDayTime": "25:00"}, "09:00"),
            ({"name": "../x"}, "letters, digits and hyphens"),
        ):
            one = {
                "name": "family",
                "resident": "ada",
                "timeZone": "Europe/Madrid",
                "url": "https://localhost/",
                **changes,
            }
            host = Host(str(PLUGIN))
            self.addCleanup(host.close)
            answer = host.start(["network"], calendars=[one])
            self.assertIn(words, answer["error"]["message"])

    def test_lines_that_are_no_requests_are_answered_and_the_plugin_goes_on(self):
        for line in ("nonsense", "[]", "5", '{"method":5}'):
            self.host.send_line(line)
            self.assertIn("error", self.host.answer())
        self.assertEqual(self.host.call("unheard.of")["error"]["code"], -32601)
        self.assertEqual(self.host.call("events.deliver", Host.batch("alarm", ["{}"]))["error"]["code"], -32600)
        self.assertIn("result", self.host.call("health"))


class CalDAVTests(PluginCase):
    """The plugin against a real CalDAV server."""

    def setUp(self):
        super().setUp()
        self.radicale = Radicale()
        self.addCleanup(self.radicale.close)

    def follow(self, **changes):
        self.start(self.radicale.url, kind="caldav", username="ada", **({"password": "secret"} | changes))

    def test_a_collection_is_read_whole_and_again_when_it_changed(self):
        moved = "\r\n".join(
            (
                "BEGIN:VEVENT", "UID:walk", "DTSTAMP:20261101T000000Z", "SUMMARY:Walk",
                "RECURRENCE-ID:20261203T090000Z", "DTSTART:20261203T110000Z", "END:VEVENT",
            )
        )  # fmt: skip
        walk = event("walk", "Walk", "20261201T090000Z", "RRULE:FREQ=DAILY")
        self.radicale.ask("PUT", "walk.ics", calendar(walk, moved))
        self.radicale.ask("PUT", "dentist.ics", calendar(event("dentist", "看牙醫 <&>")))
        task = "BEGIN:VTODO\r\nUID:bulbs\r\nDTSTAMP:20261101T000000Z\r\nSUMMARY:Light bulbs\r\nEND:VTODO"
        self.radicale.ask("PUT", "bulbs.ics", calendar(task))
        self.follow()
        items = {item["title"]: item for item in self.replaced()}
        self.assertEqual(set(items), {"Walk", "看牙醫 <&>", "Light bulbs"})
        self.assertEqual(items["Walk"]["schedule"]["excluded"], ["2026-12-03T09:00:00"])
        self.assertEqual(items["Walk"]["schedule"]["added"], ["2026-12-03T11:00:00"])
        self.assertEqual(items["Light bulbs"]["schedule"], {"kind": "never"})
        self.health("")
        self.stop()
        self.run_plugin()
        self.follow()
        self.health("")
        self.assertTrue(self.host.requests.empty())
        self.stop()
        self.radicale.ask("DELETE", "walk.ics", None)
        self.run_plugin()
        self.follow()
        self.assertEqual(len(self.replaced()), 2)
        self.health("")
        self.stop()
        self.radicale.ask("DELETE", "", None)
        self.run_plugin()
        self.follow()
        self.health("missing")
        self.assertTrue(self.host.requests.empty())

    def test_a_wrong_password_is_told(self):
        self.follow(password="wrong")
        self.assertIn("password", self.health("unauthorised")["detail"])


if __name__ == "__main__":
    unittest.main()
