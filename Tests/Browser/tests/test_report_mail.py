"""Reports by e-mail: nothing without the person's yes, and what was ordered on the page comes to a real mail server."""

import json
import subprocess
import unittest

from house import PROGRAMS, Browsers, House, until
from letters import Letters
from looks import violations


class ReportMailTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.letters = Letters()
        cls.addClassCleanup(cls.letters.close)
        cls.house = House(mail_port=cls.letters.port, has_paper=True)
        cls.addClassCleanup(cls.house.close)
        cls.browsers = Browsers(cls.house)
        cls.addClassCleanup(cls.browsers.close)

    def send(self):
        """What the timer runs: its exit code, and what it says."""
        words = [PROGRAMS / "homeward", "report", "send", "--json"]
        words += ["--socket", self.house.folder / "run/control.sock"]
        done = subprocess.run(words, capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout)

    def orders(self):
        return self.house.call("reports.list", {"resident": "ben"})

    def test_what_was_ordered_on_the_page_goes_out_once_the_person_agrees(self):
        self.house.do("consent.put", target="ben", kind="reports", isGranted=False, by="Ben")
        page = self.browsers.visitor("anna@example.org", size=Browsers.PHONE)
        page.goto(self.house.base + "/report?resident=ben")
        # No address can be written down before there is a yes.
        card = page.locator("#mail")
        card.get_by_text("Ben does not agree that others get reports").wait_for()
        self.assertEqual(card.get_by_label("E-mail address").count(), 0)
        self.house.do("consent.put", target="ben", kind="reports", isGranted=True, by="Ben")
        page.reload()
        self.assertEqual(violations(page), [])
        card.get_by_label("E-mail address").fill("practice@")
        card.get_by_role("button", name="Send it by e-mail").click()
        page.locator("#mail .fault:visible").wait_for()
        self.assertEqual(self.orders(), [])
        card.get_by_label("E-mail address").fill("practice@example.org")
        card.get_by_role("button", name="Send it by e-mail").click()
        card.get_by_text("practice@example.org").wait_for()
        [order] = self.orders()
        self.assertEqual((order["kind"], order["every"], order["isAllowed"]), ("doctor", "once", True))
        # The mail server takes nothing: it waits, and the page says why.
        self.letters.refusal = "451 come again later"
        code, told = self.send()
        self.assertEqual((code, told["sent"], len(told["faults"])), (1, 0, 1))
        page.reload()
        card.get_by_text("could not be sent, and is tried again").wait_for()
        self.assertEqual(violations(page), [])
        self.letters.refusal = None
        # Who agrees no longer gets nothing sent about them.
        self.house.do("consent.put", target="ben", kind="reports", isGranted=False, by="Ben")
        self.assertEqual(self.send(), (0, {"sent": 0, "faults": []}))
        self.assertEqual(self.letters.taken, [])
        self.house.do("consent.put", target="ben", kind="reports", isGranted=True, by="Ben")
        self.assertEqual(self.send(), (0, {"sent": 1, "faults": []}))
        [(to, message)] = self.letters.taken
        self.assertEqual(to, ["practice@example.org"])
        [file] = message.iter_attachments()
        path = self.house.folder / "came.pdf"
        path.write_bytes(file.get_content())
        words = subprocess.check_output(["pdftotext", path, "-"], text=True)
        self.assertIn("Report for the doctor", words)
        # Once is once, and it stands in the history.
        self.assertEqual((self.send(), self.orders()), ((0, {"sent": 0, "faults": []}), []))
        self.assertEqual(len(self.letters.taken), 1)
        told = [one["data"] for one in self.house.call("events.query", {"types": ["report.changed"]})]
        changes = [one["change"] for one in told if one["order"] == order["id"]]
        self.assertEqual(sorted(changes), ["failed", "ordered", "sent"])

    def test_what_comes_again_is_stopped_on_the_page(self):
        self.house.do("consent.put", target="ben", kind="reports", isGranted=True, by="Ben")
        self.addCleanup(self.house.do, "consent.put", target="ben", kind="reports", isGranted=False, by="Ben")
        order = {"id": "w", "resident": "ben", "kind": "week", "email": "son@example.org", "every": "weekly"}
        self.house.do("report.order", order=order)
        page = self.browsers.visitor("anna@example.org", size=Browsers.PHONE)
        page.goto(self.house.base + "/report?resident=ben")
        page.locator("#mail").get_by_text("The week, each Monday").wait_for()
        page.locator("#mail").get_by_role("button", name="Stop").click()
        until("stopped", lambda: self.orders() == [])


if __name__ == "__main__":
    unittest.main()
