"""Somebody who stands or walks about near home, on a plane in metres."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

# The point of the South Pacific farthest from any coast: nobody's home. The same as in Homeward's made-up walk.
HOME = (-48.8767, -123.3933)

# Axes of the Earth's ellipsoid in metres. Source: WGS 84, NIMA TR8350.2, table 3.1 and 3.3.
_SEMI_MAJOR = 6_378_137.0
_ECCENTRICITY_SQUARED = 6.694_379_990_14e-3


@dataclass(frozen=True)
class Place:
    """Metres to the east and to the north of home."""

    east: float = 0.0
    north: float = 0.0

    @classmethod
    def at(cls, meters: float, bearing: float) -> "Place":
        """The place so many metres from home, in a direction in degrees from north over east."""
        return cls(meters * math.sin(math.radians(bearing)), meters * math.cos(math.radians(bearing)))

    def moved(self, east: float, north: float) -> "Place":
        return Place(self.east + east, self.north + north)

    @property
    def meters_from_home(self) -> float:
        return math.hypot(self.east, self.north)

    def meters_to(self, other: "Place") -> float:
        return math.hypot(self.east - other.east, self.north - other.north)

    @property
    def degrees(self) -> tuple[float, float]:
        """Latitude and longitude; good to a centimetre within a few kilometres of home."""
        north, east = _meters_per_degree()
        return HOME[0] + self.north / north, HOME[1] + self.east / east

    @classmethod
    def from_degrees(cls, latitude: float, longitude: float) -> "Place":
        """The place of that latitude and longitude, near home."""
        north, east = _meters_per_degree()
        return cls((longitude - HOME[1]) * east, (latitude - HOME[0]) * north)


def _meters_per_degree() -> tuple[float, float]:
    """Length of a degree to the north and to the east, at home."""
    latitude = math.radians(HOME[0])
    squeeze = 1 - _ECCENTRICITY_SQUARED * math.sin(latitude) ** 2
    north = math.radians(_SEMI_MAJOR * (1 - _ECCENTRICITY_SQUARED) / squeeze**1.5)
    return north, math.radians(_SEMI_MAJOR / math.sqrt(squeeze) * math.cos(latitude))


class Walker:
    """Stands at a place, or walks to others in straight lines; moments are seconds of any steady clock."""

    def __init__(self) -> None:
        self._way = [Place()]
        self._began = 0.0
        self._speed = 0.0

    def stand(self, place: Place) -> None:
        """Is at the place from now on."""
        self._way = [place]
        self._speed = 0.0

    def walk(self, places: Sequence[Place], speed: float, now: float) -> float:
        """Sets out at `speed` metres per second; gives the seconds that the way takes. ValueError for no speed."""
        if not speed > 0:
            raise ValueError("a walk needs a speed of more than 0 m/s")
        self._way, self._began, self._speed = [self.place(now), *places], now, speed
        return self._length / speed

    def place(self, now: float) -> Place:
        """Where somebody is."""
        start, end, gone = self._leg(now)
        length = start.meters_to(end)
        part = gone / length if length else 1.0
        return start.moved(part * (end.east - start.east), part * (end.north - start.north))

    def is_walking(self, now: float) -> bool:
        return self._speed * (now - self._began) < self._length

    def speed(self, now: float) -> float:
        """Metres per second."""
        return self._speed if self.is_walking(now) else 0.0

    def course(self, now: float) -> float:
        """Direction of the walk in degrees from north over east; 0 while standing."""
        if not self.is_walking(now):
            return 0.0
        start, end, _ = self._leg(now)
        return math.degrees(math.atan2(end.east - start.east, end.north - start.north)) % 360

    def _leg(self, now: float) -> tuple[Place, Place, float]:
        """Of the straight lines the one that somebody is on, and the metres that they have gone on it."""
        if not self.is_walking(now):
            return self._way[-1], self._way[-1], 0.0
        gone = self._speed * (now - self._began)
        for start, end in itertools.pairwise(self._way):
            length = start.meters_to(end)
            if gone < length:
                return start, end, gone
            gone -= length
        return self._way[-1], self._way[-1], 0.0

    @property
    def _length(self) -> float:
        return sum(start.meters_to(end) for start, end in itertools.pairwise(self._way))
