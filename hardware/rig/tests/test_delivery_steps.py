import json

from homeward_rig.delivery import missed_so_far
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import EVENTS, CheckTest, fails, steps

DELIVERY = steps("delivery")


def event(number: int, lane: str = "record", **more: object) -> dict:
    return {
        "id": f"e{number}",
        "type": "record.changed",
        "subject": "resident/ada",
        "time": f"12:00:{number:02d}",
        "lane": lane,
        **more,
    }


def arrived(*events: dict) -> list[dict]:
    return [{"lane": each["lane"], "time": 0, "body": json.dumps(each)} for each in events]


class DeliveryStepsTest(CheckTest):
    def far_side(self, journal: list[dict], came: list[dict], log: str = ""):
        entries = [{"sequence": place + 1, **each} for place, each in enumerate(journal)]
        # The command line lists the newest first.
        outputs = {EVENTS: entries[::-1], ("/bin/journalctl", "--unit=homeward"): log}
        return with_peers(self.context(outputs), broker={"events": came})

    @fails("within {seconds:g} seconds everything that the hub reported has arrived at the {place}, and nothing else")
    def test_what_lacks_is_foreign_or_changed_is_noticed(self):
        journal = [event(1), event(2), event(3)]
        for came, words in (
            (arrived(event(1), event(3)), "1 of 3 did not arrive"),
            (arrived(*journal, event(4)), "does not have"),
            (arrived(event(1), event(2), event(3, extra=1)), "another content"),
        ):
            with self.subTest(words), self.assertRaisesRegex(CheckFailed, words):
                DELIVERY.has_everything(self.far_side(journal, came), 0, "broker")
        # An address for pushes stays in the house.
        data = {"action": "guardian.put", "content": {"id": "bo", "push": "ntfy://bo"}}
        sent = {"action": "guardian.put", "content": {"id": "bo"}}
        journal = [event(1, type="record.changed", data=data)]
        came = arrived(event(1, type="record.changed", data=sent))
        DELIVERY.has_everything(self.far_side(journal, came), 0, "broker")
        with self.assertRaisesRegex(CheckFailed, "another content"):
            DELIVERY.has_everything(self.far_side(journal, arrived(*journal)), 0, "broker")
        journal = [event(1), event(2), event(3)]
        # Twice is no fault, and order is another check's.
        DELIVERY.has_everything(self.far_side(journal, arrived(*journal[::-1], event(2))), 0, "broker")

    @fails("at the {place} nothing came twice with different words")
    def test_an_id_with_two_meanings_is_noticed(self):
        with self.assertRaises(CheckFailed):
            DELIVERY.no_contradiction(self.far_side([], arrived(event(1), event(1, extra=1))), "broker")
        DELIVERY.no_contradiction(self.far_side([], arrived(event(1), event(1))), "broker")

    @fails("at the {place} the news about each person came in order")
    def test_news_about_one_person_out_of_order_is_noticed(self):
        journal = [event(1), event(2, "alarm"), event(3), event(4, subject="gateway")]
        with self.assertRaises(CheckFailed):
            DELIVERY.in_order(self.far_side(journal, arrived(event(3), event(1))), "broker")
        # An alarm overtakes, and what is about another subject; and what comes again came in its turn before.
        came = arrived(event(4, subject="gateway"), event(2, "alarm"), event(1), event(3), event(1))
        DELIVERY.in_order(self.far_side(journal, came), "broker")

    def test_an_alarm_that_went_out_from_memory_may_overtake(self):
        journal = [event(1, "alarm"), event(2, "alarm"), event(3, "alarm")]
        log = "12:00 hub homewardd[7]: alarm e2 goes out before the disk has it\n"
        DELIVERY.in_order(self.far_side(journal, arrived(event(2, "alarm"), event(1, "alarm")), log), "broker")
        with self.assertRaises(CheckFailed):
            DELIVERY.in_order(self.far_side(journal, arrived(event(3, "alarm"), event(1, "alarm")), log), "broker")

    @fails("at the {place} the alarms that it had missed came first")
    def test_an_alarm_behind_records_is_noticed(self):
        journal = [event(1), event(2), event(3, "alarm")]
        context = self.far_side(journal, arrived(event(1)))
        context.missed = missed_so_far(context.stage)
        self.assertEqual(context.missed, {"broker": ["e2", "e3"]})
        came = context.stage.peer("broker").answers
        for came["events"] in (arrived(*journal), arrived(event(1), event(2))):
            with self.assertRaises(CheckFailed):
                DELIVERY.alarms_first(context, "broker")
        # What had come before may come again, and what happens afterwards is another story.
        came["events"] = arrived(event(1), event(1), event(3, "alarm"), event(2), event(4, "alarm"))
        DELIVERY.alarms_first(context, "broker")

    def test_an_alarm_about_a_part_of_the_hub_may_follow(self):
        fault = event(4, "alarm", subject="gateway") | {"data": {"kind": "fault"}}
        context = self.far_side([event(2), event(3, "alarm"), fault], [])
        context.missed = missed_so_far(context.stage)
        context.stage.peer("broker").answers["events"] = arrived(event(3, "alarm"), event(2), fault)
        DELIVERY.alarms_first(context, "broker")

    def test_a_record_that_was_on_its_way_with_such_an_alarm_may_come_with_it_and_no_second_one(self):
        fault = event(1, "alarm", subject="gateway") | {"data": {"kind": "fault"}}
        context = self.far_side([fault, event(2), event(3), event(4, "alarm")], [])
        context.missed = missed_so_far(context.stage)
        came = context.stage.peer("broker").answers
        came["events"] = arrived(fault, event(2), event(4, "alarm"), event(3))
        DELIVERY.alarms_first(context, "broker")
        for came["events"] in (
            arrived(fault, event(2), event(3), event(4, "alarm")),
            arrived(event(2), fault, event(4, "alarm"), event(3)),
            arrived(fault, event(3), event(4, "alarm"), event(2)),
        ):
            with self.assertRaises(CheckFailed):
                DELIVERY.alarms_first(context, "broker")
