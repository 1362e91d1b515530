"""The HTTPS endpoint that a web hook posts to, with a certificate authority of its own.

An event counts as arrived when its request was answered with 2xx, as it would for a receiver that stores it first.

Actions:
    port                    → the endpoint's port on loopback, once it is ready
    authority               → the authority's certificate, PEM
    answer STATUS           answers with this status from now on; 202 at the start
    slow SECONDS            takes that long to answer; 0 at the start
    hang                    takes connections and requests, and does not answer
    go-on                   answers again, what had hung included
    show KIND               shows a "good" certificate from now on, an "expired" one, one with the "wrong-name", or one
                            by an "unknown" authority; open connections are closed
    vanish                  closes everything and listens no more
    come-back               listens again
    requests [SINCE]        → [{time, path, headers, text, status}] without the first SINCE; `time` in seconds since
                            1970, `status` is null for requests that were not answered
    events [SINCE]          → [{lane, time, body}]: events that arrived at /events, in order, `body` as it came
"""

import asyncio
import contextlib
import json
import socket
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from ..control import action
from .program import argument_parser, run

EVENTS = "/events"
"""Where events are posted; whatever else is sent to another path is nothing but a request."""
KINDS = ("good", "expired", "wrong-name", "unknown")
SILENCE_SECONDS = 120
"""A connection that says nothing for so long is closed."""


class CertificateAuthority:
    """An authority made with openssl, and certificates by it."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)
        self.certificate = folder / "authority.pem"
        self._key = folder / "authority.key"
        _openssl(
            "req",
            "-x509",
            *_NEW_KEY,
            "-keyout",
            self._key,
            "-out",
            self.certificate,
            "-days",
            "2",
            "-subj",
            f"/CN={name}",
            "-addext",
            "keyUsage=critical,keyCertSign",
        )

    def issue(self, name: str, address: str, days: int) -> Path:
        """A certificate and its key in one PEM file, for an IP address; expired when `days` is negative."""
        key, request, file = (self._folder / f"{name}.{kind}" for kind in ("key", "request", "pem"))
        _openssl("req", "-new", *_NEW_KEY, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        extensions = self._folder / f"{name}.extensions"
        extensions.write_text(f"subjectAltName=IP:{address}\nextendedKeyUsage=serverAuth\n")
        _openssl(
            "x509",
            "-req",
            "-in",
            request,
            "-CA",
            self.certificate,
            "-CAkey",
            self._key,
            "-days",
            days,
            "-CAcreateserial",
            "-extfile",
            extensions,
            "-out",
            file,
        )
        file.write_text(file.read_text() + key.read_text())
        return file


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, stdin=subprocess.DEVNULL, capture_output=True)


class _Server(ThreadingHTTPServer):
    """A server that shakes hands with each client on a thread of its own, and can hang up on all of them."""

    daemon_threads = True

    def __init__(self, port: int, context: ssl.SSLContext, endpoint: "WebServer") -> None:
        self.endpoint = endpoint
        self._context = context
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        connection.settimeout(SILENCE_SECONDS)
        secured = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        self._connections.add(secured)
        return secured, address

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that does not trust the certificate ends the handshake: nothing to write a trace about.
        pass

    def hang_up(self) -> None:
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode(errors="replace")
        status = self.server.endpoint.judge(self.path, dict(self.headers.items()), text)
        if status is None:
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


class WebServer:
    """The endpoint, its certificates, and what it was sent."""

    def __init__(self, folder: Path, address: str) -> None:
        own = CertificateAuthority(folder / "web-authority", "Authority of the rig")
        other = CertificateAuthority(folder / "other-authority", "Somebody's authority")
        self._authority = own.certificate.read_text()
        self._certificates = {
            "good": own.issue("good", address, 2),
            "expired": own.issue("expired", address, -1),
            "wrong-name": own.issue("wrong-name", "192.0.2.1", 2),
            "unknown": other.issue("unknown", address, 2),
        }
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self._certificates["good"])
        self._lock = threading.Lock()
        self._requests: list[dict[str, Any]] = []
        self._status = 202
        self._delay = 0.0
        self._may_answer = threading.Event()
        self._may_answer.set()
        self._server: _Server | None = None
        self._port = 0
        self._listen()

    def _listen(self) -> None:
        self._server = _Server(self._port, self._context, self)
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.5,), daemon=True).start()

    def judge(self, path: str, headers: dict[str, str], text: str) -> int | None:
        """Notes a request and says how to answer; None when the endpoint has vanished meanwhile."""
        server = self._server
        request = {"time": time.time(), "path": path, "headers": headers, "text": text, "status": None}
        with self._lock:
            self._requests.append(request)
        time.sleep(self._delay)
        self._may_answer.wait()
        with self._lock:
            if server is None or self._server is not server:
                return None
            request["status"] = self._status
            return self._status

    # Actions

    @action
    def port(self) -> int:
        return self._port

    @action
    def authority(self) -> str:
        return self._authority

    @action
    def answer(self, status: int) -> None:
        self._status = status

    @action
    def slow(self, seconds: float) -> None:
        self._delay = seconds

    @action
    def hang(self) -> None:
        self._may_answer.clear()

    @action
    def go_on(self) -> None:
        self._may_answer.set()

    @action
    def show(self, kind: str) -> None:
        if kind not in KINDS:
            raise ValueError(f'no certificate "{kind}"; there are: {", ".join(KINDS)}')
        self._context.load_cert_chain(self._certificates[kind])
        if self._server:
            self._server.hang_up()

    @action
    async def vanish(self) -> None:
        if (server := self._server) is None:
            return
        with self._lock:
            self._server = None
        self._may_answer.set()
        await asyncio.to_thread(server.shutdown)
        server.server_close()
        server.hang_up()

    @action
    def come_back(self) -> None:
        if self._server:
            raise RuntimeError("the endpoint is there")
        self._listen()

    @action
    def requests(self, since: int = 0) -> list[dict[str, Any]]:
        with self._lock:
            return [dict(request) for request in self._requests[since:]]

    @action
    def events(self, since: int = 0) -> list[dict[str, Any]]:
        return [
            {"lane": json.loads(body)["lane"], "time": request["time"], "body": body}
            for request in self.requests()
            if request["path"] == EVENTS and 200 <= (request["status"] or 0) < 300
            for body in bodies(request["text"])
        ][since:]


def bodies(text: str) -> list[str]:
    """The CloudEvents of a request as they stand in it: one, or an array of them."""
    if not text.lstrip().startswith("["):
        return [text]
    array = text.strip()[1:-1]
    decoder = json.JSONDecoder()
    found = []
    place = 0
    while place < len(array):
        if array[place] in " \t\r\n,":
            place += 1
            continue
        _, end = decoder.raw_decode(array, place)
        found.append(array[place:end])
        place = end
    return found


def main() -> None:
    parser = argument_parser("An HTTPS endpoint that can refuse, hang and vanish.")
    parser.add_argument("--address", required=True, help="IP address that the hub reaches it at, for its certificate")
    arguments = parser.parse_args()
    run(WebServer(arguments.folder, arguments.address), arguments.control)


if __name__ == "__main__":
    main()
