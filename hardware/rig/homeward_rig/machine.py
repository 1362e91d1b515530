"""What a scenario asks of a hub, be it a virtual machine or real hardware on a bench."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from . import hub
from .monitor import Monitor

if TYPE_CHECKING:
    from .peer import Peer
    from .virtual_machine import Options


class Lacking(Exception):
    """The hub has no such device: the scenario is skipped, which is neither passed nor failed."""

    def __init__(self, device: str, place: str = "on this bench") -> None:
        """`device` as the table of results shall name it: "power relay" becomes "no power relay on this bench"."""
        super().__init__(f"no {device} {place}")
        self.device = device


class SwitchableMachine(hub.Machine, Protocol):
    """A hub that can be switched on and cut off, with a run folder, and peers on its cables.

    `VirtualMachine` has everything. `Bench` raises `Lacking` for what its tester has not wired.
    """

    folder: Path
    """Where logs and recordings of this scenario go."""
    sockets: Path
    """Where control channels and cables lie; a short path."""
    boots: int
    """How often the hub was switched on."""

    def switch_on(self, options: "Options | None" = None, timeout: float = 180) -> float:
        """Gives power and waits until programs can run; gives the seconds that took."""
        ...

    def cut_power(self) -> None:
        """Takes the power away at once."""
        ...

    def shut_down(self, timeout: float = 60) -> None:
        """Lets the hub end its programs and write its disk, and then takes the power away."""
        ...

    def kill_disk(self) -> None:
        """From now on the disk with Homeward's data fails whatever is asked of it."""
        ...

    def dispose(self) -> None:
        """Gives back everything that the scenario held."""
        ...

    def start_peer(self, name: str, *arguments: str) -> "Peer":
        """Starts the peer of that name, on its cable if it has one; see `Peer`."""
        ...

    @property
    def is_on(self) -> bool: ...

    @property
    def recording(self) -> Path:
        """What the speaker has played since the hub was switched on: a WAV file, 48 kHz, 16 bit, stereo, growing."""
        ...

    @property
    def monitor(self) -> Monitor:
        """The emulator's monitor."""
        ...
