"""What one call for help brought about, in words that two share: by whatever it was called, all of it is the same."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .alarms import Alarm, Text, about

OWN = frozenset({"alarm", "tag", "trigger"})
"""What is each alarm's own: who it is, and by what it was called."""
TIME = re.compile(r"\b\d{1,2}:\d{2}\b")


@dataclass(frozen=True)
class Course:
    """Events of an alarm in the journal and at the broker, how many of each, and what the text messages about it say.

    Nobody answers while it lasts, so that live positions, and another try to reach people, come as often as it is long:
    they say nothing.
    """

    events: Counter[str]
    heard: Counter[str]
    texts: Counter[str]

    @property
    def receipts(self) -> int:
        """How many messages have arrived."""
        return sum(count for words, count in self.events.items() if '"outcome": "delivered"' in words)

    def __str__(self) -> str:
        counts = (f"{sum(one.values())} {what}" for what, one in _parts(self))
        return ", ".join(counts)


def _parts(course: Course) -> list[tuple[str, Counter[str]]]:
    return [
        ("events", course.events),
        ("events at the broker", course.heard),
        ("text messages", course.texts),
    ]


def course(
    alarm: Alarm, entries: Iterable[dict[str, Any]], told: Iterable[dict[str, Any]], texts: Iterable[Text]
) -> Course:
    """That of an alarm, from the journal, from events as they came to the broker, and from what the modem sent."""
    heard = {event["id"]: event for event in (json.loads(one["body"]) for one in told)}
    return Course(
        Counter(_shared(entry, alarm) for entry in entries if _is_of(entry, alarm)),
        Counter(_shared(event, alarm) for event in heard.values() if _is_of(event, alarm)),
        Counter({f"{text['number']}: {_bare(text['text'], alarm)}" for text in about(texts, alarm.tag)}),
    )


def _is_of(event: dict[str, Any], alarm: Alarm) -> bool:
    data = event["data"]
    is_more = event["type"] == "alarm.location" or data.get("attempt", 1) > 1
    return data.get("alarm") == alarm.identity and not is_more


def _shared(event: dict[str, Any], alarm: Alarm) -> str:
    data = {name: member for name, member in event["data"].items() if name not in OWN}
    return _bare(f"{event['type']} {json.dumps(data, sort_keys=True, ensure_ascii=False)}", alarm)


def _bare(words: str, alarm: Alarm) -> str:
    return TIME.sub("0:00", words.replace(alarm.identity, "ALARM").replace(alarm.tag, "TAG"))


def differences(one: Course, other: Course) -> list[str]:
    """What came of one and not of the other, in words; nothing where all is the same."""
    found = []
    for (what, mine), (_, theirs) in zip(_parts(one), _parts(other), strict=True):
        found += [f"{what} lack {words}" for words in (mine - theirs).elements()]
        found += [f"{what} have besides {words}" for words in (theirs - mine).elements()]
    return found
