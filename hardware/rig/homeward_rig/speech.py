"""Whether a certain sentence was heard in the room: what was recorded, beside what the hub's voice made of it.

Both are looked at as loudness by time and pitch, forty milliseconds and a third of an octave or so at a time, so that
neither the speaker's level, nor its rate, nor a tear of a tenth of a second by the emulator makes it another sentence.
"""

import io
import itertools
import wave
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .sound import RATE, Recording

FRAME = 0.04
STEP = 0.02
"""Seconds that are looked at at once, and from one look to the next."""
EDGES = np.geomspace(150, 5000, 17)
"""Hz between which the loudness is taken."""
FLOOR = 50.0
"""dB below the loudest that still count: what is fainter is the room's."""
LIKE = 0.7
"""From this likeness on it is the same sentence, from -1 to 1; others spoken by the same voice are below 0.5."""


@dataclass(frozen=True)
class Match:
    """Where in a recording a sentence is most likely, and how like it is."""

    seconds: float
    likeness: float


def spectrogram(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    """Loudness in dB, a row for each step, a column for each band."""
    size, step = round(FRAME * rate), round(STEP * rate)
    count = max(0, (len(samples) - size) // step + 1)
    if count == 0:
        return np.zeros((0, len(EDGES) - 1))
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[::step][:count] * np.hanning(size)
    power = np.square(np.abs(np.fft.rfft(frames, axis=1)))
    bins = np.searchsorted(np.fft.rfftfreq(size, 1 / rate), EDGES)
    bands = [power[:, low : max(high, low + 1)].mean(axis=1) for low, high in itertools.pairwise(bins)]
    levels = 10 * np.log10(np.stack(bands, axis=1) + 1e-12)
    return np.asarray(np.maximum(levels, levels.max() - FLOOR))


def sentence(data: bytes) -> NDArray[np.float64]:
    """The spectrogram of a wave file of one channel and 16 bits, such as the hub's voice makes."""
    with wave.open(io.BytesIO(data)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
        return spectrogram(_trimmed(samples), file.getframerate())


def _trimmed(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without the silence around it."""
    loud = np.flatnonzero(np.abs(samples) > 0.02 * np.abs(samples).max(initial=0))
    return samples[loud[0] : loud[-1] + 1] if len(loud) else samples


def find(recording: Recording, wanted: NDArray[np.float64]) -> Match:
    """The place of a recording that is most like a sentence."""
    room = spectrogram(recording.samples, RATE)
    length = len(wanted)
    if length == 0 or len(room) < length:
        return Match(0, -1)
    shape = wanted - wanted.mean()
    norm = np.sqrt(np.square(shape).sum())
    best = Match(0, -1.0)
    for begin in range(len(room) - length + 1):
        window = room[begin : begin + length]
        window = np.maximum(window, window.max() - FLOOR)
        centred = window - window.mean()
        scale = np.sqrt(np.square(centred).sum()) * norm
        likeness = float((centred * shape).sum() / scale) if scale > 0 else -1.0
        if likeness > best.likeness:
            best = Match(begin * STEP, likeness)
    return best


# FNV-1a with 128 bits: what Homeward calls the file of a sentence by. Source: draft-eastlake-fnv-17, sections 2 and 5.
_START, _PRIME = 0x6C62272E07BB014262B821756295C58D, 0x0000000001000000000000000000013B


def file_name(language: str, text: str) -> str:
    """The beginning of the name of the file with a sentence, in the hub's folder of sentences."""
    state = _START
    for byte in language.encode() + b"\xff" + text.encode():
        state = (state ^ byte) * _PRIME % 2**128
    return f"{state:032x}-"
