#!/usr/bin/env python3
"""Does to the gateway whatever a process of the same user can do to another, and says what was refused.

One line for each deed: `held NAME: reason` or `fell NAME`. Deeds change nothing where they succeed: they set what is set
already, or send a signal that is ignored.
"""

import ctypes
import errno
import mmap
import os
import platform
import signal
import socket
import struct

import zoo

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

X86 = platform.machine() == "x86_64"


def number(x86, arm):
    return x86 if X86 else arm


PTRACE = number(101, 117)
SETPRIORITY, GETPRIORITY = number(141, 140), number(140, 141)
SCHED_SETPARAM = number(142, 118)
SCHED_SETSCHEDULER, SCHED_GETSCHEDULER = number(144, 119), number(145, 120)
SCHED_SETAFFINITY, SCHED_GETAFFINITY = number(203, 122), number(204, 123)
SCHED_SETATTR, SCHED_GETATTR = number(314, 274), number(315, 275)
IOPRIO_SET = number(251, 30)
PRLIMIT = number(302, 261)
KILL, TGKILL, TKILL = number(62, 129), number(234, 131), number(200, 130)
RT_SIGQUEUEINFO = number(129, 138)
MIGRATE_PAGES, MOVE_PAGES = number(256, 238), number(279, 239)
PROCESS_VM_READV = number(310, 270)
KCMP = number(312, 272)
CLONE = number(56, 220)
UNSHARE = number(272, 97)
SHMGET, SEMGET, MSGGET = number(29, 194), number(64, 190), number(68, 186)
SEMCTL = number(66, 191)
MQ_OPEN, MQ_UNLINK = number(240, 180), number(241, 181)
PIDFD_SEND_SIGNAL, PIDFD_OPEN, CLONE3, PIDFD_GETFD = 424, 434, 435, 438
PROCESS_MADVISE, PROCESS_MRELEASE = 440, 448
SETNS = number(308, 268)
IO_URING_SETUP, BPF, USERFAULTFD = 425, number(321, 280), number(323, 282)

RLIMIT_CORE = 4
NEWUSER = 0x10000000
PTRACE_SEIZE = 0x4206
SET_PTRACER = 0x59616D61


class Held(Exception):
    """A deed that changed nothing."""


def call(number, *arguments):
    answer = libc.syscall(
        ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    )
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return answer


def address(buffer):
    return ctypes.byref(buffer)


deeds = {}


def deed(function):
    deeds[function.__name__.replace("_", "-")] = function
    return function


def victim():
    return zoo.settings["daemon"]


def handle():
    return call(PIDFD_OPEN, victim(), 0)


# What changes or ends a process that is named by its number.


@deed
def limits():
    now = (ctypes.c_uint64 * 2)()
    call(PRLIMIT, victim(), RLIMIT_CORE, ctypes.c_void_p(), address(now))
    call(PRLIMIT, victim(), RLIMIT_CORE, address(now), ctypes.c_void_p())


@deed
def niceness():
    call(SETPRIORITY, 0, victim(), 20 - call(GETPRIORITY, 0, victim()))


@deed
def niceness_of_group():
    group = os.getpgid(victim())
    call(SETPRIORITY, 1, group, 20 - call(GETPRIORITY, 1, group))


@deed
def scheduler():
    call(SCHED_SETSCHEDULER, victim(), call(SCHED_GETSCHEDULER, victim()), address(ctypes.c_int(0)))


@deed
def scheduler_parameter():
    call(SCHED_SETPARAM, victim(), address(ctypes.c_int(0)))


@deed
def scheduler_attributes():
    attributes = ctypes.create_string_buffer(56)
    call(SCHED_GETATTR, victim(), address(attributes), 56, 0)
    call(SCHED_SETATTR, victim(), address(attributes), 0)


@deed
def affinity():
    mask = ctypes.create_string_buffer(128)
    size = call(SCHED_GETAFFINITY, victim(), 128, address(mask))
    call(SCHED_SETAFFINITY, victim(), size, address(mask))


@deed
def disk_priority():
    call(IOPRIO_SET, 1, victim(), 0)


@deed
def memory_moved():
    nodes = ctypes.c_ulong(1)
    call(MIGRATE_PAGES, victim(), 1, address(nodes), address(nodes))


@deed
def pages_moved():
    call(MOVE_PAGES, victim(), 0, ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), 0)


@deed
def memory_advice():
    part = (ctypes.c_uint64 * 2)(4096, 0)
    call(PROCESS_MADVISE, handle(), address(part), 1, 20, 0)


@deed
def traced():
    call(PTRACE, PTRACE_SEIZE, victim(), 0, 0)
    call(PTRACE, 17, victim(), 0, 0)


@deed
def memory_read():
    here = ctypes.create_string_buffer(8)
    part = (ctypes.c_uint64 * 2)(ctypes.addressof(here), 8)
    there = (ctypes.c_uint64 * 2)(4096, 8)
    try:
        call(PROCESS_VM_READV, victim(), address(part), 1, address(there), 1, 0)
    except OSError as error:
        # The address is nobody's; that it was looked up shows that it was permitted.
        if error.errno != errno.EFAULT:
            raise


@deed
def compared():
    call(KCMP, victim(), os.getpid(), 1, 0, 0)


@deed
def descriptor_taken():
    os.close(call(PIDFD_GETFD, handle(), 0, 0))


@deed
def namespaces_entered():
    try:
        call(SETNS, handle(), 0x08000000)
    except OSError as error:
        # By rights that it would need beside.
        raise Held(str(error)) from None


# Signals.


@deed
def signalled():
    os.kill(victim(), signal.SIGURG)


@deed
def signalled_by_thread():
    call(TGKILL, victim(), victim(), signal.SIGURG)


@deed
def signalled_by_thread_alone():
    call(TKILL, victim(), signal.SIGURG)


@deed
def signalled_by_handle():
    call(PIDFD_SEND_SIGNAL, handle(), signal.SIGURG, ctypes.c_void_p(), 0)


@deed
def signalled_with_content():
    content = ctypes.create_string_buffer(struct.pack("iiiiii", signal.SIGURG, 0, -1, 0, os.getpid(), os.getuid()), 128)
    call(RT_SIGQUEUEINFO, victim(), signal.SIGURG, address(content))


@deed
def signalled_by_ownership():
    """A descriptor that changes sends its owner a signal, of whatever number, by the kernel's own hand."""
    ends = os.pipe()
    try:
        own = libc.fcntl(ends[0], 8, victim())
        if own != 0:
            raise OSError(ctypes.get_errno(), "F_SETOWN")
        if libc.fcntl(ends[0], 10, signal.SIGURG) != 0:
            raise OSError(ctypes.get_errno(), "F_SETSIG")
    finally:
        for end in ends:
            os.close(end)


@deed
def signalled_by_ownership_of_a_thread():
    ends = os.pipe()
    owner = (ctypes.c_int * 2)(0, victim())
    try:
        if libc.fcntl(ends[0], 15, ctypes.byref(owner)) != 0:
            raise OSError(ctypes.get_errno(), "F_SETOWN_EX")
    finally:
        for end in ends:
            os.close(end)


@deed
def signalled_by_ownership_of_a_socket():
    pair = socket.socketpair()
    owner = ctypes.c_int(victim())
    if libc.ioctl(pair[0].fileno(), 0x8901, ctypes.byref(owner)) != 0:
        raise OSError(ctypes.get_errno(), "FIOSETOWN")


# What is shared by all processes.


@deed
def shared_memory():
    call(SHMGET, zoo.settings["key"], 0, 0)


@deed
def queue():
    call(MSGGET, zoo.settings["key"], 0)


@deed
def own_semaphores():
    """Which would outlive the plugin."""
    call(SEMCTL, call(SEMGET, 0, 1, 0o600), 0, 0, 0)


@deed
def own_named_queue():
    name = ctypes.c_char_p(b"homeward-hostile-%d" % os.getpid())
    try:
        os.close(call(MQ_OPEN, name, os.O_CREAT | os.O_RDWR, 0o600, ctypes.c_void_p()))
    except PermissionError:
        # Landlock refuses to open what is there by then.
        pass
    call(MQ_UNLINK, name)


@deed
def datagram():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"forged", zoo.settings["datagrams"])


@deed
def unix_stream():
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(zoo.settings["datagrams"])


@deed
def loopback():
    with socket.socket() as one:
        one.settimeout(5)
        one.connect(("127.0.0.1", zoo.settings["port"]))


@deed
def netlink():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16).close()


# New rights, and ways out.


@deed
def own_user_namespace():
    child = call(CLONE, NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


@deed
def own_user_namespace_by_unshare():
    child = os.fork()
    if child == 0:
        try:
            call(UNSHARE, NEWUSER)
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        raise Held("unshare")


@deed
def own_user_namespace_by_clone3():
    arguments = (ctypes.c_uint64 * 11)(NEWUSER, 0, 0, 0, signal.SIGCHLD)
    child = call(CLONE3, address(arguments), 88)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


@deed
def another_tracer():
    if libc.prctl(SET_PTRACER, ctypes.c_ulong(-1 & 0xFFFFFFFFFFFFFFFF), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "PR_SET_PTRACER")


@deed
def ring():
    parameters = ctypes.create_string_buffer(120)
    os.close(call(IO_URING_SETUP, 1, address(parameters)))


@deed
def session():
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        raise Held("setsid")


# Files.


@deed
def database():
    with open(zoo.settings["database"]) as file:
        file.read()


@deed
def database_cut():
    os.truncate(zoo.settings["database"], 7)


@deed
def memory_file():
    with open("/proc/%d/mem" % victim(), "rb"):
        pass


@deed
def environment():
    with open("/proc/%d/environ" % victim(), "rb") as file:
        file.read()


@deed
def table_of_processes():
    with open("/proc/%d/stat" % victim(), "rb") as file:
        file.read()


def ready():
    keep = mmap.mmap(-1, 4096)
    for name in sorted(deeds):
        try:
            deeds[name]()
        except (OSError, Held) as error:
            reason = errno.errorcode.get(error.errno, "?") if isinstance(error, OSError) else error
            zoo.log("info: held %s: %s" % (name, reason))
        else:
            zoo.log("warning: fell %s" % name)
    keep.close()
    zoo.log("info: all %d deeds done" % len(deeds))


if __name__ == "__main__":
    zoo.run(ready=ready)
