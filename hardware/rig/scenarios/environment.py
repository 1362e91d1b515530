"""Sets the stage of each scenario and clears it away; called by behave."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from behave.model_type import Status
from homeward_rig.bench import settings
from homeward_rig.bench.machine import Bench
from homeward_rig.machine import Lacking
from homeward_rig.stage import Stage


def before_scenario(context, scenario):
    folder = Path(os.environ["HOMEWARD_RIG_RUN"])
    bench = os.environ.get("HOMEWARD_RIG_BENCH")
    context.stage = Stage(folder, Bench(folder, settings.read(Path(bench))) if bench else None)


def after_step(context, step):
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
        context.stage.close()
