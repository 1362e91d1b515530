"""Calls of a modem: those it makes, what becomes of them, and those that come in."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from .at_commands import Failed

KEY_DETECTORS = {"simcom": "+DDET", "quectel": "+QTONEDET"}
"""Kinds of modems with voice, and the setting that makes them tell what the far end presses."""

KINDS = (*KEY_DETECTORS, "deaf", "none")

DIALLING, ALERTING, ACTIVE, INCOMING = 2, 3, 0, 4
"""States in the list of calls (+CLCC)."""


@dataclass
class Fate:
    """What becomes of calls from now on; seconds count from dialling, those of keys and the end from the answer."""

    outcome: str = "unanswered"
    seconds: float = 1.0
    keys: str = ""
    key_seconds: float = 1.0
    ends_after: float | None = None


@dataclass
class Call:
    """A call that the modem made or that came in."""

    number: str
    is_incoming: bool = False
    state: int = DIALLING
    time: float = field(default_factory=time.time)
    answered: float | None = None
    ended: float | None = None
    keys: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "time": self.time,
            "answered": self.answered,
            "ended": self.ended,
            "keys": self.keys,
        }


class PhoneCalls:
    """At most one call at a time, with `indicate` for what the modem says unasked."""

    def __init__(
        self,
        indicate: Callable[[str], None],
        begin: Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"],
    ) -> None:
        self.made: list[Call] = []
        self.fate = Fate()
        self.kind = "simcom"
        self.texts_meanwhile = True
        self.refused_incoming = 0
        self.detects_keys = False
        self._indicate = indicate
        self._begin = begin
        self._current: Call | None = None
        self._course: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self._current is not None

    @property
    def has_voice(self) -> bool:
        return self.kind != "none"

    def detect_keys(self, command: str, is_on: bool) -> None:
        """Switches the telling of keys; Failed where the modem has another command for it, or none."""
        if KEY_DETECTORS.get(self.kind) != command:
            raise Failed("CME", 4)
        self.detects_keys = is_on

    def dial(self, number: str) -> None:
        """Makes a call; Failed where the modem has no voice or is calling."""
        if not self.has_voice or self.is_busy:
            raise Failed("CME", 3)
        call = Call(number)
        self.made.append(call)
        self._current = call
        self._course = self._begin(self._run(call, self.fate))

    async def _run(self, call: Call, fate: Fate) -> None:
        await asyncio.sleep(min(0.3, fate.seconds / 2))
        if fate.outcome in ("busy", "declined"):
            await asyncio.sleep(max(0, fate.seconds - 0.3))
            self._end("BUSY" if fate.outcome == "busy" else "NO CARRIER")
            return
        call.state = ALERTING
        if fate.outcome == "unanswered":
            await asyncio.sleep(60)
            self._end("NO ANSWER")
            return
        await asyncio.sleep(max(0, fate.seconds - 0.3))
        call.state, call.answered = ACTIVE, time.time()
        self._indicate("VOICE CALL: BEGIN")
        if fate.outcome == "answer" and fate.keys:
            await asyncio.sleep(fate.key_seconds)
            self.press(fate.keys)
        if fate.ends_after is not None:
            await asyncio.sleep(fate.ends_after)
            self._end("NO CARRIER")

    def press(self, keys: str) -> None:
        """The far end presses keys."""
        if self._current is None or self._current.answered is None:
            raise RuntimeError("nobody has answered a call")
        for key in keys:
            self._current.keys += key
            if self.detects_keys:
                self._indicate(f"+DTMF: {key}" if self.kind == "simcom" else f"+QTONEDET: {ord(key)}")

    def hang_up_there(self) -> None:
        """The far end hangs up."""
        if self._current is None:
            raise RuntimeError("there is no call")
        self._end("NO CARRIER")

    def ring(self, number: str, times: int, tells_number: bool) -> None:
        """Somebody calls."""
        self.drop()
        self._current = Call(number, is_incoming=True, state=INCOMING)
        self._course = self._begin(self._ring(number, times, tells_number))

    async def _ring(self, number: str, times: int, tells_number: bool) -> None:
        for _ in range(times):
            self._indicate("RING")
            if tells_number:
                self._indicate(f'+CLIP: "{number}",145')
            await asyncio.sleep(3)
        self._end("NO CARRIER")

    def hang_up(self) -> None:
        """The modem ends what is under way, without a word."""
        if self._current is not None and self._current.is_incoming:
            self.refused_incoming += 1
        self.drop()

    def drop(self) -> None:
        """What is under way ends, as without power."""
        self._close()
        if self._course is not None:
            self._course.cancel()
            self._course = None

    def listed(self) -> str:
        """The lines of +CLCC."""
        if not self.has_voice:
            raise Failed("CME", 4)
        call = self._current
        if call is None:
            return ""
        return f'+CLCC: 1,{int(call.is_incoming)},{call.state},0,0,"{call.number}",145'

    def _end(self, words: str) -> None:
        was_active = self._current is not None and self._current.answered is not None
        self._close()
        course, self._course = self._course, None
        if was_active:
            self._indicate("VOICE CALL: END: 000001")
        self._indicate(words)
        if course is not None and course is not asyncio.current_task():
            course.cancel()

    def _close(self) -> None:
        if self._current is not None:
            self._current.ended = time.time()
            self._current = None
