import socket
import tempfile
import threading
import time
import unittest
from pathlib import Path

from homeward_rig.guest_agent import GuestAgent, GuestError


class GuestAgentTest(unittest.TestCase):
    """A machine that starts slowly: its line takes what is sent, and nobody reads."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "agent.sock"
        self.server = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.server.close)
        self.server.bind(str(self.path))
        self.server.listen()
        self.agent = GuestAgent(self.path)
        self.addCleanup(self.agent.close)
        self.machine, _ = self.server.accept()
        self.addCleanup(self.machine.close)

    def test_a_slow_start_does_not_fill_the_line(self):
        with self.assertRaisesRegex(GuestError, "did not start within 3 s"):
            self.agent.wait(3)
        self.assertEqual(self.machine.recv(65536).count(b"guest-sync"), 1)

    def test_late_answers_to_a_wait_that_was_given_up_are_nobodys(self):
        with self.assertRaises(GuestError):
            self.agent.wait(0.1)

        def start() -> None:
            questions = b""
            while questions.count(b"guest-sync") < 2:
                questions += self.machine.recv(65536)
            self.machine.sendall(b'{"return": 1}\n{"return": 2}\n')
            self.machine.recv(65536)
            self.machine.sendall(b'{"error": {"desc": "the answer to the command"}}\n')

        machine = threading.Thread(target=start)
        machine.start()
        self.agent.wait(60)
        with self.assertRaisesRegex(GuestError, "the answer to the command"):
            self.agent.run("/bin/true")
        machine.join()

    def test_it_is_there_as_soon_as_it_answers(self):
        def start() -> None:
            time.sleep(0.5)
            self.machine.recv(65536)
            self.machine.sendall(b'{"return": 1}\n')

        machine = threading.Thread(target=start)
        machine.start()
        began = time.monotonic()
        self.agent.wait(60)
        machine.join()
        self.assertLess(time.monotonic() - began, 5)
