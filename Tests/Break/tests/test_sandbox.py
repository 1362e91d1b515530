"""Namespaces of its own: loopback and nothing else, and limits that hold."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from breaker import sandbox

INSIDE = """
import os, socket, sys
sys.path.insert(0, sys.argv[1])
from breaker import sandbox
sandbox.raise_loopback()
listener = socket.create_server(("127.0.0.1", 0))
socket.create_connection(listener.getsockname()).close()
print([name for _, name in socket.if_nameindex()])
print(len([name for name in os.listdir("/proc") if name.isdigit()]))
try:
    socket.create_connection(("192.0.2.1", 9), timeout=1)
except OSError as error:
    print(error.errno)
"""
FORKS = """
import os
made = 0
try:
    while made < 200:
        if os.fork() == 0:
            os.read(0, 1)
            os._exit(0)
        made += 1
except OSError:
    pass
print(made, flush=True)
os._exit(0)
"""


class SandboxTests(unittest.TestCase):
    own = str(Path(sandbox.__file__).resolve().parent.parent)

    def test_there_is_loopback_and_nobody_else(self) -> None:
        done = subprocess.run(
            ["unshare", *sandbox.NAMESPACES, "--", sys.executable, "-c", INSIDE, self.own],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        interfaces, processes, error = done.stdout.splitlines()
        self.assertEqual(interfaces, "['lo']")
        self.assertLess(int(processes), 4)
        self.assertEqual(int(error), 101, "the network is unreachable")

    def test_the_gateway_is_an_ordinary_user_without_capabilities(self) -> None:
        done = subprocess.run(
            [
                "unshare",
                *sandbox.NAMESPACES,
                "--",
                *sandbox.AS_GATEWAY,
                "grep",
                "-E",
                "^(Uid|CapEff)",
                "/proc/self/status",
            ],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), ["Uid:", *["1000"] * 4, "CapEff:", "0" * 16])

    def test_tasks_are_limited(self) -> None:
        program = f"import sys; sys.path.insert(0, {self.own!r}); from breaker import sandbox as s; import os; "
        program += "c = [*s.within_tasks(20), *s.AS_GATEWAY, sys.executable, '-c', sys.argv[1]]; os.execvp(c[0], c)"
        before = sandbox.AS_SOMEBODY_ELSE if os.geteuid() == 0 else ()
        done = subprocess.Popen(
            [*before, "unshare", *sandbox.NAMESPACES, "--", sys.executable, "-c", program, FORKS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
        )
        assert done.stdout is not None and done.stdin is not None
        made = done.stdout.readline()
        done.stdin.close()
        done.wait(20)
        done.stdout.close()
        self.assertLess(int(made), 20)
        self.assertGreater(int(made), 0)

    def test_root_has_no_limit_and_that_is_said(self) -> None:
        program = f"import sys; sys.path.insert(0, {self.own!r}); from breaker import sandbox as s; s.within_tasks(20)"
        if os.geteuid() != 0:
            self.skipTest("only root can be without a limit")
        command = ["unshare", *sandbox.NAMESPACES, "--", sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertIn("LookupError", done.stderr)
