"""Makes and compares pictures with an independent program: `studio.py make DIRECTORY`, `studio.py same ONE OTHER`,
`studio.py same-colours ONE OTHER`."""

import io
import struct
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageCms

TOLD = [
    "-GPSLatitude=59.91273",
    "-GPSLatitudeRef=N",
    "-GPSLongitude=10.74609",
    "-GPSLongitudeRef=E",
    "-n",
    "-Orientation=6",
    "-Artist=Secret Name",
    "-Make=Camera",
    "-DateTimeOriginal=2026:11:21 03:00:00",
    "-XMP:City=Secret Town",
    "-XMP:GPSLatitude=59.91273",
    "-Comment=Secret comment",
]
"""What a telephone tells beside the picture, and more."""


def colours(size: tuple[int, int]) -> Image.Image:
    """A picture in which no two corners are alike."""
    picture = Image.new("RGB", size)
    picture.putdata(
        [(x * 255 // size[0], y * 255 // size[1], (x * y) % 256) for y in range(size[1]) for x in range(size[0])]
    )
    return picture


def make(directory: Path) -> None:
    """One picture of each kind, each also with everything that a telephone tells."""
    picture = colours((97, 61))
    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture.save(directory / "baseline.jpg", quality=80)
    picture.save(directory / "progressive.jpg", quality=80, progressive=True)
    picture.save(directory / "profile.jpg", quality=80, icc_profile=icc, dpi=(300, 300))
    (directory / "profile.icc").write_bytes(icc)
    (directory / "described.icc").write_bytes(described(icc))
    picture.convert("L").save(directory / "grey.jpg")
    picture.convert("CMYK").save(directory / "cmyk.jpg")
    colours((1, 1)).save(directory / "dot.jpg")
    picture.save(directory / "colour.png", dpi=(300, 300))
    picture.convert("P").save(directory / "palette.png", transparency=3)
    picture.convert("RGBA").save(directory / "alpha.png")
    picture.convert("1").save(directory / "bits.png")
    picture.convert("I").point(lambda level: level * 256).convert("I;16").save(directory / "deep.png")
    colours((1, 1)).save(directory / "dot.png")
    for kind, more in (("jpg", "-IPTC:City=Secret Town"), ("png", "-PNG:Title=Secret title")):
        told = []
        for path in sorted(directory.glob(f"*.{kind}")):
            told.append(directory / f"told-{path.name}")
            told[-1].write_bytes(path.read_bytes())
        subprocess.run(["exiftool", "-q", "-overwrite_original", *TOLD, more, *map(str, told)], check=True)


def described(icc: bytes) -> bytes:
    """The profile with an element more, which holds a text."""
    text = b"text\0\0\0\0GPS 59.9139 <script> 14 Secret St\0"
    count = struct.unpack(">I", icc[128:132])[0]
    entries = [struct.unpack(">4sII", icc[132 + 12 * i : 144 + 12 * i]) for i in range(count)]
    body = icc[132 + 12 * count :]
    moved = [(name, place + 12, size) for name, place, size in entries]
    moved.append((b"dmdd", 132 + 12 * (count + 1) + len(body), len(text)))
    table = struct.pack(">I", count + 1) + b"".join(struct.pack(">4sII", *entry) for entry in moved)
    whole = icc[:128] + table + body + text
    return struct.pack(">I", len(whole)) + whole[4:]


def same_colours(one: Path, other: Path) -> int:
    """0 when both files show the same colours on a screen, by the profiles that they hold."""
    shown = []
    for path in (one, other):
        with Image.open(path) as picture:
            profile = ImageCms.ImageCmsProfile(io.BytesIO(picture.info["icc_profile"]))
            wide = ImageCms.createProfile("LAB")
            shown.append(ImageCms.profileToProfile(picture, profile, wide, outputMode="LAB").tobytes())
    return 0 if shown[0] == shown[1] else 1


def same(one: Path, other: Path) -> int:
    """0 when both files show the same pixels in the same way."""
    with Image.open(one) as left, Image.open(other) as right:
        left.load()
        right.load()
        alike = left.mode == right.mode and left.size == right.size and left.tobytes() == right.tobytes()
        turned = left.getexif().get(0x0112, 1) == right.getexif().get(0x0112, 1)
        clear = left.info.get("transparency") == right.info.get("transparency")
        return 0 if alike and turned and clear else 1


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    elif sys.argv[1] == "same-colours":
        sys.exit(same_colours(Path(sys.argv[2]), Path(sys.argv[3])))
    else:
        sys.exit(same(Path(sys.argv[2]), Path(sys.argv[3])))
