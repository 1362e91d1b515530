"""The mail server of the people who help: a real SMTP receiver, which keeps what it takes.

Actions:
    port                    → the server's port on loopback, once it is ready
    mails [SINCE]           → [{address, subject, text, time}], one for each address, in order of arrival, without the
                            first SINCE; `time` in seconds since 1970
    refuse [TEXT]           refuses mails from now on, with the server's words, such as "451 try again"
    take                    takes them again
    vanish                  ends every connection and listens no more
    come-back               listens again
"""

import asyncio
import email
import email.policy
import time
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from ..control import action
from .program import argument_parser, run


class MailServer:
    """What came for whom."""

    def __init__(self) -> None:
        self._port = 0
        self._mails: list[dict[str, Any]] = []
        self._refusal: str | None = None
        self._server: asyncio.Server | None = None
        self._open: set[SMTP] = set()
        self._is_ready = asyncio.Event()

    async def work(self) -> None:
        """Listens until the program ends."""
        await self._listen()
        self._is_ready.set()

    async def _listen(self) -> None:
        self._server = await asyncio.get_running_loop().create_server(self._converse, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    def _converse(self) -> SMTP:
        conversation = SMTP(self, loop=asyncio.get_running_loop())
        self._open.add(conversation)
        return conversation

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        """A mail has come whole."""
        if self._refusal:
            return self._refusal
        message = email.message_from_bytes(envelope.original_content or b"", policy=email.policy.default)
        body = message.get_body(("plain",))
        letter = {
            "subject": str(message["Subject"]),
            "text": body.get_content() if body else "",
            "time": time.time(),
        }
        self._mails += [{"address": address, **letter} for address in envelope.rcpt_tos]
        return "250 taken"

    # Actions

    @action
    async def port(self) -> int:
        await self._is_ready.wait()
        return self._port

    @action
    def mails(self, since: int = 0) -> list[dict[str, Any]]:
        return self._mails[since:]

    @action
    def refuse(self, text: str = "451 try again later") -> None:
        self._refusal = text

    @action
    def take(self) -> None:
        self._refusal = None

    @action
    def vanish(self) -> None:
        if self._server is None:
            raise RuntimeError("the mail server is gone already")
        self._server.close()
        self._server = None
        for conversation in self._open:
            if conversation.transport:
                conversation.transport.abort()
        self._open.clear()

    @action
    async def come_back(self) -> None:
        if self._server is not None:
            raise RuntimeError("the mail server is there")
        await self._listen()


def main() -> None:
    arguments = argument_parser("A mail server that can refuse, vanish and come back.").parse_args()
    server = MailServer()
    run(server, arguments.control, server.work)


if __name__ == "__main__":
    main()
