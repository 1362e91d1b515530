"""Tags: devices that only advertise."""

import asyncio
import itertools
import time
import uuid
from collections.abc import Callable, Iterator

from bumble import hci, ll

from . import frames
from .frames import Press
from .link import Air, Transmitter

Frame = Callable[[], bytes]

REPEAT_SECONDS = 2.0
"""How long a button sends the same press again and again."""


class Tag:
    """Sends its frames in turn, one each interval, while it speaks; nobody can connect to it."""

    def __init__(self, air: Air, name: str, address: str, rssi_dbm: int, interval_seconds: float) -> None:
        self.name = name
        self.address = hci.Address(address, hci.Address.RANDOM_DEVICE_ADDRESS)
        self.interval_seconds = interval_seconds
        self.sent = 0
        self.began = time.monotonic()
        self._air = air
        self._speaking: asyncio.Task[None] | None = None
        self.transmitter = Transmitter(self.address, rssi_dbm, frames.local_name(name))
        air.enter(self.transmitter)

    def frames(self) -> list[Frame]:
        """What it sends, in turn."""
        raise NotImplementedError

    @property
    def lasting_address(self) -> str:
        """Its address as Homeward writes it: random, and drawn for good."""
        return f"{str(self.address).split('/')[0]}/random"

    @property
    def identities(self) -> list[str]:
        """What it may be known by, as Homeward writes it; what it says itself comes before its address."""
        return [f"address:{self.lasting_address}"]

    @property
    def is_speaking(self) -> bool:
        return self._speaking is not None

    def speak(self) -> None:
        if self._speaking is None:
            self._speaking = asyncio.get_running_loop().create_task(self._send())

    def fall_silent(self) -> None:
        """As when its battery is taken out."""
        if self._speaking is not None:
            self._speaking.cancel()
            self._speaking = None

    async def _send(self) -> None:
        turn: Iterator[Frame] = itertools.cycle(self.frames())
        while True:
            self.sent += 1
            self._air.send_advertising_pdu(None, ll.AdvNonConnInd(self.address, next(turn)()))
            await asyncio.sleep(self.interval_seconds)


class IBeacon(Tag):
    """A beacon in Apple's form; of those of one story each has its own minor number."""

    identifier = uuid.UUID("f7826da6-4fa2-4e98-8024-bc5b71e0893e")
    major = 7

    @property
    def minor(self) -> int:
        return int.from_bytes(bytes(self.address)[:2], "little")

    @property
    def identities(self) -> list[str]:
        return [f"ibeacon:{self.identifier}:{self.major}:{self.minor}", *super().identities]

    def frames(self) -> list[Frame]:
        return [lambda: frames.ibeacon(self.identifier.bytes, self.major, self.minor, -59)]


class Eddystone(Tag):
    """A beacon in Google's form that tells its identity and, each fourth time, its battery and temperature."""

    namespace = bytes.fromhex("686f6d65776172640000")
    battery_millivolts = 2950
    celsius = 21.5

    @property
    def instance(self) -> bytes:
        return bytes(self.address)[::-1]

    @property
    def identities(self) -> list[str]:
        return [f"eddystone:{self.namespace.hex()}:{self.instance.hex()}", *super().identities]

    def identity(self) -> bytes:
        return frames.eddystone_uid(self.namespace, self.instance, -20)

    def telemetry(self) -> bytes:
        return frames.eddystone_tlm(self.battery_millivolts, self.celsius, self.sent, time.monotonic() - self.began)

    def frames(self) -> list[Frame]:
        return [self.identity, self.identity, self.identity, self.telemetry]


class EddystoneURL(Eddystone):
    """The same with a web address for an identity."""

    url = "https://example.org/"

    @property
    def identities(self) -> list[str]:
        # An address of the web is no identity.
        return super().identities[1:]

    def identity(self) -> bytes:
        return frames.eddystone_url(self.url, -20)


class BTHomeButton(Tag):
    """A button that tells its battery at rest, and for two seconds each press; encrypted when it has a key."""

    battery_percent = 87
    key: bytes | None = None

    def __init__(self, air: Air, name: str, address: str, rssi_dbm: int, interval_seconds: float) -> None:
        super().__init__(air, name, address, rssi_dbm, interval_seconds)
        self.packet = 0
        self._press = Press.NONE
        self._until = 0.0

    @property
    def identities(self) -> list[str]:
        key = "" if self.key is None else f":{self.key.hex()}"
        return [f"bthome:{self.lasting_address}{key}", *super().identities]

    def press(self, press: Press) -> int:
        """Gives the identifier of the packet that tells of it."""
        self.packet += 1
        self._press = press
        self._until = time.monotonic() + REPEAT_SECONDS
        return self.packet & 0xFF

    def frames(self) -> list[Frame]:
        return [self._frame]

    def _frame(self) -> bytes:
        if self._press != Press.NONE and time.monotonic() > self._until:
            self._press = Press.NONE
            self.packet += 1
        if self._press == Press.NONE:
            objects = frames.bthome_battery(self.packet, self.battery_percent)
        else:
            objects = frames.bthome_button(self.packet, self.battery_percent, self._press)
        if self.key is None:
            return frames.bthome(objects)
        return frames.bthome_encrypted(objects, self.key, bytes(self.address)[::-1], self.packet)


KINDS: dict[str, type[Tag]] = {
    "ibeacon": IBeacon,
    "eddystone": Eddystone,
    "eddystone-url": EddystoneURL,
    "button": BTHomeButton,
}
