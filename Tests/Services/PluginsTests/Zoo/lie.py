#!/usr/bin/env python3
"""Answers with outcomes that fit no batch, or to questions that nobody asked."""
import zoo


def deliver(request):
    lie = zoo.settings["lie"]
    last = len(request["params"]["events"]) - 1
    spans = {
        "gap": [{"from": 1, "to": last, "outcome": "accepted"}],
        "long": [{"from": 0, "to": last + 5, "outcome": "accepted"}],
        "short": [{"from": 0, "to": last - 1, "outcome": "accepted"}],
        "overlap": [{"from": 0, "to": last, "outcome": "accepted"}, {"from": last, "to": last, "outcome": "refused"}],
        "word": [{"from": 0, "to": last, "outcome": "perhaps"}],
        "huge": [{"from": 0, "to": 2**63 - 1, "outcome": "accepted"}],
        "empty": [],
    }
    if lie == "id":
        zoo.send({"id": 999999, "result": {}})
        zoo.send({"id": "text", "result": {}})
        zoo.accept(request)
    else:
        zoo.reply(request, {"outcomes": spans[lie]})


zoo.run(deliver=deliver)
