"""Tracks of outings as a hand-held receiver stores them; nobody walked here, far out in the South Pacific.

Source: GPX 1.0 and 1.1, topografix.com.
"""

import math
import random
from datetime import UTC, datetime, timedelta

SEED = 20260119

_HOME = (-48.8767, -123.3933)
_METERS_PER_DEGREE = 111_195
_START = datetime(2025, 6, 14, 8, 5, 20, tzinfo=UTC)


def _moved(position, meters, bearing):
    north, east = meters * math.cos(math.radians(bearing)), meters * math.sin(math.radians(bearing))
    latitude = position[0] + north / _METERS_PER_DEGREE
    return latitude, position[1] + east / (_METERS_PER_DEGREE * math.cos(math.radians(latitude)))


def _points(dice, legs, seconds=(6, 14)):
    """Somebody who walks one leg after the other, each metres and a bearing: positions with seconds since the start.

    The receiver's error wanders by some metres, as in life.
    """
    position, second, east, north = _HOME, 0, 0.0, 0.0
    for meters, bearing in legs:
        walked = 0.0
        while walked < meters:
            pause = dice.randint(*seconds)
            step = min(meters - walked, pause * dice.uniform(1.0, 1.5))
            walked, second = walked + step, second + pause
            position = _moved(position, step, bearing + dice.uniform(-6, 6))
            east, north = 0.8 * east + dice.gauss(0, 1.2), 0.8 * north + dice.gauss(0, 1.2)
            yield _moved(_moved(position, east, 90), north, 0), second


def _point(position, height, second=None):
    time = "" if second is None else f"<time>{_START + timedelta(seconds=second):%Y-%m-%dT%H:%M:%SZ}</time>"
    return f'  <trkpt lat="{position[0]:.9f}" lon="{position[1]:.9f}">\n    <ele>{height:.1f}</ele>{time}\n  </trkpt>\n'


def _file(version, seed, body):
    space = f"http://www.topografix.com/GPX/{version.replace('.', '/')}"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<!-- Made by Tests/Captures/outings.py, seed {seed}. -->\n"
        f'<gpx version="{version}" creator="Homeward" xmlns="{space}">\n'
        f"{body}</gpx>\n"
    ).encode()


def round_walk(seed):
    """Out and home again, with a place that was marked on the way; every point has its time."""
    dice = random.Random(seed)
    legs = [(450, 40), (300, 130), (450, 220), (300, 310), (20, 0)]
    points = "".join(_point(position, dice.uniform(2, 9), second) for position, second in _points(dice, legs))
    marked = _moved(_HOME, 450, 40)
    place = f'<wpt lat="{marked[0]:.9f}" lon="{marked[1]:.9f}"><name>Bench</name></wpt>\n'
    return _file("1.1", seed, f"{place}<trk><name>Round walk</name><trkseg>\n{points}</trkseg></trk>\n")


def hike(seed):
    """A day out: a track that was walked, with a pause between its segments, and one drawn on a map, without times."""
    dice = random.Random(seed)
    walked = list(_points(dice, [(900, 75), (700, 20), (500, 300)]))
    drawn = list(_points(dice, [(1200, 200), (800, 100)]))
    half = len(walked) // 2
    segments = walked[:half], [(position, second + 1500) for position, second in walked[half:]]
    first = "".join(
        "<trkseg>\n"
        + "".join(_point(place, dice.uniform(100, 140), second) for place, second in segment)
        + "</trkseg>\n"
        for segment in segments
    )
    second = "".join(_point(position, 120) for position, _ in drawn)
    return _file(
        "1.0",
        seed,
        f"<trk><name>Hike</name>\n{first}</trk>\n<trk><name>Way home</name><trkseg>\n{second}</trkseg></trk>\n",
    )


def captures():
    """Paths and bytes of the tracks."""
    return {"tracks/round-walk.gpx": round_walk(SEED), "tracks/hike.gpx": hike(SEED + 1)}
