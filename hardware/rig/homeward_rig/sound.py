"""What the hub's speaker plays, heard and measured; and sounds made up for its microphone.

The emulator writes the speaker's sound to a file while it plays, and would leave out the time in which nothing plays. A
second sound device that nobody uses, an FM synthesiser kept running without a note, makes it write silence then: so the
file is the time of the room. Samples are floats from -1 to 1, one channel. Levels are in dBFS as AES17 has it: the RMS
level, and 0 dBFS is a sine of full scale.
"""

import io
import itertools
import threading
import time
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .bench.machine import Bench
from .virtual_machine import VirtualMachine

Samples = NDArray[np.float64]

RATE = 48000
"""Samples a second of everything heard and made here."""
SILENCE = -60.0
"""dBFS: what is fainter is silence."""
SHORTEST_PAUSE = 0.008
"""Seconds: a sound that is away for less has not ended; that it is damaged shows in `Tone.impurity`."""
HEADER = 44
"""Bytes of a wave file before its samples; what they say is not right before the emulator has ended."""


def level(samples: Samples) -> float:
    """Level in dBFS; -inf for digital silence and for nothing."""
    power = float(np.mean(np.square(samples))) if len(samples) else 0.0
    return 10 * float(np.log10(2 * power)) if power > 0 else float("-inf")


def tone(frequency: float, seconds: float, level: float = -6, harmonics: Sequence[float] = ()) -> Samples:
    """A sine of that many Hz and dBFS; `harmonics` are the levels of the second, third … in dB beside the first's."""
    moments = np.arange(round(seconds * RATE)) / RATE
    amplitude = 10 ** (level / 20)
    parts = [0.0, *harmonics]
    return np.asarray(
        sum(
            amplitude * 10 ** (part / 20) * np.sin(2 * np.pi * frequency * (number + 1) * moments)
            for number, part in enumerate(parts)
        )
    )


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE))


def as_wave(samples: Samples) -> bytes:
    """A wave file: one channel, 16 bits, 48 kHz. What is beyond full scale is clipped."""
    file = io.BytesIO()
    with wave.open(file, "wb") as output:
        output.setnchannels(1)
        output.setsampwidth(2)
        output.setframerate(RATE)
        output.writeframes(np.round(np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return file.getvalue()


def from_wave(data: bytes) -> Samples:
    """Samples of a wave file of 48 kHz and 16 bits, finished or still being written; channels are averaged."""
    channels = int.from_bytes(data[22:24], "little") or 1
    return from_frames(data[HEADER:], channels)


def from_frames(data: bytes, channels: int) -> Samples:
    """Samples of 16-bit frames, their channels averaged; a frame that is cut off at the end is left out."""
    whole = len(data) // (2 * channels) * 2 * channels
    return np.frombuffer(data[:whole], "<i2").reshape(-1, channels).mean(axis=1) / 32768


@dataclass(frozen=True)
class Tone:
    """What a sound is made of."""

    partials: Sequence[tuple[float, float]]
    """Hz and dBFS of each pure tone in it, lowest first, down to 30 dB below the strongest."""
    impurity: float
    """Of the worst fifth of a second, dB beside the whole: clicks, gaps, clipping, noise. A clean tone is below -30.

    The first and last 20 ms count for little.
    """

    @property
    def fundamental(self) -> float:
        """Hz of the lowest partial that is at most 20 dB below the strongest; 0 when there is none."""
        strongest = max((strength for _, strength in self.partials), default=0)
        return next((frequency for frequency, strength in self.partials if strength >= strongest - 20), 0.0)

    @property
    def harmonics(self) -> dict[int, float]:
        """Number of each harmonic, the fundamental being 1, to its level in dB beside the fundamental's."""
        base = self.fundamental
        own = next((strength for frequency, strength in self.partials if frequency == base), 0.0)
        return {
            round(frequency / base): strength - own
            for frequency, strength in self.partials
            if round(frequency / base) >= 1 and abs(frequency - round(frequency / base) * base) <= 0.02 * base
        }


LOBE = 4
"""Half of the width, in bins, of what a pure tone is in a spectrum seen through a Blackman-Harris window."""
BLOCK = 0.2
"""Seconds that are judged at once for purity: in less, tones 40 Hz apart would disturb each other."""


def power_spectrum(samples: Samples) -> Samples:
    """Power for each bin of RATE / len(samples) Hz; the bins of a full-scale sine add up to 1. Below 40 Hz it is 0."""
    phase = 2 * np.pi * np.arange(len(samples)) / len(samples)
    window = 0.35875 - 0.48829 * np.cos(phase) + 0.14128 * np.cos(2 * phase) - 0.01168 * np.cos(3 * phase)
    power = 4 * np.abs(np.fft.rfft(samples * window)) ** 2 / (len(samples) * np.sum(window**2))
    power[: int(40 * len(samples) / RATE) + LOBE] = 0
    return np.asarray(power)


def peaks(power: Samples) -> list[tuple[int, float]]:
    """The pure tones of a power spectrum, strongest first, down to 30 dB below it: bin and power."""
    rest = power.copy()
    found: list[tuple[int, float]] = []
    while len(found) < 50:
        peak = int(np.argmax(rest))
        own = float(rest[max(0, peak - LOBE) : peak + LOBE + 1].sum())
        if own <= (found[0][1] * 1e-3 if found else 0):
            break
        # The foot of a stronger one is no tone of its own.
        if power[peak] >= power[max(0, peak - 1) : peak + 2].max():
            found.append((peak, own))
        rest[max(0, peak - LOBE) : peak + LOBE + 1] = 0
    return found


def analyse(samples: Samples) -> Tone:
    """What a sound is made of: of 30 ms at least. Tones closer than 8 / (its seconds) Hz are not told apart."""
    power = power_spectrum(samples)
    hertz = np.arange(len(power)) * RATE / len(samples)
    partials = []
    for peak, own in peaks(power):
        lobe = slice(max(0, peak - LOBE), peak + LOBE + 1)
        # The centre of gravity lies between the bins, as the tone does.
        partials.append((float((hertz[lobe] * power[lobe]).sum() / power[lobe].sum()), 10 * float(np.log10(own))))
    block = min(len(samples), round(BLOCK * RATE))
    beginnings = [*range(0, len(samples) - block, block // 2), len(samples) - block]
    worst = max(impurity(samples[beginning : beginning + block]) for beginning in beginnings)
    return Tone(tuple(sorted(partials)), worst)


def impurity(samples: Samples) -> float:
    """What is left in dB beside the whole when the pure tones are taken away."""
    power = power_spectrum(samples)
    whole = float(power.sum())
    for peak, _ in peaks(power):
        power[max(0, peak - LOBE) : peak + LOBE + 1] = 0
    left = float(power.sum())
    return 10 * float(np.log10(left / whole)) if left > 0 else float("-inf")


@dataclass(frozen=True)
class Sound:
    """A stretch without a pause."""

    begin: float
    end: float
    """Seconds from the recording's beginning."""
    samples: Samples

    @property
    def seconds(self) -> float:
        return self.end - self.begin

    @property
    def level(self) -> float:
        """dBFS."""
        return level(self.samples)

    @property
    def clipped(self) -> float:
        """Share of its samples at full scale."""
        return float(np.mean(np.abs(self.samples) >= 0.999)) if len(self.samples) else 0.0

    def tone(self) -> Tone:
        """What it is made of, its first and last 5 ms left out; ValueError when it is too short to say."""
        edge = round(0.005 * RATE)
        inner = self.samples[edge:-edge]
        if len(inner) < 0.03 * RATE:
            raise ValueError(f"a sound of {self.seconds * 1000:.0f} ms is too short to tell its pitch")
        return analyse(inner)

    def __str__(self) -> str:
        pitch = "a click"
        if self.seconds >= 0.05:
            made_of = self.tone()
            pitch = f"{made_of.fundamental:.0f} Hz" + (", not clean" if made_of.impurity > -30 else "")
        return f"{self.seconds:.2f} s of {pitch} at {self.level:.0f} dBFS"


@dataclass(frozen=True)
class Recording:
    """Sound in the time of the room."""

    samples: Samples

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE

    @property
    def level(self) -> float:
        """dBFS of all of it, pauses too."""
        return level(self.samples)

    def sounds(self, threshold: float = SILENCE) -> list[Sound]:
        """The sounds that are louder than `threshold` dBFS, parted by pauses of `SHORTEST_PAUSE` or more."""
        step = RATE // 1000
        width = 4
        count = len(self.samples) // step
        if count < width:
            return []
        energy = np.square(self.samples[: count * step]).reshape(count, step).mean(axis=1)
        # Each millisecond is as loud as the loudest four that it is part of: low tones have quiet milliseconds.
        loudness = np.convolve(energy, np.ones(width) / width, "valid")
        is_loud = np.zeros(count, bool)
        for first in np.flatnonzero(2 * loudness > 10 ** (threshold / 10)):
            is_loud[first : first + width] |= 2 * energy[first : first + width] > 10 ** (threshold / 10) / 100
        edges = np.flatnonzero(np.diff(np.concatenate(([0], is_loud.astype(int), [0]))))
        spans: list[list[int]] = []
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            if spans and begin - spans[-1][1] < SHORTEST_PAUSE * 1000:
                spans[-1][1] = int(end)
            else:
                spans.append([int(begin), int(end)])
        return [Sound(begin / 1000, end / 1000, self.samples[begin * step : end * step]) for begin, end in spans]

    def pauses(self, threshold: float = SILENCE) -> list[float]:
        """Seconds between its sounds."""
        sounds = self.sounds(threshold)
        return [after.begin - before.end for before, after in itertools.pairwise(sounds)]

    def __str__(self) -> str:
        return ", ".join(map(str, self.sounds())) or "nothing"


LONGEST_STALL = 1.0
"""Seconds without any new sound after which the time that went by is silence.

A card that is held open and given nothing keeps the emulator's recording from growing.
"""


class RoomClock(threading.Thread):
    """Notes how long the recording was when, so that time in which it did not grow is known."""

    def __init__(self, file: Path) -> None:
        super().__init__(daemon=True)
        self._file = file
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._grown_at = time.monotonic()
        self._length = self._samples()
        self._stalls: list[list[float]] = []
        """Sample at which the recording stood still, and for how many seconds; the last one may go on."""

    def run(self) -> None:
        while not self._ended.wait(0.05):
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Notes the recording's length at a moment."""
        length = self._samples()
        with self._lock:
            if length > self._length:
                self._length, self._grown_at = length, now
                return
            stalled = now - self._grown_at
            if stalled < LONGEST_STALL:
                return
            if self._stalls and self._stalls[-1][0] == length:
                self._stalls[-1][1] = stalled
            else:
                self._stalls.append([length, stalled])

    def stop(self) -> None:
        self._ended.set()

    def in_time(self, samples: Samples) -> Samples:
        """The recording with silence in the place of time in which it stood still."""
        with self._lock:
            stalls = [(int(position), seconds) for position, seconds in self._stalls]
        parts, begin = [], 0
        for position, seconds in stalls:
            parts += [samples[begin:position], silence(seconds)]
            begin = position
        return np.concatenate([*parts, samples[begin:]])

    def _samples(self) -> int:
        try:
            header = self._file.open("rb").read(HEADER)
            channels = int.from_bytes(header[22:24], "little") or 1
            return max(0, self._file.stat().st_size - HEADER) // (2 * channels)
        except OSError:
            return 0


class Room:
    """The room that the speaker stands in: what is heard there, and how far the story has spoken of it."""

    # Any write to the synthesiser's address register keeps it running.
    SYNTHESISER_PORT = 0x388

    def __init__(self, machine: VirtualMachine | Bench) -> None:
        self._machine = machine
        self._spoken = 0
        self._clock: RoomClock | None = None

    @property
    def file(self) -> Path:
        """What is recorded since the hub was last switched on."""
        return self._machine.recording

    def listen(self, timeout: float = 5) -> None:
        """Begins to listen; again after each power cut."""
        # A real room goes on by itself.
        if not isinstance(self._machine, Bench):
            self._machine.run(
                "/bin/dd",
                "of=/dev/port",
                "bs=1",
                "conv=notrunc",
                "status=none",
                f"seek={self.SYNTHESISER_PORT}",
                data=b"\0",
            )
        length = self.file.stat().st_size
        end = time.monotonic() + timeout
        # It grows at once, unless the hub has the card open already and gives it nothing: that is silence.
        while self.file.stat().st_size <= max(length, HEADER) and time.monotonic() < end:
            time.sleep(0.05)
        if self._clock:
            self._clock.stop()
        self._clock = RoomClock(self.file)
        self._clock.start()
        self.forget()

    def heard(self) -> Recording:
        """Everything that the story has not spoken of yet."""
        samples = from_wave(self.file.read_bytes())
        if self._clock:
            samples = self._clock.in_time(samples)
        return Recording(samples[self._spoken :])

    def speak_of(self, seconds: float) -> None:
        """Marks so many seconds of what was heard as spoken of."""
        self._spoken += round(seconds * RATE)

    def forget(self) -> None:
        """Marks all that was heard so far as spoken of."""
        self.speak_of(self.heard().seconds)
