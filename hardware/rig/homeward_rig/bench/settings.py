"""Reads the file that names a bench's ports and pins; hardware/rig/bench.example.toml explains each key."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class SettingsError(Exception):
    """The file cannot be used; says all that is wrong, a line each."""


@dataclass(frozen=True)
class LineSettings:
    """A GPIO line of the tester's computer."""

    chip: str
    line: int
    active_low: bool = False


@dataclass(frozen=True)
class CommandSettings:
    """A pair of commands, for relays on USB, switched sockets and hubs that switch their ports."""

    drive: tuple[str, ...]
    release: tuple[str, ...]


SwitchSettings = LineSettings | CommandSettings


@dataclass(frozen=True)
class CableSettings:
    """A serial cable that ends at a serial input of the hub."""

    port: Path
    """A tty of the tester's computer, or a Unix socket."""
    speed: int = 9600
    """Bits a second; without meaning for a socket."""
    unplug: SwitchSettings | None = None


@dataclass(frozen=True)
class ButtonSettings:
    """A button of the hub, which the tester's computer presses."""

    switch: SwitchSettings
    on_hub: tuple[str, ...]
    """Where the hub's kernel has it: chip and line of a button on a wire, the input device's file of one on USB."""


@dataclass(frozen=True)
class PowerSettings:
    switch: SwitchSettings
    off_seconds: float = 5
    """How long power stays away: longer than what is stored in the hub's capacitors lasts."""


@dataclass(frozen=True)
class SpeakerSettings:
    capture: str
    """The ALSA device of the tester's computer that hears it."""
    on_hub: str
    """The ALSA device of the hub that plays on it."""


@dataclass(frozen=True)
class Settings:
    """What is on a bench; what is None is not there."""

    destination: str
    """The hub as ssh(1) is told of it."""
    options: tuple[str, ...] = ()
    """More options for ssh(1)."""
    cables: dict[str, CableSettings] = field(default_factory=dict)
    """By the name of the peer that sits at this end: receiver, modem."""
    buttons: dict[str, ButtonSettings] = field(default_factory=dict)
    """By name: button (GPIO), big-button (USB)."""
    power: PowerSettings | None = None
    speaker: SpeakerSettings | None = None
    forwards: bool = False
    """Whether the hub's way to broker and web server leads through ssh."""


CABLES = ("receiver", "modem")
BUTTONS = {"button": 2, "big-button": 1}
"""Name of each button, and how many words say where the hub has it."""


def read(path: Path) -> Settings:
    """Reads a bench's file; SettingsError when it cannot be read or has mistakes."""
    try:
        document = tomllib.loads(path.read_text())
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}.") from None
    reader = _Reader()
    settings = reader.settings(document)
    if reader.mistakes or settings is None:
        raise SettingsError("\n".join(f"{path}: {mistake}" for mistake in reader.mistakes))
    return settings


class _Reader:
    """Collects mistakes instead of stopping at the first."""

    def __init__(self) -> None:
        self.mistakes: list[str] = []

    def settings(self, document: dict[str, Any]) -> Settings | None:
        self._only(document, "", ("hub", "power", "speaker", "network", *CABLES, *BUTTONS))
        tables = {}
        for name, table in document.items():
            if isinstance(table, dict):
                tables[name] = table
            else:
                self._wrong(name, "a table, such as [hub]")
        hub = tables.get("hub", {})
        self._only(hub, "hub", ("ssh", "options"))
        destination = self._text(hub, "hub", "ssh")
        # A word that begins with a dash would be an option for ssh and no destination.
        if destination and destination.startswith("-"):
            self._wrong("hub.ssh", "a destination, such as root@hub.local")
        options = self._words(hub, "hub", "options") if "options" in hub else ()
        cables = {name: cable for name in CABLES if name in tables and (cable := self._cable(tables[name], name))}
        buttons = {name: button for name in BUTTONS if name in tables and (button := self._button(tables[name], name))}
        power = self._power(tables["power"]) if "power" in tables else None
        speaker = self._speaker(tables["speaker"]) if "speaker" in tables else None
        network = tables.get("network", {})
        self._only(network, "network", ("forward",))
        forwards = network.get("forward", False)
        if not isinstance(forwards, bool):
            self._wrong("network.forward", "true or false")
        if not destination:
            return None
        return Settings(destination, options, cables, buttons, power, speaker, forwards is True)

    def _cable(self, table: dict[str, Any], name: str) -> CableSettings | None:
        self._only(table, name, ("port", "speed", "unplug"))
        port = self._text(table, name, "port")
        speed = table.get("speed", 9600)
        if not _is_number(speed, whole=True) or speed <= 0:
            self._wrong(f"{name}.speed", "bits a second, such as 9600")
        unplug = self._switch(table["unplug"], f"{name}.unplug") if "unplug" in table else None
        return CableSettings(Path(port), speed, unplug) if port else None

    def _button(self, table: dict[str, Any], name: str) -> ButtonSettings | None:
        on_hub = tuple(self._text(table, name, "on-hub").split())
        words = BUTTONS[name]
        if len(on_hub) not in (0, words):
            self._wrong(f"{name}.on-hub", 'chip and line, such as "gpiochip0 17"' if words == 2 else "one file's name")
        switch = self._switch({key: item for key, item in table.items() if key != "on-hub"}, name)
        return ButtonSettings(switch, on_hub) if switch else None

    def _power(self, table: dict[str, Any]) -> PowerSettings | None:
        seconds = table.get("off-seconds", 5)
        if not _is_number(seconds) or not 0 <= seconds <= 600:
            self._wrong("power.off-seconds", "seconds from 0 to 600")
        switch = self._switch({key: item for key, item in table.items() if key != "off-seconds"}, "power")
        return PowerSettings(switch, seconds) if switch else None

    def _speaker(self, table: dict[str, Any]) -> SpeakerSettings | None:
        self._only(table, "speaker", ("capture", "on-hub"))
        capture, on_hub = self._text(table, "speaker", "capture"), self._text(table, "speaker", "on-hub")
        return SpeakerSettings(capture, on_hub) if capture and on_hub else None

    def _switch(self, table: Any, name: str) -> SwitchSettings | None:
        if not isinstance(table, dict):
            self._wrong(name, "a table with chip and line, or with drive and release")
            return None
        if "chip" in table or "line" in table:
            self._only(table, name, ("chip", "line", "active-low"))
            chip = self._text(table, name, "chip")
            line, active_low = table.get("line"), table.get("active-low", False)
            if not isinstance(line, int) or isinstance(line, bool) or line < 0:
                self._wrong(f"{name}.line", "the line's number on its chip")
                return None
            if not isinstance(active_low, bool):
                self._wrong(f"{name}.active-low", "true or false")
            return LineSettings(chip, line, active_low) if chip else None
        self._only(table, name, ("drive", "release"))
        drive, release = self._words(table, name, "drive"), self._words(table, name, "release")
        return CommandSettings(drive, release) if drive and release else None

    def _text(self, table: dict[str, Any], name: str, key: str) -> str:
        found = table.get(key)
        if isinstance(found, str) and found:
            return found
        self._wrong(f"{name}.{key}", "a text")
        return ""

    def _words(self, table: dict[str, Any], name: str, key: str) -> tuple[str, ...]:
        found = table.get(key)
        if isinstance(found, list) and found and all(isinstance(word, str) for word in found):
            return tuple(found)
        self._wrong(f"{name}.{key}", 'a list of words, such as ["usbrelay", "RELAY_1=1"]')
        return ()

    def _only(self, table: dict[str, Any], name: str, known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                where = f"{name}.{key}" if name else key
                self.mistakes.append(f"there is no {where}; there are {', '.join(known)}.")

    def _wrong(self, name: str, wanted: str) -> None:
        self.mistakes.append(f"{name} has to be {wanted}.")


def _is_number(found: Any, whole: bool = False) -> bool:
    return isinstance(found, int if whole else (int, float)) and not isinstance(found, bool)
