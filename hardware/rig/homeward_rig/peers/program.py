"""What all peers have in common: their command line, their log, their control channel."""

import argparse
import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from ..control import ControlServer


def argument_parser(description: str) -> argparse.ArgumentParser:
    """The options that each peer takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--control", type=Path, required=True, help="Unix socket of the control channel")
    parser.add_argument("--folder", type=Path, default=Path(), help="where to leave recordings")
    return parser


def run(peer: Any, control: Path, *work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Serves a peer's actions beside its own work until the program is ended."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(ControlServer(peer).serve(control))
            for task in work:
                group.create_task(task())

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
