"""A hub in QEMU: Debian with its stock kernel, emulated devices, and a power switch."""

import contextlib
import errno
import json
import shutil
import struct
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from . import paths
from .guest_agent import Completed, GuestAgent, GuestError
from .json_lines import Disconnected
from .monitor import Monitor
from .peer import Peer

# What the kernel is told. The last three keep an emulated processor from waiting for what it does not have; without
# no_timer_check a busy machine fails the kernel's test of its timer, and the kernel gives up (timer_irq_works in
# io_apic.c).
KERNEL_COMMAND_LINE = (
    "console=ttyS0 quiet loglevel=4 panic=-1 net.ifnames=0 systemd.show_status=0 no_timer_check "
    "nokaslr mitigations=off tsc=reliable random.trust_cpu=on"
)

LOST_TIMER = b"Possible timer handling issue"
"""What the kernel says when a processor no longer gets its timer (kernel/rcu/tree_stall.h)."""

FAST_CLOCK = 1.1
"""Of how many seconds of the machine's in one of the computer's around it at most its clock is right."""

# Addresses that the machine reaches; everything else is cut off.
BROKER_ADDRESS = ("10.0.2.100", 1883)
WEB_ADDRESS = ("10.0.2.101", 8443)

PAGES_PORT = 8474
"""Where the hub has its pages, when it has any."""

DATA_DISK = "data-disk"
"""The device with the data disk, as the monitor knows it."""

DEAD_DISK = {
    "driver": "blkdebug",
    "node-name": "dead",
    "image": "data",
    "inject-error": [{"event": "none", "iotype": kind, "errno": errno.EIO} for kind in ("read", "write", "flush")],
}
"""What stands before the data disk and fails whatever is asked of it."""

# Devices that the monitor can unplug and plug in again.
BIG_BUTTON = {"driver": "usb-kbd", "bus": "usb.0", "id": "big-button", "serial": "BIG-BUTTON"}
SPEAKER = {
    "driver": "usb-audio",
    "bus": "usb.0",
    "id": "speaker",
    "audiodev": "room",
    "serial": "SPEAKER",
    # Bytes, half a second. With the usual six milliseconds, sound is lost when the emulator is kept from work.
    "buffer": 96000,
}


class EmulatorFault(Exception):
    """The emulator crashed, forgot the timer of a processor before any program ran, or gave the machine a wrong clock.

    All are rare, come with load on the computer around it, and say nothing about a hub.
    """


@dataclass
class Options:
    """How a machine differs from the usual."""

    clock: str = "utc"
    """What the hardware clock shows at power on: "utc" for now, or a date such as 1970-01-01T00:00:00."""
    broker_port: int | None = None
    """Port on this machine's loopback that is the broker's address in the virtual one."""
    web_port: int | None = None
    """The same for the HTTPS endpoint."""
    pages_port: int | None = None
    """Port on this machine's loopback from which the hub's pages are reached."""
    serial_on_terminal: bool = False
    """Whether the machine's console is this terminal."""
    files: dict[str, str] = field(default_factory=dict)
    """Files that lie on the hub's memory card at power on, by their paths: text, for everybody to read."""
    map: Path | None = None
    """An imported map, which the hub finds where its imports lie."""
    keeps_emergency_card: bool = False
    """Whether the hub's memory card keeps what Homeward writes beside its configuration, from one boot to the next."""
    data_disk: Literal["well", "read-only", "dead"] = "well"
    """What the data disk does from power on: everything; nothing but read; nothing, with input/output errors."""


@dataclass
class Disk:
    """The data disk: what it held at power on, and the record of every write since."""

    base: Path
    image: Path
    log: Path


class VirtualMachine:
    """One machine with its run folder; it can be switched on, cut off and switched on again.

    Sockets, one for each device on a cable, lie in `sockets`: a peer that connects to receiver.sock is a receiver being
    plugged in. modem.sock is the same; radio.sock is the Bluetooth adapter's UART.
    """

    def __init__(self, folder: Path, machine: Path = paths.MACHINE, layer: Path = paths.LAYER) -> None:
        self.folder = folder
        self._machine = machine
        self._layer = layer
        # Socket paths are limited to 107 bytes, which a folder in somebody's home may exceed.
        self.sockets = Path(tempfile.mkdtemp(prefix="homeward-rig."))
        self.boots = 0
        self.disk: Disk | None = None
        self.recorded: list[Disk] = []
        """The data disk of each boot so far, with the record of its writes; the last may still grow."""
        self.acknowledged = folder / "acknowledged"
        """What programs in the machine wrote to /dev/virtio-ports/rig.acknowledged; outlives a power cut."""
        self._process: subprocess.Popen[bytes] | None = None
        self._agent: GuestAgent | None = None
        self._monitor: Monitor | None = None

    # Power

    def switch_on(self, options: Options | None = None, timeout: float = 180) -> float:
        """Starts the machine and waits until programs can run in it; gives the seconds that took.

        The data disk is as the last power cut left it (`insert_disk`), or fresh.
        """
        assert self._process is None, "the machine is on already"
        options = options or Options()
        if self.disk is None:
            self.insert_disk(self._machine / "data.ext4")
        elif self.disk in self.recorded:
            self.insert_disk(self.disk.image)
        assert self.disk is not None
        self.recorded.append(self.disk)
        if options.keeps_emergency_card and not self._emergency_card.exists():
            _make_emergency_card(self._emergency_card)
        began = time.monotonic()
        self.boots += 1
        said = self._console_size()
        try:
            self._boot(options, timeout, said)
        except EmulatorFault:
            self.cut_power()
            _fill(self.disk)
            try:
                self._boot(options, timeout)
            except EmulatorFault as fault:
                raise GuestError(f"{fault}, twice: let the computer around it have less to do") from None
        return time.monotonic() - began

    def _boot(self, options: Options, timeout: float, said: int | None = None) -> None:
        began = time.monotonic()
        self._start(options)
        self._wait(timeout, said)
        self._check_clock(began)

    def _check_clock(self, began: float) -> None:
        """EmulatorFault when the machine's clock says that it has been on for longer than since then.

        At boot the kernel measures the processor's counter by that of a timer, and an emulator that is kept from work
        meanwhile makes it a slow one ("PIT calibration deviates from HPET", arch/x86/kernel/tsc.c). The machine's time
        has run twenty times too fast so, and whoever waits in it gave up early.
        """
        up = float(self.run("/bin/cat", "/proc/uptime").output.split()[0])
        elapsed = time.monotonic() - began
        if up > FAST_CLOCK * elapsed:
            raise EmulatorFault(f"the machine's clock ran {up:.0f} s in {elapsed:.0f} s")

    def _start(self, options: Options) -> None:
        with open(self.folder / "qemu.log", "ab") as log:
            self._process = subprocess.Popen(
                self._command(options),
                stdin=None if options.serial_on_terminal else subprocess.DEVNULL,
                stdout=None if options.serial_on_terminal else log,
                stderr=log,
            )
        self._monitor = Monitor(self.sockets / "monitor.sock")
        self._agent = GuestAgent(self.sockets / "agent.sock")

    def _wait(self, timeout: float, said: int | None = None) -> None:
        """Waits until programs can run; EmulatorFault when that is why they cannot.

        A lost timer the kernel tells on a console that had said so much before. What has written to its data disk has
        not lost it: the kernel hangs before that. By a signal QEMU ends only when it has crashed.
        """
        assert self._process is not None and self.disk is not None
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            try:
                return self.agent.wait(min(10, left))
            except (GuestError, Disconnected):
                is_new = said is not None and not self.disk.log.stat().st_size
                if self._ended():
                    if is_new and self._process.returncode < 0:
                        raise EmulatorFault from None
                    errors = (self.folder / "qemu.log").read_text(errors="replace")
                    raise GuestError(f"QEMU ended with {self._process.returncode}:\n{errors}") from None
                if is_new and LOST_TIMER in self._console(said or 0):
                    raise EmulatorFault from None
        raise GuestError(f"the machine did not start within {timeout:g} s")

    def _ended(self) -> bool:
        """Whether QEMU has ended; one that lets go of its sockets is about to."""
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        return self._process.returncode is not None

    def _console_size(self) -> int:
        path = self.folder / "console.log"
        return path.stat().st_size if path.exists() else 0

    def _console(self, since: int) -> bytes:
        path = self.folder / "console.log"
        return path.read_bytes()[since:] if path.exists() else b""

    def cut_power(self) -> None:
        """Ends the machine at once: what it had not flushed to its disk is lost or torn, see `disk`."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._process = None
        _complete_header(self.recording)
        for connection in (self._agent, self._monitor):
            if connection is not None:
                connection.close()
        self._agent = self._monitor = None
        for stale in ("monitor.sock", "agent.sock", "receiver.sock", "modem.sock", "radio.sock"):
            (self.sockets / stale).unlink(missing_ok=True)

    def shut_down(self, timeout: float = 60) -> None:
        """Lets the machine end its programs and write its disk, as somebody careful would."""
        assert self._process is not None
        # It may be off before it has told that the program ended.
        with contextlib.suppress(Disconnected):
            self.agent.run("/bin/systemctl", "poweroff", "--no-block", check=False)
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise GuestError(f"the machine did not switch itself off within {timeout:g} s") from None
        finally:
            self.cut_power()

    def wait(self) -> int:
        """Waits until the machine is off, for whatever reason."""
        assert self._process is not None
        return self._process.wait()

    @property
    def is_on(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def dispose(self) -> None:
        """Switches off and takes the sockets away."""
        self.cut_power()
        shutil.rmtree(self.sockets, ignore_errors=True)

    # Disk

    def insert_disk(self, base: Path) -> None:
        """Puts a data disk with the content of `base` into the machine, which is off."""
        number = self.boots + 1
        image = self.folder / f"disk-{number}.img"
        log = self.folder / f"disk-{number}.log"
        self.disk = Disk(base, image, log)
        _fill(self.disk)

    def kill_disk(self) -> None:
        """From now on the data disk reads nothing, writes nothing and flushes nothing: input/output error.

        It is well again after the next power cut.
        """
        self.monitor.ask("blockdev-add", **DEAD_DISK)
        self.monitor.ask("qom-set", path=f"/machine/peripheral/{DATA_DISK}", property="drive", value="dead")

    # Inside

    @property
    def agent(self) -> GuestAgent:
        assert self._agent is not None, "the machine is off"
        return self._agent

    @property
    def monitor(self) -> Monitor:
        assert self._monitor is not None, "the machine is off"
        return self._monitor

    def run(self, *arguments: str, data: bytes = b"", timeout: float = 60, check: bool = True) -> Completed:
        """Runs a program in the machine; see `GuestAgent.run`."""
        return self.agent.run(*arguments, data=data, timeout=timeout, check=check)

    # Around it

    def start_peer(self, name: str, *arguments: str) -> Peer:
        """Starts the peer of that name, on its cable if it has one."""
        return Peer(name, self.folder, self.sockets, *arguments)

    @property
    def recording(self) -> Path:
        """What the speaker has played since the machine was switched on; its header is right once it is off."""
        return self.folder / f"speaker-{self.boots}.wav"

    # The emulator

    def _command(self, options: Options) -> list[str]:
        assert self.disk is not None
        machine, sockets, folder = self._machine, self.sockets, self.folder

        def socket(name: str) -> str:
            return f"socket,id={name},path={sockets}/{name}.sock,server=on,wait=off"

        forwards = "".join(
            f",guestfwd=tcp:{address}:{port}-cmd:busybox nc 127.0.0.1 {here}"
            for (address, port), here in ((BROKER_ADDRESS, options.broker_port), (WEB_ADDRESS, options.web_port))
            if here is not None
        )
        if options.pages_port is not None:
            forwards += f",hostfwd=tcp:127.0.0.1:{options.pages_port}-:{PAGES_PORT}"
        console = (
            "stdio,id=console,signal=off"
            if options.serial_on_terminal
            else (f"file,id=console,path={folder}/console.log,append=on")
        )
        # The machine finds them below /sys/firmware/qemu_fw_cfg, and puts them into their places: guest/devices.
        card = []
        for number, (path, text) in enumerate(options.files.items()):
            (folder / f"file-{number}").write_text(text)
            card += ["-fw_cfg", f"name=opt/rig{path},file={folder}/file-{number}"]
        return [
            "qemu-system-x86_64",
            *("-machine", "q35,sata=off,i8042=off,smbus=off", "-accel", "tcg,thread=multi", "-cpu", "max"),
            *("-smp", "2", "-m", "512", "-nodefaults", "-no-reboot", "-display", "none"),
            *("-kernel", f"{machine}/vmlinux", "-initrd", f"{machine}/initrd.img", "-append", KERNEL_COMMAND_LINE),
            *card,
            *("-rtc", f"base={options.clock},clock=vm"),
            *("-chardev", console, "-serial", "chardev:console"),
            *("-qmp", f"unix:{sockets}/monitor.sock,server=on,wait=off"),
            # /dev/vda, vdb and vdc, in this order.
            *("-blockdev", f"driver=file,node-name=machine,filename={machine}/machine.ext4,read-only=on"),
            *("-device", "virtio-blk-pci,drive=machine"),
            *("-blockdev", f"driver=file,node-name=layer,filename={self._layer},read-only=on"),
            *("-device", "virtio-blk-pci,drive=layer"),
            # Every write and flush of the data disk is recorded, so that any power cut can be made up from the record.
            *self._data_disk(options),
            *self._memory_card(options),
            *self._map(options),
            *("-device", "virtio-rng-pci"),
            # Serial lines of the emulator itself: the guest agent, acknowledgements, the Bluetooth adapter's UART.
            *("-device", "virtio-serial-pci"),
            *("-chardev", socket("agent"), "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"),
            *("-chardev", f"file,id=acknowledged,path={self.acknowledged},append=on"),
            *("-device", "virtserialport,chardev=acknowledged,name=rig.acknowledged"),
            *("-chardev", socket("radio"), "-device", "virtconsole,chardev=radio"),
            # USB: receiver and modem appear when their peer connects; the keyboard is the big button; the speaker.
            *("-device", "qemu-xhci,id=usb,p2=8"),
            *("-chardev", socket("receiver"), "-device", "usb-serial,bus=usb.0,chardev=receiver,serial=RECEIVER"),
            *("-chardev", socket("modem"), "-device", "usb-serial,bus=usb.0,chardev=modem,serial=MODEM"),
            *("-device", json.dumps(BIG_BUTTON)),
            *("-audiodev", f"wav,id=room,path={folder}/speaker-{self.boots}.wav,out.frequency=48000"),
            *("-device", json.dumps(SPEAKER)),
            # Nobody plays on it: it lets the recording go on while the speaker is closed, see sound.py.
            *("-device", "adlib,audiodev=room"),
            *("-netdev", f"user,id=network,restrict=on{forwards}", "-device", "virtio-net-pci,netdev=network,id=cable"),
        ]

    def _data_disk(self, options: Options) -> list[str]:
        assert self.disk is not None
        if options.data_disk == "read-only":
            # Nothing is written, so that there is nothing to record.
            return [
                *("-blockdev", f"driver=file,node-name=data,filename={self.disk.image},read-only=on"),
                *("-device", f"virtio-blk-pci,id={DATA_DISK},drive=data"),
            ]
        drive = "dead" if options.data_disk == "dead" else "data"
        return [
            *("-blockdev", f"driver=file,node-name=image,filename={self.disk.image},cache.no-flush=on"),
            *("-blockdev", f"driver=file,node-name=record,filename={self.disk.log},cache.no-flush=on"),
            *("-blockdev", "driver=blklogwrites,node-name=data,file=image,log=record"),
            *(("-blockdev", json.dumps(DEAD_DISK)) if drive == "dead" else ()),
            # Without requests to clear or discard: the driver gives those places in the record that it may give twice.
            *("-device", f"virtio-blk-pci,id={DATA_DISK},drive={drive},write-cache=on,discard=off,write-zeroes=off"),
        ]

    @property
    def _emergency_card(self) -> Path:
        return self.folder / "emergency-card.img"

    def _memory_card(self, options: Options) -> list[str]:
        if not options.keeps_emergency_card:
            return []
        # Found by its serial number, and mounted, by guest/devices.
        return [
            *("-blockdev", f"driver=file,node-name=card,filename={self._emergency_card},cache.no-flush=on"),
            *("-device", "virtio-blk-pci,drive=card,serial=card"),
        ]

    def _map(self, options: Options) -> list[str]:
        if options.map is None:
            return []
        return [
            *("-blockdev", f"driver=file,node-name=map,filename={options.map},read-only=on"),
            *("-device", "virtio-blk-pci,drive=map,serial=map"),
        ]


def _make_emergency_card(image: Path) -> None:
    subprocess.run(["truncate", "--size=8M", image], check=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", image], check=True)


def _fill(disk: Disk) -> None:
    """Makes the disk what it is at power on."""
    subprocess.run(["cp", "--sparse=always", disk.base, disk.image], check=True)
    disk.log.write_bytes(b"")


def _complete_header(recording: Path) -> None:
    """Writes the lengths into the header of a WAV file (RIFF): QEMU does that at an end that a power cut denies it."""
    if not recording.exists() or recording.stat().st_size < 44:
        return
    size = recording.stat().st_size
    with open(recording, "r+b") as file:
        for place, length in ((4, size - 8), (40, size - 44)):
            file.seek(place)
            file.write(struct.pack("<I", length))
