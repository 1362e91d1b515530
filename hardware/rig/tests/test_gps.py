import asyncio
import random
import tempfile
import unittest
from datetime import UTC, datetime

from homeward_rig.gps.epoch import SATELLITES, Epoch, Noise
from homeward_rig.gps.nmea import NMEAReceiver
from homeward_rig.gps.ublox import UBloxReceiver
from homeward_rig.gps.walker import HOME, Place, Walker
from homeward_rig.peers.receiver import Receiver
from pynmeagps import NMEAReader
from pyubx2 import POLL, SET, UBXMessage, UBXReader

NOON = datetime(2026, 11, 20, 12, 0, 7, tzinfo=UTC)
AT_HOME = Epoch(NOON, True, *HOME, speed=3.0, course=90.0, accuracy=4.0)
NO_FIX = Epoch(NOON, False, *HOME, speed=0.0, course=0.0, accuracy=4.0)


def sentences(told: bytes) -> dict[str, object]:
    """The sentences that an independent reader finds, by kind; the last of each."""
    return {line[3:6].decode(): NMEAReader.parse(line + b"\r\n") for line in told.split(b"\r\n") if line}


class WalkerTest(unittest.TestCase):
    def test_a_walk_takes_the_time_that_its_speed_says(self):
        walker = Walker()
        self.assertAlmostEqual(walker.walk([Place.at(60, 90)], speed=3, now=100), 20)
        self.assertAlmostEqual(walker.place(110).meters_from_home, 30)
        self.assertAlmostEqual(walker.course(110), 90)
        self.assertTrue(walker.is_walking(119))
        self.assertAlmostEqual(walker.place(200).meters_from_home, 60)
        self.assertEqual(walker.speed(200), 0)

    def test_who_turns_round_on_the_way_turns_there(self):
        walker = Walker()
        walker.walk([Place.at(60, 0)], speed=3, now=0)
        self.assertAlmostEqual(walker.walk([Place()], speed=3, now=10), 10)
        self.assertAlmostEqual(walker.place(15).meters_from_home, 15)

    def test_a_walk_without_speed_is_refused(self):
        with self.assertRaises(ValueError):
            Walker().walk([Place.at(1, 0)], speed=0, now=0)

    def test_walks_around_corners(self):
        walker = Walker()
        self.assertAlmostEqual(walker.walk([Place(30, 0), Place(30, 0), Place(30, 40)], speed=1, now=5), 70)
        for now, place, course in ((20, Place(15, 0), 90), (35.5, Place(30, 0.5), 0), (65, Place(30, 30), 0)):
            self.assertAlmostEqual(walker.place(now).meters_to(place), 0)
            self.assertAlmostEqual(walker.course(now), course)
        self.assertEqual(walker.place(75), Place(30, 40))
        self.assertFalse(walker.is_walking(75))

    def test_metres_become_degrees(self):
        # At 48.8767° a minute of latitude has 1,853.2 m and one of longitude 1,222.8 m (WGS 84, tabulated).
        self.assertAlmostEqual((Place(0, 1853.2).degrees[0] - HOME[0]) * 60, 1, places=3)
        self.assertAlmostEqual((Place(1222.8, 0).degrees[1] - HOME[1]) * 60, 1, places=3)

    def test_degrees_become_metres_again(self):
        place = Place.from_degrees(*Place(70, -20).degrees)
        self.assertAlmostEqual(place.east, 70, places=3)
        self.assertAlmostEqual(place.north, -20, places=3)


class NoiseTest(unittest.TestCase):
    def test_the_seed_decides(self):
        def errors(seed):
            noise = Noise(seed, 2)
            return [noise.step() for _ in range(50)]

        self.assertEqual(errors(1), errors(1))
        self.assertNotEqual(errors(1), errors(2))

    def test_it_is_as_large_as_said_and_never_far_beyond(self):
        noise = Noise(3, 2)
        errors = [error for _ in range(20_000) for error in noise.step()]
        self.assertAlmostEqual((sum(error**2 for error in errors) / len(errors)) ** 0.5, 2, delta=0.3)
        self.assertLessEqual(max(map(abs, errors)), 2 * Noise.MOST)


class NMEATest(unittest.TestCase):
    def test_a_fix_is_read_as_it_was_meant(self):
        told = sentences(NMEAReceiver().tell(AT_HOME))
        self.assertEqual(set(told), {"RMC", "GGA", "GSA", "GST", "GSV"})
        self.assertAlmostEqual(told["GGA"].lat, HOME[0], places=6)
        self.assertAlmostEqual(told["RMC"].lon, HOME[1], places=6)
        self.assertEqual((told["RMC"].status, told["RMC"].date), ("A", NOON.date()))
        self.assertAlmostEqual(told["RMC"].spd, 5.832)
        self.assertEqual((told["GSA"].navMode, told["GGA"].quality), (3, 2))

    def test_without_a_fix_it_tells_the_time_and_no_place(self):
        told = sentences(NMEAReceiver().tell(NO_FIX))
        self.assertEqual((told["RMC"].status, told["RMC"].time), ("V", NOON.time()))
        self.assertEqual((told["GGA"].quality, told["GGA"].lat, told["GSA"].navMode), (0, "", 1))


class UBloxTest(unittest.TestCase):
    def setUp(self):
        self.receiver = UBloxReceiver()

    def ask(self, message: UBXMessage) -> list[str]:
        return [UBXReader.parse(frame).identity for frame in frames(self.receiver.listen(message.serialize()))]

    def switch(self, group: int, kind: int, rate: int) -> list[str]:
        return self.ask(UBXMessage("CFG", "CFG-MSG", SET, payload=bytes((group, kind, rate))))

    def test_after_power_on_it_speaks_nmea(self):
        self.assertIn("RMC", sentences(self.receiver.tell(AT_HOME)))
        self.assertFalse(self.receiver.speaks_ubx)

    def test_it_says_what_it_is_even_when_asked_in_pieces_and_after_nonsense(self):
        question = b"$PASHQ,RID*28\r\n\xb5\x62\xff\xff\xff\xff" + UBXMessage("MON", "MON-VER", POLL).serialize()
        answers = b"".join(self.receiver.listen(question[place : place + 1]) for place in range(len(question)))
        self.assertIn(b"PROTVER=18.00", answers)
        self.assertEqual([UBXReader.parse(frame).identity for frame in frames(answers)], ["MON-VER"])

    def test_a_broken_question_is_not_answered(self):
        question = bytearray(UBXMessage("MON", "MON-VER", POLL).serialize())
        question[-1] ^= 1
        self.assertEqual(self.receiver.listen(bytes(question)), b"")

    def test_switched_to_ubx_it_tells_position_and_end_of_epoch_there(self):
        for kind in range(10):
            self.assertEqual(self.switch(0xF0, kind, 0), ["ACK-ACK"])
        for kind in (0x07, 0x61):
            self.assertEqual(self.switch(0x01, kind, 1), ["ACK-ACK"])
        self.assertTrue(self.receiver.speaks_ubx)
        position, end = (UBXReader.parse(frame) for frame in frames(self.receiver.tell(AT_HOME)))
        self.assertEqual((position.identity, end.identity), ("NAV-PVT", "NAV-EOE"))
        self.assertAlmostEqual(position.lat, HOME[0])
        self.assertEqual((position.fixType, position.hAcc, position.gSpeed, position.second), (3, 4000, 3000, 7))
        # 20 November 2026 is a Friday; the GPS week begins on Sunday, 18 leap seconds ahead of UTC.
        self.assertEqual(position.iTOW, ((5 * 24 + 12) * 3600 + 7 + 18) * 1000)
        blind = UBXReader.parse(frames(self.receiver.tell(NO_FIX))[0])
        self.assertEqual((blind.fixType, blind.gnssFixOk, blind.lat), (0, 0, 0))

    def test_a_message_that_it_has_not_cannot_be_had(self):
        self.assertEqual(self.switch(0x01, 0x3C, 1), ["ACK-NAK"])

    def test_it_tells_how_its_port_is_set(self):
        self.assertEqual(self.ask(UBXMessage("CFG", "CFG-PRT", POLL, payload=b"\x01")), ["CFG-PRT", "ACK-ACK"])

    def test_satellites_are_listed(self):
        self.switch(0x01, 0x35, 1)
        told = frames(self.receiver.tell(AT_HOME)[len(NMEAReceiver().tell(AT_HOME, {"RMC", "GGA", "GSA", "GSV"})) :])
        self.assertEqual(UBXReader.parse(told[0]).numSvs, len(SATELLITES))

    def test_nothing_that_is_sent_to_it_stops_it(self):
        noise = random.Random(1)
        for _ in range(300):
            self.receiver.listen(noise.randbytes(noise.randrange(300)) + b"\xb5\x62\x06" + noise.randbytes(9))
        self.assertIn(b"PROTVER", self.receiver.listen(b"\0" * 1100 + UBXMessage("MON", "MON-VER", POLL).serialize()))


class ReceiverTest(unittest.TestCase):
    def test_its_clock_is_wrong_as_asked(self):
        receiver = Receiver()
        receiver.rollover(-1024)
        self.assertEqual((NOON - receiver.epoch(NOON, 0).time).days, 1024 * 7)
        receiver.rollover(0)
        receiver.clock_offset(40)
        self.assertEqual((receiver.epoch(NOON, 0).time - NOON).seconds, 40)

    def test_a_lie_waits_until_somebody_hears_it(self):
        receiver = Receiver()
        receiver.noise(0)
        receiver.jump(300)
        self.assertAlmostEqual(receiver.epoch(NOON, 0).longitude, HOME[1])
        self.assertEqual(receiver.position()["lies"], 0)

    def test_an_unknown_language_is_refused(self):
        with self.assertRaises(ValueError):
            Receiver().protocol("morse")


class CableTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.socket = f"{self.folder.name}/receiver.sock"
        self.connections: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
        self.receiver = Receiver()

    async def listen(self) -> asyncio.Server:
        async def keep(reader, writer):
            await self.connections.put((reader, writer))

        server = await asyncio.start_unix_server(keep, self.socket)
        self.addAsyncCleanup(self.close, server)
        return server

    @staticmethod
    async def close(server: asyncio.Server) -> None:
        server.close()

    async def test_it_goes_on_after_the_machine_was_cut_off(self):
        server = await self.listen()
        for _ in range(2):
            await self.receiver.plug(self.socket)
            reader, writer = await self.connections.get()
            self.receiver.tell(NOON, 0)
            self.assertTrue((await reader.readline()).startswith(b"$GPRMC,120007.00,A,"))
            writer.transport.abort()
            while self.receiver.position()["isPluggedIn"]:
                await asyncio.sleep(0.01)
            self.receiver.tell(NOON, 0)
        self.assertEqual(self.receiver.position()["epochs"], 2)
        server.close()
        with self.assertRaises(OSError):
            await self.receiver.plug(self.socket)

    async def test_what_the_machine_leaves_unread_is_lost(self):
        await self.listen()
        await self.receiver.plug(self.socket)
        _, writer = await self.connections.get()
        writer.transport.pause_reading()
        while not self.receiver.position()["lostEpochs"]:
            self.receiver.tell(NOON, 0)
            self.assertLess(self.receiver.position()["epochs"], 5000)
        self.assertGreater(self.receiver.position()["epochs"], 0)
        writer.transport.abort()

    async def test_silence_and_noise(self):
        await self.listen()
        await self.receiver.plug(self.socket)
        reader, writer = await self.connections.get()
        self.receiver.silence()
        self.receiver.tell(NOON, 0)
        self.receiver.garbage(50)
        self.assertEqual(len(await reader.readexactly(50)), 50)
        self.receiver.speak()
        self.receiver.tell(NOON, 0)
        self.assertTrue((await reader.readline()).startswith(b"$GPRMC"))
        await self.receiver.unplug()
        await reader.read()
        self.assertFalse(self.receiver.position()["isPluggedIn"])
        writer.close()


def frames(data: bytes) -> list[bytes]:
    """UBX frames that follow each other without a gap."""
    found = []
    while data:
        length = 8 + int.from_bytes(data[4:6], "little")
        found.append(data[:length])
        data = data[length:]
    return found
