"""Drives the plugin over pipes, as the host would, against a site that is played strictly."""

import json
import sys
import unittest
from pathlib import Path

from nightscout_peer import READER, SECRET, TOKEN, NightscoutPeer

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from json_server import CERTIFICATE, SplitMix64, glucose
from plugin_host import WAIT_SECONDS, Host

PLUGIN = Path(__file__).resolve().parent.parent / "upload.py"
ACCESS = {"v1": {"apiSecret": SECRET}, "v3": {"token": TOKEN}, "v1 by token": {"token": TOKEN, "api": "v1"}}
GRANTS = ("network", "health")
ACCEPTED = [{"from": 0, "to": 0, "outcome": "accepted"}]


class PluginCase(unittest.TestCase):
    """The plugin beside a site."""

    def setUp(self):
        self.site = self.new_site()
        self.run_plugin()

    def new_site(self):
        site = NightscoutPeer()
        self.addCleanup(site.close)
        return site

    def run_plugin(self, program=PLUGIN, **options):
        self.host = Host(str(program), **options)
        self.addCleanup(self.host.close)

    def start(self, sites=None, **access):
        one = {"resident": "mary", "url": self.site.url("/"), **(access or {"token": TOKEN})}
        answer = self.host.start(GRANTS, sites=sites or [one], caFile=CERTIFICATE.file)
        self.assertIn("result", answer, answer)

    def anew(self, access):
        """A plugin and a site of their own."""
        self.host.close()
        self.site = self.new_site()
        self.run_plugin()
        self.start(**access)

    def deliver(self, *events):
        return self.host.deliver(events, lane="record")

    def accepted(self, *events):
        for event in events:
            self.assertEqual(self.deliver(event), ACCEPTED)

    def waits(self, event, code):
        """Delivers what has to wait; the reason, after health has said the same."""
        outcome = self.deliver(event)[0]
        self.assertEqual(outcome["outcome"], "retry", outcome)
        health = self.host.call("health")["result"]
        self.assertEqual(health["code"], code)
        self.assertIn(outcome["reason"], health["detail"])
        return outcome

    def each_access(self):
        for name, access in ACCESS.items():
            with self.subTest(name):
                self.anew(access)
                yield name


class ReadingTests(PluginCase):
    """What becomes of readings."""

    def test_a_finger_stick_is_an_mbg_entry(self):
        for _ in self.each_access():
            self.accepted(glucose())
            [entry] = self.site.entries
            self.assertEqual((entry["type"], entry["mbg"]), ("mbg", 101))
            self.assertEqual((entry["date"], entry["utcOffset"]), (1795329660000, 60))
            self.assertEqual(entry["dateString"], "2026-11-22T07:41:00.000+01:00")
            self.assertEqual((entry["device"], entry["app"]), ("Contour Next", "homeward"))
            self.assertNotIn("sgv", entry)
            self.assertEqual(self.site.treatments, [])

    def test_a_sensor_reading_is_an_sgv_entry(self):
        for _ in self.each_access():
            self.accepted(glucose(sensor="cgm", value="180", unit="mg/dL", mgdl=180, meter=None))
            [entry] = self.site.entries
            self.assertEqual((entry["type"], entry["sgv"], entry["device"]), ("sgv", 180, "homeward"))
            self.assertNotIn("mbg", entry)

    def test_what_somebody_noted_is_a_note_beside_it(self):
        for _ in self.each_access():
            self.accepted(glucose(tag="vor dem Frühstück 早"))
            self.assertEqual(len(self.site.entries), 1)
            [note] = self.site.treatments
            self.assertEqual((note["eventType"], note["notes"]), ("Note", "vor dem Frühstück 早"))
            self.assertEqual(note["created_at"], "2026-11-22T06:41:00.000Z")
            self.assertEqual(note["enteredBy"], "Homeward")
            self.assertNotIn("glucose", note)

    def test_notes_stay_here_when_the_owner_says_so(self):
        self.start(token=TOKEN, notes=False)
        self.accepted(glucose(tag="private"), glucose(reading="2", tag="private", timeDoubt="the clock was set"))
        self.accepted(glucose(reading="3", tag="private", sensor="unknown"))
        self.assertEqual(len(self.site.entries), 1)
        self.assertNotIn("private", json.dumps(self.site.treatments + self.site.entries))

    def test_a_doubtful_time_is_told_in_words_and_never_as_a_level(self):
        for _ in self.each_access():
            for sensor in ("finger-stick", "cgm", "unknown"):
                self.accepted(glucose(reading=sensor, sensor=sensor, timeDoubt=f"the clock of the {sensor} was reset"))
            self.assertEqual(self.site.entries, [])
            for note in self.site.treatments:
                self.assertEqual(note["eventType"], "Note")
                self.assertIn("Glucose 5.60 mmol/L, time uncertain: the clock of the", note["notes"])
                self.assertEqual({"glucose", "mbg", "sgv"} & note.keys(), set())

    def test_a_reading_of_which_nobody_knows_the_sensor_is_a_manual_check(self):
        for _ in self.each_access():
            self.accepted(glucose(sensor="unknown", source="hand", meter=None, tag="after lunch"))
            self.assertEqual(self.site.entries, [])
            [check] = self.site.treatments
            self.assertEqual((check["eventType"], check["glucoseType"]), ("BG Check", "Manual"))
            self.assertEqual((check["glucose"], check["units"], check["notes"]), (5.6, "mmol", "after lunch"))

    def test_a_low_sensor_reading_is_never_taken_for_an_error_code(self):
        self.start()
        self.accepted(glucose(sensor="cgm", value="38", unit="mg/dL", mgdl=38))
        self.accepted(glucose(reading="2", sensor="cgm", value="39", unit="mg/dL", mgdl=39))
        self.assertEqual([entry["sgv"] for entry in self.site.entries], [39])
        [check] = self.site.treatments
        self.assertEqual((check["glucose"], check["units"], check["glucoseType"]), (38, "mg/dl", "Sensor"))

    def test_the_same_again_changes_nothing(self):
        events = [
            glucose(tag="fasting"),
            glucose(reading="2", sensor="cgm", time="2026-11-22T08:00:00+01:00"),
            glucose("corrected", reading="2", sensor="cgm", time="2026-11-22T08:05:00+01:00"),
            glucose(reading="3", time="2026-11-22T09:00:00+01:00"),
            glucose("removed", reading="3", time="2026-11-22T09:00:00+01:00"),
        ]
        for name in self.each_access():
            self.accepted(*events)
            once = json.dumps([self.without_ids(name) for name in ("entries", "treatments")])
            if name != "v3":
                self.accepted(*events)
            for event in events:
                self.accepted(event, event)
            self.assertEqual(json.dumps([self.without_ids(name) for name in ("entries", "treatments")]), once)

    def without_ids(self, name):
        documents = [{field: one[field] for field in one if field != "_id"} for one in self.site.valid(name)]
        return sorted(documents, key=lambda one: one["date"])

    def test_a_correction_of_the_level_replaces_it(self):
        for _ in self.each_access():
            self.accepted(glucose(), glucose("corrected", value="6.5", mgdl=117))
            [entry] = self.site.valid("entries")
            self.assertEqual(entry["mbg"], 117)

    def test_a_correction_of_time_kind_or_note_leaves_nothing_of_the_old(self):
        later = {"time": "2026-11-22T09:00:00+01:00"}
        for _ in self.each_access():
            self.accepted(glucose(tag="fasting"), glucose("corrected", **later))
            [entry] = self.site.valid("entries")
            self.assertEqual(entry["date"], 1795334400000)
            self.assertEqual(self.site.valid("treatments"), [])
            self.accepted(glucose("corrected", sensor="cgm", **later))
            [entry] = self.site.valid("entries")
            self.assertEqual((entry["type"], entry["sgv"], entry.get("mbg")), ("sgv", 101, None))

    def test_a_doubt_that_comes_and_goes_moves_the_reading(self):
        for _ in self.each_access():
            self.accepted(glucose(timeDoubt="the clock was reset"))
            for _ in range(2):
                self.accepted(glucose("corrected"))
                self.assertEqual(len(self.site.valid("entries")), 1)
                self.assertEqual(self.site.valid("treatments"), [])
                self.accepted(glucose("corrected", timeDoubt="the clock was reset"))
                self.assertEqual(self.site.valid("entries"), [])
                self.assertEqual(len(self.site.valid("treatments")), 1)

    def test_what_was_removed_is_gone_there_and_what_never_was_there_is_no_trouble(self):
        for _ in self.each_access():
            self.accepted(glucose(tag="fasting"), glucose(reading="2", time="2026-11-22T09:00:00+01:00"))
            self.accepted(glucose("removed"), glucose("removed"), glucose("removed", reading="never"))
            [entry] = self.site.valid("entries")
            self.assertEqual(entry["date"], 1795334400000)
            self.assertEqual(self.site.valid("treatments"), [])

    def test_what_somebody_removed_on_the_site_stays_removed(self):
        self.start()
        self.accepted(glucose())
        self.site.entries[0]["isValid"] = False
        self.accepted(glucose(), glucose("corrected", value="6.5", mgdl=117))
        self.assertEqual(self.site.valid("entries"), [])

    def test_a_removal_touches_only_what_bears_the_readings_name(self):
        self.start(apiSecret=SECRET)
        self.accepted(glucose())
        foreign = {**self.site.entries[0], "_id": "f" * 24, "identifier": "another"}
        self.site.entries.append(foreign)
        self.site.search = lambda documents, query: list(documents)  # A site that ignores what it is asked for.
        self.accepted(glucose("removed"))
        self.assertEqual(self.site.entries, [foreign])

    def test_a_document_that_cannot_be_addressed_is_left_and_said(self):
        self.start(apiSecret=SECRET)
        self.accepted(glucose())
        self.site.entries[0]["_id"] = "../status"
        self.site.seen()
        [outcome] = self.deliver(glucose("removed"))
        self.assertEqual(outcome["outcome"], "refused")
        self.assertIn("by hand", outcome["reason"])
        self.assertEqual({request.method for request in self.site.seen()}, {"GET"})

    def test_readings_go_to_the_site_of_their_resident_only(self):
        other = self.new_site()
        sites = [
            {"resident": "mary", "url": self.site.url(), "token": TOKEN},
            {"resident": "joe", "url": other.url(), "apiSecret": SECRET},
        ]
        self.start(sites)
        self.accepted(glucose(), glucose(resident="joe"), glucose(resident="ann"), glucose("low"))
        self.assertEqual((len(self.site.entries), len(other.entries)), (1, 1))

    def test_readings_that_do_not_fit_are_refused_and_nothing_is_sent(self):
        self.start()
        for changes in (
            {"value": "5,6"},
            {"value": "0Hi"},
            {"value": 5.6},
            {"value": "NaN"},
            {"value": "-5.6"},
            {"value": "٥"},
            {"unit": "mg/dl"},
            {"unit": ["mg/dL"]},
            {"unit": None},
            {"unit": "mg/dL"},
            {"mgdl": 56},
            {"mgdl": 101.0},
            {"mgdl": True},
            {"mgdl": "101"},
            {"time": "2026-11-22T07:41:00"},
            {"time": "2026-13-22T07:41:00Z"},
            {"time": "1999-11-22T07:41:00Z"},
            {"time": "2026-11-22T07:41:00+00:00:30"},
            {"time": 5},
            {"sensor": "tongue"},
            {"sensor": ["cgm"]},
            {"source": None},
            {"meter": "Contour"},
            {"meter": {}},
            {"tag": 5},
            {"timeDoubt": True},
            {"reading": ""},
            {"reading": "x" * 201},
            {"reading": None},
        ):
            with self.subTest(changes):
                [outcome] = self.deliver(glucose(**changes))
                self.assertEqual(outcome["outcome"], "refused", outcome)
                self.assertIn(next(iter(changes)) if changes != {"unit": "mg/dL"} else "mgdl", outcome["reason"])
        for event in ("{}", "[]", "5", '{"type":"glucose.recorded","subject":"resident/mary"}'):
            self.assertIn(self.deliver(event)[0]["outcome"], ("accepted", "refused"))
        self.assertEqual(self.site.seen(), [])

    def test_a_batch_has_one_outcome_for_each_event_in_order(self):
        self.start()
        batch = [glucose(reading=str(number)) for number in range(3)]
        batch.insert(1, glucose(value="?"))
        batch.append(glucose(reading="9", resident="ann"))
        outcomes = self.deliver(*batch)
        self.assertEqual([one["outcome"] for one in outcomes], ["accepted", "refused", "accepted"])
        self.assertEqual([(one["from"], one["to"]) for one in outcomes], [(0, 0), (1, 1), (2, 4)])
        self.assertEqual(self.host.call("events.deliver", '{"events":[]}')["error"]["code"], -32602)
        self.assertEqual(self.host.call("events.deliver", "[]")["error"]["code"], -32602)


class HostileAnswerTests(unittest.TestCase):
    """Answers that are cut off or changed anywhere, read in this process."""

    def test_whatever_a_site_answers_an_event_gets_an_outcome(self):
        sys.path.insert(0, str(PLUGIN.parent))
        import api
        import delivery

        found = b'[{"_id":"00000000000000000000000a","identifier":"x","type":"mbg","date":1795329660000}]'
        lent = b'{"token":"eyJ.x.y","sub":"homeward","iat":1763797260,"exp":1763800860}'
        said = b'{"status":400,"message":"Field date cannot be modified by the client"}'
        random = SplitMix64(6)

        class Answer:
            headers = {}  # noqa: RUF012

            def __init__(self, status, content):
                self.status_code, self.content = status, content

        def outcome(site, status, content, lends=lent):
            def request(method, path, **options):
                self.assertRegex(path, r"^/api/v[123]/[A-Za-z0-9/.-]+$")
                return Answer(200, lends) if "authorization" in path else Answer(status, content)

            site.request = request
            try:
                site.put("entries", {"identifier": "x"}, is_new=False)
                site.delete("treatments", "x", for_good=False)
            except (delivery.Later, delivery.Refused) as fault:
                return str(fault)
            return ""

        sites = [
            lambda: api.VersionOne("https://localhost", api.Secret(SECRET), None),
            lambda: api.VersionOne("https://localhost", api.AccessToken(TOKEN), None),
            lambda: api.VersionThree("https://localhost", api.AccessToken(TOKEN), None),
        ]
        for site in sites:
            self.assertEqual(outcome(site(), 200, found if site is not sites[2] else b'{"status":200}'), "")
            for status, content in ((200, found), (200, b'{"status":200}'), (400, said), (401, said), (403, said)):
                for end in range(len(content)):
                    self.assertIsInstance(outcome(site(), status, content[:end]), str)
                for _ in range(500):
                    self.assertIsInstance(outcome(site(), status, random.mutated(content)), str)
        for end in range(len(lent)):
            self.assertIn("not as Nightscout does", outcome(sites[2](), 200, b"{}", lent[:end]))
        for _ in range(2000):
            self.assertIsInstance(outcome(sites[2](), 200, b"{}", random.mutated(lent)), str)


class TroubleTests(PluginCase):
    """What goes wrong, and what the owner reads of it."""

    def works_again(self):
        self.accepted(glucose())
        self.assertEqual(self.host.call("health")["result"], {"state": "working", "code": "", "detail": ""})
        self.assertEqual(len(self.site.valid("entries")), 1)

    def test_a_wrong_secret_is_named_as_such(self):
        self.start(apiSecret="hush-hush-wrong")
        outcome = self.waits(glucose(), "unauthorised")
        self.assertIn("apiSecret must be the API_SECRET", outcome["reason"])
        self.assertEqual(outcome["afterSeconds"], 300)
        self.assertEqual(self.host.call("health")["result"]["state"], "failed")
        self.site.secret = "hush-hush-wrong"
        self.works_again()

    def test_an_unknown_token_is_named_as_such(self):
        self.start(token="homeward-wrong")
        self.assertIn("does not know the access token", self.waits(glucose(), "unauthorised")["reason"])
        self.site.subjects["homeward-wrong"] = self.site.subjects[TOKEN]
        self.works_again()

    def test_a_token_that_may_not_is_told_what_it_needs(self):
        for version in ("v3", "v1"):
            with self.subTest(version):
                self.anew({"token": READER, "api": version})
                self.assertIn("give its role api:entries:read,create", self.waits(glucose(), "unauthorised")["reason"])

    def test_a_token_that_the_site_lent_is_used_again_and_renewed_when_it_ends(self):
        self.start()
        self.accepted(glucose(), glucose(reading="2"), glucose(reading="3"))
        self.assertEqual(self.site.lends, 1)
        self.site.forget_lent()
        self.accepted(glucose(reading="4"))
        self.assertEqual((self.site.lends, len(self.site.entries)), (2, 4))

    def test_a_site_that_is_away_loses_nothing_and_pauses_grow(self):
        self.start()
        self.site.close()
        pauses = [self.waits(glucose(), "unreachable")["afterSeconds"] for _ in range(7)]
        self.assertEqual(pauses, [30, 60, 120, 240, 480, 900, 900])
        self.site.open()
        self.works_again()

    def test_what_stands_behind_an_event_that_waits_waits_too_and_other_sites_go_on(self):
        other = self.new_site()
        sites = [
            {"resident": "mary", "url": self.site.url(), "token": TOKEN},
            {"resident": "joe", "url": other.url(), "token": TOKEN},
        ]
        self.start(sites)
        self.site.script = [(503, {"Retry-After": "77"}, b"")]
        outcomes = self.deliver(glucose(), glucose(resident="joe"), glucose("corrected"), glucose("removed"))
        self.assertEqual([one["outcome"] for one in outcomes], ["retry", "accepted", "retry"])
        self.assertEqual((outcomes[0]["afterSeconds"], outcomes[2]["to"]), (77, 3))
        self.assertEqual((len(other.entries), len(self.site.seen())), (1, 1))
        detail = self.host.call("health")["result"]["detail"]
        self.assertEqual(detail, "mary: the server answers 503")

    def test_answers_that_are_none_of_nightscout_are_never_taken_for_success(self):
        page = (200, {"Content-Type": "text/html"}, b"<html>Sign in</html>")
        lent = (200, {}, {"token": "eyJ.x", "iat": 1, "exp": 3601})
        for script, access in (
            ([page], {"token": TOKEN}),
            ([lent, page], {"token": TOKEN}),
            ([page], {"apiSecret": SECRET}),
            ([(200, {}, {"token": "a\r\nb"})], {"token": TOKEN}),
            ([(200, {}, {"token": 5})], {"token": TOKEN}),
            ([(200, {}, [])], {"token": TOKEN}),
            ([(404, {}, b"")], {"token": TOKEN}),
            ([(404, {}, b"")], {"apiSecret": SECRET}),
            ([(200, {}, {"n": 1})], {"apiSecret": SECRET}),
        ):
            with self.subTest(script):
                self.anew(access)
                self.site.script = list(script)
                self.waits(glucose(), "not-nightscout")
        self.anew({"token": TOKEN})
        self.site.script = [lent, (404, {}, b"")]
        self.assertIn("set api: v1", self.waits(glucose(), "no-version-3")["reason"])

    def test_nothing_is_sent_on_to_where_a_site_sends_us(self):
        other = self.new_site()
        for status in (301, 302, 303, 307, 308):
            with self.subTest(status):
                self.anew({"apiSecret": SECRET})
                self.site.script = [(status, {"Location": other.url("/api/v1/entries.json")}, b"")]
                self.waits(glucose(), "redirects")
        self.assertEqual(other.seen(), [])

    def test_what_the_site_calls_wrong_is_refused_with_its_words(self):
        for status in (400, 413, 422):
            with self.subTest(status):
                self.anew({"token": TOKEN})
                self.accepted(glucose(reading="0"))
                said = {"status": status, "message": "Bad\n\x1b[31m date" + "!" * 999}
                self.site.script = [(status, {}, said)]
                [outcome] = self.deliver(glucose())
                self.assertEqual(outcome["outcome"], "refused")
                self.assertIn(f"the server answers {status}: Bad [31m date!", outcome["reason"])
                self.assertLess(len(outcome["reason"]), 260)

    def test_other_answers_wait(self):
        for status in (402, 405, 429, 500, 502, 504):
            with self.subTest(status):
                self.anew({"apiSecret": SECRET})
                self.site.script = [(status, {}, b"")]
                self.assertIn(str(status), self.waits(glucose(), "answer")["reason"])

    def test_a_clock_that_the_site_finds_wrong_is_named(self):
        self.start()
        wrong = (401, {}, {"status": 401, "message": "Date header out of tolerance"})
        lent = (200, {}, {"token": "eyJ.x"})
        self.site.script = [lent, wrong, lent, wrong]
        self.assertIn("finds our clock wrong", self.waits(glucose(), "clock")["reason"])

    def test_an_answer_without_end_is_not_read(self):
        self.start(apiSecret=SECRET)
        self.site.script = [(200, {}, b"[" * (3 << 20))]
        self.assertIn("too large", self.waits(glucose(), "answer")["reason"])

    def test_a_certificate_that_is_not_trusted_is_named(self):
        one = {"resident": "mary", "url": self.site.url(), "token": TOKEN}
        self.assertIn("result", self.host.start(GRANTS, sites=[one]))
        self.assertIn("not trusted", self.waits(glucose(), "certificate")["reason"])

    def test_settings_that_cannot_work_are_named_without_their_secret(self):
        good = {"resident": "mary", "url": self.site.url(), "token": "hush-4711-hush"}
        for sites, word in (
            ([{**good, "url": "http://localhost"}], "https://"),
            ([{**good, "url": "https://user:hush-4711@localhost"}], "https://"),
            ([{**good, "url": "https://localhost/?token=hush-4711"}], "https://"),
            ([{**good, "apiSecret": "hush-4711-hush"}], "either apiSecret or token"),
            ([{"resident": "mary", "url": self.site.url()}], "either apiSecret or token"),
            (
                [{"resident": "mary", "url": self.site.url(), "apiSecret": "hush-4711-hush", "api": "v3"}],
                "needs a token",
            ),
            ([good, good], "only once"),
            ([{"resident": "mary"}], "do not fit"),
            (5, "do not fit"),
            ([5], "do not fit"),
        ):
            with self.subTest(sites):
                message = self.host.start(GRANTS, sites=sites)["error"]["message"]
                self.assertIn(word, message)
                self.assertNotIn("hush", message)

    def test_neither_secrets_nor_readings_reach_the_log(self):
        self.start(apiSecret="hush-4711-hush")
        self.waits(glucose(tag="private", reading="secret-id"), "unauthorised")
        self.site.secret = "hush-4711-hush"
        self.accepted(glucose(tag="private", reading="secret-id"))
        self.site.close()
        self.waits(glucose(tag="private"), "unreachable")
        self.host.close()
        for word in ("hush", "private", "5.6", "101", "secret-id", "localhost"):
            self.assertNotIn(word, self.host.log)
        self.assertIn("mary", self.host.log)

    def test_the_end_comes_at_once_while_a_site_hangs(self):
        self.start()
        self.site.lock.acquire()
        self.addCleanup(self.site.lock.release)
        self.host.send("events.deliver", Host.batch("record", [glucose()]))
        self.site.requests.get(timeout=WAIT_SECONDS)
        self.host.call("shutdown")
        self.assertEqual(self.host.process.wait(timeout=WAIT_SECONDS), 0)


if __name__ == "__main__":
    unittest.main()
