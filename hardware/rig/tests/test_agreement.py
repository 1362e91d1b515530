import copy
import json
import unittest

from homeward_rig.agreement import View, disagreements
from homeward_rig.delivery import Arrival, event_of


def event(kind, number, **data):
    return {"id": f"e-{number:03d}", "type": kind, "time": "2027-06-07T06:00:00.000Z", "subject": "s", "data": data}


SOS = {"alarm": "a1", "tag": "552L", "stage": "dispatched", "kind": "sos", "priority": "high", "resident": "ada"}
ANNA = {"id": "anna", "resident": "ada", "name": "Anna", "phone": "+47900", "email": "anna@example.org", "push": "anna"}
TEXT = {"channel": "sms", "address": "+47900", "text": "SOS Ada needs help #552L"}
MAIL = {"channel": "email", "address": "anna@example.org", "text": "SOS Ada needs help [552L]\nCome."}
PUSH = {"channel": "push", "address": "anna", "text": "SOS Ada needs help [552L]\nCome. #552L"}
PILL = {"id": "pill", "resident": "ada", "title": "Pill", "state": "waiting", "isOn": True, "isDue": True}
ENTITIES = {
    "components": {
        "ada_zone": {"unique_id": "homeward_rig_ada_zone", "state_topic": "homeward/rig/resident/ada/zone"},
        "siren": {"unique_id": "homeward_rig_siren", "state_topic": "homeward/rig/siren"},
        "pill": {"unique_id": "homeward_rig_item_pill", "state_topic": "homeward/rig/resident/ada/routine/pill"},
    }
}


def agreeing() -> View:
    """Ada is at home and has called; Anna was told; a pill is due."""
    told = [
        event("alarm.raised", 1, alarm="a1", tag="552L"),
        event(
            "alarm.delivery", 2, alarm="a1", tag="552L", recipient="anna", channel="sms", notice="alarm", outcome="sent"
        ),
        event("reminder.prompted", 3, item="pill"),
    ]
    zones = [{"zoneName": "Home", "presence": "inside"}, {"zoneName": "Sister", "presence": "outside"}]
    return View(
        gateway="rig",
        status={
            "residents": [{"id": "ada", "name": "Ada", "tracking": {"zones": zones, "position": {"latitude": 1}}}],
            "alarms": [{**SOS, "isSilenced": False}],
            "store": {"waitingRecords": 0},
            "clock": {"isTrusted": True},
        },
        alarms=[dict(SOS)],
        routine=[dict(PILL)],
        guardians=[ANNA],
        journal=[{"sequence": number, **one} for number, one in enumerate(told, 1)],
        arrived=[Arrival("alarm", json.dumps(one)) for one in told],
        retained={
            "homeward/rig/resident/ada/zone": "Home",
            "homeward/rig/resident/ada/alarm-state": json.dumps({**SOS, "state": "dispatched", "open": 1}),
            "homeward/rig/resident/ada/routine": json.dumps({"open": 1}),
            "homeward/rig/resident/ada/routine/pill": json.dumps({"title": "Pill", "state": "waiting", "isOn": True}),
            "homeward/rig/siren": "ON",
            "homeassistant/device/rig/config": json.dumps(ENTITIES),
        },
        letters=[TEXT],
    )


class AgreementTest(unittest.TestCase):
    """Each rule notices what was doctored, and nothing else does."""

    def notices(self, words, **changes):
        view = agreeing()
        for name, content in changes.items():
            setattr(view, name, content)
        found = disagreements(view)
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], words)

    def keeping(self, topic, text):
        kept = agreeing().retained
        kept[topic] = text
        return {"retained": kept}

    def test_a_household_of_which_all_tell_the_same(self):
        self.assertEqual(disagreements(agreeing()), [])

    def test_status_and_list_of_alarms(self):
        view = agreeing()
        view.status["alarms"] = []
        self.assertRegex(disagreements(view)[0], "^status has the alarms")

    def test_an_alarm_that_is_open_by_its_events_alone_or_by_the_list_alone(self):
        view = agreeing()
        more = event("alarm.raised", 4, alarm="a2", tag="AAAA")
        view.journal.append({"sequence": 4, **more})
        view.arrived.append(Arrival("alarm", json.dumps(more)))
        self.assertEqual(disagreements(view), ["by its events still open and not listed: ['a2']"])
        view = agreeing()
        over = event("alarm.resolved", 4, alarm="a1", tag="552L")
        view.journal.append({"sequence": 4, **over})
        view.arrived.append(Arrival("alarm", json.dumps(over)))
        self.assertEqual(disagreements(view), ["by its events over and still listed: ['a1']"])

    def test_what_the_broker_keeps_of_an_alarm(self):
        topic = "homeward/rig/resident/ada/alarm-state"
        self.notices("the broker keeps 2", **self.keeping(topic, json.dumps({**SOS, "state": "dispatched", "open": 2})))
        stale = {**SOS, "state": "prealarm", "stage": "prealarm", "open": 1}
        self.notices("as prealarm", **self.keeping(topic, json.dumps(stale)))
        nobody = json.dumps({**SOS, "state": "dispatched", "open": 0})
        self.notices("of nobody is open", **self.keeping("homeward/rig/alarm-state", nobody))

    def test_the_siren(self):
        self.notices("the siren is OFF", **self.keeping("homeward/rig/siren", "OFF"))
        view = agreeing()
        view.status["alarms"][0]["stage"] = view.alarms[0]["stage"] = "acknowledged"
        view.retained["homeward/rig/resident/ada/alarm-state"] = json.dumps(
            {**SOS, "state": "acknowledged", "stage": "acknowledged", "open": 1}
        )
        self.assertRegex(" ".join(disagreements(view)), "^the siren is on, and every alarm is attended")

    def test_a_zone(self):
        for told in ("outside", "uncertain", "Sister", "Home, Sister"):
            self.notices("Ada is in ", **self.keeping("homeward/rig/resident/ada/zone", told))

    def test_the_routine(self):
        topic = "homeward/rig/resident/ada/routine/pill"
        told = {"title": "Pill", "state": "done", "isOn": True}
        self.notices("the broker keeps done", **self.keeping(topic, json.dumps(told)))
        self.notices("does not keep Pill", **self.keeping(topic, ""))
        other = {"title": "Pill", "state": "waiting", "isOn": True, "nextDue": "2026-11-24T07:00:00.000Z"}
        self.notices("is due next None", **self.keeping(topic, json.dumps(other)))
        self.notices("no item any more", **self.keeping("homeward/rig/resident/ada/routine/gone", "{}"))
        self.notices("does not show it as due", routine=[{**PILL, "isDue": False}])
        done = copy.deepcopy(agreeing().journal)
        done[2]["type"] = "reminder.done"
        self.notices("shows it as due", journal=done, arrived=[Arrival("x", json.dumps(event_of(e))) for e in done])

    def test_events_that_did_not_arrive_or_came_with_other_words(self):
        self.notices("did not arrive", arrived=agreeing().arrived[:2])
        foreign = [*agreeing().arrived, Arrival("alarm", json.dumps(event("alarm.photo", 9)))]
        self.notices("the hub does not have", arrived=foreign)
        self.assertEqual(disagreements(self.away(arrived=[])), [])

    def test_what_guardians_alone_may_know_comes_to_no_broker(self):
        view = agreeing()
        secret = {**event("alarm.photo", 9), "audience": "guardians"}
        view.journal.append({"sequence": 9, **secret})
        self.assertEqual(disagreements(view), [])
        view.arrived.append(Arrival("alarm", json.dumps(secret)))
        self.assertRegex(" ".join(disagreements(view)), "the hub does not have")

    def test_what_waits_for_the_disk_may_be_ahead_of_the_journal_and_nothing_else(self):
        view = agreeing()
        view.arrived.append(Arrival("alarm", json.dumps(event("alarm.photo", 9))))
        view.status["store"]["waitingRecords"] = 1
        self.assertRegex(" ".join(disagreements(view)), "the hub does not have")
        # Another one was early too, and is in the journal by now.
        view.early = frozenset({"e-001", "e-009"})
        self.assertEqual(disagreements(view), [])
        view.status["store"]["waitingRecords"] = 0
        self.assertRegex(" ".join(disagreements(view)), "the hub does not have")

    def test_events_that_came_out_of_order_unless_they_went_out_from_memory(self):
        arrived = agreeing().arrived
        view = agreeing()
        view.arrived = [arrived[1], arrived[0], arrived[2]]
        self.assertRegex(" ".join(disagreements(view)), "came after later ones")
        view.early = frozenset({"e-002"})
        self.assertEqual(disagreements(view), [])

    def away(self, **changes):
        """The broker is away: what it has is not asked for."""
        view = agreeing()
        view.is_connected = False
        for name, content in changes.items():
            setattr(view, name, content)
        return view

    def test_messages_that_left_unsaid_or_are_said_and_did_not_leave(self):
        self.notices("0 by sms left for anna, and 1", letters=[])
        self.notices("2 by sms left for anna, and 1", letters=[TEXT, TEXT])
        self.notices("1 by email left for anna, and 0", letters=[TEXT, MAIL])
        self.notices("1 by push left for anna, and 0", letters=[TEXT, PUSH])
        stranger = {**MAIL, "address": "somebody@example.org"}
        for fine in ([TEXT, stranger], [TEXT, {**TEXT, "text": "no alarm"}]):
            view = agreeing()
            view.letters = fine
            self.assertEqual(disagreements(view), [])
        view = agreeing()
        view.channels, view.letters = frozenset(), []
        self.assertEqual(disagreements(view), [])

    def over(self, kind, *more):
        """The alarm is over, and so for everybody; `more` happened then."""
        view = agreeing()
        view.status["alarms"], view.alarms = [], []
        view.status["components"] = [{"component": "plugin/sms-modem", "state": "working"}]
        for one in (event(kind, 4, alarm="a1", tag="552L"), *more):
            view.journal.append({"sequence": len(view.journal) + 1, **one})
            view.arrived.append(Arrival("alarm", json.dumps(one)))
        view.retained["homeward/rig/resident/ada/alarm-state"] = json.dumps({"state": "idle", "open": 0})
        view.retained["homeward/rig/siren"] = "OFF"
        return view

    def end(self, **changes):
        told = {"recipient": "anna", "channel": "sms", "notice": "cancelled", "outcome": "sent", **changes}
        return event("alarm.delivery", 5, alarm="a1", tag="552L", **told)

    def test_who_was_called_and_not_told_of_the_end(self):
        for kind in ("alarm.resolved", "alarm.cancelled"):
            self.assertRegex(
                " ".join(disagreements(self.over(kind))), "^alarm 552L is over, and anna was called by sms"
            )
            away = self.over(kind)
            away.status["components"][0]["state"] = "failed"
            self.assertEqual(disagreements(away), [])
        told = self.over("alarm.resolved", self.end())
        told.letters = [TEXT, TEXT]
        self.assertEqual(disagreements(told), [])
        # Of an alarm that she called off nothing more is told to anybody but guardians.
        told = self.over("alarm.cancelled")
        told.letters = [TEXT, TEXT]
        self.assertEqual(disagreements(told), [])

    def test_an_end_that_is_told_while_the_alarm_goes_on(self):
        view = agreeing()
        early = self.end()
        view.journal.append({"sequence": 4, **early})
        view.arrived.append(Arrival("alarm", json.dumps(early)))
        view.letters = [TEXT, TEXT]
        self.assertEqual(disagreements(view), ["alarm 552L goes on, and anna was told by sms that it is over"])

    def test_home_assistant(self):
        def with_entities(change):
            entities = copy.deepcopy(ENTITIES)
            change(entities["components"])
            return self.keeping("homeassistant/device/rig/config", json.dumps(entities))

        self.notices("does not show the siren", **with_entities(lambda parts: parts.pop("siren")))
        self.notices("does not show Pill", **with_entities(lambda parts: parts.pop("pill")))
        self.notices("nothing of Ada", **with_entities(lambda parts: parts.pop("ada_zone")))
        view = agreeing()
        view.retained["homeassistant/status"] = "online"
        self.assertEqual(disagreements(view), [])
        double = {"unique_id": "homeward_rig_siren"}
        self.notices("two entities have the id", **with_entities(lambda parts: parts.update(more=double)))


if __name__ == "__main__":
    unittest.main()
