"""A house with a real gateway and its pages, and families in real browsers.

The gateway is that of a build (`.build/debug` unless HOMEWARD_PROGRAMS says otherwise); positions come by a real gpsd.
Everything is invented, listens on the loopback only, and ends with the house.
"""

import atexit
import contextlib
import datetime
import functools
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

from homeward_rig.gps.epoch import Epoch
from homeward_rig.gps.nmea import NMEAReceiver
from homeward_rig.house.clock import Clock
from homeward_rig.house.programs import library
from playwright.sync_api import sync_playwright
from radio import Radio
from watchdog import Watchdog

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("HOMEWARD_PROGRAMS", ROOT / ".build/debug"))
# Of every Chromium: tests may run as root, and hear an alarm that nobody pressed a button for.
OPTIONS = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
# Each window makes two pages of its own for suggestions below its address bar, which nobody sees here, and lays them
# out anew at each size: more work than a page of ours. Of this option only the last counts, so that what Playwright
# switches off with it is named once more.
SWITCHED_OFF = [
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
]  # fmt: skip
HOME = (40.0100, -74.0100)
PASSWORD = "paper boat on the river"
# What a browser calls itself.
AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
METERS_PER_DEGREE = 111_195


def free_port(kind=socket.SOCK_STREAM):
    """A port of the loopback that nobody listens on."""
    with socket.socket(socket.AF_INET, kind) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def until(what, check, seconds=60):
    """Waits until something is so, and gives what the check gave."""
    end = time.monotonic() + seconds
    while not (found := check()):
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.05)
    return found


class Refused(Exception):
    """The gateway did not do or tell something."""


# By what a browser on this computer is known to be a telephone in the garden: as a reverse proxy says it.
TELEPHONE = {"X-Forwarded-For": "192.0.2.7"}


class House:
    """A gateway with two who are looked after, Mary with a receiver and Ben without, and the pages."""

    def __init__(
        self,
        begins=None,
        places=None,
        mail_port=None,
        push=None,
        has_radio=False,
        openid_port=None,
        picture=None,
        has_paper=False,
        has_telephones=False,
    ):
        """`begins`: how late it is in a house that has a clock of its own; `places`: an import's folder, for a map;
        `mail_port`: where a mail server on this computer takes letters; `push`: the port of a push service, and its
        certificate where it is to be reached; `has_radio`: whether there is Bluetooth; `openid_port`: where an identity
        provider on this computer is; `picture`: what a camera sees, as a JPEG file's bytes, where there is one;
        `has_paper`: whether reports are drawn on paper; `has_telephones`: whether browsers with `TELEPHONE` in their
        headers are somewhere else than the gateway."""
        self.stack = contextlib.ExitStack()
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory(prefix="homeward-pages-")))
        for name in ("state", "run"):
            (self.folder / name).mkdir()
        self.clock, self.places, self.mail_port, self.push, self.radio = None, places, mail_port, push, None
        self.openid_port, self.picture, self.has_paper = openid_port, picture, has_paper
        self.proxies = "[127.0.0.1]" if has_telephones else "[]"
        if begins:
            self._library = library(self.folder)
            self.clock = Clock(self.folder / "clock", begins)
            self.clock.set_synchronised(True)
        shutil.copytree(ROOT / "plugins/console/web", self._install("console") / "web")
        shutil.copy(ROOT / "plugins/console/Tests/Family/authority.pem", self.folder)
        if mail_port:
            self._install("email")
        for name in ["webpush"] * bool(push) + ["openid"] * bool(openid_port):
            kept_out = shutil.ignore_patterns("Tests", "__pycache__")
            shutil.copytree(ROOT / "plugins" / name, self.folder / "plugins" / name, ignore=kept_out)
        if picture:
            camera = shutil.copytree(ROOT / "Tests/Browser/stub_camera", self.folder / "plugins/camera")
            for name in ("pluginkit.py", "texts.py"):
                shutil.copy(ROOT / "Sources/Kits/PluginKitPython" / name, camera)
            (camera / "picture.jpg").write_bytes(picture)
        if self.has_paper:
            self._install("report")
        if places:
            self._install("places")
            shutil.copytree(places, self.folder / "state/plugins/places", symlinks=True)
        self.receiver, self.gpsd_port, self.port = free_port(socket.SOCK_DGRAM), free_port(), free_port()
        self.screen_port = free_port()
        self.offset, self.is_located, self.is_quiet = (0.0, 0.0), True, False
        self._start(["gpsd", "-N", "-n", "-S", str(self.gpsd_port), f"udp://127.0.0.1:{self.receiver}"])
        self.radio = Radio(self.folder, self._start) if has_radio else None
        if self.radio:
            self.stack.callback(self.radio.close)
        (self.folder / "homeward.yaml").write_text(self._configuration())
        self.daemon = None
        self.start()
        self._ended = threading.Event()
        self.stack.callback(self._ended.set)
        threading.Thread(target=self._tell_positions, daemon=True).start()
        self._move_in()

    def _install(self, plugin):
        """A plugin of the build, which has the house's clock."""
        place, program = self.folder / "plugins" / plugin, f"homeward-plugin-{plugin}"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "plugins" / plugin / "plugin.json", place)
        shutil.copy(PROGRAMS / program, place / ("program" if self.clock else program))
        # Of a release build; a debug build has the toolchain's.
        for shared in PROGRAMS.glob("lib*.so"):
            if not (place / shared.name).exists():
                (place / shared.name).symlink_to(shared.resolve())
        if self.clock:
            (place / program).write_text(f'#!/bin/sh\n{self._with_clock()} exec {place}/program "$@"\n')
            (place / program).chmod(0o755)
        return place

    def _with_clock(self):
        return f"LD_PRELOAD={self._library} HOMEWARD_STORY_CLOCK={self.clock.page.file}"

    def time(self):
        """Seconds since 1970, as the house has it."""
        return self.clock.wall() if self.clock else time.time()

    def set_time(self, moment):
        """Makes it so late in the house that has a clock, without anybody there taking it for a clock that was set."""
        self.clock.page.set("wall", round((moment.timestamp() - time.time()) * 1e9))

    @property
    def base(self):
        """Where the pages are."""
        return f"http://localhost:{self.port}"

    def _configuration(self):
        runtime = re.search(
            r"(/\S*)/libswiftCore\.so", subprocess.check_output(["ldd", PROGRAMS / "homewardd"], text=True)
        )
        readable = [
            runtime.group(1) if runtime else "/usr/lib",
            str(self.folder if self.clock else self.folder / "authority.pem"),
        ]
        readable = f"readPaths: [{', '.join(readable)}]"
        more = f"\n    - name: places\n      {readable}" if self.places else ""
        more += f"\n    - name: report\n      {readable}" if self.has_paper else ""
        if self.picture:
            more += "\n    - name: camera"
        if self.mail_port:
            more += f"""
    - name: email
      grants: [network, "observe:delivery"]
      {readable}
      loopback: [{self.mail_port}]
      settings: {{server: 127.0.0.1, port: {self.mail_port}, security: none, from: homeward@example.org}}"""
        if self.push:
            port, certificate = self.push
            trusts = f", caFile: {certificate}" if certificate else ""
            more += f"""
    - name: webpush
      grants: [network, "read:push", "command:account.push-gone"]
      readPaths: [{certificate or ""}]
      loopback: [{port}]
      settings: {{contact: owner@example.org, services: ["localhost:{port}"]{trusts}}}"""
        if self.openid_port:
            issuer, secret = f"http://localhost:{self.openid_port}", self.folder / "secret"
            secret.write_text("a secret of the family\n")
            secret.chmod(0o600)
            more += f"""
    - name: openid
      grants: [network]
      loopback: [{self.openid_port}]
      settings: {{issuer: "{issuer}", clientId: hub, clientSecret: {{file: {secret}}}, name: Family cloud}}"""
        return f"""
gateway: {{name: house, state: {self.folder}/state, runtime: {self.folder}/run, pages: "{self.base}"}}
gps: [{{name: gps, port: {self.gpsd_port}{", noReportSeconds: 900" if self.clock else ""}}}]
clock: {{trust: system}}
bluetooth: {{source: {"bluez" if self.radio else "none"}}}
sound: {{enabled: false}}
store: {{minimumFreeMegabytes: 10}}
plugins:
  directories: [{self.folder}/plugins]
  enabled:
    - name: console
      grants: [network, accounts, position.precise, content.personal, places, "read:*", "command:*", "service:*"]
      {readable}
      settings:
        port: {self.port}
        screenPort: {self.screen_port}
        authorityFile: {self.folder}/authority.pem
        proxies: {self.proxies}{more}
"""

    def _start(self, words):
        settings = {**os.environ}
        if self.clock and pathlib.Path(words[0]).name == "homewardd":
            settings |= dict(setting.split("=") for setting in self._with_clock().split())
            settings |= {"HOMEWARD_STORY_TIMERS": "1", "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        if self.radio:
            settings["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={self.radio.socket}"
        with open(self.folder / f"{pathlib.Path(words[0]).name}.log", "ab") as log:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=settings)
        self.stack.callback(self._stop, process)
        return process

    @staticmethod
    def _stop(process):
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def start(self):
        """Starts the gateway, once or again, and waits for its pages."""
        self.daemon = self._start([str(PROGRAMS / "homewardd"), "--config", str(self.folder / "homeward.yaml")])
        until("the pages", self._answers)

    def stop(self):
        """Ends the gateway."""
        self._stop(self.daemon)

    def _answers(self):
        try:
            return self.get("/log-in")[0] == 200
        except OSError:
            return False

    def close(self):
        """Ends everything."""
        self.stack.close()

    # The command line's door.

    def call(self, method, params=None):
        """Asks the gateway as its keeper."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.settimeout(30)
            link.connect(str(self.folder / "run/control.sock"))
            link.sendall(
                json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}).encode() + b"\n"
            )
            with link.makefile("rb") as lines:
                answer = json.loads(lines.readline())
        if "error" in answer:
            raise Refused(answer["error"]["message"])
        return answer["result"]

    def do(self, action, **members):
        """Has something done as the gateway's keeper."""
        return self.call("command", {"command": {"request": {"action": action, **members}}})

    def account(self, name, email, *residents, role="caregiver", own=None, language="en"):
        """Makes an account; its id."""
        profile = {"name": name, "language": language}
        answer = self.do("account.sign-up", email=email, profile=profile, questions=[], answers=[], password=PASSWORD)
        id = answer["account"]
        if role:
            self.do("account.choose-role", target=id, role=role, **({"resident": own} if own else {}))
        for resident in residents:
            self.do("account.link", target=id, resident=resident)
        return id

    def _move_in(self):
        latitude, longitude = HOME
        self.do("resident.put", resident={"id": "mary", "name": "Mary", "timeZone": "UTC", "gpsSource": "gps"})
        self.do("resident.put", resident={"id": "ben", "name": "Ben", "timeZone": "UTC"})
        home = {"id": "home", "resident": "mary", "name": "Home", "radiusMeters": 40, "isHome": True}
        self.do("zone.put", zone={**home, "center": {"latitude": latitude, "longitude": longitude}})
        self.account("Anna", "anna@example.org", "mary", "ben")
        self.account("Bo", "bo@example.org", "mary")
        self.account("安娜", "an@example.org", "mary", "ben", language="zh")
        self.account("Mary Own", "mary@example.org", role="resident", own="mary")

    # Where Mary is.

    def _tell_positions(self):
        receiver, link = NMEAReceiver(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with link:
            while not self._ended.wait(1):
                north, east = self.offset
                if self.is_quiet:
                    continue
                now = datetime.datetime.fromtimestamp(self.time(), datetime.UTC).replace(microsecond=0)
                epoch = Epoch(
                    time=now, latitude=HOME[0] + north / METERS_PER_DEGREE,
                    longitude=HOME[1] + east / METERS_PER_DEGREE / 0.766, speed=0.0, course=0.0,
                    accuracy=5.0, has_fix=self.is_located,
                )  # fmt: skip
                with contextlib.suppress(OSError):
                    link.sendto(receiver.tell(epoch), ("127.0.0.1", self.receiver))

    # The pages, without a browser.

    def get(self, path, token=None, **headers):
        """Status, headers and text of what is asked for."""
        return self.exchange("GET", path, token=token, **headers)

    def post(self, path, content, token=None, **headers):
        """Status, headers and text of what comes when something is sent."""
        return self.exchange(
            "POST", path, json.dumps(content).encode(), token, **{"Content-Type": "application/json", **headers}
        )

    def exchange(self, method, path, body=None, token=None, **headers):
        """One request, without following where it leads."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.base + path, body, headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def token(self, email):
        """Logs a program in."""
        status, _, text = self.post("/api/v1/account/log-in", {"email": email, "password": PASSWORD})
        if status != 200:
            raise Refused(text)
        return json.loads(text)["token"]


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


@functools.cache
def _play():
    """What plays browsers, which ends with the process: one thread plays one."""
    play = sync_playwright().start()
    atexit.register(play.stop)
    return play


_chromiums = {}
_watchdog = Watchdog()


def _chromium(*more):
    """Debian's Chromium, which ends with the process, by more options than usual; another where it has ended."""
    kept = _chromiums.get(more)
    if kept and kept.is_connected():
        return kept
    chromium = _chromiums[more] = _play().chromium.launch(
        executable_path=shutil.which("chromium"),
        args=[*OPTIONS, *more, f"--disable-features={','.join(SWITCHED_OFF)}"],
    )
    atexit.register(chromium.close)
    return chromium


class Browsers:
    """Debian's Chromium, and people who look at the pages of a house with it."""

    PHONE, HUB, DESK = (390, 844), (800, 480), (1280, 800)

    def __init__(self, house, *options):
        self.house, self._options = house, options
        self.contexts, self.faults = [], []
        # Cookies of who has logged in, by the address: to log in takes a while, on purpose.
        self.sessions = {}

    def close(self):
        """Ends what the people of this house look at."""
        while self.contexts:
            self.contexts.pop().close()
        # What comes next, if only the end of the browser, is not waited for without an end, either.
        _watchdog.begin()

    def visitor(self, email=None, size=PHONE, language="en", is_new=False, **more):
        """A page of somebody, logged in where an address is given; what goes wrong on it is kept in `faults`.

        Whoever was here before is still logged in, in the same session, unless it `is_new`.
        """
        _watchdog.begin()
        width, height = size
        if email and not is_new and email not in self.sessions:
            self.sessions[email] = [self._cookie(email)]
        kept = None if is_new else self.sessions.get(email)
        context = _chromium(*self._options).new_context(
            viewport={"width": width, "height": height}, locale={"zh": "zh-CN"}.get(language, language), **more
        )
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        if kept:
            context.add_cookies(kept)
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("console", self._heard)
        page.goto(self.house.base + ("/" if kept else "/log-in"))
        if email and not kept:
            self.log_in(page, email)
        return page

    def _cookie(self, email):
        """Logs somebody in from an address of their own: from one alone only twenty try to come in within a minute."""
        link = http.client.HTTPConnection(
            "localhost", self.house.port, timeout=30, source_address=(f"127.0.2.{len(self.sessions) + 1}", 0)
        )
        with contextlib.closing(link):
            content = json.dumps({"email": email, "password": PASSWORD})
            # What has an origin is a browser, whose token stays in its cookie.
            headers = {"Content-Type": "application/json", "Origin": self.house.base, "User-Agent": AGENT}
            link.request("POST", "/api/v1/account/log-in", content, headers)
            answer = link.getresponse()
            if answer.status != 200:
                raise Refused(answer.read().decode())
            name, _, value = answer.headers["Set-Cookie"].split(";")[0].partition("=")
        return {"name": name, "value": value, "url": self.house.base}

    def _heard(self, message):
        # What is refused on purpose is written down by the browser as well.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    def log_in(self, page, email, password=PASSWORD):
        """Logs in as a person does."""
        page.fill("[name=email]", email)
        page.fill("[name=password]", password)
        page.click("form button")
        page.wait_for_url(re.compile(r"/(\?|$|welcome|me$)"), wait_until="load")
