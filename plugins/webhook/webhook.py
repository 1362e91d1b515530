#!/usr/bin/env python3
"""Posts Homeward's events to a web address as CloudEvents 1.0.

A complete plugin in one file, with nothing but Python's standard library (3.11 or newer). The contract is
plugins/README.md. One thread reads the host's lines; each lane has a thread of its own that posts, so that an alarm
never waits for a trace or record batch.
"""

import contextlib
import email.utils
import http.client
import json
import queue
import socket
import ssl
import sys
import threading
import time
import urllib.parse

NAME = "webhook"
VERSION = "1.0.0"
LINE_BYTES = 4 << 20
BATCH_SECONDS = 50
FIRST_WAIT_SECONDS = 5
LONGEST_WAIT_SECONDS = 60
LANES = ("alarm", "record", "trace")
LOOPBACK = ("localhost", "127.0.0.1", "::1")

# What concerns the address, the token or the moment: the event itself can be taken later.
RETRIED_STATUSES = {401, 403, 404, 405, 407, 408, 421, 423, 425, 429}
ADVICE = {
    401: "the receiver does not accept the token; correct token or tokenHeader",
    403: "the receiver forbids it; check token and url",
    404: "there is nothing at url; correct it",
    405: "the receiver takes no POST at url; correct it",
    407: "a proxy asks for a login; post to an address that needs none",
}


class Failure(Exception):
    """A request that brought no answer, in words."""


class SettingsError(Exception):
    """A setting that must be changed."""


def log(level, text):
    """Writes one line to the plugin's log."""
    print(f"{level}: {text}", file=sys.stderr, flush=True)


# Reading the host's lines without changing a byte of the events


def members(text, index):
    """Yields (name, start, end) of each member of the JSON object that starts at index."""
    decoder = json.JSONDecoder()
    index = skip(text, skip(text, index, "{"))
    while text[index] != "}":
        name, index = decoder.raw_decode(text, index)
        start = skip(text, skip(text, skip(text, index), ":"))
        _, end = decoder.raw_decode(text, start)
        yield name, start, end
        index = skip(text, end)
        if text[index] == ",":
            index = skip(text, index + 1)


def elements(text, index):
    """Yields (start, end) of each element of the JSON array that starts at index."""
    decoder = json.JSONDecoder()
    index = skip(text, skip(text, index, "["))
    while text[index] != "]":
        _, end = decoder.raw_decode(text, index)
        yield index, end
        index = skip(text, end)
        if text[index] == ",":
            index = skip(text, index + 1)


def skip(text, index, expected=None):
    """The index after white space, or after the expected character."""
    if expected is not None:
        if text[index] != expected:
            raise ValueError(f"{expected} expected at {index}")
        return index + 1
    while text[index] in " \t\r":
        index += 1
    return index


def stored_bodies(text):
    """The events of an events.deliver line, each as the exact text that the gateway stores."""
    for name, start, _ in members(text, 0):
        if name == "params":
            for parameter, position, _ in members(text, start):
                if parameter == "events":
                    return [text[a:b] for a, b in elements(text, position)]
    raise ValueError("events are missing")


# Posting


class Target:
    """Where to post, and how, checked once."""

    def __init__(self, settings):
        self.url = urllib.parse.urlsplit(settings["url"])
        if self.url.scheme not in ("https", "http") or not self.url.hostname:
            raise SettingsError("url must start with https:// (or http:// on this machine)")
        try:
            self.port = self.url.port
        except ValueError:
            raise SettingsError("the port in url must be 1 through 65535") from None
        if self.url.username or self.url.password:
            raise SettingsError("url must hold no user name and no password; use token")
        if self.url.scheme == "http" and self.url.hostname not in LOOPBACK and not settings.get("allowPlaintext"):
            raise SettingsError(
                "http:// to another machine can be read on the way; use https://, or set allowPlaintext if you must"
            )
        self.path = urllib.parse.urlunsplit(("", "", self.url.path or "/", self.url.query, ""))
        self.is_batched = settings.get("format", "batch") == "batch"
        self.timeout = settings.get("timeoutSeconds", 10)
        self.token_headers = self.read_token(settings)
        self.context = self.read_certificates(settings)

    @staticmethod
    def read_token(settings):
        token = settings.get("token")
        if not token:
            return {}
        name = settings.get("tokenHeader", "Authorization")
        value = f"Bearer {token}" if name.lower() == "authorization" else token
        if any(ord(c) < 33 or ord(c) > 126 or c == ":" for c in name):
            raise SettingsError("tokenHeader must be the name of a header")
        if any(ord(c) < 32 or ord(c) > 126 for c in value):
            raise SettingsError("token must be printable ASCII without line breaks")
        return {name: value}

    def read_certificates(self, settings):
        if self.url.scheme == "http":
            return None
        try:
            return ssl.create_default_context(cafile=settings.get("caFile"))
        except (OSError, ssl.SSLError) as error:
            raise SettingsError(f"caFile cannot be read ({error}); check the path and the plugin's readPaths") from None

    def connection(self, timeout):
        if self.context is None:
            return http.client.HTTPConnection(self.url.hostname, self.port, timeout=timeout)
        return http.client.HTTPSConnection(self.url.hostname, self.port, timeout=timeout, context=self.context)


class Poster:
    """Posts over one connection that is kept open; belongs to one lane's thread."""

    def __init__(self, target):
        self.target = target
        self.connection = None

    def post(self, body, content_type, is_durable, seconds):
        """Posts once and answers (status, retry-after header); raises Failure when nothing comes."""
        headers = {
            "Content-Type": content_type,
            "User-Agent": f"Homeward-webhook/{VERSION}",
            "Homeward-Durable": "true" if is_durable else "false",
            **self.target.token_headers,
        }
        is_reused = self.connection is not None
        deadline = time.monotonic() + seconds
        try:
            return self.attempt(body, headers, deadline)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
            # The receiver closed the kept connection meanwhile: not a fault, and worth one fresh attempt.
            self.close()
            if not is_reused:
                raise Failure(explain(error)) from None
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            self.close()
            raise Failure(explain(error)) from None
        try:
            return self.attempt(body, headers, deadline)
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            self.close()
            raise Failure(explain(error)) from None

    def attempt(self, body, headers, deadline):
        remaining = max(0.1, deadline - time.monotonic())
        if self.connection is None:
            self.connection = self.target.connection(remaining)
            self.connection.connect()
        # A receiver that sends a byte now and then would never run into the socket's own time limit.
        sock = self.connection.sock
        sock.settimeout(remaining)
        watchdog = threading.Timer(max(0.1, deadline - time.monotonic()), shut, [sock])
        watchdog.daemon = True
        watchdog.start()
        try:
            self.connection.request("POST", self.target.path, body, headers)
            response = self.connection.getresponse()
            too_long = len(response.read(65536)) == 65536
            if too_long or response.will_close:
                self.close()
            return response.status, response.getheader("Retry-After")
        except (OSError, http.client.HTTPException) as error:
            if time.monotonic() >= deadline:
                raise TimeoutError from error
            raise
        finally:
            watchdog.cancel()

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def shut(sock):
    """Ends whatever the socket is doing, on whatever thread."""
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def explain(error):
    """A failure of the network in plain words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the receiver's certificate is not trusted: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return "the receiver did not answer in time"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens at the address in url"
    if isinstance(error, socket.gaierror):
        return "the host in url cannot be found"
    if isinstance(error, http.client.RemoteDisconnected):
        return "the receiver closed the connection without an answer"
    return f"the connection broke off ({type(error).__name__})"


def retry_after(header, default):
    """Seconds from a Retry-After header, a number or a date, 1 through 86,400."""
    seconds = default
    if header is not None and header.strip().isascii() and header.strip().isdigit():
        seconds = int(header.strip()[:9])
    elif header is not None:
        try:
            moment = email.utils.parsedate_to_datetime(header)
            seconds = int(moment.timestamp() - time.time()) + 1
        except (TypeError, ValueError, OverflowError):
            pass
    return max(1, min(86_400, seconds))


class Deliverer:
    """Turns batches of one lane into requests and answers into outcomes."""

    def __init__(self, target, on_health):
        self.target = target
        self.poster = Poster(target)
        self.on_health = on_health
        self.failures = 0

    def deliver(self, bodies, is_durable):
        """The outcome of each event, in order."""
        self.deadline = time.monotonic() + BATCH_SECONDS
        self.is_durable = is_durable
        outcomes = []
        if self.target.is_batched:
            self.split(bodies, outcomes)
        else:
            for body in bodies:
                self.take(self.send([body]), 1, outcomes)
        return outcomes

    def split(self, bodies, outcomes):
        """Posts a batch; one that is refused whole is halved until the event that is to blame stands alone."""
        outcome = self.send(bodies)
        if outcome["outcome"] == "refused" and len(bodies) > 1:
            middle = len(bodies) // 2
            self.split(bodies[:middle], outcomes)
            self.split(bodies[middle:], outcomes)
        else:
            self.take(outcome, len(bodies), outcomes)

    @staticmethod
    def take(outcome, count, outcomes):
        outcomes.extend([outcome] * count)

    def send(self, bodies):
        remaining = min(self.target.timeout, self.deadline - time.monotonic())
        if remaining < 1:
            return {"outcome": "retry", "afterSeconds": 1, "reason": "the batch took too long"}
        if self.target.is_batched:
            body, kind = "[" + ",".join(bodies) + "]", "application/cloudevents-batch+json"
        else:
            body, kind = bodies[0], "application/cloudevents+json"
        try:
            status, header = self.poster.post(body.encode(), f"{kind}; charset=UTF-8", self.is_durable, remaining)
        except Failure as failure:
            return self.failed("no-answer", str(failure), None)
        return self.judge(status, header)

    def judge(self, status, header):
        host = self.target.url.hostname
        if 200 <= status < 300:
            self.failures = 0
            self.on_health("working", "", "")
            return {"outcome": "accepted"}
        if 400 <= status < 500 and status not in RETRIED_STATUSES:
            return {"outcome": "refused", "reason": f"{status} from {host}"}
        if 300 <= status < 400:
            advice = "the receiver has moved; set url to the new address"
        else:
            advice = ADVICE.get(status, "it is tried again")
        return self.failed(f"status-{status}", f"{status} from {host}: {advice}", header)

    def failed(self, code, detail, header):
        wait = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS << min(self.failures, 5))
        self.failures += 1
        self.on_health("failed", code, detail)
        return {"outcome": "retry", "afterSeconds": retry_after(header, wait), "reason": detail}


def ranges(outcomes):
    """Outcomes by ranges of positions, neighbours with the same outcome together."""
    spans = []
    for position, outcome in enumerate(outcomes):
        if spans and {k: v for k, v in spans[-1].items() if k not in ("from", "to")} == outcome:
            spans[-1]["to"] = position
        else:
            spans.append({"from": position, "to": position, **outcome})
    return spans


# The conversation with the host


class Plugin:
    """Answers the host's requests."""

    def __init__(self, output):
        self.output = output
        self.lock = threading.Lock()
        self.queues = {}
        self.health = {"state": "working", "code": "", "detail": ""}

    def write(self, message):
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n"
        with self.lock:
            self.output.write(line.encode("utf-8", "replace"))
            self.output.flush()

    def fail(self, request_id, code, message):
        self.write({"id": request_id, "error": {"code": code, "message": message}})

    def note_health(self, state, code, detail):
        health = {"state": state, "code": code, "detail": detail}
        if health != self.health:
            self.health = health
            self.write({"method": "health", "params": health})

    def handle(self, line):
        """Answers one line; false when the host asked for the end."""
        try:
            text = line.decode("utf-8")
            message = json.loads(text)
        except (ValueError, RecursionError):
            self.fail(None, -32700, "the line is no JSON")
            return True
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            if not isinstance(message, dict) or not ("result" in message or "error" in message):
                self.fail(None, -32600, "the line is no JSON-RPC 2.0 request")
            return True
        if "id" not in message:
            return True
        return self.answer(message, text)

    def answer(self, message, text):
        request_id, method = message["id"], message["method"]
        params = message.get("params", {})
        if method == "initialize":
            self.initialize(request_id, params)
        elif method == "health":
            self.write({"id": request_id, "result": self.health})
        elif method == "shutdown":
            self.write({"id": request_id, "result": {}})
            return False
        elif method == "events.deliver" and self.queues:
            self.deliver(request_id, params, text)
        elif method == "events.deliver":
            self.fail(request_id, -32600, "the first request must be initialize")
        else:
            self.fail(request_id, -32601, f"there is no method {method!r}")
        return True

    def initialize(self, request_id, params):
        if self.queues:
            return self.fail(request_id, -32600, "initialize comes only once")
        try:
            if params["protocol"] != 1:
                raise SettingsError("this plugin speaks protocol 1 only")
            target = Target(params["settings"])
        except SettingsError as error:
            return self.fail(request_id, -32602, str(error))
        except (KeyError, TypeError, ValueError) as error:
            return self.fail(request_id, -32602, f"the parameters do not fit: {error}")
        for lane in LANES:
            self.queues[lane] = queue.Queue(maxsize=1)
            deliverer = Deliverer(target, self.note_health)
            threading.Thread(target=self.work, args=(self.queues[lane], deliverer), name=lane, daemon=True).start()
        self.write(
            {
                "id": request_id,
                "result": {
                    "protocol": 1,
                    "name": NAME,
                    "version": VERSION,
                    "credits": {"events": 100, "bytes": 262_144},
                },
            }
        )

    def deliver(self, request_id, params, text):
        try:
            lane, is_durable = params["lane"], params["durable"] is True
            bodies = stored_bodies(text)
            lane_queue = self.queues[lane]
        except (KeyError, TypeError, ValueError, IndexError) as error:
            return self.fail(request_id, -32602, f"the parameters do not fit: {error}")
        try:
            lane_queue.put_nowait((request_id, bodies, is_durable))
        except queue.Full:
            self.fail(request_id, 1004, f"a batch of lane {lane} is outstanding")

    def work(self, lane_queue, deliverer):
        while True:
            request_id, bodies, is_durable = lane_queue.get()
            try:
                outcomes = deliverer.deliver(bodies, is_durable)
            except Exception as error:
                log("error", f"a batch failed unexpectedly: {type(error).__name__}")
                outcome = {"outcome": "retry", "afterSeconds": 30, "reason": "unexpected failure"}
                outcomes = [outcome] * len(bodies)
            self.write({"id": request_id, "result": {"outcomes": ranges(outcomes)}})


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
    sys.exit(main())
