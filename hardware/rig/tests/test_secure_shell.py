import hashlib
import socket
import tempfile
import threading
import time
import unittest
from pathlib import Path

from homeward_rig.bench.secure_shell import SecureShell
from homeward_rig.guest_agent import GuestError

from .loopback_hub import LoopbackHub, free_port


class SecureShellTest(unittest.TestCase):
    """Through a real SSH client and server."""

    def setUp(self):
        self.hub = LoopbackHub()
        self.addCleanup(self.hub.close)
        folder = tempfile.TemporaryDirectory(prefix="rig.")
        self.addCleanup(folder.cleanup)
        self.shell = SecureShell(self.hub.destination, self.hub.options, Path(folder.name))
        self.addCleanup(self.shell.disconnect)

    def connect(self) -> None:
        self.hub.switch_on()
        self.shell.connect(30)

    def test_a_program_gets_its_words_and_its_input_as_they_are(self):
        self.connect()
        words = ("a b", "it's", '"$HOME"', "*", "", "line\nline", "ü")
        output = self.shell.run("printf", "<%s>", *words).output
        self.assertEqual(output, "".join(f"<{word}>" for word in words))
        everything = bytes(range(256)) * 4000
        self.assertEqual(
            self.shell.run("sha256sum", data=everything).output.split()[0], hashlib.sha256(everything).hexdigest()
        )

    def test_without_input_a_program_finds_its_end(self):
        self.connect()
        self.assertEqual(self.shell.run("cat").output, "")

    def test_what_a_program_leaves_behind_is_given(self):
        self.connect()
        completed = self.shell.run("sh", "-c", "echo out; echo err >&2; exit 3", check=False)
        self.assertEqual((completed.status, completed.output, completed.errors), (3, "out\n", "err\n"))
        with self.assertRaisesRegex(GuestError, r"exit code 3\nout\nerr"):
            self.shell.run("sh", "-c", "echo out; echo err >&2; exit 3")

    def test_the_exit_code_that_ssh_uses_itself_is_a_programs_too(self):
        self.connect()
        self.assertEqual(self.shell.run("sh", "-c", "exit 255", check=False).status, 255)

    def test_a_signal_is_told_as_the_guest_agent_tells_it(self):
        self.connect()
        self.assertEqual(self.shell.run("sh", "-c", "kill -TERM $$", check=False).status, -15)

    def test_a_program_that_is_not_there_fails(self):
        self.connect()
        with self.assertRaisesRegex(GuestError, "exit code 127"):
            self.shell.run("/nowhere/program")

    def test_what_takes_too_long_is_ended_on_the_hub(self):
        self.connect()
        file = self.hub.home / "process"
        with self.assertRaisesRegex(GuestError, "still running after 1 s"):
            self.shell.run("sh", "-c", f"echo $$ >{file}; exec sleep 600", timeout=1)
        self.assertFalse(is_running(int(file.read_text())))
        self.assertEqual(self.shell.run("echo", "still there").output, "still there\n")

    def test_programs_run_side_by_side(self):
        self.connect()
        waiting = threading.Thread(target=self.shell.run, args=("sh", "-c", "until test -e go; do sleep 0.05; done"))
        waiting.start()
        self.shell.run("touch", "go")
        waiting.join(30)
        self.assertFalse(waiting.is_alive())

    def test_a_hub_that_loses_power_is_noticed_and_found_again(self):
        self.connect()
        lost: list[GuestError] = []

        def run() -> None:
            try:
                self.shell.run("sh", "-c", "touch running; sleep 600")
            except GuestError as error:
                lost.append(error)

        waiting = threading.Thread(target=run)
        waiting.start()
        while not (self.hub.home / "running").exists():
            time.sleep(0.05)
        self.hub.cut_power()
        waiting.join(60)
        self.assertRegex(str(lost[0]), "connection to the hub was lost")
        with self.assertRaisesRegex(GuestError, "connection to the hub was lost"):
            self.shell.run("true")
        self.hub.switch_on()
        self.shell.connect(30)
        self.assertEqual(self.shell.run("echo", "back").output, "back\n")

    def test_a_lost_connection_is_never_replaced_in_silence(self):
        self.connect()
        self.shell.disconnect()
        with self.assertRaisesRegex(GuestError, "connection to the hub was lost"):
            self.shell.run("true")

    def test_a_hub_that_is_not_there_is_told_in_sshs_words(self):
        with self.assertRaisesRegex(GuestError, "(?s)cannot be reached.*refused"):
            self.shell.connect(2)

    def test_a_hub_is_waited_for_while_it_starts(self):
        start = threading.Timer(1.5, self.hub.switch_on)
        start.start()
        self.shell.connect(60)
        start.join()
        self.assertTrue(self.shell.is_connected)

    def test_the_hub_reaches_a_server_here_at_an_address_of_its_own(self):
        self.connect()
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(30)
            port = free_port()
            # The whole of 127.0.0.0/8 is this machine.
            self.shell.forward("127.1.2.3", port, server.getsockname()[1])
            with socket.create_connection(("127.1.2.3", port), 30) as hub:
                connection, _ = server.accept()
                with connection:
                    hub.sendall(b"hello")
                    self.assertEqual(connection.recv(100), b"hello")

    def test_an_address_that_is_taken_is_told(self):
        self.connect()
        with (
            socket.create_server(("127.1.2.3", 0)) as taken,
            self.assertRaisesRegex(GuestError, "GatewayPorts clientspecified"),
        ):
            self.shell.forward("127.1.2.3", taken.getsockname()[1], 9)


def is_running(process: int) -> bool:
    """Whether a process is there and has not ended; one that nobody has asked for its exit code has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
