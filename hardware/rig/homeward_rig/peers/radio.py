"""The radio: the hub's Bluetooth adapter, and around it tags and glucose meters in one simulated air.

The adapter is plugged in when this program starts with --adapter, and comes back whenever the machine does. Tags and
meters keep everything (bonds, readings, batteries) while adapter or machine are off. Names are the scenario's own; RSSI
is in dBm as the hub hears it (beyond -100: not at all), times are in seconds unless they say otherwise.

    plug PATH                     connects the adapter to the machine's socket, now and after each power cut
    unplug                        pulls the adapter: it is silent, its connections are lost
    fail-adapter                  the adapter reports a hardware error, and expects to be reset
    resets                        how often the machine has reset the adapter since it was plugged in

    add-tag NAME KIND             a tag that speaks at once; KIND is ibeacon, eddystone, eddystone-url or button
        address rssi interval     optional; -60 dBm and 0.25 s
        key                       of a button, 32 hexadecimal digits: it encrypts
    speak NAME, silence NAME      a tag goes on, or its battery is taken out
    carry NAME RSSI               anything is carried to where it is heard that strongly
    identities NAME               what a tag may be known by, as Homeward writes it: ibeacon:…, eddystone:…, address:…
    press NAME EVENT              a button: press, double-press, triple-press, long-press …; gives the packet's number

    add-meter NAME                a glucose meter, asleep; address, rssi, and clock-error-seconds (ahead) optional
    measure NAME READINGS         [{"mg_dl": 104, "minutes_ago": 5, "meal": "before", "carbohydrate_grams": 30,
                                  "offset_minutes": -60, "kind": 10, "status": 32, "in_mmol": true}, …]; only mg_dl
                                  is needed
    wake NAME SECONDS             it advertises for so long; pairing: and lets itself be paired
    sleep NAME
    display NAME                  what its display shows, such as the pairing code; "" for nothing
    break-after NAME READINGS     its link breaks once, after that many readings of a transfer
    pace NAME SECONDS             so much time passes between one reading of a transfer and the next; 0.02 at first
    set-clock NAME ERROR-SECONDS  its clock is that much ahead
    forget-hubs NAME              its bonds are deleted
    meter NAME                    what it stores, has been asked and has told, and how often it has lost its link

All that passes between adapter and machine is recorded in radio.btsnoop (wireshark; Debian 12's btmon crashes on some).
"""

import asyncio
import itertools
import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

from bumble.snoop import BtSnooper, Snooper
from bumble.transport.unix import open_unix_client_transport

from ..air.adapter import Adapter
from ..air.frames import Press
from ..air.link import Air
from ..air.meter import GlucoseMeter
from ..air.readings import Meal
from ..air.tag import KINDS, BTHomeButton, Tag
from ..control import action
from . import program

log = logging.getLogger("radio")


class _Recorded:
    """A wire in one direction, with a recorder on it."""

    def __init__(self, sink: Any, recorder: BtSnooper, direction: Snooper.Direction) -> None:
        self._sink = sink
        self._recorder = recorder
        self._direction = direction

    def on_packet(self, packet: bytes) -> None:
        self._recorder.snoop(packet, self._direction)
        self._recorder.output.flush()
        self._sink.on_packet(packet)


class Radio:
    """The actions above."""

    def __init__(self, folder: Path, adapter: Path | None) -> None:
        # Open as long as the program runs.
        self._recorder = BtSnooper(open(folder / "radio.btsnoop", "wb"))  # noqa: SIM115
        self._path = adapter
        self._changed = asyncio.Event()
        self._air: Air | None = None
        self._adapter: Adapter | None = None
        self._tags: dict[str, Tag] = {}
        self._meters: dict[str, GlucoseMeter] = {}
        self._numbers = itertools.count(1)

    @property
    def air(self) -> Air:
        if self._air is None:
            self._air = Air()
        return self._air

    # The adapter

    @action
    def plug(self, path: str) -> None:
        # The machine's socket has the same path at each boot, and is found again without being told.
        if self._path != Path(path):
            self._path = Path(path)
            self._changed.set()

    @action
    def unplug(self) -> None:
        self._path = None
        self._changed.set()

    @action
    def fail_adapter(self) -> None:
        if self._adapter is None:
            raise ValueError("the adapter is not connected")
        self._adapter.fail()

    @action
    def resets(self) -> int:
        return self._adapter.resets if self._adapter is not None else 0

    async def serve_machine(self) -> None:
        """Connects the adapter whenever it is plugged in and the machine is on."""
        while True:
            self._changed.clear()
            if self._path is None:
                await self._changed.wait()
                continue
            try:
                transport = await open_unix_client_transport(str(self._path))
            except OSError:
                # The machine is off.
                await asyncio.sleep(0.1)
                continue
            await self._serve_connection(transport)

    async def _serve_connection(self, transport: Any) -> None:
        log.info("connected to the machine")
        source, sink = transport
        self._adapter = Adapter(self.air, _Recorded(sink, self._recorder, Snooper.Direction.CONTROLLER_TO_HOST))
        source.set_packet_sink(_Recorded(self._adapter, self._recorder, Snooper.Direction.HOST_TO_CONTROLLER))
        announcing = asyncio.ensure_future(self._adapter.announce())
        changed = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait([source.terminated, changed], return_when=asyncio.FIRST_COMPLETED)
        finally:
            changed.cancel()
            announcing.cancel()
            self._adapter.leave()
            self._adapter = None
            await transport.close()
            log.info("no longer connected to the machine")

    # Tags

    @action
    def add_tag(
        self,
        name: str,
        kind: str,
        address: str | None = None,
        rssi: int = -60,
        interval: float = 0.25,
        key: str | None = None,
    ) -> str:
        if kind not in KINDS:
            raise ValueError(f"no kind of tag {kind}; there are: {', '.join(KINDS)}")
        self._expect_new(name)
        tag = KINDS[kind](self.air, name, address or self._address("BE"), rssi, interval)
        if key is not None:
            if not isinstance(tag, BTHomeButton):
                raise ValueError("only buttons encrypt")
            tag.key = bytes.fromhex(key)
        self._tags[name] = tag
        tag.speak()
        return str(tag.address).split("/")[0]

    @action
    def speak(self, name: str) -> None:
        self._tag(name).speak()

    @action
    def silence(self, name: str) -> None:
        self._tag(name).fall_silent()

    @action
    def carry(self, name: str, rssi: int) -> None:
        self._device(name).transmitter.rssi_dbm = rssi

    @action
    def identities(self, name: str) -> list[str]:
        return self._tag(name).identities

    @action
    def press(self, name: str, event: str = "press") -> int:
        tag = self._tag(name)
        if not isinstance(tag, BTHomeButton):
            raise ValueError(f"{name} has no button")
        return tag.press(Press[event.replace("-", "_").upper()])

    # Meters

    @action
    async def add_meter(
        self,
        name: str,
        address: str | None = None,
        rssi: int = -60,
        clock_error_seconds: float = 0,
    ) -> str:
        self._expect_new(name)
        error = timedelta(seconds=clock_error_seconds)
        meter = GlucoseMeter(self.air, name, address or self._address("C1"), rssi, error)
        self._meters[name] = meter
        await meter.power_on()
        return str(meter.address).split("/")[0]

    @action
    def measure(self, name: str, readings: list[dict[str, Any]]) -> list[dict[str, Any]]:
        meter = self._meter(name)
        for particulars in readings:
            if "meal" in particulars:
                particulars["meal"] = Meal[particulars["meal"].upper()]
            meter.measure(**particulars)
        return _described(meter)[-len(readings) :] if readings else []

    @action
    async def wake(self, name: str, seconds: float, pairing: bool = False) -> None:
        await self._meter(name).wake(seconds, pairing)

    @action
    async def sleep(self, name: str) -> None:
        await self._meter(name).fall_asleep()

    @action
    def display(self, name: str) -> str:
        return self._meter(name).display

    @action
    def break_after(self, name: str, readings: int) -> None:
        self._meter(name).break_after = readings

    @action
    def pace(self, name: str, seconds: float) -> None:
        if not 0 <= seconds <= 20:
            raise ValueError("a meter that says nothing for more than 20 s does not answer")
        self._meter(name).pause_seconds = seconds

    @action
    def set_clock(self, name: str, error_seconds: float) -> None:
        self._meter(name).clock_error = timedelta(seconds=error_seconds)

    @action
    async def forget_hubs(self, name: str) -> None:
        await self._meter(name).forget_hubs()

    @action
    async def meter(self, name: str) -> dict[str, Any]:
        meter = self._meter(name)
        return {
            "readings": _described(meter),
            "pairings": meter.pairings,
            "bonds": await meter.bonds(),
            "awake": meter.is_awake,
            "requests": [request.hex() for request in meter.requests],
            "sent": meter.sent,
            "breaks": meter.breaks,
        }

    # Names

    def _tag(self, name: str) -> Tag:
        if name not in self._tags:
            raise ValueError(f"no tag {name}; there are: {', '.join(self._tags) or 'none'}")
        return self._tags[name]

    def _meter(self, name: str) -> GlucoseMeter:
        if name not in self._meters:
            raise ValueError(f"no meter {name}; there are: {', '.join(self._meters) or 'none'}")
        return self._meters[name]

    def _device(self, name: str) -> Tag | GlucoseMeter:
        return self._meters[name] if name in self._meters else self._tag(name)

    def _expect_new(self, name: str) -> None:
        if name in self._tags or name in self._meters:
            raise ValueError(f"there is a {name} already")

    def _address(self, kind: str) -> str:
        """A static random address: its two highest bits are set."""
        return f"F0:{kind}:00:00:00:{next(self._numbers):02X}"


def _described(meter: GlucoseMeter) -> list[dict[str, Any]]:
    return [
        {
            "sequence": reading.sequence,
            "mg_dl": reading.mg_dl,
            "time": reading.user_facing_time.isoformat(),
            "meal": reading.meal.name.lower() if reading.meal else None,
        }
        for reading in meter.stored
    ]


def main() -> None:
    parser = program.argument_parser(__doc__.splitlines()[0])
    parser.add_argument("--adapter", type=Path, help="the machine's socket, to be plugged in from the beginning")
    arguments = parser.parse_args()
    radio = Radio(arguments.folder, arguments.adapter)
    program.run(radio, arguments.control, radio.serve_machine)


if __name__ == "__main__":
    main()
