"""What the tester's computer moves on the hub: contacts that it drives, and that are at rest otherwise."""

import re
import subprocess
import time
from typing import Protocol

from .settings import CommandSettings, LineSettings, SwitchSettings


class SwitchError(Exception):
    """A contact could not be moved."""


class Switch(Protocol):
    """A contact."""

    def drive(self) -> None:
        """Moves the contact out of rest; nothing when it is so already."""
        ...

    def release(self) -> None:
        """Lets the contact go back to rest."""
        ...


def switch(settings: SwitchSettings) -> Switch:
    """The contact of these settings, at rest until it is driven."""
    return LineSwitch(settings) if isinstance(settings, LineSettings) else CommandSwitch(settings)


class CommandSwitch:
    """A contact that two commands move."""

    def __init__(self, settings: CommandSettings) -> None:
        self._settings = settings

    def drive(self) -> None:
        _run(self._settings.drive)

    def release(self) -> None:
        _run(self._settings.release)


class LineSwitch:
    """A contact at a GPIO line of this computer, driven through gpioset(1).

    gpioset holds the line while it runs and gives it back when it ends. At rest nothing holds the line: the resistor of
    the relay board keeps the relay open, also while this computer starts.
    """

    def __init__(self, settings: LineSettings) -> None:
        self._settings = settings
        self._holder: subprocess.Popen[bytes] | None = None

    def drive(self) -> None:
        if self._holder is not None and self._holder.poll() is None:
            return
        command = gpioset(self._settings)
        if is_held(self._settings):
            raise SwitchError(f"{' '.join(command)}: another program holds the line")
        self._holder = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        end = time.monotonic() + 10
        while self._holder.poll() is None and not is_held(self._settings):
            if time.monotonic() > end:
                self.release()
                raise SwitchError(f"{' '.join(command)}: the line is not held after 10 s")
            time.sleep(0.01)
        if self._holder.poll() is not None:
            words = self._holder.communicate()[1].decode(errors="replace").strip()
            self._holder = None
            raise SwitchError(f"{' '.join(command)}: {words}")

    def release(self) -> None:
        if self._holder is None:
            return
        self._holder.terminate()
        try:
            self._holder.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self._holder.kill()
            self._holder.communicate()
        self._holder = None


def gpioset(settings: LineSettings) -> list[str]:
    """The command that holds a line active until it is ended, for the installed version of libgpiod's tools."""
    active_low = ["--active-low"] if settings.active_low else []
    # Version 1 sets and ends unless told to wait for a signal; version 2 waits, and names the chip by an option.
    if _is_version_1():
        return ["gpioset", "--mode=signal", *active_low, settings.chip, f"{settings.line}=1"]
    return ["gpioset", *active_low, f"--chip={settings.chip}", f"{settings.line}=1"]


def is_held(settings: LineSettings) -> bool:
    """Whether some program holds the line; SwitchError when there is no such chip."""
    if _is_version_1():
        return re.search(rf"line +{settings.line}:.*\[.*used.*\]", _run(("gpioinfo", settings.chip))) is not None
    return "consumer=" in _run(("gpioinfo", f"--chip={settings.chip}", str(settings.line)))


def _is_version_1() -> bool:
    try:
        return " v1." in subprocess.run(["gpioset", "--version"], capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise SwitchError("gpioset is not installed: please install the package gpiod") from None


def _run(command: tuple[str, ...]) -> str:
    words = " ".join(command)
    try:
        finished = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=30
        )
    except subprocess.TimeoutExpired:
        raise SwitchError(f"{words}: still running after 30 s") from None
    except OSError as error:
        raise SwitchError(f"{words}: {error.strerror}") from None
    if finished.returncode != 0:
        raise SwitchError(f"{words}: exit code {finished.returncode}\n{finished.stderr}".rstrip())
    return finished.stdout
