"""The control channel of a peer: a Unix socket, one request a line, one answer a line.

    {"do": "press", "seconds": 3}        →  {"ok": true}   or   {"ok": true, "result": …}
    {"do": "prees"}                      →  {"ok": false, "error": "no action \"prees\"; there are: press, hold"}

Any program can speak it: `socat - UNIX-CONNECT:button.sock`.
"""

import asyncio
import inspect
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .json_lines import JSONLines

log = logging.getLogger("control")


class Refused(Exception):
    """A peer could not do what it was asked to."""


class Control:
    """Client of a peer's control channel."""

    def __init__(self, path: Path, connect_timeout: float = 20) -> None:
        self._lines = JSONLines(path, connect_timeout)

    def do(self, action: str, timeout: float = 30, **parameters: Any) -> Any:
        """Asks the peer and gives its result; Refused with the peer's words when it cannot."""
        self._lines.send({"do": action, **parameters})
        answer = self._lines.receive(timeout)
        if not answer.get("ok"):
            raise Refused(f"{action}: {answer.get('error')}")
        return answer.get("result")

    def close(self) -> None:
        self._lines.close()


class ControlServer:
    """Serves the actions of a peer: its public methods marked with `@action`."""

    def __init__(self, peer: object) -> None:
        self._actions: dict[str, Callable[..., Any]] = {
            name.replace("_", "-"): method
            for name, method in inspect.getmembers(peer, callable)
            if getattr(method, "is_action", False)
        }

    async def serve(self, path: Path) -> None:
        """Listens until cancelled."""
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._converse, str(path))
        async with server:
            await server.serve_forever()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                answer = await self._answer(line)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (ConnectionError, asyncio.LimitOverrunError, ValueError) as error:
            log.warning("control connection given up: %s", error)
        finally:
            writer.close()

    async def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            name = request.pop("do")
        except (ValueError, KeyError, AttributeError, TypeError):
            return {"ok": False, "error": 'expected {"do": "ACTION", …}'}
        if name not in self._actions:
            return {"ok": False, "error": f'no action "{name}"; there are: {", ".join(sorted(self._actions))}'}
        log.info("%s %s", name, request)
        try:
            result = self._actions[name](**request)
            if inspect.isawaitable(result):
                result = await result
        except TypeError as error:
            return {"ok": False, "error": f"{name}: {error}"}
        except Exception as error:
            log.exception("%s failed", name)
            return {"ok": False, "error": f"{name}: {type(error).__name__}: {error}"}
        return {"ok": True, "result": result} if result is not None else {"ok": True}


def action(method: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a method as something that the control channel can ask for; `walk_to` is asked for as "walk-to"."""
    method.is_action = True  # type: ignore[attr-defined]
    return method
