"""The web endpoint with a real HTTPS client."""

import http.client
import ssl
import tempfile
import threading
import unittest
from pathlib import Path

from homeward_rig.peer import Peer
from homeward_rig.peers.web_server import bodies

BATCH = '[{"id":"1","lane":"alarm","x":"],["} ,\n{"lane":"record", "id":"2"}]'


class WebServerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = Peer("web-server", Path(folder.name), Path(folder.name), "--address", "127.0.0.1")
        self.addCleanup(self.server.end)
        self.port = self.server.do("port")
        self.trust = ssl.create_default_context(cadata=self.server.do("authority"))

    def post(self, text: str = BATCH, timeout: float = 10, path: str = "/events") -> int:
        client = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=self.trust)
        try:
            client.request("POST", path, text)
            return client.getresponse().status
        finally:
            client.close()

    def test_accepted_events_are_told_as_they_came(self):
        self.assertEqual(self.post(), 202)
        self.assertEqual(
            [(event["lane"], event["body"]) for event in self.server.do("events")],
            [("alarm", '{"id":"1","lane":"alarm","x":"],["}'), ("record", '{"lane":"record", "id":"2"}')],
        )

    def test_what_is_posted_elsewhere_is_a_request_and_no_event(self):
        self.assertEqual(self.post('{"title":"SOS","message":"Ada needs help"}', path="/bo"), 202)
        self.assertEqual((len(self.server.do("requests")), self.server.do("events")), (1, []))

    def test_refused_requests_bring_no_events(self):
        self.server.do("answer", status=503)
        self.assertEqual(self.post(), 503)
        self.assertEqual((len(self.server.do("requests")), self.server.do("events")), (1, []))

    def test_each_wrong_certificate_is_recognised_as_what_it_is(self):
        for kind, words in (("expired", "expired"), ("wrong-name", "IP address mismatch"), ("unknown", "issuer")):
            self.server.do("show", kind=kind)
            with self.subTest(kind), self.assertRaisesRegex(ssl.SSLCertVerificationError, words):
                self.post()
        self.server.do("show", kind="good")
        self.assertEqual(self.post(), 202)
        self.assertEqual(len(self.server.do("requests")), 1)

    def test_hanging_it_answers_when_it_goes_on(self):
        self.server.do("hang")
        answers = []
        client = threading.Thread(target=lambda: answers.append(self.post(timeout=60)))
        client.start()
        client.join(1)
        self.assertEqual((answers, self.server.do("events")), ([], []))
        self.server.do("go-on")
        client.join(60)
        self.assertEqual(answers, [202])

    def test_vanished_it_is_at_the_same_port_when_it_comes_back(self):
        self.server.do("vanish")
        with self.assertRaises(ConnectionRefusedError):
            self.post()
        self.server.do("come-back")
        self.assertEqual(self.post(), 202)

    def test_one_event_or_many(self):
        self.assertEqual(bodies('{"id":1}'), ['{"id":1}'])
        self.assertEqual(bodies(" [] "), [])


if __name__ == "__main__":
    unittest.main()
