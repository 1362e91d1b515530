"""What plugins do beside the pages: a caregiver logs in by an identity provider, and has a telephone told of alarms
while no page is open, from the button to the browser's own message.

Chromium's own push service is in the internet. Here a real HTTPS server stands in its place: what the gateway sends
there is decrypted by http_ece, and handed to Chromium's worker as its push service does. The identity provider is
oidc-provider-mock, which is made with Authlib.
"""

import base64
import json
import os
import pathlib
import socket
import subprocess
import sys
import unittest
import urllib.parse

import http_ece
from axe_playwright_python.sync_playwright import Axe
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from house import PASSWORD, ROOT, Browsers, House, Refused, free_port, until

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


class IdentityProvider:
    """One in which people say themselves who they are."""

    def __init__(self):
        self.port = free_port()
        words = ["-W", "ignore", "-m", "oidc_provider_mock", "--port", str(self.port), "--require-nonce", "true"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([sys.executable, *words], stdin=quiet, stdout=quiet, stderr=quiet)

    def answers(self):
        with socket.socket() as link:
            return link.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self):
        self.process.kill()
        self.process.wait()


class BesideTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = PushService()
        cls.addClassCleanup(cls.service.close)
        cls.provider = IdentityProvider()
        cls.addClassCleanup(cls.provider.close)
        cls.house = House(push=(cls.service.port, CERTIFICATE.file), openid_port=cls.provider.port)
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

    def go_by_the_provider(self, page, who):
        """Says to the provider who one is; what the browser came back with."""
        page.wait_for_url(f"http://localhost:{self.provider.port}/**")
        with page.expect_request("**/openid?**") as came:
            if who:
                page.fill("[name=sub]", who)
                page.click("button:has-text('Authorize')")
            else:
                page.click("button:has-text('Deny')")
        return came.value.url

    def test_a_caregiver_connects_her_account_with_another_service_and_logs_in_by_it(self):
        until("the provider", self.provider.answers)
        until("the plugin", lambda: "Family cloud" in self.house.get("/log-in")[2], seconds=180)
        page = self.browsers.visitor("bo@example.org")
        page.goto(self.house.base + "/account")
        page.fill("#o-password", "some other words")
        page.click("text=Connect with Family cloud")
        page.wait_for_selector("text=That password is not right.")
        page.fill("#o-password", PASSWORD)
        self.assertEqual(Axe().run(page).response["violations"], [])
        page.click("text=Connect with Family cloud")
        self.go_by_the_provider(page, "bo@cloud.example")
        page.wait_for_selector("text=You log in with Family cloud too, as bo@cloud.example.")
        self.assertEqual(page.url, self.house.base + "/account")

        page.click("button:has-text('Log out')")
        # The page leaves by itself, and once more when its stream ends.
        page.wait_for_selector("text=Log in with Family cloud")
        page, left = page.context.new_page(), page
        left.close()
        page.goto(self.house.base + "/log-in")
        self.assertEqual(Axe().run(page).response["violations"], [])
        page.click("text=Log in with Family cloud")
        used = self.go_by_the_provider(page, "bo@cloud.example")
        page.wait_for_selector("a.owner:has-text('Bo')")
        self.assertEqual(page.url, self.house.base + "/")
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies(self.house.base)}
        self.assertTrue("homeward-openid" not in cookies and cookies["homeward"]["httpOnly"])

        # Nobody comes in by what was used, or was begun in another browser; and nobody is led elsewhere.
        self.assertEqual(self.house.get(used.removeprefix(self.house.base))[0], 403)
        sent = {"redirect": "https://evil.example/", "next": "//evil.example/"}
        _, headers, text = self.house.post("/api/v1/account/begin-openid", sent, Origin=self.house.base)
        led = urllib.parse.parse_qs(urllib.parse.urlsplit(json.loads(text)["url"]).query)
        self.assertEqual((led["redirect_uri"], list(json.loads(text))), ([self.house.base + "/openid"], ["url"]))
        self.assertRegex(
            headers["Set-Cookie"], "^homeward-openid=[0-9a-f]{64}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax$"
        )
        stranger = self.browsers.visitor(language="zh")
        stranger.click("text=用Family cloud登录")
        with stranger.expect_navigation(url="**/openid?**"):
            self.go_by_the_provider(stranger, "stranger@cloud.example")
        stranger.wait_for_selector("text=这里还没有账户与它连接。")
        self.assertEqual(Axe().run(stranger).response["violations"], [])
        stranger.goto(self.house.base + "/log-in?next=/map")
        stranger.click("text=用Family cloud登录")
        self.go_by_the_provider(stranger, None)
        stranger.wait_for_selector("text=您在那里表示不想在这里表明身份")
        stranger.goto(self.house.base + f"/openid?state={led['state'][0]}&code=x")
        stranger.wait_for_selector("text=这是在另一个浏览器中开始的")

        page.goto(self.house.base + "/account")
        page.click("text=Take it away")
        page.wait_for_selector("text=Connect with Family cloud")
        self.provider.close()
        stranger.goto(self.house.base + "/log-in")
        stranger.click("text=用Family cloud登录")
        stranger.wait_for_selector("text=确认您身份的服务现在没有回应")
        changes = self.house.call("events.query", {"types": ["account.changed"], "limit": 20})
        changes = [event["data"]["change"] for event in changes if event["data"]["change"] != "signed-up"]
        self.assertEqual([one for one in changes if "connected" in one], ["disconnected", "connected"])
        for one in (page, stranger):
            one.context.close()
        self.assertEqual(self.browsers.faults, [])

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
        # A page that was loaded past the worker, as one is with Shift, is told as well.
        link = context.new_cdp_session(page)
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        with page.expect_event("load"):
            link.send("Page.reload", {"ignoreCache": True})
        link.detach()
        self.assertIsNone(page.evaluate("() => navigator.serviceWorker.controller"))
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
