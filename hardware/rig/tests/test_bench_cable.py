import os
import pty
import socket
import tempfile
import time
import tty
import unittest
from pathlib import Path

from homeward_rig.bench.cable import CableError, SerialCable
from homeward_rig.bench.settings import CableSettings, CommandSettings
from homeward_rig.machine import Lacking


class SerialCableTest(unittest.TestCase):
    """With a pseudo-terminal as the serial port."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rig.")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.hub, self._port = pty.openpty()
        self.addCleanup(os.close, self.hub)
        self.addCleanup(os.close, self._port)
        tty.setraw(self._port)
        self.port = Path(os.ttyname(self._port))

    def cable(self, **settings) -> SerialCable:
        cable = SerialCable("receiver", CableSettings(self.port, **settings), self.folder, self.folder)
        self.addCleanup(cable.disconnect)
        return cable

    def plug(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        self.addCleanup(connection.close)
        connection.settimeout(30)
        connection.connect(str(self.folder / "receiver.sock"))
        return connection

    def test_it_carries_every_byte_both_ways(self):
        self.cable().connect()
        everything = bytes(range(256))
        peer = self.plug()
        peer.sendall(everything)
        self.assertEqual(read(self.hub, 256), everything)
        os.write(self.hub, everything)
        self.assertEqual(receive(peer, 256), everything)

    def test_a_peer_can_go_and_come(self):
        self.cable().connect()
        for sentence in (b"one", b"two"):
            peer = self.plug()
            peer.sendall(sentence)
            self.assertEqual(read(self.hub, 3), sentence)
            peer.close()

    def test_a_peer_notices_that_the_hub_lost_power_and_comes_again(self):
        cable = self.cable()
        cable.connect()
        peer = self.plug()
        peer.sendall(b"x")
        read(self.hub, 1)
        cable.disconnect()
        self.assertEqual(peer.recv(1), b"")
        self.assertFalse((self.folder / "receiver.sock").exists())
        cable.connect()
        self.plug().sendall(b"y")
        self.assertEqual(read(self.hub, 1), b"y")

    def test_a_port_that_is_not_there_is_told(self):
        for port, words in ((Path("/nowhere/tty"), "No such file"), (self.folder / "file", "neither a tty")):
            (self.folder / "file").touch()
            with self.assertRaisesRegex(CableError, words):
                SerialCable("receiver", CableSettings(port), self.folder, self.folder).connect()

    def test_a_socket_is_a_port_as_it_is(self):
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(self.folder / "elsewhere"))
            server.listen()
            cable = SerialCable("receiver", CableSettings(self.folder / "elsewhere"), self.folder, self.folder)
            cable.connect()
            self.plug()
            server.settimeout(30)
            server.accept()[0].close()
            cable.disconnect()
        self.assertTrue((self.folder / "elsewhere").exists())

    def test_only_a_contact_unplugs(self):
        driven = self.folder / "driven"
        cable = self.cable(unplug=CommandSettings(("touch", str(driven)), ("rm", "-f", str(driven))))
        cable.unplug()
        self.assertTrue(driven.exists())
        cable.plug_in()
        self.assertFalse(driven.exists())
        with self.assertRaisesRegex(Lacking, "no contact that unplugs the receiver on this bench"):
            self.cable().unplug()


def read(descriptor: int, length: int) -> bytes:
    found = b""
    end = time.monotonic() + 30
    while len(found) < length and time.monotonic() < end:
        found += os.read(descriptor, length - len(found))
    return found


def receive(connection: socket.socket, length: int) -> bytes:
    found = b""
    while len(found) < length and (more := connection.recv(length - len(found))):
        found += more
    return found
