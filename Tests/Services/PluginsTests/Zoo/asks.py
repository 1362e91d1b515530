#!/usr/bin/env python3
"""Asks and demands of the gateway everything that its settings say, all at once where they say so, and writes down the answers."""

import json
import os

import zoo


def ready():
    calls = [{"method": "request", "params": question} for question in zoo.settings.get("questions", [])]
    calls = list(enumerate(calls + zoo.settings.get("calls", []), start=1))
    if zoo.settings.get("atOnce"):
        lines = "".join(json.dumps({"jsonrpc": "2.0", "id": number, **call}) + "\n" for number, call in calls)
        os.write(1, lines.encode())
        return
    for number, call in calls:
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
