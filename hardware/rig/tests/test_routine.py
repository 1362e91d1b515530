import unittest

from homeward_rig.routine import due_times


def event(kind: str, item: str = "pill", slot: str = "2027-03-28T02:30", **data: str) -> dict:
    return {"type": kind, "data": {"item": item, "slot": slot, **data}}


class DueTimesTest(unittest.TestCase):
    def test_each_due_time_has_its_own_life(self):
        found = due_times(
            [
                event("reminder.due"),
                event("reminder.prompted"),
                event("reminder.due", item="walk"),
                event("reminder.done", by="button/wired"),
                event("reminder.due", slot="2027-03-29T02:30"),
                event("medicine.missed"),
                {"type": "reminder.gap", "data": {"item": "pill"}},
            ]
        )
        self.assertEqual(
            [str(life) for life in found.values()],
            [
                "pill of 2027-03-28T02:30: due, prompted, done",
                "walk of 2027-03-28T02:30: due",
                "pill of 2027-03-29T02:30: due",
            ],
        )
        self.assertEqual([life.wrong for life in found.values()], ["", "", ""])
        self.assertEqual([life.by for life in found.values()], ["button/wired", "", ""])

    def test_what_cannot_be_in_one_life_is_named(self):
        for kinds, wrong in (
            (["due", "missed", "done"], ""),
            (["due", "done", "missed"], "ended 2 times: done, missed"),
            (["due", "missed", "done", "done"], "ended 3 times: missed, done, done"),
            (["due", "due"], "became due 2 times"),
            (["due", "done", "prompted"], "went on after it was done: prompted"),
        ):
            with self.subTest(kinds):
                (life,) = due_times(event(f"reminder.{kind}") for kind in kinds).values()
                self.assertEqual(life.wrong, wrong)
