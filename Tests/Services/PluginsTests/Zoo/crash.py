#!/usr/bin/env python3
"""Dies of every batch."""
import os

import zoo


def deliver(request):
    zoo.log("info: dying of %s" % request["params"]["events"][0]["id"])
    os._exit(1)


zoo.run(deliver=deliver)
