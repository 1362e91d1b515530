"""The host's end of a plugin's pipes, for the plugins' tests that have a peer written in Python."""

import json
import os
import pathlib
import queue
import signal
import subprocess
import tempfile
import threading

# How long a busy machine may take; nothing is measured by it.
WAIT_SECONDS = 120
ROOT = pathlib.Path(__file__).resolve().parents[3]


def program(name):
    """A built program: beside the tests that run us, or in the folder of debug builds."""
    return os.path.join(os.environ.get("HOMEWARD_BUILT", ROOT / ".build" / "debug"), name)


class Host:
    """Starts a plugin, asks it and hears it."""

    def __init__(self, *command, state=None, environment=None):
        self.state = state or tempfile.TemporaryDirectory(prefix="homeward-plugin-")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
            # The threads of tests block signals, and programs inherit that.
            preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, []),
        )
        self.messages = queue.Queue()
        self.notices = queue.Queue()
        self.requests = queue.Queue()
        self.lines = queue.Queue()
        self.log = ""
        self.next_id = 0
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.read, self.read_log)]
        for thread in self.threads:
            thread.start()

    def read(self):
        for line in iter(self.process.stdout.readline, b""):
            message = json.loads(line)
            kind = self.messages
            if "method" in message:
                kind = self.requests if "id" in message else self.notices
            kind.put(message)

    def read_log(self):
        for line in iter(self.process.stderr.readline, b""):
            self.log += line.decode()
            self.lines.put(line.decode())

    def send_line(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, params="{}"):
        self.next_id += 1
        self.send_line('{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}' % (self.next_id, method, params))
        return self.next_id

    def answer(self):
        return self.messages.get(timeout=WAIT_SECONDS)

    def call(self, method, params="{}"):
        request_id = self.send(method, params)
        answer = self.answer()
        assert answer["id"] == request_id, answer
        return answer

    def start(self, _grants=("network",), **settings):
        params = {
            "protocol": 1,
            "host": {"name": "homeward", "version": "0.1.0"},
            "gateway": "hub",
            "settings": settings,
            "grants": list(_grants),
            "stateDirectory": self.state.name,
        }
        return self.call("initialize", json.dumps(params))

    @staticmethod
    def batch(lane, bodies):
        return '{"lane":"%s","durable":true,"first":1,"last":%d,"events":[%s]}' % (lane, len(bodies), ",".join(bodies))

    def deliver(self, bodies, lane="alarm"):
        return self.call("events.deliver", self.batch(lane, bodies))["result"]["outcomes"]

    def notify(self, **changes):
        """Asks to tell a guardian, and answers the result."""
        return self.call("alarm.notify", json.dumps(notice(**changes)))["result"]

    def notified(self, method="delivery", where=lambda params: True):
        """The parameters of the next notification of that kind that fits."""
        while True:
            message = self.notices.get(timeout=WAIT_SECONDS)
            if message["method"] == method and where(message["params"]):
                return message["params"]

    def request(self, result=None):
        """The plugin's next request, answered."""
        message = self.requests.get(timeout=WAIT_SECONDS)
        self.send_line(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result or {}}))
        return message

    def logged(self, text):
        """A line of the log that holds the text."""
        while True:
            line = self.lines.get(timeout=WAIT_SECONDS)
            if text in line:
                return line

    def close(self):
        if self.process.stdin.closed:
            return
        self.process.stdin.close()
        self.process.wait(timeout=WAIT_SECONDS)
        for thread in self.threads:
            thread.join(timeout=WAIT_SECONDS)
        self.process.stdout.close()
        self.process.stderr.close()
        self.state.cleanup()


def notice(**changes):
    """The parameters of alarm.notify."""
    return {
        "event": "0199-alarm",
        "tag": "A7K2",
        "notice": "alarm",
        "recipient": "anna",
        "channel": "email",
        "address": "anna@example.org",
        "attempt": 1,
        "text": "SOS Mary Smith 14:32 needs help. #A7K2",
        "spokenText": "Mary Smith needs help.",
        "language": "en",
        "asksForAcknowledgement": True,
        **changes,
    }


def certificate(folder, name):
    """A certificate that signs itself, for a host name or an address, by the real openssl; key and file."""
    key, file = pathlib.Path(folder) / f"{name}.key", pathlib.Path(folder) / f"{name}.pem"
    kind = "IP" if name[0].isdigit() else "DNS"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", f"/CN={name}", "-addext", f"subjectAltName={kind}:{name}"]
    subprocess.run(["openssl", *words, *names, "-keyout", key, "-out", file], check=True, capture_output=True)
    return str(key), str(file)
