"""The hub's Bluetooth adapter: a controller of Bluetooth 4.2 kind, with its host at the end of a wire."""

import asyncio

from bumble import hci, ll
from bumble.controller import Connection, Controller

from .link import Air

ADDRESS = "C0:FF:EE:00:00:01"
"""The adapter's public address."""

_Report = hci.HCI_LE_Advertising_Report_Event
_LOST = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR


class Adapter(Controller):
    """bumble's controller, and what a host like Linux needs beyond it.

    Each advertisement is reported as strong as its sender is heard, a scan response only when asked for; a reset
    forgets everything; a connection that is given up says so. It does no extended advertising, so that the kernel
    speaks to it as to the adapter of a small computer. It filters no duplicates, whatever it is told.
    """

    le_features = (
        hci.LeFeatureMask.LE_ENCRYPTION
        | hci.LeFeatureMask.EXTENDED_REJECT_INDICATION
        | hci.LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
        | hci.LeFeatureMask.LE_PING
    )
    le_acl_data_packet_length = 251

    def __init__(self, air: Air, sink: object) -> None:
        super().__init__("adapter", host_sink=sink, link=air, public_address=ADDRESS)
        self._air = air
        self._accepted: set[hci.Address] = set()
        self._has_host = False
        self.resets = 0

    async def announce(self, pause_seconds: float = 2) -> None:
        """Tells the host that the adapter is powered, until the host speaks: a Command Complete event for no command.

        Once would be enough for a host that listens; a machine that starts listens late.

        - Source: Bluetooth Core 5.4, volume 4, part E, section 4.4.
        """
        while not self._has_host:
            self.send_hci_packet(hci.HCI_Event(event_code=hci.HCI_COMMAND_COMPLETE_EVENT, parameters=bytes([1, 0, 0])))
            await asyncio.sleep(pause_seconds)

    def fail(self) -> None:
        """Tells the host that the hardware has failed, whereupon the host resets it."""
        self.send_hci_packet(hci.HCI_Event(event_code=hci.HCI_HARDWARE_ERROR_EVENT, parameters=bytes([0x42])))

    def forget(self) -> None:
        """Ends scanning, advertising and connecting as a reset or a loss of power does; peers notice a time-out."""
        self.le_scan_enable = False
        self.pending_le_connection = None
        self._accepted.clear()
        self.le_legacy_advertiser.stop()
        for connection in list(self.le_connections.values()):
            connection.send_ll_control_pdu(ll.TerminateInd(_LOST))
        self.le_connections.clear()

    def leave(self) -> None:
        """Takes the adapter out of the air, as pulling its plug does."""
        self.forget()
        self.host = None
        self._air.remove_controller(self)

    def on_packet(self, packet: bytes) -> None:
        self._has_host = True
        super().on_packet(packet)

    # What it hears

    def on_ll_advertising_pdu(self, packet: ll.AdvertisingPdu) -> None:
        if isinstance(packet, ll.AdvNonConnInd):
            self._report(packet, _Report.EventType.ADV_NONCONN_IND)
        else:
            super().on_ll_advertising_pdu(packet)

    def on_advertising_pdu(self, pdu: ll.AdvInd) -> None:
        if self._report(pdu, _Report.EventType.ADV_IND):
            self._connect(pdu.advertiser_address)

    def _report(self, pdu: ll.AdvInd | ll.AdvNonConnInd, kind: int) -> bool:
        """Reports to the host what it wants to hear; gives whether the sender is in reach."""
        sender = self._air.transmitter(pdu.advertiser_address)
        if sender is None or not sender.is_audible:
            return False
        is_wanted = not self.le_scanning_filter_policy & 1 or pdu.advertiser_address in self._accepted
        if self.le_scan_enable and is_wanted:
            self._report_one(pdu.advertiser_address, kind, pdu.data, sender.rssi_dbm)
            if sender.scan_response and self.le_scan_type == 1:
                self._report_one(
                    pdu.advertiser_address, _Report.EventType.SCAN_RSP, sender.scan_response, sender.rssi_dbm
                )
        return True

    def _report_one(self, address: hci.Address, kind: int, data: bytes, rssi_dbm: int) -> None:
        report = _Report.Report(
            event_type=kind, address_type=address.address_type, address=address, data=data, rssi=rssi_dbm
        )
        self.send_hci_packet(_Report([report]))

    def _connect(self, address: hci.Address) -> None:
        pending = self.pending_le_connection
        if pending is None or address in self.le_connections:
            return
        uses_list = getattr(pending, "initiator_filter_policy", 0) == 1
        if uses_list and address in self._accepted:
            pending.peer_address = address
        if pending.peer_address == address:
            self.create_le_connection(address)

    def on_le_disconnected(self, connection: Connection, reason: int) -> None:
        # Both sides may end a connection at once.
        if connection.peer_address in self.le_connections:
            super().on_le_disconnected(connection, reason)

    # What its host commands

    def on_hci_reset_command(self, command: hci.HCI_Reset_Command) -> hci.HCI_StatusReturnParameters:
        self.resets += 1
        self.forget()
        return super().on_hci_reset_command(command)

    def on_hci_le_create_connection_cancel_command(
        self,
        command: hci.HCI_LE_Create_Connection_Cancel_Command,
    ) -> hci.HCI_StatusReturnParameters:
        """See Bluetooth Core 5.4, volume 4, part E, section 7.8.13: the connection's end is told by an event."""
        pending = self.pending_le_connection
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.pending_le_connection = None
        # The event follows the command's completion.
        asyncio.get_running_loop().call_soon(
            self.send_hci_packet,
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=pending.peer_address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            ),
        )
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_le_clear_filter_accept_list_command(
        self,
        command: hci.HCI_LE_Clear_Filter_Accept_List_Command,
    ) -> hci.HCI_StatusReturnParameters:
        self._accepted.clear()
        return super().on_hci_le_clear_filter_accept_list_command(command)

    def on_hci_le_add_device_to_filter_accept_list_command(
        self,
        command: hci.HCI_LE_Add_Device_To_Filter_Accept_List_Command,
    ) -> hci.HCI_StatusReturnParameters:
        if len(self._accepted) >= self.filter_accept_list_size:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.MEMORY_CAPACITY_EXCEEDED_ERROR)
        self._accepted.add(command.address)
        return super().on_hci_le_add_device_to_filter_accept_list_command(command)

    def on_hci_le_remove_device_from_filter_accept_list_command(
        self,
        command: hci.HCI_LE_Remove_Device_From_Filter_Accept_List_Command,
    ) -> hci.HCI_StatusReturnParameters:
        self._accepted.discard(command.address)
        return super().on_hci_le_remove_device_from_filter_accept_list_command(command)
