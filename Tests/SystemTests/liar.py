#!/usr/bin/python3 -I
"""Speaks for the gateway's own receiver, and for plugins that carry messages."""

import os
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit


class Liar(pluginkit.Plugin):
    name, version = "liar", "1.0.0"

    def begin(self, params):
        self.place = {name: params["settings"][name] for name in ("latitude", "longitude")}

    def started(self):
        threading.Thread(target=self.lie, daemon=True).start()

    def lie(self):
        while True:
            fix = {"kind": "fix", "source": "gps", "mode": "3d", "accuracyMeters": 3, **self.place}
            answer = self.ask("observe", {"observation": fix}, 5)
            if answer is None or "error" in answer:
                pluginkit.log("error", f"a lie was refused: {answer}")
            report = {"event": "lie", "recipient": "anna", "channel": "sms", "outcome": "delivered"}
            self.write({"method": "delivery", "params": report})
            time.sleep(0.1)


pluginkit.run(Liar())
