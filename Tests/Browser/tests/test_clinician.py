"""A doctor's lasting view: who lets them in, what they see, what they never see, and how it ends."""

import re
import time
import unittest

from house import PASSWORD, Browsers
from looks import foreign_words, misshapen, violations
from shared_house import InTheHouse

# What is written on the pages in letters of Latin: units, and what Mary wrote.
WRITTEN = {"mmol", "Lentil", "soup", "Two", "plates"}
# What they are shown, and by what somebody knows that it is there.
PAGES = {
    "/health": "nav a:has-text('Mary')",
    "/glucose": "td:has-text('6.4')",
    "/diary": "td:has-text('Lentil soup')",
    "/trend": "h2:has-text('In figures')",
    "/profile": "dt:has-text('Date of birth')",
    "/report": "h1:has-text('Report for the doctor')",
    "/family": "h1:has-text('Who sees whom')",
    "/account": "h1:has-text('Your account')",
}
# Pages, questions and deeds that are none of a doctor's business.
HIDDEN = (
    "/map",
    "/alerts",
    "/day",
    "/routine",
    "/history",
    "/messages",
    "/memos",
    "/devices",
    "/guardians",
    "/settings",
)
UNASKED = (
    "residents/list", "locations/query?resident=mary", "messages/query?resident=mary", "guardians/list", "alarms/list",
    "zones/list", "notes/query?resident=mary&kind=memo", "notes/query?resident=mary&kind=portrait", "status",
    "glucose/query?resident=ben", "events/query", "home/get?resident=mary", "accounts/linked", "note/get?id=secret",
)  # fmt: skip
PERSON = "lund@example.org"


class ClinicianTests(InTheHouse):
    def setUp(self):
        super().setUp()
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.house.do("consent.put", target="mary", kind="reports", isGranted=False, by="Mary")
        reading = {"id": "view", "resident": "mary", "level": "6.4", "unit": "mmol/L", "time": now, "receivedAt": now}
        self.house.do("glucose.put", reading={**reading, "source": "hand", "revision": 0})
        note = {"resident": "mary", "time": now, "changedAt": now}
        soup = {**note, "id": "soup", "kind": "diary", "title": "Lentil soup", "text": "Two plates. " * 12}
        self.house.do("note.put", note=soup)
        self.house.do(
            "note.put", note={**note, "id": "secret", "kind": "memo", "title": "Key", "text": "Under the pot."}
        )
        for id in ("soup", "secret"):
            self.addCleanup(self.house.do, "note.remove", target=id)
        self.addCleanup(self.house.do, "glucose.remove", target="view")

    def test_a_doctor_is_let_in_by_a_caregiver_reads_and_is_let_see_no_longer(self):
        anna = self.visit("anna@example.org", size=Browsers.DESK)
        self.go(anna, "/family?resident=mary")
        card = anna.locator("#doctor")
        card.get_by_text("Mary does not agree").wait_for()
        self.assertEqual(card.get_by_role("button", name="Show a code").count(), 0)
        self.house.do("consent.put", target="mary", kind="reports", isGranted=True, by="Mary")
        anna.reload()
        self.assertEqual(violations(anna), [])
        card.get_by_role("button", name="Show a code").click()
        link = self.read(anna)
        doctor = self.visit(size=Browsers.DESK)
        doctor.goto(link)
        doctor.click("text=I have no account yet")
        doctor.fill("[name='profile.name']", "Dr. Lund")
        doctor.fill("[name=email]", PERSON)
        doctor.fill("[name=password]", PASSWORD)
        doctor.click("form button")
        doctor.click("text=I treat somebody")
        doctor.wait_for_url(re.compile("/family"))
        doctor.click("text=Link us")
        doctor.wait_for_url(self.house.base + "/health")
        self.reads(doctor)
        self.never_sees(doctor)
        self.ends(anna, doctor)

    def reads(self, doctor):
        """What there is to read, on a telephone and a desk, with nothing on it that changes anything."""
        for path, sign in PAGES.items():
            with self.subTest(path=path):
                self.go(doctor, path)
                doctor.locator(sign).first.wait_for()
                deeds = "[data-command]:not([data-command^='account.'])"
                self.assertEqual(doctor.locator(f"main {deeds}").count(), 0)
                self.assertEqual((violations(doctor), misshapen(doctor)), ([], []))
        self.go(doctor, "/diary")
        doctor.set_viewport_size({"width": 1280, "height": 800})
        doctor.locator("td a").first.click()
        self.say(doctor, "Two plates. " * 12)
        self.go(doctor, "/report?kind=missing&resident=mary")
        doctor.locator(PAGES["/report"]).wait_for()
        with doctor.expect_download() as paper:
            doctor.get_by_role("link", name="PDF, A4 paper").click()
        with open(paper.value.path(), "rb") as file:
            self.assertEqual(file.read(5), b"%PDF-")

    def never_sees(self, doctor):
        token = self.house.token(PERSON)
        for path in HIDDEN:
            self.assertEqual(doctor.request.get(self.house.base + path).status, 404, path)
        for question in UNASKED:
            self.assertIn(self.house.get(f"/api/v1/{question}", token)[0], (403, 404), question)
        for deed, members in {
            "glucose/put": {"reading": {}}, "note/remove": {"target": "soup"}, "sos/raise": {"target": "mary"},
            "consent/put": {"target": "mary", "kind": "reports", "isGranted": True, "by": "Lund"},
            "account/show-view-code": {"resident": "mary"}, "report/order": {"order": {}},
        }.items():  # fmt: skip
            self.assertIn(self.house.post(f"/api/v1/{deed}", members, token)[0], (403, 422, 400), deed)
        [told] = [one["title"] for one in self.house.call("notes.query", {"resident": "mary", "kind": "diary"})]
        self.assertEqual(told, "Lentil soup")
        self.assertNotIn(PERSON, [one.get("email") for one in self.house.call("guardians.list")])

    def ends(self, anna, doctor):
        """Refused for a while, agreed to again, and ended; and everybody can read who looked."""
        self.house.do("consent.put", target="mary", kind="reports", isGranted=False, by="Mary")
        self.go(doctor, "/health")
        self.say(doctor, "Mary does not agree at present")
        self.assertEqual(violations(doctor), [])
        self.assertEqual(self.house.get("/api/v1/glucose/query?resident=mary", self.house.token(PERSON))[0], 403)
        self.house.do("consent.put", target="mary", kind="reports", isGranted=True, by="Mary")
        self.go(doctor, "/glucose")
        doctor.locator(PAGES["/glucose"]).wait_for()
        self.go(anna, "/looks")
        self.say(anna, "Dr. Lund looked at how Mary is.")
        self.go(anna, "/family?resident=mary")
        line = anna.locator(".line", has_text="Dr. Lund sees Mary")
        line.get_by_role("button", name="No longer").click()
        anna.locator("dialog button:has-text('Do it all the same')").click()
        line.wait_for(state="detached")
        self.go(doctor, "/glucose")
        self.go(doctor, "/")
        self.say(doctor, "You are linked to nobody yet.")

    def test_in_chinese_every_word_is(self):
        self.house.do("consent.put", target="mary", kind="reports", isGranted=True, by="Mary")
        self.house.account("林医生", "lin@example.org", "mary", role="clinician", language="zh")
        page = self.visit("lin@example.org", language="zh")
        for path in PAGES:
            with self.subTest(path=path):
                self.go(page, path)
                self.assertEqual(violations(page), [])
                self.assertEqual([word for word in foreign_words(page) if word not in WRITTEN], [])


if __name__ == "__main__":
    unittest.main()
