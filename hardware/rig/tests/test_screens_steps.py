import json
from types import SimpleNamespace

from homeward_rig.course import course
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import EVENTS, CheckTest, fails, steps
from .test_course import BUTTON, PAGE, event

SCREENS = steps("screens")
RESIDENTS = ("/usr/bin/homeward", "--json", "residents")
ADA, BO = {"id": "ada", "name": "Ada"}, {"id": "bo", "name": "Bo"}
FRAME = ["Home", "Read to me", "Help"]


def seen(text="Take me home", keys=(), filled=0.0, loads=4, streams=1):
    return {
        "address": "/me", "text": text, "keys": [*FRAME, *keys], "filled": filled, "loads": loads,
        "streams": streams, "away": 3.2,
    }  # fmt: skip


class ScreensStepsTest(CheckTest):
    def before(self, look=None, outputs=None, **answers):
        context = with_peers(self.context(outputs), browsers={"look": look or seen(), **answers})
        context.screens = {"Ada": seen()}
        return context

    @fails("within {seconds:g} seconds {name}'s screen says: {words}")
    def test_a_screen_that_says_something_else_is_noticed(self):
        with self.assertRaisesRegex(CheckFailed, "/me says Take me home"):
            SCREENS.says(self.before(), 0, "Ada", "I call for help")
        SCREENS.says(self.before(), 0, "Ada", "Take me home")

    @fails("within {seconds:g} seconds {name}'s screen says nothing of: {words}")
    def test_a_screen_that_goes_on_saying_it_is_noticed(self):
        with self.assertRaisesRegex(CheckFailed, "/me says Take me home"):
            SCREENS.says_nothing_of(self.before(), 0, "Ada", "Take me home")
        SCREENS.says_nothing_of(self.before(), 0, "Ada", "not connected")

    @fails("{name}'s screen still says: {words}")
    def test_a_screen_that_lost_what_it_said_is_noticed(self):
        with self.assertRaisesRegex(CheckFailed, "is gone; /me says This site can’t be reached"):
            SCREENS.still_says(self.before(seen("This site can’t be reached")), "Ada", "Take me home")
        SCREENS.still_says(self.before(), "Ada", "Take me home")

    @fails("{name}'s screen has no key that says {label}")
    def test_a_key_that_should_not_be_is_noticed(self):
        with self.assertRaisesRegex(CheckFailed, 'no "Done"; the keys are Home, Read to me, Help, Done'):
            SCREENS.has_no_key(self.before(seen(keys=["Done"])), "Ada", "Done")
        SCREENS.has_no_key(self.before(), "Ada", "Done")

    @fails("{name}'s screen shows that alone, and it fills the screen")
    def test_a_reminder_among_other_things_or_in_a_corner_is_noticed(self):
        for keys, filled in ((["Done", "Not now", "Memos"], 1), (["Done", "Not now"], 0.4), ([], 1)):
            with self.assertRaisesRegex(CheckFailed, "the keys are Home"):
                SCREENS.fills(self.before(seen(keys=keys, filled=filled)), "Ada")
        SCREENS.fills(self.before(seen(keys=["Done", "Not now"], filled=0.97)), "Ada")

    @fails("within {seconds:g} seconds {name}'s screen is live")
    def test_a_screen_that_hears_nothing_is_noticed(self):
        with self.assertRaisesRegex(CheckFailed, "a live screen of Ada"):
            SCREENS.is_live(self.before(seen(streams=0)), 0, "Ada")
        context = self.before(seen(streams=2))
        SCREENS.is_live(context, 0, "Ada")
        self.assertEqual(context.screens["Ada"]["streams"], 2)

    @fails("within {seconds:g} seconds {name}'s screen is live again, loaded by nobody")
    def test_a_screen_that_stays_dead_or_is_loaded_anew_is_noticed(self):
        for look, words in ((seen(), "a live screen of Ada"), (seen(loads=5, streams=2), "loaded anew, 1 times")):
            with self.assertRaisesRegex(CheckFailed, words):
                SCREENS.live_again(self.before(look), 0, "Ada")
        context = self.before(seen(streams=2))
        SCREENS.live_again(context, 0, "Ada")
        # What comes next is counted from here on.
        self.assertEqual(context.screens["Ada"]["streams"], 2)

    @fails("{name}'s screen sees {resident}, and nobody else")
    def test_a_screen_that_sees_somebody_else_or_nobody_is_noticed(self):
        def sees(listed, status):
            told = iter([{"status": 200, "answer": listed}, {"status": status, "answer": {}}])
            context = self.before(outputs={RESIDENTS: [ADA, BO]}, ask=lambda: next(told))
            SCREENS.sees_alone(context, "Ada", "Ada")

        for listed, status in (([ADA, BO], 403), ([], 403), ([ADA], 200)):
            with self.assertRaises(CheckFailed):
                sees(listed, status)
        sees([ADA], 403)

    @fails("within {seconds:g} seconds as much has come of this alarm as of the one that was noted, and nothing else")
    def test_a_call_that_brings_about_less_or_more_is_noticed(self):
        def compare(before, now):
            context = with_peers(self.context({EVENTS: now}), browsers={}, broker={"events": []}, modem={"sent": []})
            context.alarm, context.course = PAGE, course(BUTTON, before, [], [])
            SCREENS.same_course(context, 0)

        raised = [event(BUTTON, "alarm.raised", trigger="button")]
        with self.assertRaisesRegex(CheckFailed, "events lack alarm.raised"):
            compare(raised, [])
        with self.assertRaisesRegex(CheckFailed, "events have besides alarm.cancelled"):
            compare(raised, [event(PAGE, "alarm.raised"), event(PAGE, "alarm.cancelled")])
        with self.assertRaisesRegex(CheckFailed, "proves nothing"):
            compare([], [])
        compare(raised, [event(PAGE, "alarm.raised", trigger="backend")])

    def test_a_receipt_that_lacks_is_waited_for(self):
        receipt = event(BUTTON, "alarm.delivery", outcome="delivered", attempt=1)
        answers = iter([[], [receipt]])
        context = with_peers(
            self.context({EVENTS: lambda: json.dumps(next(answers))}),
            browsers={}, broker={"events": []}, modem={"sent": []},
        )  # fmt: skip
        context.alarm, context.stage.phones = BUTTON, {"Anna": "+4791234567"}
        SCREENS.note_course(context)
        self.assertEqual(context.course.receipts, 1)

    def test_what_each_screen_showed_is_noted_before_homeward_is_killed(self):
        context = self.before(seen(streams=7))
        context.stage.machine = SimpleNamespace(run=lambda *words, **more: None)
        SCREENS.kill(context)
        self.assertEqual(context.screens["Ada"]["streams"], 7)
