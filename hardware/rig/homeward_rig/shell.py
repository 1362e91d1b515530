"""A look around: the machine with its devices, and this terminal as its console."""

import tempfile
from pathlib import Path

from .peer import Peer
from .virtual_machine import Options, VirtualMachine

WELCOME = """\
The machine starts; its console is this terminal, logged in as root. Homeward runs: homeward status, homeward watch.
The GPS receiver stands at home and the radio is on. Their control channels, from another terminal:
  echo '{{"do": "…"}}' | socat - UNIX-CONNECT:{sockets}/receiver.control
  an unknown action is answered with the list of those that there are.
The button: /usr/lib/homeward-rig/button press 3. "poweroff" ends everything; so does killing this program.
Recordings and logs: {folder}
"""


def run() -> int:
    """Boots the machine in this terminal and stays until it is off; gives an exit code."""
    folder = Path(tempfile.mkdtemp(prefix="homeward-rig-shell."))
    machine = VirtualMachine(folder)
    peers: list[Peer] = []
    try:
        print(WELCOME.format(sockets=machine.sockets, folder=folder), flush=True)
        machine.switch_on(Options(serial_on_terminal=True))
        for name in ("receiver", "radio", "modem"):
            peers.append(Peer(name, folder, machine.sockets))
            peers[-1].plug_in()
        return machine.wait()
    except KeyboardInterrupt:
        return 130
    finally:
        for peer in peers:
            peer.end()
        machine.dispose()
