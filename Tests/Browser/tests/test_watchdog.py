"""What never ends in a browser ends a test, and the next one has a browser again."""

import contextlib
import threading
import unittest

from house import Browsers
from playwright.sync_api import Error
from shared_house import InTheHouse
from watchdog import Watchdog, end_browsers


class WatchdogTests(InTheHouse):
    def test_whoever_waits_for_an_answer_that_never_comes_gets_an_error(self):
        browsers = Browsers(self.house)
        page = browsers.visitor()
        with contextlib.closing(browsers):
            watchdog = Watchdog(1, end_browsers)
            watchdog.begin()
            self.addCleanup(watchdog.stop)
            with self.assertRaisesRegex(Error, "has been closed"):
                page.evaluate("() => new Promise(() => {})")
            watchdog.stop()
            self.assertEqual(browsers.visitor().inner_text("h1"), "Log in")

    def test_what_was_stopped_ends_nothing(self):
        ended, before = [], threading.enumerate()
        watchdog = Watchdog(3600, lambda: ended.append(True))
        for _ in range(2):
            watchdog.begin()
        watchdog.stop()
        for timer in set(threading.enumerate()) - set(before):
            timer.join()
        self.assertEqual(ended, [])


if __name__ == "__main__":
    unittest.main()
