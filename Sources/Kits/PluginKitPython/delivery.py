"""Batches of events for plugins that hand them on one after the other, to one destination or to several.

Whatever a destination says, each event gets its outcome within the time that the gateway waits: accepted, refused for
ever, or to be tried again. What is behind an event that has to wait, waits too, so that the order stays; what goes to
other destinations does not.
"""

import queue
import threading
import time

import pluginkit
from pluginkit import log, named_faults
from texts import gettext

# The gateway waits a minute. After the first span no event is begun any more, after the second the batch is answered.
BEGIN_SECONDS = 25
ANSWER_SECONDS = 50
FIRST_PAUSE = 30
LONGEST_PAUSE = 900


class Later(Exception):
    """Why a destination takes nothing now: a code, a sentence, and when to try again if it said so."""

    def __init__(self, code, message, after_seconds=None, state="degraded"):
        super().__init__(message)
        self.code, self.message, self.after_seconds, self.state = code, message, after_seconds, state


class Refused(Exception):
    """Why an event can never be taken: a sentence."""


class Destination:
    """Where events go; a subclass carries them in `carry`, which answers when it is done."""

    def __init__(self, name=""):
        self.name = name
        self.failures = 0
        self.fault = None

    def carry(self, event):
        """Takes one event there, or raises `Later` or `Refused`."""
        raise NotImplementedError

    def worked(self):
        if self.fault is not None:
            log("info", self.line("it works again"))
        self.failures, self.fault = 0, None

    def failed(self, later):
        """Notes trouble; answers in how many seconds to try again."""
        if self.fault is None or self.fault.code != later.code:
            log("warning", self.line(getattr(later.message, "english", later.message)))
        self.fault = later
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self.failures, 5))
        self.failures += 1
        return pause if later.after_seconds is None else later.after_seconds

    def line(self, text):
        return f"{self.name}: {text}" if self.name else text


class Batch:
    """Events with one answer, which comes once: when all have their outcome, or when there is no more time."""

    def __init__(self, events, reply):
        self.events, self.reply = events, reply
        self.lock = threading.Lock()
        self.outcomes = []
        self.is_answered = False
        self.begun = time.monotonic()

    def settle(self, outcome):
        with self.lock:
            self.outcomes.append(outcome)

    def answer(self):
        with self.lock:
            if self.is_answered:
                return
            self.is_answered = True
            lacking = len(self.events) - len(self.outcomes)
            self.outcomes += [retry(FIRST_PAUSE, gettext("there was no answer in time"))] * lacking
            ranges = []
            for position, outcome in enumerate(self.outcomes):
                if ranges and {**ranges[-1], "from": None, "to": None} == {"from": None, "to": None, **outcome}:
                    ranges[-1]["to"] = position
                else:
                    ranges.append({"from": position, "to": position, **outcome})
            self.reply({"outcomes": ranges})


def retry(seconds, reason):
    return {"outcome": "retry", "afterSeconds": seconds, "reason": reason[:500]}


class DeliveringPlugin(pluginkit.Plugin):
    """A plugin that takes events; a subclass says to which of `destinations` each belongs."""

    credits = {"events": 50, "bytes": 262_144}  # noqa: RUF012

    def __init__(self):
        super().__init__()
        self.batches = queue.Queue()
        self.destinations = []

    def destination(self, event):
        """Where an event goes, or nothing when nobody wants it; raises `Refused` for what cannot be read."""
        raise NotImplementedError

    def started(self):
        threading.Thread(target=self.work, name="delivery", daemon=True).start()

    def deliver(self, request_id, params):
        events = params.get("events") if isinstance(params, dict) else None
        if not isinstance(events, list) or not events:
            return self.fail(request_id, -32602, "a batch needs a list of events")
        self.batches.put(Batch(events, lambda outcomes: self.reply(request_id, outcomes)))
        return None

    def work(self):
        while True:
            batch = self.batches.get()
            timer = threading.Timer(ANSWER_SECONDS, batch.answer)
            timer.daemon = True
            timer.start()
            waiting = {}
            for event in batch.events:
                if batch.is_answered:
                    break
                batch.settle(self.outcome(event, waiting, batch.begun))
            timer.cancel()
            # Health first: whoever hears of the batch and asks is answered rightly.
            self.tell_destinations()
            batch.answer()

    def outcome(self, event, waiting, begun):
        """What becomes of one event; `waiting` holds what destinations in trouble told those before it."""
        try:
            destination = self.destination(event)
            if destination is None:
                return {"outcome": "accepted"}
            if destination in waiting:
                return waiting[destination]
            if time.monotonic() - begun > BEGIN_SECONDS:
                waiting[destination] = retry(1, gettext("there was no time left for it"))
                return waiting[destination]
            destination.carry(event)
        except Refused as fault:
            return {"outcome": "refused", "reason": str(fault)[:500]}
        except Later as later:
            waiting[destination] = retry(destination.failed(later), later.message)
            return waiting[destination]
        except Exception as error:  # Whatever a library raises: the event stays with the gateway.
            text = gettext("it failed unexpectedly ({error})", error=type(error).__name__)
            waiting[destination] = retry(destination.failed(Later("unexpected", text)), text)
            return waiting[destination]
        destination.worked()
        return {"outcome": "accepted"}

    def tell_destinations(self):
        failing = [destination for destination in self.destinations if destination.fault is not None]
        health = pluginkit.WORKING
        if failing:
            worst = next((one for one in failing if one.fault.state == "failed"), failing[0])
            detail = named_faults([(one.name, one.fault.message) for one in failing])
            health = {"state": worst.fault.state, "code": worst.fault.code, "detail": detail[:1000]}
        self.tell_health(health)
