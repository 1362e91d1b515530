"""One step of an import, with osmium: makes `places.db`, `map.db`, and the extract for the routes of an extract.

build.py EXTRACT FOLDER; tells of it as importer.py does.
"""

import json
import sys
from pathlib import Path

import extract
import osmium
from gazetteer import Gazetteer
from maptiles import MapTiles
from walking import is_for_walkers

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0"
# What is built is of this form; a reader that knows another says so.
FORMAT = 1


def say(**line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


def main(source, folder):
    for name in ("places.db", "map.db", "extract.osm.pbf"):
        (folder / name).unlink(missing_ok=True)
    extract.check(source)
    gazetteer, tiles = Gazetteer(folder / "places.db"), MapTiles(folder / "map.db")
    extract.read(source, gazetteer, tiles, lambda part: say(part=round(0.5 * part, 3)))
    notes = {"format": FORMAT, "attribution": ATTRIBUTION}
    bounds = tiles.bounds
    gazetteer.finish(notes, lambda part: say(part=round(0.5 + 0.25 * part, 3)))
    squares = tiles.finish(notes, lambda part: say(part=round(0.75 + 0.15 * part, 3)))
    repack(source, folder / "extract.osm.pbf")
    about = {"counts": dict(gazetteer.counts), "tiles": squares, "bounds": bounds, "attribution": ATTRIBUTION}
    (folder / "places.json").write_text(json.dumps(about))


def repack(source, target):
    """The extract as Valhalla reads it: packed, without expressways, and sorted by type and id, each thing once."""
    is_sorted, before = True, (0, 0)
    with osmium.SimpleWriter(str(target)) as writer:
        for thing in osmium.FileProcessor(source):
            here = ("nwr".index(thing.type_str()), thing.id)
            is_sorted = is_sorted and before < here
            before = here
            if not thing.is_way() or is_for_walkers(thing.tags):
                writer.add(thing)
    if not is_sorted:
        sort(source, target)


def sort(source, target):
    """What the programs of OpenStreetMap write is sorted; what somebody cut out by hand need not be. Takes memory."""
    target.unlink()
    things = osmium.MergeInputReader()
    things.add_file(source)
    with osmium.SimpleWriter(str(target)) as writer:
        things.apply(Copy(writer), simplify=True)


class Copy(osmium.SimpleHandler):
    """Hands everything to a writer that is of use for ways on foot."""

    def __init__(self, writer):
        super().__init__()
        self.node, self.relation, self.writer = writer.add_node, writer.add_relation, writer

    def way(self, way):
        """Leaves out where nobody walks."""
        if is_for_walkers(way.tags):
            self.writer.add_way(way)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except extract.Unfit as error:
        say(error=str(error))
        sys.exit(1)
