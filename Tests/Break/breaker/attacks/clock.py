"""Clocks that are wrong, put right, or go mad."""

from datetime import UTC, datetime

from homeward_rig.house.clock import Clock

from ..gateway import Deaf, Gateway, holds
from ..judgement import Ground, attack
from ..peers import house_library

BEGINS = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


class ClockedHouse:
    """A gateway whose clock is ours."""

    def __init__(self, ground: Ground) -> None:
        self.clock = Clock(ground.folder / "page", BEGINS)
        self.clock.set_synchronised(True)
        ground.afterwards.callback(self.clock.close)
        self.gateway = Gateway(ground, clock={"trust": "automatic"})
        self._environment = {
            "LD_PRELOAD": str(house_library(ground)),
            "HOMEWARD_STORY_CLOCK": str(self.clock.page.file),
            "HOMEWARD_STORY_TIMERS": "1",
        }
        self.clock.is_on = lambda: self.gateway.is_alive

    def start(self) -> None:
        self.gateway.start(environment=self._environment)


@attack("clock-put-right", "F14")
def clock_put_right(ground: Ground) -> None:
    """The clock is four years ahead when something is answered, and then put right: it is due again all the same."""
    for kind, schedule in {
        "elapsed": {"kind": "elapsed", "everyMinutes": 60, "first": "2026-11-23T08:30", "timeZone": "UTC"},
        "calendar": {"kind": "calendar", "start": "2026-11-23T08:30", "rrule": "FREQ=DAILY", "timeZone": "UTC"},
    }.items():
        for is_off in (True, False):
            _put_right(ground, kind, schedule, is_off)


def _put_right(ground: Ground, kind: str, schedule: dict[str, object], is_off: bool) -> None:
    sub = Ground(f"{ground.name}-{kind}-{is_off}", ground.folder / f"{kind}-{is_off}", 0, ground.is_short, ground.tools)
    sub.folder.mkdir()
    with sub.afterwards:
        house = ClockedHouse(sub)
        house.start()
        gateway, clock = house.gateway, house.clock
        gateway.settle()
        item = {"id": "water", "resident": "mary", "title": "Water", "schedule": schedule}
        gateway.command("routine.put", item=item)
        ahead = BEGINS.replace(year=BEGINS.year + 4)
        clock.set_wall(ahead.timestamp() + 25 * 60)
        holds(3, lambda: gateway.status()["clock"]["utc"].startswith(str(ahead.year)))
        clock.pass_by(10 * 60)
        gateway.command("routine.answer", target="water", answer="done")
        if is_off:
            gateway.stop()
        clock.set_wall(BEGINS.timestamp() + 4 * 3600)
        if is_off:
            house.start()
        holds(3, lambda: gateway.status()["clock"]["utc"].startswith(str(BEGINS.year)))
        clock.pass_by(120)
        ground.count(1, "clocks")
        told = next(one for one in gateway.ask("routine.list", resident="mary") if one["id"] == "water")
        due = told.get("nextDue") or told.get("due")
        limit = BEGINS.timestamp() + 3 * 86400
        if due is None or datetime.fromisoformat(due).timestamp() > limit:
            while_off = " while the gateway was off" if is_off else ""
            ground.found(
                "F14", f"a reminder ({kind}) is not due after the clock was put right{while_off}", f"next {due}"
            )


@attack("clock-jumps")
def clock_jumps(ground: Ground) -> None:
    """The clock jumps over centuries, back and forth: the gateway lives and an SOS goes out."""
    house = ClockedHouse(ground)
    house.start()
    gateway = house.gateway
    gateway.settle()
    # Three centuries to either side, which is what nanoseconds in 64 bits can say.
    edges = [0, -1, 1, 2**31 - 1, 2**31, 2**32, -(2**31), -(2**32), -7_000_000_000, 10_900_000_000, 4_000_000_000]
    jumps = [*edges, *(ground.chance.randrange(-7_000_000_000, 10_900_000_000) for _ in range(ground.size(9, 60)))]
    for number, jump in enumerate(jumps):
        house.clock.set_wall(jump)
        ground.count(1, "jumps")
        try:
            house.clock.pass_by(30)
            gateway.status()
            if number % 8 == 7:
                gateway.kill()
                house.start()
        except Deaf as error:
            ground.found("F14", "a jump of the clock ends the gateway", f"to {jump}: {error}; {gateway.said()[-200:]}")
            gateway.kill()
            house.start()
    house.clock.set_wall(BEGINS.timestamp())
    gateway.raise_sos()
    if not holds(10, lambda: any(one["stage"] == "dispatched" for one in gateway.alarms())):
        ground.found("F14", "after jumps of the clock an SOS does not go out", gateway.alarms())
