#!/usr/bin/env python3
"""Asks the gateway everything that its settings say, and writes down the answers."""

import json

import zoo


def ready():
    for number, question in enumerate(zoo.settings["questions"], start=1):
        zoo.send({"id": number, "method": "request", "params": question})


def other(message):
    """An answer has no method, and the host's requests have one."""
    if "method" in message:
        return False
    zoo.log("answer %d %s" % (message["id"], json.dumps(message.get("error") or message["result"], sort_keys=True)))
    return True


zoo.run(ready=ready, other=other)
