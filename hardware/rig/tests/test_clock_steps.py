import time
from datetime import UTC, datetime

from homeward_rig.stage import CheckFailed

from .support import EVENTS, STATUS, CheckTest, fails, steps

CLOCK = steps("clock")
TEXT_STATUS = ("/usr/bin/homeward", "status")
WARNING = "Clock   1970-01-01 01:00:07 UTC (untrusted): NOTHING SCHEDULED IS JUDGED until the time is known\n"


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def clock(utc: str, quality: str) -> dict:
    return {"clock": {"utc": utc, "quality": quality, "isTrusted": quality != "untrusted"}}


def event(sequence: int, kind: str, tick: float, quality: str = "untrusted", /, **data) -> dict:
    told = {
        "id": f"e{sequence}",
        "type": kind,
        "lane": "record",
        "time": "1970-01-01T01:00:00.000Z",
        "bootid": "b",
        "timequality": quality,
        "tick": str(int(tick * 1e9)),
        "data": data,
    }
    return {"sequence": sequence, **told}


class ClockStepsTest(CheckTest):
    @fails("the hub says that it does not know the time, and that nothing scheduled is judged")
    def test_a_hub_that_takes_1970_for_now_is_noticed(self):
        wrong = clock("1970-01-01T01:00:07.000Z", "untrusted")
        for status, text in ((clock(iso(0), "hardware-clock"), WARNING), (wrong, "Clock   1970-01-01 (untrusted)\n")):
            with self.assertRaises(CheckFailed):
                CLOCK.time_is_unknown(self.context({STATUS: status, TEXT_STATUS: text}))
        CLOCK.time_is_unknown(self.context({STATUS: wrong, TEXT_STATUS: WARNING}))

    @fails("the hub's clock shows the year {year:d}")
    def test_another_year_is_noticed(self):
        with self.assertRaises(CheckFailed):
            CLOCK.shows_year(self.context({STATUS: clock("2026-04-27T19:49:38.000Z", "untrusted")}), 1970)
        CLOCK.shows_year(self.context({STATUS: clock("1970-01-01T01:00:07.000Z", "untrusted")}), 1970)

    @fails("within {seconds:g} seconds the hub knows the time from {source}, within {tolerance:g} s")
    def test_a_clock_that_is_off_or_trusted_for_another_reason_is_noticed(self):
        now = time.time()
        for wrong in (clock(iso(now + 3 * 86_400), "satellite"), clock(iso(now), "untrusted"), clock(iso(now), "ntp")):
            with self.assertRaises(CheckFailed):
                CLOCK.knows_time(self.context({STATUS: wrong}), 0, "satellite", 5)
        CLOCK.knows_time(self.context({STATUS: lambda: clock(iso(time.time()), "satellite")}), 0, "satellite", 5)

    @fails("what the hub wrote down before it knew the time can be placed in time, within {tolerance:g} s")
    def test_times_that_do_not_follow_are_noticed(self):
        now = time.time()

        def check(events):
            context = self.context({EVENTS: list(reversed(events))})
            context.began, context.noted = now - 100, (now - 50, 1)
            CLOCK.earlier_times_follow(context, 5)

        start, added = event(1, "gateway.started", 20), event(2, "record.changed", 60)
        trusted = event(3, "clock.trusted", 90, "satellite", tick=str(90 * 10**9), utc=iso(now - 10))
        check([start, added, trusted])
        late = event(3, "clock.trusted", 90, "satellite", tick=str(90 * 10**9), utc=iso(now + 40))
        swapped = event(2, "record.changed", 30)
        for wrong in ([start, added], [start, added, late], [start, swapped, trusted], [added, trusted]):
            with self.assertRaises(CheckFailed):
                check(wrong)

    @fails("nothing that the hub wrote down is lost, and nothing is there twice")
    def test_gaps_and_doubles_are_noticed(self):
        first, second, third = (event(number, "record.changed", number) for number in (1, 2, 3))
        double = {**first, "sequence": 3}
        for wrong in ([third, first], [second, second, first], [double, second, first]):
            with self.assertRaises(CheckFailed):
                CLOCK.nothing_lost_or_doubled(self.context({EVENTS: wrong}))
        CLOCK.nothing_lost_or_doubled(self.context({EVENTS: [third, second, first]}))

    @fails("the hub's heartbeats kept their distance")
    def test_a_heartbeat_out_of_turn_is_noticed(self):
        def beats(*ticks):
            started = event(1, "gateway.started", 0)
            found = [event(2 + n, "gateway.heartbeat", tick, intervalSeconds=300) for n, tick in enumerate(ticks)]
            return self.context({EVENTS: [*reversed(found), started]})

        for wrong in ((), (1, 40), (1, 301, 302)):
            with self.assertRaises(CheckFailed):
                CLOCK.heartbeats_kept_distance(beats(*wrong))
        CLOCK.heartbeats_kept_distance(beats(1, 301, 601))

    @fails("the hub has recorded that {name} was at home {count:d} time in all")
    def test_a_record_too_many_or_too_few_is_noticed(self):
        home, away = event(1, "location.recorded", 1, zoneIds=["home"]), event(2, "location.recorded", 2, zoneIds=[])
        for wrong in ([away], [home, away, home]):
            with self.assertRaises(CheckFailed):
                CLOCK.recorded_at_home(self.context({EVENTS: wrong}), "Ada", 1)
        CLOCK.recorded_at_home(self.context({EVENTS: [away, home]}), "Ada", 1)

    @fails("that carries the right time, within {seconds:g} s")
    def test_an_event_with_a_wrong_time_is_noticed(self):
        context = self.context()
        for off in (-3 * 86_400, 90):
            context.event = {"type": "zone.left", "time": iso(time.time() + off)}
            with self.assertRaises(CheckFailed):
                CLOCK.carries_right_time(context, 60)
        context.event = {"type": "zone.left", "time": iso(time.time())}
        CLOCK.carries_right_time(context, 60)
