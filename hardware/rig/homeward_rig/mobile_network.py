"""The mobile network behind a modem: whether it is there, and what becomes of messages."""

import itertools
import time
from dataclasses import dataclass, field
from typing import Any

from .at_commands import Failed
from .short_message import Part

REGISTRATION = {"off": 0, "home": 1, "searching": 2, "denied": 3, "roaming": 5}
"""States of the network and their numbers in +CREG."""

OUTCOMES = ("delivered", "failed", "nothing")


@dataclass
class Sent:
    """A message that the network took, whole or in parts."""

    number: str
    reference: int
    wants_report: bool
    time: float
    total: int
    parts: dict[int, str] = field(default_factory=dict)

    def waits_for(self, number: str, part: Part) -> bool:
        """Whether that part belongs to this message and has not come."""
        return (self.number, self.reference, self.total) == (number, part.reference, part.total) and (
            part.number not in self.parts
        )

    def as_json(self) -> dict[str, Any]:
        text = "".join(text for _, text in sorted(self.parts.items()))
        return {
            "number": self.number,
            "text": text,
            "time": self.time,
            "reference": self.reference,
            "wants_report": self.wants_report,
            "complete": len(self.parts) == self.total,
        }


class MobileNetwork:
    """Takes messages while it is there and not out of order."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.state = "home"
        self.signal = 21
        self.outcome = "delivered"
        self.outcome_seconds = 0.5
        self._failure: int | None = None
        self._failures_left: int | None = None
        self._references = itertools.cycle(range(1, 256))

    @property
    def serves(self) -> bool:
        return self.state in ("home", "roaming")

    def fail(self, code: int | None, times: int | None = None) -> None:
        """Refuses the next `times` messages, or all, with this +CMS ERROR; none at all with None."""
        self._failure, self._failures_left = code, times

    def next_reference(self) -> int:
        return next(self._references)

    def take(self, number: str, text: str, wants_report: bool, part: Part | None) -> int:
        """Takes a message or part of one and gives its reference; Failed when it does not."""
        if not self.serves:
            raise Failed("CMS", 331)
        if self._failure is not None:
            failure = Failed("CMS", self._failure)
            if self._failures_left is not None:
                self._failures_left -= 1
                if self._failures_left <= 0:
                    self._failure = None
            raise failure
        reference = self.next_reference()
        message = next((sent for sent in self.sent if part and sent.waits_for(number, part)), None)
        if message is None:
            key, total = (part.reference, part.total) if part else (reference, 1)
            message = Sent(number, key, wants_report, time.time(), total)
            self.sent.append(message)
        message.parts[part.number if part else 1] = text
        return reference
