#!/usr/bin/env python3
"""Gives orders that it has no right to give."""
import json
import sys

import zoo

answers = []


def ask(number, method, params):
    zoo.send({"id": number, "method": method, "params": params})


def command(number, identity, request, expires):
    ask(number, "command", {"principal": "anna", "id": identity, "expiresAt": expires, "request": request})


def ready():
    soon, late = "2026-11-19T00:00:00Z", "2036-01-01T00:00:00Z"
    locate = {"action": "locate", "target": "mary"}
    command(1, "a", {"action": "resident.erase", "target": "mary"}, soon)
    command(2, "b", locate, "2020-01-01T00:00:00Z")
    command(3, "c", locate, late)
    command(4, "d", {"action": "fly"}, soon)
    command(5, "e", locate, soon)
    command(6, "e", locate, soon)
    ask(7, "command", {"principal": 5})
    ask(8, "observe", {"observation": {"kind": "fix", "source": "gps", "mode": "3d"}})
    ask(9, "observe", {"observation": {"kind": "clock", "quality": "synchronised"}})
    ask(10, "service.call", {"service": "echo", "params": {}})
    ask(11, "no.such.method", {})
    ask(12, "observe", {"observation": {"kind": "delivery", "plugin": "good", "event": "e1", "recipient": "anna", "channel": "sms", "outcome": "sent"}})


zoo_log = []


def main():
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        message = json.loads(line)
        method = message.get("method")
        if method == "initialize":
            zoo.welcome(message)
            ready()
        elif method == "events.deliver":
            zoo.accept(message)
        elif method in ("health", "shutdown"):
            zoo.reply(message, {"state": "working"})
            if method == "shutdown":
                return
        else:
            code = message["error"]["code"] if "error" in message else "done"
            zoo_log.append("%s=%s" % (message["id"], code))
            if len(zoo_log) == 12:
                zoo.log("info: answers " + " ".join(sorted(zoo_log, key=lambda text: int(text.split("=")[0]))))


main()
