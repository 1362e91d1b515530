import time
from datetime import UTC, datetime
from types import SimpleNamespace

from homeward_rig.peers.receiver import Receiver
from homeward_rig.stage import CheckFailed

from .support import EVENTS, STATUS, CheckTest, fails, steps

WALK = steps("walk")
EXPLAIN = ("/usr/bin/homeward", "explain", "e7")

LEFT = (
    "Ada left Home: two positions in a row, 1 s apart, were 91 m and 92 m from its centre, beyond the 25 m radius plus "
    "50 m margin and 15 m of doubt."
)


def told(kind: str, sentence: str, sequence: int = 7) -> list[dict]:
    return [{"sequence": sequence, "type": kind, "id": "e7", "data": {"explanation": sentence}}]


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


class WalkStepsTest(CheckTest):
    @fails("within {seconds:g} seconds gpsd and the GPS receiver have agreed on UBX")
    def test_a_receiver_that_nobody_asked_for_ubx_is_noticed(self):
        receiver = Receiver()
        receiver.protocol("ubx")
        context = SimpleNamespace(
            stage=SimpleNamespace(peer=lambda name: SimpleNamespace(do=lambda action: getattr(receiver, action)()))
        )
        with self.assertRaises(CheckFailed):
            WALK.agreed_on_ubx(context, 0)

    @fails('within {seconds:g} seconds the hub says what is wrong with the GPS receiver: "{words}"')
    def test_a_receiver_that_passes_for_well_or_for_otherwise_ill_is_noticed(self):
        def context(state, detail):
            return self.context({STATUS: {"components": [{"component": "gps/gps", "state": state, "detail": detail}]}})

        for state, detail in (("working", "It needs a view of the sky."), ("failed", "gpsd does not answer.")):
            with self.assertRaisesRegex(CheckFailed, detail):
                WALK.says_what_is_wrong(context(state, detail), 0, "view of the sky")
        WALK.says_what_is_wrong(context("degraded", "It needs a view of the sky."), 0, "view of the sky")

    @fails(
        'within {seconds:g} seconds the hub reports the fault "{words}"',
        'within {seconds:g} seconds the hub reports that the fault "{words}" is over',
    )
    def test_a_fault_that_is_not_told_is_missed(self):
        for step, kind in ((WALK.reports_fault, "fault.raised"), (WALK.reports_fault_over, "fault.cleared")):
            context = self.context({(*EVENTS, "--type", kind): told(kind, "The receiver is gone.")})
            with self.assertRaisesRegex(CheckFailed, "The receiver is gone."):
                step(context, 0, "no position")
            step(context, 0, "is gone")
            with self.assertRaises(CheckFailed):
                step(context, 0, "is gone")

    @fails("the hub's positions of {name} still carry the right time")
    def test_a_position_with_the_receivers_wrong_time_is_noticed(self):
        def context(position):
            return self.context({STATUS: {"residents": [{"name": "Ada", "tracking": {"position": position}}]}})

        for wrong in (None, {"time": iso(time.time() - 1024 * 7 * 86_400)}, {"time": iso(time.time() + 60)}):
            with self.assertRaises(CheckFailed):
                WALK.positions_have_right_time(context(wrong), "Ada")
        WALK.positions_have_right_time(context({"time": iso(time.time())}), "Ada")

    @fails('within {seconds:g} seconds the hub refuses a position because "{words}"')
    def test_a_lie_that_is_believed_is_noticed(self):
        def context(*found):
            context = self.context({(*EVENTS, "--lane", "trace"): list(found)})
            context.raw_traces_seen = 5
            return context

        sentence = "Not believed: nobody moves there and away again as fast as that."
        for found in ([], told("fix.rejected", sentence, 5), told("fix.rejected", "Not believed: no position.")):
            with self.assertRaises(CheckFailed):
                WALK.refuses_position(context(*found), 0, "nobody moves there")
        WALK.refuses_position(context(*told("fix.rejected", sentence)), 0, "nobody moves there")

    @fails("the hub explains it with two distances beyond {meters:g} m")
    def test_an_explanation_without_distances_or_with_too_short_ones_is_noticed(self):
        def context(text):
            context = self.context({EXPLAIN: text})
            context.event = {"id": "e7"}
            return context

        for text in ("", "Ada left Home.\n", LEFT.replace("91 m", "70 m"), LEFT.replace("91 m and ", "")):
            with self.assertRaises(CheckFailed):
                WALK.explains_with_distances(context(text), 75)
        WALK.explains_with_distances(context(f"zone.left\n\n{LEFT}\n\nradiusMeters 25\n"), 75)
