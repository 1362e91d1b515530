"""Steps about power: cutting it, and what is left afterwards."""

import random
import shutil
import time
from types import SimpleNamespace

from behave import given, then, when
from homeward_rig import load, power
from homeward_rig.alarms import Alarm, about, of_people, told_under
from homeward_rig.disk_check import check
from homeward_rig.power import SEED
from homeward_rig.promises import lines, promises
from homeward_rig.stage import CheckFailed, eventually
from homeward_rig.virtual_machine import VirtualMachine


@given("Ada's family changes {rate:g} places a second")
@when("Ada's family changes {rate:g} places a second")
def steady_family(context, rate):
    context.family_rate = rate
    load.start(context.stage.machine, rate)


@when("the power is cut")
def power_is_cut(context):
    machine = context.stage.machine
    if isinstance(machine, VirtualMachine):
        print(f"    {power.cut_power(machine, SEED)}", flush=True)
    else:
        machine.cut_power()


@when("the power fails {times:d} times at random moments, and comes back")
def power_fails(context, times):
    context.failures = []
    context.away_since = away_since(context.stage.hub)
    lottery = random.Random(SEED)
    for number in range(1, times + 1):
        try:
            context.failures.append(failure(context, number, lottery))
        except CheckFailed as error:
            # What was lost before is why a hub does not come back, and is what has to be said.
            raise CheckFailed("; before, ".join(filter(None, [str(error), losses(context.failures)]))) from error


def failure(context, number, lottery):
    """One power cut at a random moment, and the hub's next start; gives what was found."""
    stage = context.stage
    machine = stage.machine
    before = len(lines(machine.acknowledged))
    # One in five comes while the hub takes up its work; the others while promises are being given.
    is_early = number % 5 == 3
    moment = lottery.uniform(0, 4)
    if not is_early:
        eventually("a promise of Homeward", 120, lambda: len(lines(machine.acknowledged)) > before, pause=0.1)
    time.sleep(moment)
    cut = power.cut_power(machine, lottery.getrandbits(32))
    given_before = promises(lines(machine.acknowledged))
    # What a look from outside changes is not what the hub starts on.
    looked_at = machine.folder / "looked-at.img"
    shutil.copyfile(machine.disk.base, looked_at)
    verdict = check(looked_at, given_before)
    looked_at.unlink()
    began = time.monotonic()
    stage.switch_on()
    took = time.monotonic() - began
    forgotten = load.forgotten(given_before, *places(stage.hub))
    print(
        f"    cut {number}: {moment:.1f} s after {'the start' if is_early else 'the first promise'}, {cut}; "
        f"{given_before.count:,} promises; {verdict}; {len(forgotten)} forgotten; back after {took:.0f} s",
        flush=True,
    )
    load.start(machine, context.family_rate)
    return SimpleNamespace(number=number, verdict=verdict, forgotten=forgotten, away_since=away_since(stage.hub))


def places(hub):
    """Bookmarks and zones that the hub knows."""
    return hub.homeward("bookmarks"), hub.homeward("zones")


def away_since(hub):
    """Since when the hub says that each resident has been away from home; None for who is not."""
    return {
        resident["name"]: (resident.get("tracking") or {}).get("leftHomeAt") for resident in hub.homeward("residents")
    }


@when("the hub is shut down")
def shut_down(context):
    context.stage.machine.shut_down()


@then("each time the disk's file system was whole")
def file_system_was_whole(context):
    if broken := [failure for failure in context.failures if failure.verdict.unmountable]:
        raise CheckFailed(
            f"the file system broke, and with it the test, not Homeward: cut {broken[0].number}: {broken[0].verdict}"
        )


@then("each time nothing promised was lost, damaged or there twice")
def nothing_was_lost(context):
    if not context.failures:
        raise CheckFailed("the power never failed")
    if words := losses(context.failures):
        raise CheckFailed(words)


def losses(failures):
    """What of Homeward's was lost or damaged by power cuts, in words; empty for nothing."""
    bad = [failure for failure in failures if not failure.verdict.unmountable and not failure.verdict.is_good]
    return f"{len(bad)} of {len(failures)} cuts; cut {bad[0].number}: {bad[0].verdict}" if bad else ""


@then("each time the hub knew every place again")
def hub_knew(context):
    if bad := [failure for failure in context.failures if failure.forgotten]:
        raise CheckFailed(
            f"after cut {bad[0].number}: {len(bad[0].forgotten)} forgotten: {'; '.join(bad[0].forgotten[:3])}"
        )


@then("each time the hub knew since when {name} has been away")
def hub_knew_since_when(context, name):
    since = context.away_since.get(name)
    if since is None:
        raise CheckFailed(f"{name} was not away before the power failed, so that this proves nothing")
    if bad := [failure for failure in context.failures if failure.away_since.get(name) != since]:
        raise CheckFailed(
            f"{name} has been away since {since}; after cut {bad[0].number} the hub says {bad[0].away_since.get(name)}"
        )


@then("{number:d} power cuts played from the disk's record have lost nothing that was promised by then")
def played_cuts(context, number):
    machine = context.stage.machine
    began = time.monotonic()
    tally = power.play_cuts(machine.recorded, machine.acknowledged, number, SEED)
    print(f"    {tally}; in {time.monotonic() - began:.0f} s, seed {SEED}", flush=True)
    for loss in (tally.losses + tally.unmountable)[:5]:
        print(f"      {loss}", flush=True)
    if not tally.compared:
        raise CheckFailed("Homeward promised nothing before any of the cuts, so that none of them proves anything")
    if tally.losses:
        raise CheckFailed(f"{tally}; the first: {tally.losses[0]}")
    if tally.unmountable:
        raise CheckFailed(f"{tally}; the file system broke, not Homeward: {tally.unmountable[0]}")


# Power cuts during an SOS


@when("{rounds:d} times an SOS is raised for {name}, and the power fails {cuts:d} times before everybody has been told")
def sos_with_cuts(context, rounds, name, cuts):
    context.alarms = []
    lottery = random.Random(SEED)
    for number in range(1, rounds + 1):
        context.alarms.append(interrupted_sos(context, number, name, cuts, lottery))


def interrupted_sos(context, number, name, cuts, lottery):
    """One SOS to its end with that many power cuts; gives the alarm, and what was open after each."""
    stage = context.stage
    alarm = Alarm.of({"data": stage.hub.homeward("sos", "raise", "--resident", name)})
    found = []
    for cut in range(1, cuts + 1):
        # The first comes while nobody has been told; the others while guardians are told and nobody answers.
        moment = lottery.uniform(0, 9) if cut == 1 else lottery.uniform(0, 25)
        stage.wait(moment)
        before = len(texts_about(stage, alarm))
        power.cut_power(stage.machine, lottery.getrandbits(32))
        stage.switch_on()
        listed = of_people(stage.hub.homeward("alarm", "list"))
        found.append([entry["alarm"] for entry in listed])
        stages = ", ".join(entry["stage"] for entry in listed) or "no alarm"
        print(
            f"    SOS {number} {alarm.tag}, cut {cut}: after {moment:.1f} s and {before} text messages; then {stages}",
            flush=True,
        )
    wanted = set(stage.phones.values())
    told = {text["number"] for text in texts_about(stage, alarm)}
    end = time.monotonic() + EVERYBODY_SECONDS
    while not wanted <= told and time.monotonic() < end:
        stage.wait(1)
        told = {text["number"] for text in texts_about(stage, alarm)}
    caregiver = next(guardian for guardian in stage.hub.homeward("guardians") if guardian["isCaregiver"])
    stage.hub.homeward("sos", "resolve", alarm.tag, "--by", caregiver["id"], "--reason", "She is well")
    return SimpleNamespace(number=number, alarm=alarm, open=found, untold=sorted(wanted - told))


EVERYBODY_SECONDS = 180
"""In which everybody has to be told, when the power stays."""


def texts_about(stage, alarm):
    return about(stage.peer("modem").do("sent"), alarm.tag)


@then("each time the same alarm went on, and no other")
def alarm_went_on(context):
    if not any(round.open for round in context.alarms):
        raise CheckFailed("the power never failed during an SOS")
    for round in context.alarms:
        for cut, identities in enumerate(round.open, 1):
            if identities != [round.alarm.identity]:
                raise CheckFailed(
                    f"SOS {round.number}, {round.alarm.tag}: after cut {cut} not {round.alarm.identity} is open, "
                    f"but {identities or 'nothing'}"
                )


@then("each time everybody was told")
def everybody_was_told(context):
    if bad := [round for round in context.alarms if round.untold]:
        raise CheckFailed(f"of SOS {bad[0].number}, {bad[0].alarm.tag}, {', '.join(bad[0].untold)} was never told")


@then("nobody was told under another name")
def one_name(context):
    """Neither a message without a tag that belongs to an SOS of the story, nor an alarm that nobody raised."""
    tags = [round.alarm.tag for round in context.alarms]
    if foreign := told_under(context.stage.peer("modem").do("sent"), tags):
        raise CheckFailed(f'a message to {foreign[0]["number"]} belongs to none of {tags}: "{foreign[0]["text"]}"')
    entries = context.stage.hub.homeward("events", "--type", "alarm.raised", "--limit", "500")
    raised = [entry["data"]["tag"] for entry in entries if entry["data"]["kind"] == "sos"]
    if sorted(raised) != sorted(tags):
        raise CheckFailed(f"{len(tags)} SOS were raised, {tags}; the hub's journal has {raised}")
