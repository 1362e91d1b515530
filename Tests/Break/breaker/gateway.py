"""A real gateway in a folder of its own, asked over its control socket as the command line asks it."""

import contextlib
import http.client
import itertools
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from homeward_rig import paths
from homeward_rig.house.programs import BUILD, program, swift_libraries
from homeward_rig.house.rest import descendants
from homeward_rig.json_lines import Disconnected, JSONLines
from homeward_rig.peers.broker import free_port
from homeward_rig.stage import CheckFailed, eventually

from . import sandbox
from .judgement import Ground

HOME = {"latitude": -24.0, "longitude": 133.0}
"""In the middle of a desert: nobody's."""
_PUPPET = Path(__file__).resolve().parent / "puppet"
_NUMBERS = itertools.count(1)


def holds(seconds: float, probe: Callable[[], Any], pause: float = 0.05) -> bool:
    """Whether a probe gives something within so many seconds."""
    try:
        eventually("", seconds, probe, pause)
    except CheckFailed:
        return False
    return True


class Refused(Exception):
    """The gateway answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error.get("message", ""))
        self.code = error.get("code")
        self.kind = (error.get("data") or {}).get("kind", "")


class Deaf(Exception):
    """The gateway gave no answer, or is gone."""


class Gateway:
    """`homewardd` with its configuration; started, stopped and killed at will. It ends with the attack."""

    name = "break"

    def __init__(self, ground: Ground, name: str = "gateway", **sections: Any) -> None:
        """`sections` go into the configuration as they are."""
        self.ground = ground
        self.folder = ground.folder / name
        self.state, self.runtime = self.folder / "state", self.folder / "run"
        self.plugins = self.folder / "plugins"
        for folder in (self.state, self.runtime, self.plugins):
            folder.mkdir(parents=True)
        self.socket = self.runtime / "control.sock"
        self.log = self.folder / "homewardd.log"
        self.port = free_port()
        """Of /health and /metrics."""
        self.puppets: dict[str, Puppet] = {}
        self.process: subprocess.Popen[bytes] | None = None
        self.damaged_configuration = ""
        """Written in the place of the configuration, when it is not empty."""
        self._lines: JSONLines | None = None
        self._begins = 0
        """Where in the log this start begins."""
        self.configuration: dict[str, Any] = {
            "gateway": {"name": self.name, "state": str(self.state), "runtime": str(self.runtime)},
            "gps": [],
            "clock": {"trust": "system"},
            "sound": {"enabled": False},
            "store": {"minimumFreeMegabytes": 10, "backupEveryHours": 0},
            "plugins": {"directories": [str(self.plugins)], "enabled": []},
            **sections,
        }
        self._add_built("metrics", ["network", "read:gateway"], {"port": self.port})
        ground.afterwards.callback(self.end)

    # Plugins

    def add_mqtt(self, port: int, grants: Iterable[str] = (), **settings: Any) -> None:
        """The real plugin for the broker, with what it is granted beside the network."""
        known = {"host": "127.0.0.1", "port": port, "homeAssistant": {"enabled": False}, **settings}
        self._add_built("mqtt", ["network", "position.precise", *grants], known, loopback=[port])

    def _add_built(self, name: str, grants: Sequence[str], settings: dict[str, Any], **more: Any) -> None:
        """A plugin as it was built."""
        place = self.plugins / name
        place.mkdir()
        # Another build may bring its own manifests; what a plugin says of itself has to fit.
        own = BUILD / "plugins"
        shutil.copy((own if own.exists() else paths.REPOSITORY / "plugins") / name / "plugin.json", place)
        shutil.copy(program(f"homeward-plugin-{name}"), place)
        # Of a release build; a debug build has the toolchain's.
        for library in BUILD.glob("lib*.so"):
            (place / library.name).symlink_to(library.resolve())
        self._enable({"name": name, "grants": list(grants), "settings": settings, **more})

    def add_puppet(
        self, name: str, grants: Sequence[str] = (), offers: Sequence[str] = (), lanes: Sequence[str] = (), **more: Any
    ) -> "Puppet":
        """A plugin that does what the attack tells it to."""
        place = self.plugins / name
        place.mkdir()
        for file in _PUPPET.glob("*.py"):
            shutil.copy(file, place)
        (place / "puppet.py").chmod(0o755)
        manifest = {
            "name": name,
            "version": "1.0.0",
            "protocol": [1],
            "command": ["./puppet.py"],
            "description": "Does what it is told.",
            "licence": "Apache-2.0",
            "lanes": list(lanes),
            "types": ["*"] if lanes else [],
            "offers": list(offers),
            "grants": list(grants),
            "settings": {"type": "object"},
        }
        (place / "plugin.json").write_text(json.dumps(manifest))
        self._enable({"name": name, "grants": list(grants), **more})
        self.puppets[name] = Puppet(self.state / "plugins" / name)
        return self.puppets[name]

    def _enable(self, entry: dict[str, Any]) -> None:
        libraries = list(map(str, swift_libraries()))
        self.configuration["plugins"]["enabled"].append({**({"readPaths": libraries} if libraries else {}), **entry})

    # Life

    def start(
        self,
        before: Sequence[str] = (),
        environment: dict[str, str] | None = None,
        errors: int | None = None,
        seconds: float = 20,
    ) -> None:
        """Starts it and waits until it answers; Deaf when it does not.

        `before` goes before the command, `errors` is where standard error goes in the place of the log.
        """
        self.launch(before, environment, errors)
        answers = holds(seconds, lambda: not self.is_alive or self.answers(), 0.02) and self.is_alive
        if not self.is_alive and self._drop_unknown_keys():
            self.start(before, environment, errors, seconds)
            return
        if not answers:
            raise Deaf(f"it does not answer after {seconds:g} s: {self.said()[-500:]}")
        if self._drop_unknown_grants():
            self.stop()
            self.start(before, environment, errors, seconds)

    def _drop_unknown_keys(self) -> bool:
        """Takes out of the configuration what an older gateway does not know; whether there was such."""
        entries = [one for one in self.configuration["plugins"]["enabled"] if "loopback" in one]
        if "loopback" not in self.said()[self._begins :]:
            return False
        for entry in entries:
            del entry["loopback"]
        return bool(entries)

    def _drop_unknown_grants(self) -> bool:
        """Takes out of the manifests what an older gateway cannot grant; whether there was such."""
        unknown = re.findall(r"([\w-]+): plugin\.json: grants\[(\d+)\]", self.said()[self._begins :])
        for plugin, place in unknown:
            file = self.plugins / plugin / "plugin.json"
            manifest = json.loads(file.read_text())
            grant = manifest["grants"].pop(int(place))
            file.write_text(json.dumps(manifest))
            for entry in self.configuration["plugins"]["enabled"]:
                entry["grants"] = [one for one in entry["grants"] if entry["name"] != plugin or one != grant]
        return bool(unknown)

    def launch(
        self, before: Sequence[str] = (), environment: dict[str, str] | None = None, errors: int | None = None
    ) -> None:
        """Starts it and does not wait."""
        file = self.folder / "homeward.yaml"
        # JSON is YAML.
        file.write_text(self.damaged_configuration or json.dumps(self.configuration))
        self._begins = len(self.said())
        given = [f"{name}={text}" for name, text in (environment or {}).items()]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                # What is loaded into the daemon must not be loaded into what goes before it.
                [*before, *sandbox.AS_GATEWAY, "env", *given, program("homewardd"), "--config", file],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log if errors is None else errors,
                env={**os.environ, "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "TZ": "UTC"},
            )

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def answers(self) -> bool:
        """Whether it answers somebody who comes anew."""
        self._hang_up()
        try:
            self.ask("health", timeout=2)
        except Deaf:
            return False
        except Refused:
            return True
        return True

    def kill(self) -> None:
        """kill -9, with the plugins, as when the power goes."""
        self._hang_up()
        if self.process is None:
            return
        children = descendants(self.process.pid)
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for puppet in self.puppets.values():
            puppet.forget()
        self.process = None

    def stop(self, seconds: float = 20) -> int | None:
        """Ends it in good order; gives its exit code, and nothing when it had to be killed."""
        self._hang_up()
        assert self.process is not None
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.kill()

    def end(self) -> None:
        self.kill()

    def said(self) -> str:
        """The daemon's log."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def process_of(self, plugin: str) -> int | None:
        """The number of a plugin's process, as the gateway says it; as seen from here."""
        found = next((one for one in self.ask("plugins.list") if one["name"] == plugin), {})
        return found.get("pid")

    def processes_of(self, plugin: str) -> list[int]:
        """The same, with all that it started: what the gateway knows may be what holds the plugin."""
        known = self.process_of(plugin)
        return [] if known is None else [known, *descendants(known)]

    # Questions

    def ask(self, method: str, timeout: float = 10, **parameters: Any) -> Any:
        """Asks over the control socket; Refused for an error, Deaf when no answer comes."""
        number = next(_NUMBERS)
        try:
            if self._lines is None:
                self._lines = JSONLines(self.socket, connect_timeout=1)
            self._lines.send({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
            while (answer := self._lines.receive(timeout)).get("id") != number:
                pass
        except (Disconnected, TimeoutError, OSError) as error:
            self._hang_up()
            raise Deaf(f"{method}: {error}") from None
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def _hang_up(self) -> None:
        if self._lines is not None:
            self._lines.close()
            self._lines = None

    def command(self, action: str, timeout: float = 10, **members: Any) -> Any:
        """Carries a command out."""
        return self.ask("command", timeout, command={"request": {"action": action, **members}})

    def line(self, *arguments: str, timeout: float = 20) -> subprocess.CompletedProcess[str]:
        """Runs the command line."""
        return subprocess.run(
            [*sandbox.AS_GATEWAY, program("homeward"), "--socket", self.socket, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"},
        )

    def status(self) -> dict[str, Any]:
        return self.ask("status")

    def faults(self) -> list[dict[str, Any]]:
        return self.status()["faults"]

    def alarms(self) -> list[dict[str, Any]]:
        """Open alarms about a person."""
        return [one for one in self.ask("alarms.list") if one.get("resident")]

    def events(self, *types: str, limit: int = 1000) -> list[dict[str, Any]]:
        """Events of these types, the oldest first."""
        # An older gateway puts the event into a member of its row.
        rows = self.ask("events.query", types=list(types), limit=limit)
        return [row.get("event", row) for row in reversed(rows)]

    def get(self, path: str, timeout: float = 5) -> tuple[int, str]:
        """Status and body of an HTTP request to /health or /metrics; Deaf when none comes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            raise Deaf(f"{path}: {error}") from None
        finally:
            connection.close()

    def serves(self, path: str) -> bool:
        """Whether /health or /metrics is answered at all."""
        try:
            return self.get(path)[0] in (200, 503)
        except Deaf:
            return False

    def connection(self) -> socket.socket:
        """A connection to the control socket, for what no client would say."""
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.settimeout(10)
        made.connect(str(self.socket))
        return made

    def journal(self) -> list[tuple[str, str]]:
        """Id and body of all events on the disk, in order; the gateway should not be running."""
        with contextlib.closing(sqlite3.connect(self.state / "care.db")) as database:
            return database.execute("SELECT id, body FROM journal ORDER BY rowid").fetchall()

    # People

    def settle(self, guardians: bool = True, **settings: Any) -> None:
        """Mary, her home, and Anna who is told at once; an SOS has no pre-alarm unless the settings say so."""
        self.put_mary()
        self.command(
            "zone.put",
            zone={"id": "home", "resident": "mary", "name": "Home", "center": HOME, "radiusMeters": 50, "isHome": True},
        )
        if guardians:
            self.command("guardian.put", guardian=ANNA)
        for name, value in {"prealarmSeconds": 0, **settings}.items():
            self.command("setting.put", target="mary", name=name, value=value)

    def put_mary(self) -> None:
        """Mary, with the receiver where there is one."""
        receiver = {"gpsSource": "gps"} if self.configuration["gps"] else {}
        self.command("resident.put", resident={"id": "mary", "name": "Mary", "timeZone": "UTC", **receiver})

    def raise_sos(self, timeout: float = 10, **more: Any) -> Any:
        return self.command("sos.raise", timeout, target="mary", **more)


ANNA = {
    "id": "anna",
    "resident": "mary",
    "name": "Anna",
    "phone": "+4791234567",
    "email": "anna@example.org",
    "push": "pover://u5ecret@t0ken",
    "isCaregiver": True,
}


class Puppet:
    """A plugin's strings: orders go through files in its state folder, which it may read and write."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._number = 0

    def is_ready(self) -> bool:
        return (self._state / "orders.jsonl").exists()

    def await_ready(self, seconds: float = 20) -> None:
        eventually("the puppet's start", seconds, self.is_ready, 0.02)

    def forget(self) -> None:
        """It is gone: ready is the next one."""
        (self._state / "orders.jsonl").unlink(missing_ok=True)

    def order(self, do: str, **more: Any) -> int:
        """Gives an order; gives its number."""
        self.await_ready()
        self._number += 1
        with open(self._state / "orders.jsonl", "a") as file:
            file.write(json.dumps({"number": self._number, "do": do, **more}) + "\n")
        return self._number

    def answer(self, number: int) -> Any:
        """What came of an order; nothing while nothing has."""
        return next((one for one in self._read("answers.jsonl") if one["number"] == number), None)

    def do(self, do: str, seconds: float = 20, **more: Any) -> Any:
        """Gives an order and waits for its result."""
        number = self.order(do, **more)
        result = eventually(f"the puppet's {do}", seconds, lambda: self.answer(number), 0.02)["result"]
        if isinstance(result, dict) and "failed" in result:
            raise RuntimeError(f"the puppet's {do}: {result['failed']}")
        return result

    def ask(self, method: str, seconds: float = 20, **parameters: Any) -> dict[str, Any]:
        """Has it ask the gateway; gives the gateway's answer, a result or an error."""
        return self.do("ask", seconds, method=method, params=parameters)

    def command(
        self, principal: str, identity: str, expires: str, seconds: float = 20, **request: Any
    ) -> dict[str, Any]:
        """Has it hand in a command of somebody's."""
        return self.ask("command", seconds, principal=principal, id=identity, expiresAt=expires, request=request)

    def heard(self, method: str = "") -> list[dict[str, Any]]:
        """What the gateway has told it, as it came."""
        return [one for one in self._read("heard.jsonl") if not method or one.get("method") == method]

    def events(self) -> list[dict[str, Any]]:
        """Events that were delivered to it, each as often as it came."""
        return [event for one in self.heard("events.deliver") for event in one["params"]["events"]]

    def write(self, name: str, data: bytes) -> str:
        """Lays a file into its state folder; gives its path."""
        place = self._state / name
        place.write_bytes(data)
        place.chmod(0o644)
        return str(place)

    def _read(self, name: str) -> list[Any]:
        try:
            lines = (self._state / name).read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines if line]
