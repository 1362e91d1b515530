#!/usr/bin/python3 -I
"""Takes every text message for a guardian, writes it down, and says that it arrived."""

import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit


class Phone(pluginkit.Plugin):
    name, version = "phone", "1.0.0"

    def begin(self, params):
        self.path = os.path.join(params["stateDirectory"], "texts.jsonl")
        self.methods["alarm.notify"] = self.notify
        threading.Thread(target=self.chatter, args=(params["settings"]["logLines"],), daemon=True).start()

    @staticmethod
    def chatter(lines):
        # The gateway keeps a hundred lines a second.
        for number in range(lines):
            print(f"warning: {number} " + "x" * 900, file=sys.stderr, flush=True)
            time.sleep(0.011)

    def notify(self, request_id, params):
        self.reply(request_id, {"outcome": "taken"})
        report = {name: params[name] for name in ("event", "recipient", "channel", "notice", "attempt")}
        self.write({"method": "delivery", "params": {**report, "outcome": "delivered", "detail": ""}})
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(params) + "\n")


pluginkit.run(Phone())
