"""The hub's devices as things with a plug: in, out, and whether the hub's system has them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .hub import Machine
from .virtual_machine import BIG_BUTTON, SPEAKER, VirtualMachine

PROGRAMS = "/usr/lib/homeward-rig"
"""Where the rig's programs are in the machine."""


class Device(Protocol):
    """Something that can be plugged in."""

    def plug_in(self) -> None:
        """Connects it with the hub."""

    def unplug(self) -> None:
        """Disconnects it; GuestError when its driver cannot let go of it while a program uses it."""

    def is_found(self) -> bool:
        """Whether the hub's system has it."""


@dataclass(frozen=True)
class UsbDevice:
    """A device on the emulator's USB, which a program may be using when it is pulled."""

    machine: VirtualMachine
    properties: dict[str, str | int]
    node: str
    """File or folder that is there while the device is."""

    def plug_in(self) -> None:
        self.machine.monitor.ask("device_add", **self.properties)

    def unplug(self) -> None:
        self.machine.monitor.ask_and_await("device_del", "DEVICE_DELETED", id=self.properties["id"])

    def is_found(self) -> bool:
        return exists(self.machine, self.node)


@dataclass(frozen=True)
class DriverDevice:
    """A device that is nothing but a driver of Linux: there while that is loaded."""

    machine: Machine
    module: str
    node: str

    def plug_in(self) -> None:
        self.machine.run("/sbin/modprobe", self.module)

    def unplug(self) -> None:
        self.machine.run("/sbin/modprobe", "--remove", self.module)

    def is_found(self) -> bool:
        return exists(self.machine, self.node)


@dataclass(frozen=True)
class Board:
    """The GPIO board with the wired button and the lamp."""

    machine: Machine

    def plug_in(self) -> None:
        self.machine.run(f"{PROGRAMS}/board", "in")

    def unplug(self) -> None:
        self.machine.run(f"{PROGRAMS}/board", "out")

    def is_found(self) -> bool:
        return self.machine.run("/usr/bin/gpiofind", "SOS", check=False).status == 0


def exists(machine: Machine, path: str) -> bool:
    """Whether a file or folder is there."""
    return machine.run("/usr/bin/test", "-e", path, check=False).status == 0


def devices(machine: VirtualMachine) -> dict[str, Device]:
    """All devices that scenarios speak of by name; microphone and camera are not there before they are plugged in."""
    keyboard = "/dev/input/by-id/usb-QEMU_QEMU_USB_Keyboard_BIG-BUTTON-event-kbd"
    return {
        "speaker": UsbDevice(machine, SPEAKER, "/proc/asound/Audio"),
        "microphone": DriverDevice(machine, "snd-aloop", "/proc/asound/Microphone"),
        "camera": DriverDevice(machine, "vivid", "/dev/video0"),
        "big button": UsbDevice(machine, BIG_BUTTON, keyboard),
        "button board": Board(machine),
    }


class Lamp:
    """The lamp on line LAMP of the board."""

    LEVEL = Path("/run/rig-gpio/sim_gpio1/value")
    UNIT = "rig-lamp"

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def is_lit(self) -> bool:
        """Whether there is a voltage on the line, whoever set it."""
        return self._machine.run("/bin/cat", str(self.LEVEL)).output.strip() == "1"

    def switch(self, on: bool) -> None:
        """Has a program on the hub drive the line until it is switched again; the line is free when it is off."""
        self._machine.run("/bin/systemctl", "stop", self.UNIT, check=False)
        if on:
            self._machine.run(
                "/usr/bin/systemd-run",
                "--quiet",
                "--collect",
                f"--unit={self.UNIT}",
                "/usr/bin/gpioset",
                "--mode=signal",
                "rig",
                "1=1",
            )
