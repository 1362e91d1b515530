#!/usr/bin/python3 -I
"""Feeds a family's shared calendars into the routine of residents.

The contract is plugins/protocol.md. One thread reads the host's lines; another fetches.
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

import pluginkit
from contentlines import CalendarFault
from fetch import FetchFault, Source
from pluginkit import SettingsError, log, named_faults, write_file
from routine import CalendarImport
from texts import gettext

# The gateway takes lines of 1 MiB; the rest of the request needs room too.
ITEMS_BYTES = 1_000_000
COMMAND_SECONDS = 600
ANSWER_SECONDS = 120
GRANT = "command:routine.replace"


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
        self.already = []
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
        # What another calendar holds is offered again, for when that is gone.
        self.kept.taken("" if self.already else digest, len(items))
        if self.already and not self.detail:
            sources = ", ".join(sorted(set(self.already)))
            self.detail = gettext(
                "{n} of its events are in the routine already, from {source}, and are not there twice",
                n=len(self.already),
                source=sources,
            )
        log("info", f"{self.name}: handed over {len(items)} items")

    def take_already(self, result):
        """Takes from the gateway's answer which events another calendar of the resident holds."""
        try:
            held = [str(one["source"]) for one in result["result"]["alreadyThere"]]
        except (KeyError, TypeError):
            held = []
        self.already = held

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


class Plugin(pluginkit.Plugin):
    """Keeps the gateway's routine in step with the calendars."""

    name = "calendar"
    version = "1.0.0"

    def begin(self, params):
        settings = params["settings"]
        minutes = max(5, min(1440, int(settings.get("everyMinutes", 15))))
        directory, ca_file = params["stateDirectory"], settings.get("caFile")
        self.calendars = [Calendar(one, minutes * 60, directory, ca_file) for one in settings.get("calendars", [])]
        names = [calendar.name for calendar in self.calendars]
        if len(set(names)) != len(names):
            raise SettingsError("calendars: each name must stand only once")
        if GRANT not in params["grants"]:
            log("warning", f"without the grant {GRANT} the gateway takes no calendar")

    def started(self):
        self.tell_calendars()
        threading.Thread(target=self.work, name="fetch", daemon=True).start()

    # Fetching

    def work(self):
        while self.calendars:
            calendar = min(self.calendars, key=lambda one: one.next_at)
            pause = calendar.next_at - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            calendar.poll(self.replace)
            self.tell_calendars()

    def replace(self, calendar, items):
        """Has the gateway replace a calendar's items; answers why it does not."""
        # Made just now, whatever the wall clock shows.
        fresh_until = time.clock_gettime(time.CLOCK_BOOTTIME) + COMMAND_SECONDS
        request = {"action": "routine.replace", "target": calendar.resident, "source": calendar.name, "items": items}
        params = {
            "principal": calendar.name,
            "id": os.urandom(16).hex(),
            "freshUntil": int(fresh_until * 1000),
            "request": request,
        }
        answer = self.ask("command", params, ANSWER_SECONDS)
        if answer is None:
            return gettext("it did not answer in time")
        if "error" not in answer:
            calendar.take_already(answer.get("result"))
            return None
        error = answer["error"]
        if isinstance(error, dict) and "message" in error:
            return str(error["message"])[:300]
        return gettext("it did not say why")

    def tell_calendars(self):
        failing = [calendar for calendar in self.calendars if calendar.fault is not None]
        health = pluginkit.WORKING
        if failing:
            state, code, _ = failing[0].fault
            detail = named_faults([(one.name, one.fault[2]) for one in failing])
            health = {"state": state, "code": code, "detail": detail[:1000]}
        elif any(calendar.detail for calendar in self.calendars):
            detail = named_faults([(one.name, one.detail) for one in self.calendars if one.detail])
            health = {"state": "working", "code": "left-out", "detail": detail[:1000]}
        self.tell_health(health)


if __name__ == "__main__":
    pluginkit.run(Plugin())
