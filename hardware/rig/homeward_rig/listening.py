"""What a person in the room would say of what is heard: the alarm's tone, a telephone, a voice.

Made for sounds that an emulator may tear for a moment: tenths of a second are judged, and the most of them counts.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .sound import LOBE, RATE, Recording, level, power_spectrum

ALARM_HERTZ = 523.25
"""C5: the alarm tone's fundamental, whose harmonics old ears hear, too."""
FRAME = 0.1
STEP = 0.05
"""Seconds that are judged at once, and from one judgement to the next."""
LOUD = -45.0
"""dBFS: what is fainter is the end of something else."""


@dataclass(frozen=True)
class Moment:
    """A tenth of a second."""

    time: float
    """Seconds from the recording's beginning."""
    level: float
    alarm_share: float
    """How much of its power lies on the alarm tone and its harmonics, 0 to 1."""
    low_share: float
    """How much of its power lies below 450 Hz, where voices have their pitch, and bells and signals nothing."""

    @property
    def is_loud(self) -> bool:
        return self.level >= LOUD

    @property
    def is_alarm(self) -> bool:
        """Whether it is the alarm's tone."""
        return self.is_loud and self.alarm_share >= 0.8

    @property
    def is_something_else(self) -> bool:
        """Whether it is loud, and not the alarm's tone."""
        return self.is_loud and self.alarm_share < 0.6


def moments(recording: Recording) -> list[Moment]:
    """A recording in tenths of a second that overlap by half."""
    size, step = round(FRAME * RATE), round(STEP * RATE)
    found = []
    for begin in range(0, len(recording.samples) - size + 1, step):
        samples = recording.samples[begin : begin + size]
        loudness = level(samples)
        share = low = 0.0
        if loudness >= LOUD:
            power = power_spectrum(samples)
            share, low = _share(power, size), float(power[: round(450 * size / RATE)].sum() / power.sum())
        found.append(Moment(begin / RATE, loudness, share, low))
    return found


def _share(power: NDArray[np.float64], size: int) -> float:
    """The part of a spectrum's power that lies on the alarm tone's harmonics."""
    whole = float(power.sum())
    own = np.zeros(len(power), bool)
    for number in range(1, int(5000 / ALARM_HERTZ)):
        bin = round(number * ALARM_HERTZ * size / RATE)
        own[max(0, bin - LOBE) : bin + LOBE + 1] = True
    return float(power[own].sum()) / whole if whole > 0 else 0.0


@dataclass(frozen=True)
class Stretch:
    """Some time in which something was heard."""

    begin: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.begin

    def __str__(self) -> str:
        return f"{self.begin:.1f} to {self.end:.1f} s"


def stretches(seen: Sequence[Moment], is_it: Callable[[Moment], bool], longest_pause: float) -> list[Stretch]:
    """Where a sound went on, pauses up to `longest_pause` seconds within it included."""
    found: list[Stretch] = []
    for moment in seen:
        if not is_it(moment):
            continue
        end = moment.time + FRAME
        if found and moment.time - found[-1].end <= longest_pause:
            found[-1] = Stretch(found[-1].begin, end)
        else:
            found.append(Stretch(moment.time, end))
    return found


def alarm_tones(recording: Recording) -> list[Stretch]:
    """Where the alarm's bursts sounded, one after the other."""
    return stretches(moments(recording), lambda moment: moment.is_alarm, 1.0)


def voices(recording: Recording) -> list[Stretch]:
    """Where somebody spoke: a second or more of loud sound that is no alarm's tone, with the depth of a voice."""
    seen = moments(recording)
    found = []
    for stretch in stretches(seen, lambda moment: moment.is_something_else, 0.6):
        own = [each.low_share for each in seen if stretch.begin <= each.time < stretch.end and each.is_something_else]
        if stretch.seconds >= 1 and np.mean(own) > 0.05:
            found.append(stretch)
    return found


def announced_voices(recording: Recording) -> list[Stretch]:
    """Where a chime sounded and somebody spoke right after it; from the chime's beginning to the voice's end."""
    seen = moments(recording)
    found = []
    for chime in stretches(seen, lambda moment: moment.is_loud and moment.low_share < 0.01, 0.15):
        after = [each for each in seen if chime.end <= each.time < chime.end + 2 and each.is_loud]
        speaks = len(after) * STEP >= 0.6 and float(np.mean([each.low_share for each in after])) > 0.05
        if chime.seconds >= 0.4 and speaks:
            found.append(Stretch(chime.begin, after[-1].time + FRAME))
    return found


def harmonics(recording: Recording, stretch: Stretch) -> dict[int, float]:
    """Of the alarm's tone in a stretch: dB of each harmonic beside the fundamental's, the fundamental being 1."""
    size = round(FRAME * RATE)
    sums = np.zeros(9)
    for moment in moments(recording):
        if stretch.begin <= moment.time < stretch.end and moment.is_alarm:
            begin = round(moment.time * RATE)
            power = power_spectrum(recording.samples[begin : begin + size])
            for number in range(1, len(sums)):
                bin = round(number * ALARM_HERTZ * size / RATE)
                sums[number] += power[bin - LOBE : bin + LOBE + 1].sum()
    if sums[1] <= 0:
        return {}
    return {number: 10 * float(np.log10(max(sums[number], 1e-12) / sums[1])) for number in range(1, len(sums))}


RINGS = {
    "China": (1.0, 4.0),
    "France": (1.5, 3.5),
    "Germany": (1.0, 4.0),
    "Great Britain": (0.4, 0.2, 0.4, 2.0),
    "Japan": (1.0, 2.0),
    "the United States": (2.0, 4.0),
}
"""Seconds of ringing and silence in turn, by country; from the cadences of Asterisk's indications.conf."""


def bursts(recording: Recording, threshold: float = LOUD) -> list[Stretch]:
    """Where it was loud, to a hundredth of a second; what is away for less than a tenth has not ended."""
    step = RATE // 100
    count = len(recording.samples) // step
    energy = np.square(recording.samples[: count * step]).reshape(count, step).mean(axis=1)
    is_loud = 2 * energy > 10 ** (threshold / 10)
    found: list[Stretch] = []
    for number in np.flatnonzero(is_loud):
        begin = float(number) / 100
        if found and begin - found[-1].end < 0.1:
            found[-1] = Stretch(found[-1].begin, begin + 0.01)
        else:
            found.append(Stretch(begin, begin + 0.01))
    return found


def longest_silence(recording: Recording) -> float:
    """Seconds of the longest time in which nothing was loud, from the recording's beginning to its end."""
    heard = bursts(recording)
    begins = [*(burst.begin for burst in heard), recording.seconds]
    ends = [0.0, *(burst.end for burst in heard)]
    return max(begin - end for begin, end in zip(begins, ends, strict=True))


def rings_as(recording: Recording, cadence: Sequence[float], tolerance: float = 0.08) -> str:
    """What is wrong with a ringing telephone, in words; nothing when it rings in this cadence, twice at least."""
    heard = bursts(recording)
    numbers = [
        number for burst, after in itertools.pairwise(heard) for number in (burst.seconds, after.begin - burst.end)
    ]
    times = ", ".join(f"{number:.2f}" for number in numbers[:12]) or "nothing that rings"
    # Whatever sounded before it began to ring is passed over; so is what is heard of a ring that was cut short.
    for start in range(0, len(numbers) - 2 * len(cadence) + 1, 2):
        wanted = [*cadence, *cadence]
        if all(
            abs(number - want) <= tolerance + 0.03 * want for number, want in zip(numbers[start:], wanted, strict=False)
        ):
            return ""
    return f"it should ring for {', '.join(map(str, cadence))} s in turn, and was heard for {times}"
