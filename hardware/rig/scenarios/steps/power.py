"""Steps about power: cutting it, and what is left afterwards."""

import os
import random
import shutil
import time
from types import SimpleNamespace

from behave import given, then, when
from homeward_rig import load, power
from homeward_rig.disk_check import check
from homeward_rig.promises import lines, promises
from homeward_rig.stage import CheckFailed, eventually
from homeward_rig.virtual_machine import VirtualMachine

SEED = int(os.environ.get("SEED", "1"))
"""Draws the moments of cuts and what survives them; another one plays other cuts."""


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
        context.failures.append(failure(context, number, lottery))


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
    if bad := [
        failure for failure in context.failures if not failure.verdict.unmountable and not failure.verdict.is_good
    ]:
        raise CheckFailed(f"{len(bad)} of {len(context.failures)} cuts; cut {bad[0].number}: {bad[0].verdict}")


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
