#!/usr/bin/python3 -I
"""Hands the residents' glucose readings to a FHIR R4 server, as Observations.

The contract is plugins/protocol.md. One thread reads the host's lines; another hands on.
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit
import readings
from delivery import DeliveringPlugin, Destination
from observation import corrected, observation, withdrawn
from pluginkit import SettingsError, log
from server import Server
from texts import gettext
from web import check_url

REFERENCE = re.compile(r"(https://[^\s?#]{1,500}/)?Patient/[A-Za-z0-9.-]{1,64}", re.ASCII)


class Record(Destination):
    """The server, as one resident's record."""

    def __init__(self, server, name, patient):
        super().__init__(name)
        self.server, self.patient = server, patient

    def carry(self, event):
        action, reading_id = readings.action(event), readings.identity(event)
        if action == "removed":
            self.server.change(reading_id, withdrawn)
            return
        reading = readings.reading(event)
        if action == "recorded":
            self.server.create(observation(reading, "final", self.patient), reading_id)
            return
        fresh = observation(reading, "amended", self.patient)
        if not self.server.change(reading_id, lambda stored: corrected(stored, fresh)):
            self.server.create(fresh, reading_id)


class Plugin(DeliveringPlugin):
    """Knows whose readings go to which record."""

    name = "fhir"
    version = "1.0.0"

    def begin(self, params):
        settings = params["settings"]
        url = check_url(settings["url"])
        if url is None:
            raise SettingsError(gettext("the server's address must begin with https://"))
        token = settings.get("token", "")
        if not re.fullmatch(r"[!-~]*", token, re.ASCII):
            raise SettingsError(gettext("token: a token is one word of letters, digits and signs; write it alone"))
        server = Server(url, token, settings.get("caFile"))
        self.records = {}
        for one in settings.get("patients", []):
            resident, patient = one["resident"], one.get("reference", "")
            if resident in self.records:
                raise SettingsError(gettext("patients: each resident must stand only once"))
            if patient and not REFERENCE.fullmatch(patient):
                raise SettingsError(
                    gettext("patients: the reference of {resident} must be one such as Patient/12", resident=resident)
                )
            self.records[resident] = Record(server, resident, patient)
        # Without a list all go there, each under the name that the resident has here.
        self.everybody = None if self.records else Record(server, "", "")
        self.destinations = list(self.records.values()) or [self.everybody]
        if "network" not in params["grants"]:
            log("warning", "without the grant network the server cannot be reached")
        if "health" not in params["grants"]:
            raise SettingsError(gettext("it is not granted to see readings: add health to its grants"))

    def destination(self, event):
        if readings.action(event) is None:
            return None
        return self.records.get(readings.resident(event), self.everybody)


if __name__ == "__main__":
    pluginkit.run(Plugin())
