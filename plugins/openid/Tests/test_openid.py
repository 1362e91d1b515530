"""Drives the plugin over pipes, as the host would, beside a real HTTPS server on loopback that plays a provider.

It does all right, or forges what it can. Another provider, which somebody else wrote, is in Tests/Browser.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import secrets
import sys
import time
import unittest
import urllib.parse
from typing import ClassVar

import jwt
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import RSAAlgorithm

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tokens
from json_server import CERTIFICATE, JSONServer
from plugin_host import Host
from provider import Failure, Provider, is_issuer

PLUGIN = pathlib.Path(__file__).resolve().parent.parent / "openid.py"
REDIRECT = "https://homeward.local:8474/openid"
CLIENT, SECRET = "a home hub", "s3cret/with:signs"
ISSUER = "https://cloud.example"


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    """A key of the provider, and how it stands in its key set."""

    def __init__(self, private, algorithm="RS256", kid="first", **more):
        self.private, self.algorithm, self.kid = private, algorithm, kid
        public = private.public_key()
        if algorithm == "EdDSA":
            raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
            jwk = {"kty": "OKP", "crv": "Ed25519", "x": encoded(raw)}
        elif algorithm.startswith("ES"):
            jwk = {"kty": "EC", **self.point(public)}
        else:
            jwk = json.loads(RSAAlgorithm.to_jwk(public))
        self.jwk = {**jwk, "use": "sig", **({"kid": kid} if kid else {}), **more}

    @staticmethod
    def point(public):
        size = (public.curve.key_size + 7) // 8
        numbers = public.public_numbers()
        x, y = (encoded(number.to_bytes(size, "big")) for number in (numbers.x, numbers.y))
        return {"crv": {256: "P-256", 384: "P-384"}[public.curve.key_size], "x": x, "y": y}

    def signed(self, claims, **header):
        known = {"kid": self.kid} if self.kid else {}
        return jwt.encode(claims, self.private, self.algorithm, {**known, **header})


def claims(issuer, nonce):
    """What a token says that is right."""
    now = int(time.time())
    about = {"iss": issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
    half = hashlib.sha256(b"a1").digest()[:16]
    return {**about, "sub": "anna-7", "email": "anna@example.org", "at_hash": encoded(half)}


RSA = [rsa.generate_private_key(65537, 2048) for _ in range(2)]
FIRST, OTHER = Key(RSA[0]), Key(RSA[1])


class IdentityProvider(JSONServer):
    """Lets in whoever comes, and checks what a client sends as RFC 6749 and 7636 say."""

    def __init__(self):
        self.keys, self.codes, self.told = [FIRST], {}, {}
        self.forge = FIRST.signed
        super().__init__()

    def play(self, request):
        if request.path == "/.well-known/openid-configuration":
            about = {
                "issuer": self.url(),
                "authorization_endpoint": self.url("/authorize?tenant=7"),
                "token_endpoint": self.url("/token"),
                "jwks_uri": self.url("/keys"),
            }
            return 200, {}, {**about, **self.told}
        if request.path == "/keys":
            return 200, {}, {"keys": [key.jwk for key in self.keys]}
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        asked = self.codes.pop(form.get("code"), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if asked is None or (form["redirect_uri"], encoded(digest)) != (asked["redirect_uri"], asked["code_challenge"]):
            return 400, {}, {"error": "invalid_grant"}
        return (
            200,
            {},
            {"access_token": "a1", "token_type": "Bearer", "id_token": self.forge(claims(self.url(), asked["nonce"]))},
        )

    def let_in(self, url):
        """Somebody logs in at the address that they were led to; the code that they come back with."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        code = secrets.token_hex(8)
        self.codes[code] = asked
        return code


class OpenIDCase(unittest.TestCase):
    """The plugin beside a provider."""

    @classmethod
    def setUpClass(cls):
        cls.provider = IdentityProvider()
        cls.addClassCleanup(cls.provider.close)
        cls.settings = {"issuer": cls.provider.url(), "clientId": CLIENT, "name": "Family cloud"}
        cls.settings |= {"caFile": CERTIFICATE.file, "clientSecret": SECRET}
        cls.host = Host(str(PLUGIN))
        cls.addClassCleanup(cls.host.close)
        answer = cls.host.start(**cls.settings)
        assert "result" in answer, answer

    def setUp(self):
        self.provider.__dict__.update(keys=[FIRST], told={}, forge=FIRST.signed, script=[])
        self.provider.codes.clear()
        self.come()
        self.provider.seen()

    def begin(self):
        return self.host.call("service.openid.begin", json.dumps({"redirect": REDIRECT}))["result"]

    def finish(self, begun, code, **changes):
        params = {"redirect": REDIRECT, "code": code, "secrets": begun["secrets"], **changes}
        return self.host.call("service.openid.finish", json.dumps(params))["result"]

    def come(self):
        """Logs somebody in; what the plugin says of them."""
        begun = self.begin()
        return self.finish(begun, self.provider.let_in(begun["url"]))

    def asked(self):
        """The paths that the provider was asked for since this was asked last."""
        return [one.path for one in self.provider.seen()]


class LoginTests(OpenIDCase):
    """Who comes in, and who does not."""

    def test_somebody_is_led_to_the_provider_and_is_known_when_they_come_back(self):
        self.assertEqual(self.host.call("service.openid.provider")["result"], {"name": "Family cloud"})
        begun = self.begin()
        parts = urllib.parse.urlsplit(begun["url"])
        asked = dict(urllib.parse.parse_qsl(parts.query))
        self.assertEqual(f"{parts.scheme}://{parts.netloc}{parts.path}", self.provider.url("/authorize"))
        known = {"tenant": "7", "response_type": "code", "client_id": CLIENT, "redirect_uri": REDIRECT}
        known |= {"code_challenge_method": "S256", "scope": "openid email", "state": begun["state"]}
        self.assertEqual({name: asked[name] for name in known}, known)
        self.assertEqual(asked["nonce"], begun["secrets"]["nonce"])
        self.assertNotIn(begun["secrets"]["verifier"], begun["url"])
        again = self.begin()
        self.assertTrue(set(begun["secrets"].values()).isdisjoint(again["secrets"].values()))
        self.assertNotEqual(begun["state"], again["state"])
        self.provider.seen()
        who = self.finish(begun, self.provider.let_in(begun["url"]))
        self.assertEqual(who, {"issuer": self.provider.url(), "subject": "anna-7", "name": "anna@example.org"})
        # What it says of itself, and its keys, are known by now.
        [token] = self.provider.seen()
        # Both are encoded as in a form first: RFC 6749, section 2.3.1.
        basic = base64.b64encode(b"a+home+hub:s3cret%2Fwith%3Asigns").decode()
        self.assertEqual((token.path, token.headers["Authorization"]), ("/token", f"Basic {basic}"))
        self.assertNotIn("client_secret", token.body.decode())
        for secret in (SECRET, begun["secrets"]["verifier"], "anna-7", "anna@example.org"):
            self.assertNotIn(secret, self.host.log)

    def test_a_code_counts_once_for_who_began_and_at_the_same_place(self):
        begun = self.begin()
        code = self.provider.let_in(begun["url"])
        self.assertEqual(self.finish(begun, code)["subject"], "anna-7")
        self.assertEqual(self.finish(begun, code), {"failure": "used"})
        stolen = self.provider.let_in(begun["url"])
        self.assertEqual(self.finish(self.begin(), stolen), {"failure": "used"})
        lured = self.provider.let_in(begun["url"])
        self.assertEqual(self.finish(begun, lured, redirect="https://evil.example/"), {"failure": "used"})

    def test_the_provider_may_sign_with_other_keys_from_one_day_to_the_next(self):
        for kid in ("second", "first"):
            key = Key(RSA[1], kid=kid)
            self.provider.keys, self.provider.forge = [key], key.signed
            self.assertEqual(self.come()["subject"], "anna-7")
            self.assertEqual(self.asked()[1:], ["/token", "/keys"])
            self.provider.keys, self.provider.forge = [FIRST], FIRST.signed
            self.assertEqual(self.come()["subject"], "anna-7")
            self.provider.seen()

    def test_nobody_comes_in_by_a_token_that_is_forged(self):
        for word, forge in (
            ("untrusted", OTHER.signed),
            ("untrusted", lambda told: jwt.encode(told, None, "none")),
            ("untrusted", lambda told: FIRST.signed({**told, "nonce": "another"})),
            ("untrusted", lambda told: None),
            ("clock", lambda told: FIRST.signed({**told, "exp": 1})),
        ):
            self.provider.forge = forge
            self.assertEqual(self.come(), {"failure": word}, self.host.log)
        self.assertNotIn("anna", self.host.log)

    def test_while_the_provider_is_away_that_is_said_and_it_comes_back(self):
        begun = self.begin()
        code = self.provider.let_in(begun["url"])
        self.provider.close()
        self.assertEqual(self.finish(begun, code), {"failure": "unreachable"})
        self.host.notified("health", lambda params: params["state"] == "degraded")
        self.assertEqual(self.begin(), {"failure": "unreachable"})
        self.provider.open()
        self.assertEqual(self.come()["subject"], "anna-7")
        self.host.notified("health", lambda params: params["state"] == "working")

    def test_what_the_provider_answers_otherwise_is_told_apart(self):
        begun = self.begin()
        for status, body, word in (
            (503, b"", "unreachable"),
            (429, b"", "unreachable"),
            (401, {"error": "invalid_client"}, "refused"),
            (400, {"error": "invalid_grant"}, "used"),
            (400, {"error": ["x"]}, "refused"),
            (302, b"", "refused"),
            (200, b"no JSON", "refused"),
            (200, b"[" * 100_000, "refused"),
            (200, b"{" + b" " * 300_000 + b"}", "unreachable"),
        ):
            with self.subTest(status=status, word=word):
                self.assertIn("url", self.begin())
                self.provider.script = [(status, {}, body)]
                self.assertEqual(self.finish(begun, "c"), {"failure": word})

    def test_an_issuer_that_is_none_is_refused_in_words(self):
        host = Host(str(PLUGIN))
        self.addCleanup(host.close)
        error = host.start(**{**self.settings, "issuer": "http://cloud.example"})["error"]
        self.assertIn("issuer: the provider's own address begins with https://", error["message"])


class ProviderTests(unittest.TestCase):
    """What is believed of a provider, without a plugin around it."""

    ABOUT: ClassVar = {
        "issuer": "https://cloud.example/",
        "authorization_endpoint": "https://cloud.example/authorize",
        "token_endpoint": "https://cloud.example/token",
        "jwks_uri": "https://keys.cloud.example/",
    }

    def test_only_what_is_encrypted_or_on_this_machine_is_an_issuer(self):
        for address in ("https://cloud.example/realms/home/", "http://127.0.0.1:9400", "http://localhost:80/x"):
            self.assertTrue(is_issuer(address), address)
        for address in (
            "http://cloud.example", "https://a@b.example", "https://cloud.example/?x=1", "ftp://x.example",
            "http://127.0.0.1.evil.example", "http://localhost:1@evil.example", "https://", "https://a.example/\n",
        ):  # fmt: skip
            self.assertFalse(is_issuer(address), address)

    def test_a_provider_that_says_of_itself_what_does_not_fit_is_asked_nothing(self):
        provider = Provider("https://cloud.example", CLIENT)
        provider.check(self.ABOUT)
        for told in (
            {"issuer": "https://evil.example"},
            {"issuer": None},
            {"token_endpoint": "http://evil.example/token"},
            {"token_endpoint": "http://localhost:1/token"},
            {"authorization_endpoint": "javascript:alert(1)"},
            {"jwks_uri": None},
        ):
            with self.subTest(str(told)), self.assertRaises(Failure) as caught:
                provider.check({**self.ABOUT, **told})
            self.assertEqual(caught.exception.word, "refused")
        here = dict.fromkeys(self.ABOUT, "http://localhost:9400/x") | {"issuer": "http://localhost:9400"}
        Provider("http://localhost:9400", CLIENT).check(here)

    def test_a_public_client_says_who_it_is_and_has_no_secret(self):
        sent = []
        provider = Provider("https://cloud.example", CLIENT)
        provider.send = lambda method, address, **options: sent.append(options) or self.fail_answer()
        with self.assertRaises(Failure):
            provider.exchange(self.ABOUT, REDIRECT, "c", "v")
        self.assertEqual((sent[0]["auth"], sent[0]["data"]["client_id"]), (None, CLIENT))

    @staticmethod
    def fail_answer():
        answer = requests.Response()
        answer.status_code, answer._content = 400, b"{}"
        return answer


class TokenTests(unittest.TestCase):
    """Tokens by themselves: one that is right, and each that is not."""

    def read(self, token, *keys):
        keys = [getattr(key, "jwk", key) for key in keys or [FIRST]]
        return tokens.identity(token, {"keys": keys}, ISSUER, CLIENT, "n1", "a1")

    def refused(self, token, *keys, kind=tokens.Untrusted):
        with self.assertRaises(tokens.Untrusted) as caught:
            self.read(token, *keys)
        self.assertIsInstance(caught.exception, kind)

    def setUp(self):
        self.claims = claims(ISSUER, "n1")
        self.assertEqual(self.read(FIRST.signed(self.claims))["subject"], "anna-7")

    def test_each_algorithm_that_proves_something_will_do(self):
        keys = [Key(RSA[0], name, kid=name) for name in ("RS384", "RS512", "PS256", "PS384", "PS512")]
        keys += [Key(ec.generate_private_key(ec.SECP256R1()), "ES256", kid=None)]
        keys += [Key(ec.generate_private_key(ec.SECP384R1()), "ES384", kid="es384", alg="ES384")]
        keys += [Key(ed25519.Ed25519PrivateKey.generate(), "EdDSA", kid="ed")]
        for key in keys:
            size = {"256": "sha256", "384": "sha384"}.get(key.algorithm[2:], "sha512")
            digest = hashlib.new(size, b"a1").digest()
            told = {**self.claims, "at_hash": encoded(digest[: len(digest) // 2])}
            with self.subTest(algorithm=key.algorithm):
                self.assertEqual(self.read(key.signed(told), FIRST, key)["name"], "anna@example.org")
                self.refused(key.signed(told), FIRST)

    def test_none_that_is_signed_by_nobody_who_may(self):
        pem = (
            RSA[0]
            .public_key()
            .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        )
        head, body = (encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "first"}, self.claims))
        with_public_key = f"{head}.{body}.{encoded(hmac.digest(pem, f'{head}.{body}'.encode(), 'sha256'))}"
        right = FIRST.signed(self.claims)
        head, _, signature = right.split(".")
        other = encoded(json.dumps({**self.claims, "sub": "bo-8"}).encode())
        for words, token in {
            "wrong key": OTHER.signed(self.claims),
            "changed": f"{head}.{other}.{signature}",
            "none": jwt.encode(self.claims, None, "none"),
            "HS256 with the public key": with_public_key,
            "HS256 with the secret": jwt.encode(self.claims, SECRET, "HS256", {"kid": "first"}),
            "without a signature": right.rpartition(".")[0] + ".",
            "its own key": OTHER.signed(self.claims, jwk=OTHER.jwk, kid="own"),
            "critical": FIRST.signed(self.claims, crit=["x"], x=1),
            "no token": None,
            "no text": 7,
            "nonsense": "a.b.c",
            "endless": FIRST.signed({**self.claims, "x": "y" * 20_000}),
        }.items():
            with self.subTest(words):
                self.refused(token)

    def test_none_that_is_for_somebody_else(self):
        for change in (
            {"iss": "https://evil.example"},
            {"aud": "another"},
            {"aud": [CLIENT, "another"]},
            {"aud": [CLIENT, "another"], "azp": "another"},
            {"azp": "another"},
            {"nonce": "another"},
            {"nonce": None},
            {"at_hash": "another"},
            {"sub": ""},
            {"sub": 7},
            {"sub": "x" * 256},
            {"sub": "two\nlines"},
            {"exp": "never"},
        ):
            with self.subTest(str(change)):
                self.refused(FIRST.signed({**self.claims, **change}))
        for name in ("iss", "sub", "aud", "exp", "iat", "nonce"):
            with self.subTest(f"without {name}"):
                self.refused(FIRST.signed({key: self.claims[key] for key in self.claims if key != name}))
        # One that has both parties' names is for this one, and one without at_hash will do.
        told = {key: self.claims[key] for key in self.claims if key != "at_hash"}
        self.assertEqual(self.read(FIRST.signed({**told, "aud": [CLIENT, "x"], "azp": CLIENT}))["subject"], "anna-7")

    def test_none_of_another_time(self):
        now = time.time()
        for change in (
            {"exp": now - 120},
            {"iat": now + 120, "exp": now + 600},
            {"iat": now - 3600, "exp": now + 600},
            {"nbf": now + 120},
        ):
            with self.subTest(str(change)):
                self.refused(FIRST.signed({**self.claims, **change}), kind=tokens.OtherTime)

    def test_no_key_that_everybody_has_or_that_is_for_something_else(self):
        short = Key(rsa.generate_private_key(65537, 1024), kid="short")
        curve = Key(ec.generate_private_key(ec.SECP384R1()), "ES256", kid="curve")
        for words, key, jwk in (
            ("private", OTHER, {**json.loads(RSAAlgorithm.to_jwk(RSA[1])), "kid": "first"}),
            ("for encryption", OTHER, {**OTHER.jwk, "use": "enc"}),
            ("for another algorithm", OTHER, {**OTHER.jwk, "alg": "RS512"}),
            ("short", short, short.jwk),
            ("another curve", curve, curve.jwk),
            ("a secret", OTHER, {"kty": "oct", "k": encoded(b"secret"), "kid": "first"}),
            ("broken", OTHER, {**OTHER.jwk, "n": "!"}),
            ("no key", OTHER, 7),
        ):
            with self.subTest(words):
                self.refused(key.signed(self.claims), jwk, kind=tokens.UnknownKey)
        self.assertEqual(self.read(OTHER.signed(self.claims), 7, OTHER)["subject"], "anna-7")


if __name__ == "__main__":
    unittest.main()
