#!/usr/bin/python3 -I
"""Tells caregivers of alarms in browsers that have no page open.

The contract is plugins/protocol.md. One thread reads the host's lines; one for each lane works through its events, and
eight send. A message names nobody and no place: whoever opens it sees what their account may see.
"""

import concurrent.futures
import hashlib
import json
import os
import queue
import sys
import threading
import urllib.parse
from datetime import datetime

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import messages
import pluginkit
import requests
from pluginkit import SettingsError, Unanswered, log
from texts import Catalogue, gettext
from web import TooLarge, TooSlow, explained, retry_after, secure_session

AGENT = "homeward-webpush/1.0"
ANSWER_BYTES = 64 << 10
SENDERS = 8
# Those of Chrome, Edge, Firefox and Safari. Addresses come from browsers, and nobody makes the gateway write elsewhere.
SERVICES = ("fcm.googleapis.com", "*.push.services.mozilla.com", "*.notify.windows.com", "*.push.apple.com")
ALARM_SECONDS, NEWS_SECONDS, GREETING_SECONDS = 3600, 900, 300
LONGEST_PAUSE = 60
REMEMBERED = 500


class Later(Exception):
    """A service does not take it now: a sentence, and in how many seconds to try again."""

    def __init__(self, text, seconds=15):
        super().__init__(text)
        self.seconds = seconds


class Gone(Exception):
    """A browser cannot be told any more."""


class Refused(Exception):
    """A service takes this for no reason that waiting changes: a sentence."""


class Notice:
    """What is said of an event: for how long it matters, how urgently, and what it replaces in the browser."""

    def __init__(self, kind, seconds, urgency, subject, alarm=None):
        self.kind, self.seconds, self.urgency, self.alarm = kind, seconds, urgency, alarm
        # A service shows this to nobody, and keeps the newest only: 32 characters of Base64 for addresses.
        self.topic = messages.encode(hashlib.sha256(subject.encode()).digest())[:32]

    def text(self, language):
        """The message in somebody's language, as the page's worker reads it."""
        words = Catalogue(language)
        if self.kind == "alarm":
            title = words.gettext("Somebody you care for needs help")
            body = words.gettext("Open this to see who, where and why.")
        elif self.kind == "attention":
            title = words.gettext("Something at home needs your attention")
            body = words.gettext("Open this to see what it is.")
        elif self.kind == "changed":
            title = words.gettext("There is news of an alarm")
            body = words.gettext("Open this to see how it stands.")
        elif self.kind == "place":
            title = words.gettext("Somebody you care for came or went")
            body = words.gettext("Open this to see who and where.")
        else:
            title = words.gettext("This device is told from now on")
            body = words.gettext("A message like this comes when somebody you care for needs help.")
        message = {"kind": self.kind, "title": title, "body": body, "tag": self.topic, "alarm": self.alarm}
        return json.dumps(message, ensure_ascii=False).encode()


def notice_of(event):
    """What is to be said of an event; nothing where nobody has to hear of it."""
    kind, data = event.get("type"), event.get("data")
    data = data if isinstance(data, dict) else {}
    subject = str(event.get("subject"))
    if kind in ("zone.left", "zone.entered"):
        return Notice("place", NEWS_SECONDS, "normal", f"place {subject}")
    if kind == "account.changed":
        return Notice("greeting", GREETING_SECONDS, "normal", "greeting") if data.get("change") == "push" else None
    alarm = data.get("alarm")
    if not isinstance(alarm, str):
        return None
    if kind in ("alarm.dispatched", "alarm.escalated"):
        is_low = data.get("priority") == "low"
        return Notice(
            "attention" if is_low else "alarm", ALARM_SECONDS, "normal" if is_low else "high", f"alarm {alarm}", alarm
        )
    if kind in ("alarm.acknowledged", "alarm.cancelled", "alarm.resolved"):
        return Notice("changed", ALARM_SECONDS, "normal", f"alarm {alarm}", alarm)
    return None


def age(event):
    """How many seconds ago an event was; 0 where nobody can say."""
    try:
        then = datetime.fromisoformat(event["time"])
        return max(0, (datetime.now(then.tzinfo) - then).total_seconds())
    except (KeyError, TypeError, ValueError):
        return 0


class Services:
    """Where messages may go."""

    def __init__(self, named):
        self.patterns = [*SERVICES, *named]

    def has(self, endpoint):
        """Whether an address is one of a service that is known, by its own port."""
        try:
            parts = urllib.parse.urlsplit(endpoint)
            port = parts.port
        except ValueError:
            return False
        host = (parts.hostname or "").rstrip(".")
        if parts.scheme != "https" or parts.username is not None or not host:
            return False
        return any(self.fits(host, port, pattern) for pattern in self.patterns)

    @staticmethod
    def fits(host, port, pattern):
        name, _, number = pattern.lower().partition(":")
        if (port or 443) != int(number or 443):
            return False
        return host.endswith(name[1:]) if name.startswith("*.") else host == name

    @staticmethod
    def checked(names):
        """Names as the owner wrote them; raises `SettingsError`."""
        for name in names:
            host, colon, port = name.partition(":")
            labels = host.removeprefix("*.").split(".")
            is_host = all(label and label.isascii() and label.replace("-", "").isalnum() for label in labels)
            if not is_host or (colon and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536)):
                raise SettingsError(
                    gettext("services: {name} is no name of a server, such as push.example.org", name=repr(name[:100]))
                )
        return names


class Plugin(pluginkit.Plugin):
    """Takes events, and tells the browsers of whoever is concerned."""

    name = "webpush"
    version = "1.0.0"
    credits = {"events": 5, "bytes": 262_144}  # noqa: RUF012

    def __init__(self):
        super().__init__()
        self.methods["service.push.key"] = self.tell_key
        self.lanes = {lane: queue.Queue() for lane in ("alarm", "record")}
        self.senders = concurrent.futures.ThreadPoolExecutor(SENDERS, "sender")

    def begin(self, params):
        settings = params["settings"]
        contact = settings["contact"]
        if not contact.isprintable() or not (contact.startswith("https://") or "@" in contact[1:-1]):
            raise SettingsError(gettext("contact: an e-mail address, or a page that begins with https://"))
        self.services = Services(Services.checked(settings.get("services", [])))
        self.timeout = int(settings.get("timeoutSeconds", 8))
        self.ca_file = settings.get("caFile")
        try:
            key = messages.load_key(os.path.join(params["stateDirectory"], "vapid.pem"))
        except (OSError, ValueError) as error:
            reason = type(error).__name__
            raise SettingsError(
                gettext(
                    "vapid.pem in the state directory, the sender's key, cannot be read or made ({error})", error=reason
                )
            ) from None
        self.sender = messages.Sender(key, contact if contact.startswith("https://") else f"mailto:{contact}")
        if "network" not in params["grants"]:
            log("warning", "without the grant network no push service can be reached")

    def started(self):
        for lane, batches in self.lanes.items():
            threading.Thread(target=self.work, args=(batches,), name=lane, daemon=True).start()

    def tell_key(self, request_id, params):
        self.reply(request_id, {"key": self.sender.public})

    # Events

    def deliver(self, request_id, params):
        events = params.get("events") if isinstance(params, dict) else None
        if not isinstance(events, list) or not events or not all(isinstance(event, dict) for event in events):
            return self.fail(request_id, -32602, "a batch needs a list of events")
        self.lanes["alarm" if params.get("lane") == "alarm" else "record"].put((request_id, events))
        return None

    def work(self, batches):
        done = {}
        while True:
            request_id, events = batches.get()
            outcomes, waiting = [], set()
            for place, event in enumerate(events):
                outcome = {"outcome": "retry", "afterSeconds": 1, "reason": "what came before it waits"}
                # What is behind an alarm that waits is no news without it.
                if event.get("subject") not in waiting:
                    outcome = self.outcome(event, done)
                if outcome["outcome"] == "retry":
                    waiting.add(event.get("subject"))
                outcomes.append({"from": place, "to": place, **outcome})
            self.reply(request_id, {"outcomes": outcomes})

    def outcome(self, event, done):
        """What becomes of an event; `done` holds of each which sessions were told of it."""
        try:
            return self.carried(event, done)
        except (
            Exception
        ) as error:  # Whatever a library raises, or the gateway answers: the event stays with the gateway.
            text = gettext("it failed unexpectedly ({error})", error=type(error).__name__)
            log("error", text.english)
            return {"outcome": "retry", "afterSeconds": 30, "reason": text}

    def carried(self, event, all_done):
        """Tells the browsers that an event concerns; its outcome."""
        notice = notice_of(event)
        if notice is None or age(event) > notice.seconds:
            return {"outcome": "accepted"}
        done = all_done.setdefault(event.get("id"), set())
        while len(all_done) > REMEMBERED:
            del all_done[next(iter(all_done))]
        try:
            browsers = [one for one in self.browsers(event, notice) if one["session"] not in done]
        except Unanswered as fault:
            log("warning", f"the gateway does not say whom to tell ({fault})")
            return {"outcome": "retry", "afterSeconds": 5, "reason": gettext("the gateway did not say whom to tell")}
        sent = {one["session"]: self.senders.submit(self.send, one, notice) for one in browsers}
        late = None
        for session, sending in sent.items():
            try:
                sending.result()
                done.add(session)
            except Later as later:
                late = later
        self.tell_trouble(late)
        if late is None:
            return {"outcome": "accepted"}
        return {"outcome": "retry", "afterSeconds": late.seconds, "reason": str(late)}

    def browsers(self, event, notice):
        if notice.kind == "greeting":
            session = event["data"].get("session")
            return self.look_up("accounts.pushes", {"session": session}) if isinstance(session, str) else []
        # What concerns nobody who is known is told to all.
        kind, _, resident = str(event.get("subject")).partition("/")
        told = self.look_up("accounts.pushes", {"resident": resident} if kind == "resident" else {})
        return [one for one in told if notice.kind != "place" or one["push"]["wantsPlaces"]]

    def tell_trouble(self, late):
        health = pluginkit.WORKING
        if late is not None:
            health = {"state": "degraded", "code": "push-service", "detail": str(late)[:1000]}
        self.tell_health(health)

    # One browser

    def send(self, browser, notice):
        """Tells one browser. Raises `Later`; of what cannot be helped the log and the gateway hear."""
        push = browser["push"]
        try:
            self.post(push, notice, browser.get("language"))
        except Gone:
            self.forget(push["endpoint"])
        except Refused as refusal:
            log("warning", getattr(refusal.args[0], "english", str(refusal)))

    def post(self, push, notice, language):
        endpoint = push["endpoint"]
        if not self.services.has(endpoint):
            host = urllib.parse.urlsplit(endpoint).hostname
            log("warning", f"{host} is no push service that is known; where it is one, name it in `services`")
            raise Gone
        try:
            text = notice.text(language or os.environ.get("HOMEWARD_LANGUAGE"))
            body = messages.encrypt(text, push["keys"]["p256dh"], push["keys"]["auth"])
        except ValueError:
            raise Gone from None  # Its keys are no keys: nothing can ever be read by it.
        headers = {
            "TTL": str(notice.seconds),
            "Urgency": notice.urgency,
            "Topic": notice.topic,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": self.sender.authorization(endpoint),
        }
        # A session is no more than one thread's.
        with secure_session(AGENT, self.ca_file, ANSWER_BYTES, self.timeout) as session:
            try:
                answer = session.post(endpoint, data=body, headers=headers, allow_redirects=False)
            except requests.exceptions.RequestException as error:
                raise Later(explained(error)[1]) from None
            except (TooSlow, TooLarge):
                raise Later(gettext("the push service did not answer in time")) from None
        self.judge(answer, urllib.parse.urlsplit(endpoint).hostname)

    @staticmethod
    def judge(answer, host):
        status = answer.status_code
        if 200 <= status < 300:
            return
        if status in (404, 410):
            raise Gone
        if status == 429 or status >= 500:
            seconds = min(LONGEST_PAUSE, retry_after(answer.headers) or 15)
            raise Later(gettext("the push service {host} answers {status}", host=host, status=status), seconds)
        # 401 and 403 where the browser was told another key: its page asks anew when it is opened.
        raise Refused(gettext("the push service {host} refuses a message ({status})", host=host, status=status))

    def forget(self, endpoint):
        try:
            self.demand({"action": "account.push-gone", "endpoint": endpoint}, principal="webpush")
        except Unanswered as fault:
            log("warning", f"the gateway did not take that a browser is gone ({fault})")


if __name__ == "__main__":
    pluginkit.run(Plugin())
