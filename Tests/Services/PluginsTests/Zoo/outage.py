#!/usr/bin/env python3
"""Loses its receiver at the first batch, wants it again tomorrow, and has the receiver back soon after."""
import threading

import zoo

batches = 0


def back():
    zoo.send({"method": "health", "params": {"state": "working"}})


def deliver(request):
    global batches
    batches += 1
    if batches > 1:
        return zoo.accept(request)
    away = "the receiver is away"
    zoo.send({"method": "health", "params": {"state": "degraded", "code": "away", "detail": away}})
    zoo.outcomes(request, "retry", afterSeconds=86400, reason=away)
    threading.Timer(0.2, back).start()


zoo.run(deliver=deliver)
