"""Debian's Chromium with nothing in its pages but what is theirs, for measurements.

What the tests drive a browser with makes scripts' surroundings of its own in every page. With the processor of a
telephone that takes longer than the page itself.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

# A browser is quiet when its processes have taken less than such a part of one processor for so many seconds.
QUIET_SHARE, QUIET_SECONDS, QUIET_AT_LAST = 0.05, 0.5, 20


class BareBrowser(contextlib.AbstractContextManager):
    """A browser that is told what to do over a pipe, by the Chrome DevTools Protocol."""

    def __init__(self, options):
        self.folder = tempfile.mkdtemp(prefix="homeward-browser-")
        (their_end, commands), (answers, their_other_end) = os.pipe(), os.pipe()
        program = ["chromium", "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.folder}", *options]
        # It reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{their_end} 4>&{their_other_end}', *program],
            pass_fds=(their_end, their_other_end), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(their_end)
        os.close(their_other_end)
        self.commands, self.answers = os.fdopen(commands, "wb"), os.fdopen(answers, "rb")
        self.waiting, self.number, self.events = b"", 0, []

    def __exit__(self, *_):
        for end in (self.commands, self.answers):
            end.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _next(self):
        """The next message from the browser."""
        while b"\0" not in self.waiting:
            piece = os.read(self.answers.fileno(), 1 << 16)
            if not piece:
                raise AssertionError("the browser has ended")
            self.waiting += piece
        message, _, self.waiting = self.waiting.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **params):
        """Has the browser do something, in a page where a session is given; its answer."""
        self.number += 1
        call = {"id": self.number, "method": method, "params": params}
        self.commands.write(json.dumps(call | ({"sessionId": session} if session else {})).encode() + b"\0")
        self.commands.flush()
        while (message := self._next()).get("id") != self.number:
            self.events.append(message)
        if "error" in message:
            raise AssertionError(f"{method}: {message['error']['message']}")
        return message["result"]

    def settle(self):
        """Waits until the browser has nothing of its own to do: each window has pages of its own around ours."""
        end, before = time.monotonic() + QUIET_AT_LAST, self._processor_seconds()
        while time.monotonic() < end:
            time.sleep(QUIET_SECONDS)
            now = self._processor_seconds()
            if now - before < QUIET_SHARE * QUIET_SECONDS:
                return
            before = now
        raise AssertionError(f"the browser was not quiet for {QUIET_AT_LAST} seconds")

    def _processor_seconds(self):
        """What all processes of the browser have taken so far."""
        ticks = 0
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                # Behind the name, which may hold anything: state, parent, group, and then user's and system's time.
                fields = stat.read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:13])) if int(fields[2]) == self.process.pid else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def wait(self, event):
        """Waits until something has happened."""
        while not any(one.get("method") == event for one in self.events):
            self.events.append(self._next())

    def evaluate(self, session, function):
        """What a function gives that is called in a page, when it is there."""
        answer = self.call(
            "Runtime.evaluate", session, expression=f"({function})()", awaitPromise=True, returnByValue=True
        )
        return answer["result"].get("value")
