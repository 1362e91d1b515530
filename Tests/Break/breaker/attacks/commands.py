"""Commands through plugins and the broker: whose they are, how often they count, and until when."""

import json
import subprocess
from datetime import UTC, datetime, timedelta
from typing import Any

from ..gateway import Gateway, holds
from ..judgement import Ground, attack
from ..mutation import damaged_bytes
from ..peers import Broker, gateway_with_broker
from .clock import BEGINS, ClockedHouse

ACTIONS = ("locate", "alarm.acknowledge", "alarm.resolve", "alarm.silence", "sos.raise", "sos.cancel")
GRANTS = [f"command:{action}" for action in ACTIONS]


def soon(hours: float = 1) -> str:
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat(timespec="seconds").replace("+00:00", "Z")


def _house_with_broker(ground: Ground) -> tuple[Broker, Gateway]:
    broker, gateway = gateway_with_broker(
        ground,
        GRANTS,
        commands=[
            {"principal": "kiosk", "actions": ["locate"]},
            {"principal": "anna", "actions": ["alarm.acknowledge", "alarm.silence", "sos.cancel"]},
            {"principal": "joe", "actions": ["locate", "alarm.acknowledge"]},
        ],
    )
    gateway.start()
    gateway.settle()
    broker.await_gateway()
    return broker, gateway


def _publish(broker: Broker, principal: str, identity: str, expires: str, **request: Any) -> None:
    text = json.dumps({"id": identity, "expiresAt": expires, "request": request})
    broker.do("publish", topic=f"homeward/{Gateway.name}/command/{principal}", text=text)


def _replies(broker: Broker, principal: str, identity: str) -> list[dict[str, Any]]:
    found = [json.loads(one["payload"]) for one in broker.messages() if one["topic"].endswith(f"/reply/{principal}")]
    return [one for one in found if one.get("id") == identity]


@attack("ids-shared", "F4")
def ids_shared(ground: Ground) -> None:
    """Two people use the same id for different commands: each is done, or its sender is told that it was not."""
    broker, gateway = _house_with_broker(ground)
    gateway.raise_sos()
    holds(10, lambda: any(one["stage"] == "dispatched" for one in gateway.alarms()))
    expires = soon()
    _publish(broker, "kiosk", "1", expires, action="locate", target="mary")
    holds(10, lambda: _replies(broker, "kiosk", "1"))
    alarm = gateway.alarms()[0]["alarm"]
    _publish(broker, "anna", "1", expires, action="alarm.acknowledge", target=alarm)
    ground.count(2, "commands")
    holds(10, lambda: _replies(broker, "anna", "1"))
    replies = _replies(broker, "anna", "1")
    if any("result" in one for one in replies) and not gateway.alarms()[0]["acknowledgedBy"]:
        ground.found("F4", "anna is answered that she took charge, with kiosk's answer, and did not", replies)
    elif not replies and not gateway.alarms()[0]["acknowledgedBy"]:
        ground.found("F4", "anna's command was dropped without an answer", gateway.alarms())


@attack("ids-replayed", "F4")
def ids_replayed(ground: Ground) -> None:
    """An SOS is replayed after others have sent hundreds of commands: it must not be raised again."""
    gateway = Gateway(ground)
    puppet = gateway.add_puppet("bridge", GRANTS)
    gateway.start()
    gateway.settle()
    expires = soon(22)
    raising = {"action": "sos.raise", "target": "mary"}

    def sos() -> dict[str, Any]:
        return puppet.command("anna", "R", expires, **raising)

    first = sos()
    alarm = gateway.alarms()[0]["alarm"]
    again = sos()
    if again != {**first, "id": again.get("id")}:
        ground.found("F4", "a repeated command is answered otherwise than the first time", again)
    gateway.command("alarm.resolve", target=alarm, by="anna", reason="tried")
    crowd = ground.size(600, 2000)
    locate = {"expiresAt": expires, "request": {"action": "locate", "target": "mary"}}
    requests = [["command", {"principal": f"kiosk-{n % 3}", "id": f"k{n}", **locate}] for n in range(crowd)]
    puppet.do("ask_all", seconds=60, requests=requests)
    ground.count(crowd + 3, "commands")
    sos()
    if gateway.alarms():
        ground.found("F4", f"a replayed SOS is raised again after {crowd} commands of others")
    gateway.kill()
    gateway.start()
    sos()
    ground.count(1, "commands")
    if gateway.alarms():
        ground.found("F4", "a replayed SOS is raised again after a restart")


@attack("refusals-kept", "F4")
def refusals_kept(ground: Ground) -> None:
    """A command that was refused because nobody knew the time is sent again, with its id, when the time is known."""
    house = ClockedHouse(ground)
    puppet = house.gateway.add_puppet("bridge", GRANTS)
    house.clock.set_synchronised(False)
    house.clock.set_wall(3600, is_true=False)
    house.start()
    house.gateway.settle()
    expires = f"{BEGINS:%Y-%m-%dT}23:00:00Z"
    early = puppet.command("anna", "A", expires, action="locate", target="mary")
    if "error" not in early:
        raise RuntimeError(f"a command is judged though nobody knows the time: {early}")
    house.clock.set_wall(BEGINS.timestamp())
    house.clock.set_synchronised(True)

    def is_trusted() -> bool:
        # In small leaps: a plugin has to answer in between.
        house.clock.skip(3)
        return house.gateway.status()["clock"]["isTrusted"]

    if not holds(40, is_trusted, 0.3):
        raise RuntimeError("the clock is not trusted")
    late = puppet.command("anna", "A", expires, action="locate", target="mary")
    ground.count(2, "commands")
    if "error" in late:
        ground.found("F4", "a refusal is repeated though its reason has passed", late["error"])


@attack("late-commands", "F5")
def late_commands(ground: Ground) -> None:
    """Commands without a target wait at the broker while the gateway is off, and arrive when there is a new SOS."""
    broker, gateway = _house_with_broker(ground)
    gateway.stop()
    # Meant for an alarm of long ago; valid for hours, as a phone without a connection may have said it.
    for number, action in enumerate(("alarm.acknowledge", "alarm.silence", "sos.cancel")):
        target = {"target": "mary"} if action == "sos.cancel" else {}
        _publish(broker, "anna", f"late-{number}", soon(12), action=action, **target)
        ground.count(1, "commands")
    broker.do("vanish")
    gateway.start()
    gateway.raise_sos()
    holds(10, lambda: any(one["stage"] == "dispatched" for one in gateway.alarms()))
    broker.do("come-back")
    # Once this one is answered all before it have been read.
    _publish(broker, "joe", "last", soon(0.05), action="locate", target="mary")
    if not holds(60, lambda: _replies(broker, "joe", "last")):
        raise RuntimeError("the plugin does not come back to the broker")
    done = [
        f"late-{number}"
        for number in range(3)
        if any("result" in one for one in _replies(broker, "anna", f"late-{number}"))
    ]
    alarms = gateway.alarms()
    if not alarms:
        ground.found("F5", "a late command without a target ended today's SOS", done)
    elif alarms[0]["acknowledgedBy"] or alarms[0]["stage"] != "dispatched":
        ground.found("F5", "a late command without a target took charge of today's SOS", alarms[0])
    elif gateway.events("alarm.silenced"):
        ground.found("F5", "a late command without a target silenced today's SOS", done)


@attack("late-commands-by-plugin", "F5")
def late_commands_by_plugin(ground: Ground) -> None:
    """A plugin hands in, during an SOS, commands without a target that were said before it began."""
    for action in ("alarm.acknowledge", "alarm.silence", "sos.cancel", "alarm.resolve"):
        gateway = Gateway(ground, f"gateway-{action}")
        puppet = gateway.add_puppet("bridge", GRANTS)
        gateway.start()
        gateway.settle()
        puppet.await_ready()
        gateway.raise_sos()
        more = {"target": "mary"} if action == "sos.cancel" else {"reason": "over"} if action == "alarm.resolve" else {}
        answer = puppet.command("anna", "late", soon(20), action=action, **more)
        ground.count(1, "commands")
        if "result" in answer:
            ground.found("F5", f"{action} without a target counts for twenty hours", answer)
        gateway.kill()


@attack("named-by-others", "F5")
def named_by_others(ground: Ground) -> None:
    """Somebody whom the gateway does not know takes charge of an alarm, and ends one, in a guardian's name."""
    gateway = Gateway(ground)
    puppet = gateway.add_puppet("bridge", GRANTS)
    gateway.start()
    gateway.settle()
    gateway.command(
        "guardian.put",
        guardian={"id": "joe", "resident": "mary", "name": "Joe", "phone": "+4791234568", "isCaregiver": True},
    )
    gateway.raise_sos()
    alarm = gateway.alarms()[0]["alarm"]
    for principal in ("kiosk", "joe"):
        puppet.command(principal, f"by-{principal}", soon(0.05), action="alarm.acknowledge", target=alarm, by="anna")
        ground.count(1, "commands")
        if alarms := [one for one in gateway.alarms() if "anna" in json.dumps(one["acknowledgedBy"])]:
            ground.found("F5", f"{principal} took charge in anna's name", alarms[0]["acknowledgedBy"])
            break
    puppet.command("kiosk", "resolve", soon(0.05), action="alarm.resolve", target=alarm, by="joe", reason="over")
    ground.count(1, "commands")
    resolved = [one["data"] for one in gateway.events("alarm.resolved")]
    if resolved and "joe" in json.dumps(resolved).lower():
        ground.found("F5", "kiosk ended an alarm in the name of a caregiver", resolved)


@attack("mqtt-refused")
def mqtt_refused(ground: Ground) -> None:
    """Commands at the broker that nobody granted, expired, forged, retained, or no commands at all."""
    broker, gateway = _house_with_broker(ground)
    gateway.raise_sos()
    holds(10, lambda: any(one["stage"] == "dispatched" for one in gateway.alarms()))
    alarm = gateway.alarms()[0]["alarm"]
    prefix = f"homeward/{Gateway.name}"
    acknowledge = {"action": "alarm.acknowledge", "target": alarm}
    erase = {"action": "resident.erase", "target": "mary"}

    def text(request: Any, identity: str, expires: str | None = None, **more: Any) -> str:
        return json.dumps({"id": identity, "expiresAt": expires or soon(0.05), "request": request, **more})

    messages = [
        ("command/kiosk", text(acknowledge, "a")),
        ("command/nobody", text(acknowledge, "b")),
        ("command/anna/x", text(acknowledge, "c")),
        ("command/anna", text(acknowledge, "d", "2020-01-01T00:00:00Z")),
        ("command/anna", text(acknowledge, "e", soon(48))),
        ("command/anna", text(erase, "f")),
        ("command/kiosk", text(acknowledge, "g", principal="anna")),
        ("command/kiosk", text({**acknowledge, "action": "alarm.acknowledge\u0000"}, "h")),
        ("command/joe", text({**acknowledge, "by": "anna", "action": "alarm.resolve", "reason": "x"}, "i")),
        ("command/anna", json.dumps({"request": acknowledge})),
        ("command/", text(acknowledge, "j")),
        ("acknowledge/anna", json.dumps({"alarm": alarm, "id": "k", "expiresAt": soon(0.05)})),
        ("siren/set", json.dumps({"state": "OFF", "expiresAt": soon(0.05)})),
    ]
    for topic, message in messages:
        broker.do("publish", topic=f"{prefix}/{topic}", text=message)
        ground.count(1, "commands")
    lines = [damaged(ground, text(acknowledge, f"m{number}")) for number in range(ground.size(300, 4000))]
    for topic in ("command/kiosk", "command/nobody"):
        _pour(broker, f"{prefix}/{topic}", lines)
        ground.count(len(lines), "commands")
    # The last one is granted: once it is answered all before it were read.
    _publish(broker, "joe", "last", soon(0.05), action="locate", target="mary")
    if not holds(30, lambda: _replies(broker, "joe", "last")):
        ground.found("F6", "the plugin for the broker answers nobody after refused commands", gateway.said()[-300:])
    if named := [name for name in ("anna", "kiosk", "joe", "nobody") if name in gateway.said()]:
        ground.found("F20", "the log tells who sent commands to the broker", named)
    alarms = gateway.alarms()
    if (
        not alarms
        or alarms[0]["acknowledgedBy"]
        or gateway.events("alarm.silenced")
        or not gateway.ask("residents.list")
    ):
        ground.found("F5", "a command that nobody granted was carried out", alarms)


def damaged(ground: Ground, text: str) -> str:
    """A message with a few bytes changed, that still is one line for mosquitto_pub."""
    return (
        damaged_bytes(ground.chance, text.encode()).replace(b"\n", b" ").replace(b"\0", b" ").decode(errors="replace")
    )


def _pour(broker: Broker, topic: str, lines: list[str]) -> None:
    subprocess.run(
        ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(broker.port), "-q", "1", "-t", topic, "-l"],
        input="\n".join(lines).encode(),
        check=True,
        timeout=60,
    )
