"""What the tests of the bench have in common."""

import tempfile
import unittest
from pathlib import Path

from homeward_rig.bench.machine import Bench
from homeward_rig.bench.settings import CommandSettings, Settings

from .loopback_hub import LoopbackHub


class BenchTest(unittest.TestCase):
    """A bench whose hub is reached through a real SSH server on this machine."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rig.")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.hub = LoopbackHub()
        self.addCleanup(self.hub.close)
        self.hub.switch_on()

    def bench(self, **settings) -> Bench:
        bench = Bench(self.folder, Settings(self.hub.destination, self.hub.options, **settings))
        self.addCleanup(bench.dispose)
        return bench

    def contact(self, name: str) -> CommandSettings:
        """A contact that is a file: it is there while the contact is driven."""
        return CommandSettings(("touch", str(self.folder / name)), ("rm", "-f", str(self.folder / name)))

    def is_driven(self, name: str) -> bool:
        return (self.folder / name).exists()
