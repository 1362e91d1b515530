"""Makes addresses, a map and walking routes of one OpenStreetMap extract, for a gateway that asks nobody outside.

    importer.py [--plan] EXTRACT FOLDER

Tells what it does by a line of JSON each: `{"plan": {…}}` first, `{"step": …, "part": 0…1}`, and at the end
`{"done": {…}}` or `{"error": …}`. What was finished before an interruption is not done again. The new set takes the
place of the old one at once, when all of it is there: whoever reads has the one or the other.
"""

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

# What reads extracts, and what makes routes of them: both as programs in a folder of their own.
OSMIUM = "osmium==4.3.1"
VALHALLA = "pyvalhalla==3.9.1"
# Valhalla's programs do not ask which Python there is; its wheel does.
VALHALLA_WHEEL = ["--only-binary=:all:", "--no-deps", "--python-version", "3.12"]

MEGABYTE = 1_000_000
ENVIRONMENT_BYTES = 260 * MEGABYTE
# The largest extract that is taken, as packed bytes (.osm.pbf); a large region, but no planet.
MOST_PACKED_BYTES = 2_000 * MEGABYTE
# An extract as text is so many times larger than the same one packed.
SIZES = {".osm.pbf": 1.0, ".osm.gz": 1.6, ".osm.bz2": 1.2, ".osm": 18.0}
# For each packed byte: bytes on disk while it is built and of memory at the peak. Measured on towns, see README.
DISK_FOR_BYTE, MEMORY_FOR_BYTE, BASE_MEMORY = 14, 6, 120 * MEGABYTE

STEPS = ("environment", "places", "routes")
KEPT = ("places.db", "map.db", "valhalla.json", "routes", "about.json")


class Refused(Exception):
    """Why nothing is imported, for people."""


def say(**line):
    """Tells whoever started this."""
    print(json.dumps(line, ensure_ascii=False), flush=True)


def suffix(extract):
    """Of which kind a file is, by its name."""
    found = next((each for each in SIZES if extract.name.endswith(each)), None)
    if extract.name.endswith((".osc", ".osc.gz", ".osc.bz2")):
        raise Refused(f"{extract} holds changes of a map (OsmChange), and no map. Take an extract: .osm.pbf or .osm.")
    if found is None:
        raise Refused(f"{extract} is no OpenStreetMap extract. Take a file that ends in .osm.pbf or .osm.")
    return found


def plan(extract, folder):
    """What an import will need: bytes on disk and of memory."""
    try:
        size = extract.stat().st_size
    except OSError as error:
        raise Refused(f"{extract}: {error.strerror}.") from error
    packed = int(size / SIZES[suffix(extract)])
    if size == 0:
        raise Refused(f"{extract} is empty.")
    if packed > MOST_PACKED_BYTES:
        raise Refused(
            f"{extract} is too large: about {packed // MEGABYTE} MB packed, and at most "
            f"{MOST_PACKED_BYTES // MEGABYTE} MB can be taken. Take the extract of your region."
        )
    has_environment = (folder / "environment" / "complete").exists()
    disk = packed * DISK_FOR_BYTE + 20 * MEGABYTE + (0 if has_environment else ENVIRONMENT_BYTES)
    memory = BASE_MEMORY + packed * MEMORY_FOR_BYTE
    free = shutil.disk_usage(folder).free
    if disk > free:
        raise Refused(
            f"The import needs {disk // MEGABYTE} MB on the disk of {folder}, and {free // MEGABYTE} MB are free. "
            "Make room, or take a smaller extract."
        )
    available = available_memory()
    if available is not None and memory > available:
        raise Refused(
            f"The import needs about {memory // MEGABYTE} MB of memory, and {available // MEGABYTE} MB are free. "
            "Take a smaller extract, or import it on a larger computer with --to and copy the folder."
        )
    return {"extract": str(extract), "bytes": size, "diskBytes": disk, "memoryBytes": memory}


def make(folder):
    """Makes the folder and those above it, each for whoever has the one above: the gateway is not root."""
    if folder.is_dir():
        return
    make(folder.parent)
    folder.mkdir(exist_ok=True)
    if os.geteuid() == 0:
        above = folder.parent.stat()
        os.chown(folder, above.st_uid, above.st_gid)


def available_memory():
    """Bytes of memory, with what may be swapped, that nobody uses; None where nobody knows."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return sum(int(lines[name].split()[0]) * 1024 for name in ("MemAvailable", "SwapFree"))
    except (OSError, KeyError, ValueError):
        return None


def digest(path):
    """What a file holds, as a short word."""
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()[:16]


def run(command, why, **options):
    """Runs a program to its end; its last words are the reason when it fails."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )
    if done.returncode:
        words = " ".join(done.stdout.split()[-60:])
        raise Refused(f"{why} ({words})")
    return done.stdout


def make_environment(folder):
    """The tools, in a folder of their own; nothing of them runs once the import is over, but Valhalla for a route."""
    environment = folder / "environment"
    if (environment / "complete").exists():
        return environment
    shutil.rmtree(environment, ignore_errors=True)
    offline = "The tools for the import cannot be fetched: is the gateway on the internet? It is needed for this once."
    run([sys.executable, "-m", "venv", environment], "No place for the tools can be made; is python3-venv installed?")
    pip = [environment / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input"]
    say(step="environment", part=0.2)
    run([*pip, "install", "--only-binary=:all:", OSMIUM], offline)
    say(step="environment", part=0.5)
    wheels = environment / "wheels"
    machine = os.uname().machine
    platforms = [f"--platform=manylinux_2_{glibc}_{machine}" for glibc in (28, 34, 35)]
    run([*pip, "download", *VALHALLA_WHEEL, *platforms, "-d", wheels, VALHALLA], offline)
    say(step="environment", part=0.8)
    for wheel in wheels.glob("*.whl"):
        shutil.unpack_archive(wheel, environment / "valhalla", "zip")
    shutil.rmtree(wheels)
    prune(environment)
    for program in programs(environment):
        program.chmod(0o755)
    run([programs(environment)[0], "--version"], "Valhalla does not run on this computer.")
    (environment / "complete").touch()
    return environment


def programs(environment):
    """Valhalla's programs: the one that builds, and the one that answers."""
    folder = environment / "valhalla" / "valhalla" / "bin"
    return [folder / "valhalla_build_tiles", folder / "valhalla_service"]


def configuration_maker(environment):
    """The script of Valhalla that writes its configuration; it needs nothing but Python."""
    return environment / "valhalla" / "valhalla" / "valhalla_build_config.py"


def prune(environment):
    """Removes from Valhalla's wheel the programs and the Python library that nobody here uses: 40 MB."""
    kept = {*programs(environment), configuration_maker(environment)}
    for path in (environment / "valhalla" / "valhalla").rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


def build_places(environment, extract, stage):
    """Addresses and map, by a program of its own that may use osmium."""
    build = subprocess.Popen(
        [environment / "bin" / "python", Path(__file__).with_name("build.py"), extract, stage],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    error = None
    for line in build.stdout:
        told = json.loads(line)
        error = told.get("error", error)
        if "part" in told:
            say(step="places", part=told["part"])
    if build.wait():
        raise Refused(error or f"{extract} could not be read; the memory may have been too small.")


def build_routes(environment, extract, stage):
    """Valhalla's tiles."""
    routes = stage / "routes"
    shutil.rmtree(routes, ignore_errors=True)
    routes.mkdir()
    made = run(
        [sys.executable, configuration_maker(environment), "--mjolnir-tile-dir", "routes", "--mjolnir-admin", "",
         "--mjolnir-timezone", "", "--mjolnir-concurrency", "1"],
        "The configuration of the routes cannot be made.", cwd=stage,
    )  # fmt: skip
    (stage / "valhalla.json").write_text(made)
    say(step="routes", part=0.2)
    packed = stage / "extract.osm.pbf"
    run([programs(environment)[0], "-c", "valhalla.json", packed.name], "The routes cannot be built.", cwd=stage)
    packed.unlink()


def swap(folder, stage, name):
    """Puts a finished set in the place of the one before."""
    target = folder / name
    shutil.rmtree(target, ignore_errors=True)
    os.sync()
    stage.rename(target)
    link = folder / "current.new"
    link.unlink(missing_ok=True)
    link.symlink_to(name)
    link.replace(folder / "current")
    for other in folder.glob("set-*"):
        if other.name != name and not other.is_symlink():
            shutil.rmtree(other, ignore_errors=True)
    for other in folder.glob("import-*"):
        shutil.rmtree(other, ignore_errors=True)


def bring(extract, folder):
    """The whole import."""
    began = time.monotonic()
    word = digest(extract)
    environment = make_environment(folder)
    say(step="environment", part=1)
    stage = folder / f"import-{word}"
    stage.mkdir(exist_ok=True)
    steps = {"places": build_places, "routes": build_routes}
    for step, build in steps.items():
        mark = stage / f"{step}.done"
        if not mark.exists():
            say(step=step, part=0)
            build(environment, extract, stage)
            mark.touch()
        say(step=step, part=1)
    about = json.loads((stage / "places.json").read_text())
    about |= {"extract": extract.name, "digest": word, "imported": int(time.time())}
    (stage / "about.json").write_text(json.dumps(about, ensure_ascii=False))
    for entry in stage.iterdir():
        if entry.name not in KEPT:
            entry.unlink()
    about["bytes"] = sum(entry.stat().st_size for entry in stage.rglob("*") if entry.is_file())
    (stage / "about.json").write_text(json.dumps(about, ensure_ascii=False))
    swap(folder, stage, f"set-{word}")
    say(done={**about, "seconds": round(time.monotonic() - began, 1)})


def main():
    """Does what the command line says."""
    parser = argparse.ArgumentParser(description="Makes addresses, map and routes of an OpenStreetMap extract.")
    parser.add_argument("--plan", action="store_true", help="say only what it would need")
    parser.add_argument("extract", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    folder, extract = arguments.folder.resolve(), arguments.extract.resolve()
    try:
        make(folder)
        say(plan=plan(extract, folder))
        if arguments.plan:
            return 0
        with open(folder / "import.lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise Refused(f"Another import into {folder} is running. Wait until it is done.") from error
            bring(extract, folder)
    except Refused as error:
        say(error=str(error))
        return 1
    except OSError as error:
        say(error=f"The import ended: {error}. What is done stays; start it again to go on.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
