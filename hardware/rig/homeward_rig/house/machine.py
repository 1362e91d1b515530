"""The hub of a story on this computer; see `SwitchableMachine`."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from .. import configuration, paths
from ..guest_agent import Completed, GuestError
from ..machine import Lacking
from ..monitor import Monitor
from ..peer import Peer
from ..peers.broker import free_port
from ..virtual_machine import BROKER_ADDRESS, Options
from . import room
from .button import Button
from .cable import Cable
from .clock import Clock
from .programs import NotBuilt, library, program, swift_libraries
from .rest import await_rest, descendants

BEGINS = datetime(2027, 6, 7, 6, 0, tzinfo=UTC)
"""A Monday morning, when every story begins unless it says otherwise."""
HERE = "on this computer"
CABLES = ("receiver", "modem")
"""Peers on serial lines."""
BUSY_SECONDS = 20.0
"""So long after the last news on the broker something may still be under way."""
LOOKS = 60
"""So often, at most, one looks whether something has happened that is to happen within some time."""
BUSY_PAUSE_SECONDS = 0.03
"""Real time that each second gets in which something happens: time for a message to go out."""

ALSA = """
pcm_type.homewardhouse {{ lib "{library}" }}
pcm.house {{ type homewardhouse }}
"""
BROKER = "host: 127.0.0.1\n        homeAssistant: {enabled: true}\n        port: "
BUTTONS = "buttons:\n  - name: wired\n    resident: ada\n    input: {{device: {device}}}"
PLUGIN = """#!/bin/sh
LD_PRELOAD={library} HOMEWARD_STORY_CLOCK={page} exec {program} "$@"
"""


class House:
    """Daemon, plugins and gpsd as programs of this computer, with a state folder of their own, in the story's time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sockets = Path(tempfile.mkdtemp(prefix="homeward-house."))
        self.boots = 0
        self.clock = Clock(self.sockets / "page", BEGINS)
        self.clock.set_synchronised(True)
        self.clock.is_on = lambda: self.is_on
        self.clock.is_busy = self._is_busy
        self.clock.settle = self._settle
        self.clock.after_leap.append(self._tell_position)
        self._library = library(self.sockets)
        self._gateway: subprocess.Popen[bytes] | None = None
        self._gpsd: subprocess.Popen[bytes] | None = None
        self._gpsd_port = free_port()
        self._receiver: Peer | None = None
        self._configuration = self.sockets / "homeward.yaml"
        self.recording = folder / "speaker.wav"
        """What the speaker has played: a WAV file, 48 kHz, 16 bit, stereo, growing. Its header says no length."""
        room.prepare(self.recording)
        self._button = Button(self.sockets / "wired.button", self.clock)
        self._heard = 0
        self._busy_until = 0.0
        self._told = 0.0
        for name in ("state", "run"):
            (self.sockets / name).mkdir()
        (self.sockets / "asound.conf").write_text(ALSA.format(library=self._library))
        self._install_plugins()
        self._cables = [Cable(name, self.sockets) for name in CABLES]
        self._start_gpsd()

    # What stands around the gateway

    def _install_plugins(self) -> None:
        """Manifest beside program, as an installation has it; the program is started with the story's wall clock."""
        for manifest in sorted((paths.REPOSITORY / "plugins").glob("*/plugin.json")):
            command = Path(json.loads(manifest.read_text())["command"][0]).name
            place = self.sockets / "plugins" / manifest.parent.name
            with contextlib.suppress(NotBuilt):
                behind = self._script(manifest.parent, place) / command if command.endswith(".py") else program(command)
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(manifest, place)
                text = PLUGIN.format(library=self._library, page=self.clock.page.file, program=behind)
                (place / command).write_text(text)
                (place / command).chmod(0o755)

    def _script(self, plugin: Path, place: Path) -> Path:
        """Copies what is written in Python into a folder of its own; gives that."""
        behind = place / "program"
        behind.mkdir(parents=True)
        for file in plugin.glob("*.py"):
            shutil.copy(file, behind)
        return behind

    def _start_gpsd(self) -> None:
        with open(self.folder / "gpsd.log", "ab") as log:
            self._gpsd = subprocess.Popen(
                ["/usr/sbin/gpsd", "-N", "-n", "-D1", "-S", str(self._gpsd_port), str(self.sockets / "receiver.port")],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def start_peer(self, name: str, *arguments: str) -> Peer:
        """Starts the peer of that name; it has the story's wall clock."""
        variables = {"LD_PRELOAD": str(self._library), "HOMEWARD_STORY_CLOCK": str(self.clock.page.file)}
        told = ("--told",) if name == "receiver" else ()
        peer = Peer(name, self.folder, self.sockets, *arguments, *told, environment=variables)
        if name == "receiver":
            self._receiver = peer
            self._tell_position()
        return peer

    def _tell_position(self) -> None:
        """The receiver's second; after a longer leap the one before it as well, for gpsd reports a second when the next
        one begins."""
        if self._receiver is None or not self._receiver.is_plugged_in:
            return
        true, steady = self.clock.true(), self.clock.steady()
        seconds = (true - 1, true) if true - self._told > 1.5 else (true,)
        for second in seconds:
            self._receiver.do("tell-at", utc=second, now=steady + second - true)
        self._told = true

    # Time

    def now(self) -> float:
        """Seconds of the story's steady clock."""
        return self.clock.steady()

    def true(self) -> float:
        """Seconds since 1970, as it really is in the story."""
        return self.clock.true()

    def pause(self, pause: float, within: float) -> float:
        """Seconds between two looks: more of them, where there is much time, for each look takes real time."""
        return max(pause, 1.0, within / LOOKS)

    def pass_by(self, seconds: float) -> None:
        """Lets time pass in the story."""
        self.clock.pass_by(seconds)

    def _is_busy(self) -> bool:
        """Whether a sound, a walk or a message on its way would be torn apart by a long leap."""
        if self._has_news():
            self._busy_until = self.clock.steady() + BUSY_SECONDS
        if self.silent_for == 0 or self.clock.steady() < self._busy_until:
            time.sleep(BUSY_PAUSE_SECONDS)
            return True
        return (
            self._receiver is not None and self._receiver.is_plugged_in and self._receiver.do("position")["isWalking"]
        )

    def _has_news(self) -> bool:
        """Whether the broker has heard of an alarm, but for where somebody is meanwhile."""
        heard = self.folder / "broker-messages.jsonl"
        if not heard.exists():
            return False
        with open(heard, "rb") as file:
            file.seek(self._heard)
            news = file.read()
        self._heard += len(news)
        return any(b"/event/alarm" in line and b"alarm.location" not in line for line in news.splitlines())

    def _settle(self) -> None:
        """Waits for the gateway with its plugins, and for all that it talks to."""
        if self._gateway is not None:
            await_rest(descendants(os.getpid()))

    @property
    def silent_for(self) -> float:
        """Seconds in the story since something last sounded; 0 while something does."""
        if self.clock.page.get("sounds_until") >= time.monotonic_ns():
            return 0.0
        return self.clock.steady() - self.clock.page.get("silent_since") / 1e9

    # Power

    @property
    def is_on(self) -> bool:
        return self._gateway is not None and self._gateway.poll() is None

    def switch_on(self, options: Options | None = None, timeout: float = 180) -> float:
        """Starts the gateway; gives the seconds that took."""
        assert self._gateway is None, "the gateway runs already"
        options = options or Options()
        if options.clock != "utc":
            self.clock.set_wall(datetime.fromisoformat(options.clock).replace(tzinfo=UTC).timestamp())
        text = options.files.get(configuration.FILE) or configuration.Configuration().text
        self._configuration.write_text(self._here(text, options))
        self.boots += 1
        began = time.monotonic()
        with open(self.folder / "homewardd.log", "ab") as log:
            self._gateway = subprocess.Popen(
                [program("homewardd"), "--config", self._configuration],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={
                    **os.environ,
                    "LD_PRELOAD": str(self._library),
                    "HOMEWARD_STORY_CLOCK": str(self.clock.page.file),
                    "HOMEWARD_STORY_TIMERS": "1",
                    "HOMEWARD_STORY_ROOM": str(self.recording),
                    "ALSA_CONFIG_PATH": str(self.sockets / "asound.conf"),
                    "SWIFT_BACKTRACE": "enable=no",
                    "LC_ALL": "C.UTF-8",
                    "TZ": "UTC",
                },
            )
        return time.monotonic() - began

    def _here(self, text: str, options: Options) -> str:
        """The rig's configuration with the ports and folders of this house."""
        text = text.replace(configuration.LAMP.strip("\n"), "")
        text = text.replace(configuration.BUTTONS.strip("\n"), BUTTONS.format(device=self._button.device))
        text = text.replace("device: plughw:CARD=Audio", "device: house")
        text = text.replace("/dev/homeward/modem", str((self.sockets / "modem.port").resolve()))
        text = text.replace("noReportSeconds: 10", f"noReportSeconds: 900\n    port: {self._gpsd_port}")
        text = text.replace(f"host: {BROKER_ADDRESS[0]}", f"{BROKER}{options.broker_port or 9}")
        text = text.replace(
            "gateway:\n", f"gateway:\n  state: {self.sockets}/state\n  runtime: {self.sockets}/run\n", 1
        )
        text = text.replace("plugins:\n", f"plugins:\n  directories: [{self.sockets}/plugins]\n", 1)
        readable = ", ".join(map(str, [self.sockets, program("homewardd").resolve().parent, *swift_libraries()]))
        lines = []
        for line in text.splitlines():
            lines.append(line)
            if line.startswith("    - name: ") and "plugins:" in text[: text.index(line)]:
                lines.append(f"      readPaths: [{readable}]")
            if line == "    - name: mqtt":
                lines.append(f"      loopback: [{options.broker_port or 9}]")
        return "\n".join([*lines, "clock: {trust: automatic}", ""])

    def cut_power(self) -> None:
        """Kills the gateway at once, with its plugins; what it handed to the disk stays."""
        if self._gateway is None:
            return
        children = descendants(self._gateway.pid)
        self._gateway.kill()
        self._gateway.wait()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._gateway = None
        if self.silent_for == 0:
            self.clock.page.set("silent_since", round(self.clock.steady() * 1e9))
        self.clock.page.set("sounds_until", 0)

    def reconfigure(self, options: Options) -> None:
        """Has the gateway read its configuration again."""
        assert self._gateway is not None
        self._configuration.write_text(self._here(options.files[configuration.FILE], options))
        self._gateway.send_signal(signal.SIGHUP)

    def shut_down(self, timeout: float = 60) -> None:
        """Asks the gateway to end."""
        assert self._gateway is not None
        self._gateway.terminate()
        try:
            self._gateway.wait(timeout)
        except subprocess.TimeoutExpired:
            raise GuestError(f"the gateway did not end within {timeout:g} s") from None
        finally:
            self.cut_power()

    def dispose(self) -> None:
        """Ends everything."""
        self.cut_power()
        if self._gpsd is not None:
            self._gpsd.kill()
            self._gpsd.wait()
        for cable in self._cables:
            cable.close()
        self._button.close()
        self.clock.close()
        shutil.rmtree(self.sockets, ignore_errors=True)

    # Inside

    def run(self, *arguments: str, data: bytes = b"", timeout: float = 60, check: bool = True) -> Completed:
        """Runs the command line, or what stands here for a program of a real hub."""
        command = self._command(arguments)
        if isinstance(command, Completed):
            return command
        try:
            done = subprocess.run(
                command,
                input=data,
                capture_output=True,
                timeout=timeout,
                env={
                    **os.environ,
                    "LC_ALL": "C.UTF-8",
                    "TZ": "UTC",
                    "LD_PRELOAD": str(self._library),
                    "HOMEWARD_STORY_CLOCK": str(self.clock.page.file),
                },
            )
        except subprocess.TimeoutExpired:
            raise GuestError(f"{' '.join(arguments)}: still running after {timeout:g} s") from None
        completed = Completed(
            arguments, done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        )
        if check and completed.status != 0:
            raise GuestError(f"{' '.join(arguments)}: exit code {completed.status}\n{completed.errors}".rstrip())
        return completed

    def _command(self, arguments: tuple[str, ...]) -> list[str | Path] | Completed:
        match arguments:
            case ("/usr/bin/homeward", *rest):
                return [program("homeward"), "--socket", self.sockets / "run" / "control.sock", *rest]
            case ("/bin/journalctl", *_):
                return Completed(arguments, 0, (self.folder / "homewardd.log").read_text(errors="replace"), "")
            case ("/bin/date", "+%s"):
                return Completed(arguments, 0, f"{self.clock.wall():.0f}", "")
            case ("/bin/date", setting) if setting.startswith("--set=@"):
                self.clock.set_wall(float(setting.removeprefix("--set=@")))
                return Completed(arguments, 0, "", "")
            case ("/usr/bin/python3", "-c", text) if "adjtimex" in text:
                self.clock.set_synchronised(True)
                return Completed(arguments, 0, "", "")
            case ("/usr/bin/systemd-run", *_, "/usr/lib/homeward-rig/filler", "0"):
                self.clock.page.set("disk_is_full", 1)
                return Completed(arguments, 0, "", "")
            case ("/bin/systemctl", "stop", "rig-filler"):
                self.clock.page.set("disk_is_full", 0)
                return Completed(arguments, 0, "", "")
            case ("/usr/bin/test", "-e", "/dev/homeward/modem"):
                return Completed(arguments, 0, "", "")
            case ("/usr/lib/homeward-rig/button", "press", seconds, "0", times, pause):
                held = self._button.press(float(seconds), int(times), float(pause))
                lines = [f"{down:.6f} {down:.6f} {up:.6f} {up:.6f}" for down, up in held]
                return Completed(arguments, 0, "\n".join(lines), "")
        raise Lacking(f"program {arguments[0]}", HERE)

    def wake_in_1970(self, options: Options) -> None:
        """Takes the power away and gives it back; the clock has no battery, and nobody tells it the time."""
        self.cut_power()
        self.clock.set_synchronised(False)
        self.clock.set_wall(3600, is_true=False)
        self.switch_on(options)

    # What a house has not

    def kill_disk(self) -> None:
        raise Lacking("disk that can die", HERE)

    @property
    def monitor(self) -> Monitor:
        raise Lacking("emulator", HERE)
