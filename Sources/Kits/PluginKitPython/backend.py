"""A server that takes JSON by HTTPS: asked within bounds, and understood in the owner's words."""

import re
import time

import requests
from delivery import Later, Refused
from texts import gettext
from web import TooLarge, TooSlow, explained, retry_after, secure_session

MAXIMUM_BYTES = 1 << 20
SECONDS = 12
# A connection that nobody used for so long may be cut off somewhere on its way without either end knowing.
IDLE_SECONDS = 30
# Some servers slow down for whoever comes with a wrong secret, and some lock them out.
UNAUTHORISED_PAUSE = 300


class Backend:
    """One server."""

    def __init__(self, agent, url, ca_file):
        self.url = url
        self.session = secure_session(agent, ca_file, MAXIMUM_BYTES, SECONDS)
        self.used = time.monotonic()

    def request(self, method, path, **options):
        """The answer, whatever its status, or `Later`. Nothing is sent on to where a server sends us."""
        if time.monotonic() - self.used > IDLE_SECONDS:
            self.session.close()
        try:
            response = self.session.request(method, self.url + path, allow_redirects=False, **options)
        except TooLarge:
            raise Later("answer", gettext("the server's answer is too large; check the address")) from None
        except TooSlow:
            raise Later("too-slow", gettext("the server takes too long to answer")) from None
        except requests.exceptions.RequestException as error:
            raise Later(*explained(error)) from None
        finally:
            self.used = time.monotonic()
        if 300 <= response.status_code < 400 and response.status_code != 304:
            raise Later("redirects", gettext("the server sends us to another address; set that one, with https"))
        return response

    def trouble(self, response, said):
        """What an answer means that is no success: `Refused` where the event can never be taken, `Later` otherwise."""
        status = response.status_code
        if status in (400, 413, 422):
            if said:
                return Refused(gettext("the server answers {status}: {said}", status=status, said=said))
            return Refused(gettext("the server answers {status}", status=status))
        return Later("answer", gettext("the server answers {status}", status=status), retry_after(response.headers))


def unauthorised(message):
    """Trouble that the owner has to mend."""
    return Later("unauthorised", message, UNAUTHORISED_PAUSE, state="failed")


def one_line(said):
    """What a server said, short and printable; nothing for what is no text."""
    return " ".join(re.sub(r"[^\x20-\U0010ffff]|[\x7f-\x9f]", " ", said).split())[:200] if isinstance(said, str) else ""
