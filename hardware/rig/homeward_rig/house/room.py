"""The room of a story: what its sound card recorded, and the silence since."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..sound import HEADER, RATE, Recording, as_wave, from_frames, silence

if TYPE_CHECKING:
    from .machine import House

CHANNELS = 2
_FRAME_BYTES = 2 * CHANNELS
LONGEST_SILENCE = 60.0
"""Seconds of silence between two sounds that are kept; card.c keeps no more."""


def prepare(file: Path) -> None:
    """Makes an empty recording, to which the card adds what sounds."""
    header = bytearray(as_wave(silence(0)))
    header[22:24] = CHANNELS.to_bytes(2, "little")
    header[28:32] = (RATE * _FRAME_BYTES).to_bytes(4, "little")
    header[32:34] = _FRAME_BYTES.to_bytes(2, "little")
    file.write_bytes(header)


class StoryRoom:
    """Within a sound its own time counts, and between sounds the story's: a card that hurries changes neither."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._spoken = 0

    def listen(self) -> None:
        """Begins to listen."""
        self.forget()

    def heard(self) -> Recording:
        """Everything that the story has not spoken of yet."""
        with open(self._house.recording, "rb") as file:
            file.seek(HEADER + self._spoken * _FRAME_BYTES)
            samples = from_frames(file.read(), CHANNELS)
        whole = round(min(self._house.silent_for, LONGEST_SILENCE) * RATE)
        before = max(0, self._spoken - self._frames())
        return Recording(np.concatenate([samples, silence((whole - before) / RATE)]) if whole > before else samples)

    def speak_of(self, seconds: float) -> None:
        """Marks so many seconds of what was heard as spoken of."""
        self._spoken += round(seconds * RATE)

    def forget(self) -> None:
        """Marks all that was heard so far as spoken of."""
        whole = self._frames() + round(min(self._house.silent_for, LONGEST_SILENCE) * RATE)
        self._spoken = max(self._spoken, whole)

    def _frames(self) -> int:
        return (self._house.recording.stat().st_size - HEADER) // _FRAME_BYTES
