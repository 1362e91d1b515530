"""What the house is built from: the programs of a build, and the library that gives them the story's clock and card."""

import os
import subprocess
from pathlib import Path

from .. import paths

BUILD = Path(os.environ.get("HOMEWARD_BUILD", paths.REPOSITORY / ".build" / "debug"))
"""Where daemon, command line and plugins lie."""
HERE = Path(__file__).resolve().parent


class NotBuilt(Exception):
    """A program that a story needs is not there."""


def program(name: str) -> Path:
    """A program of the build; NotBuilt when it is not there."""
    path = BUILD / name
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"{path} is not there; make stories builds it")
    return path


def library(folder: Path) -> Path:
    """Compiles clock, sound card and disk into a folder; gives their library."""
    built = folder / "house.so"
    subprocess.run(
        [
            *("cc", "-std=c17", "-D_GNU_SOURCE", "-DPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"),
            *("-o", built, *sorted(HERE.glob("*.c")), "-lasound"),
        ],
        check=True,
    )
    return built


def swift_libraries() -> list[Path]:
    """Folders of Swift's libraries that a build uses which has them not inside; plugins may read them."""
    listed = subprocess.run(["ldd", program("homewardd")], check=True, capture_output=True, text=True).stdout
    found = {
        Path(line.split("=> ")[1].split(" (")[0]).resolve().parent
        for line in listed.splitlines()
        if "swift" in line and "=> /" in line
    }
    return sorted(found)
