import json
import unittest

from homeward_rig.alarms import Alarm
from homeward_rig.course import course, differences

BUTTON, PAGE = Alarm("01a21b82-4cd7", "AKSS"), Alarm("01a21b99-0001", "ZZ77")


def event(alarm: Alarm, kind: str, **data: object) -> dict:
    return {
        "id": f"{alarm.tag}-{kind}-{data}",
        "type": kind,
        "data": {"alarm": alarm.identity, "tag": alarm.tag, **data},
    }


def of(
    alarm: Alarm, trigger: str, *more: dict, clock: str = "14:31", words: str = "needs help", tries: int = 1
) -> object:
    """What a call brought about: three events, all of them at the broker, and one text message."""
    events = [
        event(alarm, "alarm.raised", trigger=trigger, stage="prealarm"),
        event(alarm, "alarm.dispatched", stage="dispatched"),
        event(alarm, "alarm.delivery", recipient="anna", outcome="delivered", attempt=1),
        *more,
    ]
    text = {"number": "+4791234567", "text": f"SOS Ada {clock} {words} #{alarm.tag}"}
    return course(alarm, events, [{"body": json.dumps(one)} for one in events], [text] * tries)


class CourseTest(unittest.TestCase):
    def test_who_it_is_when_it_was_how_often_it_was_tried_and_by_what_it_was_called_say_nothing(self):
        again = event(PAGE, "alarm.delivery", recipient="anna", outcome="delivered", attempt=2)
        there = event(PAGE, "alarm.location", latitude=59.9)
        one, other = of(BUTTON, "button"), of(PAGE, "backend", again, there, clock="9:05", tries=2)
        self.assertEqual(differences(one, other), [])
        self.assertEqual((one.receipts, other.receipts), (1, 1))
        self.assertEqual(str(one), "3 events, 3 events at the broker, 1 text messages")

    def test_an_event_more_or_less_and_other_words_are_told(self):
        one = of(BUTTON, "button")
        more = differences(one, of(PAGE, "backend", event(PAGE, "alarm.cancelled")))
        self.assertEqual(
            [words.split(" alarm.")[0] for words in more], ["events have besides", "events at the broker have besides"]
        )
        other = differences(one, of(PAGE, "backend", words="is fine"))
        self.assertEqual(len(other), 2)
        self.assertIn("text messages lack +4791234567: SOS Ada 0:00 needs help #TAG", other)

    def test_what_is_another_alarms_is_not_among_it(self):
        foreign = event(BUTTON, "alarm.resolved")
        self.assertEqual(differences(of(BUTTON, "button"), of(PAGE, "backend", foreign)), [])


if __name__ == "__main__":
    unittest.main()
