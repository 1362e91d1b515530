"""One house and one browser for all tests that need no house of their own: to begin one takes as long as many tests."""

import atexit
import functools
import subprocess
import tempfile
import unittest

from house import Browsers, House, until
from playwright.sync_api import TimeoutError


@functools.cache
def shared():
    """The house and its browsers, begun when they are first asked for; they end with the process."""
    house = House(has_radio=True, has_paper=True)
    atexit.register(house.close)
    return house, Browsers(house)


class InTheHouse(unittest.TestCase):
    """Tests that share one house and one browser; what one leaves behind, the others find."""

    @classmethod
    def setUpClass(cls):
        cls.house, cls.browsers = shared()

    def setUp(self):
        self.guardians = self.guardians_now()

    def guardians_now(self):
        """The ids of those who are told of alarms."""
        return {one["id"] for one in self.house.call("guardians.list")}

    def tearDown(self):
        faults, self.browsers.faults = self.browsers.faults, []
        self.browsers.close()
        # Whoever was linked stays a guardian, and of those there are but five.
        for new in self.guardians_now() - self.guardians:
            self.house.do("guardian.remove", target=new, confirms=True)
        self.assertEqual(faults, [])

    def visit(self, *words, **more):
        return self.browsers.visitor(*words, **more)

    def go(self, page, path):
        page.goto(self.house.base + path)

    def read(self, page):
        """What a camera reads from the code that a page shows."""
        return until("a code that a camera reads", lambda: self._seen(page))

    @staticmethod
    def _seen(page):
        page.locator("#qr:visible").wait_for()
        # The bar at the foot of the screen may lie across it; and a page that comes true meanwhile is another place.
        page.locator("#qr").evaluate("one => one.scrollIntoView({ block: 'center' })")
        with tempfile.NamedTemporaryFile(suffix=".png") as picture:
            page.screenshot(path=picture.name)
            read = subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True)
        return read.stdout.strip()

    def say(self, page, text):
        """Waits until a page says something; else tells what it says instead."""
        try:
            page.get_by_text(text).locator("visible=true").first.wait_for()
        except TimeoutError as failure:
            failure.add_note(f"At {page.url} it says: {page.inner_text('body')}")
            raise

    def is_out(self, page):
        """Waits for the way in: both the answer and the end of the stream lead there, one across the other."""
        page.locator("form[data-command='account.log-in']").wait_for()

    def own(self, email):
        """The id of somebody's account."""
        return next(one["id"] for one in self.house.call("accounts.list") if one.get("email") == email)

    def zone(self, name):
        """A zone, as the gateway has it."""
        return next((zone for zone in self.house.call("zones.list") if zone["name"] == name), None)
