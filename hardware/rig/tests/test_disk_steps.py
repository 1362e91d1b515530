import contextlib
import io
from types import SimpleNamespace
from unittest import mock

from homeward_rig.hub import Hub
from homeward_rig.stage import CheckFailed

from . import test_disk_check
from .support import EVENTS, STATUS, ScriptedMachine, fails, steps

DISK = steps("disk")


def store(thinned=0, stored=5, waiting=0, state="working"):
    return {
        "store": {"thinnedTraces": thinned, "recordSequence": stored, "waitingRecords": waiting},
        "components": [{"component": "store", "state": state}],
    }


def one_after_the_other(*answers):
    """A program that prints something else each time, and the last answer from then on."""
    left = list(answers)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def context(outputs, **more):
    return SimpleNamespace(stage=SimpleNamespace(hub=Hub(ScriptedMachine(outputs))), **more)


def arrived(*events):
    """The broker's news, `(lane, id)` each."""
    return mock.patch.object(
        DISK,
        "arrivals",
        lambda stage, place: [SimpleNamespace(lane=lane, identity=identity) for lane, identity in events],
    )


class DiskStepsTest(test_disk_check.DiskTest):
    @fails("within {seconds:g} seconds raw traces are thinned, and everything else is stored")
    def test_both_have_to_happen(self):
        DISK.traces_are_thinned(context({STATUS: one_after_the_other(store(), store(thinned=1, stored=6))}), 0)
        for after in (store(), store(thinned=1), store(stored=6)):
            with self.assertRaises(CheckFailed):
                DISK.traces_are_thinned(context({STATUS: one_after_the_other(store(), after)}), 0)

    @fails("it believed nothing wrong, and lost nothing without a word")
    def test_what_is_believed_and_wrong_is_noticed(self):
        DISK.nothing_wrong(SimpleNamespace(wrong=[]))
        with self.assertRaises(CheckFailed):
            DISK.nothing_wrong(SimpleNamespace(wrong=["boot 2: believed of guardians: somebody"]))

    @fails("within {seconds:g} seconds nothing can be stored")
    def test_a_disk_that_still_takes_something_is_noticed(self):
        DISK.nothing_can_be_stored(context({STATUS: store(waiting=3, state="failed")}), 0)
        for status in (store(), store(waiting=3), store(state="failed")):
            with self.assertRaises(CheckFailed):
                DISK.nothing_can_be_stored(context({STATUS: status}), 0)

    @fails("still nothing could be stored")
    def test_a_disk_that_took_something_in_between_is_noticed(self):
        DISK.still_nothing(context({STATUS: store(waiting=3, stored=5)}, stored_before=5))
        for status in (store(waiting=3, stored=6), store(waiting=0, stored=5)):
            with self.assertRaises(CheckFailed):
                DISK.still_nothing(context({STATUS: status}, stored_before=5))

    @fails("within {seconds:g} seconds an alarm that is not stored yet arrives at the {place}")
    def test_an_alarm_that_waits_for_the_disk_is_noticed(self):
        journal = context({EVENTS: [{"sequence": 1, "id": "stored"}]})
        with arrived(("alarm", "stored"), ("alarm", "early")):
            DISK.unstored_alarm_arrives(journal, 0, "broker")
        for news in ([], [("alarm", "stored")], [("record", "early")]):
            with arrived(*news), self.assertRaises(CheckFailed):
                DISK.unstored_alarm_arrives(journal, 0, "broker")

    @fails("the disk holds everything that was promised, once and whole")
    def test_a_promise_that_the_disk_does_not_hold_is_noticed(self):
        self.journal([1, 2, 4])
        self.make()
        acknowledged = self.folder / "acknowledged"
        machine = SimpleNamespace(folder=self.folder, acknowledged=acknowledged, disk=SimpleNamespace(image=self.image))
        story = SimpleNamespace(stage=SimpleNamespace(machine=machine))
        for numbers, expectation in (
            ([1, 2, 4], contextlib.nullcontext()),
            ([1, 2, 3], self.assertRaisesRegex(CheckFailed, "event e3, Place 3")),
            ([], self.assertRaisesRegex(CheckFailed, "nothing was promised")),
        ):
            acknowledged.write_text("".join(line + "\n" for line in test_disk_check.promised(numbers)))
            with expectation, mock.patch("sys.stdout", io.StringIO()):
                DISK.disk_holds_everything(story)

    @fails('within {seconds:g} seconds a fault of "{component}" has come to the {place}')
    def test_a_fault_that_nobody_hears_of_is_noticed(self):
        def news(*events):
            return mock.patch.object(
                DISK, "arrivals", lambda stage, place: [SimpleNamespace(event=event) for event in events]
            )

        fault = {"type": "fault.raised", "data": {"component": "store"}}
        with news(fault):
            DISK.fault_came(context({}), 0, "store", "broker")
        for wrong in ({**fault, "type": "fault.cleared"}, {**fault, "data": {"component": "gps/gps"}}):
            with news(wrong), self.assertRaises(CheckFailed):
                DISK.fault_came(context({}), 0, "store", "broker")
