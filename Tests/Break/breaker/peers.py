"""What stands around an attacked gateway, beside the rig's own peers: a gpsd and a homeward-hci that say anything."""

import contextlib
import json
import math
import socket
import threading
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from homeward_rig.house.programs import library
from homeward_rig.peer import Peer

from .gateway import HOME, Gateway, holds
from .judgement import Ground

METERS_PER_DEGREE = 111_195.0
_COMPILING = threading.Lock()


class Speaker:
    """A server that says what it is told to everybody who listens. It ends with the attack."""

    def __init__(self, ground: Ground, listener: socket.socket, greeting: bytes) -> None:
        self._greeting = greeting
        self._listener = listener
        self._listeners: list[socket.socket] = []
        self._lock = threading.Lock()
        self.came = 0
        """How often somebody connected."""
        ground.afterwards.callback(self.close)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.settimeout(5)
            try:
                connection.sendall(self._greeting)
            except OSError:
                continue
            with self._lock:
                self._listeners.append(connection)
                self.came += 1

    def say(self, data: bytes) -> bool:
        """Says bytes to everybody; false when nobody listens (any more)."""
        with self._lock:
            listeners, self._listeners = self._listeners, []
        for connection in listeners:
            try:
                connection.sendall(data)
            except OSError:
                connection.close()
                continue
            with self._lock:
                self._listeners.append(connection)
        with self._lock:
            return bool(self._listeners)

    def hang_up(self) -> None:
        """Ends all connections."""
        with self._lock:
            for connection in self._listeners:
                connection.close()
            self._listeners = []

    def close(self) -> None:
        # A thread that waits in accept is woken by this, and by nothing else.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()


def _line(message: dict[str, Any]) -> bytes:
    """A message as gpsd writes it: without a space."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\r\n"


class PlayedGPSD(Speaker):
    """gpsd's JSON over TCP; it knows one receiver, and where its bearer is said to be."""

    def __init__(self, ground: Ground) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = listener.getsockname()[1]
        device = {"class": "DEVICE", "path": "played", "activated": "2026-01-01T00:00:00.000Z", "driver": "NMEA0183"}
        told = [
            {"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3, "proto_minor": 14},
            {"class": "DEVICES", "devices": [device]},
            {"class": "WATCH", "enable": True, "json": True},
        ]
        super().__init__(ground, listener, b"".join(_line(one) for one in told))

    def tell(self, east_meters: float, north_meters: float = 0, **more: Any) -> bool:
        """Reports that the bearer is so far from home, now."""
        return self.say(_line(report(east_meters, north_meters, **more)))


def place(east_meters: float, north_meters: float = 0) -> dict[str, float]:
    """Coordinates so far from home."""
    stretch = math.cos(math.radians(HOME["latitude"]))
    return {
        "latitude": HOME["latitude"] + north_meters / METERS_PER_DEGREE,
        "longitude": HOME["longitude"] + east_meters / METERS_PER_DEGREE / stretch,
    }


def report(east_meters: float, north_meters: float = 0, **more: Any) -> dict[str, Any]:
    """gpsd's TPV of a good fix, now."""
    at = place(east_meters, north_meters)
    time = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    fix = {"class": "TPV", "device": "played", "mode": 3, "time": time, "lat": at["latitude"], "lon": at["longitude"]}
    return {**fix, "eph": 4.0, "epx": 3.0, "epy": 3.0, "speed": 1.5, "track": 90.0, **more}


class PlayedRadio(Speaker):
    """The lines of homeward-hci on a Unix socket."""

    def __init__(self, ground: Ground) -> None:
        self.path = ground.folder / "hci.sock"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(self.path))
        listener.listen()
        state = {"state": "listening", "adapter": "hci0", "address": "00:00:00:00:00:01"}
        super().__init__(ground, listener, json.dumps(state).encode() + b"\n")


class Broker:
    """The rig's broker: a real mosquitto with a reader that misses nothing."""

    def __init__(self, ground: Ground) -> None:
        sockets = ground.folder / "s"
        sockets.mkdir()
        self._peer = Peer("broker", ground.folder, sockets)
        ground.afterwards.callback(self._peer.end)
        self.port: int = self._peer.do("port", timeout=60)
        self._file = ground.folder / "broker-messages.jsonl"

    def do(self, action: str, **parameters: Any) -> Any:
        return self._peer.do(action, **parameters)

    def messages(self) -> list[dict[str, Any]]:
        """Everything that was published, in order: `topic` and `payload`."""
        return [json.loads(line) for line in self._file.read_bytes().split(b"\n")[:-1]]

    def await_gateway(self) -> None:
        """Waits until the gateway's plugin is connected; RuntimeError when it never is."""
        if not holds(40, lambda: any(one["topic"].endswith("/status") for one in self.messages())):
            raise RuntimeError("the gateway's plugin does not connect to the broker")

    def events(self, *types: str) -> list[dict[str, Any]]:
        """Events that arrived, each as often as it came."""
        found = []
        for message in self.messages():
            if "/event/" in message["topic"] and not message["retain"]:
                event = json.loads(message["payload"])
                if not types or event["type"] in types:
                    found.append(event)
        return found


def gateway_with_broker(ground: Ground, grants: Iterable[str] = (), **settings: Any) -> tuple[Broker, Gateway]:
    """A broker, and a gateway that is not started yet and whose plugin is to speak to it; see `Gateway.add_mqtt`."""
    broker = Broker(ground)
    gateway = Gateway(ground)
    gateway.add_mqtt(broker.port, grants, **settings)
    return broker, gateway


def house_library(ground: Ground) -> Path:
    """The library of the stories, which gives a gateway another clock, a full disk or a button."""
    with _COMPILING:
        built = ground.tools / "house.so"
        return built if built.exists() else library(ground.tools)


def walk(gpsd: PlayedGPSD, to_meters: float, speed: float, seconds: float, until: Callable[[], Any]) -> bool:
    """The bearer goes east once a second; ends as soon as `until` holds, and says whether it did in time."""
    end = threading.Event()
    for second in range(round(seconds)):
        gpsd.tell(min(to_meters, speed * second), speed=speed)
        if until():
            return True
        end.wait(1)
    return bool(until())
