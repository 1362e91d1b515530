"""A plugin that has too much to say: from the first message that somebody writes, long lines for the log, on and on.

It ends with what is enough to fill the way to the journal (systemd gives it 16 MiB) and the gateway's own store.
"""

import json
import sys
import threading
import time

LINES = 9000
LINE_BYTES = 3000
SECONDS_BETWEEN = 0.0125
"""A little more slowly than what the gateway takes of one plugin, which is 100 lines a second."""


def chatter():
    for number in range(LINES):
        words = f"warning: line {number} "
        print(words + "." * (LINE_BYTES - len(words)), file=sys.stderr, flush=True)
        time.sleep(SECONDS_BETWEEN)


def main():
    speaker = threading.Thread(target=chatter, daemon=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = {"state": "working"} if message["method"] == "health" else {}
        if message["method"] == "initialize":
            result = {"protocol": 1, "name": "chatter", "version": "1.0.0"}
        if message["method"] == "events.deliver":
            last = len(message["params"]["events"]) - 1
            result = {"outcomes": [{"from": 0, "to": last, "outcome": "accepted"}]}
            if speaker.ident is None:
                speaker.start()
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


main()
