import unittest
from datetime import UTC, datetime
from types import SimpleNamespace

from homeward_rig.machine import Lacking
from homeward_rig.stage import CheckFailed

from .support import EVENTS, CheckTest, fails, steps

WEEK = steps("week")


def reminder(word, slot, item="pill"):
    return {"sequence": 1, "type": f"reminder.{word}", "data": {"item": item, "slot": slot}}


def left(person="ada", kind="zone"):
    event = {"type": "alarm.raised", "subject": f"resident/{person}", "time": "now", "data": {"kind": kind}}
    return {"sequence": 1, **event}


class WeekTest(CheckTest):
    def told(self, *entries):
        # The command line gives the newest first.
        context = self.context({EVENTS: list(reversed(entries))})
        context.items = {"Pill": "pill"}
        return context

    @fails(
        '"{title}" was taken {done:d} times and missed {missed:d} times',
        '"{title}" was taken {done:d} times and missed {missed:d} time',
    )
    def test_what_was_taken_and_missed_is_counted_by_the_last_word(self):
        lives = (
            *(reminder("due", "1"), reminder("done", "1")),
            *(reminder("due", "2"), reminder("missed", "2"), reminder("done", "2")),
            *(reminder("due", "3"), reminder("missed", "3")),
            *(reminder("due", "4"), reminder("skipped", "1", item="walk")),
        )
        WEEK.taken_and_missed(self.told(*lives), "Pill", 2, 1)
        for done, missed in ((3, 1), (2, 0), (1, 2)):
            with self.assertRaisesRegex(CheckFailed, "should have been done"):
                WEEK.taken_and_missed(self.told(*lives), "Pill", done, missed)
        with self.assertRaises(CheckFailed):
            WEEK.taken_and_missed(self.told(*lives, reminder("skipped", "5")), "Pill", 2, 1)

    @fails(
        "{name} was outside of every safe zone {times:d} times in all",
        "{name} was outside of every safe zone {times:d} time in all",
    )
    def test_alarms_about_zones_are_counted_and_are_of_that_person(self):
        WEEK.left_in_all(self.told(left(), left(kind="sos")), "Ada", 1)
        for entries, times in (((left(), left()), 1), ((), 1), ((left("bert"),), 1)):
            with self.assertRaisesRegex(CheckFailed, "should have left"):
                WEEK.left_in_all(self.told(*entries), "Ada", times)

    def test_a_hub_whose_time_does_not_leap_waits_for_no_days(self):
        with self.assertRaisesRegex(Lacking, "clock that leaps over days"):
            WEEK.becomes(self.context(), 0, "08:00")

    def test_a_day_and_a_time_are_the_next_such(self):
        reached = []
        now = datetime(2027, 6, 9, 10, 30, tzinfo=UTC)
        clock = SimpleNamespace(utc=lambda: now, pass_until=reached.append)
        context = SimpleNamespace(stage=SimpleNamespace(machine=SimpleNamespace(clock=clock)))
        for day, time in ((2, "11:00"), (2, "10:30"), (2, "08:00"), (0, "08:00"), (4, "23:59")):
            WEEK.becomes(context, day, time)
        self.assertEqual(
            [f"{moment:%d %H:%M}" for moment in reached],
            ["09 11:00", "16 10:30", "16 08:00", "14 08:00", "11 23:59"],
        )


if __name__ == "__main__":
    unittest.main()
