"""Nightscout's HTTP API: version 3 with an access token, version 1 with the secret or an access token.

- Source: lib/api3/swagger.yaml, lib/api3/doc/security.md and the sources of cgm-remote-monitor 14 and 15.
"""

import email.utils
import hashlib
import re
import time
import urllib.parse

from backend import Backend, one_line, unauthorised
from delivery import Later, Refused
from texts import gettext
from web import decoded

AGENT = "homeward-nightscout/1.0"
PERMISSIONS = "api:entries:read,create,update,delete, api:treatments:read,create,update,delete"
# A JSON Web Token is good for an hour or more; where the server does not say, half an hour is.
TOKEN_SECONDS = 1800
OBJECT_ID = re.compile(r"[0-9a-f]{24}", re.ASCII)


def not_nightscout():
    return Later(
        "not-nightscout", gettext("the address answers, but not as Nightscout does; check the address of the site")
    )


class Secret:
    """The site's API_SECRET: whoever has it may do everything."""

    def __init__(self, secret):
        self.digest = hashlib.sha1(secret.encode()).hexdigest()

    def headers(self, backend):
        return {"api-secret": self.digest}

    def expire(self):
        """Whether another attempt may fare better."""
        return False

    def refusal(self):
        return unauthorised(gettext("the site refuses the secret; apiSecret must be the API_SECRET of Nightscout"))


class AccessToken:
    """A subject of Nightscout's admin tools, which may do what its roles say; the server lends it JSON Web Tokens."""

    def __init__(self, token):
        self.token = token
        self.lent, self.until = None, 0.0

    def headers(self, backend):
        if self.lent is None or time.monotonic() >= self.until:
            self.lend(backend)
        return {"Authorization": f"Bearer {self.lent}"}

    def lend(self, backend):
        path = "/api/v2/authorization/request/" + urllib.parse.quote(self.token, safe="")
        response = backend.request("GET", path)
        if response.status_code in (401, 403):
            raise unauthorised(
                gettext("the site does not know the access token; make one in Nightscout's admin tools, and set token")
            )
        answer = decoded(response)
        if response.status_code == 404 or (response.status_code == 200 and not isinstance(answer, dict)):
            raise not_nightscout()
        if response.status_code != 200:
            raise backend.trouble(response, "")
        lent = answer.get("token")
        if not isinstance(lent, str) or not re.fullmatch(r"[!-~]{1,4000}", lent):
            raise not_nightscout()
        span = [answer.get(name) for name in ("iat", "exp")]
        seconds = span[1] - span[0] - 60 if all(isinstance(one, int) for one in span) else TOKEN_SECONDS
        self.lent, self.until = lent, time.monotonic() + max(60, min(86_400, seconds))

    def expire(self):
        if self.lent is None:
            return False
        self.lent = None
        return True

    def refusal(self):
        return unauthorised(
            gettext("the access token may not do this; give its role {permissions}", permissions=PERMISSIONS)
        )


class Site(Backend):
    """What both versions of the API have in common."""

    def __init__(self, url, access, ca_file):
        super().__init__(AGENT, url, ca_file)
        self.access = access

    def ask(self, method, path, **options):
        """An answer that is neither a refusal of the access nor the server's own trouble."""
        response = self.authorised(method, path, **options)
        if response.status_code == 401 and self.access.expire():
            response = self.authorised(method, path, **options)
        if response.status_code in (401, 403):
            said = self.said(response)
            if "SSL" in said:
                raise Later("answer", gettext("the site wants https and does not see it; its proxy must say so"))
            if "date" in said.lower():
                raise Later("clock", gettext("the site finds our clock wrong; check the time here and there"))
            raise self.access.refusal()
        if response.status_code == 429 or response.status_code >= 500:
            raise self.trouble(response, "")
        return response

    def authorised(self, method, path, **options):
        # Version 3 of Nightscout 14 wants the date.
        headers = {"Date": email.utils.formatdate(usegmt=True), "Accept": "application/json"}
        return self.request(method, path, headers=headers | self.access.headers(self), **options)

    @staticmethod
    def said(response):
        answer = decoded(response)
        return one_line(answer.get("message")) if isinstance(answer, dict) else ""


class VersionThree(Site):
    """Each document has its own address, so that doing a thing twice does no harm."""

    def put(self, collection, document, is_new):
        path = f"/api/v3/{collection}/{document['identifier']}"
        response = self.ask("PUT", path, json=document)
        if response.status_code == 400 and "cannot be modified" in self.said(response):
            # Time, kind and device of a document never change there: another takes its place.
            self.remove(path, permanent=True)
            response = self.ask("PUT", path, json=document)
        if response.status_code == 410:
            return  # Somebody removed it there: it stays removed.
        if response.status_code == 404:
            raise Later("no-version-3", gettext("the site has no API version 3; set api: v1 for this site"))
        if response.status_code not in (200, 201, 204):
            raise self.trouble(response, self.said(response))
        if response.status_code == 200 and not isinstance(decoded(response), dict):
            raise not_nightscout()

    def delete(self, collection, identifier, for_good):
        """Removes a document. Other programs learn of it, but no other document can have its name, unless for good."""
        self.remove(f"/api/v3/{collection}/{identifier}", permanent=for_good)

    def remove(self, path, permanent):
        response = self.ask("DELETE", path, params={"permanent": "true"} if permanent else None)
        if response.status_code not in (200, 204, 404, 410):
            raise self.trouble(response, self.said(response))


class VersionOne(Site):
    """Documents are found by what is in them; the server joins those of one kind and one time."""

    # Without a limit of time only the last days are looked at.
    SINCE = {"entries": ("find[date][$gte]", "1"), "treatments": ("find[created_at][$gte]", "2000-01-01")}  # noqa: RUF012

    def put(self, collection, document, is_new):
        if not is_new:
            self.delete(collection, document["identifier"], for_good=True)
        response = self.ask("POST", f"/api/v1/{collection}.json", json=[document])
        if response.status_code == 404:
            raise not_nightscout()
        if response.status_code not in (200, 201):
            raise self.trouble(response, self.said(response))
        if not isinstance(decoded(response), list):
            raise not_nightscout()

    def delete(self, collection, identifier, for_good):
        """Removes the documents that bear the identifier, each by its own id: never by a search that might err."""
        since, least = self.SINCE[collection]
        params = {"find[identifier]": identifier, since: least, "count": "10"}
        response = self.ask("GET", f"/api/v1/{collection}.json", params=params)
        found = decoded(response)
        if response.status_code != 200 or not isinstance(found, list):
            raise not_nightscout()
        for document in found:
            if isinstance(document, dict) and document.get("identifier") == identifier:
                self.delete_one(collection, document.get("_id"))

    def delete_one(self, collection, object_id):
        if not isinstance(object_id, str) or not OBJECT_ID.fullmatch(object_id):
            raise Refused(
                gettext("the site holds the reading in a way that cannot be removed; remove it there by hand")
            )
        response = self.ask("DELETE", f"/api/v1/{collection}/{object_id}")
        if response.status_code not in (200, 204, 404):
            raise self.trouble(response, self.said(response))
