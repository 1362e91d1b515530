"""The broker peer with a real mosquitto and real clients."""

import errno
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from homeward_rig.control import Refused
from homeward_rig.peer import Peer
from homeward_rig.stage import eventually

TOPIC = "homeward/rig/event/alarm"


class BrokerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.broker = Peer("broker", Path(folder.name), Path(folder.name))
        self.addCleanup(self.broker.end)
        self.port = self.broker.do("port")

    def texts(self):
        return [message["text"] for message in self.broker.do("messages") if not message["stale"]]

    def test_events_are_told_by_lane_with_the_words_they_came_with(self):
        body = '{"id": "1",  "name": "\\"老王\\" 😀"}'
        self.broker.do("publish", topic=TOPIC, text=body)
        self.broker.do("publish", topic="homeward/rig/status", text="online", retain=True)
        eventually("both messages", 20, lambda: len(self.texts()) == 2, pause=0.1)
        self.assertEqual([(event["lane"], event["body"]) for event in self.broker.do("events")], [("alarm", body)])

    def test_nothing_is_missed_of_what_comes_the_moment_that_it_is_back(self):
        self.broker.do("publish", topic=TOPIC, text="before")
        self.broker.do("vanish")
        with self.assertRaisesRegex(Refused, "does not answer"):
            self.broker.do("publish", topic=TOPIC, text="never")
        impatient = subprocess.Popen(
            ["sh", "-c", f"until mosquitto_pub -p {self.port} -q 1 -t {TOPIC} -m early 2>&-; do :; done"]
        )
        self.addCleanup(impatient.wait)
        self.broker.do("come-back")
        eventually("the early message", 20, lambda: self.texts() == ["before", "early"], pause=0.1)

    def test_a_broker_that_hangs_takes_nothing_until_it_goes_on(self):
        self.broker.do("hang")
        publisher = subprocess.Popen(["mosquitto_pub", "-p", str(self.port), "-q", "1", "-t", TOPIC, "-m", "patient"])
        time.sleep(1)
        self.assertIsNone(publisher.poll())
        self.broker.do("go-on")
        self.assertEqual(publisher.wait(20), 0)

    def test_it_ends_with_all_that_it_started(self):
        self.broker.end()

        def is_refused():
            with socket.socket() as client:
                return client.connect_ex(("127.0.0.1", self.port)) == errno.ECONNREFUSED

        eventually("the end of the broker", 20, is_refused, pause=0.1)


if __name__ == "__main__":
    unittest.main()
