"""What the lamp shows: its light on and off, and the signals that people know by their blinking."""

from collections.abc import Sequence
from dataclasses import dataclass

from .devices import PROGRAMS
from .hub import Machine

SIGNALS: dict[str, tuple[float, ...]] = {
    "pressed": (1,),
    "stored": (1, 1),
    "sent": (0.15, 0.15, 0.15, 1.05),
    "delivered": (0.15, 0.15, 0.15, 0.15, 0.15, 0.75),
    "acknowledged": (1,),
    # Three of them, to tell it from what else begins with short lights.
    "failed": (0.1, 0.1) * 3,
    "off": (),
}
"""Seconds lit and dark in turn, over and over; a single number is a steady light, nothing a dark lamp."""
STEADY = 1.5
"""Seconds after which a light that does not change is steady, and a dark lamp is off."""
TOLERANCE = 0.06
"""Seconds by which a light may be longer or shorter, in an emulator that may be slow."""


@dataclass(frozen=True)
class Light:
    """The lamp was lit, or dark, from then on for so many seconds."""

    is_lit: bool
    begin: float
    seconds: float


class LampLog:
    """A program in the machine that writes down when the lamp is lit: guest/watch-lamp."""

    UNIT = "rig-watch-lamp"
    FILE = "/run/rig-watch-lamp"

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def start(self) -> None:
        """Begins to watch; again after each power cut."""
        self._machine.run(
            "/usr/bin/systemd-run",
            "--quiet",
            "--collect",
            f"--unit={self.UNIT}",
            f"--property=StandardOutput=append:{self.FILE}",
            # Nothing that the machine has to do makes it look too late.
            "--property=CPUSchedulingPolicy=fifo",
            "--property=CPUSchedulingPriority=1",
            f"{PROGRAMS}/watch-lamp",
        )

    def lights(self) -> list[Light]:
        """All so far; the last one lasts until now."""
        lines = self._machine.run("/bin/cat", self.FILE, "/proc/uptime").output.splitlines()
        *changes, uptime = [line.split() for line in lines if line.strip()]
        times = [(level == "1", float(time)) for level, time in changes]
        ends = [time for _, time in times[1:]] + [float(uptime[0])]
        return [Light(is_lit, begin, end - begin) for (is_lit, begin), end in zip(times, ends, strict=True)]


def first_shown(lights: Sequence[Light], signal: str, since: float = float("-inf")) -> float | None:
    """When the lamp began to show a signal, not before `since`; None when it has not."""
    cadence = SIGNALS[signal]
    for place, light in enumerate(lights):
        if light.begin + light.seconds <= since:
            continue
        if len(cadence) < 2:
            if light.is_lit == bool(cadence) and light.begin + light.seconds - max(since, light.begin) >= STEADY:
                return max(since, light.begin)
        elif light.begin >= since and light.is_lit and place > 0 and _blinks(lights[place - 1 :], cadence):
            return light.begin
    return None


def _blinks(lights: Sequence[Light], cadence: Sequence[float]) -> bool:
    """Whether the light goes as the cadence does, twice, from the dark before it on, which tells two from three."""
    wanted = [cadence[-1], *cadence, *cadence[:-1]]
    seen = lights[: len(wanted)]
    if len(seen) < len(wanted):
        return False
    return all(abs(light.seconds - want) <= TOLERANCE + 0.15 * want for light, want in zip(seen, wanted, strict=True))


def described(lights: Sequence[Light]) -> str:
    """The last of it, for people."""
    return (
        ", ".join(f"{'lit' if light.is_lit else 'dark'} {light.seconds:.2f} s" for light in lights[-16:]) or "nothing"
    )
