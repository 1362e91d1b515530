"""Where the rig finds and leaves its files."""

import os
from pathlib import Path

RIG = Path(__file__).resolve().parent.parent
REPOSITORY = RIG.parent.parent
SCENARIOS = RIG / "scenarios"
MUTATIONS = RIG / "mutations"

BUILT = REPOSITORY / ".build" / "rig"
"""Everything that the rig makes; deleting it costs a few minutes."""

MACHINE = BUILT / "machine"
"""The virtual machine's parts, made by machine/build."""

LAYER = Path(os.environ.get("HOMEWARD_RIG_LAYER", BUILT / "homeward.squashfs"))
"""Homeward as installed, and the rig's programs for inside of the machine."""

RUNS = BUILT / "runs"
"""A folder for each scenario; those of scenarios that passed are removed."""
