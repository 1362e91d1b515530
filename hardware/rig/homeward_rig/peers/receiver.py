"""A GPS receiver on a USB cable, and the person who carries it.

It reports once a second, in real time, where the person is: with an error that wanders, the same for the same seed.
Home is in the South Pacific, far from everybody. Actions, with lengths in metres, speeds in metres per second and
directions in degrees from north over east:

    plug {path}  unplug                      the cable; `path` is the machine's socket
    protocol {name}                          "nmea" (as after the start) or "ubx", a receiver of the u-blox kind;
                                             from the next plugging in
    stand {meters, bearing}                  the person is there at once
    walk {meters, bearing, speed}            the person sets out to a place so far from home; answers the seconds
    walk-home {speed}                        and back
    follow {way, speed}                      the same along places, each by metres and direction from home
    jump {meters, bearing}                   the next fix, and it alone, lies by so much
    noise {meters, seed}                     standard deviation of the error in each direction
    accuracy {meters}                        the error that the receiver states, whatever it is
    lose-fix  regain-fix                     it sees no sky and says so
    silence  speak                           it says nothing at all, though plugged in
    rollover {weeks}                         its week counter is so far off; 0 is right, -1024 is usual
    clock-offset {seconds}                   its clock is fast by so much
    garbage {count}                          so many bytes without a meaning, now
    position                                 where the person is, and what the receiver did so far
    tell-at {utc, now}                       with the option --told it has no seconds of its own, and reports now, at
                                             that moment of the wall clock and of the steady one
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ..control import action
from ..gps.epoch import Epoch, Noise
from ..gps.nmea import NMEAReceiver
from ..gps.ublox import UBloxReceiver
from ..gps.walker import Place, Walker
from . import program

log = logging.getLogger("receiver")

KINDS = {"nmea": NMEAReceiver, "ubx": UBloxReceiver}

# How long after the beginning of a second a receiver has worked out where it was then.
LATENCY_SECONDS = 0.05
# What a machine leaves unread is lost beyond this, as on a serial line.
UNREAD_BYTES = 8192


class Receiver:
    """The receiver, its cable and its bearer."""

    def __init__(self, seed: int = 1, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._walker = Walker()
        self._noise = Noise(seed, meters=1.5)
        self._garbage = random.Random(seed)
        self._accuracy = 4.0
        self._kind = "nmea"
        self._module = NMEAReceiver()
        self._has_fix = True
        self._is_silent = False
        self._rollover = timedelta()
        self._offset = timedelta()
        self._lie: Place | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._counts = {"epochs": 0, "lies": 0, "heardBytes": 0, "lostEpochs": 0}

    # Cable

    @action
    async def plug(self, path: str) -> None:
        """Powers up at the machine's socket; OSError when there is none."""
        await self.unplug()
        reader, self._writer = await asyncio.open_unix_connection(path)
        self._module = KINDS[self._kind]()
        self._reading = asyncio.create_task(self._listen(reader, self._writer))

    @action
    async def unplug(self) -> None:
        """Powers down; a receiver that is not plugged in stays so."""
        reading, writer, self._reading, self._writer = self._reading, self._writer, None, None
        if reading is not None:
            reading.cancel()
        if writer is not None:
            writer.close()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(4096):
                self._counts["heardBytes"] += len(data)
                if answer := self._module.listen(data):
                    writer.write(answer)
        except ConnectionError as error:
            log.info("the cable: %s", error)
        # The machine was switched off: a receiver without power waits to be plugged in again.
        writer.close()
        if self._writer is writer:
            self._writer = self._reading = None

    # Person

    @action
    def stand(self, meters: float = 0, bearing: float = 90) -> None:
        self._walker.stand(Place.at(meters, bearing))

    @action
    def walk(self, meters: float, bearing: float = 90, speed: float = 1.5) -> float:
        return self.follow([[meters, bearing]], speed)

    @action
    def follow(self, way: list[list[float]], speed: float = 1.5) -> float:
        return self._walker.walk([Place.at(*place) for place in way], speed, self._steady())

    @action
    def walk_home(self, speed: float = 1.5) -> float:
        return self.walk(0, 0, speed)

    # Sight of the sky

    @action
    def protocol(self, name: str) -> None:
        if name not in KINDS:
            raise ValueError(f"a receiver speaks {' or '.join(KINDS)}")
        self._kind = name

    @action
    def jump(self, meters: float, bearing: float = 90) -> None:
        self._lie = Place.at(meters, bearing)

    @action
    def noise(self, meters: float, seed: int = 1) -> None:
        self._noise = Noise(seed, meters)

    @action
    def accuracy(self, meters: float) -> None:
        self._accuracy = meters

    @action
    def lose_fix(self) -> None:
        self._has_fix = False

    @action
    def regain_fix(self) -> None:
        self._has_fix = True

    @action
    def silence(self) -> None:
        self._is_silent = True

    @action
    def speak(self) -> None:
        self._is_silent = False

    # Clock

    @action
    def rollover(self, weeks: int = -1024) -> None:
        self._rollover = timedelta(weeks=weeks)

    @action
    def clock_offset(self, seconds: float) -> None:
        self._offset = timedelta(seconds=round(seconds))

    # Line

    @action
    def garbage(self, count: int = 200) -> None:
        self._send(self._garbage.randbytes(count))

    @action
    def position(self) -> dict[str, Any]:
        now = self._steady()
        place = self._walker.place(now)
        latitude, longitude = place.degrees
        return {
            "metersFromHome": place.meters_from_home,
            "latitude": latitude,
            "longitude": longitude,
            "isWalking": self._walker.is_walking(now),
            "isPluggedIn": self._writer is not None,
            "speaksUBX": getattr(self._module, "speaks_ubx", False),
            **self._counts,
        }

    # Seconds

    async def report(self) -> None:
        """Tells each second as it comes."""
        while True:
            await asyncio.sleep(1 - (time.time() - LATENCY_SECONDS) % 1)
            self.tell(datetime.now(UTC).replace(microsecond=0), time.monotonic() - LATENCY_SECONDS)

    def tell(self, utc: datetime, now: float) -> None:
        """Sends what is believed at a moment, given on both clocks."""
        epoch = self.epoch(utc, now)
        if not self._is_silent and self._send(self._module.tell(epoch)):
            self._counts["epochs"] += 1

    def epoch(self, utc: datetime, now: float) -> Epoch:
        """What is believed at a moment; a lie is told once."""
        place = self._walker.place(now).moved(*self._noise.step())
        if self._lie is not None and self._writer is not None and self._has_fix and not self._is_silent:
            place, self._lie = place.moved(self._lie.east, self._lie.north), None
            self._counts["lies"] += 1
        latitude, longitude = place.degrees
        return Epoch(
            time=utc + self._rollover + self._offset,
            has_fix=self._has_fix,
            latitude=latitude,
            longitude=longitude,
            speed=self._walker.speed(now),
            course=self._walker.course(now),
            accuracy=self._accuracy,
        )

    def _send(self, data: bytes) -> bool:
        if self._writer is None:
            return False
        if self._writer.transport.get_write_buffer_size() > UNREAD_BYTES:
            self._counts["lostEpochs"] += 1
            return False
        self._writer.write(data)
        return True


class Told(Receiver):
    """A receiver whose seconds are told to it, in a story whose time leaps."""

    def __init__(self, seed: int = 1) -> None:
        self._now = 0.0
        super().__init__(seed, lambda: self._now)

    @action
    def tell_at(self, utc: float, now: float) -> None:
        self._now = now
        self.tell(datetime.fromtimestamp(utc, UTC).replace(microsecond=0), now)


def main() -> None:
    parser = program.argument_parser("A GPS receiver and the person who carries it.")
    parser.add_argument("--seed", type=int, default=1, help="what the receiver's error is made from")
    parser.add_argument("--told", action="store_true", help="reports when it is told to, and not by itself")
    arguments = parser.parse_args()
    control: Path = arguments.control
    if arguments.told:
        program.run(Told(arguments.seed), control)
        return
    receiver = Receiver(arguments.seed)
    program.run(receiver, control, receiver.report)


if __name__ == "__main__":
    main()
