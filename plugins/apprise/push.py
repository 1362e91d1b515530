#!/usr/bin/python3 -I
"""Tells guardians about alarms by the push services that Apprise knows.

The contract is plugins/protocol.md. One thread reads the host's lines; four others send.
"""

import collections
import json
import logging
import os
import queue
import stat
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit
from pluginkit import SettingsError, log, write_file
from texts import gettext

SENDERS = 4
WAITING = 60
REMEMBERED = 200
TITLE_CHARACTERS = 120
PHOTO_BYTES = 10 << 20
NOTICES = ("alarm", "acknowledged", "cancelled", "duress", "photo", "test", "news")
TEXTS = ("event", "tag", "notice", "recipient", "channel", "address", "text")

TAKEN = gettext("the push service took it; nobody can prove that it arrived")
NOT_CONFIRMED = gettext("the push service did not confirm it; after a time-out it may have arrived all the same")
TOO_SLOW = gettext("the push service did not answer in time; it may have arrived all the same")


def load_apprise():
    """Apprise, silent: what it logs holds addresses, and with them secrets."""
    try:
        import apprise
    except ImportError:
        raise SettingsError(gettext("Apprise is not installed; install the Debian package apprise")) from None
    logger = logging.getLogger("apprise")
    logger.handlers = [logging.NullHandler()]
    logger.propagate = False
    logger.setLevel(logging.CRITICAL + 1)
    logging.lastResort = None
    return apprise


class Push:
    """One message to one guardian."""

    def __init__(self, params, service):
        self.params = params
        self.service = service
        self.deadline = None
        self.is_reported = False

    @staticmethod
    def key(params):
        """What makes two messages the same."""
        return tuple(str(params[name]) for name in ("event", "recipient", "channel", "notice", "attempt"))

    @property
    def title(self):
        text = self.params["text"]
        ends = [text.find(stop) for stop in (". ", "。", "\n")]
        end = min((end for end in ends if end >= 0), default=len(text))
        title = text[:end][:TITLE_CHARACTERS]
        return f"{title} [{self.params['tag']}]" if self.params["tag"] else title

    @property
    def body(self):
        """The text as it is: it says what to do, by the ways that this guardian has."""
        return self.params["text"]

    def photo(self):
        """The picture's path, where it is a JPEG file that can be read."""
        path = self.params.get("attachment")
        if not isinstance(path, str) or not path.startswith("/"):
            return None
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except (OSError, ValueError):
            return None
        try:
            found = os.fstat(descriptor)
            fits = stat.S_ISREG(found.st_mode) and found.st_size <= PHOTO_BYTES
            return path if fits and os.read(descriptor, 3) == b"\xff\xd8\xff" else None
        except OSError:
            return None
        finally:
            os.close(descriptor)


class Sender:
    """Sends what is handed to it, four at a time, and says what became of each once."""

    def __init__(self, apprise, timeout, report):
        self.apprise = apprise
        self.timeout = timeout
        self.report = report
        self.waiting = queue.Queue(maxsize=WAITING)
        self.lock = threading.Lock()
        self.running = set()
        self.has_running = threading.Condition(self.lock)
        for number in range(SENDERS):
            threading.Thread(target=self.work, name=f"sender-{number}", daemon=True).start()
        threading.Thread(target=self.watch, name="watch", daemon=True).start()

    def take(self, push):
        """Whether there is room."""
        try:
            self.waiting.put_nowait(push)
        except queue.Full:
            return False
        return True

    def work(self):
        while True:
            push = self.waiting.get()
            with self.lock:
                push.deadline = time.monotonic() + self.timeout
                self.running.add(push)
                self.has_running.notify()
            try:
                is_sent = self.send(push)
            except Exception as error:  # Apprise's hundred services raise whatever they like.
                log("warning", f"a push failed unexpectedly ({type(error).__name__})")
                is_sent = False
            with self.lock:
                self.running.discard(push)
            self.settle(push, is_sent, TAKEN if is_sent else NOT_CONFIRMED)

    def send(self, push):
        kinds = self.apprise.NotifyType
        kind = dict.fromkeys(("test", "news", "acknowledged"), kinds.INFO)
        kind |= {"cancelled": kinds.SUCCESS, "photo": kinds.WARNING}
        target = self.apprise.Apprise()
        target.add(push.service)
        words = {
            "title": push.title,
            "body": push.body,
            "notify_type": kind.get(push.params["notice"], kinds.FAILURE),
            "body_format": self.apprise.NotifyFormat.TEXT,
        }
        photo = push.photo()
        # Words never wait for a picture: where the service does not take it, they go alone.
        return bool((photo and target.notify(**words, attach=photo)) or target.notify(**words))

    def watch(self):
        """Tells of pushes that hang; their threads come back when the service lets go of them."""
        while True:
            with self.lock:
                while not self.running:
                    self.has_running.wait()
                now = time.monotonic()
                late = [push for push in self.running if push.deadline <= now and not push.is_reported]
                ahead = [push.deadline for push in self.running if push.deadline > now]
                if not late:
                    self.has_running.wait(min(ahead, default=now + 3600) - now)
                    continue
            for push in late:
                self.settle(push, False, TOO_SLOW)

    def settle(self, push, is_sent, detail):
        with self.lock:
            if push.is_reported:
                return
            push.is_reported = True
        self.report(push, "sent" if is_sent else "failed", detail)


class Ledger:
    """Which messages were taken, so that one that is asked for twice is sent once, also by the next run."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.outcomes = collections.OrderedDict()
        try:
            with open(path, encoding="utf-8") as file:
                for key, params in json.load(file)[-REMEMBERED:]:
                    if isinstance(params, dict):
                        self.outcomes[tuple(map(str, key))] = params
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            self.outcomes.clear()

    def has(self, key):
        with self.lock:
            return key in self.outcomes

    def outcome(self, key):
        """What became of a message, or nothing while it is not known."""
        with self.lock:
            return self.outcomes.get(key)

    def take(self, key):
        with self.lock:
            self.outcomes[key] = None
            while len(self.outcomes) > REMEMBERED:
                self.outcomes.popitem(last=False)

    def settle(self, key, params):
        """Notes what became of a message; what was on its way is sent again by the next run. Waits for the disk."""
        with self.lock:
            if key not in self.outcomes:
                return
            self.outcomes[key] = params
            sent = [[key, kept] for key, kept in self.outcomes.items() if kept and kept["outcome"] == "sent"]
            try:
                write_file(self.path, json.dumps(sent).encode())
            except OSError:
                log("warning", "the state directory cannot be written; a push may be sent twice after a restart")


class Plugin(pluginkit.Plugin):
    """Takes what guardians are to be told."""

    name = "apprise"
    version = "1.0.0"

    def __init__(self):
        super().__init__()
        self.methods["alarm.notify"] = self.notify
        self.targets = {}
        self.only_targets = False

    def begin(self, params):
        settings = params["settings"]
        self.apprise = load_apprise()
        self.read_targets(settings.get("targets", []))
        self.only_targets = settings.get("onlyTargets", False) is True
        self.ledger = Ledger(os.path.join(params["stateDirectory"], "sent.json"))
        timeout = max(1, min(120, int(settings.get("timeoutSeconds", 30))))
        if "observe:delivery" not in params["grants"]:
            log("warning", "without the grant observe:delivery the gateway cannot know what became of pushes")
        self.sender = Sender(self.apprise, timeout, self.report)

    def read_targets(self, targets):
        known = {}
        for target in targets:
            name, url = target["name"], target["url"]
            if not isinstance(name, str) or name in known:
                raise SettingsError(gettext("targets: each name must be a text, and stand only once"))
            if self.service(url) is None:
                raise SettingsError(
                    gettext(
                        "targets: the address of {name} is none that Apprise knows; correct it",
                        name=repr(name[:100]),
                    )
                )
            known[name] = url
        self.targets = known

    def service(self, url):
        """What Apprise makes of an address, or nothing."""
        if not isinstance(url, str) or not 4 <= len(url) <= 2000 or not url.isprintable():
            return None
        try:
            return self.apprise.Apprise.instantiate(url, suppress_exceptions=True)
        except Exception:  # Some of its readers raise all the same.
            return None

    # Telling guardians

    def notify(self, request_id, params):
        if not self.fits(params):
            return self.fail(request_id, -32602, "the parameters of alarm.notify do not fit")
        key = Push.key(params)
        if self.ledger.has(key):
            self.reply(request_id, {"outcome": "taken"})
            if self.ledger.outcome(key) is not None:
                self.write({"method": "delivery", "params": self.ledger.outcome(key)})
            return None
        push = Push(params, self.service(self.targets.get(params["address"], params["address"])))
        refusal = self.refusal(push)
        if refusal is not None:
            return self.reply(request_id, {"outcome": "failed", "detail": refusal})
        self.ledger.take(key)
        self.reply(request_id, {"outcome": "taken"})
        if not self.sender.take(push):
            detail = gettext("{waiting} pushes wait already; the services are too slow", waiting=WAITING)
            self.report(push, "failed", detail)
        return None

    @staticmethod
    def fits(params):
        return (
            isinstance(params, dict)
            and all(isinstance(params.get(name), str) for name in TEXTS)
            and isinstance(params.get("attempt"), int)
            and params["notice"] in NOTICES
        )

    def refusal(self, push):
        """Why a push cannot even be tried, or nothing."""
        if push.params["channel"] != "push":
            return gettext("this plugin sends pushes only")
        if self.only_targets and push.params["address"] not in self.targets:
            return gettext("the push address is not among the names in targets; correct it with the guardian")
        if push.service is None:
            return gettext("the push address is none that Apprise knows; correct it with the guardian")
        return None

    def report(self, push, outcome, detail):
        params = {name: push.params[name] for name in ("event", "recipient", "channel", "notice", "attempt")}
        params |= {"outcome": outcome, "detail": detail}
        self.ledger.settle(Push.key(push.params), params)
        # Health first: whoever hears of the push and asks is answered rightly.
        self.note(outcome)
        self.write({"method": "delivery", "params": params})

    def note(self, outcome):
        """One service that fails says nothing of the others: degraded, not failed."""
        health = pluginkit.WORKING
        if outcome != "sent":
            detail = gettext("the last push was not confirmed; check the guardian's push address and the network")
            health = {"state": "degraded", "code": "not-confirmed", "detail": detail}
        self.tell_health(health)


if __name__ == "__main__":
    pluginkit.run(Plugin())
