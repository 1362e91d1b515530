"""The air with a real host in it: bumble's, on the same adapter that the machine has."""

import asyncio
import tempfile
import unittest
from pathlib import Path

from bumble import att, hci
from bumble.core import ProtocolError
from bumble.device import Device, Peer
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink
from homeward_rig.air.adapter import Adapter
from homeward_rig.air.frames import Press
from homeward_rig.air.link import Air
from homeward_rig.air.meter import GlucoseMeter
from homeward_rig.air.readings import Meal
from homeward_rig.air.tag import BTHomeButton, Eddystone, EddystoneURL, IBeacon
from homeward_rig.peers.radio import Radio

TAG, METER = "F0:BE:00:00:00:01", "F0:C1:00:00:00:02"


class Typist(PairingDelegate):
    """Types the code that a meter shows, or another one."""

    def __init__(self, meter: GlucoseMeter, code: int | None = None) -> None:
        super().__init__(PairingDelegate.KEYBOARD_INPUT_ONLY)
        self._meter = meter
        self._code = code

    async def get_number(self) -> int | None:
        while not self._meter.display:
            await asyncio.sleep(0.01)
        return int(self._meter.display) if self._code is None else self._code


async def hub(air: Air) -> Device:
    adapter = Adapter(air, None)
    device = Device(name="hub", address=hci.Address("F0:00:00:00:00:99"), host=Host(adapter, AsyncPipeSink(adapter)))
    await device.power_on()
    return device


class TagsTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.air = Air()
        self.hub = await hub(self.air)
        self.heard: list = []
        self.hub.on("advertisement", self.heard.append)

    async def hear(self, count: int = 5) -> list:
        """The next reports, however long a busy machine takes for them."""
        self.heard.clear()
        async with asyncio.timeout(30):
            while len(self.heard) < count:
                await asyncio.sleep(0.01)
        return list(self.heard)

    async def hear_nothing(self, tag: IBeacon) -> list:
        """What is heard all the same: from what was under way on, while the tag speaks five times or is silent."""
        # Turns of the loop, not time: after a pause of the machine what was under way would come later than a moment.
        for _ in range(100):
            await asyncio.sleep(0)
        self.heard.clear()
        until = tag.sent + 5
        async with asyncio.timeout(30):
            while tag.is_speaking and tag.sent < until:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        return list(self.heard)

    async def test_a_tag_is_heard_as_strongly_as_it_is_near(self):
        tag = IBeacon(self.air, "keys", TAG, -50, 0.02)
        tag.speak()
        await self.hub.start_scanning(active=False, filter_duplicates=False)
        self.assertEqual({report.rssi for report in await self.hear()}, {-50})
        tag.transmitter.rssi_dbm = -95
        async with asyncio.timeout(30):
            while self.heard[-1].rssi == -50:
                await asyncio.sleep(0.01)
        self.assertEqual({report.rssi for report in await self.hear()}, {-95})
        tag.transmitter.rssi_dbm = -120
        self.assertEqual(await self.hear_nothing(tag), [])
        tag.transmitter.rssi_dbm = -60
        tag.fall_silent()
        self.assertEqual(await self.hear_nothing(tag), [])

    async def test_a_reset_ends_the_scan(self):
        tag = IBeacon(self.air, "keys", TAG, -50, 0.02)
        tag.speak()
        await self.hub.start_scanning(active=False, filter_duplicates=False)
        await self.hear()
        await self.hub.host.send_sync_command(hci.HCI_Reset_Command())
        self.assertEqual(await self.hear_nothing(tag), [])

    async def test_a_press_is_sent_again_and_again_under_one_number(self):
        button = BTHomeButton(self.air, "necklace", TAG, -50, 0.02)
        self.assertEqual(button._frame()[-4:].hex(), "00000157")
        number = button.press(Press.LONG_PRESS)
        sent = {button._frame()[-6:].hex() for _ in range(5)}
        self.assertEqual(sent, {f"00{number:02x}01573a04"})

    async def test_tags_of_one_kind_are_told_apart_by_what_they_say(self):
        keys, wallet = IBeacon(self.air, "keys", TAG, -50, 0.02), IBeacon(self.air, "wallet", METER, -50, 0.02)
        self.assertEqual(
            [*keys.identities, *wallet.identities],
            [
                "ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:7:1",
                f"address:{TAG}/random",
                "ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:7:2",
                f"address:{METER}/random",
            ],
        )
        wallet.speak()
        await self.hub.start_scanning(active=False, filter_duplicates=False)
        told = {bytes(report.data)[-5:].hex() for report in await self.hear()}
        self.assertEqual(told, {"00070002c5"})

    async def test_identities_are_written_as_homeward_does(self):
        walking_stick = Eddystone(self.air, "walking stick", "F0:BE:00:00:00:03", -50, 1)
        self.assertEqual(walking_stick.identities[0], "eddystone:686f6d65776172640000:f0be00000003")
        link = EddystoneURL(self.air, "link", "F0:BE:00:00:00:04", -50, 1)
        self.assertEqual(link.identities, ["address:F0:BE:00:00:00:04/random"])
        button = BTHomeButton(self.air, "necklace", "F0:BE:00:00:00:05", -50, 1)
        self.assertEqual(button.identities[0], "bthome:F0:BE:00:00:00:05/random")
        button.key = bytes(16)
        self.assertEqual(button.identities[0], f"bthome:F0:BE:00:00:00:05/random:{'00' * 16}")

    async def test_an_address_is_taken_once(self):
        IBeacon(self.air, "keys", TAG, -50, 1)
        with self.assertRaises(ValueError):
            IBeacon(self.air, "purse", TAG, -50, 1)


class MeterTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.air = Air()
        self.meter = GlucoseMeter(self.air, "meter", METER, -60)
        await self.meter.power_on()
        self.hub = await hub(self.air)
        self.hub.pairing_config_factory = lambda connection: PairingConfig(
            sc=True, mitm=True, bonding=True, delegate=Typist(self.meter, self.code)
        )
        self.code: int | None = None
        for number in range(5):
            self.meter.measure(100 + number, meal=Meal.AFTER if number == 1 else None)
        self.received: list[tuple[str, bytes]] = []
        self.connection = None

    async def connect(self, pair: bool = True):
        await self.meter.wake(30, pairing=pair)
        self.connection = await asyncio.wait_for(
            self.hub.connect(self.meter.address, own_address_type=hci.OwnAddressType.PUBLIC), 10
        )
        if pair:
            await asyncio.wait_for(self.connection.pair(), 10)
        peer = Peer(self.connection)
        await peer.discover_services()
        self.points = {}
        for service in peer.services:
            for characteristic in await service.discover_characteristics():
                self.points[characteristic.uuid.to_hex_str().lower()[-4:]] = characteristic
                await characteristic.discover_descriptors()

    async def subscribe(self, *names: str):
        for name in names:
            await self.points[name].subscribe(lambda value, name=name: self.received.append((name, bytes(value))))

    async def ask(self, request: str):
        await self.points["2a52"].write_value(bytes.fromhex(request), with_response=True)

    async def answered(self, count: int = 1) -> list[str]:
        async with asyncio.timeout(10):
            while sum(name == "2a52" for name, _ in self.received) < count:
                await asyncio.sleep(0.01)
        return [value.hex() for name, value in self.received if name == "2a52"]

    def sequences(self) -> list[int]:
        return [value[1] for name, value in self.received if name == "2a18"]

    async def test_tells_a_paired_hub_everything(self):
        await self.connect()
        self.assertEqual(self.meter.pairings, 1)
        await self.subscribe("2a18", "2a34", "2a52")
        await self.ask("0101")
        self.assertEqual(await self.answered(), ["06000101"])
        self.assertEqual(self.sequences(), [1, 2, 3, 4, 5])
        self.assertEqual([value.hex() for name, value in self.received if name == "2a34"], ["02020002"])
        self.assertEqual(bytes(await self.points["2a19"].read_value()), bytes([80]))
        self.assertEqual(len(await self.points["2a2b"].read_value()), 10)

    async def test_tells_a_stranger_nothing(self):
        await self.connect(pair=False)
        with self.assertRaises(att.ATT_Error) as refusal:
            await self.ask("0101")
        self.assertIn(refusal.exception.error_code, (0x05, 0x0F))
        with self.assertRaises(att.ATT_Error):
            await self.points["2a51"].read_value()
        self.assertEqual(self.meter.requests, [])

    async def test_takes_no_stranger_outside_of_pairing_mode(self):
        await self.connect(pair=False)
        with self.assertRaises(ProtocolError):
            await asyncio.wait_for(self.connection.pair(), 5)
        self.assertEqual(self.meter.pairings, 0)

    async def test_takes_no_wrong_code(self):
        self.code = 1_000_000
        with self.assertRaises(ProtocolError):
            await self.connect()
        self.assertEqual(await self.meter.bonds(), [])

    async def test_remembers_a_hub_that_it_was_paired_with(self):
        await self.connect()
        await self.connection.disconnect()
        await self.connect(pair=False)
        await self.connection.encrypt()
        await self.subscribe("2a52")
        await self.ask("0401")
        self.assertEqual(await self.answered(), ["05000500"])
        self.assertEqual(self.meter.pairings, 1)

    async def test_loses_its_link_once_and_goes_on(self):
        await self.connect()
        await self.subscribe("2a18", "2a34", "2a52")
        self.meter.break_after = 2
        lost = asyncio.get_running_loop().create_future()
        self.connection.on("disconnection", lost.set_result)
        await self.ask("0101")
        self.assertEqual(await asyncio.wait_for(lost, 10), hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
        self.assertEqual(self.sequences(), [1, 2])
        self.assertEqual((self.meter.sent, self.meter.breaks), ([1, 2], 1))
        self.received.clear()
        await self.connect(pair=False)
        await self.connection.encrypt()
        await self.subscribe("2a18", "2a34", "2a52")
        await self.ask("0103010300")
        self.assertEqual(await self.answered(), ["06000101"])
        self.assertEqual(self.sequences(), [3, 4, 5])
        self.assertEqual((self.meter.sent, self.meter.breaks), ([1, 2, 3, 4, 5], 1))

    async def test_takes_its_time(self):
        await self.connect()
        await self.subscribe("2a18", "2a34", "2a52")
        self.meter.pause_seconds = 0.2
        began = asyncio.get_running_loop().time()
        await self.ask("0101")
        await self.answered()
        self.assertGreaterEqual(asyncio.get_running_loop().time() - began, 1)

    async def test_wants_subscriptions_first_and_one_procedure_at_a_time(self):
        await self.connect()
        with self.assertRaises(att.ATT_Error) as refusal:
            await self.ask("0101")
        self.assertEqual(refusal.exception.error_code, 0x81)
        await self.subscribe("2a18", "2a34", "2a52")
        await self.ask("0101")
        with self.assertRaises(att.ATT_Error) as refusal:
            await self.ask("0401")
        self.assertEqual(refusal.exception.error_code, 0x80)
        await self.ask("0300")
        self.assertEqual(await self.answered(), ["06000301"])
        self.assertLess(len(self.sequences()), 5)

    async def test_sleeps_when_its_time_is_over(self):
        await self.meter.wake(0.1)
        self.assertTrue(self.meter.is_awake)
        async with asyncio.timeout(5):
            while self.meter.is_awake:
                await asyncio.sleep(0.01)

    async def test_an_adapter_that_is_pulled_out_loses_its_links(self):
        await self.connect()
        adapter = next(controller for controller in self.air.controllers if isinstance(controller, Adapter))
        adapter.leave()
        async with asyncio.timeout(5):
            while self.meter._connection is not None:
                await asyncio.sleep(0.01)
        self.assertNotIn(adapter, self.air.controllers)


class RadioTest(unittest.IsolatedAsyncioTestCase):
    """The peer's end of the machine's socket."""

    async def asyncSetUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.socket = self.folder / "radio.sock"
        self.connections: asyncio.Queue = asyncio.Queue()

    async def machine(self) -> asyncio.Server:
        return await asyncio.start_unix_server(lambda *streams: self.connections.put_nowait(streams), str(self.socket))

    async def reset(self) -> None:
        """What the machine does first: it waits for an adapter, and resets it."""
        reader, writer = await asyncio.wait_for(self.connections.get(), 10)
        self.assertEqual(await asyncio.wait_for(reader.readexactly(6), 10), bytes.fromhex("040e03010000"))
        writer.write(bytes.fromhex("01030c00"))
        self.assertEqual(await asyncio.wait_for(reader.readexactly(7), 10), bytes.fromhex("040e0401030c00"))
        writer.close()

    async def test_comes_back_with_the_machine_and_records_what_passes(self):
        radio = Radio(self.folder, self.socket)
        serving = asyncio.ensure_future(radio.serve_machine())
        try:
            for _ in range(2):
                server = await self.machine()
                await self.reset()
                server.close()
                self.socket.unlink(missing_ok=True)
            radio.unplug()
            await self.machine()
            await asyncio.sleep(0.5)
            self.assertTrue(self.connections.empty())
            radio.plug(str(self.socket))
            await self.reset()
        finally:
            serving.cancel()
        trace = (self.folder / "radio.btsnoop").read_bytes()
        self.assertEqual(trace[:16], b"btsnoop\0" + bytes.fromhex("00000001000003ea"))
        self.assertEqual(trace.count(bytes.fromhex("040e0401030c00")), 3, "the adapter's answers")
        self.assertEqual(trace.count(bytes.fromhex("01030c00")), 6, "the machine's resets, too")
