"""The polite half of every plugin of the zoo: lines in, lines out, outcomes for whole batches."""
import json
import os
import sys

settings = {}
state = "."


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def log(text):
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def reply(request, result):
    send({"id": request["id"], "result": result})


def welcome(request, credits=None):
    global settings, state
    settings = request["params"]["settings"]
    state = request["params"]["stateDirectory"]
    name = os.environ["HOMEWARD_PLUGIN"]
    result = {"protocol": 1, "name": name, "version": "1.0.0"}
    if credits:
        result["credits"] = credits
    reply(request, result)


def note(lane, events):
    with open(os.path.join(state, "received-" + lane), "a") as file:
        for event in events:
            file.write(event["id"] + "\n")


def outcomes(request, outcome="accepted", **more):
    last = len(request["params"]["events"]) - 1
    reply(request, {"outcomes": [{"from": 0, "to": last, "outcome": outcome, **more}]})


def accept(request):
    note(request["params"]["lane"], request["params"]["events"])
    outcomes(request)


def run(deliver=accept, before=None, ready=None, credits=None, other=None, shutdown=True):
    """Serves until told to stop; each argument replaces one piece of politeness."""
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        request = json.loads(line)
        method = request.get("method")
        if before and method:
            before(request)
        if method == "initialize":
            welcome(request, credits)
            if ready:
                ready()
        elif method == "events.deliver":
            deliver(request)
        elif other and other(request):
            pass
        elif method == "health":
            reply(request, {"state": "working"})
        elif method == "shutdown":
            if shutdown:
                reply(request, {})
                return
        elif method and "id" in request:
            send({"id": request["id"], "error": {"code": -32601, "message": "no such method"}})
