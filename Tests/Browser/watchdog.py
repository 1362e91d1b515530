"""Ends what a test waits for without an end.

Most that is asked of a browser ends after thirty seconds; what computes in a page, draws it on paper or fetches a file
does not. Without an end one such answer that never comes holds up all tests, and nobody learns where.
"""

import contextlib
import faulthandler
import os
import pathlib
import signal
import sys
import threading

from homeward_rig.house.rest import descendants

# Longer than the longest test takes on a busy computer.
SECONDS = 600


def end_browsers():
    """Ends the browsers below this process: whatever waits for one gets an error."""
    for process in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            words = pathlib.Path(f"/proc/{process}/cmdline").read_text(errors="replace").split("\0")
            # Of a browser's processes the first alone has no type.
            if pathlib.Path(words[0]).name.startswith("chrom") and not any("--type=" in word for word in words):
                os.kill(process, signal.SIGKILL)


class Watchdog:
    """Begun anew with whatever a test does; when it is at its end browsers are ended, and a while later everything."""

    def __init__(self, seconds=SECONDS, end=end_browsers):
        """`seconds` that a test may take, `end` what ends what it waits for."""
        self._seconds, self._end, self._timer = seconds, end, None

    def begin(self):
        """Begins, or begins anew."""
        self.stop()
        self._timer = threading.Timer(self._seconds, self._lose)
        self._timer.daemon = True
        self._timer.start()

    def stop(self):
        """Stops: nothing is waited for."""
        if self._timer:
            self._timer.cancel()
            faulthandler.cancel_dump_traceback_later()
            self._timer = None

    def _lose(self):
        print(f"A test has taken {self._seconds} seconds: its browser is ended.", file=sys.stderr)
        # Where the test waits for something else, an error in it would come too late.
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        self._end()
