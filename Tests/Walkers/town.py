"""The streets of a town as a person walks them, read from an OpenStreetMap extract; nothing of the gateway is used."""

import gzip
import heapq
import itertools
import math
import xml.etree.ElementTree as Tree

WALKED = {
    "residential", "living_street", "pedestrian", "footway", "path", "service", "unclassified", "tertiary",
    "tertiary_link", "secondary", "secondary_link", "primary", "primary_link", "track", "road", "bridleway", "steps",
}  # fmt: skip
STAIRS = "stairs"
METERS_PER_DEGREE = 111_320.0


class Plane:
    """Metres east and north of the middle of a town."""

    def __init__(self, latitude, longitude):
        self.latitude, self.longitude = latitude, longitude
        self.east = METERS_PER_DEGREE * math.cos(math.radians(latitude))

    def point(self, latitude, longitude):
        return ((longitude - self.longitude) * self.east, (latitude - self.latitude) * METERS_PER_DEGREE)

    def place(self, point):
        return (self.latitude + point[1] / METERS_PER_DEGREE, self.longitude + point[0] / self.east)


def bearing(start, end):
    return math.degrees(math.atan2(end[0] - start[0], end[1] - start[1])) % 360


def turn(before, after):
    return (after - before + 180) % 360 - 180


class Town:
    def __init__(self, extract):
        ways, places = self._read(extract)
        middle = [sum(values) / len(values) for values in zip(*places.values(), strict=True)]
        self.plane = Plane(*middle)
        self.points = {node: self.plane.point(*place) for node, place in places.items()}
        self.edges = {}
        for nodes, name in ways:
            for one, other in itertools.pairwise(nodes):
                if one != other and one in self.points and other in self.points:
                    self.edges.setdefault(one, {})[other] = name
                    self.edges.setdefault(other, {})[one] = name
        self._keep_largest()

    @staticmethod
    def _read(extract):
        places, ways = {}, []
        opened = gzip.open if str(extract).endswith(".gz") else open
        with opened(extract, "rb") as file:
            for _, element in Tree.iterparse(file):
                if element.tag == "node":
                    places[element.get("id")] = (float(element.get("lat")), float(element.get("lon")))
                elif element.tag == "way":
                    tags = {tag.get("k"): tag.get("v") for tag in element.findall("tag")}
                    if Town._is_walked(tags):
                        nodes = [node.get("ref") for node in element.findall("nd")]
                        ways.append((nodes, STAIRS if tags["highway"] == "steps" else tags.get("name")))
        used = {node for nodes, _ in ways for node in nodes}
        return ways, {node: place for node, place in places.items() if node in used}

    @staticmethod
    def _is_walked(tags):
        closed = {"no", "private"}
        if tags.get("highway") == "cycleway":
            return tags.get("foot") in {"yes", "designated", "permissive"}
        if tags.get("foot") in closed or (tags.get("access") in closed and "foot" not in tags):
            return False
        return tags.get("highway") in WALKED and tags.get("area") != "yes"

    def _keep_largest(self):
        left, largest = set(self.edges), set()
        while left:
            found, border = set(), [next(iter(left))]
            while border:
                node = border.pop()
                if node not in found:
                    found.add(node)
                    border.extend(self.edges[node])
            left -= found
            if len(found) > len(largest):
                largest = found
        self.nodes = sorted(largest)

    def length(self, one, other):
        return math.dist(self.points[one], self.points[other])

    def distances(self, start, limit):
        """Metres along the streets from a node to all that are nearer than a limit."""
        found, queue = {}, [(0.0, start)]
        while queue:
            meters, node = heapq.heappop(queue)
            if node in found:
                continue
            found[node] = meters
            for other in self.edges[node]:
                if meters + self.length(node, other) < limit:
                    heapq.heappush(queue, (meters + self.length(node, other), other))
        return found

    def ahead(self, one, other, meters=14.0):
        """The direction of the street that leaves a node for another, as it goes in the first metres."""
        start, before, node = self.points[one], one, other
        left = meters - self.length(one, other)
        while left > 0 and len(self.edges[node]) == 2:
            following = next(each for each in self.edges[node] if each != before)
            before, node = node, following
            left -= self.length(before, node)
        return bearing(start, self.points[node])
