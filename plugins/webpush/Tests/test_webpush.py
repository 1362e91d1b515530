"""Drives the plugin over pipes, as the host would, with a real HTTPS server on loopback that plays a push service."""

import base64
import gettext
import json
import os
import pathlib
import stat
import sys
import tempfile
import unittest
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import messages
from json_server import CERTIFICATE, JSONServer, SplitMix64
from plugin_host import WAIT_SECONDS, Host
from plugin_texts import Installed, texts
from webpush import Services

PLUGIN = pathlib.Path(__file__).resolve().parent.parent / "webpush.py"
GRANTS = ("network", "read:push", "command:account.push-gone")
ALARM = "0199-alarm"


class PushService(JSONServer):
    """Takes every message, unless a script says otherwise."""

    def play(self, request):
        return 201, {}, b""


class Browser:
    """A browser with keys of its own, which reads what it is sent."""

    def __init__(self, service, session, language=None, wants_places=False):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.push = {
            "endpoint": service.url(f"/{session}"),
            "keys": {
                "p256dh": messages.encode(messages.point(self.key.public_key())),
                "auth": messages.encode(self.auth),
            },
            "wantsPlaces": wants_places,
        }
        self.told = {"account": "anna", "session": session, "push": self.push}
        if language:
            self.told["language"] = language

    def read(self, body):
        """What a message says, by RFC 8291 from the other end."""
        salt, theirs, sealed = body[:16], body[21:86], body[86:]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        ours = messages.point(self.key.public_key())
        secret = messages.derive(shared, self.auth, b"WebPush: info\0" + ours + theirs, 32)
        key = messages.derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = messages.derive(secret, salt, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text.endswith(b"\2"), text
        return json.loads(text[:-1])


def event(kind, resident="mary", seconds=0, **data):
    """An event as the gateway has it, of so many seconds ago."""
    then = datetime.now(UTC) - timedelta(seconds=seconds)
    subject = f"resident/{resident}" if resident else "gateway"
    return json.dumps(
        {
            "id": f"{kind}-{resident}-{data.get('alarm')}",
            "type": kind,
            "subject": subject,
            "time": then.isoformat(),
            "data": data,
        }
    )


class PluginCase(unittest.TestCase):
    """The plugin beside a push service."""

    def setUp(self):
        self.service = PushService()
        self.addCleanup(self.service.close)
        self.anna = Browser(self.service, "s1")
        self.run_plugin()

    def run_plugin(self, **options):
        self.host = Host(str(PLUGIN), **options)
        self.addCleanup(self.host.close)

    def start(self, **settings):
        own = {"contact": "owner@example.org", "services": [f"localhost:{self.service.port}"]}
        answer = self.host.start(GRANTS, **{**own, "caFile": CERTIFICATE.file, **settings})
        self.assertIn("result", answer, answer)

    def deliver(self, body, *browsers, lane="alarm"):
        """The outcome of one event, and what the plugin asked for browsers by."""
        asked = self.hand_in(body, *browsers, lane=lane)
        return self.host.answer()["result"]["outcomes"][0], asked

    def hand_in(self, body, *browsers, lane="alarm"):
        self.host.send("events.deliver", self.host.batch(lane, [body]))
        message = self.host.request({"result": [browser.told for browser in browsers]})
        self.assertEqual(message["params"]["method"], "accounts.pushes")
        return message["params"]["params"]

    def came(self):
        return self.service.requests.get(timeout=WAIT_SECONDS)


class PushTests(PluginCase):
    """What becomes of events."""

    def test_a_browser_is_told_of_an_alarm_and_nobody_else_can_read_it(self):
        self.start()
        body = event("alarm.dispatched", alarm=ALARM, tag="A7K2", priority="high", explanation="Mary left Home")
        outcome, asked = self.deliver(body, self.anna)
        self.assertEqual((outcome["outcome"], asked), ("accepted", {"resident": "mary"}))
        request = self.came()
        self.assertEqual((request.method, request.path), ("POST", "/s1"))
        for name, value in {"TTL": "3600", "Urgency": "high", "Content-Encoding": "aes128gcm"}.items():
            self.assertEqual(request.headers[name], value)
        self.assertRegex(request.headers["Topic"], r"^[A-Za-z0-9_-]{1,32}$")
        told = self.anna.read(request.body)
        self.assertEqual((told["kind"], told["alarm"]), ("alarm", ALARM))
        self.assertEqual(told["title"], "Somebody you care for needs help")
        for secret in ("Mary", "mary", "Home", "A7K2"):
            self.assertNotIn(secret, json.dumps(told) + str(request.headers))

    def test_the_service_can_check_who_sends(self):
        self.start()
        self.deliver(event("alarm.dispatched", alarm=ALARM), self.anna)
        scheme, token, key = self.came().headers["Authorization"].replace(",", "").split()
        self.assertEqual((scheme, token[:2], key[:2]), ("vapid", "t=", "k="))
        head, claims, signature = token[2:].split(".")
        self.assertEqual(json.loads(messages.decode(head)), {"typ": "JWT", "alg": "ES256"})
        claims_read = json.loads(messages.decode(claims))
        self.assertEqual(claims_read["aud"], self.service.url())
        self.assertEqual(claims_read["sub"], "mailto:owner@example.org")
        ahead = claims_read["exp"] - datetime.now(UTC).timestamp()
        self.assertTrue(0 < ahead < 86_400, ahead)
        raw = messages.decode(signature)
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), messages.decode(key[2:]))
        numbers = [int.from_bytes(half, "big") for half in (raw[:32], raw[32:])]
        public.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        self.assertEqual(self.host.call("service.push.key")["result"]["key"], key[2:])

    def test_an_alarm_is_shown_in_one_place_until_it_is_over(self):
        self.start()
        topics = set()
        for kind, said in {
            "dispatched": "alarm",
            "escalated": "alarm",
            "acknowledged": "changed",
            "cancelled": "changed",
        }.items():
            self.deliver(event(f"alarm.{kind}", alarm=ALARM, priority="medium"), self.anna)
            request = self.came()
            topics.add(request.headers["Topic"])
            self.assertEqual(self.anna.read(request.body)["kind"], said)
        self.deliver(event("alarm.dispatched", alarm="another"), self.anna)
        topics.add(self.came().headers["Topic"])
        self.assertEqual(len(topics), 2)

    def test_what_can_wait_until_the_morning_wakes_nobody(self):
        self.start()
        self.deliver(event("alarm.dispatched", alarm=ALARM, priority="low"), self.anna)
        request = self.came()
        self.assertEqual((request.headers["Urgency"], self.anna.read(request.body)["kind"]), ("normal", "attention"))

    def test_comings_and_goings_are_told_to_who_wants_them(self):
        self.start()
        bo = Browser(self.service, "s2", wants_places=True)
        self.deliver(event("zone.left", zoneName="Home"), self.anna, bo)
        request = self.came()
        self.assertEqual((request.path, bo.read(request.body)["kind"]), ("/s2", "place"))
        self.assertEqual(self.service.seen(), [])

    def test_a_browser_is_greeted_once_it_is_told(self):
        self.start()
        outcome, asked = self.deliver(
            event("account.changed", None, change="push", session="s1"), self.anna, lane="record"
        )
        self.assertEqual((outcome["outcome"], asked), ("accepted", {"session": "s1"}))
        self.assertEqual(self.anna.read(self.came().body)["kind"], "greeting")
        others = [
            event("account.changed", None, change="password"),
            event("alarm.dispatched"),
            event("zone.moved"),
            "{}",
        ]
        self.assertEqual({one["outcome"] for one in self.host.deliver(others)}, {"accepted"})
        self.assertEqual(self.service.seen(), [])

    def test_what_concerns_nobody_who_is_known_is_told_to_all(self):
        self.start()
        _, asked = self.deliver(event("alarm.dispatched", None, alarm=ALARM), self.anna)
        self.assertEqual(asked, {})

    def test_what_is_too_old_is_news_to_nobody(self):
        self.start()
        old = event("alarm.dispatched", seconds=3700, alarm=ALARM)
        self.assertEqual(self.host.deliver([old])[0]["outcome"], "accepted")
        self.assertEqual(self.service.seen(), [])


class TroubleTests(PluginCase):
    """What push services and browsers do wrong."""

    def test_a_browser_that_is_gone_is_forgotten(self):
        self.start()
        for status in (404, 410):
            self.service.script = [(status, {}, b"")]
            self.hand_in(event("alarm.dispatched", alarm=ALARM, priority=str(status)), self.anna)
            request = self.host.request()
            self.assertEqual(
                request["params"]["request"], {"action": "account.push-gone", "endpoint": self.anna.push["endpoint"]}
            )
            self.assertEqual(self.host.answer()["result"]["outcomes"][0]["outcome"], "accepted")
            self.run_plugin()
            self.start()

    def test_nobody_makes_the_gateway_write_to_another_server(self):
        self.start(services=[])
        self.hand_in(event("alarm.dispatched", alarm=ALARM), self.anna)
        self.assertEqual(self.host.request()["params"]["request"]["action"], "account.push-gone")
        self.assertEqual(self.host.answer()["result"]["outcomes"][0]["outcome"], "accepted")
        self.assertEqual(self.service.seen(), [])
        self.host.logged("is no push service that is known")

    def test_a_redirect_is_not_followed(self):
        self.start()
        self.service.script = [(307, {"Location": self.service.url("/elsewhere")}, b"")]
        self.deliver(event("alarm.dispatched", alarm=ALARM), self.anna)
        self.assertEqual([request.path for request in self.service.seen()], ["/s1"])

    def test_who_was_told_is_not_told_again_while_another_waits(self):
        self.start()
        bo = Browser(self.service, "s2")
        self.service.play = lambda request: (
            (503, {"Retry-After": "7"}, b"") if request.path == "/s2" else (201, {}, b"")
        )
        body = event("alarm.dispatched", alarm=ALARM)
        outcome, _ = self.deliver(body, self.anna, bo)
        self.assertEqual((outcome["outcome"], outcome["afterSeconds"]), ("retry", 7))
        self.assertEqual(self.host.call("health")["result"]["state"], "degraded")
        self.assertEqual(sorted(request.path for request in self.service.seen()), ["/s1", "/s2"])
        del self.service.play
        self.assertEqual(self.deliver(body, self.anna, bo)[0]["outcome"], "accepted")
        self.assertEqual([request.path for request in self.service.seen()], ["/s2"])
        self.assertEqual(self.host.call("health")["result"]["state"], "working")

    def test_a_service_that_is_away_is_tried_again(self):
        self.start()
        self.service.close()
        outcome, _ = self.deliver(event("alarm.dispatched", alarm=ALARM), self.anna)
        self.assertEqual(outcome["outcome"], "retry")
        self.service.open()

    def test_a_service_that_refuses_is_told_in_the_log_and_not_asked_again(self):
        self.start()
        self.service.script = [(403, {}, b"no")]
        outcome, _ = self.deliver(event("alarm.dispatched", alarm=ALARM), self.anna)
        self.assertEqual(outcome["outcome"], "accepted")
        self.host.logged("refuses a message (403)")

    def test_a_gateway_that_does_not_answer_is_asked_again(self):
        self.start()
        self.host.send("events.deliver", self.host.batch("alarm", [event("alarm.dispatched", alarm=ALARM)]))
        message = self.host.requests.get(timeout=WAIT_SECONDS)
        refusal = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": 1002, "message": "no grant read:push"}}
        self.host.send_line(json.dumps(refusal))
        self.assertEqual(self.host.answer()["result"]["outcomes"][0]["outcome"], "retry")

    def test_an_answer_that_does_not_fit_keeps_nothing_from_the_next_event(self):
        self.start()
        for broken in ([{"session": "s1"}], [{"session": "s1", "push": {"endpoint": 7}}], {"a": 1}, None):
            self.host.send("events.deliver", self.host.batch("alarm", [event("alarm.dispatched", alarm=ALARM)]))
            self.host.request({"result": broken})
            self.assertEqual(self.host.answer()["result"]["outcomes"][0]["outcome"], "retry")
        self.assertEqual(self.deliver(event("alarm.dispatched", alarm=ALARM), self.anna)[0]["outcome"], "accepted")
        self.came()

    def test_no_lines_end_the_plugin(self):
        self.start()
        numbers = SplitMix64(16)
        whole = self.host.batch("alarm", [event("account.changed", None, change="password")]).encode()
        for _ in range(150):
            line = numbers.mutated(whole).replace(b"\n", b"").decode("utf-8", "replace")
            self.host.send("events.deliver", line)
            self.host.answer()
        self.assertEqual(self.host.call("health")["result"]["state"], "working")


class SettingsTests(PluginCase):
    """What the owner writes, and what is kept."""

    def test_the_key_stays_and_nobody_else_reads_it(self):
        self.start()
        key = self.host.call("service.push.key")["result"]["key"]
        self.assertEqual((len(messages.decode(key)), messages.decode(key)[0]), (65, 4))
        file = pathlib.Path(self.host.state.name) / "vapid.pem"
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        kept = tempfile.TemporaryDirectory(prefix="homeward-plugin-")
        (pathlib.Path(kept.name) / "vapid.pem").write_bytes(file.read_bytes())
        self.run_plugin(state=kept)
        self.start()
        self.assertEqual(self.host.call("service.push.key")["result"]["key"], key)

    def test_a_damaged_key_is_said(self):
        (pathlib.Path(self.host.state.name) / "vapid.pem").write_text("no key")
        self.assertIn("vapid.pem", self.host.start(GRANTS, contact="owner@example.org")["error"]["message"])

    def test_wrong_settings_are_said(self):
        for wrong, word in (
            ({"contact": "nobody"}, "contact"),
            ({"contact": "a\n@b.c"}, "contact"),
            ({"contact": "a@b.c", "services": ["https://push.example.org"]}, "services"),
            ({"contact": "a@b.c", "services": ["push.example.org:0"]}, "services"),
            ({"contact": "a@b.c", "services": ["*"]}, "services"),
        ):
            with self.subTest(wrong=wrong):
                self.assertIn(word, self.host.start(GRANTS, **wrong)["error"]["message"])

    def test_services_are_told_from_what_looks_like_them(self):
        services = Services(Services.checked(["push.example.org", "*.example.com:8443"]))
        good = [
            "https://fcm.googleapis.com/fcm/send/abc",
            "https://FCM.googleapis.com:443/x",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://web.push.apple.com/abc",
            "https://db5p.notify.windows.com/w/?token=a",
            "https://push.example.org/1",
            "https://a.example.com:8443/1",
        ]
        bad = [
            "http://fcm.googleapis.com/x",
            "https://fcm.googleapis.com:8443/x",
            "https://fcm.googleapis.com.example.net/x",
            "https://fcm.googleapis.com@10.0.0.1/x",
            "https://notify.windows.com/x",
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://[broken/x",
            "https://push.apple.com:x/",
            "https:///x",
            "https://a.example.com/1",
        ]
        self.assertEqual([url for url in good if not services.has(url)], [])
        self.assertEqual([url for url in bad if services.has(url)], [])


class MessageTests(unittest.TestCase):
    """The encryption, by what others published."""

    def test_the_message_of_rfc_8291_appendix_a(self):
        number = int.from_bytes(messages.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
        made = messages.encrypt(
            b"When I grow up, I want to be a watermelon",
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
            ec.derive_private_key(number, ec.SECP256R1()),
            messages.decode("DGv6ra1nlYgDCS1FRnbzlw"),
        )
        self.assertEqual(
            messages.encode(made),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6"
            "PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
        )

    def test_two_messages_share_nothing(self):
        key = ec.generate_private_key(ec.SECP256R1())
        p256dh, auth = messages.encode(messages.point(key.public_key())), messages.encode(os.urandom(16))
        one, other = (messages.encrypt(b"the same", p256dh, auth) for _ in range(2))
        self.assertNotEqual(one[:16], other[:16])
        self.assertNotEqual(one[86:], other[86:])

    def test_what_is_no_key_or_too_long_is_refused(self):
        key = messages.point(ec.generate_private_key(ec.SECP256R1()).public_key())
        auth = messages.encode(os.urandom(16))
        off_the_curve = messages.encode(key[:-1] + bytes([key[-1] ^ 1]))
        for text, p256dh in ((b"x", off_the_curve), (b"x", "AAAA"), (b"x", "é"), (b"x" * 4080, messages.encode(key))):
            with self.subTest(p256dh=p256dh), self.assertRaises(ValueError):
                messages.encrypt(text, p256dh, auth)
        self.assertEqual(base64.urlsafe_b64decode(messages.encode(b"\xfb\xff") + "="), b"\xfb\xff")

    def test_a_token_is_shown_again_for_half_of_its_time(self):
        sender = messages.Sender(ec.generate_private_key(ec.SECP256R1()), "mailto:owner@example.org")
        first = sender.authorization("https://push.example.org/a", now=1_000_000)
        self.assertEqual(sender.authorization("https://push.example.org/b", now=1_020_000), first)
        self.assertNotEqual(sender.authorization("https://push.example.org/b", now=1_030_000), first)
        self.assertNotEqual(sender.authorization("https://push.example.com/b", now=1_000_000), first)
        later = sender.authorization("https://push.example.org/a", now=9_000_000)
        self.assertNotEqual(sender.authorization("https://push.example.org/a", now=1_000), later, "a clock put back")


class LanguageTests(PluginCase):
    """The plugin with the catalogue that is installed."""

    installed = Installed()

    def run_plugin(self, **options):
        super().run_plugin(environment=self.installed.chinese(), **options)

    def test_every_text_is_translated(self):
        found = set(texts(PLUGIN.parent))
        self.assertGreaterEqual(len(found), 15)
        chinese = gettext.translation("homeward", self.installed.locale, ["zh_CN"])
        self.assertEqual([text for text in sorted(found) if chinese.gettext(text) == text], [])

    def test_each_browser_is_told_in_the_language_of_its_account(self):
        self.start()
        bo, cy = Browser(self.service, "s2", "en"), Browser(self.service, "s3", "xx")
        self.deliver(event("alarm.dispatched", alarm=ALARM), self.anna, bo, cy)
        requests = {request.path: request.body for request in (self.came() for _ in range(3))}
        self.assertEqual(self.anna.read(requests["/s1"])["title"], "您照护的人需要帮助")
        self.assertEqual(bo.read(requests["/s2"])["title"], "Somebody you care for needs help")
        self.assertEqual(cy.read(requests["/s3"])["title"], "Somebody you care for needs help")


if __name__ == "__main__":
    unittest.main()
