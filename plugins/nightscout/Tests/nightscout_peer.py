"""Plays a Nightscout site strictly: the parts of its API that the plugin uses, by the sources of cgm-remote-monitor.

The real one is a Node.js server with a MongoDB behind it, neither of which Debian has in a version that it wants.
"""

import datetime
import email.utils
import hashlib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from json_server import JSONServer

SECRET = "hush-hush-4711"
TOKEN = "homeward-0123456789abcdef"
READER = "reader-0123456789abcdef"
ALL = {f"api:{name}:{what}" for name in ("entries", "treatments") for what in ("read", "create", "update", "delete")}
IMMUTABLE = ("identifier", "date", "utcOffset", "eventType", "device", "app")
LEAST_DATE = 946684800000


class Denied(Exception):
    """An answer that ends the request."""


class NightscoutPeer(JSONServer):
    """A site with its two collections; a document is a dictionary as the database holds it."""

    def __init__(self):
        self.entries, self.treatments = [], []
        self.subjects = {TOKEN: set(ALL), READER: {"api:entries:read", "api:treatments:read"}}
        self.secret = SECRET
        self.lent = {}
        self.lends = 0
        self.count = 0
        super().__init__()

    def play(self, request):
        try:
            match = re.fullmatch(r"/api/v2/authorization/request/([^/]+)", request.path)
            if match and request.method == "GET":
                return self.lend(match[1])
            match = re.fullmatch(r"/api/v3/(entries|treatments)/([^/]+)", request.path)
            if match:
                return self.version_three(request, match[1], match[2])
            match = re.fullmatch(r"/api/v1/(entries|treatments)(\.json|/[0-9a-f]{24})", request.path)
            if match:
                return self.version_one(request, match[1], match[2])
        except Denied as denied:
            return denied.args[0]
        return 404, {}, {"status": 404, "message": "Not Found"}

    # Access

    def lend(self, token):
        if token not in self.subjects:
            return 401, {}, {"status": 401, "message": "Unauthorized", "description": "Invalid/Missing"}
        self.lends += 1
        lent = f"eyJ.{self.lends}.{token[:4]}"
        self.lent[lent] = token
        return 200, {}, {"token": lent, "sub": "homeward", "iat": 1763797260, "exp": 1763797260 + 3600}

    def forget_lent(self):
        """What happens to JSON Web Tokens when the site starts anew with another key, or when they expire."""
        self.lent.clear()

    def demand(self, request, permission, denial):
        digest = hashlib.sha1(self.secret.encode()).hexdigest()
        if denial == 401 and request.headers.get("api-secret") == digest:
            return
        scheme, _, lent = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or lent not in self.lent:
            raise Denied((401, {}, {"status": 401, "message": "Missing or bad access token or JWT"}))
        if permission not in self.subjects[self.lent[lent]]:
            raise Denied((denial, {}, {"status": denial, "message": f"Missing permission {permission}"}))

    # Version 3

    def version_three(self, request, name, identifier):
        date = email.utils.parsedate_to_datetime(request.headers["Date"])
        if abs((datetime.datetime.now(datetime.UTC) - date).total_seconds()) > 300:
            raise Denied((401, {}, {"status": 401, "message": "Date header out of tolerance"}))
        documents = getattr(self, name)
        stored = next((one for one in documents if one.get("identifier") == identifier), None)
        if request.method == "DELETE":
            self.demand(request, f"api:{name}:delete", 403)
            if stored is None:
                return 404, {}, b""
            if request.query.get("permanent") == "true":
                documents.remove(stored)
            else:
                stored["isValid"] = False
            return 200, {}, {"status": 200}
        if request.method != "PUT":
            return 404, {}, {"status": 404}
        document = request.json() | {"identifier": identifier}
        if stored is not None and stored.get("isValid") is False:
            return 410, {}, {"status": 410}
        self.demand(request, f"api:{name}:{'create' if stored is None else 'update'}", 403)
        for field in IMMUTABLE if stored else ():
            if field in document and document[field] != stored.get(field):
                return 400, {}, {"status": 400, "message": f"Field {field} cannot be modified by the client"}
        if not isinstance(document.get("date"), int) or document["date"] <= LEAST_DATE:
            return 400, {}, {"status": 400, "message": "Bad or missing date field"}
        if not isinstance(document.get("utcOffset"), int) or abs(document["utcOffset"]) > 1440:
            return 400, {}, {"status": 400, "message": "Bad or missing utcOffset field"}
        if not isinstance(document.get("app"), str) or not document["app"].strip():
            return 400, {}, {"status": 400, "message": "Bad or missing app field"}
        if stored is not None:
            documents.remove(stored)
        documents.append(document)
        status = 201 if stored is None else 200
        return status, {}, {"status": status, "identifier": identifier}

    # Version 1

    def version_one(self, request, name, rest):
        documents = getattr(self, name)
        self.demand(request, f"api:{name}:read", 401)
        if request.method == "GET" and rest == ".json":
            return 200, {}, self.search(documents, request.query)
        if request.method == "DELETE" and rest != ".json":
            self.demand(request, f"api:{name}:delete", 401)
            documents[:] = [one for one in documents if one["_id"] != rest[1:]]
            return 200, {}, {"n": 1, "ok": 1}
        if request.method != "POST" or rest != ".json":
            return 404, {}, {"status": 404}
        self.demand(request, f"api:{name}:create", 401)
        return 200, {}, [self.upsert(name, documents, document) for document in request.json()]

    @staticmethod
    def search(documents, query):
        """Equal fields, and a least date: without one only the last four days are searched."""
        since = query.pop("find[date][$gte]", None) or query.pop("find[created_at][$gte]", None)
        count = int(query.pop("count", "10"))
        wanted = {re.fullmatch(r"find\[(\w+)\]", name)[1]: text for name, text in query.items()}
        if since is None:
            return []
        return [one for one in documents if all(one.get(name) == text for name, text in wanted.items())][:count]

    def upsert(self, name, documents, document):
        time = datetime.datetime.fromisoformat(document["dateString" if name == "entries" else "created_at"])
        when = time.astimezone(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        document["sysTime" if name == "entries" else "created_at"] = when
        keys = ("sysTime", "type") if name == "entries" else ("created_at", "eventType")
        stored = next((one for one in documents if all(one[key] == document[key] for key in keys)), None)
        if stored is None:
            self.count += 1
            stored = {"_id": f"{self.count:024x}"}
            documents.append(stored)
        stored.update(document)
        return stored

    def valid(self, name):
        """The documents that people see."""
        return [one for one in getattr(self, name) if one.get("isValid") is not False]
