"""A person who knows nothing of the way and does what they hear, with the mistakes that people make."""

import math
import re
import zlib

from town import STAIRS, bearing, turn

IDEAL = {
    "turn left": -90, "turn right": 90, "bear left": -38, "bear right": 38, "turn sharply left": -140,
    "turn sharply right": 140, "go straight on": 0, "keep left": -25, "keep right": 25, "turn round": 180,
}  # fmt: skip
NOW = re.compile(r"^Now (?P<turn>[a-z ]+?)(?:, and then (?P<then>[a-z ]+?))?(?: into (?P<street>.+))?\.$")
STRAIGHT = re.compile(r"^Go straight on, (?:into|along) (?P<street>.+)\.$")
DEPART = re.compile(r"^Go (?:along (?P<street>.+), )?towards the (?P<side>[a-z-]+)\.$")
ROUND = re.compile(r"^Please turn round, and go (?:along (?P<street>.+)|that way)\.$")
SIDES = {side: 45 * number for number, side in enumerate(
    ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"])}  # fmt: skip
# A word is of use for so many metres.
REACH = 45


class Walker:
    def __init__(self, town, start, random, habits):
        self.town, self.random, self.habits = town, random, habits
        self.node, self.following, self.gone = start, None, 0.0
        self.pending, self.walked, self.pause = [], 0.0, 0
        self.mistakes = 0
        self.speed = random.uniform(0.8, 1.25)
        self.error = [0.0, 0.0]
        self.is_there = False

    # What is heard

    def hear(self, text):
        self.pending = [] if text.startswith("Let us go") else self.pending
        if match := NOW.match(text):
            turns = [match["turn"]] + ([match["then"]] if match["then"] else [])
            self.pending = [(turns[0], None if len(turns) > 1 else match["street"], self.walked)]
            self.pending += [(then, match["street"], self.walked + 15) for then in turns[1:]]
        elif match := STRAIGHT.match(text):
            self.pending = [("go straight on", match["street"], self.walked)]
            self._set_out(None, match["street"])
        elif match := DEPART.match(text):
            self._set_out(SIDES[match["side"]], match["street"])
        elif match := ROUND.match(text):
            self._turn_round()

    def _turn_round(self):
        if self.following is None:
            return
        length = self.town.length(self.node, self.following)
        self.node, self.following, self.gone = self.following, self.node, length - self.gone

    def _set_out(self, side, street):
        """Goes in a direction of the compass, along a street where its sign is seen."""
        if self.following is not None and side is not None:
            ahead = bearing(self.town.points[self.node], self.town.points[self.following])
            if abs(turn(ahead, side)) > 95:
                self._turn_round()
            return
        if self.following is None:
            wanted = 0 if side is None else side

            def score(node):
                name = self.town.edges[self.node][node]
                return abs(turn(self.town.ahead(self.node, node), wanted)) - (45 if street and name == street else 0)

            self.following, self.gone = min(self.town.edges[self.node], key=score), 0.0

    # Walking

    def step(self):
        """A second passes."""
        if self.pause > 0:
            self.pause -= 1
            return
        if self.following is None or self.is_there:
            return
        left = self.speed
        while left > 0:
            length = self.town.length(self.node, self.following)
            if self.gone + left < length:
                self.gone += left
                self.walked += left
                return
            left -= length - self.gone
            self.walked += length - self.gone
            self._arrive_at_node()
            if self.pause:
                return

    def _arrive_at_node(self):
        before, here = self.node, self.following
        choices = [node for node in self.town.edges[here] if node != before] or [before]
        chosen = self._choose(before, here, choices)
        self.node, self.following, self.gone = here, chosen, 0.0

    def _choose(self, before, here, choices):
        heading = bearing(self.town.points[before], self.town.points[here])
        angles = {node: turn(heading, self.town.ahead(here, node)) for node in choices}
        self.pending = [word for word in self.pending if self.walked - word[2] <= REACH]
        if len(choices) > 1:
            if self.random.random() < self.habits["hesitates"]:
                self.pause = self.random.randint(4, 25)
            if self.random.random() < self.habits["errs"]:
                self.mistakes += 1
                self.pending = []
                return self.random.choice(choices)
        name = self.town.edges[before][here]
        if self.pending:
            wanted, street, _ = self.pending[0]
            if wanted == "take the stairs":
                stairs = [node for node in choices if self.town.edges[here][node] == STAIRS]
                if stairs:
                    self.pending.pop(0)
                    return stairs[0]
                return min(choices, key=lambda node: abs(angles[node]))
            ideal = IDEAL.get(wanted, 0)

            def distance(node):
                seen = street is not None and self.town.edges[here][node] == street
                return abs(turn(ideal, angles[node])) - (35 if seen else 0)

            best = min(choices, key=distance)
            fits = abs(turn(ideal, angles[best])) <= 50 or distance(best) <= 30
            if wanted == "go straight on" or (fits and (len(choices) > 1 or abs(angles[best]) > 30)):
                self.pending.pop(0)
                return best
        return min(
            choices, key=lambda node: abs(angles[node]) - (25 if name and self.town.edges[here][node] == name else 0)
        )

    # Where they are

    @property
    def point(self):
        one = self.town.points[self.node]
        if self.following is None:
            return one
        other = self.town.points[self.following]
        part = min(1.0, self.gone / max(self.town.length(self.node, self.following), 0.01))
        return (one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1]))

    @property
    def erring(self):
        """By how many metres the receiver is wrong."""
        return math.hypot(*self.error)

    @property
    def heading(self):
        if self.following is None:
            return None
        return bearing(self.town.points[self.node], self.town.points[self.following])

    def seen(self):
        """Where a receiver says that they are, and by how much it may err: between houses by more."""
        is_canyon = zlib.crc32(f"{self.node}-{self.following}".encode()) % 100 < self.habits["canyon"]
        spread, accuracy = (13.0, 17.0) if is_canyon else (4.0, 6.0)
        keep = 0.96
        for axis in range(2):
            self.error[axis] = keep * self.error[axis] + self.random.gauss(0, spread * math.sqrt(1 - keep * keep))
        point = self.point
        return (point[0] + self.error[0], point[1] + self.error[1]), accuracy
