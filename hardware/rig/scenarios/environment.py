"""Sets the stage of each scenario and clears it away; called by behave."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from homeward_rig.stage import Stage  # noqa: E402


def before_scenario(context, scenario):
    context.stage = Stage(Path(os.environ["HOMEWARD_RIG_RUN"]))


def after_scenario(context, scenario):
    try:
        if scenario.status != "passed":
            context.stage.collect()
    finally:
        context.stage.close()
