"""The air itself: what is sent by one is heard by the others, as strongly as the scenario says."""

from dataclasses import dataclass

from bumble import core, hci, ll
from bumble.controller import Controller
from bumble.link import LocalLink

INAUDIBLE_DBM = -100
"""What is weaker is not heard at all."""


@dataclass
class Transmitter:
    """How one device is heard: `rssi_dbm` at the hub's antenna, and what it answers to those who ask for more."""

    address: hci.Address
    rssi_dbm: int
    scan_response: bytes = b""

    @property
    def is_audible(self) -> bool:
        return self.rssi_dbm > INAUDIBLE_DBM


class Air(LocalLink):
    """Connects the controllers of all devices; devices that only advertise need no controller."""

    def __init__(self) -> None:
        super().__init__()
        self._transmitters: dict[hci.Address, Transmitter] = {}

    def enter(self, transmitter: Transmitter) -> None:
        """Makes a device known to the air; ValueError when its address is taken."""
        if transmitter.address in self._transmitters:
            raise ValueError(f"the address {transmitter.address} is taken")
        self._transmitters[transmitter.address] = transmitter

    def transmitter(self, address: hci.Address) -> Transmitter | None:
        return self._transmitters.get(address)

    def send_acl_data(
        self,
        sender_controller: Controller,
        destination_address: hci.Address,
        transport: core.PhysicalTransport,
        data: bytes,
    ) -> None:
        """Carries data of a connection, with the address by which the other side knows the sender.

        bumble 0.0.236 always names the sender's random address; the hub's adapter is known by its public one.
        """
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            receiver.on_link_acl_data(connection.self_address, transport, data)

    def break_link(self, address: hci.Address) -> None:
        """Ends the connections of a device as when it is carried out of reach: both sides notice a time-out."""
        controller = self.find_le_controller(address)
        for connection in list(controller.le_connections.values()) if controller else []:
            lost = ll.TerminateInd(hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
            connection.send_ll_control_pdu(lost)
            controller.on_le_disconnected(connection, lost.error_code)
