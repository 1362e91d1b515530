"""Real hardware as the hub of a scenario."""

import io
import re
import shutil
import tarfile
import tempfile
import time
from pathlib import Path
from typing import NoReturn

from .. import paths
from ..guest_agent import Completed, GuestError
from ..machine import Lacking
from ..monitor import Monitor
from ..peer import Peer
from ..virtual_machine import BROKER_ADDRESS, WEB_ADDRESS, Options
from .cable import CabledPeer, SerialCable
from .recorder import Recorder
from .secure_shell import SecureShell
from .settings import Settings
from .switch import Switch, SwitchError, switch

MARK = "/etc/homeward/test-hub"
"""A file on the hub by which its owner says that Homeward's data there may be erased."""

# Each scenario finds a Homeward that has just been installed, as in a virtual machine with a fresh disk, and nothing
# that the one before left running.
FRESH = """
systemctl stop homeward 'rig-*.service'
rm -rf /run/rig-*
find /var/lib/homeward -mindepth 1 -delete
rm -f /etc/homeward/emergency/* /run/homeward/emergency-card.json
systemctl reset-failed homeward
systemctl start homeward
"""

PROGRAMS = "/usr/lib/homeward-rig/"

SIMULATED = ("board", "button", "devices", "watch-lamp")
"""Programs that play hardware inside of a virtual machine; a real hub has its own."""

EMULATED = {
    rf"^{PROGRAMS}({'|'.join(SIMULATED)})$": "simulated GPIO board",
    # The name of the simulated chip, and of its lines.
    r"^(rig|SOS|LAMP)$": "simulated GPIO board",
    r"CARD=Microphone|\bsnd-aloop\b": "microphone that a test can feed",
    r"\bvivid\b|^--device=/dev/video": "camera that sees what a test wants",
}
"""What a program on the hub is told when it is to use what only a virtual machine has, and the name of that."""

SERVICES = ("broker", "web-server")
"""Peers that are no devices: they run on the tester's computer, and the hub reaches them through its network."""


class Bench:
    """A hub on the tester's bench, and what the tester has wired to it; see `SwitchableMachine`."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.sockets = Path(tempfile.mkdtemp(prefix="homeward-rig."))
        self.boots = 0
        self._settings = settings
        self._shell = SecureShell(settings.destination, settings.options, self.sockets)
        self._cables = {name: SerialCable(name, cable, self.sockets, folder) for name, cable in settings.cables.items()}
        self._buttons = {name: switch(button.switch) for name, button in settings.buttons.items()}
        self._power = switch(settings.power.switch) if settings.power else None
        self._recorder: Recorder | None = None
        self._is_on = False

    # Power

    @property
    def is_on(self) -> bool:
        return self._is_on

    def switch_on(self, options: Options | None = None, timeout: float = 180) -> float:
        """Gives the hub power and waits until programs can run on it; the first time, Homeward there begins anew.

        A hub without a power relay is on already. Gives the seconds that it took.
        """
        assert not self._is_on, "the hub is on already"
        options = options or Options()
        if options.clock != "utc":
            raise Lacking("hardware clock that a test can set")
        if options.files:
            # The rig's own would name its own ports and pins.
            raise Lacking("Homeward whose devices a test may name")
        began = time.monotonic()
        if self.boots == 0:
            # A test that was ended by force may have left something driven.
            self._rest()
        elif self._power is not None:
            self._power.release()
        self._shell.connect(timeout)
        self._check_mark()
        self.boots += 1
        for (address, port), here in ((BROKER_ADDRESS, options.broker_port), (WEB_ADDRESS, options.web_port)):
            if here is not None:
                self._forward(address, port, here)
        if self.boots == 1:
            self._begin_anew()
        if self._settings.speaker is not None:
            self._recorder = Recorder(self._settings.speaker.capture, self._recording_file)
        for cable in self._cables.values():
            cable.connect()
        self._is_on = True
        return time.monotonic() - began

    def _forward(self, address: str, port: int, here: int) -> None:
        if not self._settings.forwards:
            raise Lacking("way from the hub to this computer's servers")
        self._shell.run("ip", "address", "replace", f"{address}/32", "dev", "lo")
        self._shell.forward(address, port, here)

    def _check_mark(self) -> None:
        if self._shell.run("test", "-e", MARK, check=False).status != 0:
            raise GuestError(
                f"Homeward's data on {self._settings.destination} would be erased by this test. If nobody depends on "
                f'it, say so by "touch {MARK}" there.'
            )

    def _begin_anew(self) -> None:
        self._shell.run("tar", "--extract", "--directory=/", data=guest_files())
        self._shell.run("sh", "-ec", FRESH, timeout=120)

    def cut_power(self) -> None:
        if self._settings.power is None or self._power is None:
            raise Lacking("power relay")
        # The relay first: a connection that ends would warn the hub.
        self._power.drive()
        self._let_go()
        time.sleep(self._settings.power.off_seconds)

    def shut_down(self, timeout: float = 60) -> None:
        if self._power is None:
            raise Lacking("power relay")
        self._shell.run("systemctl", "poweroff", "--no-block", check=False)
        end = time.monotonic() + timeout
        while self._shell.is_connected:
            if time.monotonic() > end:
                raise GuestError(f"the hub did not switch itself off within {timeout:g} s")
            time.sleep(0.5)
        # The network goes before the disk is written.
        time.sleep(10)
        self.cut_power()

    def _let_go(self) -> None:
        """Ends all that hangs on a hub that is on."""
        for cable in self._cables.values():
            cable.disconnect()
        if self._recorder is not None:
            self._recorder.end()
            self._recorder = None
        self._shell.disconnect()
        self._is_on = False

    def _rest(self) -> None:
        """Gives the hub power, presses nothing, and has every cable plugged in; SwitchError when a contact fails."""
        contacts: list[Switch] = [*self._buttons.values(), *([self._power] if self._power else [])]
        failures = []
        for move in (*(contact.release for contact in contacts), *(cable.plug_in for cable in self._cables.values())):
            try:
                move()
            except SwitchError as failure:
                # The others still come to rest.
                failures.append(str(failure))
        if failures:
            raise SwitchError("\n".join(failures))

    def dispose(self) -> None:
        """Lets go of the hub and puts every contact to rest, so that it has power, and nothing is pressed."""
        self._let_go()
        shutil.rmtree(self.sockets, ignore_errors=True)
        self._rest()

    # Inside

    def run(self, *arguments: str, data: bytes = b"", timeout: float = 60, check: bool = True) -> Completed:
        """Runs a program on the hub; see `SecureShell.run`. `Lacking` when it would use what only an emulator has."""
        for argument in arguments:
            for pattern, device in EMULATED.items():
                if re.search(pattern, argument):
                    raise Lacking(device)
        return self._shell.run(*arguments, data=data, timeout=timeout, check=check)

    # Around it

    def start_peer(self, name: str, *arguments: str) -> Peer:
        if cable := self._cables.get(name):
            return CabledPeer(cable, self.folder, self.sockets, *arguments)
        if name in SERVICES:
            if not self._settings.forwards:
                raise Lacking("way from the hub to this computer's servers")
            return Peer(name, self.folder, self.sockets, *arguments)
        raise Lacking(LACKING.get(name, f"scripted {name}"))

    def contact(self, name: str) -> Switch:
        """What presses the button of that name ("button", "big-button")."""
        if name not in self._buttons:
            raise Lacking(f"relay that presses the {name.replace('-', ' ')}")
        return self._buttons[name]

    def button_on_hub(self, name: str) -> tuple[str, ...]:
        """Where the hub's kernel has the button of that name; see `ButtonSettings`."""
        self.contact(name)
        return self._settings.buttons[name].on_hub

    @property
    def speaker(self) -> str:
        """The hub's speaker as an ALSA device there."""
        if self._settings.speaker is None:
            raise Lacking("sound input that hears the speaker")
        return self._settings.speaker.on_hub

    @property
    def _recording_file(self) -> Path:
        return self.folder / f"speaker-{self.boots}.wav"

    @property
    def recording(self) -> Path:
        if self._settings.speaker is None:
            raise Lacking("sound input that hears the speaker")
        return self._recording_file

    # What only an emulator has

    @property
    def monitor(self) -> Monitor:
        _only_virtual("emulator that pulls plugs and types")

    @property
    def disk(self) -> NoReturn:
        _only_virtual("disk whose writes are recorded")

    @property
    def recorded(self) -> NoReturn:
        _only_virtual("disk whose writes are recorded")

    @property
    def acknowledged(self) -> NoReturn:
        _only_virtual("line that outlives a power cut")

    def kill_disk(self) -> NoReturn:
        _only_virtual("disk that dies as it is told")

    def insert_disk(self, base: Path) -> NoReturn:
        _only_virtual("disk whose writes are recorded")


LACKING = {
    "receiver": "cable to the receiver input",
    "modem": "cable to the modem input",
    "radio": "scripted radio",
}


def _only_virtual(what: str) -> NoReturn:
    raise Lacking(what)


def guest_files() -> bytes:
    """A tar archive, from the root folder on, of what the rig puts on a hub: its programs and its configuration."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for file in sorted((paths.RIG / "guest").iterdir()):
            if file.name in SIMULATED:
                continue
            if file.suffix == ".yaml":
                target, mode = f"etc/homeward/{file.name}", 0o644
            else:
                target, mode = f"{PROGRAMS[1:]}{file.name}", 0o755
            entry = tarfile.TarInfo(target)
            entry.size, entry.mode = file.stat().st_size, mode
            with open(file, "rb") as content:
                tar.addfile(entry, content)
    return archive.getvalue()
