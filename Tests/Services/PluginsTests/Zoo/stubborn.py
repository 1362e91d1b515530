#!/usr/bin/env python3
"""Does not go when asked to."""
import signal

import zoo

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)


def deliver(request):
    zoo.accept(request)
    zoo.log("info: here to stay")


zoo.run(deliver=deliver, shutdown=False)
