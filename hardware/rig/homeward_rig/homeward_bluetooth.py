"""What Homeward itself makes of Bluetooth: tags, meters and the readings in its log, through its command line."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from .air.readings import MG_DL_PER_MMOL_L
from .bluetooth import BackgroundProgram
from .hub import Hub, seconds_of
from .stage import CheckFailed, eventually

MEAL_TAGS = {
    None: None,
    "before": "before-meal",
    "after": "after-meal",
    "fasting": "fasting",
    "casual": "casual",
    "bedtime": "bedtime",
}
"""The tag in Homeward's log for each meal that a meter notes with a reading."""

TOLERANCE_SECONDS = 90
"""By which a reading's time may differ from the meter's: people set meters by the minute."""

_PAIR = 'exec 2>&1; /usr/bin/homeward bluetooth pair "$@"; echo "ended with $?"'

Reading = dict[str, Any]


def wrong_with(stored: Iterable[Reading], kept: Iterable[Reading]) -> str:
    """What Homeward's log has otherwise than the meter, in words; nothing when each reading is there once, as measured.

    `stored` is what a meter tells of itself, `kept` are entries of the log, both oldest first.
    """
    stored, kept = list(stored), list(kept)
    if len({reading["id"] for reading in kept}) != len(kept):
        return f"readings stand in the log under one name twice: {_listed(kept)}"
    if len(stored) != len(kept):
        return f"{len(stored)} were measured, {_measured(stored)}, and the log has {len(kept)}: {_listed(kept)}"
    for measured, entry in zip(stored, kept, strict=True):
        if entry["source"] != "meter":
            return f"a reading should come from the meter: {entry}"
        if _whole_mg_dl(entry) != measured["mg_dl"] or entry.get("tag") != MEAL_TAGS[measured["meal"]]:
            return f"the log has {_listed([entry])} for {_measured([measured])}"
        shown = datetime.fromisoformat(measured["time"]).replace(tzinfo=UTC).timestamp()
        if "meter-clock" not in entry["timeDoubts"] and abs(seconds_of(entry["time"]) - shown) > TOLERANCE_SECONDS:
            return f"the log has {entry['time']} as the time of {_measured([measured])}"
    return ""


def _whole_mg_dl(entry: Reading) -> int:
    level = float(entry["level"])
    return round(level * MG_DL_PER_MMOL_L if entry["unit"] == "mmol/L" else level)


def _measured(stored: list[Reading]) -> str:
    return ", ".join(f"{one['mg_dl']} mg/dL {one['meal'] or ''}".strip() + f" at {one['time']}" for one in stored)


def _listed(kept: list[Reading]) -> str:
    found = (f"{one['level']} {one['unit']} {one.get('tag') or ''}".strip() + f" at {one['time']}" for one in kept)
    return ", ".join(found) or "nothing"


def homeward_bluetooth(context: Any) -> "HomewardBluetooth":
    """Homeward's Bluetooth in a story."""
    if getattr(context, "homeward_bluetooth", None) is None:
        context.homeward_bluetooth = HomewardBluetooth(context.stage.hub)
    return context.homeward_bluetooth


class HomewardBluetooth:
    """Homeward's own Bluetooth on a hub."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.owners: dict[str, str] = {}
        """Whose meter each is, by the meter's address."""
        self._pairing = BackgroundProgram(hub.machine, "homeward-pair")

    def status(self) -> dict[str, Any]:
        return self.hub.homeward("bluetooth", "status")

    @property
    def state(self) -> str:
        """The state of the part `bluetooth`; "absent" when Homeward knows of none."""
        return (self.hub.component("bluetooth") or {"state": "absent"})["state"]

    def is_listening(self) -> bool:
        """Whether it works, with an adapter that listens."""
        if self.state != "working":
            return False
        return any(adapter["condition"] == "listening" for adapter in self.status()["adapters"])

    # Tags

    def add_tag(self, name: str, resident: str, kind: str, identity: str, away_seconds: int | None) -> None:
        away = () if away_seconds is None else ("--away", str(away_seconds))
        answer = self.hub.homeward(
            *("tags", "add", "--resident", resident, "--name", name, "--kind", kind, "--identity", identity, *away)
        )
        if not (answer or {}).get("id"):
            raise CheckFailed(f"the hub does not name the tag in its answer: {answer}")

    def tag(self, name: str) -> dict[str, Any]:
        """What Homeward says of a tag; CheckFailed when it knows none of that name."""
        tags = self.hub.homeward("tags")
        found = next((tag for tag in tags if tag["tagName"] == name), None)
        if found is None:
            raise CheckFailed(f"the hub knows no tag {name}; it knows {[tag['tagName'] for tag in tags] or 'none'}")
        return found

    # Meters

    def meter(self, address: str) -> dict[str, Any] | None:
        """What Homeward says of a meter; None when it knows none at that address."""
        return next((meter for meter in self.status()["meters"] if is_at(meter, address)), None)

    def readings(self, address: str) -> list[Reading]:
        """What the log has of the resident whose meter this is, oldest first."""
        found = self.hub.homeward("glucose", "list", "--resident", self.owners[address], "--limit", "500")
        # The newest come first; those of one time stay in their order.
        found.reverse()
        return sorted(found, key=lambda reading: seconds_of(reading["time"]))

    def reported(self) -> list[str]:
        """Names of the readings that events told of as new."""
        entries = self.hub.homeward("events", "--type", "glucose.recorded", "--limit", "500")
        return [entry["data"]["reading"] for entry in entries]

    def find_meter(self, address: str, seconds: float) -> None:
        """Waits until a scan shows a device as a meter."""
        found: list[dict[str, Any]] = []

        def seen() -> bool:
            found[:] = self.hub.homeward("bluetooth", "scan", "--seconds", "10", timeout=120)
            return any(is_at(device, address) and device["isMeter"] for device in found)

        try:
            eventually("a meter in a scan", seconds, seen)
        except CheckFailed as failure:
            raise CheckFailed(f"{failure}; the last scan found {found or 'nothing'}") from None

    def pair(self, name: str, address: str, resident: str, display: Callable[[], str], seconds: float) -> None:
        """Makes a meter a resident's by the code that it shows; CheckFailed with Homeward's words when that fails."""
        self.owners[address] = resident
        command = ("/bin/sh", "-c", _PAIR, "sh", address, "--resident", resident, "--name", name)
        self._pairing.start(*command)

        def asked() -> str:
            if self._pairing_end() is not None:
                raise CheckFailed(f"pairing ended before Homeward asked for a code: {self._pairing.text()}")
            questions = [question for question in self.status()["questions"] if is_at(question, address)]
            if others := [question for question in questions if question["kind"] != "passkey"]:
                raise CheckFailed(f"the meter shows a code, and Homeward asks for something else: {others}")
            return display() if questions else ""

        code = eventually("a code on the meter's display and Homeward's question for it", seconds, asked)
        self.hub.machine.run("/usr/bin/homeward", "bluetooth", "answer", address, code)
        end = eventually("the end of the pairing", seconds, self._pairing_end)
        if end != "0":
            raise CheckFailed(f"pairing failed: {self._pairing.text()}")

    def _pairing_end(self) -> str | None:
        """Exit code of the command that pairs; None while it runs."""
        last = self._pairing.text().splitlines()[-1:]
        return last[0].removeprefix("ended with ") if last and last[0].startswith("ended with ") else None


def is_at(entry: dict[str, Any], address: str) -> bool:
    """Whether an entry is about the device at an address; Homeward may say that the address is a random one."""
    return entry["address"].split("/")[0].upper() == address.upper()
