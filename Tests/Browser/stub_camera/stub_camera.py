#!/usr/bin/python3 -I
"""Stands in the place of the plugin `camera` in a house that has no camera: what it photographs lies beside it."""

import os
import shutil
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)

import pluginkit  # noqa: E402


class StubCamera(pluginkit.Plugin):
    name, version = "camera", "1.0.0"

    def __init__(self):
        super().__init__()
        self.state = ""
        self.methods = {"service.photograph": self.photograph}

    def begin(self, params):
        self.state = params["stateDirectory"]

    def photograph(self, request_id, _params):
        path = os.path.join(self.state, "photograph.jpg")
        shutil.copyfile(os.path.join(HERE, "picture.jpg"), path)
        self.reply(request_id, {"path": path})


pluginkit.run(StubCamera())
