"""The kit for plugins in Python: the protocol over pipes, batches with their outcomes, and the reading of readings."""

import io
import json
import re
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Support" / "PluginPeers"))
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Sources" / "Kits" / "PluginKitPython"))

import backend
import delivery
import pluginkit
import readings
import web
from json_server import SplitMix64, glucose
from plugin_host import ROOT, WAIT_SECONDS, Host
from plugin_texts import kit_copies


class Written(io.BytesIO):
    """What a plugin writes, line by line, to be waited for."""

    def __init__(self):
        super().__init__()
        self.arrived = threading.Condition()
        self.messages = []

    def write(self, data):
        with self.arrived:
            self.messages.append(json.loads(data))
            self.arrived.notify_all()

    def answer(self, request_id):
        with self.arrived:
            found = lambda: next((one for one in self.messages if one.get("id") == request_id), None)  # noqa: E731
            self.arrived.wait_for(found, WAIT_SECONDS)
            return found()


class Place(delivery.Destination):
    """Takes events as its script says; what is no exception is called."""

    def __init__(self, name):
        super().__init__(name)
        self.script, self.taken = {}, []

    def carry(self, event):
        step = self.script.get(event["id"])
        if isinstance(step, Exception):
            raise step
        if step is not None:
            step()
        self.taken.append(event["id"])


class Reader:
    """A standard error that takes nothing until it is told to."""

    def __init__(self):
        self.may_go, self.lines = threading.Event(), []

    def write(self, text):
        self.may_go.wait(WAIT_SECONDS)
        self.lines.append(text)

    def flush(self):
        pass


class LogTests(unittest.TestCase):
    def test_nobody_waits_for_whoever_reads_the_log(self):
        # A stream of its own: what other tests still have to say goes to standard error.
        reader = Reader()
        log = pluginkit.Log(reader)
        for number in range(1000):
            log.write(f"info: {number}")
        reader.may_go.set()
        log.drain()
        lines = "".join(reader.lines).splitlines()
        notices = [line for line in lines if line.startswith("warning: ")]
        self.assertEqual(len(notices), 1)
        self.assertEqual(lines[-1], notices[0])
        kept = len(lines) - 1
        self.assertLessEqual(kept, log.LINES + 1)
        self.assertEqual(lines[:kept], [f"info: {number}" for number in range(kept)])
        self.assertIn(f" {1000 - kept} lines were dropped", notices[0])


class LookUpTests(unittest.TestCase):
    """What a plugin asks of what the gateway knows."""

    def ask(self, reply):
        plugin = pluginkit.Plugin(Written())
        found = []

        def go():
            try:
                found.append(plugin.look_up("zones.list", {"resident": "mary"}, WAIT_SECONDS))
            except pluginkit.Unanswered as unanswered:
                found.append((unanswered.code, str(unanswered)))

        thread = threading.Thread(target=go)
        thread.start()
        asked = plugin.output.answer(1)
        plugin.handle(json.dumps({"jsonrpc": "2.0", "id": 1, **reply}).encode())
        thread.join(WAIT_SECONDS)
        self.assertEqual((asked["method"], asked["params"]["method"]), ("request", "zones.list"))
        self.assertEqual(asked["params"]["params"], {"resident": "mary"})
        return found[0]

    def test_the_answer_is_that_of_the_question(self):
        self.assertEqual(self.ask({"result": {"result": [{"id": "home"}]}}), [{"id": "home"}])

    def test_a_list_is_looked_through_to_its_end(self):
        asked = []
        parts = {None: {"result": [1, 2], "next": "c1"}, "c1": {"result": [], "next": "c2"}, "c2": {"result": [3]}}

        class Asking(pluginkit.Plugin):
            def require(self, method, params, seconds):
                asked.append((method, json.loads(json.dumps(params))))
                return parts[params["params"].get("cursor")]

        given = {"limit": 2}
        found = list(Asking(Written()).look_through("events.query", given, session="t"))
        self.assertEqual((found, given), ([1, 2, 3], {"limit": 2}))
        self.assertEqual([one[1]["params"].get("cursor") for one in asked], [None, "c1", "c2"])
        self.assertTrue(all(one[0] == "request" and one[1]["session"] == "t" for one in asked))

    def test_a_refusal_is_told_with_its_code(self):
        error = {"code": 1002, "message": "no grant read:position"}
        self.assertEqual(self.ask({"error": error}), (1002, "no grant read:position"))

    def test_what_is_demanded_is_of_now_and_has_an_id_of_its_own(self):
        plugin = pluginkit.Plugin(Written())
        found = []
        request = {"action": "locate", "target": "mary"}
        thread = threading.Thread(
            target=lambda: found.append(plugin.demand(request, WAIT_SECONDS, session="token", address="192.0.2.7"))
        )
        before = time.clock_gettime(time.CLOCK_BOOTTIME) * 1000
        thread.start()
        asked = plugin.output.answer(1)
        plugin.handle(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"result": {"durable": True}}}).encode())
        thread.join(WAIT_SECONDS)
        self.assertEqual(found, [{"durable": True}])
        params = asked["params"]
        self.assertEqual((asked["method"], params["request"], params["session"]), ("command", request, "token"))
        self.assertEqual(params["address"], "192.0.2.7")
        self.assertEqual(len(params["id"]), 36)
        self.assertTrue(before <= params["freshUntil"] - 29000 <= before + 600000)

    def test_a_notification_is_taken_and_not_answered(self):
        plugin = pluginkit.Plugin(Written())
        plugin.notified = lambda method, params: taken.append((method, params))
        taken = []
        self.assertTrue(plugin.handle(b'{"jsonrpc":"2.0","method":"watched","params":{"watch":"w1"}}'))
        self.assertEqual(taken, [("watched", {"watch": "w1"})])
        self.assertEqual(plugin.output.messages, [])

    def test_silence_is_no_answer(self):
        with self.assertRaises(pluginkit.Unanswered) as caught:
            pluginkit.Plugin(Written()).look_up("zones.list", seconds=0)
        self.assertIsNone(caught.exception.code)


class Carrier(delivery.DeliveringPlugin):
    """Carries to two places, and knows no third."""

    def __init__(self):
        super().__init__()
        self.output = Written()
        self.destinations = [Place("a"), Place("b")]

    def destination(self, event):
        if event["to"] == "?":
            raise delivery.Refused("cannot be read")
        return next((place for place in self.destinations if place.name == event["to"]), None)


def batch(text):
    """Events from words such as `1a 2b`: an id and a place."""
    return {"events": [{"id": word[:-1], "to": word[-1]} for word in text.split()]}


class DeliveryTests(unittest.TestCase):
    """Outcomes of batches."""

    def setUp(self):
        self.plugin = Carrier()
        self.a, self.b = self.plugin.destinations
        self.plugin.started()
        self.next_id = 0
        self.limits = (delivery.BEGIN_SECONDS, delivery.ANSWER_SECONDS)
        self.addCleanup(self.restore)

    def restore(self):
        delivery.BEGIN_SECONDS, delivery.ANSWER_SECONDS = self.limits

    def deliver(self, text):
        self.next_id += 1
        self.plugin.deliver(self.next_id, batch(text))
        outcomes = self.plugin.output.answer(self.next_id)["result"]["outcomes"]
        return [(one["from"], one["to"], one["outcome"], one.get("afterSeconds")) for one in outcomes]

    def test_outcomes_are_joined_into_ranges_without_gaps(self):
        self.assertEqual(self.deliver("1a 2b 3c 4?"), [(0, 2, "accepted", None), (3, 3, "refused", None)])
        self.assertEqual((self.a.taken, self.b.taken), (["1"], ["2"]))

    def test_order_stays_behind_one_that_waits_and_other_places_go_on(self):
        self.a.script["2"] = delivery.Later("away", "away", 7)
        outcomes = self.deliver("1a 2a 3b 4a 5c 6a")
        self.assertEqual([one[2] for one in outcomes], ["accepted", "retry", "accepted", "retry", "accepted", "retry"])
        self.assertEqual({one[3] for one in outcomes if one[2] == "retry"}, {7})
        self.assertEqual((self.a.taken, self.b.taken), (["1"], ["3"]))

    def test_one_that_is_refused_holds_up_nothing(self):
        self.a.script["1"] = delivery.Refused("never")
        self.assertEqual([one[2] for one in self.deliver("1a 2a")], ["refused", "accepted"])

    def test_what_a_library_raises_keeps_the_event(self):
        self.a.script["1"] = ZeroDivisionError("1 / 0")
        self.assertEqual([one[2] for one in self.deliver("1a 2b")], ["retry", "accepted"])
        health = self.plugin.health
        self.assertEqual(
            (health["code"], health["detail"]), ("unexpected", "a: it failed unexpectedly (ZeroDivisionError)")
        )

    def test_a_place_that_hangs_costs_no_more_than_the_time_that_there_is(self):
        over = threading.Event()
        self.addCleanup(over.set)
        delivery.ANSWER_SECONDS = 0.1
        self.a.script["2"] = lambda: over.wait(WAIT_SECONDS)
        self.assertEqual(self.deliver("1a 2a 3b"), [(0, 0, "accepted", None), (1, 2, "retry", 30)])
        self.assertEqual(self.b.taken, [])

    def test_a_batch_that_takes_long_is_left_where_it_is(self):
        delivery.BEGIN_SECONDS = -1
        self.assertEqual(self.deliver("1a 2c 3a"), [(0, 0, "retry", 1), (1, 1, "accepted", None), (2, 2, "retry", 1)])
        self.assertEqual(self.plugin.health["state"], "working")

    def test_health_names_each_place_and_the_worst_comes_first(self):
        self.a.script["1"] = delivery.Later("away", "away")
        self.b.script["2"] = delivery.Later("unauthorised", "wrong token", state="failed")
        self.deliver("1a 2b")
        wanted = {"state": "failed", "code": "unauthorised", "detail": "a: away. b: wrong token"}
        self.assertEqual(self.plugin.health, wanted)
        self.a.script.clear()
        self.b.script.clear()
        self.deliver("1a 2b")
        self.assertEqual(self.plugin.health["state"], "working")
        told = [one["params"]["state"] for one in self.plugin.output.messages if one.get("method") == "health"]
        self.assertEqual(told, ["failed", "working"])


class ReadingTests(unittest.TestCase):
    """Events that are cut off or changed anywhere."""

    def read(self, data):
        """A reading that fits, or the reason why not."""
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            return None
        try:
            readings.resident(event)
            found = readings.reading(event) if readings.action(event) else None
        except delivery.Refused as refused:
            return str(refused)
        if found is not None:
            self.assertIn(found.unit, readings.UNITS)
            self.assertTrue(0 < found.mgdl < 10_000 and found.level > 0)
            self.assertLess(abs(found.level * readings.UNITS[found.unit] - found.mgdl), 10)
            self.assertIsNotNone(found.time.tzinfo)
            self.assertTrue(all(word.isprintable() for word in (found.meter, found.serial)) or "\ufffd" in found.meter)
        return found

    def test_a_reading_is_what_its_event_says(self):
        found = self.read(glucose(tag=" after\n lunch ", value="5.60"))
        self.assertEqual((str(found.level), found.unit, found.mgdl), ("5.60", "mmol/L", 101))
        self.assertEqual(
            (found.tag, found.meter, found.serial, found.doubt), ("after  lunch", "Contour Next", "7712", "")
        )
        self.assertEqual((found.time.isoformat(), found.resident), ("2026-11-22T07:41:00+01:00", "mary"))

    def test_every_common_constant_and_rounding_of_the_unit_fits_and_a_mistaken_unit_does_not(self):
        for tenths in range(10, 334):
            level = tenths / 10
            for constant in (18, 18.0156, 18.016, 18.0182):
                found = self.read(glucose(value=f"{level}", mgdl=int(level * constant + 0.5)))
                self.assertIsInstance(found, readings.Reading, (level, constant))
            for wrong in (round(level), round(level * 10), round(level * 18 * 1.1) + 2):
                self.assertIsInstance(self.read(glucose(value=f"{level}", mgdl=max(1, wrong))), str, (level, wrong))

    def test_no_prefix_and_no_change_of_an_event_does_any_harm(self):
        whole = glucose(tag="fasting 早").encode()
        for end in range(len(whole)):
            self.assertIsNone(self.read(whole[:end]))
        random = SplitMix64(4711)
        seen = set()
        for _ in range(100_000):
            found = self.read(random.mutated(whole))
            seen.add(type(found) if not isinstance(found, str) else re.sub(r".*: (\w+) does.*", r"\1", found))
        self.assertGreaterEqual(len(seen), 12, seen)

    def test_half_a_pair_of_surrogates_becomes_a_sign_that_can_be_written(self):
        found = self.read(glucose(tag="a\ud83d", meter={"name": "\udc00"}))
        self.assertEqual((found.tag, found.meter), ("a?", "?"))


class BackendTests(unittest.TestCase):
    """A server, without one."""

    def test_only_addresses_of_https_without_anything_secret_in_them_are_taken(self):
        for url, wanted in (
            ("https://example.org", "https://example.org"),
            ("HTTPS://example.org/fhir/", "HTTPS://example.org/fhir"),
            ("https://localhost:8443/a/b", "https://localhost:8443/a/b"),
            ("http://example.org", None),
            ("https://", None),
            ("https://user:secret@example.org", None),
            ("https://example.org/?token=secret", None),
            ("https://example.org/#secret", None),
            ("https://example.org/a b", None),
            ("https://example.org/\r\nX: y", None),
            ("ftp://example.org", None),
        ):
            self.assertEqual(web.check_url(url), wanted, url)

    def test_a_connection_that_nobody_used_for_long_is_not_used_again(self):
        server = backend.Backend("test", "https://localhost", None)
        closed = []
        server.session.close = lambda: closed.append(True)
        server.session.request = lambda *words, **options: Answer(200, b"")
        server.request("GET", "/")
        self.assertEqual(closed, [])
        server.used -= backend.IDLE_SECONDS + 1
        server.request("GET", "/")
        server.request("GET", "/")
        self.assertEqual(closed, [True])

    def test_numbers_keep_their_digits_and_what_is_no_json_is_nothing(self):
        self.assertEqual(str(web.decoded(Answer(200, b'{"value":5.60}'))["value"]), "5.60")
        for content in (b"", b"{", b"NaN", b"[Infinity]", b"\xff", b"[" * 100_000, b"9" * 5000):
            self.assertIsNone(web.decoded(Answer(200, content)), content[:9])


class Answer:
    """An answer of `requests`, as far as it is looked at."""

    headers = {}  # noqa: RUF012

    def __init__(self, status, content):
        self.status_code, self.content = status, content


class ProtocolTests(unittest.TestCase):
    """The example of plugins/README.md, run as it stands there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="homeward-example-")
        self.addCleanup(folder.cleanup)
        text = (ROOT / "plugins" / "README.md").read_text(encoding="utf-8")
        [example] = [one for one in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "pluginkit.run" in one]
        program = Path(folder.name) / "example.py"
        program.write_text(example, encoding="utf-8")
        program.chmod(0o755)
        for file in (ROOT / "Sources" / "Kits" / "PluginKitPython").glob("*.py"):
            (program.parent / file.name).symlink_to(file)
        self.host = Host(str(program))
        self.addCleanup(self.host.close)

    def test_the_example_takes_events_and_ends_when_it_is_asked_to(self):
        self.assertEqual(self.host.call("events.deliver")["error"]["code"], -32600)
        about = self.host.start()["result"]
        self.assertEqual((about["name"], about["version"], about["protocol"]), ("example", "1.0.0", 1))
        self.assertEqual(self.host.start()["error"]["message"], "initialize comes only once")
        left = '{"type":"zone.left","subject":"resident/mary","data":{"zone":"home"}}'
        self.assertEqual(self.host.deliver([left, left]), [{"from": 0, "to": 1, "outcome": "accepted"}])
        self.assertEqual(self.host.call("health")["result"]["state"], "working")
        self.host.call("shutdown")
        self.assertEqual(self.host.process.wait(timeout=WAIT_SECONDS), 0)

    def test_lines_that_do_not_fit_are_answered_and_survived(self):
        for line, code in (("no json", -32700), ("[" * 100_000, -32700), ("[1]", -32600), ('{"id":1}', -32600)):
            self.host.send_line(line)
            self.assertEqual(self.host.answer()["error"]["code"], code)
        self.host.send_line('{"jsonrpc":"2.0","id":99,"result":{}}')
        self.assertEqual(self.host.call("unheard.of")["error"]["code"], -32601)
        for params in ("[]", "5", '{"protocol":2}', '{"protocol":1}'):
            self.assertEqual(self.host.call("initialize", params)["error"]["code"], -32602)
        self.assertIn("result", self.host.start())

    def test_a_line_over_the_limit_ends_the_plugin(self):
        self.host.send_line("x" * ((4 << 20) + 2))
        self.assertEqual(self.host.process.wait(timeout=WAIT_SECONDS), 1)

    def test_no_plugin_has_a_copy_of_the_kit(self):
        self.assertEqual(list(kit_copies()), [])


if __name__ == "__main__":
    unittest.main()
