"""Compares what the hub has in its journal with what arrived at the other end of the line.

Delivery is at least once: an event may come again, with the same words. Each comparison gives what is wrong in
words, or nothing.
"""

import json
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .stage import Stage

PEERS = {"broker": "broker", "web endpoint": "web-server"}
"""Where news arrives, by the words of the stories, and the peer that plays it."""


Entry = dict[str, Any]
"""An entry of the hub's journal: an event with its `sequence`."""


@dataclass(frozen=True)
class Arrival:
    """One event as it came; `body` is the CloudEvent's text."""

    lane: str
    body: str

    @property
    def event(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def identity(self) -> str:
        return self.event["id"]


def event_of(entry: Entry) -> dict[str, Any]:
    """The event as the hub sends it to whoever may see all: without its place in the journal, or a push address."""
    event = {name: member for name, member in entry.items() if name != "sequence"}
    data = event.get("data")
    if event.get("type") != "record.changed" or not isinstance(data, dict):
        return event
    if not str(data.get("action")).startswith("guardian."):
        return event
    bare = {
        name: {key: value for key, value in member.items() if key != "push"} if isinstance(member, dict) else member
        for name, member in data.items()
    }
    return {**event, "data": bare}


def journal(stage: "Stage") -> list[Entry]:
    """Alarms and records that the hub has, oldest first."""
    return sorted(stage.hub.homeward("events", "--limit", "1000"), key=lambda entry: entry["sequence"])


def arrivals(stage: "Stage", place: str) -> list[Arrival]:
    """What came to a place of `PEERS` so far, repetitions included: alarms and records, in order."""
    came = stage.peer(PEERS[place]).do("events")
    return [Arrival(event["lane"], event["body"]) for event in came if event["lane"] in ("alarm", "record")]


def arrivals_everywhere(stage: "Stage") -> dict[str, list[Arrival]]:
    """The same for all places that this story has."""
    return {place: arrivals(stage, place) for place, peer in PEERS.items() if stage.has_peer(peer)}


def _named(events: Iterable[dict[str, Any]]) -> str:
    names = [f"{event['type']} of {event['time']}" for event in events]
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def difference(journal: list[Entry], arrivals: list[Arrival]) -> str:
    """What lacks, what came though the hub has no such event, and what came with other content than the hub has."""
    held = {entry["id"]: event_of(entry) for entry in journal}
    came = {arrival.identity: arrival.event for arrival in arrivals}
    lacking = [event for identity, event in held.items() if identity not in came]
    foreign = [event for identity, event in came.items() if identity not in held]
    changed = [event for identity, event in came.items() if held.get(identity, event) != event]
    return "; ".join(
        f"{len(events)} {words}: {_named(events)}"
        for words, events in (
            (f"of {len(held)} did not arrive", lacking),
            ("arrived that the hub does not have", foreign),
            ("arrived with another content than the hub has", changed),
        )
        if events
    )


def contradiction(arrivals: list[Arrival]) -> str:
    """Events that came twice and not with the same words."""
    first: dict[str, Arrival] = {}
    twisted = {
        arrival.identity: arrival.event
        for arrival in arrivals
        if first.setdefault(arrival.identity, arrival).body != arrival.body
    }
    return f"{len(twisted)} came twice with different words: {_named(twisted.values())}" if twisted else ""


def disorder(journal: list[Entry], arrivals: list[Arrival], early: Set[str] = frozenset()) -> str:
    """Events that came for the first time after a later one of their lane about the same subject.

    Across subjects nothing is promised: what is refused for a while about one person does not hold up another's. Nor
    for alarms in `early`, which were sent before the journal had them.
    """
    place = {entry["id"]: entry["sequence"] for entry in journal}
    latest: dict[tuple[str, str], int] = {}
    seen = set(early)
    late = []
    for arrival in arrivals:
        sequence = place.get(arrival.identity)
        if sequence is None or arrival.identity in seen:
            continue
        seen.add(arrival.identity)
        row = (arrival.lane, arrival.event["subject"])
        if sequence < latest.get(row, 0):
            late.append(arrival.event)
        latest[row] = max(sequence, latest.get(row, 0))
    return f"{len(late)} came after later ones: {_named(late)}" if late else ""


def overtaking(missed: list[str], arrivals: list[Arrival]) -> str:
    """Whether, of the events with these identities, anything else arrived before an alarm about a person.

    An alarm about a part of the hub may be raised while the first ones are on their way, and follows in the next batch.
    Was it on its way when the line broke, it comes again first, beside the one record that was on its way, too; the
    alarm about a person is in the batch behind it.
    """
    came = {arrival.identity: arrival for arrival in reversed(arrivals) if arrival.identity in missed}
    in_order = [came[arrival.identity] for arrival in arrivals if came.get(arrival.identity) is arrival]
    alarms = [place for place, arrival in enumerate(in_order) if arrival.lane == "alarm" and not _is_fault(arrival)]
    if not alarms:
        return "there was no alarm among what had been missed"
    records = [identity for identity in missed if identity in came and came[identity].lane != "alarm"]
    on_its_way = records[:1] if in_order[0].lane == "alarm" and _is_fault(in_order[0]) else []
    others = [
        arrival.event
        for arrival in in_order[: alarms[-1]]
        if arrival.lane != "alarm" and arrival.identity not in on_its_way
    ]
    return f"{len(others)} others came before the last of {len(alarms)} alarms: {_named(others)}" if others else ""


def _is_fault(arrival: Arrival) -> bool:
    return arrival.event.get("data", {}).get("kind") == "fault"


def missed_so_far(stage: "Stage") -> dict[str, list[str]]:
    """By place, the identities of what the hub has in its journal and has not arrived there."""
    reported = [entry["id"] for entry in journal(stage)]
    missed = {}
    for place, came in arrivals_everywhere(stage).items():
        known = {arrival.identity for arrival in came}
        missed[place] = [identity for identity in reported if identity not in known]
    return missed
