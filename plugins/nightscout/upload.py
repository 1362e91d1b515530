#!/usr/bin/python3 -I
"""Hands the residents' glucose readings to their Nightscout sites.

The contract is plugins/protocol.md. One thread reads the host's lines; another hands on.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit
import readings
from api import AccessToken, Secret, VersionOne, VersionThree
from delivery import DeliveringPlugin, Destination
from documents import COLLECTIONS, documents, identifier
from pluginkit import SettingsError, log
from texts import gettext
from web import check_url


class ResidentSite(Destination):
    """The site of one resident."""

    def __init__(self, settings, ca_file):
        self.resident = settings["resident"]
        super().__init__(self.resident)
        url = check_url(settings["url"])
        if url is None:
            raise SettingsError(gettext("sites: the address of {name} must begin with https://", name=self.name))
        secret, token = settings.get("apiSecret", ""), settings.get("token", "")
        if bool(secret) == bool(token):
            raise SettingsError(gettext("sites: {name} needs either apiSecret or token", name=self.name))
        version = settings.get("api", "v3" if token else "v1")
        if version == "v3" and not token:
            raise SettingsError(
                gettext("sites: {name} needs a token for api: v3; a secret does for v1", name=self.name)
            )
        access = AccessToken(token) if token else Secret(secret)
        self.site = (VersionThree if version == "v3" else VersionOne)(url, access, ca_file)
        self.with_notes = settings.get("notes", True) is not False

    def carry(self, event):
        action = readings.action(event)
        if action == "removed":
            for collection in COLLECTIONS:
                self.site.delete(collection, identifier(readings.identity(event)), for_good=False)
            return
        reading = readings.reading(event)
        for collection, document in documents(reading, self.with_notes).items():
            if document is not None:
                self.site.put(collection, document, is_new=action == "recorded")
            elif action == "corrected":
                # Another correction may bring it back.
                self.site.delete(collection, identifier(reading.id), for_good=True)


class Plugin(DeliveringPlugin):
    """Knows whose readings go to which site."""

    name = "nightscout"
    version = "1.0.0"

    def begin(self, params):
        settings = params["settings"]
        self.destinations = [ResidentSite(site, settings.get("caFile")) for site in settings["sites"]]
        self.sites = {site.resident: site for site in self.destinations}
        if len(self.sites) != len(self.destinations):
            raise SettingsError(gettext("sites: each resident must stand only once"))
        if "network" not in params["grants"]:
            log("warning", "without the grant network no site can be reached")
        if "health" not in params["grants"]:
            raise SettingsError(gettext("it is not granted to see readings: add health to its grants"))

    def destination(self, event):
        return self.sites.get(readings.resident(event)) if readings.action(event) else None


if __name__ == "__main__":
    pluginkit.run(Plugin())
