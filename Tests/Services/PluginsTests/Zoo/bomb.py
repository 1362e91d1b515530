#!/usr/bin/env python3
"""Makes processes until it is refused, at most a thousand, and tells as its health how many there were at once.

With the setting `keeps` they stay.
"""

import os
import signal

import zoo

count = 0


def ready():
    global count
    reading, writing = os.pipe()
    children = []
    for _ in range(1000):
        try:
            child = os.fork()
        except OSError:
            break
        if child == 0:
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
        children.append(child)
    count = len(children)
    zoo.log("info: made %d processes at once" % count)
    if zoo.settings.get("keeps"):
        return
    os.close(writing)
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except OSError:
            pass
        os.waitpid(child, 0)


def health(request):
    if request.get("method") != "health":
        return False
    zoo.reply(request, {"state": "working", "code": "made-%d" % count})
    return True


if __name__ == "__main__":
    zoo.run(ready=ready, other=health)
