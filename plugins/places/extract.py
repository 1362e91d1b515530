"""Reads an OpenStreetMap extract: what has a name or an address goes to the gazetteer, what is drawn to the map."""

import itertools
import os

import osmium

# What is drawn or named; the rest of an extract is not even taken apart.
DRAWN = ("highway", "building", "waterway", "natural", "water", "landuse", "leisure", "railway", "place")
NAMED = ("name", "addr:housenumber")
MAGIC_PBF = b"OSMHeader"


class Unfit(Exception):
    """The file is no extract that can be used; the text says why, for people."""


def check(path):
    """Tells files of another kind from extracts, before anything is built.

    Raises Unfit.
    """
    try:
        with open(path, "rb") as file:
            start = file.read(512)
    except OSError as error:
        raise Unfit(f"{path}: {error.strerror}") from error
    if not start:
        raise Unfit(f"{path} is empty.")
    if path.endswith((".osc", ".osc.gz", ".osc.bz2")) or b"<osmChange" in start:
        raise Unfit(f"{path} holds changes of a map (OsmChange), and no map. Take an extract: .osm.pbf or .osm.")
    is_known = MAGIC_PBF in start or start[:2] == b"\x1f\x8b" or start[:3] == b"BZh" or b"<osm" in start
    if not is_known:
        raise Unfit(f"{path} is no OpenStreetMap extract. Take a file that ends in .osm.pbf or .osm.")


def read(path, gazetteer, tiles, progress):
    """Reads the extract; `progress` is told the part that is done.

    Raises Unfit for one that is cut off or broken.
    """
    size, seen = max(os.path.getsize(path), 1), 0
    try:
        header = osmium.io.Reader(path, osmium.osm.osm_entity_bits.NOTHING).header()
        if header.has_multiple_object_versions:
            raise Unfit(f"{path} holds the history of a map. Take an extract without it.")
        objects = (
            osmium.FileProcessor(path)
            .with_locations()
            .with_areas()
            .with_filter(osmium.filter.KeyFilter(*DRAWN, *NAMED))
        )
        incomplete = Incomplete()
        for thing in objects:
            seen += 1
            if seen % 20_000 == 0:
                # Of how many nobody knows; a thing takes about 40 bytes of a packed extract.
                progress(min(0.95, seen * 40 / size))
            _take(thing, gazetteer, tiles, incomplete)
        for tags, position in incomplete.rest():
            gazetteer.take(tags, position)
    except RuntimeError as error:
        raise Unfit(f"{path} is cut off or broken: {error}. Download it again.") from error
    if not seen:
        raise Unfit(f"{path} holds nothing that could be found or drawn.")


class Incomplete:
    """Closed ways that became no area, as houses of which the edge of an extract leaves out a corner.

    They are found all the same, amid the corners that are known.
    """

    def __init__(self):
        self._ways = {}

    def add(self, way, tags, corners):
        """A closed way, before its area comes; corners without the first one once more."""
        if corners and any(key in tags for key in NAMED):
            self._ways[way] = (tags, tuple(sum(each) / len(corners) for each in zip(*corners, strict=True)))

    def finish(self, way):
        """Its area has come."""
        self._ways.pop(way, None)

    def rest(self):
        """Tags and position of those whose area did not come."""
        return list(self._ways.values())


def _take(thing, gazetteer, tiles, incomplete):
    tags = dict(thing.tags)
    if thing.is_node():
        position = (thing.lat, thing.lon)
        gazetteer.take(tags, position)
        tiles.take_point(tags, position)
    elif thing.is_way():
        line = [(node.lat, node.lon) for node in thing.nodes if node.location.valid()]
        # What is closed and no street comes once more, as an area.
        if _is_area(thing, tags):
            incomplete.add(thing.id, tags, line[:-1] or line)
        elif len(line) > 1:
            gazetteer.take(tags, line[len(line) // 2], line)
            tiles.take_line(tags, line)
    elif thing.is_area():
        if thing.from_way():
            incomplete.finish(thing.orig_id())
        rings = [
            [[(node.lat, node.lon) for node in outer]]
            + [[(node.lat, node.lon) for node in inner] for inner in thing.inner_rings(outer)]
            for outer in thing.outer_rings()
        ]
        if not rings or not rings[0][0]:
            return
        if "highway" not in tags:
            gazetteer.take(tags, middle(rings[0][0]))
        tiles.take_area(tags, rings)


def _is_area(way, tags):
    return way.is_closed() and ("highway" not in tags or tags.get("area") == "yes")


def middle(ring):
    """The centre of what a ring encloses; of its corners where it encloses nothing."""
    (south, west), area, north_sum, east_sum = ring[0], 0.0, 0.0, 0.0
    for (y1, x1), (y2, x2) in itertools.pairwise(ring):
        cross = (x1 - west) * (y2 - south) - (x2 - west) * (y1 - south)
        area += cross
        east_sum += (x1 + x2 - 2 * west) * cross
        north_sum += (y1 + y2 - 2 * south) * cross
    if abs(area) < 1e-16:
        return tuple(sum(each) / len(ring) for each in zip(*ring, strict=True))
    return (south + north_sum / (3 * area), west + east_sum / (3 * area))
