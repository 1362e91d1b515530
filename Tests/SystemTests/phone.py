#!/usr/bin/python3 -I
"""Takes every text message for a guardian, writes it down, and says that it arrived."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit


class Phone(pluginkit.Plugin):
    name, version = "phone", "1.0.0"

    def begin(self, params):
        self.path = os.path.join(params["stateDirectory"], "texts.jsonl")
        self.methods["alarm.notify"] = self.notify

    def notify(self, request_id, params):
        self.reply(request_id, {"outcome": "taken"})
        report = {name: params[name] for name in ("event", "recipient", "channel", "notice")}
        self.write({"method": "delivery", "params": {**report, "outcome": "delivered", "detail": ""}})
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(params) + "\n")


pluginkit.run(Phone())
