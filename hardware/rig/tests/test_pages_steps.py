import re
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from homeward_rig import pages
from homeward_rig.alarms import Alarm
from homeward_rig.machine import Lacking
from homeward_rig.sound import Room, as_wave, silence
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import CheckTest, fails, steps
from .test_listening import pulses, speech
from .test_pages import ring

PAGES = steps("pages")
PLUGINS = ("/usr/bin/homeward", "--json", "plugins")
STATUS = ("/usr/bin/homeward", "--json", "status")
# Bursts with pauses, then a sentence: as the siren is.
CYCLE = np.concatenate([pulses(523.25, 3), silence(2.6), speech(), silence(1)])
SIREN = np.tile(CYCLE, 3)


ALARM = Alarm("01a21b82-4cd7", "AKSS")
PAGE = "/alarm?id=01a21b82-4cd7"


def seen(address=PAGE, text="Ada needs help", loads=4, streams=1):
    return {"address": address, "text": text, "loads": loads, "streams": streams, "away": 3.2}


class PagesStepsTest(CheckTest):
    def browsing(self, **answers):
        context = with_peers(self.context(), browsers={"look": seen(), **answers})
        context.alarm = ALARM
        return context

    @fails("within {seconds:g} seconds the page of this alarm has opened by itself in {name}'s browser")
    def test_a_page_that_does_not_turn_to_the_alarm_is_noticed(self):
        for address in ("/", "/alarm?id=another", "/alarm"):
            with self.assertRaisesRegex(CheckFailed, f"it shows {re.escape(address)}: Ada needs help"):
                PAGES.has_opened(self.browsing(look=seen(address)), 0, "Anna")
        context = self.browsing()
        PAGES.has_opened(context, 0, "Anna")
        PAGES.has_opened(context, 0, "Bo")
        self.assertEqual(context.loads, {"Anna": 4, "Bo": 4})

    @fails("within {seconds:g} seconds {name}'s browser rings, for {length:g} seconds or longer")
    def test_a_browser_that_does_not_ring_or_not_long_enough_is_noticed(self):
        for sounds in ([], ring(4), ring(9.5, hertz=[523]), ring(9.5, state="suspended")):
            with self.assertRaisesRegex(CheckFailed, "Anna's rang"):
                PAGES.browser_rings(self.browsing(sounds=sounds), 0, "Anna", 9)
        PAGES.browser_rings(self.browsing(sounds=ring(9.5)), 0, "Anna", 9)

    @fails("within {seconds:g} seconds {name}'s page says: {words}")
    def test_a_page_that_says_something_else_is_noticed(self):
        with self.assertRaisesRegex(CheckFailed, r"/alarm\?id=01a21b82-4cd7 says Ada needs help"):
            PAGES.page_says(self.browsing(), 0, "Bo", "Anna takes charge.")
        PAGES.page_says(self.browsing(), 0, "Bo", "needs help")

    @fails("within {seconds:g} seconds the hub has started the console again")
    def test_a_console_that_stays_away_is_noticed(self):
        for restarts, state in ((0, "working"), (1, "failed")):
            with self.assertRaises(CheckFailed):
                PAGES.has_restarted(self.hub(restarts, state), 0)
        PAGES.has_restarted(self.hub(1, "working"), 0)

    def hub(self, restarts, state):
        plugins = [{"name": "mqtt", "restarts": 7}, {"name": "console", "restarts": restarts}]
        parts = [{"component": "plugin/console", "state": state}]
        context = self.context({PLUGINS: plugins, STATUS: {"components": parts}})
        context.restarts = 0
        return context

    @fails("within {seconds:g} seconds {name}'s page is live again by itself")
    def test_a_page_that_stays_dead_or_is_loaded_anew_is_noticed(self):
        for look, words in ((seen(), "a live page of Bo"), (seen(loads=5, streams=2), "loaded anew, 1 times")):
            with self.assertRaisesRegex(CheckFailed, words):
                PAGES.live_again(self.left(look), 0, "Bo")
        PAGES.live_again(self.left(seen(streams=2)), 0, "Bo")

    def left(self, look):
        context = self.browsing(look=look)
        context.loads, context.streams = {"Bo": 4}, {"Bo": 1}
        return context

    def test_pages_want_a_browser_that_reaches_the_hub(self):
        with self.assertRaises(Lacking):
            PAGES.has_pages(self.context())


class GrowingRoom(Room):
    """A room in which the whole recording is heard after it was forgotten."""

    def forget(self):
        pass


class SirenTest(CheckTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def in_room(self, samples):
        (self.folder / "speaker-1.wav").write_bytes(as_wave(samples))
        context = self.context()
        context.room = GrowingRoom(SimpleNamespace(recording=self.folder / "speaker-1.wav"))
        return context

    @fails("for {seconds:g} seconds the siren goes on, with no silence longer than before")
    def test_a_siren_that_stumbles_or_ends_is_noticed(self):
        context = self.in_room(SIREN)
        PAGES.listen_to_siren(context, 20)
        self.assertAlmostEqual(context.silence, 2.65, delta=0.05)
        PAGES.siren_goes_on(context, 20)
        for samples, words in (
            (np.concatenate([CYCLE, silence(3), CYCLE, CYCLE]), "was 4.0"),
            (np.concatenate([CYCLE, silence(17)]), "was 18"),
            (np.tile(speech(), 12), "no alarm sounded"),
        ):
            after = self.in_room(samples)
            after.silence = 2.65
            with self.assertRaisesRegex(CheckFailed, words):
                PAGES.siren_goes_on(after, 20)
        with self.assertRaises(CheckFailed):
            PAGES.heard_for(self.in_room(silence(0.1)), 0.2)


class IdentityTest(CheckTest):
    def test_each_hub_has_a_key_of_its_own_that_browsers_know(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = pages.make_identity(Path(folder)), pages.make_identity(Path(folder))
        self.assertRegex(one.key_hash, "^[A-Za-z0-9+/]{43}=$")
        self.assertNotEqual(one.key_hash, two.key_hash)
        self.assertIn("PRIVATE KEY", one.key)
