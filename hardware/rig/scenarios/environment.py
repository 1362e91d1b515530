"""Sets the stage of each scenario and clears it away; called by behave."""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from behave.model_type import Status
from homeward_rig import agreement, stage
from homeward_rig.bench import settings
from homeward_rig.bench.machine import Bench
from homeward_rig.house import home_assistant
from homeward_rig.house.home_assistant import Onlooker
from homeward_rig.house.machine import House
from homeward_rig.machine import Lacking
from homeward_rig.stage import CheckFailed, Stage


def before_scenario(context, scenario):
    folder = Path(os.environ["HOMEWARD_RIG_RUN"])
    bench = os.environ.get("HOMEWARD_RIG_BENCH")
    machine = Bench(folder, settings.read(Path(bench))) if bench else None
    if os.environ.get("HOMEWARD_RIG_HOUSE"):
        machine = House(folder)
        stage.story_time = machine
    context.stage = Stage(folder, machine)


AGREE_SECONDS = 20
"""Real time that news may take to everybody on a computer that is busy."""
HOME_ASSISTANT_SECONDS = 60
"""The same for Home Assistant, which waits before it connects again."""


def agree(context, sentence):
    """All who tell of the household have to tell the same, soon after each sentence."""
    stage = context.stage
    if not (stage.has_peer("broker") and stage.machine.is_on):
        return
    if not hasattr(context, "ear"):
        context.ear = agreement.Ear(stage.folder / "broker-messages.jsonl")
    end = time.monotonic() + AGREE_SECONDS
    while wrong := agreement.disagreements(agreement.look(stage, context.ear)):
        if time.monotonic() > end:
            raise CheckFailed("; ".join(wrong))
        time.sleep(0.05)
    if os.environ.get(home_assistant.PYTHON):
        look_at_home_assistant(context, sentence)


def look_at_home_assistant(context, sentence):
    """What Home Assistant shows has to be what the broker keeps, and is written down."""
    stage = context.stage
    if not hasattr(context, "onlooker"):
        port = stage.peer("broker").do("port")
        context.onlooker = Onlooker(stage.folder, port, os.environ[home_assistant.PYTHON])
    end = time.monotonic() + HOME_ASSISTANT_SECONDS
    while True:
        view = agreement.look(stage, context.ear)
        wrong = list(home_assistant.differences(view, context.onlooker.states())) if view.is_connected else []
        if not wrong:
            break
        if time.monotonic() > end:
            raise CheckFailed("; ".join(wrong))
        time.sleep(0.2)
    context.onlooker.note(sentence)


def after_step(context, step):
    if os.environ.get("HOMEWARD_RIG_HOUSE") and step.status == Status.passed:
        try:
            agree(context, f"{step.keyword} {step.name}")
        except Exception as failure:
            step.status = Status.failed
            step.exception = failure
            step.error_message = f"They do not agree: {failure}"
            (context.stage.folder / "error").write_text(f"they do not agree: {failure}")
            raise
    # A step that asks for what the bench has not is neither right nor wrong, and so is its scenario.
    if isinstance(step.exception, Lacking):
        step.status = Status.skipped
        context.scenario.skip(str(step.exception))
        (context.stage.folder / "skipped").write_text(str(step.exception))
    elif step.exception is not None and not isinstance(step.exception, AssertionError):
        (context.stage.folder / "error").write_text(f"{type(step.exception).__name__}: {step.exception}")


def after_scenario(context, scenario):
    try:
        if scenario.status not in ("passed", "skipped"):
            context.stage.collect()
    finally:
        if hasattr(context, "onlooker"):
            context.onlooker.close()
        context.stage.close()
