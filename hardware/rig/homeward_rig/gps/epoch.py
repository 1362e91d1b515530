"""One second of a receiver: what it believes, before it is told in a language."""

import random
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Epoch:
    """What the receiver believes in one second; without a fix it knows the time and nothing else."""

    time: datetime
    """UTC."""
    has_fix: bool
    latitude: float
    longitude: float
    """Degrees."""
    speed: float
    """Metres per second."""
    course: float
    """Degrees from north over east."""
    accuracy: float
    """Horizontal error that the receiver states, in metres."""


@dataclass(frozen=True)
class Satellite:
    """A satellite in view: its number, where it stands in degrees, its signal in dB-Hz."""

    number: int
    elevation: int
    azimuth: int
    signal: int


SATELLITES = [
    Satellite(3, 58, 214, 45),
    Satellite(6, 37, 121, 40),
    Satellite(9, 25, 296, 37),
    Satellite(14, 52, 41, 43),
    Satellite(17, 16, 163, 34),
    Satellite(19, 74, 325, 46),
    Satellite(22, 11, 84, 30),
    Satellite(28, 49, 17, 42),
]


class Noise:
    """A receiver's error: it does not jump about from second to second, it wanders.

    The same seed gives the same errors, second by second.
    """

    # How much of an error is left a second later.
    PERSISTENCE = 0.9
    # Errors beyond so many standard deviations do not happen: a check must not fail once in a thousand runs.
    MOST = 2.5

    def __init__(self, seed: int, meters: float) -> None:
        """`meters`: standard deviation in each direction."""
        self._random = random.Random(seed)
        self._meters = meters
        self._east = self._north = 0.0

    def step(self) -> tuple[float, float]:
        """The next second's error to the east and to the north, in metres."""
        self._east, self._north = self._wander(self._east), self._wander(self._north)
        return self._east * self._meters, self._north * self._meters

    def _wander(self, error: float) -> float:
        fresh = self._random.gauss(0, (1 - self.PERSISTENCE**2) ** 0.5)
        return max(-self.MOST, min(self.MOST, self.PERSISTENCE * error + fresh))
