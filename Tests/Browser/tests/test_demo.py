"""`make run`: whoever does nothing else sees the pages, logs in as they are told, and has a report on paper."""

import json
import re
import signal
import subprocess
import tempfile
import unittest
import urllib.request

from house import PROGRAMS, until


class DemoTests(unittest.TestCase):
    def test_the_pages_are_there_with_what_they_need(self):
        with tempfile.TemporaryFile("w+") as log:
            demo = subprocess.Popen([PROGRAMS / "homeward", "demo"], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            self.addCleanup(demo.wait, 60)
            self.addCleanup(demo.send_signal, signal.SIGINT)

            def said():
                log.seek(0)
                return re.search(r"(http://localhost:\d+)/ Log in as (\S+) with the password: (.*)", log.read())

            address, email, password = until("the pages", said).groups()
            content = json.dumps({"email": email, "password": password.strip()}).encode()
            headers = {"Content-Type": "application/json"}
            entry = urllib.request.Request(f"{address}/api/v1/account/log-in", content, headers)
            with urllib.request.urlopen(entry, timeout=30) as answer:
                token = json.load(answer)["token"]
            paper = urllib.request.Request(
                f"{address}/report.pdf?resident=ada&kind=missing", headers={"Authorization": f"Bearer {token}"}
            )
            with urllib.request.urlopen(paper, timeout=60) as answer:
                self.assertTrue(answer.read().startswith(b"%PDF-"))


if __name__ == "__main__":
    unittest.main()
