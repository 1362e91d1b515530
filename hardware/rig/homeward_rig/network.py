"""The hub's way to the outer world: a cable that can be pulled, and an internet behind it that can be gone."""

from .monitor import Monitor

CABLE = "cable"
"""The machine's network device; see `VirtualMachine`."""

ROUTER = "network"
"""What the cable leads to."""


class Network:
    """The network of one virtual machine; whole again after each power cut."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor

    def pull_cable(self) -> None:
        """The hub's network card loses its carrier at once, which the kernel notices."""
        self._monitor.ask("set_link", name=CABLE, up=False)

    def put_cable_back(self) -> None:
        self._monitor.ask("set_link", name=CABLE, up=True)

    def lose_internet(self) -> None:
        """The carrier stays, and what the hub sends goes nowhere: the kind of failure that only silence tells of."""
        self._monitor.ask("chardev-add", id="nowhere", backend={"type": "null", "data": {}})
        self._monitor.ask(
            "object-add",
            **{"qom-type": "filter-redirector", "id": "hole", "netdev": ROUTER, "queue": "rx", "outdev": "nowhere"},
        )

    def find_internet(self) -> None:
        self._monitor.ask("object-del", id="hole")
        self._monitor.ask("chardev-remove", id="nowhere")
