#!/usr/bin/python3 -I
"""Asks a Nominatim or Photon server for addresses; only where the owner wants that.

The contract is plugins/protocol.md. One thread reads the host's lines; another asks, one question a second at most.
"""

import collections
import os
import queue
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit
import requests
from places import KINDS, degrees
from pluginkit import SettingsError, log
from texts import gettext
from web import TooLarge, TooSlow, check_url, decoded, explained, secure_session

AGENT = "homeward-address-server/1.0"
ANSWER_BYTES = 1 << 20
WAITING, REMEMBERED = 16, 200
MOST_WORDS = 300
# What servers that anybody may ask put up with.
PAUSE_SECONDS = 1.0
BUSY, FAILED, INVALID, REFUSED = 1004, -32603, -32602, 1001


class Failed(Exception):
    """The server did not help; a code and a sentence for the owner."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Plugin(pluginkit.Plugin):
    """Answers the two services."""

    name = "address-server"
    version = "1.0.0"

    def __init__(self):
        super().__init__()
        self.methods |= {"service.geocode.outside": self.geocode, "service.reverse.outside": self.reverse}
        self.waiting = queue.Queue(maxsize=WAITING)
        self.known = collections.OrderedDict()
        self.free = 0.0

    def begin(self, params):
        settings = params["settings"]
        self.url = check_url(settings["url"])
        if self.url is None:
            raise SettingsError(gettext("url: the server's address must begin with https://"))
        self.kind = KINDS[settings["kind"]]
        self.tells_positions = settings.get("tellsPositions", False)
        self.session = secure_session(
            AGENT, settings.get("caFile"), ANSWER_BYTES, int(settings.get("timeoutSeconds", 8))
        )
        if "network" not in params["grants"]:
            log("warning", "without the grant network no server can be reached")

    def started(self):
        threading.Thread(target=self.work, daemon=True).start()

    # Questions

    def geocode(self, request_id, params):
        words = params.get("text") if isinstance(params, dict) else None
        if not isinstance(words, str) or not words.strip():
            return self.fail(request_id, INVALID, "text: what to find, as somebody types it")
        limit = params.get("limit", 10)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= 50:
            return self.fail(request_id, INVALID, "limit: a whole number from 1 through 50")
        near = None
        if params.get("near") is not None:
            near = self.position(params["near"])
            if near is None:
                return self.fail(request_id, INVALID, "near: {latitude, longitude} in degrees")
        words = " ".join(words[:MOST_WORDS].split())
        question = self.kind.search(words, near if self.tells_positions else None, limit)
        return self.line_up(request_id, question, lambda places: {"places": places[:limit]})

    def reverse(self, request_id, params):
        position = self.position(params)
        if position is None:
            return self.fail(request_id, INVALID, "latitude and longitude in degrees")
        if not self.tells_positions:
            return self.fail(
                request_id, REFUSED,
                gettext("no position is told to the server; set tellsPositions if it may learn where a map is pressed"),
            )  # fmt: skip
        question = self.kind.reverse(*position)
        return self.line_up(request_id, question, lambda places: {"place": places[0] if places else None})

    @staticmethod
    def position(params):
        if not isinstance(params, dict):
            return None
        found = (degrees(params.get("latitude"), 90), degrees(params.get("longitude"), 180))
        return None if None in found else found

    def line_up(self, request_id, question, shape):
        try:
            self.waiting.put_nowait((request_id, question, shape))
        except queue.Full:
            self.fail(request_id, BUSY, gettext("too many questions about places wait; try again in a few seconds"))

    # Answers, on a thread of their own

    def work(self):
        while True:
            request_id, question, shape = self.waiting.get()
            try:
                places = self.ask(*question)
            except Failed as error:
                self.tell_health({"state": "degraded", "code": error.code, "detail": str(error)})
                self.fail(request_id, FAILED, str(error))
                continue
            self.tell_health(pluginkit.WORKING)
            self.reply(request_id, shape(places))

    def ask(self, path, query):
        """The places that the server names; what was asked lately is not asked again."""
        url = f"{self.url}{path}?{urllib.parse.urlencode(query)}"
        if url in self.known:
            self.known.move_to_end(url)
            return self.known[url]
        time.sleep(max(0.0, self.free - time.monotonic()))
        try:
            response = self.session.get(url, allow_redirects=False)
        except TooLarge:
            raise Failed("too-large", gettext("the server's answer is larger than any list of addresses")) from None
        except TooSlow:
            raise Failed("too-slow", gettext("the server did not answer in time")) from None
        except requests.RequestException as error:
            raise Failed(*explained(error)) from None
        finally:
            self.free = time.monotonic() + PAUSE_SECONDS
        places = self.read(response)
        self.known[url] = places
        if len(self.known) > REMEMBERED:
            self.known.popitem(last=False)
        return places

    def read(self, response):
        if response.status_code in (401, 403):
            raise Failed("forbidden", gettext("the server does not want to be asked by us; its owner knows why"))
        if response.status_code == 429 or response.status_code >= 500:
            raise Failed("overloaded", gettext("the server has too much to do; try again later"))
        if 300 <= response.status_code < 400:
            raise Failed("redirects", gettext("the server sends us to another address; set that one, with https"))
        answer = decoded(response) if response.status_code in (200, 404) else None
        places = self.kind.places(answer)
        if places is None:
            raise Failed(
                "not-a-server", gettext("the address answers, but not as such a server does; check url and kind")
            )
        return places


if __name__ == "__main__":
    pluginkit.run(Plugin())
