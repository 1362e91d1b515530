"""Browsers of the people who care, on telephones, and screens of those who are looked after: Debian's Chromium.

They find the hub under its name at a port of this computer, and trust the key that it showed when it was set up. Each
has a profile of its own; that of a screen is kept in the run's folder, as on a disk.

Actions:
    log-in WHO EMAIL PASSWORD   opens the pages in WHO's browser and logs in, as a person does
    look WHO                    → {address, text, keys, filled, loads, streams, away}: where that browser is, by its
                                path; what it shows; what bears which keys; how much of the screen what the page is
                                about takes, down to its end, from 0 to 1; how many pages it has loaded; how often the
                                one that is open began to hear what happens, and for how many seconds at most it heard
                                nothing between
    sounds WHO                  → [{time, level, hertz, state}]: what the page that is open let sound, measured at its
                                audio output twenty times a second
    press WHO LABEL             presses what bears that label
    let-in WHO CODE             opens the pages on a screen for WHO by a code, as its camera or somebody's fingers do
    open WHO PATH               opens another of the pages
    switch-off WHO              ends WHO's screen at once, as without power
    switch-on WHO               opens WHO's first page on the screen again, with the profile that is on its disk
    ask WHO PATH                → {status, answer}: what the interface for programs answers to WHO's screen at a path
"""

import asyncio
import os
import shutil
import signal
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Frame, Page, async_playwright

from ..control import action
from .program import argument_parser, run

PHONE = (390, 844)
SCREEN = (800, 480)
# Loaded before a page's own scripts. It listens at the way to the loudspeaker, and changes nothing of what goes there.
PROBE = """
(() => {
  const rig = (window.rig = { sounds: [], streams: 0, away: 0, since: 0 });
  const Stream = window.EventSource;
  window.EventSource = class extends Stream {
    constructor(...words) {
      super(...words);
      this.addEventListener("error", () => { rig.since ||= performance.now(); });
      this.addEventListener("open", () => {
        if (rig.since) rig.away = Math.max(rig.away, (performance.now() - rig.since) / 1000);
        rig.since = 0;
        rig.streams += 1;
      });
    }
  };
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...more) {
    if (target instanceof AudioDestinationNode) listen(this);
    return connect.call(this, target, ...more);
  };
  function listen(source) {
    const { context } = source;
    const ear = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 });
    connect.call(source, ear);
    const wave = new Float32Array(ear.fftSize), spectrum = new Float32Array(ear.frequencyBinCount);
    const looking = setInterval(() => {
      if (context.state === "closed") return clearInterval(looking);
      ear.getFloatTimeDomainData(wave);
      ear.getFloatFrequencyData(spectrum);
      const level = Math.sqrt(wave.reduce((sum, one) => sum + one * one, 0) / wave.length);
      const hertz = spectrum.indexOf(Math.max(...spectrum)) * context.sampleRate / ear.fftSize;
      rig.sounds.push({ time: context.currentTime, level, hertz, state: context.state });
    }, 50);
  }
})();
"""
# Keys are what is large enough to be pressed by somebody's thumb; a screen that scrolls is filled more than once.
SEEN = """() => ({
  streams: rig.streams, away: rig.away,
  keys: Array.from(document.querySelectorAll(".key"), (key) => key.innerText.trim()).filter(Boolean),
  filled: (document.querySelector("#main .matter")?.getBoundingClientRect().bottom || 0) / innerHeight,
})"""


class Browsers:
    """The browser of each who has one."""

    def __init__(self, name: str, port: int, key_hash: str, folder: Path) -> None:
        self._folder = folder
        self._base = f"https://{name}:{port}"
        self._arguments = [
            "--no-sandbox",
            "--disable-gpu",
            "--no-proxy-server",
            f"--host-resolver-rules=MAP {name} 127.0.0.1",
            f"--ignore-certificate-errors-spki-list={key_hash}",
        ]
        self._is_ready = asyncio.Event()
        self._pages: dict[str, Page] = {}
        self._loads: dict[str, int] = {}

    async def work(self) -> None:
        """Keeps Chromium until the program ends."""
        async with async_playwright() as play:
            self._play = play
            self._chromium = await play.chromium.launch(executable_path=shutil.which("chromium"), args=self._arguments)
            self._is_ready.set()
            await asyncio.Event().wait()

    async def _open(self, who: str) -> Page:
        await self._is_ready.wait()
        return await self._show(
            who, await self._chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
        )

    def _profile(self, who: str) -> Path:
        return (self._folder / f"screen-of-{who.lower()}").resolve()

    async def _open_screen(self, who: str) -> Page:
        await self._is_ready.wait()
        context = await self._play.chromium.launch_persistent_context(
            self._profile(who),
            executable_path=shutil.which("chromium"),
            args=self._arguments,
            viewport={"width": SCREEN[0], "height": SCREEN[1]},
            locale="en",
        )
        return await self._show(who, context)

    async def _show(self, who: str, context: BrowserContext) -> Page:
        # The machine is an emulated one.
        context.set_default_timeout(60_000)
        await context.add_init_script(PROBE)
        page = self._pages[who] = await context.new_page()
        self._loads[who] = 0

        def loaded(frame: Frame) -> None:
            if frame == page.main_frame:
                self._loads[who] += 1

        page.on("framenavigated", loaded)
        return page

    # Actions

    @action
    async def log_in(self, who: str, email: str, password: str) -> None:
        page = await self._open(who)
        await page.goto(f"{self._base}/log-in")
        await page.fill("[name=email]", email)
        await page.fill("[name=password]", password)
        await page.click("form button")
        await page.wait_for_url(f"{self._base}/", wait_until="load")

    @action
    async def look(self, who: str) -> dict[str, Any]:
        page = self._pages[who]
        await page.wait_for_load_state("load")
        return {
            "address": page.url.removeprefix(self._base),
            "text": await page.inner_text("body"),
            "loads": self._loads[who],
            **await page.evaluate(SEEN),
        }

    @action
    async def sounds(self, who: str) -> Any:
        return await self._pages[who].evaluate("rig.sounds")

    @action
    async def press(self, who: str, label: str) -> None:
        await self._pages[who].get_by_role("button", name=label).locator("visible=true").first.click()

    @action
    async def let_in(self, who: str, code: str) -> None:
        page = await self._open_screen(who)
        await page.goto(f"{self._base}/enter#screen={code}")
        await page.get_by_role("button", name="Show the pages here").click()
        await page.wait_for_url(f"{self._base}/me", wait_until="load")

    @action
    async def open(self, who: str, path: str) -> None:
        await self._pages[who].goto(self._base + path)

    @action
    async def switch_off(self, who: str) -> None:
        pages = self._pages.pop(who)
        profile = f"--user-data-dir={self._profile(who)}".encode()
        gone = asyncio.Event()
        pages.context.on("close", lambda _: gone.set())
        own = [one.parent for one in Path("/proc").glob("[0-9]*/cmdline") if profile in _words(one)]
        for process in own:
            os.kill(int(process.name), signal.SIGKILL)
        async with asyncio.timeout(30):
            await gone.wait()

    @action
    async def switch_on(self, who: str) -> None:
        page = await self._open_screen(who)
        await page.goto(f"{self._base}/me")

    @action
    async def ask(self, who: str, path: str) -> Any:
        return await self._pages[who].evaluate(
            """async (path) => {
                const answer = await fetch(path);
                return { status: answer.status, answer: await answer.json() };
            }""",
            path,
        )


def _words(file: Path) -> list[bytes]:
    """What a program was started with, from its file in /proc; nothing where it has ended."""
    try:
        return file.read_bytes().split(b"\0")
    except OSError:
        return []


def main() -> None:
    parser = argument_parser("Browsers that look at the hub's pages.")
    parser.add_argument("--name", required=True, help="by which they ask for the pages")
    parser.add_argument("--port", type=int, required=True, help="port of this computer where the pages are reached")
    parser.add_argument("--key-hash", required=True, help="Base64 of the SHA-256 of the hub's public key")
    arguments = parser.parse_args()
    browsers = Browsers(arguments.name, arguments.port, arguments.key_hash, arguments.folder)
    run(browsers, arguments.control, browsers.work)


if __name__ == "__main__":
    main()
