"""A caregiver has a telephone told of alarms while no page is open: from the button to the browser's own message.

Chromium's own push service is in the internet. Here a real HTTPS server stands in its place: what the gateway sends
there is decrypted by http_ece, and handed to Chromium's worker as its push service does.
"""

import base64
import json
import os
import pathlib
import sys
import unittest

import http_ece
from axe_playwright_python.sync_playwright import Axe
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from house import ROOT, Browsers, House, Refused, until

sys.path.insert(0, str(ROOT / "Tests/Support/PluginPeers"))
from json_server import CERTIFICATE, JSONServer

# What Chromium would get from its maker: an address, with keys that the test has.
SUBSCRIBE = """([endpoint, p256dh, auth]) => {
  if (location.protocol === "about:") return;
  const plain = (text) => atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = (text) => Uint8Array.from(plain(text), (one) => one.charCodeAt(0)).buffer;
  let current = localStorage.getItem("kept-push");
  const made = () => current && {
    endpoint, options: { applicationServerKey: bytes(current) },
    getKey: (name) => bytes(name === "auth" ? auth : p256dh),
    unsubscribe: async () => { current = null; localStorage.removeItem("kept-push"); return true; },
  };
  PushManager.prototype.getSubscription = async () => made();
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly) throw new Error("silent messages are not allowed");
    const text = btoa(String.fromCharCode(...applicationServerKey));
    current = text.replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
    localStorage.setItem("kept-push", current);
    return made();
  };
}"""


class PushService(JSONServer):
    """Takes every message, until it says that the browser is gone."""

    status = 201

    def play(self, request):
        return self.status, {}, b""


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PushTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = PushService()
        cls.addClassCleanup(cls.service.close)
        cls.house = House(push=(cls.service.port, CERTIFICATE.file))
        cls.addClassCleanup(cls.house.close)
        cls.browsers = Browsers(cls.house)
        cls.addClassCleanup(cls.browsers.close)
        cls.key, cls.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    def message(self, kind):
        """The next message of a kind that the service got for the browser, as the browser reads it."""
        while True:
            request = self.service.requests.get(timeout=60)
            text = http_ece.decrypt(request.body, private_key=self.key, auth_secret=self.auth)
            if json.loads(text)["kind"] == kind:
                return request, text

    def deliver(self, page, text):
        """Hands a message to the browser's worker, as its push service does."""
        link = page.context.new_cdp_session(page)
        ids = []
        link.on("ServiceWorker.workerRegistrationUpdated", lambda told: ids.extend(
            one["registrationId"] for one in told["registrations"]))  # fmt: skip
        link.send("ServiceWorker.enable")
        until("the worker", lambda: page.wait_for_timeout(20) or ids)
        link.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": self.house.base, "registrationId": ids[0], "data": text.decode()},
        )
        link.detach()

    def has_key(self):
        try:
            return self.house.call("push.key")["key"]
        except Refused:
            return None

    @staticmethod
    def shown(page):
        """What the browser shows outside of its pages."""
        return page.evaluate(
            """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
              (one) => ({ title: one.title, body: one.body, data: one.data, stays: one.requireInteraction }))"""
        )

    def test_a_telephone_is_told_while_no_page_is_open(self):
        page = self.browsers.visitor("anna@example.org")
        context = page.context
        public = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        address = [self.service.url("/telephone"), encoded(public), encoded(self.auth)]
        context.add_init_script(f"({SUBSCRIBE})({json.dumps(address)})")
        context.grant_permissions(["notifications"], origin=self.house.base)
        page.goto(self.house.base + "/account")
        page.wait_for_selector("#push-on:visible")
        page.check("#f-push-places")
        page.click("#push-on")
        page.wait_for_selector("text=A greeting appears on this device in a moment.")
        _, text = self.message("greeting")
        self.deliver(page, text)
        page.wait_for_selector("text=The greeting has come: this device is told.")
        self.assertEqual(Axe().run(page).response["violations"], [])
        page.reload()
        page.wait_for_selector(
            "text=This device is told of alarms, and when somebody leaves a safe zone or comes back."
        )
        self.assertIn("Is told of alarms while the page is closed", page.inner_text("#main"))
        # Her keys are shown to nobody, and other accounts see nothing of it.
        self.assertEqual(self.house.get("/api/v1/accounts/pushes", self.house.token("bo@example.org"))[0], 404)
        self.assertNotIn(address[1], self.house.get("/api/v1/account/show", self.house.token("anna@example.org"))[2])

        # Nobody has a page open, and Mary calls for help.
        page.goto("about:blank")
        self.house.do("sos.raise", target="mary", trigger="backend")
        request, text = self.message("alarm")
        self.assertEqual((request.path, request.headers["Urgency"]), ("/telephone", "high"))
        self.assertNotIn("Mary", text.decode())
        alarm = next(one for one in self.house.call("alarms.list") if one["kind"] == "sos")
        page.goto(self.house.base + "/account")
        self.deliver(page, text)
        shown = until("the message", lambda: [one for one in self.shown(page) if one["data"]["alarm"]])
        self.assertEqual(shown[0]["title"], "Somebody you care for needs help")
        self.assertEqual((shown[0]["data"]["alarm"], shown[0]["stays"]), (alarm["alarm"], True))
        # A press on it opens the page of the alarm.
        worker = context.service_workers[0]
        worker.evaluate(
            """async () => {
              const [notification] = (await self.registration.getNotifications()).filter((one) => one.data.alarm);
              self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
            }"""
        )
        page.wait_for_url(f"**/alarm?id={alarm['alarm']}")
        page.wait_for_selector("h1:has-text('Mary needs help')")
        self.house.do("alarm.resolve", target=alarm["alarm"], by="anna", reason="She is at home.")
        self.message("changed")

        # The gateway has another key, as after a damaged card: the page tells the browser when it is opened next.
        self.house.stop()
        (pathlib.Path(self.house.folder) / "state/plugins/webpush/vapid.pem").unlink()
        self.house.start()
        until("the plugin", self.has_key)
        before = page.evaluate("() => localStorage.getItem('kept-push')")
        page.goto(self.house.base + "/")
        page.wait_for_function("(key) => localStorage.getItem('kept-push') !== key", arg=before)
        self.message("greeting")

        # The service says that the browser is gone: its session is told no longer.
        self.service.status = 410
        self.house.do("sos.raise", target="mary", trigger="backend")
        self.message("alarm")
        until("the end of it", lambda: not self.house.call("accounts.pushes"))
        page.goto(self.house.base + "/account")
        page.wait_for_selector("#push-on:visible")
        self.assertNotIn("Is told of alarms", page.inner_text("#main"))
        context.close()
        self.assertEqual(self.browsers.faults, [])


if __name__ == "__main__":
    unittest.main()
