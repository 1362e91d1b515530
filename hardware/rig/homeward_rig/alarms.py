"""An alarm as the story speaks of it, and what guardians were told of it by text message."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .gps.walker import Place

LINK = re.compile(r"https://osm\.org/\?mlat=(-?\d+\.\d+)&mlon=(-?\d+\.\d+)")
TAG = re.compile(r"#([A-Z0-9]{4})\b")
LONGEST = 160
"""Characters of one message in the alphabet of GSM."""


@dataclass(frozen=True)
class Alarm:
    """One alarm: its id for programs and its tag for people."""

    identity: str
    tag: str

    @classmethod
    def of(cls, event: dict[str, Any]) -> "Alarm":
        """That of an event about it."""
        return cls(event["data"]["alarm"], event["data"]["tag"])


Text = dict[str, Any]
"""A message that the modem took: {number, text, time, complete, …}."""


def tag_of(text: Text) -> str | None:
    """The tag that a message ends with; None when it has none."""
    found = TAG.findall(text["text"])
    return found[-1] if found else None


def about(texts: Iterable[Text], tag: str, number: str | None = None) -> list[Text]:
    """The messages about an alarm, to one number or to all."""
    return [text for text in texts if tag_of(text) == tag and number in (None, text["number"])]


def link_in(text: str) -> Place | None:
    """The place that a message's link opens on a map."""
    found = LINK.search(text)
    return Place.from_degrees(float(found[1]), float(found[2])) if found else None


def wrong_with(text: Text, name: str, tag: str, place: Place | None, meters: float) -> str:
    """What a call for help lacks, in words; nothing when somebody can go and help by it alone."""
    words = text["text"]
    lacking = []
    if name not in words:
        lacking.append(f"does not name {name}")
    if tag_of(text) != tag:
        lacking.append(f"does not end with the tag #{tag}")
    if len(words) > LONGEST or not text["complete"]:
        lacking.append(f"has {len(words)} characters, more than one message takes")
    opened = link_in(words)
    if place is not None and opened is None:
        lacking.append("has no link that opens a map")
    elif place is not None and opened is not None and place.meters_to(opened) > meters:
        lacking.append(f"leads {place.meters_to(opened):.0f} m away from {name}")
    return "; ".join(lacking)


def of_people(alarms: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The open alarms in which somebody needs help; one about a part of the hub may stand beside them."""
    return [alarm for alarm in alarms if alarm.get("kind") not in ("fault", "battery", "test")]


def told_under(texts: Iterable[Text], tags: Sequence[str]) -> list[Text]:
    """Messages whose tag is none of these, those about a part of the hub aside."""
    return [text for text in texts if tag_of(text) not in tags and not text["text"].startswith("FAULT")]
