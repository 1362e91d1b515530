import json
import unittest
from pathlib import Path
from types import SimpleNamespace

from homeward_rig import configuration
from homeward_rig.alarms import Alarm
from homeward_rig.letters import about, letters, pushes, tag_of
from homeward_rig.machine import Lacking
from homeward_rig.stage import CheckFailed

from .support import STATUS, CheckTest, fails, steps

LETTERS = steps("letters")
MAIL = {"address": "frida@example.org", "subject": "SOS Ada needs help [A7K2]", "text": "She is at home.", "time": 1}


def push(title="SOS Bert needs help [B8L3]", path="/bo", status=202, text=None):
    told = text if text is not None else json.dumps({"title": title, "message": "He is at home.", "type": "failure"})
    return {"path": path, "status": status, "text": told}


def stage(mails=(), requests=(), texts=()):
    peers = {
        "mail-server": SimpleNamespace(do=lambda action: list(mails)),
        "web-server": SimpleNamespace(do=lambda action: list(requests)),
        "modem": SimpleNamespace(do=lambda action: list(texts)),
    }
    return SimpleNamespace(peer=lambda name: peers[name], has_peer=lambda name: name in peers)


class LettersTest(unittest.TestCase):
    def test_what_left_is_told_by_channel_address_and_alarm(self):
        texts = [{"number": "+47900", "text": "SOS Ada #A7K2"}]
        found = letters(stage([MAIL], [push()], texts))
        self.assertEqual(
            [(one["channel"], one["address"], tag_of(one)) for one in found],
            [("sms", "+47900", "A7K2"), ("email", "frida@example.org", "A7K2"), ("push", "bo", "B8L3")],
        )
        self.assertEqual(about(found, "A7K2", "email", "frida@example.org"), [found[1]])
        self.assertIsNone(tag_of({"text": "Evening tablet\nshe did not answer [A7K2]"}))

    def test_a_push_is_what_was_taken_and_is_one(self):
        others = (
            push(status=503),
            push(status=None),
            push(text="[]"),
            push(text="no JSON"),
            push(text='{"lane":"alarm"}'),
        )
        self.assertEqual(pushes(others), [])


class LettersStepsTest(CheckTest):
    def told(self, **what):
        return SimpleNamespace(
            stage=stage(**what),
            alarm=Alarm("a1", "A7K2"),
            addresses={("Frida", "email"): "frida@example.org", ("Bo", "push"): "bo"},
        )

    @fails('within {seconds:g} seconds {helper} has a {kind:Letter} of this alarm: "{words}"')
    def test_a_letter_has_to_be_of_this_alarm_for_this_person_and_with_these_words(self):
        LETTERS.has_letter(self.told(mails=[MAIL]), 0, "Frida", "mail", "needs help")
        LETTERS.has_letter(self.told(requests=[push("SOS [A7K2]")]), 0, "Bo", "push", "at home")
        for wrong in (
            {"mails": []},
            {"mails": [{**MAIL, "subject": "SOS Ada needs help [B8L3]"}]},
            {"mails": [{**MAIL, "address": "anna@example.org"}]},
            {"mails": [{**MAIL, "subject": "Over [A7K2]"}]},
        ):
            with self.subTest(wrong), self.assertRaisesRegex(CheckFailed, 'a mail with "needs help" to Frida'):
                LETTERS.has_letter(self.told(**wrong), 0, "Frida", "mail", "needs help")

    @fails("{helper} has no {kind:Letter} of this alarm")
    def test_a_letter_that_should_not_have_come(self):
        LETTERS.has_no_letter(self.told(requests=[push()]), "Bo", "push")
        with self.assertRaisesRegex(CheckFailed, "Frida should not have SOS Ada"):
            LETTERS.has_no_letter(self.told(mails=[MAIL]), "Frida", "mail")

    @fails('within {seconds:g} seconds the hub does without "{component}"')
    def test_a_part_that_stays(self):
        parts = {"components": [{"component": "plugin/apprise", "state": "working"}]}
        unused = {"components": [{"component": "plugin/apprise", "state": "unused"}]}
        for gone in (unused, {"components": []}):
            LETTERS.is_no_part(self.context({STATUS: gone}), 0, "plugin/apprise")
        with self.assertRaisesRegex(CheckFailed, "plugin/apprise is still there"):
            LETTERS.is_no_part(self.context({STATUS: parts}), 0, "plugin/apprise")

    def test_a_plugin_goes_with_its_entry_and_comes_back_with_it(self):
        told = []
        machine = SimpleNamespace(
            clock=None, reconfigure=lambda options: told.append(options.files[configuration.FILE])
        )
        own = configuration.Configuration(
            plugins=[configuration.email(25), configuration.pushes("bo", Path("/secret"), 8443)]
        )
        context = SimpleNamespace(
            stage=SimpleNamespace(machine=machine, configuration=own, options=SimpleNamespace(files={}))
        )
        LETTERS.take_away(context, "apprise")
        LETTERS.give_back(context, "apprise")
        self.assertEqual(["- name: apprise\n" in text for text in told], [False, True])
        self.assertTrue(all("- name: email\n" in text for text in told))
        with self.assertRaisesRegex(CheckFailed, "no plugin camera"):
            LETTERS.take_away(context, "camera")

    def test_a_hub_elsewhere_reaches_no_mail_server_of_this_computer(self):
        for step in (LETTERS.with_mail, lambda context: LETTERS.with_pushes(context, "Bo")):
            with self.assertRaisesRegex(Lacking, "mail server and push service"):
                step(self.context())


if __name__ == "__main__":
    unittest.main()
