#!/usr/bin/env python3
"""Tells of rooms: a report, a state, nonsense, and then more than anybody may tell in a second."""
import json
import sys

import zoo

REPORT = {"kind": "room-report", "device": "keys", "room": "Kitchen", "strengthDBm": -60}
BURST = 80


def ask(number, observation):
    zoo.send({"id": number, "method": "observe", "params": {"observation": observation}})


def main():
    codes = {}
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        message = json.loads(line)
        method = message.get("method")
        if method == "initialize":
            zoo.welcome(message)
            ask(1, {"kind": "room-status", "room": "Kitchen", "isOnline": True})
            ask(2, {**REPORT, "room": ""})
            ask(3, {**REPORT, "strengthDBm": 99})
            ask(4, {"kind": "room-report", "device": "keys", "room": "Kitchen"})
            for number in range(BURST):
                ask(100 + number, {**REPORT, "device": "keys-%d" % number})
            ask(5, {"kind": "room-status", "room": "Kitchen", "isOnline": False})
        elif method == "events.deliver":
            zoo.accept(message)
        elif method in ("health", "shutdown"):
            zoo.reply(message, {"state": "working"})
            if method == "shutdown":
                return
        else:
            codes[message["id"]] = message["error"]["code"] if "error" in message else 0
            if len(codes) == BURST + 5:
                burst = [codes[100 + number] for number in range(BURST)]
                first = " ".join("%d=%d" % (number, codes[number]) for number in range(1, 6))
                zoo.log("info: answers %s taken=%d busy=%d" % (first, burst.count(0), burst.count(1004)))


main()
