"""Steps about a way home that somebody is shown: the map, who walks, and what is said on the way."""

import base64
import itertools
import math

from behave import given, then, when
from homeward_rig import speech, town
from homeward_rig.configuration import BUTTONS, PLACES
from homeward_rig.gps.walker import HOME, Place
from homeward_rig.stage import CheckFailed, as_json, eventually

SENTENCES = "/var/lib/homeward/speech"
"""The hub's folder with what its voice made."""
PACE = 1.4
"""Metres a second of somebody who walks."""
ROUTE = ("/usr/bin/homeward", "--json", "places", "route")


@given("the hub has the map of a town that nobody lives in")
def has_map(context):
    context.stage.options.map = town.map_image()
    context.stage.configuration.plugins.append(PLACES)


@given("one press of the wired button takes {name} home")
def takes_home(context, name):
    sections = context.stage.configuration.sections
    wired = "  - name: wired\n"
    context.stage.configuration.sections = [
        section.replace(wired, f"{wired}    press: take-home\n") if section == BUTTONS else section
        for section in sections
    ]


@given("{name} stands where {street} and {other} cross")
@when("{name} stands where {street} and {other} cross")
def stands_at(context, name, street, other):
    stand(context, town.crossing(street, other))


@given("{name} may be anywhere in town")
def anywhere(context, name):
    context.stage.hub.homeward(
        *("zones", "add", "--resident", name, "--name", "The town", "--radius", "2000"),
        "--at={:.7f},{:.7f}".format(*HOME),
    )


# On the way


@when("{name} goes as she is shown for {meters:g} m")
def goes(context, name, meters):
    go(context, beginning(way_home(context)[0], meters))


@when("{name} misses the next turn by {meters:g} m")
def misses(context, name, meters):
    """Straight on where the way turns."""
    line, turn = way_home(context)
    start, corner = line[turn - 1], line[turn]
    length = start.meters_to(corner)
    if turn + 1 == len(line) or not length:
        raise CheckFailed("there is no turn any more on the way home")
    on = corner.moved(*(meters * (b - a) / length for a, b in ((start.east, corner.east), (start.north, corner.north))))
    go(context, [*line[1 : turn + 1], on])


@when("{name} goes home as she is shown")
def goes_home(context, name):
    go(context, way_home(context)[0][1:])


def stand(context, place: Place) -> None:
    meters, bearing = polar(place)
    context.stage.peer("receiver").do("stand", meters=meters, bearing=bearing)


def go(context, places: list[Place]) -> None:
    context.stage.wait(context.stage.peer("receiver").do("follow", way=[polar(each) for each in places], speed=PACE))


def polar(place: Place) -> list[float]:
    """Metres and direction from home."""
    return [place.meters_from_home, math.degrees(math.atan2(place.east, place.north)) % 360]


def beginning(line: list[Place], meters: float) -> list[Place]:
    """The first metres of a way, without where it begins."""
    found = []
    for start, end in itertools.pairwise(line):
        length = start.meters_to(end)
        if length >= meters:
            part = meters / length if length else 0
            return [*found, start.moved(part * (end.east - start.east), part * (end.north - start.north))]
        found.append(end)
        meters -= length
    return found


def way_home(context) -> tuple[list[Place], int]:
    """The way home from where she is, as the hub finds it, and which of its places is the next turn."""
    position = context.stage.peer("receiver").do("position")
    here = Place.from_degrees(position["latitude"], position["longitude"])
    ends = [",".join(f"{degrees:.7f}" for degrees in each) for each in (here.degrees, HOME)]
    way = as_json(context.stage.machine.run(*ROUTE, f"--in={town.ON_HUB}", "--", *ends).output)
    line = [Place.from_degrees(*each) for each in way["line"]]
    later = [Place.from_degrees(step["latitude"], step["longitude"]) for step in way["steps"]][1:]
    turn = min(range(len(line)), key=lambda index: line[index].meters_to(later[0])) if later else len(line) - 1
    return line, turn


# What is said


@when("all that was said so far is past")
def is_past(context):
    context.said = max((entry["sequence"] for entry in said(context)), default=0)


@then('within {seconds:g} seconds the hub says on the way, and it is heard: "{words}"')
def says(context, seconds, words):
    """A sentence with these words is told among the traces, and sounds in the room as the hub's voice made it."""
    told = []

    def probe():
        found = said(context)
        told[:] = [entry for entry in found if entry["sequence"] > getattr(context, "said", 0)]
        return next((entry for entry in reversed(told) if words in entry["data"]["text"]), None)

    try:
        entry = eventually(f'the hub says "{words}"', seconds, probe)
    except CheckFailed as failure:
        texts = [entry["data"]["text"] for entry in reversed(told)]
        raise CheckFailed(f"{failure}; it said {texts or 'nothing'}") from None
    context.said = entry["sequence"]
    hear(context, entry["data"]["text"], HEARD_SECONDS)


def said(context) -> list[dict]:
    return context.stage.hub.homeward("events", "--lane", "trace", "--type", "guidance.said", "--limit", "100")


@then('within {seconds:g} seconds is heard: "{text}"')
def is_heard(context, seconds, text):
    """The whole sentence."""
    hear(context, text, seconds)


HEARD_SECONDS = 90
"""So long an emulator may take until a sentence was made and spoken."""


def hear(context, text: str, seconds: float) -> None:
    """Waits until a sentence was heard in the room since it is listened to."""
    best = speech.Match(0, -1)

    def sounds():
        nonlocal best
        made = made_sentence(context, text)
        best = speech.find(context.room.heard(), speech.sentence(made)) if made else best
        return best.likeness >= speech.LIKE

    try:
        eventually(f'"{text}" is heard', seconds, sounds, pause=3)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the likest was at {best.seconds:.1f} s, by {best.likeness:.2f}") from None
    print(f'    "{text}": at {best.seconds:.1f} s, likeness {best.likeness:.2f}', flush=True)


def made_sentence(context, text: str) -> bytes:
    """What the hub's voice made of a sentence; nothing where it has not."""
    name = speech.file_name("en", text)
    files = context.stage.machine.run("/usr/bin/find", SENTENCES, "-name", f"{name}*", check=False).output.split()
    if not files:
        return b""
    return base64.b64decode(context.stage.machine.run("/usr/bin/base64", "--wrap=0", files[0]).output)
