#!/usr/bin/env python3
"""Calls ports of this machine by every way that names an address: one that it was granted, and one that it was not."""

import array
import ctypes
import errno
import os
import socket
import struct
import sys
import threading
import time

import zoo

libc = ctypes.CDLL(None, use_errno=True)

INET, INET6 = socket.AF_INET, socket.AF_INET6
FASTOPEN = 0x20000000


class MessageHeader(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_void_p),
        ("name_length", ctypes.c_uint32),
        ("parts", ctypes.c_void_p),
        ("part_count", ctypes.c_size_t),
        ("control", ctypes.c_void_p),
        ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int),
    ]


class Message(ctypes.Structure):
    _fields_ = [("header", MessageHeader), ("length", ctypes.c_uint)]


def address_4(port, host="127.0.0.1", family=INET):
    return struct.pack("=H", family) + struct.pack("!H", port) + socket.inet_aton(host) + bytes(8)


def connect_to(host, family=INET, timeout=5):
    def go(port):
        with socket.socket(family) as one:
            one.settimeout(timeout)
            one.connect((host, port))
            return one.recv(16)

    return go


def in_a_thread(port):
    found = []

    def go():
        try:
            found.append(connect_to("127.0.0.1")(port))
        except OSError as error:
            found.append(error)

    thread = threading.Thread(target=go)
    thread.start()
    thread.join()
    if isinstance(found[0], OSError):
        raise found[0]


def in_a_child(port):
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            connect_to("127.0.0.1")(port)
            os.write(writing, b"0")
        except OSError as error:
            os.write(writing, str(error.errno).encode())
        os._exit(0)
    os.close(writing)
    code = int(os.read(reading, 16))
    os.close(reading)
    os.wait()
    if code:
        raise OSError(code, os.strerror(code))


def datagram(host, family=INET):
    def go(port):
        with socket.socket(family, socket.SOCK_DGRAM) as one:
            one.sendto(b"datagram", (host, port))

    return go


def datagram_connected(port):
    with socket.socket(INET, socket.SOCK_DGRAM) as one:
        one.connect(("127.0.0.1", port))
        one.send(b"datagram")


def datagram_in_parts(port):
    with socket.socket(INET, socket.SOCK_DGRAM) as one:
        if one.sendmsg([b"data", b"gram"], [], 0, ("127.0.0.1", port)) != 8:
            raise OSError(errno.EIO, "parts are missing")


def datagram_of_no_family(port):
    """Which the kernel sends to the Internet address that is in it."""
    with socket.socket(INET, socket.SOCK_DGRAM) as one:
        name = ctypes.create_string_buffer(address_4(port, family=0), 16)
        if libc.sendto(one.fileno(), b"datagram", 8, 0, name, 16) != 8:
            raise OSError(ctypes.get_errno(), "sendto")


def many_datagrams(port):
    with socket.socket(INET, socket.SOCK_DGRAM) as one:
        name = ctypes.create_string_buffer(address_4(port), 16)
        text = ctypes.create_string_buffer(b"datagram", 8)
        part = (ctypes.c_size_t * 2)(ctypes.addressof(text), 8)
        messages = (Message * 3)()
        for message in messages:
            message.header.name = ctypes.addressof(name)
            message.header.name_length = 16
            message.header.parts = ctypes.addressof(part)
            message.header.part_count = 1
        sent = libc.sendmmsg(one.fileno(), messages, 3, 0)
        if sent < 0:
            raise OSError(ctypes.get_errno(), "sendmmsg")
        if sent != 3 or any(message.length != 8 for message in messages):
            raise OSError(errno.EIO, "messages are missing")


def fast_open(port):
    with socket.socket(INET) as one:
        one.settimeout(5)
        try:
            one.sendto(b"first words", FASTOPEN, ("127.0.0.1", port))
        except BlockingIOError:
            pass


def not_blocking(port):
    with socket.socket(INET) as one:
        one.setblocking(False)
        try:
            one.connect(("127.0.0.1", port))
        except BlockingIOError:
            pass


def blocking(port):
    connect_to("127.0.0.1", timeout=None)(port)


WAYS = {
    "tcp": connect_to("127.0.0.1"),
    "tcp-blocking": blocking,
    "tcp-not-blocking": not_blocking,
    "tcp-elsewhere-in-the-loopback": connect_to("127.9.8.7"),
    "tcp-nowhere": connect_to("0.0.0.0"),
    "tcp-6": connect_to("::1", INET6),
    "tcp-6-nowhere": connect_to("::", INET6),
    "tcp-mapped": connect_to("::ffff:127.0.0.1", INET6),
    "tcp-in-a-thread": in_a_thread,
    "tcp-in-a-child": in_a_child,
    "tcp-fast-open": fast_open,
    "udp": datagram("127.0.0.1"),
    "udp-6": datagram("::1", INET6),
    "udp-mapped": datagram("::ffff:127.0.0.1", INET6),
    "udp-connected": datagram_connected,
    "udp-in-parts": datagram_in_parts,
    "udp-of-no-family": datagram_of_no_family,
    "udp-many": many_datagrams,
}


def own_addresses():
    """Those of this machine's own that are not of the loopback, by asking for a way out."""
    for family, far in ((INET, "192.0.2.1"), (INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as one:
                one.connect((far, 9))
                yield family, one.getsockname()[0]
        except OSError:
            pass


def try_all(kind, port):
    for name, way in WAYS.items():
        try:
            way(port)
            zoo.log("info: %s %s: reached" % (kind, name))
        except OSError as error:
            zoo.log("info: %s %s: %s" % (kind, name, errno.errorcode.get(error.errno, str(error))))


def race(granted, closed):
    """Changes the address under the hand of whoever checks it, from other threads, and counts whom it reached."""
    name = ctypes.create_string_buffer(address_4(granted), 16)
    flips = [struct.pack("!H", closed), struct.pack("!H", granted)]
    over = threading.Event()

    def flip():
        at = ctypes.addressof(name) + 2
        while not over.is_set():
            for _ in range(500):
                for port in flips:
                    ctypes.memmove(at, port, 2)

    threads = [threading.Thread(target=flip) for _ in range(2)]
    sys.setswitchinterval(1e-6)
    for thread in threads:
        thread.start()
    reached = {granted: 0, closed: 0}
    refused = 0
    end = time.monotonic() + zoo.settings["raceSeconds"]
    while time.monotonic() < end:
        with socket.socket(INET) as one:
            if libc.connect(one.fileno(), name, 16) == 0:
                reached[one.getpeername()[1]] += 1
            elif ctypes.get_errno() == errno.EACCES:
                refused += 1
    over.set()
    for thread in threads:
        thread.join()
    zoo.log("info: race reached %d refused %d closed %d" % (reached[granted], refused, reached[closed]))


def pass_descriptor():
    """Through a pair of sockets, by a message that is looked at on its way."""
    one, other = socket.socketpair()
    reading, writing = os.pipe()
    one.sendmsg([b"!"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [writing]))])
    _, parts, _, _ = other.recvmsg(16, 256)
    os.write(array.array("i", parts[0][2])[0], b"through")
    if os.read(reading, 16) == b"through":
        zoo.log("info: a descriptor came through")


def ready():
    granted, closed = zoo.settings["granted"], zoo.settings["closed"]
    for family, host in own_addresses():
        WAYS["tcp-%s-own-address" % ("4" if family == INET else "6")] = connect_to(host, family)
    try_all("granted", granted)
    try_all("closed", closed)
    try:
        datagram("127.0.0.1")(53)
        zoo.log("info: names can be asked for")
    except OSError as error:
        zoo.log("info: names: %s" % error)
    pass_descriptor()
    race(granted, closed)
    zoo.log("info: called everywhere")


if __name__ == "__main__":
    zoo.run(ready=ready)
