"""The protocol of plugins/protocol.md over standard input and output, for plugins in Python.

One thread reads the host's lines and never waits for the network. What a plugin does beside that is its own: it makes a
subclass of `Plugin` and runs it with `run`.
"""

import collections
import contextlib
import functools
import json
import os
import sys
import threading
import time
import uuid

from texts import gettext

LINE_BYTES = 4 << 20
WORKING = {"state": "working", "code": "", "detail": ""}


class SettingsError(Exception):
    """A setting that must be changed; its message is shown to the owner."""


class Unanswered(Exception):
    """What was asked is not answered; its code is that of the protocol, or None when nothing came in time."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Log:
    """Lines on standard error, written by a thread of their own: no plugin waits for whoever reads them.

    What finds no room is dropped and counted, and the count is written where the lines are missing.
    """

    LINES = 256

    def __init__(self, stream=None):
        self.stream = stream
        self.lines = collections.deque()
        self.dropped = 0
        self.changed = threading.Condition()
        self.is_writing = False
        self.has_thread = False

    def write(self, line):
        with self.changed:
            if self.dropped or len(self.lines) >= self.LINES:
                self.dropped += 1
                return
            self.lines.append(line)
            self.changed.notify_all()
            if not self.has_thread:
                self.has_thread = True
                threading.Thread(target=self._run, daemon=True).start()

    def drain(self):
        """Lets the last lines out, for at most a second."""
        with self.changed:
            self.changed.wait_for(lambda: not self.lines and not self.dropped and not self.is_writing, 1)

    def _next(self):
        with self.changed:
            self.is_writing = False
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.lines or self.dropped)
            self.is_writing = True
            if self.lines:
                return self.lines.popleft()
            dropped, self.dropped = self.dropped, 0
            return f"warning: {dropped} lines were dropped here: nobody took them in time"

    def _run(self):
        while True:
            line = self._next()
            # Nobody is there to be told that nobody reads.
            with contextlib.suppress(OSError, ValueError):
                print(line, file=self.stream or sys.stderr, flush=True)


LOG = Log()


def log(level, text):
    """Writes one line to the plugin's log; never a secret, never what somebody wrote, never a reading."""
    LOG.write(f"{level}: {text}")


def write_file(path, data):
    """Puts a file in its place whole, on disk."""
    with open(f"{path}.new", "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)


def named_faults(faults):
    """What is to be said of several things, each with its name before it where it has one."""
    named = [gettext("{name}: {fault}", name=name, fault=fault) if name else fault for name, fault in faults]
    return functools.reduce(lambda all, one: gettext("{faults}. {fault}", faults=all, fault=one), named)


class Plugin:
    """Answers the host's requests; a subclass says what it is, and what it does.

    `begin` takes the parameters of `initialize` and raises `SettingsError` for what the owner must change; `started`
    comes once the host has its answer. `methods` names what the host may ask for beyond the protocol's own; each is
    called with the id of the request, to be answered once, and its parameters.
    """

    name = ""
    version = ""
    credits = {"events": 1, "bytes": 65_536}  # noqa: RUF012

    def __init__(self, output=None):
        self.output = output or sys.stdout.buffer
        self.lock = threading.RLock()
        self.is_initialized = False
        self.health = WORKING
        self.next_id = 0
        self.answers = {}
        self.answered = threading.Condition()
        self.methods = {"events.deliver": self.deliver}

    def begin(self, params):
        """Takes the settings."""

    def started(self):
        """Gets to work."""

    def deliver(self, request_id, params):
        """Takes a batch of events."""
        self.fail(request_id, -32602, "this plugin takes no events")

    # What is written

    def write(self, message):
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        with self.lock:
            self.output.write(line.encode())
            self.output.flush()

    def reply(self, request_id, result):
        self.write({"id": request_id, "result": result})

    def fail(self, request_id, code, message):
        self.write({"id": request_id, "error": {"code": code, "message": message}})

    def tell_health(self, health):
        """Says how the plugin does, when that changed."""
        with self.lock:
            if health != self.health:
                self.health = health
                self.write({"method": "health", "params": health})

    def ask(self, method, params, seconds):
        """Asks the host, from another thread than the one that reads: its whole answer, or nothing when none came."""
        with self.answered:
            self.next_id += 1
            request_id = self.next_id
            self.answers[request_id] = None
        self.write({"id": request_id, "method": method, "params": params})
        with self.answered:
            self.answered.wait_for(lambda: self.answers[request_id] is not None, seconds)
            return self.answers.pop(request_id)

    def require(self, method, params, seconds=10):
        """Asks the host as `ask` does; answers the result, and raises `Unanswered` where there is none."""
        answer = self.ask(method, params, seconds)
        if answer is None:
            raise Unanswered(None, "the host did not answer in time")
        if "error" in answer:
            raise Unanswered(answer["error"].get("code"), answer["error"].get("message", ""))
        return answer["result"]

    def look_up(self, question, params=None, seconds=10, **session):
        """Asks what the gateway knows, such as `zones.list`, from another thread than the one that reads.

        Needs grants `read:<kind>`. `session` and `address` say for whom. Answers what the question's own answer is;
        raises `Unanswered`.
        """
        return self.require("request", {"method": question, "params": params or {}, **session}, seconds).get("result")

    def look_through(self, question, params=None, seconds=10, **session):
        """Asks for a list to its end, such as `events.query`, as `look_up` does; its elements one by one.

        A list may be longer than what is answered at once: each part tells the cursor of the next.
        """
        params = dict(params or {})
        while True:
            answer = self.require("request", {"method": question, "params": params, **session}, seconds)
            yield from answer.get("result") or []
            if "next" not in answer:
                return
            params["cursor"] = answer["next"]

    def demand(self, request, seconds=10, **who):
        """Has the gateway do what somebody asked for just now, from another thread than the one that reads.

        Needs the grant `command:<action>`. `who` is `session` and `address`, or `principal` for whoever has no session.
        Answers what the command's own answer is; raises `Unanswered`.
        """
        fresh = int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000) + 30000
        params = {"id": str(uuid.uuid4()), "freshUntil": fresh, "request": request, **who}
        return self.require("command", params, seconds).get("result")

    # What is read

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
        if "id" not in message:
            self.notified(message["method"], message.get("params", {}))
            return True
        return self.answer(message["id"], message["method"], message.get("params", {}))

    def notified(self, method, params):
        """Takes a notification of the host; none needs an answer."""

    def take_answer(self, message):
        with self.answered:
            if isinstance(message.get("id"), int) and message["id"] in self.answers:
                self.answers[message["id"]] = message
                self.answered.notify_all()

    def answer(self, request_id, method, params):
        if method == "initialize":
            self.initialize(request_id, params)
        elif method == "health":
            self.reply(request_id, self.health)
        elif method == "shutdown":
            self.reply(request_id, {})
            return False
        elif method not in self.methods:
            self.fail(request_id, -32601, f"there is no method {method[:100]!r}")
        elif not self.is_initialized:
            self.fail(request_id, -32600, "the first request must be initialize")
        else:
            self.methods[method](request_id, params)
        return True

    def initialize(self, request_id, params):
        if self.is_initialized:
            return self.fail(request_id, -32600, "initialize comes only once")
        try:
            if params["protocol"] != 1:
                raise SettingsError("this plugin speaks protocol 1 only")
            self.begin(params)
        except SettingsError as error:
            return self.fail(request_id, -32602, str(error))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return self.fail(request_id, -32602, f"the parameters do not fit ({type(error).__name__})")
        self.is_initialized = True
        about = {"protocol": 1, "name": self.name, "version": self.version, "credits": self.credits}
        self.reply(request_id, about)
        self.started()
        return None


def read_lines(plugin):
    """Answers what the host writes until it is done; the program's exit code."""
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


def run(plugin):
    """Runs a plugin to its end."""
    code = read_lines(plugin)
    # Threads that hang in the network must not hold up the end.
    sys.stdout.flush()
    LOG.drain()
    os._exit(code)
