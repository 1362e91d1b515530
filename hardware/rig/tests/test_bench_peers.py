import os
import pty
import time
import tty
from pathlib import Path

from homeward_rig.bench.settings import CableSettings
from homeward_rig.machine import Lacking
from homeward_rig.stage import Stage

from .bench_support import BenchTest


class BenchPeersTest(BenchTest):
    def test_a_peer_plugs_itself_into_the_serial_port_and_only_a_contact_unplugs_it(self):
        hub, port = pty.openpty()
        self.addCleanup(os.close, hub)
        self.addCleanup(os.close, port)
        tty.setraw(port)
        for contact in (None, self.contact("unplugged")):
            with self.subTest(contact=contact):
                bench = self.bench(cables={"receiver": CableSettings(Path(os.ttyname(port)), 9600, contact)})
                bench._cables["receiver"].connect()
                stage = Stage(self.folder, bench)
                receiver = stage.peer("receiver")
                self.addCleanup(receiver.end)
                receiver.plug_in()
                self.assertTrue(read_something(hub))
                if contact is None:
                    with self.assertRaisesRegex(Lacking, "no contact that unplugs the receiver"):
                        receiver.unplug()
                    self.assertTrue(receiver.is_plugged_in)
                else:
                    receiver.unplug()
                    self.assertTrue(self.is_driven("unplugged"))
                    receiver.plug_in()
                    self.assertFalse(self.is_driven("unplugged"))
                stage.close()


def read_something(descriptor: int) -> bytes:
    end = time.monotonic() + 30
    os.set_blocking(descriptor, False)
    while time.monotonic() < end:
        try:
            return os.read(descriptor, 4096)
        except BlockingIOError:
            time.sleep(0.05)
    return b""
