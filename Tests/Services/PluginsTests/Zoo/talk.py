#!/usr/bin/env python3
"""Writes its secret, and a lot besides, on standard error."""
import zoo


def ready():
    zoo.log("error: the password is " + zoo.settings["password"])
    zoo.log("debug: " + "y" * 9000)
    for number in range(5000):
        zoo.log("line %d" % number)


zoo.run(ready=ready)
