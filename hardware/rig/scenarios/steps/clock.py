"""Steps about what the hub knows of the time of day."""

from behave import given, then, when
from homeward_rig import stage as story
from homeward_rig.hub import seconds_of
from homeward_rig.stage import CheckFailed, eventually

# Unbinds the driver of the hardware clock, then begins anew in 1970 as a board without a battery does; systemd itself
# moves such a clock to its own build date at boot. At one o'clock, not midnight: the kernel refuses a time of day that
# lies before its own start.
WITHOUT_CLOCK = """
systemctl stop homeward.service gpsd.service gpsd.socket
for device in /sys/bus/pnp/drivers/rtc_cmos/0*; do echo "${device##*/}" >/sys/bus/pnp/drivers/rtc_cmos/unbind; done
test ! -e /sys/class/rtc/rtc0 && date --set=@3600 && systemctl start gpsd.socket homeward.service
"""

# What a network time service tells the kernel when it has set the clock: adjtimex with the status bit STA_UNSYNC off.
# Source: adjtimex(2), struct timex and ADJ_STATUS.
SYNCHRONISED = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
class Timex(ctypes.Structure):
    _fields_ = [("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long),
                ("maxerror", ctypes.c_long), ("esterror", ctypes.c_long), ("status", ctypes.c_int),
                ("rest", ctypes.c_char * 256)]
timex = Timex(modes=0x0010 | 0x0004 | 0x0008, status=0x0001, maxerror=1000, esterror=1000)
raise SystemExit(0 if libc.adjtimex(ctypes.byref(timex)) >= 0 else 1)
"""


@given("the hub has no battery for its clock and wakes in 1970")
@when("the hub wakes again, in 1970")
def wakes_in_1970(context):
    stage = context.stage
    context.began = story.story_time.true()
    stage.options.clock = "1970-01-01T00:00:00"
    stage.switch_on()
    stage.machine.run("/bin/sh", "-c", WITHOUT_CLOCK)
    stage.hub.await_homeward()


@when("somebody sets the hub's system clock {days:g} days ahead")
def set_ahead(context, days):
    set_system_clock(context.stage, story.story_time.true() + days * 86_400)


@when("network time reaches the hub")
def network_time(context):
    set_system_clock(context.stage, story.story_time.true())
    context.stage.machine.run("/usr/bin/python3", "-c", SYNCHRONISED)


def set_system_clock(stage, seconds):
    stage.machine.run("/bin/date", f"--set=@{seconds:.3f}")


@then("the hub says that it does not know the time, and that nothing scheduled is judged")
def time_is_unknown(context):
    text = context.stage.machine.run("/usr/bin/homeward", "status").output
    line = next((line for line in text.splitlines() if line.startswith("Clock")), "")
    clock = context.stage.hub.status()["clock"]
    if clock["isTrusted"] or "NOTHING SCHEDULED IS JUDGED" not in line:
        raise CheckFailed(f"the hub takes its clock for right: {line} {clock}")


@then("the hub's clock shows the year {year:d}")
def shows_year(context, year):
    clock = context.stage.hub.status()["clock"]
    if not clock["utc"].startswith(f"{year}-"):
        raise CheckFailed(f"the hub's clock shows {clock['utc']}")


@then("within {seconds:g} seconds the hub knows the time from {source}, within {tolerance:g} s")
def knows_time(context, seconds, source, tolerance):
    """`source` as the status has it: "satellite", "synchronised", "hardware-clock"."""
    clock = off = None

    def probe():
        nonlocal clock, off
        asked = story.story_time.true()
        clock = context.stage.hub.status()["clock"]
        # The answer is as old as asking took, at most.
        off = max(0.0, asked - seconds_of(clock["utc"]), seconds_of(clock["utc"]) - story.story_time.true())
        return clock["isTrusted"] and clock["quality"] == source and off <= tolerance

    try:
        eventually(f"the time from {source}", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the hub's clock says {clock}, {off:.1f} s off") from None


@when("the time is noted")
def note_time(context):
    """Remembers what the hub wrote down last, and that it is now."""
    hub = context.stage.hub
    newest = hub.homeward("events", "--limit", "1")
    context.noted = story.story_time.true(), newest[0]["sequence"] if newest else 0


@then("what the hub wrote down before it knew the time can be placed in time, within {tolerance:g} s")
def earlier_times_follow(context, tolerance):
    """`clock.trusted` gives tick and time; each earlier event of the boot has its tick, and so its true time.

    Everything that was written down before the noted time must come before it, everything later after it, and the very
    first not before the machine was on.
    """
    noted, sequence = context.noted
    events = context.stage.hub.homeward("events", "--limit", "1000")
    anchors = [entry for entry in events if entry["type"] == "clock.trusted"]
    if not anchors:
        raise CheckFailed("the hub has not said from when on its clock is trusted")
    anchor = anchors[-1]
    untrusted = [
        entry for entry in events if entry["timequality"] == "untrusted" and entry["bootid"] == anchor["bootid"]
    ]
    before = [entry for entry in untrusted if entry["sequence"] <= sequence]
    after = [entry for entry in untrusted if entry["sequence"] > sequence]
    if not before or not after:
        raise CheckFailed(f"nothing was written down before ({len(before)}) or after ({len(after)}) the noted time")
    for event in untrusted:
        told = seconds_of(anchor["data"]["utc"]) - (int(anchor["data"]["tick"]) - int(event["tick"])) / 1e9
        first, last = (context.began, noted) if event in before else (noted, story.story_time.true())
        if not first - tolerance <= told <= last + tolerance:
            raise CheckFailed(
                f"{event['type']}, labelled {event['time']}, happened {told - noted:+.1f} s from the noted time by the "
                f"hub's own account, and should lie between {first - noted:+.1f} s and {last - noted:+.1f} s"
            )


@then("nothing that the hub wrote down is lost, and nothing is there twice")
def nothing_lost_or_doubled(context):
    """The sequence has no gap, and no id comes twice."""
    events = context.stage.hub.homeward("events", "--limit", "1000")
    ids = [entry["id"] for entry in events]
    if twice := {id for id in ids if ids.count(id) > 1}:
        raise CheckFailed(f"events twice: {sorted(twice)}")
    sequences = sorted(entry["sequence"] for entry in events)
    if sequences != list(range(1, len(sequences) + 1)):
        raise CheckFailed(f"events are missing or out of order: {sequences}")


@then("the hub's heartbeats kept their distance")
def heartbeats_kept_distance(context):
    """One at each start, and then one each interval, by the clock that nobody sets: none early, none twice."""
    events = context.stage.hub.homeward("events", "--limit", "1000")
    last = None
    count = 0
    for event in reversed(events):
        if event["type"] == "gateway.started":
            last = None
        elif event["type"] == "gateway.heartbeat":
            count += 1
            passed = (int(event["tick"]) - last) / 1e9 if last is not None else None
            if passed is not None and passed < event["data"]["intervalSeconds"] - 1:
                raise CheckFailed(f"a heartbeat came {passed:.0f} s after the one before: {event}")
            last = int(event["tick"])
    if not count:
        raise CheckFailed("there was no heartbeat at all")


@then("the hub has recorded that {name} was at home {count:d} time in all")
def recorded_at_home(context, name, count):
    """Location records in the home zone; a clock that jumps must not make the last one look old."""
    events = context.stage.hub.homeward("events", "--type", "location.recorded", "--resident", name, "--limit", "500")
    found = [entry["data"] for entry in events if "home" in entry["data"]["zoneIds"]]
    if len(found) != count:
        raise CheckFailed(f"{name} was recorded at home {len(found)} times, not {count}: {found}")


@then("that carries the right time, within {seconds:g} s")
def carries_right_time(context, seconds):
    """The event that was just spoken of."""
    off = seconds_of(context.event["time"]) - story.story_time.true()
    if abs(off) > seconds:
        raise CheckFailed(f"{context.event['type']} carries {context.event['time']}, {off:+.1f} s off")
