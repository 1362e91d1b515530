#!/usr/bin/python3 -I
"""A plugin that does what an attack tells it to.

Orders are lines of orders.jsonl in its state folder, results lines of answers.jsonl; what the gateway says is in
heard.jsonl. It begins as polite as any plugin.
"""

import datetime
import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import hostile

POLL_SECONDS = 0.02


class Puppet:
    """The plugin's two halves: one answers the gateway, one follows orders."""

    def __init__(self):
        self.state = ""
        self.outcome = {"outcome": "accepted"}
        self.is_hanging = False
        self.answers = {}
        self.answered = threading.Condition()
        self.lock = threading.Lock()
        self.next_id = 0

    # What it says

    def write(self, message):
        self.write_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write_bytes(self, data):
        with self.lock:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def keep(self, name, entry):
        with open(os.path.join(self.state, name), "a") as file:
            file.write(json.dumps(entry) + "\n")

    # The gateway's half

    def serve(self):
        while line := sys.stdin.buffer.readline():
            while self.is_hanging:
                time.sleep(1)
            message = json.loads(line)
            if "method" not in message:
                with self.answered:
                    self.answers[message.get("id")] = message
                    self.answered.notify_all()
            elif not self.answer(message):
                return

    def answer(self, message):
        method, params = message["method"], message.get("params", {})
        if method == "initialize":
            self.begin(message)
            return True
        self.keep("heard.jsonl", message)
        if method == "events.deliver":
            result = {"outcomes": [{"from": 0, "to": len(params["events"]) - 1, **self.outcome}]}
        elif method == "alarm.notify":
            result = {"outcome": "taken"}
        elif method == "health":
            result = {"state": "working", "code": "", "detail": ""}
        else:
            result = {}
        if "id" in message:
            self.write({"id": message["id"], "result": result})
        return method != "shutdown"

    def begin(self, message):
        self.state = message["params"]["stateDirectory"]
        self.keep("heard.jsonl", message)
        about = {"protocol": 1, "name": os.environ["HOMEWARD_PLUGIN"], "version": "1.0.0"}
        self.write({"id": message["id"], "result": about})
        threading.Thread(target=self.follow, daemon=True).start()

    # The attack's half

    def follow(self):
        # What was ordered in a life before is not done again.
        orders, done = os.path.join(self.state, "orders.jsonl"), 0
        descriptor = os.open(orders, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o666)
        os.fchmod(descriptor, 0o666)
        os.close(descriptor)
        while True:
            with open(orders) as file:
                lines = [line for line in file.readlines() if line.endswith("\n")]
            for line in lines[done:]:
                done += 1
                order = json.loads(line)
                number, do = order.pop("number"), order.pop("do")
                try:
                    method = getattr(self, "do_" + do.replace("-", "_"), None) or getattr(hostile, do.replace("-", "_"))
                    result = method(**order)
                except Exception as error:
                    result = {"failed": f"{type(error).__name__}: {error}"}
                self.keep("answers.jsonl", {"number": number, "result": result})
            time.sleep(POLL_SECONDS)

    def do_ask(self, method, params):
        """One request; its whole answer."""
        return self.do_ask_all([[method, params]])[0]

    def do_ask_all(self, requests):
        """Several requests at a time, sixteen on the way; their answers."""
        numbers = []
        for method, params in requests:
            self.next_id += 1
            numbers.append(self.next_id)
            with self.answered:
                self.answered.wait_for(lambda: len(numbers) - sum(n in self.answers for n in numbers) <= 16, 10)
            self.write({"id": self.next_id, "method": method, "params": params})
        with self.answered:
            self.answered.wait_for(lambda: all(number in self.answers for number in numbers), 15)
            return [self.answers.get(number, {}) for number in numbers]

    def do_tell(self, method, params):
        """A notification."""
        self.write({"method": method, "params": params})

    def do_tell_bytes(self, path, pause=0.0):
        """What stands in a file, line by line."""
        with open(path, "rb") as file:
            for line in file:
                self.write_bytes(line)
                time.sleep(pause)
        return {}

    def do_repeat(self, method, params, lasting, pause, ahead=0.0):
        """The same request again and again, from a thread of its own; "NOW" in it is so far ahead of then."""
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})

        def work():
            end, number = time.monotonic() + lasting, 0
            while time.monotonic() < end:
                number += 1
                moment = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=ahead)
                now = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                message = {"id": f"repeat-{number}", **json.loads(text.replace('"NOW"', json.dumps(now)))}
                self.write_bytes(json.dumps(message).encode() + b"\n")
                time.sleep(pause)

        threading.Thread(target=work, daemon=True).start()
        return {}

    def do_answer_events(self, **outcome):
        """How events are answered from now on."""
        self.outcome = outcome
        return {}

    def do_hang(self):
        """It answers nothing any more."""
        self.is_hanging = True
        return {}

    def do_log(self, lines, length):
        """So many lines into its log."""
        for number in range(lines):
            sys.stderr.write(f"error: {number} {'x' * length}\n")
        sys.stderr.flush()
        return {}


Puppet().serve()
