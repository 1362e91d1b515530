"""Drives the plugin over pipes, as the host would, against a real HTTP server on loopback."""

import base64
import hashlib
import hmac
import json
import pathlib
import shutil
import socket
import ssl
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from email.utils import formatdate

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from plugin_host import WAIT_SECONDS, Host, certificate, program
from receiver import Receiver

PLUGIN = program("homeward-plugin-webhook")


def event(number, text="quiet"):
    """An event as the gateway stores it: compact, members in this order."""
    return (
        '{"specversion":"1.0","id":"id-%d","source":"urn:homeward:gateway:hub",'
        '"type":"zone.left","subject":"resident/mary","data":{"n":%d,"far":1e-07,"text":"%s"}}' % (number, number, text)
    )


class PatientHost(Host):
    """Gives a receiver on a busy machine the longest time, unless told otherwise."""

    def start(self, _grants=("network",), **settings):
        return super().start(_grants, **{"timeoutSeconds": 30, **settings})


class WebhookTests(unittest.TestCase):
    def setUp(self):
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)
        self.host = PatientHost(PLUGIN)
        self.addCleanup(self.host.close)

    def url(self, path="/in"):
        return f"http://127.0.0.1:{self.receiver.port}{path}"

    def outcome(self, status, headers=None, **settings):
        self.receiver.answer = lambda body: (status, headers or {})
        self.host.start(url=self.url(), **settings)
        (span,) = self.host.deliver([event(1)])
        return span

    def test_a_batch_arrives_as_one_request_with_the_stored_bytes(self):
        self.host.start(url=self.url("/in?a=1"))
        bodies = [event(1), event(2, 'Größe \\"漢字\\" 🙂'), event(3)]
        self.assertEqual(self.host.deliver(bodies), [{"from": 0, "to": 2, "outcome": "accepted"}])
        path, headers, body = self.receiver.requests.get(timeout=WAIT_SECONDS)
        self.assertEqual(path, "/in?a=1")
        self.assertEqual(body, "[" + ",".join(bodies) + "]")
        self.assertEqual(headers["Content-Type"], "application/cloudevents-batch+json; charset=UTF-8")

    def test_single_format_posts_each_event_by_itself_in_order(self):
        self.host.start(url=self.url(), format="single")
        self.host.deliver([event(1), event(2)])
        first = self.receiver.requests.get(timeout=WAIT_SECONDS)
        second = self.receiver.requests.get(timeout=WAIT_SECONDS)
        self.assertEqual([first[2], second[2]], [event(1), event(2)])
        self.assertEqual(first[1]["Content-Type"], "application/cloudevents+json; charset=UTF-8")

    def test_the_token_travels_as_bearer_and_never_to_the_log(self):
        self.host.start(url=self.url(), token="hush-4711")
        self.host.deliver([event(1)])
        headers = self.receiver.requests.get(timeout=WAIT_SECONDS)[1]
        self.assertEqual(headers["Authorization"], "Bearer hush-4711")
        self.host.close()
        self.assertNotIn("hush-4711", self.host.log)

    def test_another_header_carries_the_bare_token(self):
        self.host.start(url=self.url(), token="hush", tokenHeader="X-Api-Key")
        self.host.deliver([event(1)])
        self.assertEqual(self.receiver.requests.get(timeout=WAIT_SECONDS)[1]["X-Api-Key"], "hush")

    def test_a_bad_request_is_refused_for_ever(self):
        self.assertEqual(self.outcome(400)["outcome"], "refused")

    def test_of_a_refused_batch_only_the_event_to_blame_is_refused(self):
        self.receiver.answer = lambda body: (422 if "poison" in body else 204, {})
        self.host.start(url=self.url())
        outcomes = self.host.deliver([event(n, "poison" if n == 5 else "") for n in range(9)])
        self.assertEqual(
            [(span["from"], span["to"], span["outcome"]) for span in outcomes],
            [(0, 4, "accepted"), (5, 5, "refused"), (6, 8, "accepted")],
        )

    def test_a_server_error_is_tried_again(self):
        span = self.outcome(503)
        self.assertEqual((span["outcome"], span["afterSeconds"]), ("retry", 5))

    def test_request_timeout_and_too_many_requests_are_tried_again(self):
        self.assertEqual(self.outcome(408)["outcome"], "retry")
        self.receiver.answer = lambda body: (429, {"Retry-After": "120"})
        (span,) = self.host.deliver([event(1)])
        self.assertEqual((span["outcome"], span["afterSeconds"]), ("retry", 120))

    def test_a_wrong_token_loses_no_event_and_says_what_to_do(self):
        span = self.outcome(401, token="wrong")
        self.assertEqual(span["outcome"], "retry")
        health = self.host.notices.get(timeout=WAIT_SECONDS)["params"]
        self.assertEqual((health["state"], health["code"]), ("failed", "status-401"))
        self.assertIn("correct token", health["detail"])

    def test_a_redirect_is_not_followed(self):
        span = self.outcome(302, {"Location": "http://127.0.0.1:1/elsewhere"})
        self.assertEqual(span["outcome"], "retry")
        self.assertIn("moved", span["reason"])
        self.assertEqual(self.receiver.requests.qsize(), 1)

    def test_retry_after_may_be_a_date_and_is_kept_in_range(self):
        span = self.outcome(503, {"Retry-After": formatdate(time.time() + 600, usegmt=True)})
        self.assertTrue(590 <= span["afterSeconds"] <= 601, span)
        for header, expected in (("99999999999", 86_400), ("0", 1)):
            self.receiver.answer = lambda body, header=header: (503, {"Retry-After": header})
            self.assertEqual(self.host.deliver([event(1)])[0]["afterSeconds"], expected)

    def test_waits_grow_while_the_receiver_fails_and_start_again_after_success(self):
        self.assertEqual(self.outcome(500)["afterSeconds"], 5)
        self.assertEqual(self.host.deliver([event(1)])[0]["afterSeconds"], 10)
        self.receiver.answer = lambda body: (200, {})
        self.host.deliver([event(1)])
        self.receiver.answer = lambda body: (500, {})
        self.assertEqual(self.host.deliver([event(1)])[0]["afterSeconds"], 5)

    def test_a_receiver_that_never_answers_is_given_up_in_time(self):
        release = threading.Event()
        self.addCleanup(release.set)
        self.receiver.answer = lambda body: release.wait(WAIT_SECONDS) and None
        self.host.start(url=self.url(), timeoutSeconds=1)
        (span,) = self.host.deliver([event(1)])
        self.assertEqual(span["outcome"], "retry")
        self.assertIn("in time", span["reason"])

    def test_a_receiver_that_closes_without_answer_is_tried_again(self):
        self.receiver.answer = lambda body: None
        self.host.start(url=self.url())
        self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "retry")

    def test_a_kept_connection_that_was_closed_meanwhile_is_no_fault(self):
        self.receiver.answer = lambda body: (200, {"Connection": "keep-alive"})
        self.host.start(url=self.url())
        self.host.deliver([event(1)])
        answers = [None, (200, {})]
        self.receiver.answer = lambda body: answers.pop(0)
        self.assertEqual(self.host.deliver([event(2)])[0]["outcome"], "accepted")

    def test_nothing_listening_is_tried_again(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.host.start(url=f"http://127.0.0.1:{port}/")
        (span,) = self.host.deliver([event(1)])
        self.assertEqual(span["outcome"], "retry")
        self.assertIn("nothing listens", span["reason"])

    def test_an_alarm_overtakes_a_stalled_record_batch(self):
        release = threading.Event()
        self.addCleanup(release.set)

        def answer(body):
            if "stall" in body:
                release.wait(WAIT_SECONDS)
            return (200, {})

        self.receiver.answer = answer
        self.host.start(url=self.url())
        record = self.host.send("events.deliver", Host.batch("record", [event(1, "stall")]))
        self.receiver.requests.get(timeout=WAIT_SECONDS)
        alarm = self.host.send("events.deliver", Host.batch("alarm", [event(2)]))
        self.assertEqual(self.host.answer()["id"], alarm)
        release.set()
        self.assertEqual(self.host.answer()["id"], record)

    def test_health_comes_back_with_the_receiver(self):
        self.outcome(500)
        self.assertEqual(self.host.call("health")["result"]["state"], "failed")
        self.receiver.answer = lambda body: (200, {})
        self.host.deliver([event(1)])
        self.assertEqual(self.host.call("health")["result"]["state"], "working")

    def test_settings_that_cannot_work_are_named(self):
        cases = [
            ({"url": "ftp://example.org/"}, "https://"),
            ({"url": "http://example.org/"}, "allowPlaintext"),
            ({"url": "https://a:b@example.org/"}, "user name"),
            ({"url": self.url(), "token": "a\nb"}, "token"),
            ({"url": "https://localhost/", "caFile": "/nonexistent/ca.pem"}, "caFile"),
            ({"url": "https://localhost:99999/"}, "url"),
            ({"url": "https://exa mple/"}, "url"),
            ({"url": "https://localhost/\r\nX: y"}, "url"),
            ({"url": "localhost"}, "url"),
            ({"url": self.url(), "tokenHeader": "X: y\r\nZ", "token": "a"}, "tokenHeader"),
            ({"url": self.url(), "secret": "short"}, "secret"),
            ({"url": self.url(), "secret": "whsec_no*base64"}, "secret"),
            ({"url": self.url(), "proxy": "ftp://proxy/"}, "proxy"),
            ({"url": self.url(), "proxy": "http://a:b@proxy/"}, "proxy"),
            ({"url": self.url(), "guardians": [{"id": "anna", "token": "short"}]}, "guardians"),
            ({"url": self.url(), "guardians": [{"id": "a", "token": "t" * 16}] * 2}, "guardians"),
        ]
        for settings, word in cases:
            with self.subTest(word):
                answer = self.host.start(**settings)
                self.assertEqual(answer["error"]["code"], -32602)
                self.assertIn(word, answer["error"]["message"])

    def test_a_method_that_is_not_known_is_named_so(self):
        self.host.start(url=self.url())
        self.assertEqual(self.host.call("service.nothing")["error"]["code"], -32601)

    def test_lines_that_are_no_requests_are_answered_and_survived(self):
        for line in ("no json", "[1]", "{}"):
            self.host.send_line(line)
            self.assertEqual(self.host.answer()["error"]["code"], -32600)
        self.assertEqual(self.host.call("health")["result"]["state"], "working")

    def test_parameters_that_do_not_fit_are_refused_and_survived(self):
        self.host.start(url=self.url())
        for params in ('{"lane":"alarm"}', '{"lane":"none","durable":true,"events":[]}', "[]"):
            self.assertEqual(self.host.call("events.deliver", params)["error"]["code"], -32602)

    def test_only_what_the_event_is_to_blame_for_is_refused(self):
        self.host.start(url=self.url())
        for status in (400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 418, 422, 425, 429, 451, 500, 501, 502, 507):
            self.receiver.answer = lambda body, status=status: (status, {})
            (span,) = self.host.deliver([event(1)])
            self.assertEqual(span["outcome"], "refused" if status in (400, 413, 422) else "retry", status)

    def test_a_batch_too_large_for_the_receiver_goes_in_parts(self):
        self.receiver.answer = lambda body: (413 if len(json.loads(body)) > 2 else 202, {})
        self.host.start(url=self.url())
        self.assertEqual(self.host.deliver([event(n) for n in range(7)]), [{"from": 0, "to": 6, "outcome": "accepted"}])
        taken = [json.loads(body) for _, _, body in list(self.receiver.requests.queue)]
        numbers = [entry["data"]["n"] for part in taken if len(part) <= 2 for entry in part]
        self.assertEqual(numbers, list(range(7)))

    def test_of_a_batch_of_poison_each_event_is_refused_by_itself(self):
        self.receiver.answer = lambda body: (400, {})
        self.host.start(url=self.url())
        (span,) = self.host.deliver([event(n) for n in range(5)])
        self.assertEqual((span["from"], span["to"], span["outcome"]), (0, 4, "refused"))

    def test_in_single_format_an_event_never_overtakes_one_of_its_subject(self):
        self.receiver.answer = lambda body: (503 if '"n":1,' in body else 200, {})
        self.host.start(url=self.url(), format="single")
        other = event(9).replace("resident/mary", "resident/joe")
        outcomes = self.host.deliver([event(0), event(1), event(2), other])
        spans = [(span["from"], span["to"], span["outcome"]) for span in outcomes]
        self.assertEqual(spans, [(0, 0, "accepted"), (1, 2, "retry"), (3, 3, "accepted")])

    def check_signature(self, headers, body, key):
        message = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
        expected = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
        self.assertEqual(headers["webhook-signature"], f"v1,{expected}")
        self.assertLess(abs(int(headers["webhook-timestamp"]) - time.time()), 60)
        self.assertEqual(headers["Idempotency-Key"], headers["webhook-id"])

    def test_a_receiver_with_the_secret_knows_that_a_request_is_genuine(self):
        for secret, key in (
            ("a secret of words ✓", "a secret of words ✓".encode()),
            ("whsec_" + base64.b64encode(bytes(range(200, 240))).decode(), bytes(range(200, 240))),
            ("x" * 100, b"x" * 100),
        ):
            host = PatientHost(PLUGIN)
            self.addCleanup(host.close)
            host.start(url=self.url(), secret=secret)
            for count in (1, 2, 40):
                host.deliver([event(n, "Größe 漢字" + "z" * n) for n in range(count)])
                _, headers, body = self.receiver.requests.get(timeout=WAIT_SECONDS)
                self.check_signature(headers, body, key)

    def test_the_same_batch_keeps_its_id_and_another_gets_another(self):
        self.receiver.answer = lambda body: (503, {})
        self.host.start(url=self.url())
        ids = []
        for number in (1, 1, 2):
            self.host.deliver([event(number)])
            ids.append(self.receiver.requests.get(timeout=WAIT_SECONDS)[1]["webhook-id"])
        self.assertEqual(ids[0], ids[1])
        self.assertNotEqual(ids[0], ids[2])

    def test_a_single_event_is_known_by_its_own_id(self):
        self.host.start(url=self.url(), format="single", secret="0123456789abcdef")
        self.host.deliver([event(7), event(8).replace("id-8", "two\\r\\nlines")])
        _, headers, body = self.receiver.requests.get(timeout=WAIT_SECONDS)
        self.assertEqual(headers["webhook-id"], "id-7")
        self.check_signature(headers, body, b"0123456789abcdef")
        _, headers, _ = self.receiver.requests.get(timeout=WAIT_SECONDS)
        self.assertRegex(headers["webhook-id"], r"^batch-[0-9a-f]{32}$")

    def test_a_guardian_takes_charge_by_the_answer(self):
        claim = {"acknowledge": {"alarm": "A7K2", "guardian": "anna", "token": "anna-has-this-token"}}
        self.receiver.answer = lambda body: (200, {}, json.dumps(claim))
        self.host.start(
            ["network", "command:alarm.acknowledge"],
            url=self.url(),
            guardians=[{"id": "anna", "token": "anna-has-this-token"}],
        )
        self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "accepted")
        request = self.host.request()
        self.assertEqual(request["method"], "command")
        params = request["params"]
        self.assertEqual(params["principal"], "anna")
        self.assertEqual(params["request"], {"action": "alarm.acknowledge", "target": "A7K2"})
        self.assertTrue(params["id"])
        self.assertNotIn("expiresAt", params, "the wall clock says nothing about an answer of just now")
        ahead = params["freshUntil"] - time.clock_gettime(time.CLOCK_BOOTTIME) * 1000
        self.assertTrue(0 < ahead <= 60_000, ahead)

    def test_answers_that_may_not_acknowledge_are_refused_and_said_so(self):
        def claim(**changes):
            return {"acknowledge": {"alarm": "A7K2", "guardian": "anna", "token": "t" * 16, **changes}}

        cases = [
            (claim(token="s" * 16), "not that guardian's"),
            (claim(token=""), "not that guardian's"),
            (claim(guardian="mallory"), "not that guardian's"),
            (claim(guardian="mallory", token=""), "not that guardian's"),
            (claim(alarm=""), "acknowledge.alarm"),
            (claim(alarm="x" * 101), "acknowledge.alarm"),
            (claim(token=5), "acknowledge.token"),
            ({"acknowledge": {"guardian": "anna", "token": "t" * 16}}, "acknowledge.alarm"),
            ({"acknowledge": "anna"}, "acknowledge"),
        ]
        answers = [json.dumps(content) for content, _ in cases]
        self.receiver.answer = lambda body: (200, {}, answers.pop(0))
        self.host.start(
            ["network", "command:alarm.acknowledge"], url=self.url(), guardians=[{"id": "anna", "token": "t" * 16}]
        )
        for _, reason in cases:
            self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "accepted")
            self.assertNotIn("t" * 16, self.host.logged(reason))
        for answer in ("", "ok", "[" * 9999, '{"acknowledge":' * 50, json.dumps(claim(alarm="a" * 17_000))):
            answers.append(answer)
            self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "accepted")
        self.host.call("shutdown")
        self.assertTrue(self.host.requests.empty())

    def test_an_answer_of_a_failure_acknowledges_nothing(self):
        claim = {"acknowledge": {"alarm": "A7K2", "guardian": "anna", "token": "t" * 16}}
        self.receiver.answer = lambda body: (500, {}, json.dumps(claim))
        self.host.start(
            ["network", "command:alarm.acknowledge"], url=self.url(), guardians=[{"id": "anna", "token": "t" * 16}]
        )
        self.host.deliver([event(1)])
        self.host.call("shutdown")
        self.assertTrue(self.host.requests.empty())

    def test_an_endless_answer_is_cut_off_and_its_status_holds(self):
        self.receiver.answer = lambda body: (200, {}, "x" * 3_000_000)
        self.host.start(url=self.url(), guardians=[{"id": "anna", "token": "t" * 16}])
        for _ in range(2):
            self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "accepted")

    def test_a_proxy_is_gone_through_and_told_its_login(self):
        self.host.start(
            url="http://care.example.org/in", proxy=self.url(""), proxyLogin="ann:secret", allowPlaintext=True
        )
        self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "accepted")
        path, headers, _ = self.receiver.requests.get(timeout=WAIT_SECONDS)
        self.assertEqual(path, "http://care.example.org/in")
        self.assertEqual(headers["Proxy-Authorization"], "Basic " + base64.b64encode(b"ann:secret").decode())

    def test_a_proxy_in_the_environment_is_nobodys_wish(self):
        self.host.close()
        with unittest.mock.patch.dict("os.environ", http_proxy="http://127.0.0.1:1/", all_proxy="http://127.0.0.1:1/"):
            self.host = PatientHost(PLUGIN)
        self.addCleanup(self.host.close)
        self.host.start(url=self.url())
        self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "accepted")

    def test_a_batch_of_the_largest_size_arrives_whole(self):
        self.host.start(url=self.url(), secret="0123456789abcdef")
        bodies = [event(n, "x" * 40_000) for n in range(100)]
        self.assertEqual(self.host.deliver(bodies), [{"from": 0, "to": 99, "outcome": "accepted"}])
        _, headers, body = self.receiver.requests.get(timeout=WAIT_SECONDS)
        self.check_signature(headers, body, b"0123456789abcdef")

    def test_what_is_no_http_is_tried_again(self):
        with socket.create_server(("127.0.0.1", 0)) as server:

            def babble():
                for words in (b"220 mail ready\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\0" * 100_000):
                    connection, _ = server.accept()
                    connection.recv(65536)
                    connection.sendall(words)
                    connection.close()

            thread = threading.Thread(target=babble, daemon=True)
            thread.start()
            self.host.start(url=f"http://127.0.0.1:{server.getsockname()[1]}/")
            for _ in range(3):
                self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "retry")
            thread.join(timeout=WAIT_SECONDS)

    def test_shutdown_is_answered_and_ends_the_process(self):
        self.host.start(url=self.url())
        self.assertEqual(self.host.call("shutdown")["result"], {})
        self.assertEqual(self.host.process.wait(timeout=WAIT_SECONDS), 0)


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificates")
class EncryptedWebhookTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.host = PatientHost(PLUGIN)
        self.addCleanup(self.host.close)

    def certificate(self, name):
        key, file = certificate(self.folder, name)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file, key)
        receiver = Receiver(context)
        self.addCleanup(receiver.close)
        return receiver, file

    def test_a_certificate_of_a_trusted_authority_is_accepted(self):
        receiver, file = self.certificate("localhost")
        self.host.start(url=f"https://localhost:{receiver.port}/", caFile=file)
        self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "accepted")

    def test_a_certificate_of_an_unknown_authority_is_not_trusted(self):
        receiver, _ = self.certificate("localhost")
        self.host.start(url=f"https://localhost:{receiver.port}/")
        (span,) = self.host.deliver([event(1)])
        self.assertEqual(span["outcome"], "retry")
        self.assertIn("not trusted", span["reason"])
        self.assertTrue(receiver.requests.empty())

    def test_a_certificate_for_another_name_is_not_trusted(self):
        receiver, file = self.certificate("elsewhere.example")
        self.host.start(url=f"https://localhost:{receiver.port}/", caFile=file)
        (span,) = self.host.deliver([event(1)])
        self.assertIn("not trusted", span["reason"])
        self.assertIn("host name mismatch", span["reason"])
        self.assertTrue(receiver.requests.empty())

    def test_a_certificate_for_an_address_must_name_the_address(self):
        receiver, file = self.certificate("localhost")
        self.host.start(url=f"https://127.0.0.1:{receiver.port}/", caFile=file)
        (span,) = self.host.deliver([event(1)])
        self.assertIn("IP address mismatch", span["reason"])

    def test_a_receiver_that_speaks_no_tls_gets_nothing(self):
        plain = Receiver()
        self.addCleanup(plain.close)
        self.host.start(url=f"https://127.0.0.1:{plain.port}/")
        self.assertEqual(self.host.deliver([event(1)])[0]["outcome"], "retry")
        self.assertTrue(plain.requests.empty())

    def test_a_file_of_authorities_that_is_no_pem_is_a_fault_and_loses_nothing(self):
        receiver, _ = self.certificate("localhost")
        file = self.folder / "nonsense.pem"
        file.write_text("nonsense")
        self.host.start(url=f"https://localhost:{receiver.port}/", caFile=str(file))
        (span,) = self.host.deliver([event(1)])
        self.assertEqual(span["outcome"], "retry")
        self.assertIn("caFile", span["reason"])


if __name__ == "__main__":
    unittest.main()
