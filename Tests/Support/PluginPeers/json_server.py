"""A real HTTPS server on this machine that plays a backend, and events of readings to hand to it."""

import contextlib
import http.server
import json
import queue
import socket
import ssl
import tempfile
import threading
import urllib.parse

from plugin_host import certificate


class Certificate:
    """A certificate for localhost that signs itself."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="homeward-certificate-")
        self.key, self.file = certificate(self.folder.name, "localhost")


CERTIFICATE = Certificate()


class Request:
    """One request as it came."""

    def __init__(self, handler):
        parts = urllib.parse.urlsplit(handler.path)
        self.method, self.path = handler.command, parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.headers = handler.headers
        self.body = handler.rfile.read(int(handler.headers.get("Content-Length", "0")))

    def json(self):
        return json.loads(self.body)


class JSONServer:
    """Answers as `play` says; what stands in `script` comes first, one for each request."""

    def __init__(self):
        self.requests = queue.Queue()
        self.script = []
        self.lock = threading.Lock()
        self.connections = set()
        peer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                peer.connections.add(self.connection)

            def answer(self):
                request = Request(self)
                peer.requests.put(request)
                with peer.lock:
                    status, headers, body = peer.script.pop(0) if peer.script else peer.play(request)
                if not isinstance(body, bytes):
                    headers = {"Content-Type": "application/json", **headers}
                    body = json.dumps(body).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *arguments):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                pass

        self.quiet, self.handler = Quiet, Handler
        self.server = None
        self.port = 0
        self.open()

    def open(self):
        """Comes back at the same port."""
        self.server = self.quiet(("127.0.0.1", self.port), self.handler)
        self.port = self.server.server_address[1]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE.file, CERTIFICATE.key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        """Goes away, with the connections that are open."""
        self.server.shutdown()
        self.server.server_close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.connections.clear()

    def url(self, path=""):
        return f"https://localhost:{self.port}{path}"

    def play(self, request):
        raise NotImplementedError

    def seen(self):
        """The requests that came since this was asked last."""
        found = []
        while not self.requests.empty():
            found.append(self.requests.get_nowait())
        return found


class SplitMix64:
    """Numbers that are the same in every run."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & mask
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask
        return (word ^ (word >> 31)) % limit

    def mutated(self, data):
        """Bytes with one through four changes: another byte, one less, one more, a piece twice."""
        data = bytearray(data)
        for _ in range(1 + self.below(4)):
            place = self.below(len(data)) if data else 0
            kind = self.below(4)
            if kind == 0 and data:
                data[place] ^= 1 << self.below(8)
            elif kind == 1:
                del data[place : place + 1 + self.below(8)]
            elif kind == 2:
                data[place:place] = b'"{}[],:0-9.eE\\u\xff\x00'[self.below(18) :][:1]
            else:
                data[place:place] = data[place : place + self.below(24)]
        return bytes(data)


READING = {
    "reading": "0199-reading",
    "value": "5.60",
    "unit": "mmol/L",
    "mgdl": 101,
    "time": "2026-11-22T07:41:00+01:00",
    "tag": None,
    "sensor": "finger-stick",
    "source": "meter",
    "meter": {"name": "Contour Next", "serial": "7712"},
    "timeDoubt": None,
}


def glucose(action="recorded", resident="mary", **changes):
    """An event of a reading, as the gateway has it."""
    event = {
        "specversion": "1.0",
        "id": "0199-event",
        "source": "urn:homeward:gateway:hub",
        "type": f"glucose.{action}",
        "subject": f"resident/{resident}",
        "time": "2026-11-22T06:41:09Z",
        "datacontenttype": "application/json",
        "lane": "record",
        "data": {**READING, **changes},
    }
    return json.dumps(event)
