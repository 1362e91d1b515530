#!/usr/bin/python3
"""Stands in for ModemManager on a private bus, and starts the plugin with a connection to that bus.

modem_manager.py serve SOCKET             the service; takes requests as JSON lines, answers each with one
modem_manager.py launch SOCKET PROGRAM    becomes PROGRAM with a connection as descriptor 3, not yet authenticated;
                                          with none as SOCKET the descriptor is closed, with hung-up its far end

Written from ModemManager's reference of its D-Bus interfaces, with the library dbus-python.
"""

import json
import os
import socket
import sys

ROOT = "/org/freedesktop/ModemManager1"
SERVICE = "org.freedesktop.ModemManager1"
MODEM = SERVICE + ".Modem"
MESSAGING = MODEM + ".Messaging"
NETWORK = MODEM + ".Modem3gpp"
SMS = SERVICE + ".Sms"
NO_REPORT = 256


def launch(path, program):
    if path != "none":
        if path == "hung-up":
            connection, far_end = socket.socketpair()
            far_end.close()
        else:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
        if connection.fileno() != 3:
            os.dup2(connection.fileno(), 3)
        os.set_inheritable(3, True)
    os.environ["HOMEWARD_PLUGIN_BUS"] = "3"
    os.execv(program, [program])


if sys.argv[1] == "launch":
    launch(sys.argv[2], sys.argv[3])

import dbus  # noqa: E402
import dbus.lowlevel  # noqa: E402
import dbus.mainloop.glib  # noqa: E402
import dbus.service  # noqa: E402
from gi.repository import GLib  # noqa: E402


class Refusal(dbus.DBusException):
    def __init__(self, name, message):
        super().__init__(message)
        self._dbus_error_name = SERVICE + ".Error." + name


class Thing(dbus.service.Object):
    """An object with properties."""

    def __init__(self, bus, path, properties):
        super().__init__(bus, path)
        self.path = path
        self.properties = properties

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return self.properties[interface]

    @dbus.service.signal(dbus.PROPERTIES_IFACE, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def change(self, interface, **values):
        self.properties[interface].update(values)
        self.PropertiesChanged(interface, values, [])


class Message(Thing):
    def __init__(self, service, properties):
        service.count += 1
        super().__init__(service.bus, "%s/SMS/%d" % (ROOT, service.count), {SMS: properties})
        self.service = service

    @dbus.service.method(SMS, async_callbacks=("done", "failed"))
    def Send(self, done, failed):
        service = self.service
        service.tries += 1
        mode = service.modes.pop(0) if service.modes else "take"
        if mode.startswith("refuse "):
            return failed(Refusal(mode.split()[1], mode.split(" ", 2)[2]))
        if mode == "forget":
            return None
        if mode == "late":
            GLib.timeout_add(300, self.conclude)
        if mode in ("late", "sending"):
            return self.change(SMS, State=dbus.UInt32(4))
        self.conclude()
        # Both forms of a report can come before the answer.
        if mode == "report first":
            service.report({"number": str(self.properties[SMS]["Number"]), "state": 0})
        if mode != "silence":
            done()
        return None

    def conclude(self):
        service = self.service
        service.reference = (service.reference + service.parts) % 256
        self.change(SMS, State=dbus.UInt32(5), MessageReference=dbus.UInt32(service.reference))
        service.sent.append([str(self.properties[SMS]["Number"]), str(self.properties[SMS]["Text"])])
        return False


class Modem(Thing):
    def __init__(self, service, state, lock, can_message):
        service.count += 1
        path = "%s/Modem/%d" % (ROOT, service.count)
        modem = {
            "State": dbus.Int32(state),
            "StateFailedReason": dbus.UInt32(2 if state == -1 else 0),
            "UnlockRequired": dbus.UInt32(lock),
            "Device": "/sys/devices/usb1/1-1",
            "EquipmentIdentifier": "490154203237518",
            "PrimaryPort": "cdc-wdm0",
            "SignalQuality": dbus.Struct((dbus.UInt32(70), True), signature="ub"),
            "Sim": dbus.ObjectPath(ROOT + "/SIM/1"),
        }
        super().__init__(service.bus, path, {MODEM: modem})
        self.service = service
        self.messages = []
        if can_message:
            self.add_messaging()

    def add_messaging(self):
        self.properties[MESSAGING] = {"Messages": dbus.Array([], signature="o")}
        self.properties[NETWORK] = {"RegistrationState": dbus.UInt32(1)}

    def list_changed(self):
        paths = dbus.Array([dbus.ObjectPath(message.path) for message in self.messages], signature="o")
        self.change(MESSAGING, Messages=paths)

    @dbus.service.method(MODEM, in_signature="b")
    def Enable(self, enable):
        self.service.enabled += 1
        if self.service.enable_refusals:
            self.service.enable_refusals -= 1
            raise Refusal("Core.Unauthorized", "PolicyKit authorization failed")
        self.change(MODEM, State=dbus.Int32(8 if enable else 3))

    @dbus.service.method(MESSAGING, in_signature="a{sv}", out_signature="o")
    def Create(self, properties):
        self.service.created.append({str(key): value for key, value in properties.items()})
        message = Message(
            self.service,
            {
                "State": dbus.UInt32(0),
                "PduType": dbus.UInt32(2),
                "Number": properties["number"],
                "Text": properties["text"],
                "DeliveryState": dbus.UInt32(NO_REPORT),
                "MessageReference": dbus.UInt32(0),
            },
        )
        self.add(message, False)
        return dbus.ObjectPath(message.path)

    def add(self, message, received):
        self.messages.append(message)
        self.Added(dbus.ObjectPath(message.path), received)
        self.list_changed()

    @dbus.service.signal(MESSAGING, signature="ob")
    def Added(self, path, received):
        pass

    @dbus.service.method(MESSAGING, in_signature="o")
    def Delete(self, path):
        for message in [message for message in self.messages if message.path == path]:
            self.messages.remove(message)
            message.remove_from_connection()
        self.list_changed()


class Card(Thing):
    def __init__(self, service):
        super().__init__(service.bus, ROOT + "/SIM/1", {})
        self.service = service

    @dbus.service.method(SERVICE + ".Sim", in_signature="s")
    def SendPin(self, pin):
        self.service.pins.append(str(pin))
        if pin != "1234":
            raise Refusal("MobileEquipment.IncorrectPassword", "Incorrect password")
        modem = self.service.modem
        modem.add_messaging()
        modem.change(MODEM, State=dbus.Int32(3), UnlockRequired=dbus.UInt32(1))


class Service(Thing):
    def __init__(self, bus):
        super().__init__(bus, ROOT, {})
        self.bus = bus
        self.modem = None
        self.modes, self.sent, self.pins, self.created = [], [], [], []
        self.count = self.tries = self.enabled = self.enable_refusals = 0
        self.reference, self.parts = 40, 1
        self.is_mute = False
        self.card = Card(self)

    @dbus.service.method(
        "org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}", async_callbacks=("done", "failed")
    )
    def GetManagedObjects(self, done, failed):
        if not self.is_mute:
            objects = {self.modem.path: self.modem.properties} if self.modem else {}
            done(dbus.Dictionary(objects, signature="oa{sa{sv}}"))

    @dbus.service.signal("org.freedesktop.DBus.ObjectManager", signature="oa{sa{sv}}")
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal("org.freedesktop.DBus.ObjectManager", signature="oas")
    def InterfacesRemoved(self, path, interfaces):
        pass

    # What tests ask for.

    def own(self, request):
        self.bus.request_name(SERVICE)

    def disown(self, request):
        self.bus.release_name(SERVICE)

    def plug(self, request):
        self.modem = Modem(self, request.get("state", 8), request.get("lock", 1), request.get("messages", True))
        self.InterfacesAdded(dbus.ObjectPath(self.modem.path), self.modem.properties)

    def unplug(self, request):
        modem, self.modem = self.modem, None
        modem.remove_from_connection()
        self.InterfacesRemoved(dbus.ObjectPath(modem.path), [MODEM, MESSAGING])

    def network(self, request):
        quality = dbus.Struct((dbus.UInt32(request.get("signal", 70)), True), signature="ub")
        self.modem.change(MODEM, SignalQuality=quality)
        self.modem.change(NETWORK, RegistrationState=dbus.UInt32(request["registration"]))

    def mode(self, request):
        self.modes = request["sends"]

    def mute(self, request):
        self.is_mute = request["on"]

    def receive(self, request):
        properties = {
            "State": dbus.UInt32(request.get("state", 3)),
            "PduType": dbus.UInt32(1),
            "Number": request["number"],
            "Text": request["text"],
            "Timestamp": request.get("timestamp", ""),
            "DeliveryState": dbus.UInt32(NO_REPORT),
        }
        self.received = Message(self, properties)
        self.modem.add(self.received, True)

    def complete(self, request):
        self.received.change(SMS, State=dbus.UInt32(3), Text=request["text"])

    def report(self, request):
        """As a message of its own, or at the message itself."""
        if request.get("at"):
            messages = [message for message in self.modem.messages if message.properties[SMS]["PduType"] == 2]
            return messages[-1].change(SMS, DeliveryState=dbus.UInt32(request["state"]))
        properties = {
            "State": dbus.UInt32(3),
            "PduType": dbus.UInt32(3),
            "Number": request["number"],
            "Text": "",
            "MessageReference": dbus.UInt32((self.reference - request.get("back", 0)) % 256),
            "DeliveryState": dbus.UInt32(request["state"]),
        }
        return self.modem.add(Message(self, properties), True)

    def options(self, request):
        self.parts = request.get("parts", self.parts)
        self.enable_refusals = request.get("enable_refusals", self.enable_refusals)

    def state(self, request):
        return {
            "sent": self.sent,
            "tries": self.tries,
            "pins": self.pins,
            "enabled": self.enabled,
            "stored": len(self.modem.messages) if self.modem else 0,
            "reports": [bool(created.get("delivery-report-request")) for created in self.created],
        }


def serve(path):
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    service = Service(dbus.bus.BusConnection("unix:path=" + path))
    loop = GLib.MainLoop()
    pending = b""

    def heard(source, condition):
        nonlocal pending
        added = os.read(0, 65536)
        if not added:
            loop.quit()
            return False
        *lines, pending = (pending + added).split(b"\n")
        for line in lines:
            request = json.loads(line)
            result = getattr(service, request["do"])(request)
            print(json.dumps({"result": result}), flush=True)
        return True

    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, heard)
    print("ready", flush=True)
    loop.run()


serve(sys.argv[2])
