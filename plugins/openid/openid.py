#!/usr/bin/python3 -I
"""Lets people log in to the pages by an identity provider (OpenID Connect).

The contract is plugins/protocol.md. One thread reads the host's lines; a few ask the provider. It says who somebody is
there, and knows nothing of accounts: whether that is anybody here is decided by the gateway.
"""

import concurrent.futures
import os
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit
from pluginkit import SettingsError, log
from provider import Failure, Provider, is_issuer
from texts import gettext

ASKERS = 4
# So many wait for the provider at a time; whoever comes beyond that hears that it does not answer.
WAITING = 32


class Plugin(pluginkit.Plugin):
    """Takes people to the provider and back."""

    name = "openid"
    version = "1.0.0"

    def __init__(self):
        super().__init__()
        self.methods["service.openid.provider"] = self.tell_provider
        self.methods["service.openid.begin"] = self.begin_login
        self.methods["service.openid.finish"] = self.finish_login
        self.askers = concurrent.futures.ThreadPoolExecutor(ASKERS, "asker")
        self.places = threading.BoundedSemaphore(WAITING)

    def begin(self, params):
        settings = params["settings"]
        if not is_issuer(settings["issuer"]):
            raise SettingsError(
                gettext("issuer: the provider's own address begins with https:// and has no ? and no # in it")
            )
        if not settings["name"].isprintable():
            raise SettingsError(gettext("name: what the button says, on one line"))
        self.provider_name = settings["name"]
        self.provider = Provider(
            settings["issuer"],
            settings["clientId"],
            settings.get("clientSecret"),
            settings.get("caFile"),
            int(settings.get("timeoutSeconds", 6)),
        )
        if "network" not in params["grants"]:
            log("warning", "without the grant network no provider can be reached")

    def started(self):
        self.askers.submit(self.told, self.provider.about)

    def tell_provider(self, request_id, params):
        self.reply(request_id, {"name": self.provider_name})

    def begin_login(self, request_id, params):
        self.work(request_id, lambda: self.provider.begin(params["redirect"]))

    def finish_login(self, request_id, params):
        self.work(request_id, lambda: self.provider.finish(params["redirect"], params["code"], **params["secrets"]))

    def work(self, request_id, task):
        """Answers a request from another thread."""
        if not self.places.acquire(blocking=False):
            return self.reply(request_id, {"failure": "unreachable"})

        def answer():
            try:
                self.reply(request_id, self.told(task))
            finally:
                self.places.release()

        self.askers.submit(answer)
        return None

    def told(self, task):
        """What came of a task; of what went wrong the owner hears."""
        try:
            result = task()
        except Failure as failure:
            log("warning", getattr(failure.text, "english", str(failure.text)))
            # A code that is old, or a token that is wrong, says nothing of the provider's health.
            if failure.word in ("unreachable", "refused"):
                self.tell_health({"state": "degraded", "code": "provider", "detail": str(failure.text)[:1000]})
            return {"failure": failure.word}
        except Exception as error:  # Whatever a library raises: nobody is let in by it.
            log("error", f"it failed unexpectedly ({type(error).__name__})")
            return {"failure": "untrusted"}
        self.tell_health(pluginkit.WORKING)
        return result


if __name__ == "__main__":
    pluginkit.run(Plugin())
