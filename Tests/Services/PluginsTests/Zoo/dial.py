#!/usr/bin/env python3
"""Opens sockets."""
import os
import socket

import zoo


def attempt(family, kind, name):
    try:
        with socket.socket(family, kind) as one:
            if kind == socket.SOCK_STREAM:
                one.settimeout(5)
                one.connect(("127.0.0.1", zoo.settings["port"]))
            zoo.log("info: opened " + name)
    except OSError as error:
        zoo.log("info: denied %s: %s" % (name, os.strerror(error.errno)))


def ready():
    attempt(socket.AF_INET, socket.SOCK_STREAM, "tcp")
    attempt(socket.AF_INET, socket.SOCK_DGRAM, "udp")
    attempt(socket.AF_UNIX, socket.SOCK_DGRAM, "unix")
    zoo.log("info: dialled")


zoo.run(ready=ready)
