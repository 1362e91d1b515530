"""The town that nobody lives in, around home: its map on the hub, and where its streets cross."""

import subprocess
import sys
from functools import cache
from pathlib import Path

from . import paths
from .gps.walker import HOME, Place

sys.path.insert(0, str(paths.REPOSITORY / "plugins" / "places" / "Tests"))

from invented_town import EAST, NORTH, Town

IMAGE = paths.BUILT / "map.squashfs"
"""What an import made of it: addresses, a map and ways on foot."""
ON_HUB = "/var/lib/homeward/plugins/places"
"""Where the hub has it."""
MINUTES = 10
"""The import's tools may have to come over a slow line."""


class NoMap(Exception):
    """Why there is no map, in the words of the import."""


def map_image() -> Path:
    """The imported map, made anew when town or import changed."""
    command = [paths.RIG / "machine" / "map", ",".join(map(str, HOME)), IMAGE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES)
    if done.returncode:
        raise NoMap(done.stderr.strip() or "the map of the town could not be imported")
    return IMAGE


@cache
def _town() -> Town:
    return Town.around(HOME)


def crossing(street: str, other: str) -> Place:
    """Where two streets of the town cross; ValueError for streets that it has not, or that run the same way."""
    east, north = (street, other) if street in EAST else (other, street)
    if east not in EAST or north not in NORTH:
        raise ValueError(f"in the town do not cross {street} and {other}; {', '.join(EAST)} cross {', '.join(NORTH)}")
    return Place.from_degrees(*_town().crossing(east, north))
