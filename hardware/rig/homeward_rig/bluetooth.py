"""What the hub hears over Bluetooth and fetches from a glucose meter, through the programs of guest/."""

import json
from collections.abc import Callable
from typing import Any

from .hub import Machine
from .peer import Peer
from .stage import CheckFailed, eventually

PLACES_DBM = {
    "close by": -50,
    "in the same room": -62,
    "on the threshold": -72,
    "in the next room": -78,
    "at the edge of hearing": -95,
    "out of reach": -120,
}
"""How strongly the hub hears a device that lies there."""

TOLERANCE_DB = 5

_PROGRAMS = "/usr/lib/homeward-rig"
_CODE_FILE = "/run/rig-pairing-code"
_GLUCOSE_SERVICE = "1808"
_BTHOME = "fcd2"


def strength(place: str) -> int:
    """dBm of a place; ValueError with the places that there are."""
    if place not in PLACES_DBM:
        raise ValueError(f"no place {place!r}; there are: {', '.join(PLACES_DBM)}")
    return PLACES_DBM[place]


class BackgroundProgram:
    """A program that runs in the machine beside the story and writes JSON lines."""

    def __init__(self, machine: Machine, name: str) -> None:
        self._machine = machine
        self._unit = f"rig-{name}"
        self._output = f"/run/rig-{name}.jsonl"

    def start(self, *command: str) -> None:
        """Starts it anew; what an earlier one wrote is forgotten."""
        self.stop()
        self._machine.run("/bin/rm", "--force", self._output)
        self._machine.run(
            "/usr/bin/systemd-run",
            "--quiet",
            f"--unit={self._unit}",
            "--collect",
            f"--property=StandardOutput=append:{self._output}",
            *command,
        )

    def stop(self) -> None:
        """Ends it, if it runs."""
        self._machine.run("/bin/systemctl", "stop", self._unit, check=False)

    def is_running(self) -> bool:
        return self._machine.run("/bin/systemctl", "is-active", self._unit, check=False).output.strip() in (
            "active",
            "activating",
        )

    def text(self) -> str:
        """What it has written so far."""
        return self._machine.run("/bin/cat", self._output, check=False).output

    def lines(self) -> list[dict[str, Any]]:
        """The same line by line."""
        return json_lines(self.text())


def json_lines(text: str) -> list[dict[str, Any]]:
    """JSON objects, one a line; the last may be half written."""
    whole = text[: text.rfind("\n") + 1]
    return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]


def radio(context: Any) -> Peer:
    """The radio of a story; started before the hub, so that the adapter is there when the hub looks for one."""
    return context.stage.peer("radio", "--adapter", str(context.stage.machine.sockets / "radio.sock"))


def bluetooth(context: Any) -> "Bluetooth":
    """The hub's Bluetooth in a story."""
    if getattr(context, "bluetooth", None) is None:
        context.bluetooth = Bluetooth(context.stage.machine)
    return context.bluetooth


class Bluetooth:
    """The hub's Bluetooth, and the names that the story has for the devices around it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.addresses: dict[str, str] = {}
        self.readings: dict[str, list[dict[str, Any]]] = {}
        """What the hub has fetched from each meter."""
        self.scan = BackgroundProgram(machine, "bluetooth-scan")
        self.watch = BackgroundProgram(machine, "bluetooth-watch")
        self.collector = BackgroundProgram(machine, "glucose-collector")
        self.has_connected = False
        """Whether the last fetch came as far as a connection."""
        self.clock_ahead: dict[str, int] = {}
        """Seconds by which each meter's clock was ahead at the last fetch."""
        self.bare: list[dict[str, Any]] = []
        """What the last scan past BlueZ heard."""

    def address(self, name: str) -> str:
        if name not in self.addresses:
            raise ValueError(f"the story knows no device {name!r}; there are: {', '.join(self.addresses) or 'none'}")
        return self.addresses[name]

    # Adapter

    def adapter(self) -> str:
        """What the kernel says of the adapter; "" without one."""
        completed = self.machine.run("/usr/bin/hciconfig", "hci0", check=False)
        return completed.output if completed.status == 0 else ""

    def is_ready(self) -> bool:
        """Whether there is an adapter, on, and BlueZ has it too."""
        if "UP RUNNING" not in self.adapter():
            return False
        return self.bluez("/org/bluez/hci0", "Adapter1", "Powered") == "b true"

    def bluez(self, path: str, interface: str, name: str) -> str:
        """A property of one of BlueZ's objects, as busctl prints it; "" when there is none."""
        return self.machine.run(
            "/usr/bin/busctl", "get-property", "org.bluez", path, f"org.bluez.{interface}", name, check=False
        ).output.strip()

    def knows(self, name: str) -> bool:
        """Whether the hub has a device's keys."""
        path = f"/org/bluez/hci0/dev_{self.address(name).replace(':', '_')}"
        return self.bluez(path, "Device1", "Bonded") == "b true"

    # Listening

    def listen(self) -> None:
        self.scan.start(f"{_PROGRAMS}/bluetooth-scan")

    def listen_past_bluez(self, seconds: float) -> None:
        self.scan.stop()
        self.bare = json_lines(self.machine.run(f"{_PROGRAMS}/hci-scan", f"{seconds:g}", timeout=seconds + 120).output)

    def watch_for(self, name: str) -> None:
        self.watch.start(f"{_PROGRAMS}/bluetooth-scan", "--watch", self.address(name))

    def heard(self, name: str) -> list[dict[str, Any]]:
        """Lines of the scan that runs about one device."""
        address = self.address(name)
        return [line for line in self.scan.lines() if line.get("address") == address]

    def expect_strength(self, name: str, place: str, lines: list[dict[str, Any]]) -> None:
        """CheckFailed unless the last line with a strength fits the place."""
        heard = [line["rssi"] for line in lines if line.get("address") == self.address(name) and "rssi" in line]
        if not heard:
            raise CheckFailed(f"{name} was not heard; {self._others(lines)}")
        if abs(heard[-1] - strength(place)) > TOLERANCE_DB:
            raise CheckFailed(f"{name} was heard with {heard[-1]} dBm, and {place} means {strength(place)} dBm")

    def _others(self, lines: list[dict[str, Any]]) -> str:
        names = {address: name for name, address in self.addresses.items()}
        others = sorted({names.get(line["address"], line["address"]) for line in lines if "address" in line})
        return f"heard were {', '.join(others)}" if others else "nothing was heard at all"

    def silence(self, name: str) -> float:
        """Seconds for which a device has not been heard; CheckFailed when no other was either: then nobody listens."""
        now = float(self.machine.run("/bin/cat", "/proc/uptime").output.split()[0])
        lines = self.scan.lines()
        times = {line["address"]: line["seconds"] for line in lines if "address" in line}
        others = [seconds for address, seconds in times.items() if address != self.address(name)]
        if not others or now - max(others) > 30 or not self.scan.is_running():
            raise CheckFailed(f"the hub hears no device at all, so that it cannot tell whether {name} is silent")
        return now - times.get(self.address(name), 0.0)

    def presses(self, name: str) -> dict[int, int]:
        """Presses of a button, each once however often it was sent: packet number to event."""
        found = {}
        for line in self.heard(name):
            data = bytes.fromhex(line.get("services", {}).get(_BTHOME, ""))
            # 40, packet number (00 n), battery (01 p), event (3a e).
            if len(data) == 7 and data[0] == 0x40 and data[5] == 0x3A and data[6] != 0:
                found[data[2]] = data[6]
        return found

    def is_heard_as_meter(self, name: str) -> bool:
        return any(_GLUCOSE_SERVICE in line.get("uuids", []) for line in self.heard(name))

    # Glucose meters

    def start_pairing(self, name: str) -> None:
        self.scan.stop()
        self.collector.start(f"{_PROGRAMS}/glucose-collector", "pair", self.address(name))

    def type_code(self, code: str) -> None:
        """Somebody reads the code from the meter's display and types it in at the hub."""
        # Written beside and moved, so that nobody reads half of it.
        self.machine.run("/bin/dd", f"of={_CODE_FILE}.new", "status=none", data=code.encode())
        self.machine.run("/bin/mv", f"{_CODE_FILE}.new", _CODE_FILE)

    def await_code(self, display: Callable[[], str], seconds: float) -> str:
        """The code on a meter's display as soon as there is one; `display` gives what it shows."""

        def shown() -> str:
            failure = next((line["why"] for line in self.collector.lines() if line["event"] == "failed"), None)
            if failure is not None:
                raise CheckFailed(f"pairing failed before the meter showed a code: {failure}")
            return display()

        return eventually("a pairing code on the meter's display", seconds, shown)

    def await_pairing(self, seconds: float) -> None:
        """Waits until the collector has paired; CheckFailed with its words when it has not."""

        def told() -> dict[str, Any] | None:
            return next((line for line in self.collector.lines() if line["event"] in ("paired", "failed")), None)

        outcome = eventually("pairing", seconds, told)
        if outcome["event"] == "failed":
            raise CheckFailed(f"pairing failed: {outcome['why']}")
        # It still hangs up.
        eventually("the end of the pairing", 60, lambda: not self.collector.is_running())

    def fetch(self, name: str) -> str:
        """Fetches what the hub lacks, from the first missing sequence number on; gives why it ended early, or ""."""
        self.scan.stop()
        known = self.readings.setdefault(name, [])
        first = [str(known[-1]["sequence"] + 1)] if known else []
        completed = self.machine.run(
            f"{_PROGRAMS}/glucose-collector", "fetch", self.address(name), *first, check=False, timeout=300
        )
        lines = json_lines(completed.output)
        self.has_connected = any(line["event"] == "connected" for line in lines)
        contexts = {line["sequence"]: line.get("meal") for line in lines if line["event"] == "context"}
        for line in lines:
            if line["event"] == "clock":
                self.clock_ahead[name] = line["seconds_ahead"]
            # A reading that should have a context and has none is not whole, and is fetched again.
            if line["event"] == "measurement" and (not line["has_context"] or line["sequence"] in contexts):
                known.append({**line, "meal": contexts.get(line["sequence"])})
        if completed.status == 0:
            return ""
        return next((line["why"] for line in lines if line["event"] == "failed"), completed.errors[-500:] or "no word")
