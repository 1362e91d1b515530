"""A FHIR R4 server: conditional create, search by identifier, update.

- Source: FHIR 4.0.1, RESTful API.
"""

import json
import re
import urllib.parse
from decimal import Decimal

from backend import Backend, one_line, unauthorised
from delivery import Later
from observation import READINGS, is_ours
from texts import gettext
from web import decoded

AGENT = "homeward-fhir/1.0"
JSON = "application/fhir+json"
ID = re.compile(r"[A-Za-z0-9.-]{1,64}", re.ASCII)


def encoded(value):
    """JSON with decimal numbers digit by digit: 5.60 says more than 5.6."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{encoded(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(encoded, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def not_fhir():
    return Later("not-fhir", gettext("the address answers, but not as FHIR R4 does; check the server's base address"))


class Server(Backend):
    """One server, by its base address."""

    def __init__(self, url, token, ca_file):
        super().__init__(AGENT, url, ca_file)
        self.token = token

    def ask(self, method, path, resource=None, **headers):
        """An answer that is neither a refusal of the access nor the server's own trouble."""
        headers["Accept"] = JSON
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        body = None
        if resource is not None:
            body, headers["Content-Type"] = encoded(resource).encode(), JSON
        response = self.request(method, path, headers=headers, data=body)
        if response.status_code == 401 and not self.token:
            raise unauthorised(gettext("the server wants a token; ask its owner for one, and set token"))
        if response.status_code == 401:
            raise unauthorised(gettext("the server refuses the token; ask for a new one, and set token"))
        if response.status_code == 403:
            raise unauthorised(gettext("the token may not do this; it needs to read and write Observations"))
        if response.status_code == 429 or response.status_code >= 500:
            raise self.trouble(response, "")
        return response

    def create(self, resource, reading_id):
        """Creates what is not there yet."""
        response = self.ask("POST", "/Observation", resource, **{"If-None-Exist": self.query(reading_id)})
        # 412: several bear the identifier, so one does.
        if response.status_code not in (200, 201, 412):
            raise self.refusal(response)
        if response.status_code == 200 and response.content and not self.is_resource(response):
            raise not_fhir()

    def change(self, reading_id, made):
        """Has `made` make something else of what is stored of a reading; answers how many that was."""
        found = self.search(reading_id)
        for resource in found:
            version = resource.get("meta", {}).get("versionId") if isinstance(resource.get("meta"), dict) else None
            match = {"If-Match": f'W/"{version}"'} if isinstance(version, str) and ID.fullmatch(version) else {}
            response = self.ask("PUT", f"/Observation/{resource['id']}", made(resource), **match)
            if response.status_code == 410:
                continue
            if response.status_code in (409, 412):
                raise Later("changed", gettext("somebody changes the reading there at the same time"), 5)
            if response.status_code not in (200, 201, 204):
                raise self.refusal(response)
        return len(found)

    def search(self, reading_id):
        response = self.ask("GET", f"/Observation?{self.query(reading_id)}&_count=20")
        if response.status_code != 200:
            raise self.refusal(response)
        bundle = decoded(response)
        if not isinstance(bundle, dict) or bundle.get("resourceType") != "Bundle":
            raise not_fhir()
        entries = bundle.get("entry", [])
        resources = (
            [one.get("resource") for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
        )
        found = [resource for resource in resources if is_ours(resource, reading_id)]
        if not all(isinstance(one.get("id"), str) and ID.fullmatch(one["id"]) for one in found):
            raise not_fhir()
        return found

    @staticmethod
    def query(reading_id):
        # A bar, a comma, a dollar and a backslash mean something in a search.
        value = re.sub(r"([\\,|$])", r"\\\1", reading_id)
        return "identifier=" + urllib.parse.quote(f"{READINGS}|{value}", safe="")

    @staticmethod
    def is_resource(response):
        answer = decoded(response)
        return isinstance(answer, dict) and isinstance(answer.get("resourceType"), str)

    def refusal(self, response):
        if response.status_code in (404, 405, 410):
            return Later(
                "address", gettext("there are no Observations at this address; check the server's base address")
            )
        return self.trouble(response, self.said(response))

    @staticmethod
    def said(response):
        """The first thing that an OperationOutcome says."""
        answer = decoded(response)
        issues = answer.get("issue") if isinstance(answer, dict) else None
        for issue in issues if isinstance(issues, list) else []:
            if isinstance(issue, dict):
                details = issue.get("details")
                text = details.get("text") if isinstance(details, dict) else None
                if one_line(issue.get("diagnostics")) or one_line(text):
                    return one_line(issue.get("diagnostics")) or one_line(text)
        return ""
