"""Draws the pages of a PDF as pictures by Poppler, and compares them with those that were looked at.

pictures.py [--record] FOLDER NAME FILE.pdf

FOLDER holds NAME-1.png and so on, grey, 50 dots to the inch. Pages are the same where no part of them, 16 by 16 dots,
is on the average lighter or darker by more than a little: other versions of the font put their ink a little elsewhere.
"""

import pathlib
import subprocess
import sys
import tempfile

from PIL import Image, ImageChops, ImageStat

DOTS = 50
PART = 16
AT_MOST = 26


def pages(pdf: str, folder: str) -> list[Image.Image]:
    """The pages, as pictures."""
    subprocess.run(["pdftoppm", "-r", str(DOTS), "-gray", "-png", pdf, f"{folder}/page"], check=True)
    return [Image.open(each).convert("L") for each in sorted(pathlib.Path(folder).glob("page*.png"))]


def difference(seen: Image.Image, known: Image.Image) -> str | None:
    """Where two pages differ; None where they are the same."""
    if seen.size != known.size:
        return f"it is {seen.size} large, and was {known.size}"
    apart = ImageChops.difference(seen, known)
    for top in range(0, seen.height, PART):
        for left in range(0, seen.width, PART):
            mean = ImageStat.Stat(apart.crop((left, top, left + PART, top + PART))).mean[0]
            if mean > AT_MOST:
                return f"around {left + PART // 2}, {top + PART // 2} it differs by {mean:.0f} of 255"
    return None


def main() -> int:
    """Compares, or records."""
    words = [each for each in sys.argv[1:] if each != "--record"]
    folder, name, pdf = pathlib.Path(words[0]), words[1], words[2]
    with tempfile.TemporaryDirectory() as scratch:
        seen = pages(pdf, scratch)
        if "--record" in sys.argv:
            for old in folder.glob(f"{name}-*.png"):
                old.unlink()
            for number, page in enumerate(seen, 1):
                page.quantize(16).save(folder / f"{name}-{number}.png", optimize=True)
            return 0
        known = sorted(folder.glob(f"{name}-*.png"))
        faults = [] if len(known) == len(seen) else [f"there are {len(seen)} pages, and were {len(known)}"]
        for path, page in zip(known, seen, strict=False):
            fault = difference(page, Image.open(path).convert("L"))
            faults += [f"{path.name}: {fault}"] if fault else []
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
