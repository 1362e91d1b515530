"""Makes every capture of this folder anew; with the same seeds the same bytes.

python3 Tests/Captures [--check]

`--check` writes nothing, names what differs, and ends with 1 then.
"""

import pathlib
import sys

import daylight
import meters
import outings
import receivers
import shapes
import tags

GENERATORS = (daylight, meters, outings, receivers, shapes, tags)
FOLDER = pathlib.Path(__file__).parent


def captures():
    """Paths below this folder and what their files hold."""
    return {path: content for generator in GENERATORS for path, content in generator.captures().items()}


def main():
    stale = []
    for path, content in captures().items():
        file = FOLDER / path
        if file.exists() and file.read_bytes() == content:
            continue
        stale.append(path)
        if "--check" not in sys.argv[1:]:
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)
    print("\n".join(stale) or "Every capture is what its generator makes.")
    if stale and "--check" in sys.argv[1:]:
        sys.exit(1)


if __name__ == "__main__":
    main()
