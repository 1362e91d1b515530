"""Addresses, streets and names of an extract in one SQLite file, to be found by words and by position.

What people type is folded by SQLite's own tokenizer, here and when they ask, so that both sides agree. Writing without
spaces between words is taken apart into single characters first, by the same rule that the reader has.
"""

import itertools
import math
import sqlite3
from collections import defaultdict

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE place (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, detail TEXT NOT NULL, name TEXT NOT NULL, street TEXT NOT NULL,
  number TEXT NOT NULL, postcode TEXT NOT NULL, city TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL
);
CREATE VIRTUAL TABLE place_text USING fts5 (words, content='', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE place_box USING rtree (id, south, north, west, east);
CREATE TABLE segment (
  id INTEGER PRIMARY KEY, place INTEGER NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
  end_latitude REAL NOT NULL, end_longitude REAL NOT NULL
);
CREATE VIRTUAL TABLE segment_box USING rtree (id, south, north, west, east);
CREATE TABLE typo (form TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (form, word)) WITHOUT ROWID;
"""
INDEXES = "CREATE INDEX place_street ON place (street, number) WHERE kind = 'address';"

# By which of its tags a thing with a name is told from others, the most telling first.
KINDS = ("place", "amenity", "shop", "tourism", "healthcare", "leisure", "office", "craft", "historic", "railway",
         "public_transport", "aeroway", "man_made", "natural", "waterway", "landuse", "building", "bridge")  # fmt: skip
# Ways that are named like a street.
UNNAMED_HIGHWAYS = {
    "bus_stop",
    "crossing",
    "street_lamp",
    "traffic_signals",
    "give_way",
    "stop",
    "platform",
    "elevator",
}
OTHER_NAMES = ("alt_name", "old_name", "short_name", "loc_name", "official_name", "int_name", "name:en", "name:zh")
# How far a settlement gives its name to what has no town of its own, in metres.
SETTLEMENTS = {
    "city": 15_000,
    "town": 8_000,
    "village": 4_000,
    "suburb": 2_500,
    "hamlet": 2_000,
    "isolated_dwelling": 700,
}
# Ways of one name nearer than this are one street.
NEAR_METERS = 400.0
# The longest word of which mistyped forms are kept; the rest of a longer one is as typed.
LONGEST_WORD = 24


def meters(one, other):
    """Metres between two positions, for short ways."""
    middle = math.radians((one[0] + other[0]) / 2)
    east = math.remainder(other[1] - one[1], 360) * math.cos(middle)
    return 111_195 * math.hypot(other[0] - one[0], east)


def is_unspaced(character):
    """Whether a character is of a writing that puts no spaces between words."""
    code = ord(character)
    return (
        0x0E00 <= code <= 0x0EFF  # Thai, Lao
        or 0x1000 <= code <= 0x109F  # Burmese
        or 0x1780 <= code <= 0x17FF  # Khmer
        or 0x2E80 <= code <= 0x30FF  # radicals, kana
        or 0x3400 <= code <= 0x9FFF  # Han
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
    )


def spaced(text):
    """The text with a space around each character of a writing without spaces."""
    return "".join(f" {character} " if is_unspaced(character) else character for character in text)


def numbers(text):
    """The house numbers that a tag lists, each as it is written: «12;14 a» has two, «3-7» stays one.

    Words beside a number, as in «7 B, courtyard», are left out.
    """
    parts = [part for part in (" ".join(part.split()) for part in text.replace(",", ";").split(";")) if part]
    numbered = [part for part in parts if any(character.isdigit() for character in part)]
    return (numbered or parts)[:20]


def forms(word):
    """What is left of a word when one of its characters is left out, and the word itself."""
    head, rest = word[:LONGEST_WORD], word[LONGEST_WORD:]
    return {word} | {head[:index] + head[index + 1 :] + rest for index in range(len(head))}


class Settlements:
    """Towns and villages, to name what does not say where it lies."""

    def __init__(self):
        self._all = []

    def add(self, name, kind, position):
        self._all.append((name, SETTLEMENTS[kind], position))

    def of(self, position):
        """The settlement that a position belongs to: the one that is nearest for its size; empty for none."""
        best, name = 1.0, ""
        for candidate, reach, center in self._all:
            if abs(center[0] - position[0]) * 110_000 < reach:
                part = meters(center, position) / reach
                if part < best:
                    best, name = part, candidate
        return name


class Gazetteer:
    """Writes the file."""

    def __init__(self, path):
        self.database = sqlite3.connect(path)
        self.database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA)
        self.settlements = Settlements()
        self._addresses = {}
        self._streets = defaultdict(list)
        self._count = 0
        self.counts = defaultdict(int)

    # What an extract has

    def take(self, tags, position, line=()):
        """Takes a thing with its tags, where it is, and its line for one that is a way."""
        name = tags.get("name", "")
        highway = tags.get("highway")
        if highway and name and len(line) > 1 and tags.get("area") != "yes":
            self._streets[name].append((line, self._other_names(tags)))
        elif name and highway not in UNNAMED_HIGHWAYS:
            self._take_name(tags, name, position)
        self._take_address(tags, position)

    def _take_name(self, tags, name, position):
        kind = next((kind for kind in KINDS if kind in tags), None)
        if kind is None:
            return
        if kind == "place" and tags["place"] in SETTLEMENTS:
            self.settlements.add(name, tags["place"], position)
        street, number = tags.get("addr:street", ""), tags.get("addr:housenumber", "")
        self._add(kind, tags[kind], name, street, number, tags, position, self._other_names(tags))

    def _take_address(self, tags, position):
        street = tags.get("addr:street") or tags.get("addr:place", "")
        if not street or "addr:housenumber" not in tags:
            return
        for number in numbers(tags["addr:housenumber"]):
            key = (street, number, tags.get("addr:city", ""), round(position[0], 3), round(position[1], 3))
            if key not in self._addresses:
                self._addresses[key] = True
                self._add("address", "", "", street, number, tags, position, [])

    @staticmethod
    def _other_names(tags):
        return [tags[key] for key in OTHER_NAMES if key in tags]

    def _add(self, kind, detail, name, street, number, tags, position, others):
        self._count += 1
        city, postcode = tags.get("addr:city", ""), tags.get("addr:postcode", "")
        self.database.execute(
            "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self._count, kind, detail, name, street, number, postcode, city, *position),
        )
        if others:
            self.database.execute("INSERT INTO meta VALUES (?, ?)", (f"others:{self._count}", "\n".join(others)))
        self.counts[kind] += 1
        return self._count

    # The rest, once all is known

    def finish(self, notes, progress):
        """Names towns, joins streets, and builds the indexes; `progress` is told the part that is done."""
        self._name_towns()
        progress(0.3)
        self._add_streets()
        progress(0.5)
        self._index()
        progress(0.8)
        self._add_typos()
        for name, content in notes.items():
            self.database.execute("INSERT INTO meta VALUES (?, ?)", (name, str(content)))
        self.database.executescript(INDEXES)
        self.database.commit()
        self.database.execute("ANALYZE")
        self.database.execute("VACUUM")
        self.database.close()

    def _name_towns(self):
        rows = self.database.execute(
            "SELECT id, latitude, longitude FROM place WHERE city = '' AND kind <> 'place'"
        ).fetchall()
        self.database.executemany(
            "UPDATE place SET city = ? WHERE id = ?",
            ((self.settlements.of(position), number) for number, *position in rows),
        )

    def _add_streets(self):
        for name, ways in self._streets.items():
            for street in self._joined(ways):
                points = [point for line, _ in street for point in line]
                middle = tuple(sum(each) / len(points) for each in zip(*points, strict=True))
                position = min(points, key=lambda point: meters(point, middle))
                others = sorted({other for _, names in street for other in names})
                number = self._add("street", "", name, name, "", {}, position, others)
                self.database.execute("UPDATE place SET city = ? WHERE id = ?", (self.settlements.of(position), number))
                for line, _ in street:
                    self.database.executemany(
                        "INSERT INTO segment (place, latitude, longitude, end_latitude, end_longitude) "
                        "VALUES (?, ?, ?, ?, ?)",
                        ((number, *one, *other) for one, other in itertools.pairwise(line)),
                    )

    @staticmethod
    def _joined(ways):
        """Ways of one name as streets: those that come near each other belong together."""
        streets = []
        for way in ways:
            near = [street for street in streets if any(Gazetteer._is_near(way[0], line) for line, _ in street)]
            joined = [way]
            for street in near:
                joined += street
                streets.remove(street)
            streets.append(joined)
        return streets

    @staticmethod
    def _is_near(one, other):
        return any(meters(point, end) < NEAR_METERS for point in (one[0], one[-1]) for end in other) or any(
            meters(point, end) < NEAR_METERS for point in one for end in (other[0], other[-1])
        )

    def _index(self):
        others = {
            int(name.removeprefix("others:")): content
            for name, content in self.database.execute("SELECT name, content FROM meta WHERE name LIKE 'others:%'")
        }
        self.database.execute("DELETE FROM meta WHERE name LIKE 'others:%'")
        for number, name, street, house, postcode, city, latitude, longitude in self.database.execute(
            "SELECT id, name, street, number, postcode, city, latitude, longitude FROM place"
        ).fetchall():
            parts = [name, street if street != name else "", house, postcode, city, others.get(number, "")]
            self.database.execute(
                "INSERT INTO place_text (rowid, words) VALUES (?, ?)",
                (number, spaced(" ".join(part for part in parts if part))),
            )
            self.database.execute(
                "INSERT INTO place_box VALUES (?, ?, ?, ?, ?)", (number, latitude, latitude, longitude, longitude)
            )
        self.database.execute(
            "INSERT INTO segment_box SELECT id, min(latitude, end_latitude), max(latitude, end_latitude), "
            "min(longitude, end_longitude), max(longitude, end_longitude) FROM segment"
        )

    def _add_typos(self):
        self.database.execute("CREATE VIRTUAL TABLE temp.word USING fts5vocab (main, place_text, row)")
        for (word,) in self.database.execute("SELECT term FROM temp.word").fetchall():
            # Who errs in a number means another house.
            if len(word) > 2 and not any(character.isdigit() for character in word):
                self.database.executemany(
                    "INSERT OR IGNORE INTO typo VALUES (?, ?)", ((form, word) for form in forms(word))
                )
        self.database.execute("DROP TABLE temp.word")
