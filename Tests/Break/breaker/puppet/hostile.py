"""What a plugin tries from inside of its walls. Each function gives what was tried and how it was answered.

An answer is "done", or the name of the error with which the kernel refused.
"""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import time

LIBC = ctypes.CDLL(None, use_errno=True)
IS_ARM = os.uname().machine == "aarch64"
IOPRIO_SET = 30 if IS_ARM else 251
CLONE = 220 if IS_ARM else 56
PIDFD_OPEN = 434
PROCESS_VM_READV = 270 if IS_ARM else 310
IO_URING_SETUP, BPF, USERFAULTFD, KEYCTL = 425, 280 if IS_ARM else 321, 282 if IS_ARM else 323, 219 if IS_ARM else 250
CLONE_NEWUSER = 0x10000000
IOPRIO_IDLE = 3 << 13
F_SETSIG, F_SETOWN_EX = 10, 15
FIOSETOWN, SIOCSPGRP = 0x8901, 0x8902
IPC_CREAT = 0o1000


def tried(action):
    """Does something; "done", or why not."""
    try:
        action()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    return "done"


def call(number, *arguments):
    """A system call; OSError when it fails."""
    result = LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(one) for one in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def library(name, *arguments):
    """A function of the C library; OSError when it fails."""
    result = getattr(LIBC, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def others(targets):
    """Numbers of processes to act on: those that it was told, and its parent."""
    return sorted({one for one in [*targets, os.getppid()] if one > 0})


def hamper(targets, is_deadly=False):
    """Limits, priorities and schedules of other processes; with `is_deadly` such that they cannot live with."""
    answers = {}
    low = {"NOFILE": (0, 0), "FSIZE": (0, 0)} if is_deadly else {"NOFILE": (200, 201), "FSIZE": (1 << 40, 1 << 41)}
    low.update(CORE=(0, 1), NPROC=(1000, 1001))
    for pid in others(targets):
        for name, limits in low.items():
            kind = getattr(resource, f"RLIMIT_{name}")
            answers[f"prlimit {name} {pid}"] = tried(lambda k=kind, p=pid, v=limits: resource.prlimit(p, k, v))
        answers[f"setpriority {pid}"] = tried(lambda p=pid: os.setpriority(os.PRIO_PROCESS, p, 19))
        answers[f"sched_setscheduler {pid}"] = tried(
            lambda p=pid: os.sched_setscheduler(p, os.SCHED_IDLE, os.sched_param(0))
        )
        answers[f"sched_setaffinity {pid}"] = tried(lambda p=pid: os.sched_setaffinity(p, {0}))
        answers[f"ioprio_set {pid}"] = tried(lambda p=pid: call(IOPRIO_SET, 1, p, IOPRIO_IDLE))
        answers[f"kill {pid}"] = tried(lambda p=pid: os.kill(p, signal.SIGCONT))
        answers[f"pidfd_open and signal {pid}"] = tried(
            lambda p=pid: signal.pidfd_send_signal(call(PIDFD_OPEN, p, 0), 18)
        )
    return answers


def own_signals(targets):
    """Makes the kernel send SIGKILL to others when a pipe of its own has something to read."""
    answers = {}
    for pid in others(targets):
        reader, writer = os.pipe()
        answers[f"fcntl F_SETOWN {pid}"] = tried(lambda r=reader, p=pid: fcntl.fcntl(r, fcntl.F_SETOWN, p))
        owner = ctypes.create_string_buffer((1).to_bytes(4, "little") + pid.to_bytes(4, "little"), 8)
        answers[f"fcntl F_SETOWN_EX {pid}"] = tried(lambda r=reader, o=owner: fcntl.fcntl(r, F_SETOWN_EX, o))
        number = ctypes.c_int(pid)
        for name, request in (("FIOSETOWN", FIOSETOWN), ("SIOCSPGRP", SIOCSPGRP)):
            pair = socket.socketpair()
            answers[f"ioctl {name} {pid}"] = tried(lambda s=pair[0], q=request, n=number: fcntl.ioctl(s, q, n))
            pair[0].close()
            pair[1].close()
        tried(lambda r=reader: fcntl.fcntl(r, F_SETSIG, signal.SIGKILL))
        tried(lambda r=reader: fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK))
        os.write(writer, b"x")
    return answers


def datagram(path):
    """Sends to a Unix socket of somebody else's, through a pair of sockets, which needs no permission to open one."""
    answers = {}
    for kind in ("SOCK_DGRAM", "SOCK_SEQPACKET", "SOCK_STREAM"):

        def send(kind=kind):
            left, right = socket.socketpair(socket.AF_UNIX, getattr(socket, kind))
            with left, right:
                left.sendto(b"from a plugin", path)

        answers[f"socketpair {kind} and sendto"] = tried(send)
    return answers


def leftovers():
    """System V memory, semaphores and queues, which outlive whoever made them."""
    return {
        "shmget": tried(lambda: library("shmget", 0x68770001, 4096, IPC_CREAT | 0o600)),
        "semget": tried(lambda: library("semget", 0x68770002, 1, IPC_CREAT | 0o600)),
        "msgget": tried(lambda: library("msgget", 0x68770003, IPC_CREAT | 0o600)),
    }


def namespaces():
    """User namespaces of its own, in which it would be root."""

    def clone():
        child = call(CLONE, CLONE_NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return {
        "clone CLONE_NEWUSER": tried(clone),
        "unshare CLONE_NEWUSER": tried(lambda: library("unshare", CLONE_NEWUSER)),
    }


def neighbours():
    """What the kernel tells of the network and of other processes."""
    told = {}
    for path in ("/proc/self/net/tcp", "/proc/net/unix", "/proc/self/net/route"):
        try:
            with open(path) as file:
                told[path] = file.read(65536)
        except OSError as error:
            told[path] = errno.errorcode.get(error.errno, "")
    return told


def read_all(paths):
    """Reads files and lists folders; "done" for those that it could."""

    def look(path):
        if os.path.isdir(path):
            os.listdir(path)
        else:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            os.read(descriptor, 1)
            os.close(descriptor)

    return {path: tried(lambda p=path: look(p)) for path in paths}


def forbidden_calls(targets):
    """Calls that no plugin needs."""
    answers = {"setsid": tried(os.setsid), "setpgid": tried(lambda: os.setpgid(0, 0))}
    for name, number in (
        ("io_uring_setup", IO_URING_SETUP),
        ("bpf", BPF),
        ("userfaultfd", USERFAULTFD),
        ("keyctl", KEYCTL),
    ):
        answers[name] = tried(lambda n=number: call(n, 0, 0, 0, 0))
    for pid in others(targets):
        answers[f"ptrace {pid}"] = tried(lambda p=pid: library("ptrace", 16, p, 0, 0))
        answers[f"process_vm_readv {pid}"] = tried(lambda p=pid: call(PROCESS_VM_READV, p, 0, 0, 0, 0, 0))
        answers[f"open /proc/{pid}/mem"] = tried(lambda p=pid: os.close(os.open(f"/proc/{p}/mem", os.O_RDONLY)))
    return answers


def sockets():
    """Every kind of socket that somebody without the grant network could try."""
    answers = {}
    families = ("AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_BLUETOOTH", "AF_VSOCK", "AF_ALG")
    for family in families:
        for kind in ("SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW"):
            number = getattr(socket, family, None)
            if number is not None:
                answers[f"{family} {kind}"] = tried(
                    lambda f=number, k=kind: socket.socket(f, getattr(socket, k)).close()
                )
    return answers


def fetch(port, say, seconds=2.0):
    """Connects to a port of this machine, says something and listens; what came, or why nothing did."""
    came = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
            connection.sendall(say.encode())
            end = time.monotonic() + seconds
            while time.monotonic() < end and (block := connection.recv(65536)):
                came += block
    except OSError as error:
        if not came:
            return {"answer": errno.errorcode.get(error.errno or 0, type(error).__name__), "came": ""}
    return {"answer": "done", "came": came.decode(errors="replace")[:65536]}


def bomb(lasting):
    """Forks until nothing forks any more, and keeps every place that becomes free."""
    made, end = 0, time.monotonic() + lasting
    while time.monotonic() < end:
        try:
            if os.fork() == 0:
                while time.monotonic() < end:
                    try:
                        if os.fork() == 0:
                            time.sleep(max(0, end - time.monotonic()))
                            os._exit(0)
                    except OSError:
                        time.sleep(0.001)
                os._exit(0)
            made += 1
        except OSError:
            time.sleep(0.001)
    return {"made": made}
