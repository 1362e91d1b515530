"""Steps about the GPS receiver and the person who carries it."""

import re

from behave import given, then, when
from homeward_rig import stage as story
from homeward_rig.hub import seconds_of
from homeward_rig.stage import CheckFailed, eventually

EAST = 90


def receiver(context):
    return context.stage.peer("receiver")


# Cable


@given("the GPS receiver is plugged in")
@when("the GPS receiver is plugged in")
@when("the GPS receiver is plugged in again")
def plug_in(context):
    receiver(context).plug_in()


@given("the GPS receiver is one that speaks UBX")
def speaks_ubx(context):
    receiver(context).do("protocol", name="ubx")


@when("somebody unplugs the GPS receiver")
def unplug(context):
    receiver(context).unplug()


# The person


@given("{name} stands at home")
@when("{name} stands at home")
def stands_at_home(context, name):
    receiver(context).do("stand")


@when("{name} walks to {meters:g} m from home at {speed:g} m/s")
def walks(context, name, meters, speed):
    context.stage.wait(receiver(context).do("walk", meters=meters, bearing=EAST, speed=speed))


@when("{name} walks home at {speed:g} m/s")
def walks_home(context, name, speed):
    context.stage.wait(receiver(context).do("walk-home", speed=speed))


# What the hub is told about receivers


@given("the hub tells after {seconds:d} seconds that {name}'s receiver does not know where it is")
def tells_no_fix_after(context, seconds, name):
    context.stage.hub.homeward("settings", "set", "noFixSeconds", str(seconds), "--resident", name)


@given("the hub tells after {seconds:d} seconds that {name}'s receiver is silent")
def tells_silence_after(context, seconds, name):
    context.stage.hub.homeward("settings", "set", "noReportSeconds", str(seconds), "--resident", name)


# Trouble


@when("the GPS receiver sees no sky")
def loses_fix(context):
    receiver(context).do("lose-fix")


@when("the GPS receiver sees the sky again")
def regains_fix(context):
    receiver(context).do("regain-fix")


@when("the GPS receiver tells one lie of {meters:g} m")
def lies(context, meters):
    """Waits until it has told it."""
    context.raw_traces_seen = max((entry["sequence"] for entry in raw_traces(context, "--limit", "1")), default=0)
    told = receiver(context).do("position")["lies"]
    receiver(context).do("jump", meters=meters)
    eventually("the receiver tells its lie", 10, lambda: receiver(context).do("position")["lies"] > told)


@when("the GPS receiver falls silent")
def falls_silent(context):
    receiver(context).do("silence")


@when("the GPS receiver speaks again")
def speaks_again(context):
    receiver(context).do("speak")


@when("noise on the line makes {count:d} meaningless bytes")
def garbage(context, count):
    receiver(context).do("garbage", count=count)


@when("the GPS receiver's week counter is {weeks:d} weeks off")
def rolls_over(context, weeks):
    receiver(context).do("rollover", weeks=weeks)


@when("the GPS receiver's week counter is right again")
def rolls_back(context):
    receiver(context).do("rollover", weeks=0)


@when("gpsd is killed")
def kill_gpsd(context):
    context.stage.machine.run("/bin/systemctl", "kill", "--signal=KILL", "gpsd.service")


# What the hub makes of it


@then("within {seconds:g} seconds gpsd and the GPS receiver have agreed on UBX")
def agreed_on_ubx(context, seconds):
    eventually("gpsd switches the receiver to UBX", seconds, lambda: receiver(context).do("position")["speaksUBX"])


@then('within {seconds:g} seconds the hub says what is wrong with the GPS receiver: "{words}"')
def says_what_is_wrong(context, seconds, words):
    """The words are of the sentence that people read in the status."""
    hub = context.stage.hub
    part = None

    def probe():
        nonlocal part
        part = hub.component("gps/gps")
        return part and part["state"] in ("failed", "degraded") and words in (part.get("detail") or "")

    try:
        eventually(f'the hub says "{words}" of the receiver', seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; it says {part}") from None


@then('within {seconds:g} seconds the hub reports the fault "{words}"')
def reports_fault(context, seconds, words):
    """The words are of the sentence that people read; faults of other parts are passed over."""
    await_fault(context, "fault.raised", seconds, words)


@then('within {seconds:g} seconds the hub reports that the fault "{words}" is over')
def reports_fault_over(context, seconds, words):
    await_fault(context, "fault.cleared", seconds, words)


def await_fault(context, kind, seconds, words):
    """Waits for an event about a fault whose sentence has these words."""
    hub = context.stage.hub
    seen = []

    def probe():
        found = hub.new_events(kind)
        seen[:] = [entry["data"]["explanation"] for entry in found]
        return next((entry for entry in found if words in entry["data"]["explanation"]), None)

    try:
        context.event = hub.speak_of(eventually(f'{kind} with "{words}"', seconds, probe))
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; there was {seen or 'none'}") from None


@then("the hub's positions of {name} still carry the right time")
def positions_have_right_time(context, name):
    """Right within 15 s of this machine's clock, however wrong the receiver's."""
    tracking = (context.stage.hub.resident(name) or {}).get("tracking") or {}
    told = (tracking.get("position") or {}).get("time")
    off = abs(seconds_of(told) - story.story_time.true()) if told else None
    if off is None or off > 15:
        raise CheckFailed(f"the hub gives {told} as the time of {name}'s position, which is {off} s off")


@then('within {seconds:g} seconds the hub refuses a position because "{words}"')
def refuses_position(context, seconds, words):
    """Among the fixes that were not believed since the receiver's last lie is one for this reason."""
    since = getattr(context, "raw_traces_seen", 0)
    seen = []

    def probe():
        found = raw_traces(context, "--type", "fix.rejected", "--limit", "200")
        seen[:] = [entry["data"]["explanation"] for entry in found if entry["sequence"] > since]
        return any(words in sentence for sentence in seen)

    try:
        eventually(f'a position refused because "{words}"', seconds, probe)
    except CheckFailed as failure:
        believed = [
            str(entry)
            for entry in raw_traces(context, "--type", "fix.accepted", "--limit", "50")
            if entry["sequence"] > since
        ]
        raise CheckFailed(f"{failure}; refused were {seen or 'none'}; believed, newest first: {believed}") from None


def raw_traces(context, *arguments):
    """Events of the trace lane, newest first; their sequence is one of its own."""
    return context.stage.hub.homeward("events", "--lane", "trace", *arguments)


@then("the hub explains it with two distances beyond {meters:g} m")
def explains_with_distances(context, meters):
    """`homeward explain` names the positions that decided, and the threshold; each is beyond it."""
    completed = context.stage.machine.run("/usr/bin/homeward", "explain", context.event["id"])
    sentence = next((line for line in completed.output.splitlines() if " positions in a row" in line), "")
    found = re.search(r"were ([\d m,and]+) from its centre, beyond the .* radius plus .* margin", sentence)
    distances = [float(number) for number in re.findall(r"\d+(?= m)", found.group(1))] if found else []
    if len(distances) < 2 or min(distances) <= meters:
        raise CheckFailed(f"the explanation does not name two distances beyond {meters:g} m: {completed.output}")
