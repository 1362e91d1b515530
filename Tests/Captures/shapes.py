"""Lengths of ways over the earth, and points inside and outside of areas.

Sources: T. Vincenty, "Direct and Inverse Solutions of Geodesics on the Ellipsoid", Survey Review 23, 1975 (ways); D.
Sunday, "Inclusion of a Point in a Polygon", 2001 (winding number, in whole numbers and so without any rounding).
"""

import json
import math
import random

SEED = 20260123

# WGS 84: the longer half axis in metres, and how much the shorter one is shorter.
_AXIS, _FLATTENING = 6_378_137.0, 1 / 298.257223563


def destination(latitude, longitude, bearing, meters):
    """Where a way ends that begins in a direction: latitude and longitude in degrees, to half a millimetre."""
    minor = _AXIS * (1 - _FLATTENING)
    sine, cosine = math.sin(math.radians(bearing)), math.cos(math.radians(bearing))
    reduced = math.atan2((1 - _FLATTENING) * math.sin(math.radians(latitude)), math.cos(math.radians(latitude)))
    sine_u, cosine_u = math.sin(reduced), math.cos(reduced)
    start = math.atan2(sine_u, cosine_u * cosine)
    sine_alpha = cosine_u * sine
    square = (1 - sine_alpha**2) * (_AXIS**2 - minor**2) / minor**2
    a = 1 + square / 16384 * (4096 + square * (-768 + square * (320 - 175 * square)))
    b = square / 1024 * (256 + square * (-128 + square * (74 - 47 * square)))
    arc, before = meters / (minor * a), math.inf
    while abs(arc - before) > 1e-14:
        middle = math.cos(2 * start + arc)
        change = middle + b / 4 * (
            math.cos(arc) * (2 * middle**2 - 1) - b / 6 * middle * (4 * math.sin(arc) ** 2 - 3) * (4 * middle**2 - 3)
        )
        arc, before = meters / (minor * a) + b * math.sin(arc) * change, arc
    middle = math.cos(2 * start + arc)
    sine_arc, cosine_arc = math.sin(arc), math.cos(arc)
    end = math.atan2(
        sine_u * cosine_arc + cosine_u * sine_arc * cosine,
        (1 - _FLATTENING) * math.hypot(sine_alpha, sine_u * sine_arc - cosine_u * cosine_arc * cosine),
    )
    turn = math.atan2(sine_arc * sine, cosine_u * cosine_arc - sine_u * sine_arc * cosine)
    square = 1 - sine_alpha**2
    c = _FLATTENING / 16 * square * (4 + _FLATTENING * (4 - 3 * square))
    turn -= (1 - c) * _FLATTENING * sine_alpha * (arc + c * sine_arc * (middle + c * cosine_arc * (2 * middle**2 - 1)))
    return math.degrees(end), (longitude + math.degrees(turn) + 180) % 360 - 180


def _ways(dice):
    """Ways by where they begin: up to 50 km, and some far longer ones."""
    kinds = {
        "anywhere": lambda: (dice.uniform(-85, 85), dice.uniform(-180, 180)),
        "pole": lambda: (dice.choice((-1, 1)) * dice.uniform(89.5, 90), dice.uniform(-180, 180)),
        "antimeridian": lambda: (dice.uniform(-70, 70), dice.choice((-1, 1)) * dice.uniform(179.9, 180)),
        "equator": lambda: (dice.uniform(-0.1, 0.1), dice.uniform(-0.1, 0.1)),
    }
    for place in kinds.values():
        for number in range(60):
            bearing = dice.choice((0, 90, 180, 270)) if number % 10 == 0 else dice.uniform(0, 360)
            yield *place(), bearing, 10 ** dice.uniform(0, math.log10(50_000))
    for _ in range(24):
        yield *kinds["anywhere"](), dice.uniform(0, 360), dice.uniform(200_000, 12_000_000)


def _table(dice):
    lines = ["lat1,lon1,lat2,lon2,meters,bearing"]
    for latitude, longitude, bearing, meters in _ways(dice):
        # What is told is what the way is computed from.
        latitude, longitude, bearing, meters = (round(each, 9) for each in (latitude, longitude, bearing, meters))
        end = destination(latitude, longitude, bearing, meters)
        lines.append(
            ",".join(f"{each:.9f}" for each in (latitude, longitude, *end, meters, (bearing + 180) % 360 - 180))
        )
    return "\n".join(lines) + "\n"


# Areas. Corners and points are whole millionths of a degree, (latitude, longitude).

_MILLION = 1_000_000
_NEAREST = 3


def winding(point, ring):
    """How often a ring goes round a point."""
    count = 0
    for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
        side = (other[1] - one[1]) * (point[0] - one[0]) - (point[1] - one[1]) * (other[0] - one[0])
        if one[0] <= point[0] < other[0] and side > 0:
            count += 1
        elif other[0] <= point[0] < one[0] and side < 0:
            count -= 1
    return count


def _distance(point, ring):
    """From a point to the nearest of a ring's edges, in millionths of a degree."""
    least = math.inf
    for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
        length = (other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2
        along = (point[0] - one[0]) * (other[0] - one[0]) + (point[1] - one[1]) * (other[1] - one[1])
        part = max(0.0, min(1.0, along / length))
        nearest = (one[axis] + part * (other[axis] - one[axis]) for axis in (0, 1))
        least = min(least, math.dist(point, tuple(nearest)))
    return least


def _star(dice, corners=14):
    """Rays of different length around a middle."""
    ring = []
    for number in range(corners):
        length = dice.uniform(0.2, 1)
        ring.append((length * math.sin(number * math.tau / corners), length * math.cos(number * math.tau / corners)))
    return ring


def _beside(dice, ring):
    """A point a little off a ring."""
    start = dice.randrange(len(ring))
    one, other, along = ring[start - 1], ring[start], dice.random()
    return [one[axis] + along * (other[axis] - one[axis]) + dice.uniform(-0.02, 0.02) for axis in (0, 1)]


def _shape(dice, name, middle, size, ring, holes=()):
    """A shape of numbers from -1 to 1, laid down with its middle somewhere; with points in and around it."""

    def laid(place):
        return tuple(round((middle[axis] + size * place[axis]) * _MILLION) for axis in (0, 1))

    exterior, holes = [laid(place) for place in ring], [[laid(place) for place in hole] for hole in holes]
    points = []
    while len(points) < 60:
        # Every second one is near an edge.
        point = laid(_beside(dice, ring) if len(points) % 2 else (dice.uniform(-1.2, 1.2), dice.uniform(-1.2, 1.2)))
        if any(_distance(point, each) < _NEAREST for each in (exterior, *holes)):
            continue
        is_inside = winding(point, exterior) != 0 and not any(winding(point, hole) for hole in holes)
        points.append([point[0] / _MILLION, point[1] / _MILLION, is_inside, False])

    def told(line):
        return [[latitude / _MILLION, longitude / _MILLION] for latitude, longitude in line]

    return {"name": name, "exterior": told(exterior), "holes": [told(hole) for hole in holes], "points": points}


def _shapes(dice):
    square = [(-1, -1), (-1, 1), (1, 1), (1, -1)]
    inner = [(-0.4, -0.5), (-0.4, 0.5), (0.4, 0.3), (0.4, -0.3)]
    hook = [(-1, -1), (-1, 1), (-0.5, 1), (-0.5, -0.5), (0.5, -0.5), (0.5, 1), (1, 1), (1, -1)]
    sliver = [(-1, -1), (-0.98, -1), (1, 1), (0.98, 1)]
    return [
        _shape(dice, "star at sea", (-48.8767, -123.3933), 0.02, _star(dice)),
        _shape(dice, "star of many rays", (12.0, 88.0), 0.1, _star(dice, 40)),
        _shape(dice, "hook", (30.0, -40.0), 0.005, hook),
        _shape(dice, "with a hole", (-35.0, 80.0), 0.05, square, [inner]),
        _shape(dice, "sliver", (12.0, 88.0), 0.01, sliver),
        _shape(dice, "across the antimeridian", (-30.0, 180.0), 0.05, _star(dice)),
        _shape(dice, "across Greenwich and the equator", (0.0, 0.0), 0.05, _star(dice)),
        _shape(dice, "far in the north", (78.0, 5.0), 0.1, hook),
    ]


def captures():
    """Paths and bytes of the ways and of the areas."""
    dice = random.Random(SEED)
    table = _table(dice)
    shapes = ",\n".join(json.dumps(shape) for shape in _shapes(dice))
    return {
        "geo/ways.csv": table.encode(),
        "geo/areas.json": f'{{"seed": {SEED}, "polygons": [\n{shapes}\n]}}\n'.encode(),
    }
