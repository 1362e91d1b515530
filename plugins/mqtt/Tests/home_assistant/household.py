"""A real Home Assistant on loopback, for `show.py` and for stories of the rig."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


def log(path):
    """A descriptor that the started process keeps."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def end(process, by=signal.SIGTERM):
    if process.poll() is None:
        process.send_signal(by)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class HomeAssistant:
    """Home Assistant on loopback, with an owner whose key is known and a broker that is set up."""

    KEY, TOKEN, USER, ENTRY = "k" * 128, "t" * 32, "u" * 32, "e" * 32

    def __init__(self, folder, broker, python=sys.executable):
        """`broker`: its port on loopback; `python`: that of a virtual environment that has Home Assistant."""
        self.folder, self.port = folder, free_port()
        (folder / ".storage").mkdir(parents=True)
        (folder / "configuration.yaml").write_text(
            f"""
homeassistant: {{name: Test, time_zone: Europe/Oslo}}
http: {{server_host: 127.0.0.1, server_port: {self.port}}}
api:
logger: {{default: warning}}
"""
        )
        self.store("auth", 1, 1, self.auth())
        when = "2026-01-01T00:00:00+00:00"
        entry = {
            "entry_id": self.ENTRY, "domain": "mqtt", "title": "broker", "version": 1, "minor_version": 1,
            "data": {"broker": "127.0.0.1", "port": broker}, "options": {}, "source": "user",
            "unique_id": None, "disabled_by": None, "pref_disable_new_entities": False,
            "pref_disable_polling": False, "created_at": when, "modified_at": when, "discovery_keys": {},
        }  # fmt: skip
        self.store("core.config_entries", 1, 4, {"entries": [entry]})
        self.store("onboarding", 4, 1, {"done": ["user", "core_config", "analytics", "integration"]})
        program = pathlib.Path(python).parent / "hass"
        self.process = subprocess.Popen(
            [program, "-c", folder],
            stdout=log(folder / "hass.log"),
            stderr=subprocess.STDOUT,
        )

    def store(self, key, version, minor, content):
        document = {"version": version, "minor_version": minor, "key": key, "data": content}
        (self.folder / ".storage" / key).write_text(json.dumps(document))

    def auth(self):
        when = "2026-01-01T00:00:00+00:00"
        return {
            "users": [
                {
                    "id": self.USER, "group_ids": ["system-admin"], "is_owner": True, "is_active": True,
                    "name": "Owner", "system_generated": False, "local_only": False,
                }
            ],
            "groups": [{"id": "system-admin", "name": "Administrators"}],
            "credentials": [],
            "refresh_tokens": [
                {
                    "id": self.TOKEN, "user_id": self.USER, "client_id": None, "client_name": "show",
                    "client_icon": None, "token_type": "long_lived_access_token", "created_at": when,
                    "access_token_expiration": 315360000.0, "token": "x" * 128, "jwt_key": self.KEY,
                    "last_used_at": None, "last_used_ip": None, "expire_at": None,
                    "credential_id": None, "version": None,
                }
            ],
        }  # fmt: skip

    def token(self):
        """A JSON Web Token of the owner's: RFC 7519, signed with HMAC-SHA256."""
        now = int(time.time())
        parts = ({"alg": "HS256", "typ": "JWT"}, {"iss": self.TOKEN, "iat": now, "exp": now + 3600})
        words = ".".join(self.letters(json.dumps(part).encode()) for part in parts)
        return f"{words}.{self.letters(hmac.digest(self.KEY.encode(), words.encode(), hashlib.sha256))}"

    @staticmethod
    def letters(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    def ask(self, path, content=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/{path}",
            data=None if content is None else json.dumps(content).encode(),
            headers={
                "Authorization": f"Bearer {self.token()}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def states(self):
        try:
            found = self.ask("states")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return {}
        return {state["entity_id"]: state for state in found}

    def close(self):
        end(self.process)

    def version(self, seconds=180):
        """Waits until it answers; gives its version."""
        return wait(lambda: self.states() and self.ask("config")["version"], "Home Assistant", seconds)

    def reload(self):
        print("  reload the MQTT integration")
        self.ask("services/homeassistant/reload_config_entry", {"entry_id": self.ENTRY})

    def press(self, entity):
        print("  press", entity)
        self.ask("services/button/press", {"entity_id": entity})


def wait(fits, what, seconds=60):
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        found = fits()
        if found:
            return found
        time.sleep(0.2)
    raise TimeoutError(f"{what} did not come within {seconds} s")
