from homeward_rig.stage import CheckFailed

from .support import STATUS, CheckTest, fails, steps

PROGRAM = steps("program")


class ProgramStepsTest(CheckTest):
    @fails(
        'the hub says of "{component}": {words}', 'within {seconds:g} seconds the hub says of "{component}": {words}'
    )
    def test_other_words_are_noticed(self):
        status = {"components": [{"component": "plugin/webhook", "detail": "503 from the receiver"}]}
        for component, words in (("plugin/webhook", "expired"), ("plugin/mqtt", "503")):
            with self.assertRaises(CheckFailed):
                PROGRAM.says(self.context({STATUS: status}), component, words)
            with self.assertRaises(CheckFailed):
                PROGRAM.comes_to_say(self.context({STATUS: status}), 0, component, words)
        PROGRAM.says(self.context({STATUS: status}), "plugin/webhook", "503")
        PROGRAM.comes_to_say(self.context({STATUS: status}), 0, "plugin/webhook", "503")
