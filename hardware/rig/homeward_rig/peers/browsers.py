"""Browsers of the people who care: Debian's Chromium, one profile for each, on telephones.

They find the hub under its name at a port of this computer, and trust the key that it showed when it was set up.

Actions:
    log-in WHO EMAIL PASSWORD   opens the pages in WHO's browser and logs in, as a person does
    look WHO                    → {address, text, loads, streams, away}: where that browser is, by its path; what it
                                shows; how many pages it has loaded; how often the one that is open began to hear what
                                happens, and for how many seconds at most it heard nothing between
    sounds WHO                  → [{time, level, hertz, state}]: what the page that is open let sound, measured at its
                                audio output twenty times a second
    press WHO LABEL             presses what bears that label
"""

import asyncio
import shutil
from typing import Any

from playwright.async_api import BrowserContext, Frame, Page, async_playwright

from ..control import action
from .program import argument_parser, run

PHONE = (390, 844)
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


class Browsers:
    """The browser of each who has one."""

    def __init__(self, name: str, port: int, key_hash: str) -> None:
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
            self._chromium = await play.chromium.launch(executable_path=shutil.which("chromium"), args=self._arguments)
            self._is_ready.set()
            await asyncio.Event().wait()

    async def _open(self, who: str) -> Page:
        await self._is_ready.wait()
        context: BrowserContext = await self._chromium.new_context(
            viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en"
        )
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
            **await page.evaluate("({ streams: rig.streams, away: rig.away })"),
        }

    @action
    async def sounds(self, who: str) -> Any:
        return await self._pages[who].evaluate("rig.sounds")

    @action
    async def press(self, who: str, label: str) -> None:
        await self._pages[who].get_by_role("button", name=label).click()


def main() -> None:
    parser = argument_parser("Browsers that look at the hub's pages.")
    parser.add_argument("--name", required=True, help="by which they ask for the pages")
    parser.add_argument("--port", type=int, required=True, help="port of this computer where the pages are reached")
    parser.add_argument("--key-hash", required=True, help="Base64 of the SHA-256 of the hub's public key")
    arguments = parser.parse_args()
    browsers = Browsers(arguments.name, arguments.port, arguments.key_hash)
    run(browsers, arguments.control, browsers.work)


if __name__ == "__main__":
    main()
