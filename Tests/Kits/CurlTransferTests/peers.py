"""Servers for the tests of transfers: peers.py web|mail [CERTIFICATE KEY [tls]]

Tells its port in its first line and what happens in the following ones, and ends with its input. With a certificate
the web is encrypted; mail is from the first byte on with `tls`, and offers STARTTLS without.
"""

import asyncio
import functools
import http.server
import json
import os
import ssl
import sys
import threading

TELLING = threading.Lock()


def tell(*words):
    """Tells one line, whole: threads tell at the same time, and print writes a line's end by itself."""
    with TELLING:
        print(*words, flush=True)


class Web(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        tell("connected")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        tell("asked", self.path)
        getattr(self, self.path.partition("?")[0][1:])(body)

    def do_CONNECT(self):
        self.answer(407, {}, b"")

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def echo(self, body):
        """What came, as it came."""
        head = [f"{self.command} {self.path}", *(f"{name}: {text}" for name, text in self.headers.items())]
        self.answer(200, {}, "\n".join([*head, "", ""]).encode() + body)

    def script(self, body):
        """What the body says: a status, headers and a body."""
        status, headers, text = json.loads(body)
        self.answer(status, headers, text.encode())

    def count(self, body):
        self.answer(200, {}, str(len(body)).encode())

    def hang(self, _):
        """No answer; it ends when the far end does."""
        while self.rfile.read(1):
            pass
        tell("left")
        self.close_connection = True

    def close(self, _):
        self.close_connection = True

    def breaks(self, _):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        self.close_connection = True

    def endless(self, _):
        self.wfile.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 1000000000000\r\n\r\n")
        while True:
            self.wfile.write(b"x" * 4096)

    def log_message(self, *arguments):
        pass


class WebServer(http.server.ThreadingHTTPServer):
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass


def serve_web(context):
    server = WebServer(("127.0.0.1", 0), Web)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    tell("port", server.server_address[1])
    server.serve_forever()


class Mailbox:
    """Tells what arrived; nobody@ is refused, and so is what has the subject `spam`."""

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 fine"

    async def handle_DATA(self, server, session, envelope):
        if b"Subject: spam" in envelope.original_content:
            return "554 not wanted"
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "host": session.host_name,
            "encrypted": session.ssl is not None,
            "login": session.auth_data and session.auth_data.decode(),
            "content": envelope.original_content.decode(),
        }
        tell("mail", json.dumps(mail))
        return "250 taken"


def serve_mail(context, is_tls):
    # Not on every machine, unlike what the web is made of.
    from aiosmtpd.smtp import SMTP, AuthResult

    def authenticate(server, session, envelope, mechanism, login):
        tell("login")
        return AuthResult(success=login.password == b"right", handled=False, auth_data=login.login)

    async def serve():
        options = {"authenticator": authenticate, "tls_context": None if is_tls else context}
        factory = functools.partial(SMTP, Mailbox(), loop=asyncio.get_running_loop(), **options)
        encryption = context if is_tls else None
        server = await asyncio.get_running_loop().create_server(factory, "127.0.0.1", 0, ssl=encryption)
        tell("port", server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


def main(kind, certificate=None, key=None, tls=None):
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
    work = functools.partial(serve_web, context) if kind == "web" else functools.partial(serve_mail, context, bool(tls))
    threading.Thread(target=work, daemon=True).start()
    sys.stdin.buffer.read()
    os._exit(0)


main(*sys.argv[1:])
