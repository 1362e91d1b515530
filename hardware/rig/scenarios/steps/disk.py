"""Steps about the data disk: filling it, and what it holds."""

import shutil

from behave import given, register_type, then, when
from homeward_rig import flips, power
from homeward_rig.delivery import arrivals
from homeward_rig.disk_check import check
from homeward_rig.promises import lines, promises
from homeward_rig.stage import CheckFailed, eventually
from parse import with_pattern

FILLER = "rig-filler"
FOLDER = "/var/lib/homeward"
EMERGENCY = "/etc/homeward/emergency"
DAMAGE = """
import os
for name, first in (("care.db", 4096), ("care.db-wal", 0)):
    file = os.open("/var/lib/homeward/" + name, os.O_RDWR)
    for place in range(first, os.fstat(file).st_size, 8192):
        os.pwrite(file, os.urandom(4096), place)
    os.fsync(file)
"""


@with_pattern(r"is well|only reads|is dead")
def disk_state(text: str) -> str:
    return {"is well": "well", "only reads": "read-only", "is dead": "dead"}[text]


register_type(DiskState=disk_state)


@when("the data disk fills up until {megabytes:g} MB are left")
def fill(context, megabytes):
    machine = context.stage.machine
    machine.run("/bin/systemctl", "stop", FILLER, check=False)
    machine.run(
        "/usr/bin/systemd-run",
        "--quiet",
        "--collect",
        f"--unit={FILLER}",
        "/usr/lib/homeward-rig/filler",
        f"{megabytes:g}",
    )


@when("the data disk fills up to the last byte")
def fill_up(context):
    fill(context, 0)


@when("the data disk has room again")
def make_room(context):
    context.stage.machine.run("/bin/systemctl", "stop", FILLER)


@then("within {seconds:g} seconds raw traces are thinned, and everything else is stored")
def traces_are_thinned(context, seconds):
    hub = context.stage.hub
    before = hub.status()["store"]

    def probe():
        now = hub.status()["store"]
        return now["thinnedTraces"] > before["thinnedTraces"] and now["recordSequence"] > before["recordSequence"]

    eventually("raw traces thinned while records are stored", seconds, probe)


@then("within {seconds:g} seconds nothing can be stored")
def nothing_can_be_stored(context, seconds):
    store = eventually("records that wait for the disk", seconds, lambda: waiting(context.stage.hub))
    context.stored_before = store["recordSequence"]


@then("within {seconds:g} seconds an alarm that is not stored yet arrives at the {place}")
def unstored_alarm_arrives(context, seconds, place):
    stage = context.stage

    def probe():
        # First the far side, then the journal: what is stored in between is not taken for an early one.
        came = [arrival for arrival in arrivals(stage, place) if arrival.lane == "alarm"]
        stored = {entry["id"] for entry in stage.hub.homeward("events", "--limit", "10000")}
        return [arrival for arrival in came if arrival.identity not in stored]

    eventually(f"an alarm that is not stored at the {place}", seconds, probe, pause=1)


@then("still nothing could be stored")
def still_nothing(context):
    store = context.stage.hub.status()["store"]
    if not store["waitingRecords"] or store["recordSequence"] != context.stored_before:
        raise CheckFailed(f"the disk took something meanwhile, so that this proves nothing: {store}")


def waiting(hub):
    """The store, while records wait for it that it has given up writing for the moment."""
    status = hub.status()
    parts = {part["component"]: part["state"] for part in status["components"]}
    return status["store"] if status["store"]["waitingRecords"] and parts.get("store") == "failed" else None


@then("the disk holds everything that was promised, once and whole")
def disk_holds_everything(context):
    machine = context.stage.machine
    promised = promises(lines(machine.acknowledged))
    if not promised.count:
        raise CheckFailed("nothing was promised, so that this proves nothing")
    looked_at = machine.folder / "looked-at.img"
    shutil.copyfile(machine.disk.image, looked_at)
    verdict = check(looked_at, promised)
    print(f"    {promised.count:,} promises, {verdict}", flush=True)
    if not verdict.is_good:
        raise CheckFailed(str(verdict))
    looked_at.unlink()


@given("the hub's memory card keeps the emergency card")
def keeps_emergency_card(context):
    """In other scenarios nothing outlives a power cut but the data disk."""
    context.stage.options.keeps_emergency_card = True


@when("the data disk turns read-only")
def turn_read_only(context):
    """As a worn card does it to itself: at once, with files open."""
    machine = context.stage.machine
    # Of what is written to open files after that, ext4 says that it is stored, and stores nothing: its fsync gives 0,
    # where that of a disk that failed by itself gives an error. So nothing is to be under way until Homeward crashes.
    eventually("the hub with nothing to write down", 60, lambda: is_settled(context.stage), pause=0)
    # The kernel's emergency remount is for every disk; the memory card is to stay as it is.
    folders = [FOLDER, *([EMERGENCY] if context.stage.options.keeps_emergency_card else [])]
    machine.run("/bin/sh", "-c", "echo u >/proc/sysrq-trigger")
    for folder in folders:
        eventually(f"{folder} read-only", 30, lambda folder=folder: "ro" in mount_options(machine, folder), pause=0.1)
    for folder in folders[1:]:
        machine.run("/bin/mount", "-o", "remount,rw", folder)


def is_settled(stage, seconds=3):
    """Whether nothing comes to the journal for some seconds."""
    before = stage.hub.homeward("events", "--limit", "1")
    stage.wait(seconds)
    return stage.hub.homeward("events", "--limit", "1") == before


def mount_options(machine, folder):
    return machine.run("/bin/findmnt", "--noheadings", "--output=OPTIONS", folder).output.strip().split(",")


@when("the hub wakes with a data disk that {state:DiskState}")
def wake_with(context, state):
    context.stage.options.data_disk = state
    context.stage.switch_on()


@when("a backup of the database is made")
def back_up(context):
    context.stage.hub.homeward("backup")


@when("the database is damaged")
def damage(context):
    """Every second of its pages, and its log, which would mend them; by its first page it is still a database."""
    context.stage.machine.run("/usr/bin/python3", "-c", DAMAGE)


@when("the data disk dies")
def die(context):
    context.stage.machine.kill_disk()


@then('within {seconds:g} seconds a fault of "{component}" has come to the {place}')
def fault_came(context, seconds, component, place):
    def came():
        events = [arrival.event for arrival in arrivals(context.stage, place)]
        return [e for e in events if e["type"] == "fault.raised" and e["data"].get("component") == component]

    eventually(f"a fault of {component} at the {place}", seconds, came, pause=1)


KNOWN = {
    "guardians": (("guardians",), ("id", "name", "phone", "email", "tier", "resident")),
    "zones": (("zones",), ("id", "name", "center", "radiusMeters", "exitMarginMeters", "isHome", "resident")),
    "settings": (("settings", "--changed"), ("name", "value")),
}
"""What is looked at: the command, and the members that somebody wrote."""


def beliefs(hub):
    """What the hub knows of those, by kind."""
    found = {}
    for kind, (command, members) in KNOWN.items():
        entries = hub.homeward(*command) or []
        found[kind] = [{name: one[name] for name in members if name in one} for one in entries]
    return found


@when("for {times:d} times the power is cut, {count:d} bytes of the database flip, and the hub wakes")
def flip_between_boots(context, times, count):
    stage = context.stage
    context.wrong, earlier = [], {}
    before = beliefs(stage.hub)
    for number in range(times):
        for kind, entries in before.items():
            earlier.setdefault(kind, []).extend(one for one in entries if one not in earlier[kind])
        power.cut_power(stage.machine, power.SEED + number)
        base = stage.machine.disk.base
        flipped = flips.flip(base, ["care.db", "care.db-wal"], count, power.SEED + number)
        stage.machine.insert_disk(base)
        stage.switch_on()
        after = beliefs(stage.hub)
        store = stage.hub.component("store") or {"state": "working"}
        is_told = store["state"] != "working"
        found = flips.wrong(before, after, is_told, earlier)
        context.wrong += [f"boot {number + 1}: {one}" for one in found]
        sizes = ", ".join(f"{len(entries)} {kind}" for kind, entries in after.items())
        print(f"    {len(flipped)} bytes flipped: {sizes}; store is {store['state']}", flush=True)
        before = after


@then("it believed nothing wrong, and lost nothing without a word")
def nothing_wrong(context):
    if context.wrong:
        raise CheckFailed("; ".join(context.wrong))
