"""HTTPS for plugins: checked certificates, and answers bounded in size and time, whichever library asks."""

import json
import re
import time
from decimal import Decimal

import requests
from requests.adapters import HTTPAdapter
from texts import gettext

CONNECT_SECONDS = 20
READ_SECONDS = 30
REDIRECTS = 5


class TooLarge(Exception):
    """The answer is larger than anything that fits here."""


class TooSlow(Exception):
    """The answer did not come in time."""


class BoundedAdapter(HTTPAdapter):
    """Reads no answer beyond a size and a time."""

    def __init__(self, maximum_bytes, seconds):
        self.maximum_bytes, self.seconds = maximum_bytes, seconds
        super().__init__()

    def send(self, request, **options):
        deadline, body = time.monotonic() + self.seconds, bytearray()
        options["stream"] = True
        options["timeout"] = (min(CONNECT_SECONDS, self.seconds), min(READ_SECONDS, self.seconds))
        response = super().send(request, **options)
        try:
            for block in response.iter_content(65_536):
                body += block
                if len(body) > self.maximum_bytes:
                    raise TooLarge
                if time.monotonic() > deadline:
                    raise TooSlow
        finally:
            response.close()
        response._content = bytes(body)
        return response


def check_url(url):
    """The address without its last slash, or nothing when it is none of https."""
    match = re.fullmatch(r"https://[^\s/?#@]+(/[^\s?#]*)?", url, re.IGNORECASE)
    return url.rstrip("/") if match and url.isprintable() else None


def refuse_constant(name):
    raise ValueError(name)


def decoded(response):
    """The JSON of an answer, with numbers digit by digit, or nothing."""
    try:
        text = response.content.decode("utf-8")
        return json.loads(text, parse_float=Decimal, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return None


def secure_session(agent, ca_file, maximum_bytes, seconds):
    """A session with nothing but checked TLS; proxies and password files of the environment are not looked at."""
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = REDIRECTS
    session.verify = ca_file or True
    session.headers["User-Agent"] = agent
    session.adapters.clear()
    session.mount("https://", BoundedAdapter(maximum_bytes, seconds))
    return session


def retry_after(headers):
    """In how many seconds a server wants to be asked again, or nothing."""
    after = headers.get("Retry-After", "")
    return max(1, min(86_400, int(after))) if re.fullmatch(r"\d{1,9}", after, re.ASCII) else None


def explained(error):
    """What a failure of `requests` means to the owner: a code and a sentence."""
    kinds = requests.exceptions
    if isinstance(error, kinds.SSLError):
        return "certificate", gettext("the server's certificate is not trusted, expired or of another name")
    if isinstance(error, kinds.InvalidSchema | kinds.InvalidURL):
        return "address", gettext("the address, or where the server sends us, is none of https")
    if isinstance(error, kinds.TooManyRedirects):
        return "redirects", gettext("the server sends us from one address to the next")
    return "unreachable", gettext("the server cannot be reached, or breaks off; is the network there?")
