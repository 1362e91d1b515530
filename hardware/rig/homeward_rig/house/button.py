"""The button of a story: a pipe with the events that the kernel would tell of a key; button.c answers for the rest."""

import os
import struct
import time
from pathlib import Path

from .clock import Clock

_EVENT = struct.Struct("qqHHi")
"""struct input_event of 64-bit machines: seconds, microseconds, type, code, value."""
_EV_SYN, _EV_KEY, _KEY_ENTER = 0, 1, 28
"""Source: linux/input-event-codes.h."""
_NANOSECONDS = 1_000_000_000


class Button:
    """A button that the gateway has as an input device."""

    def __init__(self, device: Path, clock: Clock) -> None:
        self.device = device
        self._clock = clock
        os.mkfifo(device)
        # Open for both ways: the gateway never sees its end, whoever holds it.
        self._pipe = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def press(self, seconds: float, times: int, pause: float) -> list[tuple[float, float]]:
        """Presses so often, each for so many seconds of the story; gives when each went down and came up, monotonic."""
        held = []
        for number in range(times):
            if number:
                self._clock.pass_by(pause)
            down = self._tell(True)
            self._clock.pass_by(seconds)
            held.append((down, self._tell(False)))
        return held

    def _tell(self, is_down: bool) -> float:
        stamp = time.monotonic_ns() + self._clock.page.get("skipped")
        at = stamp // _NANOSECONDS, stamp % _NANOSECONDS // 1000
        key = _EVENT.pack(*at, _EV_KEY, _KEY_ENTER, int(is_down))
        os.write(self._pipe, key + _EVENT.pack(*at, _EV_SYN, 0, 0))
        return stamp / _NANOSECONDS

    def close(self) -> None:
        """Takes it away."""
        os.close(self._pipe)
