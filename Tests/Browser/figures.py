"""Measures the pages of a made-up family, for `make bench`.

    HOMEWARD_PROGRAMS=.build/release hardware/rig/python Tests/Browser/figures.py PART

Writes what was measured as one JSON object; the budgets are those of Tests/Benchmarks/PageBenchmark.swift. PART is
`first-view`, `rest`, `watching` or `timeline`. `storm PORT EMAIL` measures nothing: it asks the pages at a port without
a pause, as somebody with an account there and as strangers, while its input says so.
"""

import asyncio
import bisect
import concurrent.futures
import contextlib
import http.client
import json
import pathlib
import re
import selectors
import socket
import subprocess
import sys
import time

from bare_browser import BareBrowser
from house import OPTIONS, PASSWORD, PROGRAMS, Browsers, House, until
from looks import PAGES as PATHS
from slow import ROUND_TRIP, conditions, prove

# Before the first answer two more round trips go by, for TCP and TLS, which Chromium's throttle spares.
ROUND_TRIPS_BEFORE = 2
# Within a minute only a hundred log in; so some sessions have more than one page open.
PAGES, ACCOUNTS, SESSIONS_EACH, EVENTS = 200, 9, 10, 20
# So many seconds an event is waited for, before the next.
PATIENCE = 10
CALLERS = 32
# A page asks anew at once when it hears of something, and a moment later where it has just done so, as app.js has it.
QUIET, REFRESH_AFTER = 0.5, 0.06
PAINTS = """() => new Promise(resolve => {
  const found = {};
  const done = () => resolve(found);
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      if (entry.name === 'first-contentful-paint') found.first = entry.startTime;
    }
  }).observe({type: 'paint', buffered: true});
  new PerformanceObserver(list => { found.largest = list.getEntries().at(-1).startTime; })
    .observe({type: 'largest-contentful-paint', buffered: true});
  setTimeout(done, 1000);
})"""
# Ten years of somebody who pricks a finger five times a day.
YEARS, A_DAY = 10, 5
# Each picture of the graph is another one: it is moved there and back, and looked at more and less closely.
MOVED = """() => new Promise(resolve => {
  const graph = document.getElementById('timeline');
  const begun = performance.now();
  let [frames, turn, slowest, before] = [0, 0, 0, begun];
  const move = now => {
    slowest = frames > 1 ? Math.max(slowest, now - before) : 0;
    before = now;
    if (now - begun > 4000) return resolve({ frames, seconds: (now - begun) / 1000, slowest });
    frames += 1;
    turn += 1;
    if (turn % 4 < 2) {
      graph.dispatchEvent(new KeyboardEvent('keydown', { key: turn % 4 ? 'ArrowRight' : 'ArrowLeft' }));
    } else {
      graph.dispatchEvent(new WheelEvent('wheel', { deltaY: turn % 4 === 2 ? 100 : -100 }));
    }
    requestAnimationFrame(move);
  };
  requestAnimationFrame(move);
})"""
SEEN = """() => {
  window.seen = {};
  const look = () => {
    for (const [, number] of document.querySelector('#main').textContent.matchAll(/Watched (\\d+)\\./g)) {
      if (number in seen) continue;
      seen[number] = 0;
      requestAnimationFrame(() => { seen[number] = Date.now(); });
    }
  };
  new MutationObserver(look).observe(document.documentElement, {subtree: true, childList: true, characterData: true});
}"""


def share(values, part):
    """The value below which so much of them lies."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


# How soon a telephone shows something.


def view(browser, base, path, text, cookies):
    """One page, seen for the first time: when something stands there, and all bytes that came."""
    whose = browser.call("Target.createBrowserContext")["browserContextId"]
    target = browser.call("Target.createTarget", url="about:blank", browserContextId=whose)["targetId"]
    page = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.call("Emulation.setDeviceMetricsOverride", page, **screen)
    browser.call("Page.enable", page)
    # The throttle would take time of its own.
    browser.settle()
    for order, parameters in conditions():
        browser.call(order, page, **parameters)
    browser.call("Network.setBypassServiceWorker", page, bypass=True)
    for cookie in cookies:
        browser.call("Network.setCookie", page, url=base, **{name: cookie[name] for name in ("name", "value")})
    browser.events.clear()
    browser.call("Page.navigate", page, url=base + path)
    browser.wait("Page.loadEventFired")
    paints = browser.evaluate(page, PAINTS)
    assert text in browser.evaluate(page, "() => document.body.innerText"), f"{path} says nothing of {text}"
    received = [one["params"] for one in browser.events if one.get("method") == "Network.loadingFinished"]
    browser.call("Target.disposeBrowserContext", browserContextId=whose)
    before = ROUND_TRIPS_BEFORE * ROUND_TRIP
    return {
        "firstMilliseconds": paints["first"] + before,
        "largestMilliseconds": paints["largest"] + before,
        "bytes": sum(one["encodedDataLength"] for one in received),
    }


def first_view():
    """Log-in, first page and the page of an alarm on a throttled telephone."""
    with contextlib.closing(House()) as house, contextlib.closing(Browsers(house)) as browsers:
        until("Mary's position", lambda: any(one["tracking"].get("position") for one in house.call("residents.list")))
        page = browsers.visitor(service_workers="block")
        figures = {"throttle": prove(page)}
        page.context.close()
        anna = browsers.visitor("anna@example.org")
        cookies = anna.context.cookies()
        with BareBrowser(OPTIONS) as browser:
            figures["log-in"] = measure(browser, house.base, "/log-in", "Log in", [])
            figures["home"] = measure(browser, house.base, "/", "Mary", cookies)
            house.do("setting.put", target="mary", name="prealarmSeconds", value=5)
            house.do("sos.raise", target="mary")
            anna.wait_for_url(re.compile("/alarm"))
            path = anna.url.removeprefix(house.base)
            # Its own browser would only be in the way.
            anna.context.close()
            figures["alarm"] = measure(browser, house.base, path, "Mary", cookies)
        return figures


def measure(browser, *words, rounds=5):
    """The middle of some views of a page, and its bytes at most."""
    views = [view(browser, *words) for _ in range(rounds)]
    middle = {name: share([one[name] for one in views], 0.5) for name in ("firstMilliseconds", "largestMilliseconds")}
    return {**middle, "bytes": max(one["bytes"] for one in views)}


# What the gateway and its pages hold in memory.


def console_of(house):
    """The process of the console, below the gateway and its warden."""

    def children(pid):
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                yield child
                yield from children(child)

    def find():
        for pid in children(house.daemon.pid):
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{pid}/exe").resolve().name == "homeward-plugin-console":
                    return pid
        return None

    return until("the console", find)


def megabytes(pid):
    """The memory that is a process's own share, in MB (10^6 bytes)."""
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE).group(1)) * 1024 / 1e6


def settled(*pids, seconds=10):
    """The memory of processes together, when nothing has gone on for a while."""
    time.sleep(seconds)
    return sum(megabytes(pid) for pid in pids)


def rest():
    """The console when nobody has come yet, and when somebody has looked at every page and gone."""
    with contextlib.closing(House()) as house:
        console = console_of(house)
        figures = {"startedMegabytes": settled(console)}
        token = house.token("anna@example.org")
        for path in [*PATHS, "/static/none", "/api/v1/openapi.json"] * 3:
            house.get(path, token)
        return {**figures, "visitedMegabytes": settled(console, seconds=20)}


# Many who watch.


class Watcher:
    """Does what an open page does: hears of what happens, and asks for the page anew.

    Two hundred of them are to cost less than what they watch: they have no thread and no coroutine, see `Crowd`.
    """

    def __init__(self, port, token):
        self.port, self.token = port, token
        self.heard, self.shown = {}, {}
        self.stream, self.link = self._connected(), None
        self.told, self.page = b"", b""
        self.is_asking, self.is_wanted, self.asked = False, False, 0.0
        self.stream.sendall(self._head("/events"))

    def _connected(self):
        link = socket.create_connection(("localhost", self.port), timeout=30)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return link

    def _head(self, path):
        return (
            f"GET {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        ).encode()

    def hear(self):
        """Takes what the stream says; whether the page is to be asked for."""
        self.told += self.stream.recv(1 << 16)
        *lines, self.told = self.told.split(b"\n")
        events = [line for line in lines if line.startswith(b'data: {"')]
        for found in filter(None, (re.search(rb'"watched-(\d+)"', line) for line in events)):
            self.heard.setdefault(int(found.group(1)), time.time())
        self.is_wanted = self.is_wanted or (self.is_asking and bool(events))
        return bool(events) and not self.is_asking

    def ask(self):
        """Asks for the page that is open; the connection is kept for the next time."""
        self.is_asking, self.is_wanted, self.page = True, False, b""
        for _ in range(2):
            with contextlib.suppress(OSError):
                self.link = self.link or self._connected()
                return self.link.sendall(self._head("/messages?resident=mary"))
            self.link = None
        raise AssertionError("the page cannot be asked for")

    def read(self):
        """Takes of the page what has come; whether it is there, and whether it is to be asked for again."""
        piece = b""
        with contextlib.suppress(OSError):
            piece = self.link.recv(1 << 18)
        if not piece:
            self.link.close()
            self.link = None
            self.ask()
            return False, False
        self.page += piece
        head, found, body = self.page.partition(b"\r\n\r\n")
        if not found or len(body) < int(re.search(rb"(?i)content-length: (\d+)", head).group(1)):
            return False, False
        for number in re.findall(rb"Watched (\d+)\.", body):
            self.shown.setdefault(int(number), time.time())
        self.is_asking = False
        return True, self.is_wanted

    def end(self):
        """Closes what is open."""
        self.stream.close()
        if self.link:
            self.link.close()


class Crowd:
    """Many who watch, in one thread."""

    def __init__(self):
        self.watchers, self.due = [], []
        self.selector = selectors.DefaultSelector()

    def join(self, watcher):
        """One more: it has heard that it is there, and has the page, before anything else."""
        self.watchers.append(watcher)
        self.selector.register(watcher.stream, selectors.EVENT_READ, (watcher, watcher.stream))
        self._ask(watcher)
        self.run_until(lambda: not watcher.is_asking, PATIENCE)

    def _ask(self, watcher):
        before = watcher.link
        watcher.ask()
        self._follow(watcher, before)

    def _follow(self, watcher, before):
        if watcher.link is before:
            return
        if before:
            self.selector.unregister(before)
        self.selector.register(watcher.link, selectors.EVENT_READ, (watcher, watcher.link))

    def run_until(self, is_done, seconds):
        """Lets everybody do what they do until something is so, or the time is over."""
        end = time.monotonic() + seconds
        while not is_done() and time.monotonic() < end:
            wait = min([end, *(moment for moment, _ in self.due[:1])]) - time.monotonic()
            for key, _ in self.selector.select(max(0, min(wait, 0.05))):
                watcher, link = key.data
                if link is watcher.stream:
                    if watcher.hear():
                        self._ask_soon(watcher)
                elif link is watcher.link:
                    is_there, is_wanted = watcher.read()
                    self._follow(watcher, link)
                    if is_there and is_wanted:
                        self._ask_soon(watcher)
            while self.due and self.due[0][0] <= time.monotonic():
                self._ask(self.due.pop(0)[1])

    def _ask_soon(self, watcher):
        watcher.is_asking = True
        now = time.monotonic()
        wait = 0 if now - watcher.asked > QUIET else REFRESH_AFTER
        watcher.asked = now + wait
        bisect.insort(self.due, (watcher.asked, watcher), key=lambda one: one[0])


def delay(times, number, sent):
    """Milliseconds from what was sent to what came of it; all that is waited for where nothing did."""
    return (times.get(number, sent[number] + PATIENCE) - sent[number]) * 1000


def watch(house, tokens):
    """Memory with one page and with all, then events one after the other, each shown everywhere before the next."""
    console, gateway = console_of(house), house.daemon.pid
    crowd = Crowd()
    crowd.join(Watcher(house.port, tokens[0]))
    one = settled(console, gateway)
    for token in tokens[1:]:
        crowd.join(Watcher(house.port, token))
    many = settled(console, gateway)
    sent, watchers = {}, crowd.watchers
    with concurrent.futures.ThreadPoolExecutor() as threads:
        for number in range(EVENTS):
            sent[number] = time.time()
            words = {"target": f"watched-{number}", "resident": "mary", "sender": "Bo", "text": f"Watched {number}."}
            doing = threads.submit(lambda words=words: house.do("message.send", **words))
            crowd.run_until(lambda number=number: all(number in one.shown for one in watchers), PATIENCE)
            doing.result()
    after = settled(console, gateway)
    arrivals = [delay(watcher.heard, number, sent) for watcher in watchers for number in sent]
    shown = [delay(watcher.shown, number, sent) for watcher in watchers for number in sent]
    for watcher in watchers:
        watcher.end()
    return sent, {
        "pages": len(watchers), "events": EVENTS, "oneMegabytes": one, "manyMegabytes": many, "afterMegabytes": after,
        **{f"arrival{name}Milliseconds": share(arrivals, part) for name, part in (("P50", 0.5), ("P99", 0.99))},
        **{f"page{name}Milliseconds": share(shown, part) for name, part in (("P50", 0.5), ("P99", 0.99))},
    }  # fmt: skip


def log_in(port, email, address="127.0.0.1"):
    """The token of a new session, begun from an address: of one alone only so many are taken in a minute."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(address, 0))
    with contextlib.closing(link):
        content = json.dumps({"email": email, "password": PASSWORD})
        link.request("POST", "/api/v1/account/log-in", content, {"Content-Type": "application/json"})
        return json.load(link.getresponse())["token"]


def watching():
    """200 pages that watch, and one browser that does."""
    with contextlib.closing(House()) as house, contextlib.closing(Browsers(house)) as browsers:
        tokens = []
        for number in range(ACCOUNTS):
            house.account(f"Nurse {number}", f"nurse{number}@example.org", "mary")
            email, address = f"nurse{number}@example.org", f"127.0.1.{number + 1}"
            tokens += [log_in(house.port, email, address) for _ in range(SESSIONS_EACH)]
        tokens = [tokens[number % len(tokens)] for number in range(PAGES)]
        page = browsers.visitor("anna@example.org")
        page.goto(house.base + "/messages?resident=mary")
        page.evaluate(SEEN)
        # The browser's own loop is this thread's.
        with concurrent.futures.ThreadPoolExecutor() as threads:
            sent, figures = threads.submit(watch, house, tokens).result()
        seen = {int(number): moment / 1000 for number, moment in page.evaluate("seen").items() if moment}
        screen = [delay(seen, number, sent) for number in sent]
        return figures | {f"screen{name}Milliseconds": share(screen, part)
                          for name, part in (("P50", 0.5), ("P99", 0.99))}  # fmt: skip


# Ten years on one graph.


def ten_years(house):
    """Readings of ten years, by the way that files take; how many."""
    lines, random, now = ["time,mg/dL,tag"], 20_261_128, int(time.time())
    for number in range(YEARS * 365 * A_DAY):
        random = (random * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        moment = now - number * 86_400 // A_DAY - 3_600
        tag = ("before-breakfast", "after-breakfast", "before-lunch", "after-dinner", "at-night")[number % A_DAY]
        lines.append(f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime(moment))},{60 + (random >> 33) % 180},{tag}")
    file = house.folder / "ten-years.csv"
    file.write_text("\n".join(lines) + "\n")
    words = ["glucose", "import", file, "--resident", "ben", "--yes", "--dates", "ymd", "--json"]
    words += ["--socket", house.folder / "run/control.sock"]
    subprocess.run([PROGRAMS / "homeward", *words], check=True, stdout=subprocess.DEVNULL)
    return len(lines) - 1


def asked(port, path, token):
    """How long an answer takes, in milliseconds, and what it is."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(link):
        begun = time.monotonic()
        link.request("GET", path, headers={"Cookie": f"homeward={token}", "Authorization": f"Bearer {token}"})
        answer = link.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status)
        return (time.monotonic() - begun) * 1000, body


def timeline():
    """How soon the graph of ten years is there, and how smoothly it moves."""
    with contextlib.closing(House()) as house, contextlib.closing(Browsers(house)) as browsers:
        count = ten_years(house)
        # As a gateway has them that did not get all of them within the last seconds.
        house.stop()
        house.start()
        token = log_in(house.port, "anna@example.org")
        since = time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(time.time() - YEARS * 366 * 86_400))
        series = f"/api/v1/glucose/series?resident=ben&since={since}&points=2000"
        pages, points = [], []
        for _ in range(9):
            took, body = asked(house.port, "/trend?resident=ben", token)
            assert b"timeline-data" in body
            pages.append(took)
            took, body = asked(house.port, series, token)
            assert sum(json.loads(body)["counts"]) == count
            points.append(took)
        page = browsers.visitor("anna@example.org", size=Browsers.DESK)
        page.goto(house.base + "/trend?resident=ben")
        page.click("[data-move=all]")
        until("ten years", lambda: f"{count} readings" in page.inner_text("#timeline-words"))
        moved = page.evaluate(MOVED)
        return {
            "readings": count,
            "pageMilliseconds": share(pages, 0.5),
            "seriesMilliseconds": share(points, 0.5),
            "framesPerSecond": moved["frames"] / moved["seconds"],
            "slowestFrameMilliseconds": moved["slowest"],
        }


# Many who want something at once.


async def ask_on(port, token, number, answered):
    """Asks for one thing after the other, by one connection after the other."""
    paths = ("/log-in", "/", "/api/v1/residents/list", "/nothing%00", "/api/v1/account/log-in", "/history")
    own = f"Authorization: Bearer {token}\r\n" if number % 2 else ""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("localhost", port, limit=1 << 20)
            for turn in range(50):
                path = paths[(number + turn) % len(paths)]
                head, body = f"{path} HTTP/1.1\r\nHost: localhost:{port}\r\n{own}", ""
                if path.endswith("account/log-in"):
                    body = json.dumps({"email": f"{number}-{turn}@example.org", "password": "a guess at it"})
                    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"{'POST' if body else 'GET'} {head}\r\n{body}".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head).group(1)))
                answered.append(int(head.split()[1]))
            writer.close()


async def storm(port, email):
    """Asks without a pause, as strangers and as somebody logged in, from each line `begin` of the input to the next."""
    token = await asyncio.to_thread(log_in, port, email)
    while (await asyncio.to_thread(sys.stdin.readline)).strip() == "begin":
        answered, started = [], time.monotonic()
        work = [asyncio.create_task(ask_on(port, token, number, answered)) for number in range(CALLERS)]
        while len(answered) < 10 * CALLERS:
            await asyncio.sleep(0.01)
        print("begun", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        took = time.monotonic() - started
        print(json.dumps({"answered": len(answered), "seconds": took, "pages": answered.count(200)}), flush=True)


def main():
    """Measures one part."""
    match sys.argv[1:]:
        case ["first-view"]:
            figures = first_view()
        case ["rest"]:
            figures = rest()
        case ["watching"]:
            figures = watching()
        case ["timeline"]:
            figures = timeline()
        case ["storm", port, email]:
            return asyncio.run(storm(int(port), email))
        case _:
            sys.exit(__doc__)
    print(json.dumps(figures))
    return None


if __name__ == "__main__":
    main()
