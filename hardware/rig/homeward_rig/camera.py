"""Pictures that the hub's camera took."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

BLACK = 16
"""Luma of black: BT.601 keeps what is below to itself."""


@dataclass(frozen=True)
class Picture:
    """Luma of each point, 0 to 255, a row for each line."""

    luma: NDArray[np.uint8]

    @classmethod
    def from_yuyv(cls, data: bytes, width: int, height: int) -> "Picture":
        """Of YUYV, two bytes a point, the first its luma; ValueError when the size is not right."""
        if len(data) != 2 * width * height:
            raise ValueError(f"a picture of {width} by {height} points has {2 * width * height} bytes, not {len(data)}")
        return cls(np.frombuffer(data, np.uint8)[::2].reshape(height, width))

    @classmethod
    def from_jpeg(cls, data: bytes) -> "Picture":
        """Of a JPEG file; ValueError when it is none, or cut short."""
        if not (data.startswith(b"\xff\xd8") and data.rstrip(b"\0").endswith(b"\xff\xd9")):
            raise ValueError(f"{len(data)} bytes that begin with {data[:4].hex()} are no whole JPEG file")
        try:
            with Image.open(io.BytesIO(data), formats=["JPEG"]) as image:
                return cls(np.asarray(image.convert("L")))
        except OSError as error:
            raise ValueError(f"a JPEG file that cannot be read: {error}") from None

    @property
    def size(self) -> tuple[int, int]:
        """Points across and down."""
        height, width = self.luma.shape
        return width, height

    @property
    def brightness(self) -> float:
        """Mean luma."""
        return float(self.luma.mean())

    @property
    def contrast(self) -> float:
        """Standard deviation of the luma: 0 for one grey everywhere."""
        return float(self.luma.std())

    @property
    def is_black(self) -> bool:
        """Whether at most one point in a hundred is brighter than near black."""
        return bool(np.mean(self.luma > BLACK + 8) <= 0.01)

    def save(self, file: Path) -> None:
        """Writes it as a portable grey map, which every viewer of pictures shows."""
        width, height = self.size
        file.write_bytes(b"P5 %d %d 255\n" % (width, height) + self.luma.tobytes())
