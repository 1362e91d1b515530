"""Takes a picture of every page: of a made-up family, on a Sunday afternoon that is always the same.

    hardware/rig/python Tests/Browser/screenshots.py LOOKS [--all] [--answers]

`make screenshots` runs it. LOOKS is what the console's tests wrote of how each page looks now: the pages, and a digest
of each. Pictures are taken of those that changed since their last one, or of all; they go to plugins/console/docs, with
the digests. With --answers no picture is taken, and what the gateway of the family answers is written down, for the
console's tests: needed where a page asks something new.
"""

import argparse
import contextlib
import datetime
import hmac
import io
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import urllib.parse

from homeward_rig import paths
from house import HOME, METERS_PER_DEGREE, ROOT, Browsers, House, Refused, free_port, until
from PIL import Image

CONSOLE = ROOT / "plugins/console"
DOCS = CONSOLE / "docs"
NOW = datetime.datetime(2027, 6, 6, 15, 20, tzinfo=datetime.UTC)
FIX, CALL = NOW - datetime.timedelta(seconds=12), NOW - datetime.timedelta(seconds=40)
# When the house was set up: that is told on no page any more.
BEGINS = NOW - datetime.timedelta(days=8)
MAIN = ("home", "map", "alarm", "zones")
# Where an alarm is open.
OPEN = ("alarm", "alarm-own", "linked")
# Where nobody has logged in.
ENTRIES = ("log-in", "sign-up", "forgot", "enter", "screen", "trust", "linked")
# A map is ready when all that it shows of the town is drawn.
DRAWN = """() => {
  const tiles = [...document.querySelectorAll('#map canvas')];
  return tiles.length > 0 && tiles.every(tile => tile.classList.contains('leaflet-tile-loaded'))
    && document.querySelector('#map .leaflet-tooltip') !== null;
}"""
USUAL_PORT = """port => {
  for (const one of document.querySelectorAll('strong')) one.textContent = one.textContent.replace(port, ':8474');
}"""
# Where a page is that is not called so: what whoever is looked after sees of their alarm, one that is over, a link's.
PATHS = {"home": "/", "alarm-own": "/alarm", "alarm-over": "/alarm", "linked": "/g"}
# What follows the path, so that there is something to see.
FIELDS = {"zones": "?resident=mary&zone=home", "map": "", "home": ""}
# What somebody who is looked after has, on a telephone and on the hub's screen.
RESIDENT = ("me", "me-way", "me-places")
HUBS, DESKS = (*MAIN, *RESIDENT), (*MAIN, "alarm-own", "alarm-over", "linked")
CHINESE = ("home", "alarm", "alarm-own", "alarm-over", "linked", "zones", "day", "messages", *RESIDENT)
DARK = ("home", "map", "alarm")
# What the pages of whoever is looked after ask, and that of an alarm.
OWN = (
    "account.show", "alarms.list", "bookmarks.list", "events.query", "guardians.list", "guidance.home", "guidance.list",
    "guidance.places", "home.get", "messages.query", "notes.query", "residents.list", "routine.list", "zones.list",
)  # fmt: skip


def at(hours, minutes=0, days=0):
    """A time of the family's day, or of one before it."""
    return NOW.replace(hour=hours, minute=minutes) - datetime.timedelta(days=days)


def written(moment):
    """A time as the gateway writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def place(north, east):
    """So many metres from home."""
    return {
        "latitude": round(HOME[0] + north / METERS_PER_DEGREE, 6),
        "longitude": round(HOME[1] + east / METERS_PER_DEGREE / 0.766, 6),
    }


def town():
    """The map of a town that nobody lives in, around the family's home, as an import makes it."""
    image = paths.BUILT / "family-map.squashfs"
    subprocess.run([paths.RIG / "machine/map", ",".join(map(str, HOME)), image], check=True)
    return image.with_name(image.name + ".d") / "import"


def move_in(house):
    """What a family has after some months, most of it by Anna's hand; and the day until now."""
    house.set_time(at(13, 2))
    anna = Anna(house)
    day_centre = {"id": "day-centre", "resident": "mary", "name": "Day centre", "radiusMeters": 60}
    anna.does("zone.put", zone={**day_centre, "exitMarginMeters": 30, "center": place(180, 210)})
    park = {"id": "park", "resident": "mary", "name": "Park", "radiusMeters": 80, "exitMarginMeters": 20}
    anna.does("zone.put", zone={**park, "center": place(-80, -205)})
    for id, name, address, north, east in (
        ("sister", "Eva’s house", "Lindengasse 12", 90, -180),
        ("baker", "The baker", "Kirchengasse 4", -60, 150),
    ):
        bookmark = {"id": id, "resident": "mary", "name": name, "address": address, "coordinate": place(north, east)}
        anna.does("bookmark.put", bookmark=bookmark)
    # Who has an account is a guardian, by the address; a phone number is added to that.
    for id, name, phone, more in (
        ("anna", "Anna", "+12025550143", {"email": "anna@example.org", "isCaregiver": True}),
        ("bo", "Bo", "+12025550172", {"email": "bo@example.org", "isCaregiver": True}),
        ("eva", "Eva", "+12025550118", {"tier": 2}),
    ):
        anna.does("guardian.put", guardian={"id": id, "resident": "mary", "name": name, "phone": phone, **more})
    for id, kind, title, times, more in (
        ("pill", "medicine", "The blood pressure pill", ["08:00", "20:00"], {"dose": "1 tablet", "isCritical": True}),
        ("lunch", "routine", "Lunch", ["12:30"], {}),
        ("walk", "routine", "A walk with Bo", ["16:00"], {}),
    ):
        schedule = {"kind": "calendar", "start": "2027-06-01T00:00:00", "timeZone": "UTC", "rrule": "FREQ=DAILY"}
        item = {"id": id, "resident": "mary", "kind": kind, "title": title, "schedule": {**schedule, "times": times}}
        anna.does("routine.put", item={**item, **more})
    for id, sender, text in (("one", "Bo", "I bring the bread."), ("two", "Anna", "I come at six.")):
        anna.does("message.send", target=id, resident="mary", sender=sender, text=text)
    note = {"resident": "mary", "kind": "memo", "author": "Bo"}
    for id, title, text, hours in (
        ("tap", "Tap", "The tap in the kitchen drips; a plumber comes on Tuesday.", 9),
        ("keys", "Keys", "The spare keys are with Eva.", 11),
    ):
        time = written(at(hours))
        anna.does("note.put", note={**note, "id": id, "title": title, "text": text, "time": time, "changedAt": time})
    for number, (level, hours, days) in enumerate((("6.4", 7, 0), ("8.1", 12, 0), ("5.9", 7, 1), ("7.2", 19, 1))):
        time = written(at(hours, 30, days))
        reading = {"id": f"reading-{number}", "resident": "mary", "level": level, "unit": "mmol/L", "time": time}
        anna.does("glucose.put", reading={**reading, "receivedAt": time, "source": "hand", "revision": 0})
    keys = {"id": "keys", "resident": "mary", "name": "Mary’s keys", "kind": "keys"}
    anna.does("tag.put", tag=keys, identities=["address:A4:C1:38:8D:18:B2"])
    anna.does("meter.put", meter={"address": "C0:11:22:33:44:55/random", "resident": "mary", "name": "The meter"})
    for kind in ("location", "notifications"):
        anna.does("consent.put", target="mary", kind=kind, isGranted=True, by="Anna")
    house.account("Noor", "noor@example.org", role=None)
    cup = raise_alarm(house, anna, at(14, 5))
    anna.does("alarm.acknowledge", target=cup)
    anna.does("alarm.resolve", target=cup, reason="She dropped a cup, and is well.")
    house.set_time(FIX)
    until("where Mary is", lambda: position(house).get("time", "") >= written(FIX)[:-1])
    house.is_quiet = True


class Anna:
    """One who cares, by her own account."""

    def __init__(self, house):
        self.house, self.token = house, house.token("anna@example.org")

    def does(self, action, **members):
        """Has something done in her name."""
        status, _, text = self.house.post(f"/api/v1/{action.replace('.', '/')}", members, self.token)
        if status != 200:
            raise Refused(f"{action}: {text}")


def raise_alarm(house, anna, moment):
    """An SOS for which somebody was called a moment ago; its id."""
    anna.does("setting.put", target="mary", name="prealarmSeconds", value=5)
    house.set_time(moment)
    house.do("sos.raise", target="mary")
    until("the call", lambda: [one for one in house.call("alarms.list") if one["stage"] == "dispatched"])
    return house.call("alarms.list")[0]["alarm"]


def link(house, alarm, guardian):
    """The token of the link in a message about an alarm, as the gateway makes it: nobody in this house gets letters."""
    with contextlib.closing(sqlite3.connect(house.folder / "state/care.db")) as store:
        content = store.execute("SELECT content FROM engine_state WHERE name = 'link-key'").fetchone()[0]
    key = bytes.fromhex(json.loads(content)["key"])
    return hmac.digest(key, f"{alarm}/{guardian}".encode(), "sha512")[:16].hex()


def last_over(house):
    """The alarm that ended last."""
    return house.call("events.query", {"types": ["alarm.resolved"], "limit": 1})[0]["data"]["alarm"]


def position(house):
    """Where Mary was last."""
    mary = next(one for one in house.call("residents.list") if one["id"] == "mary")
    return mary["tracking"].get("position") or {}


class Album:
    """The pictures, and who looks at which page."""

    def __init__(self, house, browsers):
        self.house, self.browsers, self.visitors, self.taken = house, browsers, {}, {}

    def visitor(self, name, language, is_dark):
        """Whoever may see a page, with a browser of their own."""
        email = {"en": "anna@example.org", "zh": "an@example.org"}[language]
        if is_own(name):
            email = "mary@example.org"
        others = {"welcome": "noor@example.org", "alarm-own": "mary@example.org", **dict.fromkeys(ENTRIES)}
        email = others.get(name, email)
        key = (email, language, is_dark)
        if key not in self.visitors:
            # A session of each, as they stand on the page of the account.
            more = {
                "is_new": True,
                "permissions": ["notifications"],
                "color_scheme": "dark" if is_dark else "light",
                "reduced_motion": "reduce",
            }
            self.visitors[key] = self.browsers.visitor(email, language=language, **more)
        return self.visitors[key]

    def take(self, name, size, language="en", is_dark=False, fields=None, called=None):
        """One picture, at the same moment as all the others."""
        page = self.visitor(name, language, is_dark)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        self.house.set_time(NOW)
        path = PATHS.get(name, f"/{name}") + (fields or FIELDS.get(name, "?resident=mary"))
        if is_own(name):
            path = "/" + name.replace("-", "/", 1)
        # What only the gateway's own screen shows.
        base = f"http://localhost:{self.house.screen_port}" if name == "screen" else self.house.base
        page.goto(base + path, wait_until="load")
        page.evaluate("document.fonts.ready")
        if page.locator("#map").count():
            page.wait_for_function(DRAWN)
        # The port of the house is another each time.
        page.evaluate(USUAL_PORT, f":{self.house.port}")
        words = [called or name, f"{size[0]}x{size[1]}", *(["zh"] if language == "zh" else [])]
        self.taken["-".join([*words, *(["dark"] if is_dark else [])])] = page.screenshot(animations="disabled")


def keep(name, picture):
    """Writes a picture as WebP without loss; one that shows the same stays as it is."""
    file, new = DOCS / f"{name}.webp", Image.open(io.BytesIO(picture)).convert("RGB")
    if file.exists() and Image.open(file).convert("RGB").tobytes() == new.tobytes():
        return
    new.save(file, lossless=True, quality=100, method=6)


def wanted(looks, kept, is_all):
    """Pages to take, of those in a list of digests, and the languages in which they are pictured."""
    names = sorted({line.rsplit(" ", 1)[0] for line in looks})
    pictured = {f"{name} en" for name in names} | {f"{name} zh" for name in CHINESE if name in names}
    changed = {key.split()[0] for key in pictured if is_all or kept.get(key) != looks.get(key)}
    return [name for name in names if name in changed], pictured


def read(file):
    """The digests in a file, by page and language."""
    lines = file.read_text().splitlines() if file.exists() else []
    return dict(line.rsplit(" ", 1) for line in lines)


def photograph(house, names):
    """The pictures of some pages."""
    browsers = Browsers(house)
    try:
        album = Album(house, browsers)
        # While an alarm is open, every other page has its banner.
        for name in [name for name in names if name not in OPEN]:
            shoot(album, name, alarm_field(last_over(house)) if name == "alarm-over" else None)
        opened = [name for name in OPEN if name in names]
        if opened or "home" in names:
            alarm = raise_alarm(house, Anna(house), CALL)
            for name in opened:
                shoot(album, name, f"/{link(house, alarm, 'bo')}" if name == "linked" else alarm_field(alarm))
            if "home" in names:
                album.take("home", Browsers.PHONE, called="home-with-alarm")
        if browsers.faults:
            raise SystemExit(f"pages are at fault, and no picture was kept: {'; '.join(browsers.faults)}")
        return album.taken
    finally:
        browsers.close()


def is_own(name):
    """Whether a page is one of somebody who is looked after."""
    return name == "me" or name.startswith("me-")


def alarm_field(alarm):
    """What follows the path of an alarm's page."""
    return f"?id={urllib.parse.quote(alarm)}"


def shoot(album, name, fields=None):
    """All that there are of one page."""
    album.take(name, Browsers.PHONE, fields=fields)
    for size, names in ((Browsers.HUB, HUBS), (Browsers.DESK, DESKS)):
        if name in names:
            album.take(name, size, fields=fields)
    if name in CHINESE:
        if name == "alarm-own" or is_own(name):
            speak(album.house, "zh")
        album.take(name, Browsers.PHONE, "zh", fields=fields)
        if is_own(name):
            speak(album.house, "en")
    if name in DARK:
        album.take(name, Browsers.PHONE, is_dark=True, fields=fields)


def speak(house, language):
    """Has the pages talk a language with whoever is looked after."""
    token = house.token("mary@example.org")
    account = json.loads(house.get("/api/v1/account/show", token)[2])
    profile = {**account["profile"], "language": language}
    house.post("/api/v1/account/put-profile", {"target": account["id"], "profile": profile}, token)


def answers(house):
    """What the gateway answers to each question of the pages: to Anna, to Mary about her alarm, and by a link."""
    sources = "\n".join(file.read_text() for file in CONSOLE.glob("Sources/*/Pages/**/*.swift"))
    routes = set(re.findall(r"(?:Question|ofOne|questions)\(\s*\"([a-z.-]+)\"", sources))
    token, own = house.token("anna@example.org"), house.token("mary@example.org")
    alarm = raise_alarm(house, Anna(house), CALL)
    house.set_time(NOW)
    found, refused = asked(house, token, routes)
    found |= asked(house, link(house, alarm, "bo"), ["alarm.linked"])[0]
    kept = {
        "now": NOW.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "answers": found,
        "refusals": refused,
        "own": dict(zip(("answers", "refusals"), asked(house, own, OWN, "&types=alarm"), strict=True)),
    }
    (CONSOLE / "Tests/Family").mkdir(exist_ok=True)
    text = json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True)
    (CONSOLE / "Tests/Family/answers.json").write_text(text + "\n")


def asked(house, token, routes, narrowed=""):
    """What somebody is answered, and the codes of what they are refused."""
    found, refused = {}, {}
    for route in sorted(routes):
        for fields in (f"?resident=mary&limit=100{narrowed}", "?resident=mary", ""):
            status, _, text = house.get(f"/api/v1/{route.replace('.', '/')}{fields}", token)
            if status == 200:
                found[route] = json.loads(text)
                break
        else:
            refused[route] = json.loads(text)["code"]
    return found, refused


def main():
    parser = argparse.ArgumentParser(description="Takes pictures of the pages.")
    parser.add_argument("looks", type=pathlib.Path, help="digests of how the pages look now")
    parser.add_argument("--all", action="store_true", help="takes also those that have not changed")
    parser.add_argument("--answers", action="store_true", help="writes down what the gateway answers, and takes none")
    arguments = parser.parse_args()
    looks, kept = read(arguments.looks), read(DOCS / "looks.txt")
    names, pictured = wanted(looks, kept, arguments.all)
    if not arguments.answers and not names:
        return print("Every picture shows its page as it is.")
    # Nobody listens there: the pages offer to have a browser told, and none is.
    house = House(BEGINS, town(), push=(free_port(), None))
    try:
        move_in(house)
        if arguments.answers:
            return answers(house)
        taken = photograph(house, names)
    finally:
        house.close()
    DOCS.mkdir(exist_ok=True)
    for name, picture in taken.items():
        keep(name, picture)
    lines = [f"{key} {looks[key]}\n" for key in sorted(pictured)]
    (DOCS / "looks.txt").write_text("".join(lines))
    size = sum(file.stat().st_size for file in DOCS.glob("*.webp"))
    print(f"{len(taken)} pictures of {', '.join(names)}; all together {size / 1e6:.2f} MB in {DOCS.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
