"""The page that a story shares with the gateway's clock; page.h has the same layout."""

import ctypes
import mmap
import os
import struct
import time
from pathlib import Path

_LAYOUT = {
    "skipped": ("q", 0),
    "wall": ("q", 8),
    "leap": ("I", 16),
    "followed": ("I", 20),
    "is_synchronised": ("I", 24),
    "wall_steps": ("I", 28),
    "disk_is_full": ("I", 32),
    "due": ("q", 40),
    "sounds_until": ("q", 48),
    "silent_since": ("q", 56),
}
"""Place and form of each number; times are nanoseconds."""
_SIZE = 4096
_SYS_FUTEX = {"x86_64": 202, "aarch64": 98}
"""The system call by kind of processor. Source: the kernel's tables of system calls."""
_FUTEX_WAKE = 1
_FOLLOW_SECONDS = 10


class NotFollowed(Exception):
    """The gateway's clock does not go with the story's."""


class Page:
    """Numbers that the story writes and the gateway reads, and a few the other way."""

    def __init__(self, file: Path) -> None:
        file.write_bytes(bytes(_SIZE))
        with open(file, "r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), _SIZE)
        self.file = file
        self._libc = ctypes.CDLL(None, use_errno=True)

    def get(self, name: str) -> int:
        form, place = _LAYOUT[name]
        return struct.unpack_from(form, self._memory, place)[0]

    def set(self, name: str, number: int) -> None:
        form, place = _LAYOUT[name]
        struct.pack_into(form, self._memory, place, number)

    def leap(self) -> int:
        """Tells the gateway that the clocks were changed; gives the number of the leap."""
        number = (self.get("leap") + 1) % 2**32
        self.set("leap", number)
        word = (ctypes.c_char * 4).from_buffer(self._memory, _LAYOUT["leap"][1])
        self._libc.syscall(
            ctypes.c_long(_SYS_FUTEX[os.uname().machine]),
            ctypes.c_void_p(ctypes.addressof(word)),
            ctypes.c_long(_FUTEX_WAKE),
            ctypes.c_long(64),
            None,
            None,
            ctypes.c_long(0),
        )
        del word
        return number

    def await_followed(self, number: int) -> None:
        """Waits until the gateway's timers have followed a leap; NotFollowed when they do not."""
        end = time.monotonic() + _FOLLOW_SECONDS
        while self.get("followed") != number:
            if time.monotonic() > end:
                raise NotFollowed(f"the gateway's timers did not follow leap {number}")
            time.sleep(0.0002)

    def close(self) -> None:
        self._memory.close()
