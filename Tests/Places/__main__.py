"""Every address and street of an extract is looked for by the built command, as typed, mistyped and by its position.

    python3 Tests/Places --homeward PROGRAM --places FOLDER [--seed 1] EXTRACT…

FOLDER holds an import of each extract under its name. What there is to be found is read from the extract by this
folder's own reader, which shares nothing with the import. Fails when fewer than 99.5 in 100 are found first, fewer than
95 in 100 of those with one typing mistake among the first five, or an address farther than 50 m from its position.
"""

import argparse
import gzip
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import time
import unicodedata
import xml.etree.ElementTree as Tree

STREETS = {"bus_stop", "crossing", "street_lamp", "traffic_signals", "platform", "elevator", "give_way", "stop"}


def read(extract):
    """Addresses as (street, number, places) and streets as (name, points) of an extract."""
    places, addresses, streets = {}, {}, {}
    opened = gzip.open if extract.suffix == ".gz" else open
    with opened(extract, "rb") as file:
        for _, element in Tree.iterparse(file):
            if element.tag not in ("node", "way"):
                continue
            tags = {tag.get("k"): tag.get("v") for tag in element.findall("tag")}
            if element.tag == "node":
                points = [(float(element.get("lat")), float(element.get("lon")))]
                places[element.get("id")] = points[0]
            else:
                points = [places[node.get("ref")] for node in element.findall("nd") if node.get("ref") in places]
            if not points:
                continue
            street = tags.get("addr:street") or tags.get("addr:place")
            if street and "addr:housenumber" in tags:
                numbers = [each for each in tags["addr:housenumber"].replace(",", ";").split(";") if each.strip()]
                # "7 B, courtyard" is one house; "courtyard" by itself is what it is called.
                for number in [each for each in numbers if re.search(r"\d", each)] or numbers:
                    key = (street, " ".join(number.split()))
                    addresses.setdefault(key, []).append(points)
            is_street = element.tag == "way" and tags.get("highway") and tags["highway"] not in STREETS
            if is_street and "name" in tags and tags.get("area") != "yes" and len(points) > 1:
                streets.setdefault(tags["name"], []).extend(points)
    return addresses, streets


def meters(one, other):
    middle = math.radians((one[0] + other[0]) / 2)
    return 111_195 * math.hypot(one[0] - other[0], (one[1] - other[1]) * math.cos(middle))


def folded(text):
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(each for each in plain if not unicodedata.combining(each)).split())


def mistyped(text, dice):
    """The text with one mistake within a word of four letters or more; None where there is none."""
    spots = [
        index for index in range(1, len(text) - 1)
        if text[index - 1 : index + 2].isalpha() and len(word_at(text, index)) >= 4
    ]  # fmt: skip
    if not spots:
        return None
    index = dice.choice(spots)
    letters = sorted({each for each in text.casefold() if each.isalpha()})
    match dice.choice(("left out", "twice", "another", "changed places")):
        case "left out":
            return text[:index] + text[index + 1 :]
        case "twice":
            return text[:index] + text[index] + text[index:]
        case "another":
            other = dice.choice([each for each in letters if each != text[index].casefold()])
            return text[:index] + other + text[index + 1 :]
        case _:
            return text[:index] + text[index + 1] + text[index] + text[index + 2 :]


def word_at(text, index):
    start = end = index
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    return text[start:end]


class Command:
    def __init__(self, program, folder):
        self.program, self.folder, self.seconds = program, folder, []

    def ask(self, command, words, *options):
        line = [self.program, "places", command, "--in", self.folder, "--json", *options, "--", words]
        began = time.perf_counter()
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        self.seconds.append(time.perf_counter() - began)
        if not done.stdout:
            raise RuntimeError(f"{line}: {done.stderr}")
        return json.loads(done.stdout)

    def search(self, text, limit=5):
        return self.ask("search", text, "--limit", str(limit))

    def reverse(self, place):
        return self.ask("reverse", f"{place[0]},{place[1]}")


def is_address(found, street, number, groups):
    wanted = folded(f"{street} {number}")
    place = found["latitude"], found["longitude"]
    return (folded(found["address"]) + ",").startswith(wanted + ",") and any(
        beside(place, group) < 60 for group in groups
    )


def beside(place, points):
    """Metres from a place to the box around points, such as the corners of a house."""
    nearest = tuple(
        min(max(min(each), at), max(each)) for each, at in zip(zip(*points, strict=True), place, strict=True)
    )
    return meters(place, nearest)


def is_street(found, name):
    return folded(found["name"]) == folded(name)


def judge(extract, command, dice):
    addresses, streets = read(extract)
    questions = [(f"{street} {number}", lambda found, key=(street, number): is_address(found, *key, addresses[key]))
                 for street, number in sorted(addresses)]  # fmt: skip
    questions += [(name, lambda found, name=name: is_street(found, name)) for name in sorted(streets)]
    missed, wrong, typed = [], [], 0
    for text, fits in questions:
        found = command.search(text)
        if not found or not fits(found[0]):
            missed.append((text, [each["name"] for each in found[:3]]))
        mistake = mistyped(text, dice)
        if mistake:
            typed += 1
            if not any(fits(each) for each in command.search(mistake)):
                wrong.append((text, mistake))
    far = []
    for (street, number), groups in sorted(addresses.items()):
        point = tuple(sum(each) / len(groups[0]) for each in zip(*groups[0], strict=True))
        found = command.reverse(point)
        if not found or meters(point, (found["latitude"], found["longitude"])) > 50:
            far.append((street, number, found and found["address"]))
    seconds = sorted(command.seconds)
    first = 1 - len(missed) / max(len(questions), 1)
    guessed = 1 - len(wrong) / max(typed, 1)
    near = 1 - len(far) / max(len(addresses), 1)
    print(
        f"{extract.name}: {len(addresses)} addresses, {len(streets)} streets: {first:.2%} found first; "
        f"{guessed:.2%} of {typed} mistyped among the first five; {near:.2%} within 50 m backwards; "
        f"{1000 * seconds[len(seconds) // 2]:.1f} ms a question with the program's start"
    )
    for title, rest in (("not first", missed), ("mistyped, not found", wrong), ("farther than 50 m", far)):
        for each in rest[:20]:
            print(f"  {title}: {each}")
    return first >= 0.995 and guessed >= 0.95 and near >= 0.995


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--homeward", required=True)
    parser.add_argument("--places", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("extracts", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    good = True
    for extract in arguments.extracts:
        name = extract.name.removesuffix(".gz").removesuffix(".osm")
        command = Command(arguments.homeward, arguments.places / name)
        good &= judge(extract, command, random.Random(arguments.seed))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
