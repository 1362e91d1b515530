#!/usr/bin/env python3
"""A town that nobody lives in, as an OpenStreetMap extract: for tests where no real extract is at hand.

    invented_town.py [--seed N] [--home LAT,LON] FILE.osm

It lies in the middle of the Atlantic, or around somebody's home. The same seed makes the same town, to the byte. It has
what a map of a real one has: streets in several scripts that bend and cross, houses with numbers left out, a postal
code, a village that gives its name to what says no town, stairs, a motorway, a river with a bridge, a park with a pond,
shops, a house at the edge that is cut off, and an island to which nothing leads.
"""

import argparse
import itertools
import math
import random
from xml.sax.saxutils import quoteattr

SOUTH_WEST = (30.0, -40.0)
BLOCK_METERS = 90.0
COLUMNS, ROWS = 7, 6
TOWN, VILLAGE, POSTCODE = "Ahrenstett", "Velmbach", "9001"
# Streets that run east, from the south; and streets that run north, from the west.
EAST = ("Untere Mühlstraße", "Lindengasse", "Rue de l’Église", "улица Тихая", "安静路", "Prof.-Brandl-Straße")
NORTH = (
    "Hauptplatz",
    "Calle Núñez",
    "Kirchengasse",
    "Gartenweg",
    "Большой Липовый переулок",
    "Hafenstraße",
    "Ringstraße",
)
HOUSES_WITHOUT_TOWN = "Am Anger"
HOME_CROSSING = ("Lindengasse", "Kirchengasse")
SHOPS = (
    ("amenity", "pharmacy", "Drei-Tannen-Apotheke"),
    ("shop", "bakery", "Bäckerei Krumm"),
    ("amenity", "cafe", "Café Möwe"),
    ("amenity", "place_of_worship", "Kirche am Ring"),
    ("shop", "supermarket", "幸福超市"),
    ("amenity", "school", "Gartenschule"),
)


def moved(position, north, east):
    """A position so many metres to the north and east."""
    return (
        round(position[0] + north / 111_195, 7),
        round(position[1] + east / (111_195 * math.cos(math.radians(position[0]))), 7),
    )


class Town:
    """What stands where; `houses` are (street, number, position), `streets` the lines of each name."""

    def __init__(self, seed=1, south_west=SOUTH_WEST):
        self._dice = random.Random(seed)
        self._south_west = south_west
        self._nodes, self._ways, self._relations = [], [], []
        self._at = {}
        self.houses, self.streets, self.shops = [], {}, []
        self._crossings = [[self._crossing(row, column) for column in range(COLUMNS)] for row in range(ROWS)]
        self._place(TOWN, "town", moved(self._south_west, 225, 270))
        self._place(VILLAGE, "village", moved(self._south_west, 225, 9_000))
        for row, name in enumerate(EAST):
            self._street(name, self._crossings[row], "residential")
        for column, name in enumerate(NORTH):
            self._street(name, [line[column] for line in self._crossings], "living_street")
        self._village_street()
        self._island()
        self._stairs()
        self._river()
        self._park()
        self._motorway()
        self._open_shops()
        self._cut_house()

    def _crossing(self, row, column):
        shift = [self._dice.uniform(-12, 12) for _ in range(2)]
        return moved(self._south_west, row * BLOCK_METERS + shift[0], column * BLOCK_METERS + shift[1])

    @classmethod
    def around(cls, home, seed=1):
        """The town whose crossing `HOME_CROSSING` is at a position."""
        crossing = cls(seed).crossing(*HOME_CROSSING)
        north, east = cls._offset(SOUTH_WEST, crossing)
        return cls(seed, moved(home, -north, -east))

    def crossing(self, east, north):
        """Where two streets cross, one that runs east and one that runs north."""
        return self._crossings[EAST.index(east)][NORTH.index(north)]

    # Parts of a map

    def _node(self, position, tags=None):
        if tags is None and position in self._at:
            return self._at[position]
        number = len(self._nodes) + 1
        self._nodes.append((number, position, tags or {}))
        if tags is None:
            self._at[position] = number
        return number

    def _way(self, line, tags):
        self._ways.append((len(self._ways) + 1, [self._node(position) for position in line], tags))
        return len(self._ways)

    def _place(self, name, kind, position):
        self._node(position, {"place": kind, "name": name})

    def _street(self, name, line, kind, address=True, city=TOWN):
        bent = self._bent(line)
        # A street is in several pieces, as in the real map.
        middle = len(bent) // 2
        for piece in (bent[: middle + 1], bent[middle:]):
            self._way(piece, {"highway": kind, "name": name})
        self.streets[name] = bent
        if address:
            self._build_houses(name, bent, city)

    def _bent(self, line):
        bent = [line[0]]
        for start, end in itertools.pairwise(line):
            north, east = self._offset(start, end)
            side = self._dice.uniform(-4, 4)
            length = math.hypot(north, east)
            bent.append(moved(start, north / 2 + side * east / length, east / 2 - side * north / length))
            bent.append(end)
        return bent

    @staticmethod
    def _offset(start, end):
        return (end[0] - start[0]) * 111_195, (end[1] - start[1]) * 111_195 * math.cos(math.radians(start[0]))

    def _build_houses(self, name, line, city):
        """Odd numbers to the left, even ones to the right; about one house in eight stands without a number."""
        number = 1
        for start, end in itertools.pairwise(line):
            north, east = self._offset(start, end)
            length = math.hypot(north, east)
            for part in (0.3, 0.75):
                for side in (1, -1):
                    text = str(number) + ("a" if number % 13 == 0 else "")
                    number += 1
                    position = moved(
                        start, north * part + side * 11 * east / length, east * part - side * 11 * north / length
                    )
                    if self._dice.random() < 0.125:
                        continue
                    tags = {"addr:street": name, "addr:housenumber": text, "addr:postcode": POSTCODE}
                    # Who lives in the village says no town, as many in the real map do not.
                    if city:
                        tags["addr:city"] = city
                    self._node(position, tags)
                    self.houses.append((name, text, position))

    def _village_street(self):
        start = moved(self._south_west, 200, 8_800)
        self._street(HOUSES_WITHOUT_TOWN, [moved(start, 0, 90 * index) for index in range(5)], "residential", city=None)
        self._way([self._crossings[2][-1], start], {"highway": "unclassified"})

    def _island(self):
        start = moved(self._south_west, -1_500, 300)
        self._street("Möwensteig", [moved(start, 0, 80 * index) for index in range(3)], "residential")

    def _stairs(self):
        bottom, top = self._crossings[0][0], self._crossings[1][1]
        self._way([bottom, top], {"highway": "steps", "name": "Himmelsstiege"})
        self.streets["Himmelsstiege"] = [bottom, top]

    def _river(self):
        line = [moved(self._south_west, 700, 100 * index - 200) for index in range(12)]
        self._way(line, {"waterway": "river", "name": "Ahre"})
        for column, line in ((2, "footway"), (5, "residential")):
            start = self._crossings[-1][column]
            end = moved(start, 350, 0)
            self._way([start, end], {"highway": line, "bridge": "yes", "name": f"Brücke {column}"})
            self.streets[f"Brücke {column}"] = [start, end]

    def _park(self):
        corner = moved(self._south_west, 100, 1_000)
        rings = []
        for inset, side in ((0, 200), (70, 60)):
            first = moved(corner, inset, inset)
            corners = [first, moved(first, 0, side), moved(first, side, side), moved(first, side, 0), first]
            rings.append(self._way(corners, {}))
        members = [("outer", rings[0]), ("inner", rings[1])]
        self._relations.append((1, members, {"type": "multipolygon", "leisure": "park", "name": "Volksgarten"}))
        self.shops.append(("Volksgarten", moved(corner, 100, 100)))

    def _motorway(self):
        line = [moved(self._south_west, -200, 300 * index - 600) for index in range(8)]
        self._way(line, {"highway": "motorway", "ref": "A 99"})

    def _open_shops(self):
        for index, (kind, detail, name) in enumerate(SHOPS):
            position = moved(self._crossings[index % ROWS][index % COLUMNS], 15, 15)
            self._node(position, {kind: detail, "name": name})
            self.shops.append((name, position))

    def _cut_house(self):
        """At the edge of the extract, which leaves out two of its corners."""
        corner = moved(self._south_west, 40, 9_200)
        known = [self._node(moved(corner, north, 0)) for north in (0, 12)]
        missing = [1_000_001, 1_000_002]
        tags = {"building": "yes", "addr:street": HOUSES_WITHOUT_TOWN, "addr:housenumber": "71-73"}
        self._ways.append((len(self._ways) + 1, [known[0], *missing, known[1], known[0]], tags))
        self.houses.append((HOUSES_WITHOUT_TOWN, "71-73", moved(corner, 6, 0)))

    def things(self):
        """What has tags, each with its position and its line, as an import reads them."""
        places = {number: position for number, position, _ in self._nodes}
        for _, position, tags in self._nodes:
            if tags:
                yield tags, position, ()
        for _, nodes, tags in self._ways:
            if tags:
                line = [places[node] for node in nodes if node in places]
                yield tags, line[len(line) // 2], line

    # As a file

    def xml(self):
        """The extract as OpenStreetMap's XML."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<osm version="0.6" generator="invented_town.py">']
        for number, (latitude, longitude), tags in self._nodes:
            place = f'<node id="{number}" version="1" lat="{latitude:.7f}" lon="{longitude:.7f}"'
            lines.append(self._element(place, "node", "", tags))
        for number, nodes, tags in self._ways:
            inside = "".join(f'<nd ref="{node}"/>' for node in nodes)
            lines.append(self._element(f'<way id="{number}" version="1"', "way", inside, tags))
        for number, members, tags in self._relations:
            inside = "".join(f'<member type="way" ref="{way}" role="{role}"/>' for role, way in members)
            lines.append(self._element(f'<relation id="{number}" version="1"', "relation", inside, tags))
        return "\n".join([*lines, "</osm>", ""])

    @staticmethod
    def _element(start, name, inside, tags):
        inside += "".join(f"<tag k={quoteattr(key)} v={quoteattr(value)}/>" for key, value in tags.items())
        return f"{start}>{inside}</{name}>" if inside else f"{start}/>"


def main():
    """Does what the command line says."""
    parser = argparse.ArgumentParser(description="Writes a town that nobody lives in.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", metavar="LAT,LON", help=f"where {' and '.join(HOME_CROSSING)} cross")
    parser.add_argument("file")
    arguments = parser.parse_args()
    if arguments.home:
        town = Town.around(tuple(map(float, arguments.home.split(","))), arguments.seed)
    else:
        town = Town(arguments.seed)
    with open(arguments.file, "w", encoding="utf-8") as file:
        file.write(town.xml())


if __name__ == "__main__":
    main()
