"""What the plugin's tests talk to: a real HTTPS server, Debian's CalDAV server Radicale, and the plugin over pipes."""

import base64
import datetime
import http.server
import os
import pathlib
import queue
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from plugin_host import WAIT_SECONDS, Host

PLUGIN = pathlib.Path(__file__).resolve().parent.parent / "feed.py"
SOON = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=3)).strftime("%Y%m%dT100000Z")


def calendar(*events):
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", *events, "END:VCALENDAR", ""]).encode()


def event(uid, title, start=SOON, *lines):
    head = ("BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20261101T000000Z", f"DTSTART:{start}", f"SUMMARY:{title}")
    return "\r\n".join((*head, *lines, "END:VEVENT"))


class Certificate:
    """A certificate of an authority of its own, for localhost."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="homeward-certificate-")
        self.file, self.key = (os.path.join(self.folder.name, name) for name in ("certificate.pem", "key.pem"))
        subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
        subprocess.run([*command, "-keyout", self.key, "-out", self.file], check=True, capture_output=True)


CERTIFICATE = Certificate()


class Server:
    """A web server over TLS that answers as told and notes each request."""

    def __init__(self):
        self.requests = queue.Queue()
        self.answers = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.requests.put((self.path, dict(self.headers)))
                answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                status, headers, body = answer(self) if callable(answer) else answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                pass

        self.server = Quiet(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE.file, CERTIFICATE.key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, path="/family.ics", scheme="https"):
        return f"{scheme}://localhost:{self.port}{path}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class PluginCase(unittest.TestCase):
    """The plugin beside a web server."""

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)
        self.state = tempfile.TemporaryDirectory(prefix="homeward-calendar-")
        self.run_plugin()

    def run_plugin(self, program=PLUGIN, **options):
        self.host = Host(str(program), **{"state": self.state, **options})
        self.addCleanup(self.host.close)

    def start(self, url=None, everyMinutes=5, ca=True, **changes):
        one = {
            "name": "family",
            "resident": "ada",
            "timeZone": "Europe/Madrid",
            "url": url or self.server.url(),
            **changes,
        }
        trusted = {"caFile": CERTIFICATE.file} if ca else {}
        answer = self.host.start(
            ["network", "command:routine.replace"], calendars=[one], everyMinutes=everyMinutes, **trusted
        )
        self.assertIn("result", answer, answer)

    def health(self, code):
        return self.host.notified("health", lambda params: params["code"] == code)

    def replaced(self):
        """The next command, answered."""
        params = self.host.request()["params"]
        self.assertEqual((params["principal"], params["request"]["action"]), ("family", "routine.replace"))
        self.assertEqual((params["request"]["target"], params["request"]["source"]), ("ada", "family"))
        self.assertGreater(params["freshUntil"], time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)
        return params["request"]["items"]

    def stop(self):
        self.host.call("shutdown")
        self.host.process.wait(WAIT_SECONDS)


class Radicale:
    """Debian's CalDAV server over TLS with one calendar."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="homeward-radicale-")
        users = os.path.join(self.folder.name, "users")
        with open(users, "w", encoding="utf-8") as file:
            file.write("ada:secret\n")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        options = {
            "server-hosts": f"127.0.0.1:{self.port}",
            "server-ssl": "True",
            "server-certificate": CERTIFICATE.file,
            "server-key": CERTIFICATE.key,
            "auth-type": "htpasswd",
            "auth-htpasswd-filename": users,
            "auth-htpasswd-encryption": "plain",
            "storage-filesystem-folder": os.path.join(self.folder.name, "collections"),
        }
        command = ["/usr/bin/python3", "-m", "radicale", "--config", ""]
        self.log = open(os.path.join(self.folder.name, "log"), "wb")  # noqa: SIM115
        self.process = subprocess.Popen(
            [*command, *(f"--{name}={value}" for name, value in options.items())], stderr=self.log, stdout=self.log
        )
        self.url = f"https://localhost:{self.port}/ada/family/"
        for _ in range(600):
            try:
                self.ask("MKCALENDAR", "", b"")
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("Radicale does not answer")

    def ask(self, method, path, body):
        token = base64.b64encode(b"ada:secret").decode()
        headers = {"Authorization": f"Basic {token}", "Content-Type": "text/calendar; charset=utf-8"}
        request = urllib.request.Request(self.url + path, data=body, method=method, headers=headers)
        with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=CERTIFICATE.file)) as answer:
            return answer.read()

    def close(self):
        self.process.terminate()
        self.process.wait(WAIT_SECONDS)
        self.log.close()
