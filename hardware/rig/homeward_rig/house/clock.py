"""The story's time: it goes on by itself as time does, and leaps when somebody waits."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from .page import Page

_NANOSECONDS = 1_000_000_000

LONGEST_LEAP = 840.0
"""Seconds that are skipped at once when nothing has happened for a while; less when a timer of the gateway is due,
but not much less: what is due within half of a leap is due together. Shorter than the quarter of an hour after which
the stories have a receiver count as silent, for it speaks after each leap."""
BUSY_LEAP = 1.0
"""The same while something happens: a sound, a walk, a message on its way."""
FIRST_LEAP = 15.0
"""The first leap after something happened; the next ones are longer and longer."""


class Clock:
    """Skips time in leaps, each followed by as much real time as the gateway needs to come to rest."""

    def __init__(self, file: Path, begins: datetime) -> None:
        """`begins`: what the wall clock shows at the beginning."""
        self.page = Page(file)
        self.after_leap: list[Callable[[], None]] = []
        """Called after each leap: the receiver tells where the person is now."""
        self.is_busy: Callable[[], bool] = lambda: False
        """Whether something is going on that long leaps would tear apart."""
        self.settle: Callable[[], None] = lambda: None
        """Waits until the gateway has come to rest."""
        self.is_on: Callable[[], bool] = lambda: False
        """Whether there is a gateway that follows."""
        self._true_offset = 0.0
        self._longest = FIRST_LEAP
        self.set_wall(begins.timestamp())

    # Reading

    def steady(self) -> float:
        """Seconds of a clock that only goes on."""
        return time.clock_gettime(time.CLOCK_BOOTTIME) + self.page.get("skipped") / _NANOSECONDS

    def true(self) -> float:
        """Seconds since 1970, as it really is in the story."""
        return self.steady() + self._true_offset

    def wall(self) -> float:
        """Seconds since 1970 as the gateway's wall clock shows them; it may be wrong."""
        return time.time() + self.page.get("wall") / _NANOSECONDS

    def utc(self) -> datetime:
        """The true time."""
        return datetime.fromtimestamp(self.true(), UTC)

    # Setting

    def set_wall(self, seconds: float, is_true: bool = True) -> None:
        """Sets the gateway's wall clock; with `is_true` this is how late it is in the story."""
        self.page.set("wall", round((seconds - time.time()) * _NANOSECONDS))
        self.page.set("wall_steps", self.page.get("wall_steps") + 1)
        if is_true:
            self._true_offset = seconds - self.steady()
        self._follow()

    def set_synchronised(self, is_synchronised: bool) -> None:
        """Whether network time vouches for the wall clock from now on."""
        self.page.set("is_synchronised", int(is_synchronised))

    # Going on

    def pass_by(self, seconds: float) -> None:
        """Lets so many seconds pass, from one timer of the gateway to the next."""
        end = self.steady() + seconds
        while (left := end - self.steady()) > 0:
            if self.is_busy():
                self._longest = FIRST_LEAP
                self.skip(min(left, BUSY_LEAP))
            else:
                self.skip(min(left, self._quiet_leap()))
                self._longest = min(LONGEST_LEAP, self._longest * 2)

    def _quiet_leap(self) -> float:
        """To the gateway's next timer, or thereabouts."""
        due = self.page.get("due") / _NANOSECONDS - self.steady()
        return min(self._longest, max(self._longest / 2, due)) if due > 0 else self._longest

    def pass_until(self, moment: datetime) -> None:
        """Lets time pass until a moment of the true time."""
        self.pass_by(moment.timestamp() - self.true())

    def skip(self, seconds: float) -> None:
        """One leap."""
        nanoseconds = round(seconds * _NANOSECONDS)
        self.page.set("skipped", self.page.get("skipped") + nanoseconds)
        self.page.set("wall", self.page.get("wall") + nanoseconds)
        self._follow()
        for tell in self.after_leap:
            tell()
        self.settle()

    def _follow(self) -> None:
        number = self.page.leap()
        if self.is_on():
            self.page.await_followed(number)

    def close(self) -> None:
        self.page.close()
