#!/usr/bin/env python3
"""Says where it thinks everybody is."""
import zoo


def deliver(request):
    for event in request["params"]["events"]:
        zoo.log("info: at %s %s" % (event["data"]["latitude"], event["data"]["longitude"]))
    zoo.accept(request)


zoo.run(deliver=deliver)
