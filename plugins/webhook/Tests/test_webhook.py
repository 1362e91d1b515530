"""Drives webhook.py over pipes, as the host would, against a real HTTP server on loopback."""

import http.server
import json
import pathlib
import queue
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from email.utils import formatdate

PLUGIN = pathlib.Path(__file__).resolve().parent.parent / "webhook.py"
PYTHON = "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else "python3"
WAIT_SECONDS = 30


def event(number, text="quiet"):
    """An event as the gateway stores it: compact, members in this order."""
    return (
        '{"specversion":"1.0","id":"id-%d","source":"urn:homeward:gateway:hub",'
        '"type":"zone.left","subject":"resident/mary","data":{"n":%d,"far":1e-07,"text":"%s"}}' % (number, number, text)
    )


class Receiver:
    """A web server that notes each request and answers as told."""

    def __init__(self, context=None):
        self.requests = queue.Queue()
        self.answer = lambda body: (200, {})
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                receiver.requests.put((self.path, dict(self.headers), body))
                answer = receiver.answer(body)
                if answer is None:
                    self.close_connection = True
                    return
                status, headers = answer
                self.send_response(status)
                for name, content in headers.items():
                    self.send_header(name, content)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Host:
    """The host's end of the pipes."""

    def __init__(self):
        self.process = subprocess.Popen(
            [PYTHON, "-I", str(PLUGIN)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.messages = queue.Queue()
        self.notices = queue.Queue()
        self.next_id = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in iter(self.process.stdout.readline, b""):
            message = json.loads(line)
            (self.notices if "method" in message else self.messages).put(message)

    def send_line(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, params="{}"):
        self.next_id += 1
        self.send_line('{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}' % (self.next_id, method, params))
        return self.next_id

    def answer(self):
        return self.messages.get(timeout=WAIT_SECONDS)

    def call(self, method, params="{}"):
        request_id = self.send(method, params)
        answer = self.answer()
        assert answer["id"] == request_id, answer
        return answer

    def start(self, **settings):
        return self.call(
            "initialize",
            json.dumps(
                {
                    "protocol": 1,
                    "host": {"name": "homeward", "version": "0.1.0"},
                    "gateway": "hub",
                    "settings": settings,
                    "grants": ["network"],
                    "stateDirectory": "/nonexistent",
                }
            ),
        )

    @staticmethod
    def batch(lane, bodies):
        return '{"lane":"%s","durable":true,"first":1,"last":%d,"events":[%s]}' % (lane, len(bodies), ",".join(bodies))

    def deliver(self, bodies, lane="alarm"):
        return self.call("events.deliver", self.batch(lane, bodies))["result"]["outcomes"]

    def close(self):
        if self.process.stdin.closed:
            return
        self.process.stdin.close()
        self.process.wait(timeout=WAIT_SECONDS)
        self.log = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()


class WebhookTests(unittest.TestCase):
    def setUp(self):
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)
        self.host = Host()
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
        ]
        for settings, word in cases:
            with self.subTest(word):
                answer = self.host.start(**settings)
                self.assertEqual(answer["error"]["code"], -32602)
                self.assertIn(word, answer["error"]["message"])

    def test_a_method_that_is_not_known_is_named_so(self):
        self.assertEqual(self.host.call("service.nothing")["error"]["code"], -32601)

    def test_lines_that_are_no_requests_are_answered_and_survived(self):
        self.host.send_line("no json")
        self.assertEqual(self.host.answer()["error"]["code"], -32700)
        self.host.send_line("[1]")
        self.assertEqual(self.host.answer()["error"]["code"], -32600)
        self.assertEqual(self.host.call("health")["result"]["state"], "working")

    def test_parameters_that_do_not_fit_are_refused_and_survived(self):
        self.host.start(url=self.url())
        for params in ('{"lane":"alarm"}', '{"lane":"none","durable":true,"events":[]}', "[]"):
            self.assertEqual(self.host.call("events.deliver", params)["error"]["code"], -32602)

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
        self.host = Host()
        self.addCleanup(self.host.close)

    def certificate(self, name):
        key, file = self.folder / f"{name}.key", self.folder / f"{name}.pem"
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                f"/CN={name}",
                "-addext",
                f"subjectAltName=DNS:{name}",
                "-keyout",
                key,
                "-out",
                file,
            ],
            check=True,
            capture_output=True,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file, key)
        receiver = Receiver(context)
        self.addCleanup(receiver.close)
        return receiver, str(file)

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


if __name__ == "__main__":
    unittest.main()
