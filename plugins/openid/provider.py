"""The identity provider: what it says of itself, where people log in, and who it says they are.

Sources: OpenID Connect Discovery 1.0; RFC 6749 (code flow), 6750, 7636 (PKCE), 9700 (what to heed today).
"""

import base64
import hashlib
import re
import secrets
import threading
import time
import urllib.parse

import requests
import tokens
from pluginkit import log
from requests.auth import HTTPBasicAuth
from texts import gettext
from web import BoundedAdapter, TooLarge, TooSlow, decoded, explained, secure_session

AGENT = "homeward-openid/1.0"
ANSWER_BYTES = 256 << 10
# What a provider says of itself counts for an hour, and no longer than it answers.
KNOWN_SECONDS = 3600
LOOPBACK = re.compile(r"http://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(/[^\s?#@]*)?")
SECURE = re.compile(r"https://[^\s/?#@]+(/[^\s?#]*)?", re.IGNORECASE)
SCOPE = "openid email"


class Failure(Exception):
    """Why nobody is logged in: a word for the gateway, and a sentence for the owner."""

    def __init__(self, word, text):
        super().__init__(text)
        self.word, self.text = word, text


def is_issuer(address):
    """Whether an address is one of a provider: by TLS, or on this machine."""
    return address.isprintable() and any(one.fullmatch(address) for one in (SECURE, LOOPBACK))


def challenge(verifier):
    """What the provider gets in the place of a verifier (S256)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


class Provider:
    """One identity provider, as this gateway is known there; may be asked from several threads."""

    def __init__(self, issuer, client, secret=None, ca_file=None, seconds=6):
        self.address, self.client, self.secret = issuer.rstrip("/"), client, secret
        self.ca_file, self.seconds = ca_file, seconds
        self.lock = threading.Lock()
        self.known, self.known_until, self.keys = None, 0, None

    # What the gateway asks

    def begin(self, redirect):
        """Where a browser logs in, and what has to be there again when it comes back."""
        # Nobody is led to a provider that is away.
        about = self.about(is_fresh=True)
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        asked = {
            "response_type": "code",
            "client_id": self.client,
            "redirect_uri": redirect,
            "scope": SCOPE,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge(verifier),
            "code_challenge_method": "S256",
        }
        parts = urllib.parse.urlsplit(about["authorization_endpoint"])
        query = "&".join(part for part in (parts.query, urllib.parse.urlencode(asked)) if part)
        url = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))
        return {"url": url, "state": state, "secrets": {"nonce": nonce, "verifier": verifier}}

    def finish(self, redirect, code, nonce, verifier):
        """Who came back with a code: `{issuer, subject, name?}`."""
        about = self.about()
        answer = self.exchange(about, redirect, code, verifier)
        issuer, access = about["issuer"], answer.get("access_token", "")
        try:
            try:
                return tokens.identity(answer.get("id_token"), self.key_set(about), issuer, self.client, nonce, access)
            except tokens.UnknownKey:
                # A provider changes its keys when it wants.
                fresh = self.key_set(about, is_fresh=True)
                return tokens.identity(answer.get("id_token"), fresh, issuer, self.client, nonce, access)
        except tokens.OtherTime as error:
            raise Failure("clock", f"nobody was let in: {error}") from None
        except tokens.Untrusted as error:
            raise Failure("untrusted", f"nobody was let in: {error}") from None

    # What the provider says of itself

    def about(self, is_fresh=False):
        """Its metadata, checked."""
        with self.lock:
            if self.known is not None and time.monotonic() < self.known_until and not is_fresh:
                return self.known
        about = self.get(f"{self.address}/.well-known/openid-configuration")
        self.check(about)
        with self.lock:
            if self.known is not None and self.known["jwks_uri"] != about["jwks_uri"]:
                self.keys = None
            self.known, self.known_until = about, time.monotonic() + KNOWN_SECONDS
        return about

    def forget(self):
        """Has it say anew who it is, as after a change of its addresses."""
        with self.lock:
            self.known = None

    def check(self, about):
        wrong = None
        if not isinstance(about.get("issuer"), str) or about["issuer"].rstrip("/") != self.address:
            wrong = "issuer"
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not self.is_safe(about.get(name)):
                wrong = name
        if wrong:
            raise Failure(
                "refused",
                gettext("what the provider says of itself does not fit ({member}); is issuer right?", member=wrong),
            )
        methods = about.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if self.secret and isinstance(methods, list) and "client_secret_basic" not in methods:
            log("warning", "the provider does not say that it takes client_secret_basic; it is tried all the same")

    def is_safe(self, address):
        """Whether an endpoint may be asked: by TLS, or on this machine where the provider is."""
        if not isinstance(address, str) or not address.isprintable():
            return False
        bare = address.partition("?")[0]
        return bool(SECURE.fullmatch(bare) or (LOOPBACK.fullmatch(bare) and LOOPBACK.fullmatch(self.address)))

    def key_set(self, about, is_fresh=False):
        """By which keys it signs."""
        with self.lock:
            keys = self.keys
        if keys is None or is_fresh:
            keys = self.get(about["jwks_uri"])
            with self.lock:
                self.keys = keys
        return keys

    # What is sent

    def exchange(self, about, redirect, code, verifier):
        """What it gives for a code."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        auth = None
        if self.secret:
            # Both are encoded as in a form before they are in Base64: RFC 6749, section 2.3.1.
            auth = HTTPBasicAuth(urllib.parse.quote_plus(self.client), urllib.parse.quote_plus(self.secret))
        else:
            form["client_id"] = self.client
        answer = self.send("POST", about["token_endpoint"], data=form, auth=auth)
        content = decoded(answer)
        content = content if isinstance(content, dict) else {}
        if answer.status_code == 200 and content:
            return content
        error = content.get("error")
        error = error if isinstance(error, str) and re.fullmatch(r"[a-z_]{1,40}", error) else answer.status_code
        if error == "invalid_grant":
            raise Failure("used", f"the provider takes a code no longer ({error})")
        raise Failure(
            "refused",
            gettext("the provider refuses this gateway ({error}); are clientId and clientSecret right?", error=error),
        )

    def get(self, address):
        """An object that it tells."""
        answer = self.send("GET", address)
        content = decoded(answer)
        if answer.status_code != 200 or not isinstance(content, dict):
            self.forget()
            raise Failure(
                "refused",
                gettext(
                    "the provider tells nothing at {address} ({status})", address=address, status=answer.status_code
                ),
            )
        return content

    def send(self, method, address, **options):
        # A session is no more than one thread's.
        with secure_session(AGENT, self.ca_file, ANSWER_BYTES, self.seconds) as session:
            if LOOPBACK.fullmatch(self.address):
                session.mount("http://", BoundedAdapter(ANSWER_BYTES, self.seconds))
            session.headers["Accept"] = "application/json"
            try:
                answer = session.request(method, address, allow_redirects=False, **options)
            except requests.exceptions.RequestException as error:
                self.forget()
                raise Failure("unreachable", explained(error)[1]) from None
            except (TooSlow, TooLarge):
                self.forget()
                raise Failure("unreachable", gettext("the provider did not answer in time")) from None
        if answer.status_code == 429 or answer.status_code >= 500:
            self.forget()
            raise Failure("unreachable", gettext("the provider answers {status}", status=answer.status_code))
        return answer
