#!/usr/bin/env python3
"""Its first process hangs over an alarm or a message; the second does its work."""
import os
import time

import zoo


def hang_once():
    mark = os.path.join(zoo.state, "has-hung")
    if os.path.exists(mark):
        return
    open(mark, "w").close()
    zoo.log("info: hanging")
    while True:
        time.sleep(3600)


def deliver(request):
    if request["params"]["lane"] == "alarm":
        hang_once()
    zoo.accept(request)


def other(message):
    if message.get("method") != "alarm.notify":
        return False
    hang_once()
    zoo.reply(message, {"outcome": "taken"})
    return True


zoo.run(deliver=deliver, other=other)
