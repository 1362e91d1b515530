#!/usr/bin/python3 -I
"""Feeds a family's shared calendars into the routine of residents.

The contract is plugins/README.md. One thread reads the host's lines and never waits for the network; another fetches.
"""

import collections
import datetime
import functools
import hashlib
import json
import os
import random
import re
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from contentlines import CalendarFault
from fetch import FetchFault, Source
from routine import CalendarImport
from texts import gettext

NAME = "calendar"
VERSION = "1.0.0"
LINE_BYTES = 4 << 20
# The gateway takes lines of 1 MiB; the rest of the request needs room too.
ITEMS_BYTES = 1_000_000
COMMAND_SECONDS = 600
ANSWER_SECONDS = 120
GRANT = "command:routine.replace"


class SettingsError(Exception):
    """A setting that must be changed."""


def log(level, text):
    """Writes one line to the plugin's log; never a title, never an address."""
    print(f"{level}: {text}", file=sys.stderr, flush=True)


def write_file(path, data):
    """Puts a file in its place whole, on disk."""
    with open(f"{path}.new", "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)


def named_faults(faults):
    """What is to be said of several calendars, each with its name before it."""
    named = [gettext("{calendar}: {fault}", calendar=name, fault=fault) for name, fault in faults]
    return functools.reduce(lambda all, one: gettext("{faults}. {fault}", faults=all, fault=one), named)


class Kept:
    """What a calendar was when it was good, over restarts: its bytes, their validators, what the gateway took."""

    def __init__(self, directory, name, identity):
        self.paths = [os.path.join(directory, f"{name}.{ending}") for ending in ("ics", "json")]
        self.data, self.notes = None, {"identity": identity}
        try:
            with open(self.paths[1], encoding="utf-8") as file:
                notes = json.load(file)
            # Another address, resident or zone: what was kept is another calendar's.
            if isinstance(notes, dict) and notes.get("identity") == identity:
                with open(self.paths[0], "rb") as file:
                    data = file.read()
                if hashlib.sha256(data).hexdigest() == notes.get("digest"):
                    self.data, self.notes = data, notes
        except (OSError, ValueError, RecursionError):
            pass

    @property
    def validators(self):
        kept = self.notes.get("validators") if self.data is not None else None
        return kept if isinstance(kept, dict) and all(isinstance(text, str) for text in kept.values()) else {}

    def keep(self, data, validators):
        if data != self.data or validators != self.validators:
            self.notes |= {"validators": validators, "digest": hashlib.sha256(data).hexdigest()}
            self.data = data
            self.save(0)
            self.save(1)

    def taken(self, digest, count):
        self.notes |= {"taken": digest, "count": count}
        self.save(1)

    def save(self, index):
        try:
            write_file(self.paths[index], self.data if index == 0 else json.dumps(self.notes).encode())
        except OSError:
            log("warning", "the state directory cannot be written; the calendar is fetched again after a restart")


class Calendar:
    """One calendar of one resident."""

    def __init__(self, settings, everyday, directory, ca_file):
        self.name, self.resident = settings["name"], settings["resident"]
        if not re.fullmatch(r"[A-Za-z0-9-]{1,40}", self.name):
            raise SettingsError(gettext("calendars: a name must be 1 through 40 letters, digits and hyphens"))
        self.zone = settings["timeZone"]
        self.allows_empty = settings.get("allowEmpty", False) is True
        self.all_day = self.read_time(settings.get("allDayTime", "09:00"))
        user, password = settings.get("username", ""), settings.get("password", "")
        self.source = Source(settings["url"], settings.get("kind", "ics") == "caldav", user, password, ca_file)
        if not self.source.url.lower().startswith("https://") or not self.source.url.isprintable():
            raise SettingsError(
                gettext("calendars: the address of {name} must begin with https:// or webcal://", name=self.name)
            )
        identity = json.dumps([self.resident, self.name, self.source.url, self.zone, self.all_day])
        self.kept = Kept(directory, self.name, hashlib.sha256(identity.encode()).hexdigest())
        self.everyday = everyday
        self.next_at = 0.0
        self.failures = 0
        self.fault = ("degraded", "starting", gettext("not fetched yet"))
        self.detail = ""
        self.said = None

    def read_time(self, text):
        match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)", text)
        if not match:
            raise SettingsError(gettext("calendars: allDayTime of {name} must be a time such as 09:00", name=self.name))
        return int(match[1]), int(match[2])

    def read(self, data):
        now = datetime.datetime.now(datetime.UTC)
        return CalendarImport(
            data, resident=self.resident, source=self.name, time_zone=self.zone, now=now, all_day=self.all_day
        )

    def poll(self, replace):
        """Fetches, reads, and hands over what changed; notes how it went and when to come again."""
        try:
            self.work(replace)
        except (FetchFault, CalendarFault) as fault:
            self.failed(fault.code, fault.message, getattr(fault, "after_seconds", None))
        except Exception as error:  # Whatever the libraries raise: the calendar stays as it was.
            self.failed("unexpected", gettext("it could not be read ({error})", error=type(error).__name__), None)
        else:
            self.failures, self.fault = 0, None
            self.next_at = time.monotonic() + self.everyday * random.uniform(0.9, 1.1)

    def work(self, replace):
        fetch_fault = None
        try:
            data, validators = self.source.fetch(self.kept.validators)
            data = self.kept.data if data is None else data
            found = self.read(data)
            if found.component_count == 0 and self.kept.notes.get("count", 0) > 0 and not self.allows_empty:
                raise CalendarFault(
                    "emptied",
                    gettext("the calendar is suddenly empty; if that is meant, set allowEmpty, or remove the items"),
                )
            self.kept.keep(data, validators)
        except (FetchFault, CalendarFault) as fault:
            # Time goes on also while the network is dead: what is over goes, what had no room yet comes.
            if self.kept.data is None:
                raise
            fetch_fault, found = fault, self.read(self.kept.data)
        self.describe(found)
        self.hand_over(found.items, replace)
        if fetch_fault is not None:
            raise fetch_fault

    def hand_over(self, items, replace):
        digest = hashlib.sha256(json.dumps(items, sort_keys=True).encode()).hexdigest()
        if digest == self.kept.notes.get("taken"):
            return
        if len(json.dumps(items)) > ITEMS_BYTES:
            items = [item | {"details": item["details"][:200]} for item in items]
        if len(json.dumps(items)) > ITEMS_BYTES:
            raise CalendarFault("too-large", gettext("its events are too large together; share a smaller calendar"))
        refusal = replace(self, items)
        if refusal is not None:
            raise CalendarFault("refused", gettext("the gateway does not take it: {refusal}", refusal=refusal))
        self.kept.taken(digest, len(items))
        log("info", f"{self.name}: handed over {len(items)} items")

    def describe(self, found):
        """Names what was left out to the owner, and counts it in the log."""
        parts = [gettext("{title} ({reason})", title=title, reason=reason) for title, _, reason in found.left_out[:5]]
        more = found.left_out_count - len(parts)
        counts = collections.Counter(code for _, code, _ in found.left_out)
        said = [f"{count} left out for their {code}" for code, count in sorted(counts.items())]
        said += [f"{found.later} lie further ahead than there is room for"] if found.later else []
        said += [f"{found.shortened} had texts that were shortened"] if found.shortened else []
        if said != self.said:
            self.said = said
            log(
                "warning" if said else "info",
                f"{self.name}: {len(found.items)} items; {'; '.join(said) or 'all taken'}",
            )
        self.detail = ""
        if parts:
            events = functools.reduce(lambda all, one: gettext("{events}; {event}", events=all, event=one), parts)
            self.detail = gettext("left out: {events}", events=events)
        if parts and more > 0:
            self.detail = gettext("left out: {events}; and {n} more", events=events, n=more)

    def failed(self, code, message, after):
        if self.fault is None or self.fault[1] != code:
            log("warning", f"{self.name}: {message.english}")
        if code == "refused":
            message = gettext("{fault} It is offered again.", fault=message)
        elif self.kept.data is not None:
            message = gettext("{fault}; its last good copy stays", fault=message)
        self.fault = ("degraded", code, message)
        pause = after if after is not None else min(3600, 60 * 2 ** min(self.failures, 6))
        self.failures += 1
        self.next_at = time.monotonic() + max(30, pause) * random.uniform(0.9, 1.1)


class Plugin:
    """Answers the host's requests."""

    def __init__(self, output):
        self.output = output
        self.lock = threading.Lock()
        self.calendars = []
        self.is_initialized = False
        self.health = {"state": "working", "code": "", "detail": ""}
        self.next_id = 0
        self.answers = {}
        self.answered = threading.Condition()

    def write(self, message):
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        with self.lock:
            self.output.write(line.encode())
            self.output.flush()

    def fail(self, request_id, code, message):
        self.write({"id": request_id, "error": {"code": code, "message": message}})

    def handle(self, line):
        """Answers one line; false when the host asked for the end."""
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            self.fail(None, -32700, "the line is no JSON")
            return True
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            if isinstance(message, dict) and ("result" in message or "error" in message):
                self.take_answer(message)
            else:
                self.fail(None, -32600, "the line is no JSON-RPC 2.0 request")
            return True
        return "id" not in message or self.answer(message["id"], message["method"], message.get("params", {}))

    def answer(self, request_id, method, params):
        if method == "initialize":
            self.initialize(request_id, params)
        elif method == "health":
            self.write({"id": request_id, "result": self.health})
        elif method == "shutdown":
            self.write({"id": request_id, "result": {}})
            return False
        elif method != "events.deliver":
            self.fail(request_id, -32601, f"there is no method {method[:100]!r}")
        elif not self.is_initialized:
            self.fail(request_id, -32600, "the first request must be initialize")
        else:
            self.fail(request_id, -32602, "this plugin takes no events")
        return True

    def initialize(self, request_id, params):
        if self.is_initialized:
            return self.fail(request_id, -32600, "initialize comes only once")
        try:
            if params["protocol"] != 1:
                raise SettingsError("this plugin speaks protocol 1 only")
            settings = params["settings"]
            minutes = max(5, min(1440, int(settings.get("everyMinutes", 15))))
            for calendar in settings.get("calendars", []):
                self.calendars.append(
                    Calendar(calendar, minutes * 60, params["stateDirectory"], settings.get("caFile"))
                )
            names = [calendar.name for calendar in self.calendars]
            if len(set(names)) != len(names):
                raise SettingsError("calendars: each name must stand only once")
            if GRANT not in params["grants"]:
                log("warning", f"without the grant {GRANT} the gateway takes no calendar")
        except SettingsError as error:
            return self.fail(request_id, -32602, str(error))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return self.fail(request_id, -32602, f"the parameters do not fit ({type(error).__name__})")
        self.is_initialized = True
        credits = {"events": 1, "bytes": 65_536}
        self.write({"id": request_id, "result": {"protocol": 1, "name": NAME, "version": VERSION, "credits": credits}})
        self.tell_health()
        threading.Thread(target=self.work, name="fetch", daemon=True).start()
        return None

    # Fetching

    def work(self):
        while self.calendars:
            calendar = min(self.calendars, key=lambda one: one.next_at)
            pause = calendar.next_at - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            calendar.poll(self.replace)
            self.tell_health()

    def replace(self, calendar, items):
        """Has the gateway replace a calendar's items; answers why it does not."""
        with self.answered:
            self.next_id += 1
            request_id = self.next_id
            self.answers[request_id] = None
        expiry = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=COMMAND_SECONDS)
        request = {"action": "routine.replace", "target": calendar.resident, "source": calendar.name, "items": items}
        params = {
            "principal": calendar.name,
            "id": os.urandom(16).hex(),
            "expiresAt": expiry.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "request": request,
        }
        self.write({"id": request_id, "method": "command", "params": params})
        with self.answered:
            self.answered.wait_for(lambda: self.answers[request_id] is not None, ANSWER_SECONDS)
            answer = self.answers.pop(request_id)
        if answer is None:
            return gettext("it did not answer in time")
        if "error" not in answer:
            return None
        error = answer["error"]
        if isinstance(error, dict) and "message" in error:
            return str(error["message"])[:300]
        return gettext("it did not say why")

    def take_answer(self, message):
        with self.answered:
            if isinstance(message.get("id"), int) and message["id"] in self.answers:
                self.answers[message["id"]] = message
                self.answered.notify_all()

    def tell_health(self):
        failing = [calendar for calendar in self.calendars if calendar.fault is not None]
        health = {"state": "working", "code": "", "detail": ""}
        if failing:
            state, code, _ = failing[0].fault
            detail = named_faults([(one.name, one.fault[2]) for one in failing])
            health = {"state": state, "code": code, "detail": detail[:1000]}
        elif any(calendar.detail for calendar in self.calendars):
            detail = named_faults([(one.name, one.detail) for one in self.calendars if one.detail])
            health = {"state": "working", "code": "left-out", "detail": detail[:1000]}
        if health != self.health:
            self.health = health
            self.write({"method": "health", "params": health})


def main():
    plugin = Plugin(sys.stdout.buffer)
    try:
        while True:
            line = sys.stdin.buffer.readline(LINE_BYTES + 2)
            if not line:
                return 0
            if len(line) > LINE_BYTES + 1:
                log("error", "the host sent a line over the limit")
                return 1
            if not plugin.handle(line):
                return 0
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    code = main()
    # A fetch that hangs must not hold up the end.
    sys.stdout.flush()
    os._exit(code)
