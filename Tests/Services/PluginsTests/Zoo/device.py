#!/usr/bin/env python3
"""Uses a device and the system bus, as far as it is let."""

import os
import socket
import termios

import zoo


def attempt(name, deed):
    try:
        zoo.log("info: %s: %s" % (name, deed()))
    except OSError as error:
        zoo.log("info: denied %s: %s" % (name, os.strerror(error.errno)))


def use(path):
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    termios.tcsetattr(port, termios.TCSANOW, termios.tcgetattr(port))
    os.write(port, b"AT\r")
    os.close(port)
    return "used"


def greet(bus):
    bus.settimeout(10)
    bus.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
    return bus.recv(100).decode().split(" ")[0]


def ready():
    attempt("listed", lambda: use(zoo.settings["listed"]))
    attempt("other", lambda: use(zoo.settings["other"]))
    if "HOMEWARD_PLUGIN_BUS" in os.environ:
        attempt("bus", lambda: greet(socket.socket(fileno=int(os.environ["HOMEWARD_PLUGIN_BUS"]))))
    attempt("socket", lambda: socket.socket(socket.AF_UNIX).connect(zoo.settings["bus"]))
    zoo.log("info: looked around")


zoo.run(ready=ready)
