from homeward_rig.alarms import Alarm
from homeward_rig.stage import CheckFailed

from .support import CheckTest, fails, steps

ABSENCE = steps("absence")
STATUS = ("/usr/bin/homeward", "status")
LIST = ("/usr/bin/homeward", "--json", "alarm", "list")
OVERDUE = "Ada was expected back from Day centre at 16:00."


class AbsenceStepsTest(CheckTest):
    @fails('the status says of {name}: "{words}"')
    def test_other_words_or_those_of_somebody_else_are_noticed(self):
        for shown in ("", "Ada  OUTSIDE  1, 2\n", "Bert  outside, at Day centre until 16:00  1, 2\nAda  in Home\n"):
            with self.subTest(shown), self.assertRaises(CheckFailed):
                ABSENCE.says_where(self.context({STATUS: shown}), "Ada", "outside, at Day centre until 16:00")
        shown = "RESIDENT  WHERE\nAda  outside, at Day centre until 16:00  1, 2\n"
        ABSENCE.says_where(self.context({STATUS: shown}), "Ada", "outside, at Day centre until 16:00")

    @fails('within {seconds:g} seconds {name} is missed: "{words}"')
    def test_no_alarm_another_one_or_other_words_are_noticed(self):
        mine = {"alarm": "0200", "tag": "A7K2", "kind": "zone", "resident": "ada", "explanation": OVERDUE}
        for alarms in (
            [],
            [{**mine, "kind": "sos"}],
            [{**mine, "resident": "eve"}],
            [{**mine, "explanation": "Ada left Home."}],
        ):
            with self.subTest(alarms), self.assertRaises(CheckFailed):
                ABSENCE.is_missed(self.context({LIST: alarms}), 0, "Ada", OVERDUE)
        context = self.context({LIST: [mine]})
        ABSENCE.is_missed(context, 0, "Ada", OVERDUE)
        self.assertEqual(context.alarm, Alarm("0200", "A7K2"))
