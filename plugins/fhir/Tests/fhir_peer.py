"""Plays a FHIR R4 server strictly: the parts of its RESTful API that the plugin uses, by FHIR 4.0.1.

Servers with a store need Java or .NET; what PyPI has are clients, models and frameworks. What the plugin sends is
judged by two of these, which `specification.py` asks.
"""

import json
import re
import sys
import urllib.parse
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from json_server import JSONServer

TOKEN = "hush-4711"
JSON = "application/fhir+json"


def outcome(status, text):
    issue = {"severity": "error", "code": "processing", "diagnostics": text}
    return status, {"Content-Type": JSON}, {"resourceType": "OperationOutcome", "issue": [issue]}


class FHIRPeer(JSONServer):
    """A server with Observations, each with all its versions as they came."""

    def __init__(self):
        self.versions = {}
        self.deleted = set()
        self.token = TOKEN
        self.may_write = True
        super().__init__()

    def play(self, request):
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            return outcome(401, "no valid token")
        if JSON not in request.headers.get("Accept", ""):
            return outcome(406, "only JSON here")
        if request.method in ("POST", "PUT") and not self.may_write:
            return outcome(403, "scope")
        if request.method in ("POST", "PUT") and request.headers.get("Content-Type") != JSON:
            return outcome(415, "only JSON here")
        if request.path == "/fhir/Observation" and request.method == "GET":
            return self.search(request.query.get("identifier", ""))
        if request.path == "/fhir/Observation" and request.method == "POST":
            return self.create(request)
        match = re.fullmatch(r"/fhir/Observation/([A-Za-z0-9.-]{1,64})", request.path)
        if match and request.method == "PUT":
            return self.update(request, match[1])
        return outcome(404, "unknown path")

    def current(self):
        """The latest version of each Observation, with decimals as they came."""
        return {key: versions[-1] for key, versions in self.versions.items() if key not in self.deleted}

    def matching(self, criterion):
        """Ids by the token search `system|value`, where a backslash takes a meaning away."""
        parts = re.split(r"(?<!\\)\|", criterion)
        system, value = parts if len(parts) == 2 else ("", parts[0])
        value = re.sub(r"\\(.)", r"\1", value)
        return [
            key
            for key, resource in self.current().items()
            if {"system": system, "value": value} in resource["identifier"]
        ]

    def search(self, criterion):
        entries = [
            {"fullUrl": self.url(f"/fhir/Observation/{key}"), "resource": self.told(key)}
            for key in self.matching(criterion)
        ]
        warning = {"resource": {"resourceType": "OperationOutcome", "issue": []}, "search": {"mode": "outcome"}}
        bundle = {"resourceType": "Bundle", "type": "searchset", "total": len(entries), "entry": [*entries, warning]}
        return 200, {"Content-Type": JSON}, self.text(bundle)

    def told(self, key):
        version = str(len(self.versions[key]))
        return {**self.versions[key][-1], "id": key, "meta": {"versionId": version}, "text": {"status": "generated"}}

    @staticmethod
    def text(resource):
        """JSON with decimals as they came."""
        kept = []

        def plain(value):
            if isinstance(value, Decimal):
                kept.append(str(value))
                return f"\0{len(kept) - 1}\0"
            if isinstance(value, dict):
                return {name: plain(one) for name, one in value.items()}
            return [plain(one) for one in value] if isinstance(value, list) else value

        text = json.dumps(plain(resource))
        return re.sub(r'"\\u0000(\d+)\\u0000"', lambda match: kept[int(match[1])], text).encode()

    def create(self, request):
        condition = urllib.parse.parse_qs(request.headers.get("If-None-Exist", ""))
        if set(condition) != {"identifier"}:
            return outcome(400, "this server is told apart by conditions")
        found = self.matching(condition["identifier"][0])
        if len(found) > 1:
            return outcome(412, "several match")
        if found:
            return 200, {"Content-Type": JSON}, self.text(self.told(found[0]))
        resource = json.loads(request.body, parse_float=Decimal)
        if resource.get("resourceType") != "Observation" or "id" in resource:
            return outcome(422, "a new Observation without an id is wanted")
        key = f"o{len(self.versions) + 1}"
        self.versions[key] = [resource]
        return 201, {"Location": self.url(f"/fhir/Observation/{key}/_history/1")}, b""

    def update(self, request, key):
        if key in self.deleted:
            return outcome(410, "gone")
        resource = json.loads(request.body, parse_float=Decimal)
        if key not in self.versions or resource.get("id") != key:
            return outcome(400, "the id must be that of the address")
        if request.headers.get("If-Match") != f'W/"{len(self.versions[key])}"':
            return outcome(412, "another version")
        self.versions[key].append(resource)
        return 200, {}, b""
