#!/usr/bin/env python3
"""Tells whether its settings let it listen."""
import zoo


def ready():
    zoo.log("listens" if zoo.settings["enabled"] else "is deaf")


zoo.run(ready=ready)
