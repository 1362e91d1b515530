"""A real mail server on this computer, and what it took."""

import email
import email.policy

from aiosmtpd.controller import Controller
from house import free_port


class Letters:
    """What came, in its order, with whom it is for; nothing while there is a `refusal`."""

    def __init__(self):
        self.taken, self.refusal, self.port = [], None, free_port()
        self._server = Controller(self, hostname="127.0.0.1", port=self.port)
        self._server.start()

    async def handle_DATA(self, _server, _session, envelope):
        if self.refusal:
            return self.refusal
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.taken.append((envelope.rcpt_tos, message))
        return "250 OK"

    def texts(self, address):
        """The words of all that came for an address."""
        return [message.get_body(("plain",)).get_content() for to, message in self.taken if address in to]

    def close(self):
        """Ends the server."""
        self._server.stop()
