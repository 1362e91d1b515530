#!/usr/bin/env python3
"""Asks and demands of the gateway everything that its settings say, and writes down the answers."""

import json

import zoo


def ready():
    calls = [{"method": "request", "params": question} for question in zoo.settings.get("questions", [])]
    for number, call in enumerate(calls + zoo.settings.get("calls", []), start=1):
        zoo.send({"id": number, **call})


def other(message):
    """An answer has no method, and the host's requests have one; what is watched comes as a notification."""
    if message.get("method") == "watched":
        zoo.log("watched %s" % json.dumps(message["params"], sort_keys=True))
        return True
    if "method" in message:
        return False
    zoo.log("answer %d %s" % (message["id"], json.dumps(message.get("error") or message["result"], sort_keys=True)))
    return True


zoo.run(ready=ready, other=other)
