"""Whether all who tell of the household tell the same: status, broker, Home Assistant, events and messages.

Each rule compares what two of them say and gives sentences about what disagrees. None knows how Homeward works inside.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .delivery import Arrival, contradiction, difference, disorder, journal
from .letters import ADDRESSES, Letter, letters, tag_of

if TYPE_CHECKING:
    from .stage import Stage

UNATTENDED = ("prealarm", "dispatched")
ENDED = ("alarm.resolved", "alarm.cancelled")
PLUGINS = {"sms": "sms-modem", "email": "email", "push": "apprise"}
"""The plugin of each way to guardians in the stories."""
PEERS = {"sms": "modem", "email": "mail-server", "push": "web-server"}
"""Who plays its far end."""
NEWEST = 1000
"""Events that the command line gives at once."""


@dataclass
class View:
    """What each of them says at one moment."""

    gateway: str
    status: dict[str, Any]
    alarms: list[dict[str, Any]]
    routine: list[dict[str, Any]]
    guardians: list[dict[str, Any]]
    journal: list[dict[str, Any]]
    """Events, each with its `sequence`, oldest first; the newest `NEWEST`."""
    arrived: list[Arrival]
    """What came to the broker."""
    retained: dict[str, str]
    """What the broker keeps, by topic."""
    letters: list[Letter] = field(default_factory=list)
    """Text messages, mails and pushes that left."""
    is_connected: bool = True
    """Whether the broker is there, and the gateway's plugin with it."""
    channels: frozenset[str] = frozenset(ADDRESSES)
    """Ways to guardians whose far ends the story hears."""
    early: frozenset[str] = frozenset()
    """Ids of events that went out from memory, before the disk had them."""

    def offers(self, channel: str) -> bool:
        """Whether a way to guardians works."""
        parts = {part["component"]: part["state"] for part in self.status.get("components", [])}
        return parts.get(f"plugin/{PLUGINS[channel]}") == "working"

    @property
    def waits_for_disk(self) -> bool:
        """Whether something is not stored yet."""
        return self.status["store"]["waitingRecords"] > 0

    def state(self, topic: str) -> str | None:
        """What the broker keeps below the gateway's own prefix."""
        return self.retained.get(f"homeward/{self.gateway}/{topic}")

    @property
    def knows_time(self) -> bool:
        """Whether anything is due at all: nothing is before the hub's clock is trusted."""
        return self.status["clock"]["isTrusted"]

    def object(self, topic: str) -> dict[str, Any]:
        """The same, as an object; empty when there is none."""
        return json.loads(self.state(topic) or "{}")


def disagreements(view: View) -> list[str]:
    """What disagrees, in sentences; nothing when all tell the same."""
    found = [*_alarms_of_status(view), *_alarms_of_events(view), *_routine_of_events(view), *_messages(view)]
    if view.is_connected:
        for rule in (_zones, _alarm_states, _siren, _routine_topics, _events, _home_assistant):
            found += rule(view)
    return found


# Alarms


def _alarms_of_status(view: View) -> Iterable[str]:
    listed = {(alarm["alarm"], alarm["stage"]) for alarm in view.alarms}
    told = {(alarm["alarm"], alarm["stage"]) for alarm in view.status["alarms"]}
    if listed != told:
        yield f"status has the alarms {sorted(told)}, the list {sorted(listed)}"


def _alarms_of_events(view: View) -> Iterable[str]:
    """An alarm is open from its event to that of its end; one raised before the oldest known event says nothing."""
    raised, ended = set(), set()
    for event in view.journal:
        if event["type"] == "alarm.raised":
            raised.add(event["data"]["alarm"])
        elif event["type"] in ENDED:
            ended.add(event["data"]["alarm"])
    listed = {alarm["alarm"] for alarm in view.alarms}
    if lacking := raised - ended - listed:
        yield f"by its events still open and not listed: {sorted(lacking)}"
    if over := listed & ended:
        yield f"by its events over and still listed: {sorted(over)}"


def _alarm_states(view: View) -> Iterable[str]:
    of: dict[str, list[dict[str, Any]]] = {person["id"]: [] for person in view.status["residents"]}
    of[""] = []
    for alarm in view.alarms:
        of.setdefault(alarm.get("resident") or "", []).append(alarm)
    for resident, alarms in of.items():
        topic = f"resident/{resident}/alarm-state" if resident else "alarm-state"
        told = view.object(topic)
        count = told.get("open", 0)
        whose = resident or "nobody"
        if count != len(alarms):
            yield f"{len(alarms)} alarms of {whose} are open, and the broker keeps {count}"
        elif alarms and (told["alarm"], told["stage"]) not in {(alarm["alarm"], alarm["stage"]) for alarm in alarms}:
            yield f"the broker keeps alarm {told['tag']} of {whose} as {told['stage']}: open are {alarms}"
        elif not alarms and told and told["state"] not in ("idle", "resolved"):
            yield f"no alarm of {whose} is open, and the broker keeps it as {told['state']}"


def _siren(view: View) -> Iterable[str]:
    """Only of an SOS is it expected: how loud the others are is the household's choice."""
    told = view.state("siren")
    unattended = [alarm for alarm in view.status["alarms"] if alarm["stage"] in UNATTENDED]
    loud = [alarm for alarm in unattended if alarm["kind"] == "sos" and not alarm["isSilenced"]]
    if told == "ON" and not unattended:
        yield "the siren is on, and every alarm is attended to or over"
    if told != "ON" and [alarm for alarm in loud if alarm["stage"] == "dispatched"]:
        yield f"the siren is {told}, and unattended are {[alarm['tag'] for alarm in loud]}"


# Places


def _zones(view: View) -> Iterable[str]:
    for person in view.status["residents"]:
        zones = (person.get("tracking") or {}).get("zones") or []
        told = view.state(f"resident/{person['id']}/zone")
        inside = sorted(zone["zoneName"] for zone in zones if zone["presence"] == "inside")
        if told is None or not (person.get("tracking") or {}).get("position"):
            continue
        kept = [] if told in ("outside", "uncertain", "no zone") else sorted(told.split(", "))
        if kept != inside:
            yield f"{person['name']} is in {inside or 'no zone'}, and the broker keeps {told}"


# Routine


def _routine_of_events(view: View) -> Iterable[str]:
    """Who answered is told by an event, and the list shows it until the item is due again."""
    latest: dict[str, str] = {}
    for event in view.journal:
        if event["type"].startswith("reminder.") and "item" in event["data"]:
            latest[event["data"]["item"]] = event["type"].partition(".")[2]
    for item in view.routine:
        told = latest.get(item["id"])
        if told in ("due", "prompted", "snoozed") and item["isOn"] and not item.get("isDue"):
            yield f"{item['title']} is {told} by its events, and the list does not show it as due"
        if told == "done" and item.get("isDue"):
            yield f"{item['title']} is done by its events, and the list shows it as due"


def _routine_topics(view: View) -> Iterable[str]:
    for item in view.routine:
        told = view.object(f"resident/{item['resident']}/routine/{item['id']}")
        if told.get("title") != item["title"]:
            yield f"the broker does not keep {item['title']} of {item['resident']}: {told}"
        elif told["isOn"] != item["isOn"] or told["state"] != item["state"]:
            yield f"{item['title']} is {item['state']}, and the broker keeps {told['state']}"
        elif view.knows_time and told.get("nextDue") != item.get("nextDue"):
            yield f"{item['title']} is due next {item.get('nextDue')}, and the broker keeps {told.get('nextDue')}"
    known = {(item["resident"], item["id"]) for item in view.routine}
    for topic, text in view.retained.items():
        levels = topic.split("/")
        is_ours = levels[:3] == ["homeward", view.gateway, "resident"] and text
        is_item = is_ours and len(levels) == 6 and levels[4] == "routine"
        if is_item and (levels[3], levels[5]) not in known:
            yield f"the broker keeps {levels[5]} of {levels[3]}, which is no item any more"


# Events


def _events(view: View) -> Iterable[str]:
    # What is for guardians alone comes to no broker; a while after the alarm's end the command line shows it.
    held = [entry for entry in view.journal if entry.get("audience") != "guardians"]
    # Of older events than the command line gives nothing is asked; in 1970 ids do not tell which those are.
    known = {entry["id"] for entry in view.journal}
    came = [arrival for arrival in view.arrived if len(view.journal) < NEWEST or arrival.identity in known]
    # What waits for the disk went out from memory, and the journal gets it later.
    ahead = view.early - known if view.waits_for_disk else frozenset()
    stored = [arrival for arrival in came if arrival.identity not in ahead]
    for wrong in (difference(held, stored), contradiction(came), disorder(held, came, view.early)):
        if wrong:
            yield f"events at the broker: {wrong}"


# Messages


def _messages(view: View) -> Iterable[str]:
    """What left for a guardian was told as sent, and what was told as sent did leave: by alarm, way and person."""
    if view.waits_for_disk or len(view.journal) == NEWEST:
        return
    deliveries = [entry["data"] for entry in view.journal if entry["type"] == "alarm.delivery"]
    sent = [data for data in deliveries if data.get("outcome") == "sent" and data["channel"] in view.channels]
    told = Counter((data["tag"], data["channel"], data["recipient"]) for data in sent)
    persons = {
        (channel, guardian[member]): guardian["id"]
        for guardian in view.guardians
        for channel, member in ADDRESSES.items()
        if guardian.get(member)
    }
    left: Counter[tuple[str, str, str]] = Counter()
    for letter in view.letters:
        tag, person = tag_of(letter), persons.get((letter["channel"], letter["address"]))
        if tag and person:
            left[tag, letter["channel"], person] += 1
    called_off = {entry["data"]["tag"] for entry in view.journal if entry["type"] == "alarm.cancelled"}
    for key in told.keys() | left.keys():
        tag, channel, person = key
        # How an alarm goes on that its resident called off is told to guardians alone: she may have been forced.
        is_secret = tag in called_off and left[key] > told[key]
        if person in persons.values() and told[key] != left[key] and not is_secret:
            yield f"of alarm {tag} {left[key]} by {channel} left for {person}, and {told[key]} were told as sent"
    yield from _ends(view, sent, told, left)


def _ends(
    view: View, sent: list[dict[str, Any]], told: Counter[tuple[str, str, str]], left: Counter[tuple[str, str, str]]
) -> Iterable[str]:
    """Who was called is told of the end, by the same way as long as it is there; and nobody is while it goes on."""
    over = {entry["data"]["tag"]: entry for entry in view.journal if entry["type"] in ENDED}
    going_on = {alarm["tag"] for alarm in view.alarms}
    ended = {(data["tag"], data["channel"], data["recipient"]) for data in sent if data["notice"] == "cancelled"}
    called = {(data["tag"], data["channel"], data["recipient"]) for data in sent if data["notice"] == "alarm"}
    known = {guardian["id"] for guardian in view.guardians}
    for key in sorted(called):
        tag, channel, person = key
        if tag not in over or person not in known or not view.offers(channel):
            continue
        is_told = left[key] > told[key] if over[tag]["type"] == "alarm.cancelled" else key in ended
        if not is_told:
            yield f"alarm {tag} is over, and {person} was called by {channel} and not told of the end"
    for tag, channel, person in sorted(ended):
        if tag in going_on:
            yield f"alarm {tag} goes on, and {person} was told by {channel} that it is over"


# Home Assistant


def _home_assistant(view: View) -> Iterable[str]:
    """Every resident has entities, no two share an id, and what an entity shows is kept by the broker."""
    entities: dict[str, str] = {}
    shown: set[str] = set()
    for topic, text in view.retained.items():
        # Home Assistant's own sign of life stands beside what it is shown.
        if not (topic.startswith("homeassistant/") and topic.endswith("/config") and text):
            continue
        for name, component in json.loads(text).get("components", {}).items():
            if "unique_id" not in component:
                continue
            if component["unique_id"] in entities:
                yield f"two entities have the id {component['unique_id']}"
            entities[component["unique_id"]] = name
            if state := component.get("state_topic"):
                shown.add(state)
    for person in view.status["residents"]:
        if not any(name.startswith(f"{person['id']}_") for name in entities.values()):
            yield f"Home Assistant has nothing of {person['name']}"
    for item in view.routine:
        wanted = f"homeward/{view.gateway}/resident/{item['resident']}/routine/{item['id']}"
        if wanted not in shown:
            yield f"Home Assistant does not show {item['title']}"
    if f"homeward/{view.gateway}/siren" not in shown:
        yield "Home Assistant does not show the siren"


# Looking


class Ear:
    """What the broker's reader wrote down, read as it grows."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._place = 0
        self.retained: dict[str, str] = {}
        self.arrived: list[Arrival] = []

    def listen(self) -> None:
        """Takes what is new; a last line may still be being written."""
        with open(self._file, "rb") as file:
            file.seek(self._place)
            news = file.read()
        whole = news[: news.rfind(b"\n") + 1]
        self._place += len(whole)
        for line in whole.splitlines():
            message = json.loads(line)
            levels = message["topic"].split("/")
            if "event" not in levels:
                self.retained[message["topic"]] = message["payload"]
            elif levels[-1] != "trace" and not message["retain"]:
                self.arrived.append(Arrival(levels[-1], message["payload"]))


def look(stage: "Stage", ear: Ear) -> View:
    """Asks everybody at once."""
    hub = stage.hub
    status = hub.status()
    mqtt = next((part for part in status["components"] if part["component"] == "plugin/mqtt"), None)
    ear.listen()
    return View(
        gateway=status["gateway"],
        status=status,
        alarms=hub.homeward("alarm", "list"),
        routine=hub.homeward("routine", "list"),
        guardians=hub.homeward("guardians"),
        journal=journal(stage),
        arrived=ear.arrived,
        retained=ear.retained,
        letters=letters(stage),
        is_connected=bool(mqtt) and mqtt["state"] == "working",
        channels=frozenset(channel for channel, peer in PEERS.items() if stage.has_peer(peer)),
        early=frozenset(hub.early_alarms()),
    )
