"""Every page as people see it: both roles and languages, telephone, hub and desk, every colour."""

import subprocess
import time
import unittest

import keys
from house import ROOT, until
from looks import COLOURS, ENTRIES, IS_WHOLE, LOST, PAGES, SCREENS, foreign_words, misshapen, show, violations
from shared_house import InTheHouse

# Caregivers and those who are looked after, in both languages.
PEOPLE = {"an@example.org": "zh", "anna@example.org": "en", "ben@example.org": "zh", "mary@example.org": "en"}
TYPES = [
    "tsc", "--allowJs", "--checkJs", "--noEmit", "--strict", "--skipLibCheck",
    "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom,dom.iterable",
]  # fmt: skip


class LookTests(InTheHouse):
    """Pages that hold something, looked at."""

    @classmethod
    def setUpClass(cls):
        # It has the other processor while a browser waits.
        files = sorted(path for path in (ROOT / "plugins/console/web").glob("*.js") if path.name != "sw.js")
        cls.types = subprocess.Popen([*TYPES, *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        cls.addClassCleanup(cls.types.wait)
        super().setUpClass()
        house = cls.house
        house.account("本", "ben@example.org", role="resident", own="ben", language="zh")
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        house.do(
            "bookmark.put",
            bookmark={
                "id": "park",
                "resident": "mary",
                "name": "Park",
                "address": "Long Lane 1",
                "coordinate": {"latitude": 40.011, "longitude": -74.01},
            },
        )
        corners = [[-74.0102, 40.0108], [-74.0095, 40.0108], [-74.0095, 40.0114], [-74.0102, 40.0108]]
        border = {"type": "Polygon", "coordinates": [corners]}
        house.do("zone.put", zone={"id": "garden", "resident": "mary", "name": "Orchard", "border": border})
        house.do("message.send", target="hello", resident="mary", sender="Anna", text="I come at six.")
        note = {
            "id": "tap",
            "resident": "mary",
            "kind": "memo",
            "title": "Tap",
            "text": "The tap drips.",
            "time": now,
            "changedAt": now,
        }
        house.do("note.put", note=note)
        house.do(
            "glucose.put",
            reading={
                "id": "one",
                "resident": "mary",
                "level": "6.4",
                "unit": "mmol/L",
                "time": now,
                "receivedAt": now,
                "source": "hand",
                "revision": 0,
            },
        )
        until(
            "Mary's position",
            lambda: (
                house.call("residents.list")[1]["tracking"].get("position")
                or house.call("residents.list")[0]["tracking"].get("position")
            ),
        )

    def look_at(self, page, path, number, parts=("axe", "keys", "screens")):
        """A page on every screen, loaded once; the number says on which of them, in which colours, it is looked at."""
        self.go(page, path)
        sizes = [size for size, _ in SCREENS[:3]]
        size, colours = sizes[number % 3], COLOURS[number // 3 % 3]
        looks = [(one, "light") for one in sizes] + [(sizes[0], one) for one in COLOURS[1:]]
        for look in looks if IS_WHOLE else [(size, colours)] if "axe" in parts else []:
            show(page, *look)
            self.assertEqual(violations(page), [])
        for one in sizes if IS_WHOLE else [size] if "keys" in parts else []:
            show(page, one)
            self.assertEqual(keys.walk(page), [])
        self.assertEqual(misshapen(page, SCREENS if IS_WHOLE or "screens" in parts else SCREENS[number % 3 :][:1]), [])
        if page.get_attribute("html", "lang") == "zh-Hans":
            self.assertEqual(foreign_words(page), [])

    def test_every_page_can_be_used_by_everybody(self):
        pages = {email: self.visit(email, language=language) for email, language in PEOPLE.items()}
        self.assertEqual([page.get_attribute("html", "lang") for page in pages.values()], ["zh-Hans", "en"] * 2)
        caregiver, *others = PEOPLE
        for number, path in enumerate([*PAGES, *LOST]):
            # One sees it on every screen, and another by turns goes through it with keys. Each fourth is judged as the
            # other sees it, so that axe meets every role and language.
            judges = number % 4 == 0
            once = {
                caregiver: ("screens", *["axe"] * (not judges)),
                others[number // 3 % 3]: ("keys", *["axe"] * judges),
            }
            for email, parts in dict.fromkeys(PEOPLE, ()).items() if IS_WHOLE else once.items():
                with self.subTest(path=path, who=email):
                    self.look_at(pages[email], path, number + (email != caregiver), parts)

    def test_who_is_not_logged_in_sees_the_entry_and_nothing_else(self):
        self.house.account("Noll", "noll@example.org", role=None)
        pages = [self.visit(), self.visit(language="zh")]
        for number, path in enumerate(ENTRIES):
            for page in pages if IS_WHOLE else [pages[number % 2]]:
                with self.subTest(path=path):
                    self.look_at(page, path, number)
        self.go(pages[0], "/log-in")
        self.browsers.log_in(pages[0], "noll@example.org")
        self.look_at(pages[0], "/welcome", 0)
        for path in PAGES:
            with self.subTest(path=path):
                status, headers, text = self.house.get(path)
                self.assertEqual(status, 303)
                self.assertTrue(headers["Location"].startswith("/log-in"))
                self.assertEqual(text, "")

    def test_scripts_keep_to_the_types_they_name(self):
        self.assertEqual((self.types.communicate()[0], self.types.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()
