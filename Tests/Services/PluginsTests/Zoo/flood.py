#!/usr/bin/env python3
"""Never stops talking."""
import zoo


def ready():
    while True:
        zoo.send({"method": "health", "params": {"state": "working"}})


zoo.run(ready=ready)
