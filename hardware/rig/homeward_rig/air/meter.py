"""A glucose meter, which sleeps, wakes for some seconds after a reading, and talks to those whom it knows.

It lets itself be paired only in pairing mode, with a code of six digits on its display.
"""

import asyncio
import logging
import struct
from datetime import UTC, datetime, timedelta

from bumble import att, hci
from bumble.controller import Controller
from bumble.core import UUID, BaseBumbleError
from bumble.device import Connection, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

from . import frames, readings, record_access
from .link import Air, Transmitter
from .readings import Reading
from .record_access import Answer, Opcode

log = logging.getLogger("meter")

_GLUCOSE = UUID.from_16_bits(0x1808)
_PROCEDURE_ALREADY_IN_PROGRESS = 0x80
_CCCD_IMPROPERLY_CONFIGURED = 0x81
_ADVERTISING_INTERVAL_MILLISECONDS = 100
_FEATURES = 0x0421
"""Low battery, result high or low, multiple bonds."""


class _Display(PairingDelegate):
    """The meter's side of pairing: the code appears on its display."""

    def __init__(self, meter: "GlucoseMeter") -> None:
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_ONLY)
        self._meter = meter

    async def accept(self) -> bool:
        return self._meter.is_pairing

    async def display_number(self, number: int, digits: int) -> None:
        self._meter.display = f"{number:0{digits}}"


class GlucoseMeter:
    """Glucose Profile sensor with Device Information, Battery and Current Time, on a controller of its own."""

    def __init__(self, air: Air, name: str, address: str, rssi_dbm: int, clock_error: timedelta = timedelta()) -> None:
        self.name = name
        self.address = hci.Address(address, hci.Address.RANDOM_DEVICE_ADDRESS)
        self.stored: list[Reading] = []
        self.display = ""
        """What its display shows: the code, while it is being paired."""
        self.is_pairing = False
        self.clock_error = clock_error
        self.battery_percent = 80
        self.break_after: int | None = None
        """Measurements until it loses its link, once; None for never."""
        self.breaks = 0
        """How often it has lost its link that way."""
        self.pause_seconds = 0.02
        """Between one measurement and the next."""
        self.sent: list[int] = []
        """Sequence numbers of the measurements that it has told, in order, repeated ones too."""
        self.pairings = 0
        self.requests: list[bytes] = []
        """Every request to its control point."""
        self._air = air
        self._next_sequence = 1
        self._sleep: asyncio.TimerHandle | None = None
        self._changing = asyncio.Lock()
        """Held while advertising begins or ends."""
        self._procedure: asyncio.Task[None] | None = None
        self.transmitter = Transmitter(self.address, rssi_dbm, frames.local_name(name))
        air.enter(self.transmitter)
        controller = Controller(name, link=air)
        self._device = Device(name=name, address=self.address, host=Host(controller, AsyncPipeSink(controller)))
        self._device.keystore = MemoryKeyStore()
        self._device.pairing_config_factory = lambda connection: PairingConfig(
            sc=True, mitm=True, bonding=True, delegate=_Display(self)
        )
        self._device.on("connection", self._on_connection)
        self._connection: Connection | None = None
        self._add_services()

    async def power_on(self) -> None:
        """Puts its battery in; it sleeps."""
        await self._device.power_on()

    # Its user

    def now(self) -> datetime:
        """What its clock shows, UTC when it is right."""
        return (datetime.now(UTC) + self.clock_error).replace(tzinfo=None, microsecond=0)

    def measure(self, mg_dl: int, minutes_ago: float = 0, **particulars: object) -> Reading:
        """A drop of blood; stores what came of it. Particulars are those of `Reading`."""
        moment = self.now() - timedelta(minutes=minutes_ago)
        reading = Reading(self._next_sequence, moment, mg_dl, **particulars)  # type: ignore[arg-type]
        # Fails here rather than in the middle of a transfer.
        readings.measurement(reading)
        self.stored.append(reading)
        self._next_sequence = self._next_sequence % 0xFFFF + 1
        return reading

    async def wake(self, seconds: float, pairing: bool = False) -> None:
        """For some seconds it advertises while nobody is connected; in pairing mode it takes strangers."""
        self.is_pairing = pairing
        self.display = ""
        if self._sleep is not None:
            self._sleep.cancel()
        loop = asyncio.get_running_loop()
        self._sleep = loop.call_later(seconds, lambda: loop.create_task(self.fall_asleep()))
        await self._advertise()

    async def _advertise(self) -> None:
        async with self._changing:
            # A connection may have come, or its time to sleep, while this waited.
            if self._connection is not None or self._sleep is None:
                return
            await self._device.start_advertising(
                advertising_data=frames.service_list(_GLUCOSE),
                scan_response_data=self.transmitter.scan_response,
                advertising_interval_min=_ADVERTISING_INTERVAL_MILLISECONDS,
                advertising_interval_max=_ADVERTISING_INTERVAL_MILLISECONDS,
            )

    async def fall_asleep(self) -> None:
        """Ends advertising; a connection goes on until its other side ends it."""
        if self._sleep is not None:
            self._sleep.cancel()
            self._sleep = None
        self.is_pairing = False
        async with self._changing:
            await self._device.stop_advertising()

    @property
    def is_awake(self) -> bool:
        return self._device.is_advertising or self._connection is not None

    async def forget_hubs(self) -> None:
        """Deletes all its bonds, as its menu offers."""
        assert self._device.keystore is not None
        await self._device.keystore.delete_all()

    async def bonds(self) -> list[str]:
        """Addresses of those whom it knows."""
        assert self._device.keystore is not None
        return [name for name, _ in await self._device.keystore.get_all()]

    # Connections

    def _on_connection(self, connection: Connection) -> None:
        log.info("%s: connected by %s", self.name, connection.peer_address)
        self._connection = connection
        connection.on("disconnection", self._on_disconnection)
        connection.on("pairing", self._on_pairing)
        connection.on("pairing_failure", lambda reason: log.info("%s: pairing failed: %s", self.name, reason))

    def _on_pairing(self, _keys: object) -> None:
        log.info("%s: paired", self.name)
        self.pairings += 1
        self.display = ""
        self.is_pairing = False

    def _on_disconnection(self, reason: int) -> None:
        log.info("%s: disconnected, reason 0x%02x", self.name, reason)
        self._connection = None
        if self._procedure is not None:
            self._procedure.cancel()
            self._procedure = None
        if self._sleep is not None:
            asyncio.get_running_loop().create_task(self._advertise())

    # Services

    def _add_services(self) -> None:
        properties, permissions = Characteristic.Properties, Characteristic.Permissions
        read = permissions.READABLE | permissions.READ_REQUIRES_ENCRYPTION | permissions.READ_REQUIRES_AUTHENTICATION
        write = (
            permissions.WRITEABLE | permissions.WRITE_REQUIRES_ENCRYPTION | permissions.WRITE_REQUIRES_AUTHENTICATION
        )
        none = permissions(0)
        self._measurement = Characteristic(UUID.from_16_bits(0x2A18), properties.NOTIFY, none, b"")
        self._context = Characteristic(UUID.from_16_bits(0x2A34), properties.NOTIFY, none, b"")
        self._control_point = Characteristic(
            UUID.from_16_bits(0x2A52),
            properties.WRITE | properties.INDICATE,
            write,
            CharacteristicValue(write=self._on_request),
        )
        feature = Characteristic(UUID.from_16_bits(0x2A51), properties.READ, read, struct.pack("<H", _FEATURES))
        clock = Characteristic(
            UUID.from_16_bits(0x2A2B),
            properties.READ | properties.WRITE,
            read | write,
            CharacteristicValue(read=lambda _: self._current_time(), write=lambda _, value: self._set_clock(value)),
        )
        battery = Characteristic(
            UUID.from_16_bits(0x2A19),
            properties.READ,
            permissions.READABLE,
            CharacteristicValue(read=lambda _: bytes([self.battery_percent])),
        )
        information = {0x2A29: "Homeward", 0x2A24: "Rig Meter", 0x2A25: "RM-0001", 0x2A26: "1.0"}
        self._device.add_services(
            [
                Service(UUID.from_16_bits(0x1808), [self._measurement, self._context, feature, self._control_point]),
                Service(
                    UUID.from_16_bits(0x180A),
                    [
                        Characteristic(UUID.from_16_bits(number), properties.READ, permissions.READABLE, text.encode())
                        for number, text in information.items()
                    ],
                ),
                Service(UUID.from_16_bits(0x180F), [battery]),
                Service(UUID.from_16_bits(0x1805), [clock]),
            ]
        )

    def _current_time(self) -> bytes:
        """Current Time (0x2A2B): date and time, day of the week (Monday is 1), 1/256 s, reason of adjustment."""
        now = self.now()
        return readings.date_time(now) + bytes([now.isoweekday(), 0, 0])

    def _set_clock(self, value: bytes) -> None:
        try:
            told = datetime(*struct.unpack("<H5B", bytes(value[:7])), tzinfo=UTC)
        except (struct.error, ValueError):
            raise att.ATT_Error(att.ErrorCode.VALUE_NOT_ALLOWED) from None
        self.clock_error = told - datetime.now(UTC)

    # Record access

    def _is_subscribed(self, connection: Connection, characteristic: Characteristic, bit: int) -> bool:
        subscriptions = self._device.gatt_server.subscribers.get(connection, {})
        return bool(subscriptions.get(characteristic.handle, b"\0")[0] & bit)

    def _on_request(self, connection: Connection, value: bytes) -> None:
        request = bytes(value)
        log.info("%s: asked %s", self.name, request.hex())
        self.requests.append(request)
        if not self._is_subscribed(connection, self._control_point, 2) or (
            request[:1] == bytes([Opcode.REPORT]) and not self._is_subscribed(connection, self._measurement, 1)
        ):
            raise att.ATT_Error(_CCCD_IMPROPERLY_CONFIGURED, self._control_point.handle)
        answer = record_access.answer(request, self.stored)
        if self._procedure is not None and not self._procedure.done():
            if not answer.aborts:
                raise att.ATT_Error(_PROCEDURE_ALREADY_IN_PROGRESS, self._control_point.handle)
            self._procedure.cancel()
        self._procedure = asyncio.get_running_loop().create_task(self._carry_out(connection, answer))

    async def _carry_out(self, connection: Connection, answer: Answer) -> None:
        try:
            for reading in answer.report:
                await self._send(connection, reading)
                self.sent.append(reading.sequence)
                if self.break_after is not None:
                    self.break_after -= 1
                    if self.break_after <= 0:
                        self.break_after = None
                        # What was sent is on its way, and arrives.
                        await asyncio.sleep(0.2)
                        self.breaks += 1
                        self._air.break_link(self.address)
                        return
                await asyncio.sleep(self.pause_seconds)
            for reading in answer.delete:
                self.stored.remove(reading)
            await self._device.indicate_subscriber(connection, self._control_point, answer.indication)
        except (BaseBumbleError, TimeoutError) as error:
            log.info("%s: transfer ended: %s", self.name, error)

    async def _send(self, connection: Connection, reading: Reading) -> None:
        await self._device.notify_subscriber(connection, self._measurement, readings.measurement(reading))
        if (body := readings.context(reading)) is not None:
            await self._device.notify_subscriber(connection, self._context, body)
