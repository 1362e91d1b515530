#!/usr/bin/env python3
"""An import of the invented town by the import's own writers, without its tools and without routes.

small_import.py FOLDER
"""

import json
import sys
from pathlib import Path

from invented_town import Town

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import gazetteer
import maptiles

ATTRIBUTION = "An invented town"


def main(folder):
    """Writes a set and its name."""
    target = folder / "set-invented"
    target.mkdir(parents=True)
    notes = {"format": 1, "attribution": ATTRIBUTION}
    places, tiles = gazetteer.Gazetteer(target / "places.db"), maptiles.MapTiles(target / "map.db")
    for tags, position, line in Town().things():
        places.take(tags, position, line)
        if line:
            tiles.take_line(tags, line)
        else:
            tiles.take_point(tags, position)
    places.finish(notes, lambda part: None)
    bounds = tiles.bounds
    tiles.finish(notes, lambda part: None)
    about = {
        "extract": "invented.osm", "digest": "invented", "imported": 1_795_000_000, "bytes": 1_000,
        "counts": dict(places.counts), "attribution": ATTRIBUTION, "bounds": bounds,
    }  # fmt: skip
    (target / "about.json").write_text(json.dumps(about))
    (folder / "current").symlink_to(target.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
