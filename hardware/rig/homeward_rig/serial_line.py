"""The device's end of a serial cable: the emulator's socket for one, or a real port."""

import asyncio
import os
import stat
import tty
from collections.abc import Callable
from typing import Any


class SerialLine:
    """A Unix socket or a serial port, without blocking."""

    def __init__(
        self, reader: asyncio.StreamReader, transport: asyncio.BaseTransport, write: Callable[[bytes], Any]
    ) -> None:
        self._reader, self._transport, self.write = reader, transport, write

    @classmethod
    async def open(cls, path: str) -> "SerialLine":
        if stat.S_ISSOCK(os.stat(path).st_mode):
            reader, writer = await asyncio.open_unix_connection(path)
            return cls(reader, writer.transport, writer.write)
        port = open(path, "r+b", buffering=0)  # noqa: SIM115 - closed with the transport
        tty.setraw(port.fileno())
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), port
        )
        return cls(reader, transport, lambda data: os.write(port.fileno(), data))

    async def read(self) -> bytes:
        return await self._reader.read(4096)

    def close(self) -> None:
        self._transport.close()
