#!/usr/bin/env python3
"""Leaves children behind, as far from home as it can."""
import os
import time

import zoo


def ready():
    for attempt in ("child", "setsid", "setpgid", "orphan"):
        if os.fork() == 0:
            try:
                if attempt == "setsid":
                    os.setsid()
                if attempt == "setpgid":
                    os.setpgid(0, 0)
            except PermissionError:
                zoo.log("info: denied " + attempt)
            if attempt == "orphan" and os.fork() != 0:
                os._exit(0)
            with open(os.path.join(zoo.state, "pid-" + attempt), "w") as file:
                # The number that the gateway knows it by, in a namespace of its own too.
                file.write(os.readlink("/proc/self"))
            zoo.log("info: forked " + attempt)
            while True:
                time.sleep(3600)


zoo.run(ready=ready)
