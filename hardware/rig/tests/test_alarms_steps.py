import json

from homeward_rig.alarms import Alarm
from homeward_rig.gps.walker import Place
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import EVENTS, CheckTest, fails, steps

ALARMS = steps("alarms")
LIST = ("/usr/bin/homeward", "--json", "alarm", "list")


def event(type: str, alarm: str = "0199", **data: object) -> dict:
    time = data.pop("time", "2026-11-20T12:00:00Z")
    identity, subject = data.pop("id", type), data.pop("subject", "resident/ada")
    facts = {"alarm": alarm, "tag": "A7K2", "kind": "sos", **data}
    return {"id": identity, "type": type, "subject": subject, "time": time, "data": facts}


def journal(*events: dict) -> list[dict]:
    return [{"sequence": place + 1, **each} for place, each in enumerate(events)][::-1]


class AlarmsStepsTest(CheckTest):
    def of(self, outputs: dict, came: tuple[dict, ...] = (), then: tuple[dict, ...] = ()):
        """A story about alarm 0199, of which these events have come to the broker, and `then` more."""
        asked = []

        def so_far():
            asked.append(1)
            events = [*came, *(then if len(asked) > 1 else ())]
            return [{"lane": "alarm", "time": 0, "body": json.dumps(each)} for each in events]

        context = with_peers(self.context(outputs), broker={"events": so_far})
        context.alarm = Alarm("0199", "A7K2")
        return context

    @fails("within {seconds:g} seconds the hub has raised an SOS for {name}")
    def test_an_sos_that_lacks_or_is_anothers_or_no_sos_is_noticed(self):
        for events in ((), (event("alarm.raised", kind="zone"),), (event("alarm.raised", subject="resident/eve"),)):
            with self.subTest(events), self.assertRaises(CheckFailed):
                ALARMS.has_raised(self.of({EVENTS: journal(*events)}), 0, "Ada")
        context = self.of({EVENTS: journal(event("alarm.raised", "0200"))})
        ALARMS.has_raised(context, 0, "Ada")
        self.assertEqual(context.alarm, Alarm("0200", "A7K2"))

    @fails("within {seconds:g} seconds an SOS of {name} is open")
    def test_an_open_alarm_of_another_kind_or_of_somebody_else_is_noticed(self):
        mine = {"alarm": "0200", "tag": "A7K2", "kind": "sos", "resident": "ada"}
        for alarms in ([], [{**mine, "kind": "fault"}], [{**mine, "resident": "eve"}]):
            with self.subTest(alarms), self.assertRaises(CheckFailed):
                ALARMS.is_open(self.of({LIST: alarms}), 0, "Ada")
        context = self.of({LIST: [mine]})
        ALARMS.is_open(context, 0, "Ada")
        self.assertEqual(context.alarm, Alarm("0200", "A7K2"))

    def test_an_answer_that_names_no_alarm_is_noticed(self):
        for answer in (None, {}, {"result": {"alarm": "0199"}}):
            with self.assertRaises(CheckFailed):
                ALARMS.answer_of(answer)
        self.assertEqual(ALARMS.answer_of({"result": {"alarm": "1", "tag": "B"}})["tag"], "B")

    @fails(
        "within {seconds:g} seconds the alarm is {stage:StageOfLife}, and no other is open",
        "no alarm is open",
    )
    def test_another_stage_or_another_alarm_is_noticed(self):
        mine, other = {"alarm": "0199", "stage": "dispatched"}, {"alarm": "0200", "stage": "dispatched"}
        for alarms in ([], [other], [mine, other], [{**mine, "stage": "prealarm"}]):
            with self.subTest(alarms), self.assertRaises(CheckFailed):
                ALARMS.has_come_to(self.of({LIST: alarms}), 0, "dispatched")
        ALARMS.has_come_to(self.of({LIST: [mine]}), 0, "dispatched")
        with self.assertRaises(CheckFailed):
            ALARMS.none_open(self.of({LIST: [mine]}))
        ALARMS.none_open(self.of({LIST: []}))

    @fails(
        'within {seconds:g} seconds the hub reports "{kind}" of this alarm',
        'the hub has not reported "{kind}" of this alarm',
    )
    def test_what_is_told_of_another_alarm_does_not_count(self):
        own = self.of({EVENTS: journal(event("alarm.resolved"))})
        others = self.of({EVENTS: journal(event("alarm.resolved", "0200"))})
        ALARMS.reports_of_this(own, 0, "alarm.resolved")
        with self.assertRaises(CheckFailed):
            ALARMS.reports_of_this(others, 0, "alarm.resolved")
        ALARMS.not_reported_of_this(others, "alarm.resolved")
        with self.assertRaises(CheckFailed):
            ALARMS.not_reported_of_this(own, "alarm.resolved")

    @fails("it was {helper} who did that")
    def test_somebody_else_is_noticed(self):
        context = self.of({})
        for told in ("anna", "", None):
            context.event = event("alarm.acknowledged", by=told)
            with self.assertRaises(CheckFailed):
                ALARMS.was_by(context, "Bo")
        context.event = event("alarm.acknowledged", by="bo")
        ALARMS.was_by(context, "Bo")

    @fails("that looks to her as if it were over", "the hub refuses that, and says how many tries are left")
    def test_what_the_hub_says_of_a_pin_is_judged(self):
        over = (0, "The SOS of Ada is cancelled.", "")
        wrong = (1, "", "homeward: that PIN is wrong; 4 tries are left.")
        for said, accepts, refuses in (
            (over, True, False),
            (wrong, False, True),
            ((0, "Guardians were told silently.", ""), False, False),
            ((0, "The SOS of Ada is cancelled.", "duress"), False, False),
            ((1, "", "homeward: not now."), False, False),
        ):
            context = self.of({})
            context.said = said
            for check, holds in ((ALARMS.looks_over, accepts), (ALARMS.refuses_with_tries, refuses)):
                with self.subTest(said=said, check=check.__name__):
                    if holds:
                        check(context)
                    else:
                        self.assertRaises(CheckFailed, check, context)

    @fails(
        'within {seconds:g} seconds "{kind}" of this alarm has come to the {place}',
        '"{kind}" of this alarm has not come to the {place}',
    )
    def test_what_comes_to_the_far_side_is_told_from_what_does_not(self):
        for came, is_there in (
            ((event("alarm.raised"),), True),
            ((event("alarm.raised", "0200"),), False),
            ((event("alarm.resolved"),), False),
            ((), False),
        ):
            there, away = self.of({}, came), self.of({}, came)
            with self.subTest(came):
                if is_there:
                    ALARMS.has_come_to_place(there, 0, "alarm.raised", "broker")
                    self.assertRaises(CheckFailed, ALARMS.has_not_come, away, "alarm.raised", "broker")
                else:
                    self.assertRaises(CheckFailed, ALARMS.has_come_to_place, there, 0, "alarm.raised", "broker")
                    ALARMS.has_not_come(away, "alarm.raised", "broker")

    @fails(
        "within {seconds:g} seconds at least {count:d} live positions of this alarm have come to the {place}, in order"
    )
    def test_live_positions_that_lack_or_are_mixed_up_or_far_away_are_noticed(self):
        latitude, longitude = Place(10, 10).degrees
        one, two, three = (
            event("alarm.location", id=f"e{n}", time=f"2026-11-20T12:00:{n}0Z", latitude=latitude, longitude=longitude)
            for n in (1, 2, 3)
        )
        far = event("alarm.location", id="e4", time="2026-11-20T12:00:40Z", latitude=0, longitude=0)
        for came in ((one, two), (one, one, two), (one, three, two), (one, two, far)):
            with self.subTest([each["id"] for each in came]), self.assertRaises(CheckFailed):
                ALARMS.live_positions(self.of({}, came), 0, 3, "broker")
        ALARMS.live_positions(self.of({}, (one, two, one, three)), 0, 3, "broker")

    @fails("for {seconds:g} seconds no live position comes to the {place}")
    def test_a_position_after_the_end_is_noticed(self):
        first, second = (event("alarm.location", id=identity) for identity in ("e1", "e2"))
        with self.assertRaises(CheckFailed):
            ALARMS.no_live_position(self.of({}, (first,), (second,)), 0, "broker")
        ALARMS.no_live_position(self.of({}, (first,), (first,)), 0, "broker")
