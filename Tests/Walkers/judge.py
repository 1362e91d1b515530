"""Judges what was said against the shape of the way, with geometry of its own."""

import itertools
import math
import re

from town import bearing, turn

SAID = re.compile(
    r"^(?P<when>Now|In a moment,)(?: at [^,]+,)? (?P<turn>turn left|turn right|bear left|bear right|turn sharply left"
    r"|turn sharply right|turn round)\b"
)
LEAST = {"turn": 20, "bear": 8}
# Metres before and behind a corner between which it is measured.
REACHES = (4, 9, 14)
# So many metres beside the way are as strange as one farther along it than somebody walked.
STRANGE = 0.4


def points_of(shape, plane):
    """The points of an encoded polyline with six digits."""
    points, place, latitude, longitude = [], 0, 0, 0

    def number(place):
        value = shift = 0
        while True:
            byte = ord(shape[place]) - 63
            place += 1
            value |= (byte & 31) << shift
            shift += 5
            if byte < 32:
                return (~(value >> 1) if value & 1 else value >> 1), place

    while place < len(shape):
        change, place = number(place)
        latitude += change
        change, place = number(place)
        longitude += change
        points.append(plane.point(latitude / 1e6, longitude / 1e6))
    return points


class Judge:
    def __init__(self, plane):
        self.plane = plane
        self.way, self.meters = [], []
        self.said, self.faults = [], []
        self.begins = True
        self.along, self.walked = 0.0, 0.0

    def take_way(self, shape, walked):
        """Takes a way that begins where somebody is seen after so many metres."""
        self.along, self.walked = 0.0, walked
        self.way = points_of(shape, self.plane)
        self.meters = [0.0]
        for one, other in itertools.pairwise(self.way):
            self.meters.append(self.meters[-1] + math.dist(one, other))
        self.announced = None
        self.begins = True

    def hear(self, text, point, heading, walked, error):
        """Judges a sentence that somebody hears at a point after so many metres, where a receiver errs by so many."""
        self.said.append(text)
        if "wrong" in text.lower():
            self.faults.append(f"blames: {text}")
        match = SAID.match(text)
        if text.startswith("Good."):
            # What was announced is done.
            self.announced = None
        if text.startswith(("Go ", "Please turn round")):
            self.begins = False
        if not match or len(self.way) < 2:
            return
        words = match["turn"]
        if self.begins:
            self.begins = False
            return self._judge_beginning(text, words, heading)
        along = self._place(point, walked)
        angle = self._turn_ahead(along, -1 if "left" in words else 1, words, error)
        least = LEAST[words.split()[0]]
        wanted = -1 if words.endswith("left") else 1
        if words != "turn round" and (angle is None or angle * wanted < least):
            self.faults.append(f"{text!r} where the way turns by {angle and round(angle)}")
        # What was announced is what is to be done then, unless another way was found meanwhile.
        if match["when"] == "Now" and self.announced and self.announced != words:
            self.faults.append(f"{text!r} where {self.announced!r} was announced")
        self.announced = None if match["when"] == "Now" else words

    def _judge_beginning(self, text, words, heading):
        """How a way begins is said to somebody who goes in a direction."""
        angle = turn(heading, bearing(self._at(0), self._at(15)))
        wanted = -1 if words.endswith("left") else 1
        if words != "turn round" and angle * wanted < 10 and abs(angle) < 150:
            self.faults.append(f"{text!r} at the beginning, where it goes {round(angle)} from where they look")

    def _place(self, point, walked):
        """How far along the way somebody is: where it passes twice, where they can have come by walking."""
        reach = walked - self.walked

        def strange(place):
            off, along = place
            return off + STRANGE * max(0, abs(along - self.along) - reach)

        self.along = min(self._projections(point), key=strange)[1]
        self.walked = walked
        return self.along

    def _turn_ahead(self, along, side, words, doubt):
        """The angle of the corner that fits best within what lies ahead.

        A jog is seen from near, a bend from farther away.
        """
        best = None
        for place, reach in itertools.product(range(-20 - round(doubt), 81 + round(doubt), 2), REACHES):
            place += along
            before, here, after = (self._at(place + step) for step in (-reach, 0, reach))
            if not 0 < place < self.meters[-1] or min(math.dist(before, here), math.dist(here, after)) < reach / 2:
                continue
            angle = turn(bearing(before, here), bearing(here, after))
            is_hairpin = "sharply" in words and abs(angle) > 150
            if is_hairpin:
                angle = abs(angle) * side
            if (words == "turn round" or angle * side > 0) and (best is None or abs(angle) > abs(best)):
                best = angle
        return best

    def _projections(self, point):
        for index, (one, other) in enumerate(itertools.pairwise(self.way)):
            length = math.dist(one, other)
            if length == 0:
                continue
            part = ((point[0] - one[0]) * (other[0] - one[0]) + (point[1] - one[1]) * (other[1] - one[1])) / length**2
            part = min(1, max(0, part))
            foot = (one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1]))
            yield math.dist(point, foot), self.meters[index] + part * length

    def _at(self, place):
        place = min(max(place, 0), self.meters[-1])
        for index in range(len(self.way) - 1):
            if self.meters[index + 1] >= place:
                length = self.meters[index + 1] - self.meters[index] or 1
                part = (place - self.meters[index]) / length
                one, other = self.way[index], self.way[index + 1]
                return (one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1]))
        return self.way[-1]
