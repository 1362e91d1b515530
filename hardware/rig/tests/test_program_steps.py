import json

from homeward_rig.guest_agent import Completed
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

    @fails("within {seconds:g} seconds Homeward's log says: {words}")
    def test_a_log_that_says_nothing_of_it_is_noticed(self):
        outputs = {("/bin/journalctl", "--unit=homeward"): "4 lines were dropped here"}
        PROGRAM.log_says(self.context(outputs), 0, "lines were dropped")
        with self.assertRaises(CheckFailed):
            PROGRAM.log_says(self.context(outputs), 0, "lines were eaten")

    @fails("within {seconds:g} seconds nobody takes Homeward's log any more")
    def test_a_log_that_is_taken_is_noticed(self):
        for components in ([], [{"component": "log", "state": "working"}]):
            with self.assertRaises(CheckFailed):
                PROGRAM.log_is_stuck(self.context({STATUS: {"components": components}}), 0)
        PROGRAM.log_is_stuck(self.context({STATUS: {"components": [{"component": "log", "state": "degraded"}]}}), 0)

    @fails("within {seconds:g} seconds that plugin has tried all it can")
    def test_a_plugin_that_tries_nothing_is_noticed(self):
        with self.assertRaises(CheckFailed):
            PROGRAM.has_tried(self.context({("/bin/journalctl", "--unit=homeward"): "all is quiet"}), 0)

    @fails("no wall has a hole", "they were tried with each plugin that is installed")
    def test_a_hole_and_a_plugin_without_a_try_are_noticed(self):
        def context(status, output, installed="camera\nmqtt\n"):
            found = self.context({("/bin/ls",): installed})
            found.walls = Completed((), status, output, "")
            return found

        whole = "deeds of 51 that succeeded, by plugin: all\ncamera: 0\nmqtt: 0\n"
        PROGRAM.no_hole(context(0, whole))
        PROGRAM.tried_with_each(context(0, whole))
        with self.assertRaises(CheckFailed):
            PROGRAM.no_hole(context(1, f"{whole}HOLE mqtt, all, landlock 7: signalled\n"))
        for output, installed in (("camera: 0\n", "camera\nmqtt\n"), ("", "")):
            with self.assertRaises(CheckFailed):
                PROGRAM.tried_with_each(context(0, output, installed))

    @fails("Homeward runs as it did, and so do its other plugins")
    def test_a_daemon_or_a_plugin_that_was_started_anew_is_noticed(self):
        def context(daemon, restarts):
            plugins = [{"name": "mqtt", "restarts": restarts}, {"name": "hostile", "restarts": 9}]
            outputs = {
                ("/usr/bin/homeward", "--json", "plugins"): json.dumps(plugins),
                ("/bin/systemctl", "show"): f"{daemon}\n",
            }
            found = self.context(outputs)
            found.lives = ("17", {"mqtt": 0})
            return found

        PROGRAM.runs_as_it_did(context(17, 0))
        for daemon, restarts in ((18, 0), (17, 1)):
            with self.assertRaises(CheckFailed):
                PROGRAM.runs_as_it_did(context(daemon, restarts))
