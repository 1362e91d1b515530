"""A house's Bluetooth: what stands in for bluetoothd, on a bus of its own, with tags and meters around."""

import json
import pathlib
import subprocess
import time

STAND_IN = pathlib.Path(__file__).resolve().parents[1] / "Drivers/BlueZTests/bluez.py"
GLUCOSE = "00001808-0000-1000-8000-00805f9b34fb"


class Radio:
    """A private bus with a bluetoothd that has one adapter; the devices around do what the test says."""

    def __init__(self, folder, start):
        """`start` starts a program of the house, which ends with it."""
        self.socket = folder / "bus"
        start(["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={self.socket}"])
        end = time.monotonic() + 30
        while not self.socket.exists():
            if time.monotonic() > end:
                raise AssertionError("the bus did not begin")
            time.sleep(0.02)
        self._program = subprocess.Popen(
            ["/usr/bin/python3", STAND_IN, self.socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if self._program.stdout.readline().strip() != "ready":
            raise AssertionError("the stand-in of bluetoothd did not begin")
        self.ask("own", adapters=[{"name": "hci0"}])

    def close(self):
        """Ends bluetoothd; the bus ends with the house."""
        self._program.stdin.close()
        self._program.wait(20)
        self._program.stdout.close()

    def ask(self, action, **members):
        """Has something done by the stand-in; its answer."""
        self._program.stdin.write(json.dumps({"do": action, **members}) + "\n")
        self._program.stdin.flush()
        return json.loads(self._program.stdout.readline())["result"]

    def device(self, address, **members):
        """Puts a device there; its path."""
        return self.ask("device", address=address, **members)
