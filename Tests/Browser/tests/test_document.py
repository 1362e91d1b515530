"""The OpenAPI document is true: tools that know nothing else of Homeward test it, and make a client that works."""

import datetime
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import jsonschema_rs
from house import PASSWORD, PROGRAMS, ROOT, House

WHOLE = os.environ.get("HOMEWARD_WHOLE_TESTS") == "1"
TOOLS = pathlib.Path(sys.executable).parent
# The gateway is on this computer; no proxy leads there.
ENVIRONMENT = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}


class DocumentTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.addClassCleanup(cls.house.close)
        cls.token = cls.house.token("anna@example.org")
        cls.document = json.loads(cls.house.get("/api/v1/openapi.json")[2])

    def test_the_command_line_prints_what_the_pages_give(self):
        printed = subprocess.check_output([PROGRAMS / "homeward", "openapi"], text=True)
        self.assertEqual(json.loads(printed), self.document)

    def test_whatever_fits_the_document_is_answered_as_it_says(self):
        # What a value has to be besides, such as a password's length, no schema says: to refuse that is no fault.
        command = [TOOLS / "schemathesis", "--config-file", ROOT / "Tests/Browser/schemathesis.toml", "run",
                   f"{self.house.base}/api/v1/openapi.json", "--header", f"Authorization: Bearer {self.token}",
                   "--seed", "1", "--no-color", "--suppress-health-check", "all",
                   "--exclude-operation-id", "watchEvents", "--exclude-checks", "positive_data_acceptance",
                   *(("--max-examples", "20") if WHOLE else ("--phases", "fuzzing", "--max-examples", "2")),
                   ]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, text=True, capture_output=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr)
        self.assertGreater(int(re.search(r"(\d+) passed", done.stdout.split("Test cases:")[1]).group(1)), 250)

    def test_a_client_made_from_the_document_works(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        description = pathlib.Path(folder, "homeward.json")
        description.write_text(json.dumps(self.document))
        subprocess.run([TOOLS / "openapi-python-client", "generate", "--path", description, "--meta", "none",
                        "--output-path", f"{folder}/homeward_client"], check=True, capture_output=True)  # fmt: skip
        sys.path.insert(0, folder)
        self.addCleanup(sys.path.remove, folder)
        client, models = (importlib.import_module(f"homeward_client{part}") for part in ("", ".models"))

        def done(name, **members):
            module = importlib.import_module(f"homeward_client.api.{name}")
            answer = module.sync_detailed(client=own, **members)
            self.assertEqual(answer.status_code, 200, answer.content)
            return answer.parsed

        unset = importlib.import_module("homeward_client.types").UNSET
        own = client.Client(self.house.base, httpx_args={"trust_env": False})
        entered = done("account.account_log_in", body=models.AccountLogInBody("bo@example.org", PASSWORD))
        self.assertTrue(entered["token"])
        own = client.AuthenticatedClient(self.house.base, token=entered["token"], httpx_args={"trust_env": False})
        park = models.SafeZone("park", "mary", "The park", center=models.Coordinate(40.02, -74.02), radius_meters=80.0)
        done("zone.zone_put", body=models.ZonePutBody(park))
        zones = {zone.name: zone for zone in done("zones.zones_list", resident="mary")}
        self.assertEqual((zones["The park"].center.latitude, zones["The park"].radius_meters), (40.02, 80.0))
        now = datetime.datetime.now(datetime.UTC)
        note = models.Note("keys", "mary", models.NoteKind.MEMO, now, now, title="Keys", text="In the blue bowl.")
        done("note.note_put", body=models.NotePutBody(note))
        self.assertEqual([one.text for one in done("notes.notes_query", resident="mary", limit=1)], [note.text])
        later = models.Note("tea", "mary", models.NoteKind.MEMO, now, now, title="Tea", text="In the cupboard.")
        done("note.note_put", body=models.NotePutBody(later))
        # A list is read to its end by the links that it tells.
        module, found, cursor = importlib.import_module("homeward_client.api.notes.notes_query"), [], unset
        while cursor is not None:
            part = module.sync_detailed(client=own, resident="mary", limit=1, cursor=cursor)
            self.assertEqual((part.status_code, len(part.parsed)), (200, 1), part.content)
            found += [one.text for one in part.parsed]
            link = re.fullmatch(r'<(/api/v1/notes/query\?[^>]+)>; rel="next"', part.headers.get("Link", ""))
            cursor = urllib.parse.parse_qs(link[1].split("?")[1])["cursor"][0] if link else None
        self.assertEqual(sorted(found), sorted([later.text, note.text]))
        module = importlib.import_module("homeward_client.api.zones.zones_list")
        self.assertEqual(module.sync(client=own, resident="ben").code, "forbidden")

    def test_each_answer_looks_as_the_document_says(self):
        asked = 0
        self.fill()
        for path, operations in self.document["paths"].items():
            operation = operations.get("get")
            if not path.startswith("/api/") or not operation:
                continue
            for name in ("mary", "ben"):
                fields = {"resident": name, "text": "Homeward", "at": '{"latitude":40.0,"longitude":-74.0}',
                          "zoom": "12", "column": "1", "row": "1", "limit": "5", "types": "zone",
                          "id": {"/note/get": "keys", "/tag/get": "wallet", "/glucose/get": "first",
                                 "/event/get": self.event}.get(path.removeprefix("/api/v1"), "none")}  # fmt: skip
                takes = {one["name"]: one for one in operation["parameters"] if one["in"] == "query"}
                used = [f"{one}={fields[one]}" for one in takes if one in fields]
                with self.subTest(path=path, fields=used):
                    status, _, text = self.house.get(f"{path}?{'&'.join(used)}".replace('"', "%22"), self.token)
                    self.assertIn(status, (200, 404, 409), text)
                    if status == 200:
                        asked += 1
                        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
                        whole = {**schema, "components": self.document["components"]}
                        jsonschema_rs.validator_for(whole).validate(json.loads(text))
        self.assertGreater(asked, 45)

    def fill(self):
        """Puts something of each kind into the house."""
        do, now = self.house.do, datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        mary = {"id": "first", "resident": "mary", "name": "First"}
        place = {"latitude": 40.02, "longitude": -74.02}
        ring = [[-74.02, 40.02], [-74.01, 40.02], [-74.01, 40.03], [-74.02, 40.02]]
        do("zone.put", zone={**mary, "border": {"type": "Polygon", "coordinates": [ring]}, "hours": "08:00-20:00"})
        do("bookmark.put", bookmark={**mary, "coordinate": place})
        do("guardian.put", guardian={**mary, "phone": "+4791234567", "withoutChannels": ["voice"]})
        do("absence.put", absence={**mary, "days": ["MO"], "from": "09:00", "until": "16:00"})
        do("note.put", note={"id": "keys", "resident": "mary", "kind": "memo", "title": "Keys", "time": now,
                             "changedAt": now})  # fmt: skip
        do("message.send", target="first", resident="mary", sender="Anna", text="Good morning.")
        do("glucose.put", reading={"id": "first", "resident": "mary", "level": "112", "unit": "mg/dL", "time": now,
                                   "receivedAt": now, "source": "hand"})  # fmt: skip
        do("tag.put", tag={"id": "wallet", "resident": "mary", "name": "Wallet", "kind": "wallet"},
           identities=["address:C0:11:22:33:44:55/random"])  # fmt: skip
        schedule = {"kind": "calendar", "start": "2026-01-01T08:00", "timeZone": "UTC", "rrule": "FREQ=DAILY"}
        do("routine.put", item={"id": "pill", "resident": "mary", "title": "The pill", "schedule": schedule})
        do("routine.put", item={"id": "spray", "resident": "mary", "title": "The spray", "schedule": {
            "kind": "as-needed", "minimumGapMinutes": 60, "dailyMaximum": 3}})  # fmt: skip
        do("routine.answer", target="spray", answer="done")
        do("consent.put", target="mary", kind="camera", isGranted=True, by="Anna")
        do("sos.raise", target="mary")
        self.event = json.loads(self.house.get("/api/v1/events/query?resident=mary&limit=1", self.token)[2])[0]["id"]


if __name__ == "__main__":
    unittest.main()
