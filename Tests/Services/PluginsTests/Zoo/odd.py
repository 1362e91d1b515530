#!/usr/bin/env python3
"""Breaks one promise of the protocol, which its settings name, and keeps the others."""
import json
import os
import sys

import zoo

WELCOME = {
    "protocol": {"protocol": 2},
    "name": {"name": "another"},
    "version": {"version": "1.0.1"},
    "shape": {"protocol": "one"},
}


def welcome(request, deed):
    if deed == "refuse":
        error = {"code": 1, "message": "the modem\u001b[2J is missing"}
        return zoo.send({"id": request["id"], "error": error})
    answer = {"protocol": 1, "name": os.environ["HOMEWARD_PLUGIN"], "version": "1.0.0"}
    zoo.reply(request, {**answer, **WELCOME.get(deed, {})})
    if deed == "silent":
        os.close(1)


def deliver(request, deed):
    if deed == "error":
        return zoo.send({"id": request["id"], "error": {"code": 7, "message": "no paper"}})
    zoo.accept(request)
    if deed == "twice":
        zoo.outcomes(request)


def health(request, deed):
    if deed == "ill":
        return zoo.send({"id": request["id"], "error": {"code": 8, "message": "ill"}})
    zoo.reply(request, {"state": "splendid" if deed == "word" else "working"})


deed = None
for line in sys.stdin:
    request = json.loads(line)
    method = request.get("method")
    if method == "initialize":
        deed = request["params"]["settings"]["deed"]
        zoo.state = request["params"]["stateDirectory"]
        welcome(request, deed)
    elif deed == "silent":
        continue
    elif method == "events.deliver":
        deliver(request, deed)
    elif method == "health":
        health(request, deed)
    elif method == "shutdown":
        zoo.reply(request, {})
        break
