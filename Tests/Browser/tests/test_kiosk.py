"""What the gateway's own screen runs, with a browser that does nothing, and the keys that a keyboard has there."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import unittest

from house import ROOT, until

KIOSK = ROOT / "plugins/console/kiosk"


class KioskTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("state", "run", "bin"):
            (self.folder / name).mkdir()
        self.start = self.folder / "start"
        browser = self.folder / "bin/chromium"
        browser.write_text("""#!/bin/sh
            echo "$@" >"$RUNTIME_DIRECTORY/words"
            echo $$ >"$RUNTIME_DIRECTORY/number"
            exec tail -f /dev/null
            """)
        browser.chmod(0o755)
        pages = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(pages.close)
        self.base = f"http://localhost:{pages.getsockname()[1]}/screen"

    def begin(self):
        """Starts the program, as the unit does."""
        for file in (self.folder / "run").iterdir():
            file.unlink()
        environment = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOMEWARD_KIOSK_START": str(self.start),
            "STATE_DIRECTORY": str(self.folder / "state"), "RUNTIME_DIRECTORY": str(self.folder / "run"),
        }  # fmt: skip
        program = subprocess.Popen([KIOSK / "homeward-kiosk"], env=environment, stdin=subprocess.DEVNULL)
        self.addCleanup(self.end, program)
        until("a browser", lambda: (self.folder / "run/number").exists() and self.read("number"))
        return program

    def end(self, program):
        program.terminate()
        program.wait(20)

    def read(self, name):
        file = self.folder / "run" / name
        return file.read_text().strip() if file.exists() else ""

    def told(self):
        """When the waiting page was told something last."""
        return (self.folder / "run/next.js").stat().st_mtime_ns

    def leads(self, address):
        """Waits until the waiting page is told to go on to an address."""
        until(address, lambda: self.read("next.js") == f'location.replace("{address}");')

    def test_it_waits_for_an_address_and_for_the_pages(self):
        self.begin()
        self.assertIn(f"file://{self.folder}/run/waiting.html", self.read("words"))
        # Nobody there could answer a prompt.
        self.assertIn("--auto-accept-camera-and-microphone-capture", self.read("words"))
        self.assertTrue((self.folder / "run/waiting.js").exists())
        until("words of what to do", lambda: "unknown" in self.read("next.js"))
        # Nobody listens at the first; the others are no address that the keeper writes. After each it looks anew.
        for line in ("http://localhost:1/screen", "http://example.org/screen", f'{self.base}";alert(1)//', ""):
            self.start.write_text(line + "\n")
            if line != "http://localhost:1/screen":
                before = self.told()
                until("another look", lambda before=before: self.told() != before)
            self.assertFalse(self.read("next.js").startswith("location"))
        self.start.write_text(f"{self.base}?new=1#screen=AbCd2345\n")
        self.leads(f"{self.base}?new=1#screen=AbCd2345")

    def test_a_code_is_used_once_and_only_while_it_counts(self):
        self.start.write_text(f"{self.base}?new=1#screen=AbCd2345\n")
        program = self.begin()
        self.leads(f"{self.base}?new=1#screen=AbCd2345")
        self.end(program)
        # As after a power cut: the session counts.
        program = self.begin()
        self.leads(self.base)
        # Set up anew, all of it begins anew.
        self.start.write_text(f"{self.base}?new=1#screen=EfGh6789\n")
        self.assertEqual(program.wait(20), 0)
        self.begin()
        self.leads(f"{self.base}?new=1#screen=EfGh6789")
        # A code that nobody used in time counts no more.
        (self.folder / "state/entered").unlink()
        old = self.start.stat().st_mtime - 700
        os.utime(self.start, (old, old))
        self.begin()
        self.leads(self.base)

    def test_where_the_browser_ends_it_ends_for_systemd_to_begin_anew(self):
        self.start.write_text(f"{self.base}\n")
        for waits in (True, False):
            if waits:
                self.start.unlink()
            else:
                self.start.write_text(f"{self.base}\n")
            program = self.begin()
            if not waits:
                self.leads(self.base)
            os.kill(int(self.read("number")), signal.SIGKILL)
            program.wait(20)

    def test_a_keyboard_there_has_no_key_that_leads_out(self):
        text = (KIOSK / "keyboard/keycodes/homeward-kiosk").read_text()
        keys = dict(re.findall(r"<(\w+)> = (\d+);", text))
        evdev = pathlib.Path("/usr/share/X11/xkb/keycodes/evdev").read_text()
        known = dict(re.findall(r"^\s*<(\w+)>\s*=\s*(\d+);", evdev, re.MULTILINE))
        self.assertEqual(keys, {name: known[name] for name in keys})
        outward = {"LCTL", "RCTL", "LALT", "LWIN", "RWIN", "MENU", "COMP", "ESC", "PRSC", "META", "SUPR", "HYPR", "ALT"}
        outward |= {name for name in known if re.match(r"FK\d|I\d", name)}
        self.assertEqual(keys.keys() & outward, set())
        self.assertLessEqual({"AC01", "AD01", "SPCE", "RTRN", "BKSP", "LFSH", "TAB", "RALT", "UP", "DOWN"}, keys.keys())
        rules = (KIOSK / "keyboard/rules/homeward-kiosk").read_text()
        self.assertRegex(rules, r"! model = keycodes\n  \* = homeward-kiosk\n")
        # Its right Alt is for the third level of letters in every layout, never Alt.
        self.assertIn("homeward:kiosk = +level3(ralt_switch)", rules)
        unit = (ROOT / "debian/homeward-kiosk.service").read_text()
        for word in (
            "XKB_DEFAULT_RULES=homeward-kiosk",
            "XKB_DEFAULT_OPTIONS=homeward:kiosk",
            "XKB_CONFIG_EXTRA_PATH=",
        ):
            self.assertIn(word, unit)


if __name__ == "__main__":
    unittest.main()
