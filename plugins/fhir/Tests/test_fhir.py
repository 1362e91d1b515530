"""Drives the plugin over pipes, as the host would, against a server that is played strictly."""

import json
import subprocess
import sys
import unittest
from decimal import Decimal
from pathlib import Path

from fhir_peer import TOKEN, FHIRPeer

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from json_server import CERTIFICATE, SplitMix64, glucose
from plugin_host import ROOT, Host

PLUGIN = Path(__file__).resolve().parent.parent / "upload.py"
ACCEPTED = [{"from": 0, "to": 0, "outcome": "accepted"}]
MMOL = {"value": "5.60", "unit": "mmol/L", "mgdl": 101}
MGDL = {"value": "101", "unit": "mg/dL", "mgdl": 101}
# LOINC's codes, as the names of its axes have them: specimen, kind of quantity, method.
LOINC = {
    ("finger-stick", "mg/dL"): "41653-7",
    ("finger-stick", "mmol/L"): "14743-9",
    ("cgm", "mg/dL"): "99504-3",
    ("cgm", "mmol/L"): "105272-9",
    ("unknown", "mg/dL"): "2339-0",
    ("unknown", "mmol/L"): "15074-8",
}


class PluginCase(unittest.TestCase):
    """The plugin beside a server."""

    def setUp(self):
        self.server = FHIRPeer()
        self.addCleanup(self.server.close)
        self.run_plugin()

    def run_plugin(self, program=PLUGIN, **options):
        self.host = Host(str(program), **options)
        self.addCleanup(self.host.close)

    def start(self, **settings):
        settings = {"url": self.server.url("/fhir/"), "token": TOKEN, "caFile": CERTIFICATE.file, **settings}
        answer = self.host.start(("network", "health"), **settings)
        self.assertIn("result", answer, answer)

    def anew(self, **settings):
        """A plugin of its own."""
        self.host.close()
        self.run_plugin()
        self.start(**settings)

    def deliver(self, *events):
        return self.host.deliver(events, lane="record")

    def accepted(self, *events):
        for event in events:
            self.assertEqual(self.deliver(event), ACCEPTED)

    def only(self):
        """The one Observation that the server has."""
        [resource] = self.server.current().values()
        return resource

    def waits(self, event, code):
        outcome = self.deliver(event)[0]
        self.assertEqual(outcome["outcome"], "retry", outcome)
        health = self.host.call("health")["result"]
        self.assertEqual(health["code"], code)
        self.assertIn(outcome["reason"], health["detail"])
        return outcome


class ReadingTests(PluginCase):
    """What becomes of readings."""

    def test_each_kind_and_unit_has_its_code_and_its_unit_of_ucum(self):
        self.start()
        for (sensor, unit), code in LOINC.items():
            level = MGDL if unit == "mg/dL" else MMOL
            self.accepted(glucose(reading=code, sensor=sensor, **level))
        found = {one["identifier"][0]["value"]: one for one in self.server.current().values()}
        for (_, unit), code in LOINC.items():
            [coding] = found[code]["code"]["coding"]
            self.assertEqual((coding["system"], coding["code"]), ("http://loinc.org", code))
            self.assertIn("Mass/volume" if unit == "mg/dL" else "Moles/volume", coding["display"])
            quantity = found[code]["valueQuantity"]
            self.assertEqual((quantity["system"], quantity["code"]), ("http://unitsofmeasure.org", unit))
            self.assertEqual(quantity["unit"], unit)

    def test_a_reading_is_a_final_observation_with_its_level_digit_by_digit(self):
        self.start()
        self.accepted(glucose(tag="before breakfast 早", **MMOL))
        found = self.only()
        self.assertEqual((found["resourceType"], found["status"]), ("Observation", "final"))
        self.assertEqual(str(found["valueQuantity"]["value"]), "5.60")
        self.assertEqual(found["effectiveDateTime"], "2026-11-22T07:41:00+01:00")
        self.assertEqual(found["category"][0]["coding"][0]["code"], "laboratory")
        self.assertEqual(found["note"], [{"text": "before breakfast 早"}])
        self.assertEqual(found["device"], {"display": "Contour Next", "identifier": {"value": "7712"}})
        self.assertEqual(found["identifier"], [{"system": "urn:homeward:glucose-reading", "value": "0199-reading"}])

    def test_the_resident_is_the_patient_that_the_owner_named(self):
        self.start(patients=[{"resident": "mary", "reference": "Patient/12"}, {"resident": "joe"}])
        self.accepted(glucose(), glucose(reading="2", resident="joe"), glucose(reading="3", resident="ann"))
        subjects = [one["subject"] for one in self.server.current().values()]
        own = {"identifier": {"system": "urn:homeward:resident", "value": "joe"}}
        self.assertEqual(subjects, [{"reference": "Patient/12"}, own])

    def test_a_doubtful_time_is_absent_and_told_in_words(self):
        self.start()
        self.accepted(glucose(timeDoubt="the clock was reset"))
        found = self.only()
        self.assertNotIn("effectiveDateTime", found)
        [extension] = found["_effectiveDateTime"]["extension"]
        self.assertEqual(extension["valueCode"], "unknown")
        self.assertTrue(extension["url"].endswith("/data-absent-reason"))
        self.assertEqual(found["note"], [{"text": "Time uncertain: 2026-11-22T07:41:00+01:00, the clock was reset"}])
        self.accepted(glucose("corrected"))
        self.assertEqual(self.only()["effectiveDateTime"], "2026-11-22T07:41:00+01:00")
        self.assertEqual({"_effectiveDateTime", "note"} & self.only().keys(), set())

    def test_the_same_again_is_stored_once(self):
        self.start()
        for _ in range(3):
            self.accepted(glucose())
        self.assertEqual([len(versions) for versions in self.server.versions.values()], [1])

    def test_a_correction_amends_what_is_there_and_keeps_what_others_added(self):
        self.start()
        self.accepted(glucose(tag="fasting"))
        self.only()["interpretation"] = [{"text": "seen by Dr Lee"}]
        self.accepted(glucose("corrected", value="6.50", mgdl=117, meter=None))
        found = self.only()
        self.assertEqual((found["status"], str(found["valueQuantity"]["value"])), ("amended", "6.50"))
        self.assertEqual(found["interpretation"], [{"text": "seen by Dr Lee"}])
        self.assertEqual({"note", "device"} & found.keys(), set())
        self.assertEqual(len(self.server.versions), 1)

    def test_a_correction_of_what_is_not_there_creates_it_as_amended(self):
        self.start()
        self.accepted(glucose("corrected"), glucose("corrected"))
        self.assertEqual(self.only()["status"], "amended")

    def test_without_the_grant_for_health_it_says_what_is_missing(self):
        message = self.host.start(url=self.server.url("/fhir/"))["error"]["message"]
        self.assertIn("health", message)

    def test_what_was_removed_stays_and_says_that_it_was_an_error(self):
        self.start()
        self.accepted(glucose(**MMOL), glucose("removed"), glucose("removed"))
        found = self.only()
        self.assertEqual((found["status"], str(found["valueQuantity"]["value"])), ("entered-in-error", "5.60"))
        self.accepted(glucose("removed", reading="never"))
        self.assertEqual(len(self.server.versions), 1)

    def test_a_removal_needs_nothing_but_the_name_of_the_reading(self):
        self.start()
        self.accepted(glucose(), glucose("removed", value=None, unit=None, time=None))
        self.assertEqual(self.only()["status"], "entered-in-error")

    def test_names_with_signs_that_mean_something_in_a_search_stay_names(self):
        self.start()
        for number, name in enumerate(("a|b", "a,b", "a$b", "a\\b", "a&b=c", "ä 早", "a%7Cb", "a+b#c"), 1):
            self.accepted(glucose(reading=name), glucose(reading=name), glucose("removed", reading=name))
            self.assertEqual(len(self.server.versions), number, name)
        self.assertEqual({one["status"] for one in self.server.current().values()}, {"entered-in-error"})

    def test_only_observations_that_bear_the_readings_name_are_changed(self):
        self.start()
        self.accepted(glucose(), glucose(reading="2"))
        self.server.matching = lambda criterion: list(self.server.current())
        self.accepted(glucose("removed"))
        self.assertEqual([one["status"] for one in self.server.current().values()], ["entered-in-error", "final"])

    def test_two_who_change_it_at_once_are_both_heard(self):
        self.start()
        self.accepted(glucose())
        told = self.server.told
        self.server.told = lambda key: {**told(key), "meta": {"versionId": "7"}}
        outcome = self.waits(glucose("removed"), "changed")
        self.assertEqual(outcome["afterSeconds"], 5)
        self.server.told = told
        self.accepted(glucose("removed"))

    def test_readings_that_do_not_fit_are_refused_and_nothing_is_sent(self):
        self.start()
        for changes in ({"value": "?"}, {"unit": "mol"}, {"mgdl": 56}, {"time": "yesterday"}, {"sensor": None}):
            [outcome] = self.deliver(glucose(**changes))
            self.assertEqual(outcome["outcome"], "refused", changes)
        self.assertEqual(self.server.seen(), [])


class SpecificationTests(PluginCase):
    """What the plugin sends, judged by others' models of the specification."""

    def judged(self, resources):
        text = "".join(f"{self.server.text(resource).decode()}\n" for resource in resources)
        program = [str(ROOT / "hardware" / "rig" / "python"), str(Path(__file__).parent / "specification.py")]
        done = subprocess.run(program, input=text, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_all_that_is_sent_keeps_to_the_specification_and_what_does_not_is_found(self):
        self.start(patients=[{"resident": "mary", "reference": "Patient/12"}, {"resident": "joe"}])
        number = 0
        for resident in ("mary", "joe"):
            for sensor, unit in LOINC:
                for doubt in (None, "the clock was reset"):
                    for meter in (None, {"name": "Contour"}, {"name": "Contour", "serial": "7"}):
                        number += 1
                        level = MGDL if unit == "mg/dL" else MMOL
                        one = {"resident": resident, "sensor": sensor, "timeDoubt": doubt, "meter": meter, **level}
                        time = ("2026-11-22T07:41:00Z", "2026-11-22T07:41:00.250-03:30")[number % 2]
                        one |= {"reading": str(number), "tag": ("fasting", None)[number % 2], "time": time}
                        self.accepted(glucose(**one), glucose("corrected", **one))
                        if number % 3 == 0:
                            self.accepted(glucose("removed", **one))
        sent = [version for versions in self.server.versions.values() for version in versions]
        # What a server put in beside is its own business.
        sent = [{name: one[name] for name in one if name != "text"} for one in sent]
        self.assertEqual(len(sent), 72 * 2 + 24)
        self.assertEqual({one["status"] for one in sent}, {"final", "amended", "entered-in-error"})
        self.assertEqual([found for found in self.judged(sent) if found], [])
        broken = [
            {**sent[0], "status": "finished"},
            {**sent[0], "valueQuantity": {"value": "5.6"}},
            {**sent[0], "code": {}, "codes": []},
            {**sent[0], "effectiveDateTime": "2026-11-22T07:41"},
            {**sent[0], "subject": "Patient/12"},
            {**sent[0], "note": "fasting"},
            {name: sent[0][name] for name in sent[0] if name != "code"},
            {**sent[0], "valueQuantity": {**sent[0]["valueQuantity"], "value": [Decimal("5.6")]}},
        ]
        self.assertEqual(
            [resource for resource, found in zip(broken, self.judged(broken), strict=True) if not found], []
        )


class HostileAnswerTests(unittest.TestCase):
    """Answers that are cut off or changed anywhere, read in this process."""

    def test_whatever_a_server_answers_an_event_gets_an_outcome(self):
        sys.path.insert(0, str(PLUGIN.parent))
        import delivery
        import server

        stored = FHIRPeer.text(
            {
                "resourceType": "Observation",
                "id": "o1",
                "meta": {"versionId": "3"},
                "identifier": [{"system": "urn:homeward:glucose-reading", "value": "r"}],
            }
        ).decode()
        whole = ('{"resourceType":"Bundle","entry":[{"resource":%s}]}' % stored).encode()
        issue = b'{"resourceType":"OperationOutcome","issue":[{"diagnostics":"no","details":{"text":"no"}}]}'
        random = SplitMix64(6)

        class Answer:
            headers = {}  # noqa: RUF012

            def __init__(self, status, content):
                self.status_code, self.content = status, content

        def outcome(status, content):
            one = server.Server("https://localhost", "", None)
            one.request = lambda method, path, **options: Answer(200 if method == "PUT" else status, content)
            try:
                return one.change("r", lambda resource: resource | {"status": "entered-in-error"})
            except (delivery.Later, delivery.Refused) as fault:
                return str(fault)

        self.assertEqual(outcome(200, whole), 1)
        self.assertEqual(outcome(422, issue), "the server answers 422: no")
        for status, content in ((200, whole), (422, issue)):
            for end in range(len(content)):
                self.assertIsInstance(outcome(status, content[:end]), str)
            for _ in range(5000):
                self.assertIsInstance(outcome(status, random.mutated(content)), str | int)


class TroubleTests(PluginCase):
    """What goes wrong, and what the owner reads of it."""

    def works_again(self):
        self.accepted(glucose())
        self.assertEqual(self.host.call("health")["result"], {"state": "working", "code": "", "detail": ""})
        self.assertEqual(self.only()["status"], "final")

    def test_a_token_that_is_wrong_lacking_or_may_not_is_named_as_such(self):
        self.start(token="hush-wrong")
        self.assertIn("refuses the token", self.waits(glucose(), "unauthorised")["reason"])
        self.assertEqual(self.host.call("health")["result"]["state"], "failed")
        self.anew(token="")
        self.assertIn("wants a token", self.waits(glucose(), "unauthorised")["reason"])
        self.server.may_write = False
        self.anew()
        self.assertIn("needs to read and write Observations", self.waits(glucose(), "unauthorised")["reason"])
        self.server.may_write = True
        self.works_again()

    def test_a_server_that_wants_no_token_gets_none(self):
        self.server.token = ""
        self.host.start(("network", "health"), url=self.server.url("/fhir"), caFile=CERTIFICATE.file)
        self.accepted(glucose())
        self.assertNotIn("Authorization", self.server.seen()[0].headers)

    def test_a_server_that_is_away_or_busy_loses_nothing(self):
        self.start()
        self.server.close()
        pauses = [self.waits(glucose(), "unreachable")["afterSeconds"] for _ in range(3)]
        self.assertEqual(pauses, [30, 60, 120])
        self.server.open()
        for status in (429, 500, 503):
            self.server.script = [(status, {"Retry-After": "9999999"}, b"")]
            self.assertEqual(self.waits(glucose(), "answer")["afterSeconds"], 86_400)
        self.works_again()

    def test_what_the_server_calls_wrong_is_refused_with_its_words(self):
        self.start()
        said = "Unknown patient\nPatient/12"
        coded = {"resourceType": "OperationOutcome", "issue": [5, {"details": {"text": said}}]}
        plain = {"resourceType": "OperationOutcome", "issue": [{"diagnostics": said}]}
        for status, body in ((400, coded), (422, plain)):
            self.server.script = [(status, {}, body)]
            [outcome] = self.deliver(glucose())
            self.assertEqual(outcome["outcome"], "refused")
            self.assertEqual(outcome["reason"], f"the server answers {status}: Unknown patient Patient/12")
        for body in (b"", b"{", b"[[[[", b'{"issue":5}', b'{"issue":[{"diagnostics":5,"details":5}]}', b"\xff" * 99):
            self.server.script = [(422, {}, body)]
            self.assertEqual(self.deliver(glucose())[0]["reason"], "the server answers 422")

    def test_answers_that_are_none_of_fhir_are_never_taken_for_success(self):
        page = (200, {"Content-Type": "text/html"}, b"<html>Sign in</html>")
        strange = {"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Observation", "id": "../x"}}]}
        ours = [{"system": "urn:homeward:glucose-reading", "value": "0199-reading"}]
        strange["entry"][0]["resource"]["identifier"] = ours
        self.start()
        for action, script, code in (
            ("recorded", page, "not-fhir"),
            ("recorded", (200, {}, [1]), "not-fhir"),
            ("removed", page, "not-fhir"),
            ("removed", (200, {}, {"resourceType": "Patient"}), "not-fhir"),
            ("removed", (200, {}, strange), "not-fhir"),
            ("removed", (200, {}, b'{"resourceType":"Bundle","total":NaN}'), "not-fhir"),
            ("recorded", (404, {}, b""), "address"),
            ("removed", (404, {}, b""), "address"),
            ("recorded", (307, {"Location": "https://localhost:1/"}, b""), "redirects"),
        ):
            with self.subTest(script):
                self.server.script = [script]
                self.waits(glucose(action), code)
        for entries in (None, 5, {}, [], [5], [{}], [{"resource": 5}], [{"resource": {"identifier": 5}}]):
            self.server.script = [(200, {}, {"resourceType": "Bundle", "entry": entries})]
            self.accepted(glucose("removed"))
        self.works_again()

    def test_what_was_deleted_on_the_server_is_left_alone(self):
        self.start()
        self.accepted(glucose())
        told = self.server.told("o1")
        self.server.deleted.add("o1")
        self.server.script = [(200, {}, self.server.text({"resourceType": "Bundle", "entry": [{"resource": told}]}))]
        self.accepted(glucose("removed"))
        self.assertEqual(len(self.server.versions["o1"]), 1)

    def test_settings_that_cannot_work_are_named_without_their_secret(self):
        for settings, word in (
            ({"url": "http://localhost/fhir"}, "https://"),
            ({"url": "https://u:hush@localhost/fhir"}, "https://"),
            ({"patients": [{"resident": "mary", "reference": "12"}]}, "Patient/12"),
            ({"patients": [{"resident": "mary", "reference": "Patient/1 2"}]}, "Patient/12"),
            ({"patients": [{"resident": "mary"}, {"resident": "mary"}]}, "only once"),
            ({"patients": 5}, "do not fit"),
            ({"url": 5}, "do not fit"),
            ({"token": ["hush"]}, "do not fit"),
            ({"token": "hush\r\nX: hush"}, "one word"),
        ):
            with self.subTest(settings):
                message = self.host.start(
                    ("network", "health"), **{"url": "https://localhost/fhir", "token": "hush", **settings}
                )
                self.assertIn(word, message["error"]["message"])
                self.assertNotIn("hush", message["error"]["message"])

    def test_neither_secrets_nor_readings_reach_the_log(self):
        self.start(token="hush-wrong", patients=[{"resident": "mary", "reference": "Patient/12"}])
        self.waits(glucose(tag="private", reading="secret-id"), "unauthorised")
        self.server.token = "hush-wrong"
        self.accepted(glucose(tag="private", reading="secret-id"))
        self.server.close()
        self.waits(glucose(tag="private"), "unreachable")
        self.host.close()
        for word in ("hush", "private", "5.6", "101", "secret-id", "Patient/12", "localhost"):
            self.assertNotIn(word, self.host.log)
        self.assertIn("mary", self.host.log)


if __name__ == "__main__":
    unittest.main()
