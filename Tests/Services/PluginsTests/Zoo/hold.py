#!/usr/bin/env python3
"""Takes its time over alarms, as when its far side is away, but always says how it does."""
import zoo

held = []
asked = []


def deliver(request):
    if request["params"]["lane"] == "alarm" and not asked:
        held.append(request)
    else:
        zoo.accept(request)


def before(request):
    if request["method"] == "health" and held:
        asked.append(1)
        if len(asked) == 3:
            zoo.accept(held.pop())


zoo.run(deliver=deliver, before=before)
