"""Drives the plugin over pipes, as the host would, against a server that plays Nominatim and Photon."""

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from json_server import CERTIFICATE, JSONServer, SplitMix64
from places import MOST_CHARACTERS, Nominatim, Photon
from plugin_host import Host

PLUGIN = Path(__file__).resolve().parent.parent / "find.py"

# The shape of both answers is from the servers' documentation; the places are invented.
NOMINATIM = {
    "place_id": 1, "osm_type": "node", "osm_id": 2, "lat": "30.0009001", "lon": "-39.9987148", "category": "place",
    "type": "house", "addresstype": "place", "name": "", "display_name": "9, Lindengasse, Ahrenstett, 9001",
    "address": {"house_number": "9", "road": "Lindengasse", "town": "Ahrenstett", "postcode": "9001"},
}  # fmt: skip
PHOTON = {
    "type": "Feature", "geometry": {"type": "Point", "coordinates": [-39.9987148, 30.0009001]},
    "properties": {
        "osm_key": "place", "osm_value": "house", "type": "house", "housenumber": "9", "street": "Lindengasse",
        "city": "Ahrenstett", "postcode": "9001",
    },
}  # fmt: skip
EXPECTED = {
    "name": "Lindengasse 9", "address": "Lindengasse 9, 9001 Ahrenstett", "latitude": 30.0009001,
    "longitude": -39.9987148, "kind": "address",
}  # fmt: skip


class Server(JSONServer):
    """Knows one address."""

    def play(self, request):
        if request.path.endswith("/api"):
            return 200, {}, {"type": "FeatureCollection", "features": [PHOTON]}
        if request.path.endswith("/search"):
            return 200, {}, [NOMINATIM]
        if request.path.endswith("/reverse") and "format" in request.query:
            return 200, {}, NOMINATIM
        if request.path.endswith("/reverse"):
            return 200, {}, {"type": "FeatureCollection", "features": [PHOTON]}
        return 404, {}, b"nothing here"


class Asked(unittest.TestCase):
    """The plugin beside a server."""

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)

    def start(self, **settings):
        host = Host(str(PLUGIN))
        self.addCleanup(host.close)
        words = {"url": self.server.url("/maps/"), "kind": "nominatim", "caFile": CERTIFICATE.file, **settings}
        self.answer = host.start(("network",), **words)
        return host

    @staticmethod
    def ask(host, service, **params):
        return host.call(f"service.{service}.outside", json.dumps(params))

    def test_both_kinds_find_an_address_by_its_words(self):
        for kind, path in (("nominatim", "/maps/search"), ("photon", "/maps/api")):
            answer = self.ask(self.start(kind=kind), "geocode", text=" Lindengasse  9 ", limit=3)
            self.assertEqual(answer["result"], {"places": [EXPECTED]})
            (request,) = self.server.seen()
            self.assertEqual((request.path, request.query["q"], request.query["limit"]), (path, "Lindengasse 9", "3"))
            self.assertIn("homeward", request.headers["User-Agent"])

    def test_both_kinds_find_an_address_by_its_position_where_the_owner_lets_them(self):
        for kind in ("nominatim", "photon"):
            host = self.start(kind=kind, tellsPositions=True)
            answer = self.ask(host, "reverse", latitude=30.00090012, longitude=-39.99871489)
            self.assertEqual(answer["result"], {"place": EXPECTED})
            (request,) = self.server.seen()
            self.assertEqual((request.query["lat"], request.query["lon"]), ("30.00090", "-39.99871"))

    def test_no_position_is_sent_unless_the_owner_lets_it(self):
        near = {"latitude": 30.123456, "longitude": -39.987654}
        for kind in ("nominatim", "photon"):
            host = self.start(kind=kind)
            self.ask(host, "geocode", text="Lindengasse", near=near)
            answer = self.ask(host, "reverse", latitude=30.1, longitude=-39.9)
            self.assertEqual(answer["error"]["code"], 1001)
            self.assertIn("tellsPositions", answer["error"]["message"])
            (request,) = self.server.seen()
            self.assertTrue(set(request.query) <= {"q", "format", "addressdetails", "limit"}, request.query)

    def test_where_an_address_is_wanted_is_told_roughly(self):
        near = {"latitude": 30.123456, "longitude": -39.987654}
        self.ask(self.start(tellsPositions=True), "geocode", text="a", near=near)
        self.ask(self.start(tellsPositions=True, kind="photon"), "geocode", text="a", near=near)
        nominatim, photon = self.server.seen()
        self.assertEqual(nominatim.query["viewbox"], "-40.29,30.32,-39.69,29.92")
        self.assertEqual((photon.query["lat"], photon.query["lon"]), ("30.12", "-39.99"))

    def test_the_same_question_is_asked_once(self):
        host = self.start()
        for _ in range(3):
            self.assertEqual(self.ask(host, "geocode", text="Lindengasse 9")["result"], {"places": [EXPECTED]})
        self.assertEqual(len(self.server.seen()), 1)

    def test_what_cannot_be_understood_is_refused_and_asks_nobody(self):
        host = self.start(tellsPositions=True)
        near = {"latitude": 99, "longitude": 0}
        for service, params, word in (
            ("geocode", {}, "text"), ("geocode", {"text": 3}, "text"), ("geocode", {"text": "  "}, "text"),
            ("geocode", {"text": "a", "limit": 0}, "limit"), ("geocode", {"text": "a", "limit": True}, "limit"),
            ("geocode", {"text": "a", "near": near}, "near"), ("geocode", {"text": "a", "near": 3}, "near"),
            ("reverse", {"latitude": 91, "longitude": 0}, "latitude"),
            ("reverse", {"latitude": True, "longitude": 0}, "latitude"),
        ):  # fmt: skip
            answer = self.ask(host, service, **params)
            self.assertEqual(answer["error"]["code"], -32602, params)
            self.assertIn(word, answer["error"]["message"])
        answer = host.call("service.geocode.outside", "[]")
        self.assertEqual(answer["error"]["code"], -32602)
        self.assertEqual(self.server.seen(), [])

    def test_very_long_words_are_cut(self):
        self.ask(self.start(), "geocode", text="ab " * 5_000)
        (request,) = self.server.seen()
        self.assertLessEqual(len(request.query["q"]), 300)

    def test_trouble_is_told_and_ends(self):
        host = self.start()
        for status, headers, body, code in (
            (500, {}, b"", "overloaded"), (403, {}, b"", "forbidden"), (429, {"Retry-After": "9"}, b"", "overloaded"),
            (200, {}, b"<html>", "not-a-server"), (200, {}, {"error": 3, "lat": []}, None),
            (200, {}, b"[" * 90_000, "not-a-server"),
            (302, {"Location": "https://example.org/"}, b"", "redirects"), (200, {}, b" " * (2 << 20), "too-large"),
        ):  # fmt: skip
            self.server.script.append((status, headers, body))
            answer = self.ask(host, "geocode", text=f"{status} {code} {len(body)}")
            if code is None:
                self.assertEqual(answer["result"], {"places": []})
                continue
            self.assertEqual(answer["error"]["code"], -32603)
            health = host.notified("health", lambda params, code=code: params["code"] == code)
            self.assertEqual((health["state"], health["detail"]), ("degraded", answer["error"]["message"]))
        self.ask(host, "geocode", text="Lindengasse 9")
        self.assertEqual(host.notified("health", lambda params: params["state"] == "working")["code"], "")

    def test_a_server_that_went_away_is_told(self):
        host = self.start()
        self.server.close()
        answer = self.ask(host, "geocode", text="Lindengasse")
        self.assertIn("cannot be reached", answer["error"]["message"])
        self.server.open()
        self.assertEqual(self.ask(host, "geocode", text="Lindengasse")["result"], {"places": [EXPECTED]})

    def test_a_certificate_that_nobody_trusts_is_told(self):
        host = Host(str(PLUGIN))
        self.addCleanup(host.close)
        host.start(("network",), url=self.server.url(), kind="photon")
        self.assertIn("certificate", self.ask(host, "geocode", text="a")["error"]["message"])

    def test_an_address_that_is_not_https_is_refused(self):
        for url in ("http://example.org", "ftp://example.org", "https://user@example.org", "https://a b"):
            self.start(url=url)
            self.assertIn("https", self.answer["error"]["message"])


class Strangers(unittest.TestCase):
    """Answers that no server should give."""

    def test_texts_are_short_and_on_one_line(self):
        odd = {**NOMINATIM, "name": "a\nb\u202ec\x00" + "x" * 5000}
        (found,) = Nominatim.places([odd])
        self.assertEqual(found["name"][:5], "a b c")
        self.assertLessEqual(len(found["name"]), MOST_CHARACTERS)

    def test_what_has_no_position_or_no_name_is_left_out(self):
        for latitude in ("north", "1e999", None, "91", "nan", True, [], {}):
            change = {"lat": latitude}
            self.assertEqual(Nominatim.places([{**NOMINATIM, **change}]), [])
        self.assertEqual(Nominatim.places([{**NOMINATIM, "address": {}}]), [])
        for change in ({"geometry": None}, {"geometry": {"coordinates": [1]}}, {"properties": []}):
            self.assertEqual(Photon.places({"features": [{**PHOTON, **change}]}), [])

    def test_broken_answers_break_nothing(self):
        dice = SplitMix64(seed=15)
        for kind, whole in ((Nominatim, [NOMINATIM]), (Photon, {"features": [PHOTON]})):
            for _ in range(3_000):
                try:
                    answer = json.loads(dice.mutated(json.dumps(whole).encode()))
                except ValueError:
                    continue
                for found in kind.places(answer) or []:
                    self.assertTrue(found["name"] and -90 <= found["latitude"] <= 90)
                    json.dumps(found, allow_nan=False)


if __name__ == "__main__":
    unittest.main()
