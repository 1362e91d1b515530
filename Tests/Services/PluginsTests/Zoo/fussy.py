#!/usr/bin/env python3
"""Wants some events later and some never."""
import os

import zoo

tried = {}


def deliver(request):
    spans = []
    for index, event in enumerate(request["params"]["events"]):
        number = int(event["id"].rsplit("-", 1)[1])
        tried[number] = tried.get(number, 0) + 1
        span = {"from": index, "to": index, "outcome": "accepted"}
        if number % 10 == 5 and tried[number] < 3:
            span.update(outcome="retry", afterSeconds=1, reason="not now")
        elif number % 10 == 7 and not os.path.exists(os.path.join(zoo.state, "mild")):
            span.update(outcome="refused", reason="seven is not for me")
        else:
            zoo.note(request["params"]["lane"], [event])
        spans.append(span)
    with open(os.path.join(zoo.state, "batches"), "a") as file:
        pairs = zip(request["params"]["events"], spans)
        file.write(" ".join(event["id"] + ":" + span["outcome"] for event, span in pairs) + "\n")
    zoo.reply(request, {"outcomes": spans})


zoo.run(deliver=deliver, credits={"events": 8, "bytes": 100000})
