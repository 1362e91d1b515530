"""What every page has to be, whoever looks at it, on whichever screen: how large, how clear, in which language."""

import os
import re

from axe_playwright_python.sync_playwright import Axe
from house import Browsers

PAGES = [
    "/", "/map", "/zones", "/zones?resident=mary&zone=home", "/zones?resident=mary&zone=garden", "/zones?zone=new",
    "/alerts", "/alerts?span=month&about=zones", "/day", "/routine", "/more", "/bookmarks", "/history",
    "/history?about=places", "/messages", "/memos", "/health", "/glucose", "/diary",
    "/trend", "/profile", "/report", "/portrait", "/devices", "/guardians",
    "/settings", "/family", "/looks", "/account", "/reach",
]  # fmt: skip
ENTRIES = ["/log-in", "/sign-up", "/forgot", "/enter", "/trust", "/about"]
# Where nothing is, and where nothing is any more.
LOST = ["/nowhere", "/alarm?id=nothing"]
# All of them, for everybody and at every size, where the long tests are wanted.
IS_WHOLE = os.environ.get("HOMEWARD_WHOLE_TESTS") == "1"
# A screen, and how large whoever looks has the text; the last is the least that there is, with the largest letters.
SCREENS = [(Browsers.PHONE, ""), (Browsers.HUB, ""), (Browsers.DESK, ""), ((320, 640), "larger")]
COLOURS = ["light", "dark", "contrast"]
# Of what people press, the least side in CSS pixels; and nothing by which a page is moved sideways.
GEOMETRY = """letters => {
  const faults = [], root = document.documentElement;
  if (letters) root.dataset.size = letters; else delete root.dataset.size;
  const pressed = `button, a.button, nav a, a.entry, a.brand, a.owner, a.banner, .leaflet-bar a, summary,
    input:not([type=hidden]), select, textarea`;
  for (const one of document.querySelectorAll(pressed)) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || one.closest('[hidden], details:not([open]) > :not(summary)')) continue;
    const least = one.type === 'checkbox' ? 28 : 48;
    const side = Math.min(box.height, box.width);
    if (side < least - 0.5) faults.push(`small: ${one.outerHTML.slice(0, 90)} ${side}`);
  }
  const wide = root.scrollWidth - root.clientWidth;
  if (wide > 0) faults.push(`sideways by ${wide}`);
  return faults;
}"""
# Only what is at fault is told, and nothing is fetched once more for it.
AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
    # What has the better contrast has the lesser as well.
    "rules": {
        "target-size": {"enabled": True},
        "color-contrast-enhanced": {"enabled": True},
        "color-contrast": {"enabled": False},
    },
    "resultTypes": ["violations"],
    "preload": False,
}
# What people wrote, names of parts and sentences of the gateway's own language stand as they are.
WRITTEN = ".line, .entry, select, #words, .siren, #banner, #drawn, code"
# The page's own words, in one go: a page that comes true in between has the others again.
OWN_WORDS = """written => {
  document.querySelectorAll(written).forEach(one => one.remove());
  return document.body.innerText;
}"""
ENGLISH = re.compile(r"[A-Za-z]{3,}")
ADDRESS = re.compile(r"\S+@\S+")
# Of people, places and things that are called so everywhere.
NAMES = {
    "Homeward", "Mary", "Ben", "Own", "Home", "Orchard", "English", "SOS", "SHA", "CSV", "Linux", "Firefox", "iPhone",
    "iPad", "Android", "Windows", "Mac", "webpush", "Apache", "GNU", "PDF", "Letter",
}  # fmt: skip


def show(page, size, colours="light"):
    """Gives a page another screen and other colours, without loading it again."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if colours == "dark" else "light")
    page.evaluate(
        """colours => {
          const root = document.documentElement;
          if (colours === 'contrast') root.dataset.look = colours; else delete root.dataset.look;
        }""",
        colours,
    )


def misshapen(page, screens=SCREENS):
    """What is too small for a finger, or makes somebody move the page sideways, on each screen."""
    faults = []
    for (width, height), letters in screens:
        page.set_viewport_size({"width": width, "height": height})
        faults += [f"{width}×{height} {letters}: {fault}" for fault in page.evaluate(GEOMETRY, letters)]
    page.evaluate("() => { delete document.documentElement.dataset.size; }")
    return faults


def violations(page):
    """What axe finds: the rule, and where."""
    found = Axe().run(page, options=AXE).response["violations"]
    return [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found]


def foreign_words(page):
    """English words on a Chinese page; it is spoilt by the look."""
    words = ADDRESS.sub("", page.evaluate(OWN_WORDS, WRITTEN))
    return [word for word in ENGLISH.findall(words) if word not in NAMES]
