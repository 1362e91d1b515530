#!/usr/bin/env python3
"""Looks at what is none of its business."""
import os
import signal
import socket

import zoo


def attempt(name, deed):
    try:
        deed()
        zoo.log("warning: could " + name)
    except OSError as error:
        zoo.log("info: denied %s: %s" % (name, os.strerror(error.errno)))


def write_outside():
    with open(zoo.settings["database"], "a") as file:
        file.write("x")


def ready():
    attempt("read the database", lambda: open(zoo.settings["database"]).read())
    attempt("write the database", write_outside)
    attempt("truncate the database", lambda: os.truncate(zoo.settings["database"], 0))
    attempt("remove the database", lambda: os.remove(zoo.settings["database"]))
    attempt("read a secret", lambda: open(zoo.settings["secret"]).read())
    attempt("list the folder", lambda: os.listdir(os.path.dirname(zoo.settings["database"])))
    attempt("read the shadow file", lambda: open("/etc/shadow").read())
    attempt("read the daemon", lambda: open("/proc/%d/environ" % os.getppid()).read())
    attempt("end the daemon", lambda: os.kill(os.getppid(), signal.SIGURG))
    attempt("call the daemon", lambda: socket.socket(socket.AF_UNIX).connect(zoo.settings["socket"]))
    attempt("write its own folder", lambda: open("run.py", "a").close())
    with open(os.path.join(zoo.state, "mine"), "w") as file:
        file.write("allowed")
    zoo.log("info: looked everywhere as " + ",".join(sorted(os.environ)))


zoo.run(ready=ready)
