"""What plugins, logs and files see of people."""

import json
import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from ..gateway import HOME, Gateway, holds
from ..judgement import Ground, attack
from ..peers import PlayedGPSD, walk
from .sources import WALK_METERS, WALK_SECONDS, WALK_SPEED

LANES = ("alarm", "record", "trace")
NEAR_DEGREES = 0.003
"""Some three hundred metres."""


def _numbers(value: Any) -> Iterable[float]:
    """All numbers in a JSON value."""
    if isinstance(value, dict):
        for member in value.values():
            yield from _numbers(member)
    elif isinstance(value, list):
        for member in value:
            yield from _numbers(member)
    elif isinstance(value, float):
        yield value


def _exact(events: Iterable[dict[str, Any]]) -> list[str]:
    """Events that tell how far from home somebody is or was, or where exactly, while near it."""
    telling = ("distanceMeters", "fixes", "radiusMeters", "center", "marginMeters")
    found = []
    for event in events:
        data = event["data"]
        names = [name for name in telling if data.get(name) not in (None, "", [])]
        names += ["explanation"] if re.search(r"\d m\b", str(data.get("explanation"))) else []
        numbers = list(_numbers(data))
        near = [next((one for one in numbers if abs(one - degrees) < NEAR_DEGREES), None) for degrees in HOME.values()]
        if names or (None not in near and data.get("positionPrivacy") != "approximate"):
            found.append(f"{event['type']}: {', '.join(names)} {near}")
    return found


@attack("events-held-back", "F12")
def events_held_back(ground: Ground) -> None:
    """A plugin without exact positions refuses events until an SOS is on, to get them whole then."""
    gpsd = PlayedGPSD(ground)
    gateway = Gateway(ground, gps=[{"name": "gps", "port": gpsd.port}])
    nosy = gateway.add_puppet("nosy", lanes=LANES)
    gateway.start()
    # No alarm of leaving: what comes then is not about danger.
    gateway.settle(zoneAlarm=False)
    nosy.await_ready()
    holds(10, lambda: gpsd.came)
    for _ in range(3):
        gpsd.tell(0, speed=0)
        time.sleep(1)
    nosy.do("answer_events", outcome="retry", afterSeconds=1)
    if not walk(gpsd, WALK_METERS, WALK_SPEED, WALK_SECONDS, lambda: gateway.events("zone.left")):
        raise RuntimeError(f"nobody noticed that the bearer left: {gateway.said()[-300:]}")
    gateway.command(
        "zone.put",
        zone={"id": "home", "resident": "mary", "name": "Home", "center": HOME, "radiusMeters": 60, "isHome": True},
    )
    holds(5, lambda: [one for one in nosy.events() if one["type"] == "zone.left"])
    before = len(nosy.events())
    if told := _exact(nosy.events()):
        ground.found("F12", "a plugin without exact positions is told them", told)
    gateway.raise_sos()
    holds(5, lambda: [one for one in nosy.events()[before:] if one["type"] in ("zone.left", "zone.changed")])
    nosy.do("answer_events", outcome="accepted")
    holds(6, lambda: len([one for one in nosy.events()[before:] if one["type"] == "zone.left"]) > 2)
    began = next(one["time"] for one in gateway.events("alarm.raised"))
    old = [one for one in nosy.events()[before:] if one["time"] < began]
    ground.count(len(nosy.events()), "deliveries")
    if told := _exact(old):
        ground.found("F12", "events that were held back come whole once an SOS is on", sorted(set(told)))


CANARIES = {
    "a guardian's name": "Annabella Canary",
    "a guardian's number": "+4791234567",
    "a guardian's mail": "annabella@example.org",
    "the address of a bookmark": "Canarystreet 14",
    "words of a message": "key is under the canary mat",
    "a memo's words": "canary memo words",
    "a detail of the routine": "canary detail of a pill",
    "the script of the fake call": "canary script of a call",
    "the name of a zone": "Canary clinic",
    "a reason in somebody's words": "canary reason of an alarm",
    "the tag of a reading": "canary tag of glucose",
}
TOKENS = {"the token of a push address": "t0kencanary", "the user of a push address": "u5ercanary"}
READING = "13.7"


def _fill_in(gateway: Gateway, ground: Ground) -> None:
    """Says each of the canaries where people say such things."""
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    where = {"latitude": -24.3, "longitude": 133.3}
    of_mary = {"resident": "mary"}
    guardian = {"id": "g1", **of_mary, "name": CANARIES["a guardian's name"], "isCaregiver": True}
    guardian |= {"phone": CANARIES["a guardian's number"], "email": CANARIES["a guardian's mail"]}
    guardian["push"] = f"pover://{TOKENS['the user of a push address']}@{TOKENS['the token of a push address']}"
    bookmark = {"id": "b", **of_mary, "name": "Shop", "address": CANARIES["the address of a bookmark"]}
    message = {"target": "m1", **of_mary, "text": CANARIES["words of a message"], "sender": "Anna"}
    memo = {"id": "n1", **of_mary, "kind": "memo", "title": "A memo", "text": CANARIES["a memo's words"]}
    schedule = {"kind": "calendar", "start": "2026-01-01T08:00", "rrule": "FREQ=DAILY", "timeZone": "UTC"}
    item = {"id": "pill", **of_mary, "kind": "medicine", "title": "Pill", "schedule": schedule}
    script = {"target": "mary", "name": "fakeCallScript", "value": CANARIES["the script of the fake call"]}
    zone = {"id": "clinic", **of_mary, "name": CANARIES["the name of a zone"], "center": where, "radiusMeters": 40}
    reading = {"id": "r1", **of_mary, "level": READING, "unit": "mmol/L", "tag": CANARIES["the tag of a reading"]}
    commands: list[tuple[str, dict[str, Any]]] = [
        ("guardian.put", {"guardian": guardian}),
        ("bookmark.put", {"bookmark": {**bookmark, "coordinate": where}}),
        ("message.send", message),
        ("note.put", {"note": {**memo, "time": now, "changedAt": now}}),
        ("routine.put", {"item": {**item, "details": CANARIES["a detail of the routine"]}}),
        ("setting.put", script),
        ("zone.put", {"zone": zone}),
        ("glucose.put", {"reading": {**reading, "time": now, "receivedAt": now, "source": "hand"}}),
        ("sos.raise", {"target": "mary"}),
        ("alarm.resolve", {"by": "g1", "reason": CANARIES["a reason in somebody's words"]}),
    ]
    for action, members in commands:
        gateway.command(action, **members)
    ground.count(len(commands), "kinds of words")


@attack("plugin-reads-people", "F12")
def plugin_reads_people(ground: Ground) -> None:
    """A plugin without grants looks for numbers, words and readings in all events, one with all grants for tokens."""
    gateway = Gateway(ground)
    nosy = gateway.add_puppet("nosy", lanes=LANES)
    trusted = gateway.add_puppet("trusted", ["position.precise", "content.personal", "observe:health"], lanes=LANES)
    gateway.start()
    gateway.settle(guardians=False)
    nosy.await_ready()
    trusted.await_ready()
    _fill_in(gateway, ground)
    last = gateway.events()[-1]["id"] if gateway.events() else ""
    for puppet in (nosy, trusted):
        holds(10, lambda puppet=puppet: any(one["id"] == last for one in puppet.events()))
    heard = json.dumps(nosy.heard(), ensure_ascii=False)
    for what, words in {**CANARIES, **TOKENS}.items():
        if words in heard:
            ground.found("F12", f"a plugin without grants is told {what}", words)
    if f'"{READING}"' in heard:
        ground.found("F12", "a plugin without grants is told readings of glucose", READING)
    everything = json.dumps(trusted.heard(), ensure_ascii=False)
    for what, words in TOKENS.items():
        if words in everything:
            ground.found("F12", f"{what} leaves the gateway", words)


@attack("logs-and-files-tell", "F20")
def logs_and_files_tell(ground: Ground) -> None:
    """The log, /health and /metrics are searched for people, and all files for a PIN."""
    gateway = Gateway(ground)
    puppet = gateway.add_puppet("bridge", ["command:locate", "command:alarm.acknowledge"], lanes=LANES)
    gateway.start()
    gateway.settle(guardians=False)
    puppet.await_ready()
    _fill_in(gateway, ground)
    pin = "739146"
    for kind in ("okay", "duress"):
        gateway.command("pin.set", target="mary", kind=kind, pin=pin if kind == "okay" else pin[::-1])
    for action in ("alarm.acknowledge", "erase"):
        puppet.command("annabella", "x", "2020-01-01T00:00:00Z", action=action, target="nobody-canary")
    told = {"the log": gateway.said()}
    for path in ("/health", "/metrics"):
        told[path] = gateway.get(path)[1]
    words = [*CANARIES.values(), *TOKENS.values(), "Mary", "annabella", "-24.3", pin, READING]
    ground.count(len(told) * len(words), "searches")
    for where, text in told.items():
        if found := [word for word in words if word in text]:
            ground.found("F20", f"{where} tells of people", found)
    gateway.stop()
    for file in gateway.folder.rglob("*"):
        if file.is_file() and file.suffix != ".py":
            ground.count(1, "files")
            if pin.encode() in file.read_bytes():
                ground.found("F20", "a PIN stands in a file", file.relative_to(gateway.folder))
