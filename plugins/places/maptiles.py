"""The map of an extract as small pieces of GeoJSON in SQLite, to be drawn without any tile server.

A piece is one square of the web's usual map (EPSG:3857, numbered from the north-west as by slippy maps), with what is
to be drawn there, cut at its edges and a little beyond.
"""

import itertools
import json
import math
import sqlite3
import zlib
from collections import defaultdict

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tile (
  zoom INTEGER NOT NULL, column INTEGER NOT NULL, line INTEGER NOT NULL, content BLOB NOT NULL,
  PRIMARY KEY (zoom, column, line)
) WITHOUT ROWID;
CREATE TABLE piece (zoom INTEGER, column INTEGER, line INTEGER, content TEXT);
"""
# Pieces of these zoom levels are kept; a page draws those between by enlarging.
ZOOMS = (11, 13, 15)
# How far beyond its edge a piece reaches, in parts of its width.
MARGIN = 0.02
# A line is drawn this exactly, in parts of a piece's width.
TOLERANCE = 1 / 2048

# From which zoom level each class is drawn.
ROADS = {
    "motorway": 11, "trunk": 11, "primary": 11, "secondary": 11, "tertiary": 11, "motorway_link": 13, "trunk_link": 13,
    "primary_link": 13, "secondary_link": 13, "tertiary_link": 13, "unclassified": 13, "residential": 13,
    "living_street": 13, "pedestrian": 13, "service": 15, "track": 15, "footway": 15, "path": 15, "cycleway": 15,
    "steps": 15, "bridleway": 15,
}  # fmt: skip
ON_FOOT = {"pedestrian", "footway", "path", "steps", "track", "cycleway", "bridleway"}
GREEN = {"forest", "grass", "meadow", "orchard", "vineyard", "cemetery", "park", "garden", "pitch", "golf_course",
         "wood", "scrub", "heath", "grassland", "village_green", "recreation_ground", "nature_reserve"}  # fmt: skip
SETTLED = {"residential", "commercial", "retail", "industrial"}
PLACES = {"city": 11, "town": 11, "village": 11, "suburb": 13, "hamlet": 13, "quarter": 13, "neighbourhood": 15}


def layer(tags, is_area):
    """What something is drawn as and from which zoom level; None for what is not drawn."""
    if "building" in tags and is_area:
        return "building", 15
    if tags.get("natural") == "water" or "water" in tags or tags.get("waterway") == "riverbank":
        return ("water", 11) if is_area else None
    if "waterway" in tags and not is_area:
        return "stream", 11 if tags["waterway"] in ("river", "canal") else 15
    green = {tags.get("landuse"), tags.get("leisure"), tags.get("natural")} & GREEN
    if is_area and green:
        return "green", 13 if green & {"garden", "pitch", "grass"} else 11
    if is_area and tags.get("landuse") in SETTLED:
        return "settled", 11
    if tags.get("railway") in ("rail", "tram", "light_rail") and not is_area:
        return "rail", 11 if tags["railway"] == "rail" else 15
    road = tags.get("highway")
    if road in ROADS:
        return ("square", 13) if is_area else ("foot" if road in ON_FOOT else "road", ROADS[road])
    return None


def project(position):
    """A position on the unit square of the map: x from the west, y from the north."""
    latitude, longitude = max(-85.05, min(85.05, position[0])), position[1]
    sine = math.sin(math.radians(latitude))
    return (longitude + 180) / 360, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


def unwrapped(line):
    """A line that goes on beyond the edge of the unit square at the antimeridian, and not around the world."""
    result = line[:1]
    for x, y in line[1:]:
        result.append((x + round(result[-1][0] - x), y))
    return result


def shifted(line, turns):
    """A line so many turns around the world to the east."""
    return [(x + turns, y) for x, y in line] if turns else line


def simplified(line, tolerance):
    """A line without the points that nobody would see (Douglas and Peucker); its ends stay."""
    if len(line) < 3:
        return line
    keep, stack = {0, len(line) - 1}, [(0, len(line) - 1)]
    while stack:
        first, last = stack.pop()
        (x1, y1), (x2, y2) = line[first], line[last]
        dx, dy = x2 - x1, y2 - y1
        length = math.hypot(dx, dy)
        farthest, most = None, tolerance
        for index in range(first + 1, last):
            x, y = line[index]
            away = abs(dy * (x - x1) - dx * (y - y1)) / length if length else math.hypot(x - x1, y - y1)
            if away > most:
                farthest, most = index, away
        if farthest is not None:
            keep.add(farthest)
            stack += [(first, farthest), (farthest, last)]
    return [line[index] for index in sorted(keep)]


def clipped_ring(ring, box):
    """The part of a closed line within a box (Sutherland and Hodgman)."""
    for axis, edge, sign in ((0, box[0], 1), (0, box[2], -1), (1, box[1], 1), (1, box[3], -1)):
        result = []
        for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
            is_in, will_be = sign * (one[axis] - edge) >= 0, sign * (other[axis] - edge) >= 0
            if is_in:
                result.append(one)
            if is_in != will_be:
                result.append(_meet(one, other, axis, edge))
        ring = result
        if len(ring) < 3:
            return []
    return ring


def clipped_line(line, box):
    """The parts of a line within a box (Liang and Barsky)."""
    parts, current = [], []
    for one, other in itertools.pairwise(line):
        start, end = 0.0, 1.0
        for axis in (0, 1):
            delta = other[axis] - one[axis]
            for sign, edge in ((-1, box[axis]), (1, box[axis + 2])):
                reach, speed = sign * (edge - one[axis]), sign * delta
                if speed == 0:
                    if reach < 0:
                        end = -1.0
                elif speed > 0:
                    end = min(end, reach / speed)
                else:
                    start = max(start, reach / speed)
        if start > end:
            if current:
                parts.append(current)
            current = []
            continue
        entry = tuple(one[axis] + start * (other[axis] - one[axis]) for axis in (0, 1))
        leave = tuple(one[axis] + end * (other[axis] - one[axis]) for axis in (0, 1))
        if not current:
            current = [entry]
        current.append(leave)
        if end < 1:
            parts.append(current)
            current = []
    return [part for part in [*parts, current] if len(part) > 1]


def clipped_lines(lines, box):
    """The parts of lines within a box."""
    return [part for line in lines for part in clipped_line(line, box)]


def clipped_rings(rings, box):
    """The part of an area, a border and its holes, within a box; nothing where the border is outside."""
    border = clipped_ring(rings[0], box) if rings else []
    holes = [clipped_ring(ring, box) for ring in rings[1:]]
    return [border, *(hole for hole in holes if hole)] if border else []


def _meet(one, other, axis, edge):
    part = (edge - one[axis]) / (other[axis] - one[axis])
    return tuple(edge if each == axis else one[each] + part * (other[each] - one[each]) for each in (0, 1))


class MapTiles:
    """Writes the file."""

    def __init__(self, path):
        self.database = sqlite3.connect(path)
        self.database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA)
        self.box = [math.inf, math.inf, -math.inf, -math.inf]

    def take_point(self, tags, position):
        """Takes a point: settlements are named."""
        zoom = PLACES.get(tags.get("place"))
        if zoom and tags.get("name"):
            kind = {"layer": "name", "rank": tags["place"], "name": tags["name"]}
            self._note([project(position)])
            for level in ZOOMS:
                if level >= zoom:
                    self._add_point(level, project(position), kind)

    def take_line(self, tags, line):
        """Takes a way."""
        found = layer(tags, is_area=False)
        if found:
            points = unwrapped([project(position) for position in line])
            self._note(points)
            self._spread(found, tags, [points], self._line_pieces)

    def take_area(self, tags, polygons):
        """Takes an area: polygons with a border and its holes."""
        found = layer(tags, is_area=True)
        if not found:
            return
        for rings in polygons:
            outline = [unwrapped([project(position) for position in ring]) for ring in rings]
            start = outline[0][0][0]
            outline = [shifted(ring, round(start - ring[0][0])) for ring in outline]
            self._note(outline[0])
            self._spread(found, tags, outline, self._area_pieces)

    def _note(self, points):
        for x, y in points:
            x %= 1
            self.box = [min(self.box[0], x), min(self.box[1], y), max(self.box[2], x), max(self.box[3], y)]

    def _spread(self, found, tags, shape, pieces):
        name, least = found
        kind = {"layer": name}
        if tags.get("name"):
            kind["name"] = tags["name"]
        if name in ("road", "foot") and ROADS[tags["highway"]] < 15:
            kind["rank"] = tags["highway"]
        if tags.get("highway") == "steps":
            kind["rank"] = "steps"
        if tags.get("addr:housenumber") and name == "building":
            kind["number"] = tags["addr:housenumber"]
        # What reaches across the antimeridian is drawn on both sides of it.
        sides = {-math.floor(x) for x, _ in shape[0]}
        for zoom in ZOOMS:
            if zoom >= least:
                for side in sorted(sides):
                    for column, row, geometry in pieces([shifted(line, side) for line in shape], zoom):
                        self._put(zoom, column, row, kind, geometry)

    def _line_pieces(self, lines, zoom):
        lines = [simplified(line, TOLERANCE / 2**zoom) for line in lines]
        for column, row, parts in _squares(lines, zoom, clipped_lines):
            yield column, row, {"type": "MultiLineString", "coordinates": [_degrees(part) for part in parts]}

    def _area_pieces(self, rings, zoom):
        width = max(x for x, _ in rings[0]) - min(x for x, _ in rings[0])
        if width * 2**zoom < 4 * TOLERANCE:
            return
        rings = [simplified(ring, TOLERANCE / 2**zoom)[:-1] for ring in rings]
        if len(rings[0]) < 3:
            return
        for column, row, cut in _squares(rings, zoom, clipped_rings):
            yield column, row, {"type": "Polygon", "coordinates": [_degrees([*ring, ring[0]]) for ring in cut]}

    def _add_point(self, zoom, point, kind):
        column, row = (int(each * 2**zoom) for each in point)
        self._put(zoom, column, row, kind, {"type": "Point", "coordinates": _degrees([point])[0]})

    def _put(self, zoom, column, row, kind, geometry):
        feature = {"type": "Feature", "properties": kind, "geometry": geometry}
        text = json.dumps(feature, ensure_ascii=False, separators=(",", ":"))
        self.database.execute("INSERT INTO piece VALUES (?, ?, ?, ?)", (zoom, column, row, text))

    def finish(self, notes, progress):
        """Packs what was taken, a file for each square; `progress` is told the part that is done."""
        self.database.execute("CREATE INDEX piece_square ON piece (zoom, column, line)")
        total = self.database.execute("SELECT count(*) FROM piece").fetchone()[0] or 1
        square, features, sizes = None, [], defaultdict(int)
        rows = self.database.execute("SELECT zoom, column, line, content FROM piece ORDER BY zoom, column, line, rowid")
        for done, (zoom, column, row, content) in enumerate(rows):
            if square != (zoom, column, row) and features:
                self._pack(square, features, sizes)
                features = []
            square = (zoom, column, row)
            features.append(content)
            if done % 20_000 == 0:
                progress(done / total)
        if features:
            self._pack(square, features, sizes)
        for name, content in notes.items():
            self.database.execute("INSERT INTO meta VALUES (?, ?)", (name, str(content)))
        self.database.execute("INSERT INTO meta VALUES ('zooms', ?)", (",".join(map(str, ZOOMS)),))
        self.database.execute("DROP TABLE piece")
        self.database.commit()
        self.database.execute("VACUUM")
        self.database.close()
        return dict(sizes)

    def _pack(self, square, features, sizes):
        text = '{"type":"FeatureCollection","features":[' + ",".join(features) + "]}"
        packed = zlib.compress(text.encode(), 9)
        self.database.execute("INSERT INTO tile VALUES (?, ?, ?, ?)", (*square, packed))
        sizes[square[0]] += 1

    @property
    def bounds(self):
        """South, west, north and east of what was taken, in degrees; None for nothing."""
        if self.box[0] > self.box[2]:
            return None
        (west, north), (east, south) = _degrees([(self.box[0], self.box[1]), (self.box[2], self.box[3])])
        return south, west, north, east


def _squares(shape, zoom, clipped):
    """The squares that a shape meets, each with what of it lies there.

    It is cut into columns first, and each of these into squares: a lake of a hundred kilometres is not cut ten thousand
    times.
    """
    scale = 2**zoom
    for column in _numbers(shape, 0, scale):
        west, east = (column - MARGIN) / scale, (column + 1 + MARGIN) / scale
        strip = clipped(shape, (west, -math.inf, east, math.inf))
        for row in _numbers(strip, 1, scale):
            part = clipped(strip, (west, (row - MARGIN) / scale, east, (row + 1 + MARGIN) / scale))
            if part:
                yield column, row, part


def _numbers(shape, axis, scale):
    """The columns or rows that a shape may meet, none beyond the map."""
    values = [point[axis] * scale for line in shape for point in line]
    if not values:
        return range(0)
    first, last = math.floor(min(values) - MARGIN), math.floor(max(values) + MARGIN)
    return range(max(0, first), min(scale - 1, last) + 1)


def _degrees(points):
    return [
        [round(x * 360 - 180, 6), round(math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y)))), 6)]
        for x, y in points
    ]
