#!/usr/bin/python3
"""Stands in for bluetoothd on a private bus: bluez.py SOCKET

Takes requests as JSON lines, answers each with one. Written from BlueZ's description of its D-Bus interfaces, with the
library dbus-python. No program plays bluetoothd without a kernel that has Bluetooth.
"""

import fnmatch
import json
import os
import sys

import dbus
import dbus.bus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

BLUEZ = "org.bluez"
ADAPTER = BLUEZ + ".Adapter1"
DEVICE = BLUEZ + ".Device1"
BATTERY = BLUEZ + ".Battery1"
SERVICE = BLUEZ + ".GattService1"
CHARACTERISTIC = BLUEZ + ".GattCharacteristic1"
AGENT = BLUEZ + ".Agent1"
AGENT_MANAGER = BLUEZ + ".AgentManager1"
MONITOR = BLUEZ + ".AdvertisementMonitor1"
MONITOR_MANAGER = BLUEZ + ".AdvertisementMonitorManager1"
OBJECT_MANAGER = "org.freedesktop.DBus.ObjectManager"


class Refusal(dbus.DBusException):
    def __init__(self, name, message):
        super().__init__(message)
        self._dbus_error_name = name if "." in name else BLUEZ + ".Error." + name


def octets(text):
    return dbus.Array([dbus.Byte(byte) for byte in bytes.fromhex(text)], signature="y")


def plain(value):
    """A value of D-Bus as JSON has it."""
    if isinstance(value, dbus.Boolean):
        return bool(value)
    if isinstance(value, (dbus.Array, dbus.Struct, tuple, list)):
        if isinstance(value, dbus.Array) and value.signature == "y":
            return bytes(value).hex()
        return [plain(member) for member in value]
    if isinstance(value, dict):
        return {str(key): plain(member) for key, member in value.items()}
    return int(value) if isinstance(value, int) else str(value)


class Thing(dbus.service.Object):
    """An object with properties, known to the object manager."""

    def __init__(self, daemon, path, properties):
        super().__init__(daemon.bus, path)
        self.daemon, self.path, self.properties = daemon, path, properties
        daemon.things[path] = self
        if daemon.root:
            daemon.root.InterfacesAdded(dbus.ObjectPath(path), self.properties)

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return self.properties[interface]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ssv")
    def Set(self, interface, name, value):
        self.change(interface, **{str(name): value})

    @dbus.service.signal(dbus.PROPERTIES_IFACE, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def change(self, interface, **values):
        self.properties[interface].update(values)
        self.PropertiesChanged(interface, values, [])

    def remove(self):
        for path in sorted(self.daemon.things, reverse=True):
            if path.startswith(self.path + "/"):
                self.daemon.things[path].remove()
        del self.daemon.things[self.path]
        self.remove_from_connection()
        self.daemon.root.InterfacesRemoved(dbus.ObjectPath(self.path), list(self.properties))


class Adapter(Thing):
    def __init__(self, daemon, request):
        properties = {
            ADAPTER: {
                "Address": request.get("address", "00:1A:7D:DA:71:13"),
                "AddressType": "public",
                "Powered": bool(request.get("powered", False)),
                "Discovering": False,
                "Pairable": bool(request.get("pairable", True)),
            }
        }
        if request.get("monitors"):
            properties[MONITOR_MANAGER] = {"SupportedMonitorTypes": dbus.Array(["or_patterns"], signature="s")}
        super().__init__(daemon, "/org/bluez/" + request["name"], properties)
        self.monitor_root = None

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ssv")
    def Set(self, interface, name, value):
        self.change(interface, **{str(name): value})
        if name == "Powered" and not value:
            self.change(ADAPTER, Discovering=False)

    @dbus.service.method(ADAPTER, in_signature="a{sv}")
    def SetDiscoveryFilter(self, properties):
        pass

    @dbus.service.method(ADAPTER)
    def StartDiscovery(self):
        if not self.properties[ADAPTER]["Powered"]:
            raise Refusal("NotReady", "Resource Not Ready")
        if self.properties[ADAPTER]["Discovering"]:
            raise Refusal("InProgress", "Operation already in progress")
        self.change(ADAPTER, Discovering=True)

    @dbus.service.method(ADAPTER)
    def StopDiscovery(self):
        self.change(ADAPTER, Discovering=False)

    @dbus.service.method(ADAPTER, in_signature="o")
    def RemoveDevice(self, path):
        if path not in self.daemon.things:
            raise Refusal("DoesNotExist", "Does Not Exist")
        self.daemon.bonds.pop(str(path), None)
        self.daemon.things[path].remove()

    @dbus.service.method(MONITOR_MANAGER, in_signature="o", sender_keyword="sender")
    def RegisterMonitor(self, path, sender):
        self.daemon.monitor_client, self.monitor_root = sender, str(path)

        def read(objects):
            self.daemon.monitors = plain(objects)

        self.daemon.call(sender, path, OBJECT_MANAGER, "GetManagedObjects", "", (), read)

    @dbus.service.method(MONITOR_MANAGER, in_signature="o")
    def UnregisterMonitor(self, path):
        self.monitor_root = None


class Device(Thing):
    def __init__(self, daemon, request):
        adapter = "/org/bluez/" + request.get("adapter", "hci0")
        path = adapter + "/dev_" + request["address"].replace(":", "_")
        properties = {
            "Address": request["address"],
            "AddressType": request.get("type", "public"),
            "Paired": path in daemon.bonds,
            "Bonded": path in daemon.bonds,
            "Trusted": bool(daemon.bonds.get(path, False)),
            "Connected": False,
            "ServicesResolved": False,
            "Adapter": dbus.ObjectPath(adapter),
        }
        if request.get("name"):
            properties["Name"] = request["name"]
        properties.update(advertisement(request))
        super().__init__(daemon, path, {DEVICE: properties})
        self.request = request
        self.waiting = None
        daemon.requests[path] = request

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ssv")
    def Set(self, interface, name, value):
        self.change(interface, **{str(name): value})
        if name == "Trusted" and self.path in self.daemon.bonds:
            self.daemon.bonds[self.path] = bool(value)

    @dbus.service.method(DEVICE)
    def Connect(self):
        self.change(DEVICE, Connected=True)
        for number, service in enumerate(self.request.get("services", [])):
            self.add_service(16 * (number + 1), service)
        self.change(DEVICE, ServicesResolved=True)

    def add_service(self, handle, service):
        path = "%s/service%04x" % (self.path, handle)
        properties = {"UUID": service["uuid"], "Primary": True, "Device": dbus.ObjectPath(self.path)}
        Thing(self.daemon, path, {SERVICE: properties})
        for number, characteristic in enumerate(service["characteristics"]):
            Characteristic(self.daemon, "%s/char%04x" % (path, handle + 2 * number + 1), path, characteristic)

    @dbus.service.method(DEVICE)
    def Disconnect(self):
        for path in sorted(self.daemon.things, reverse=True):
            if path.startswith(self.path + "/") and path in self.daemon.things:
                self.daemon.things[path].remove()
        self.change(DEVICE, Connected=False, ServicesResolved=False)

    @dbus.service.method(DEVICE, async_callbacks=("done", "failed"))
    def Pair(self, done, failed):
        self.waiting = failed
        mode = self.request.get("pairing", "just-works")
        path = dbus.ObjectPath(self.path)

        def bond(answers=True):
            self.daemon.bonds[self.path] = False
            self.change(DEVICE, Paired=True, Bonded=True)
            if answers:
                done()

        def refused(error):
            failed(Refusal("AuthenticationFailed", "Authentication Failed"))

        def typed(passkey):
            if passkey == 123456:
                bond()
            else:
                refused(None)

        def ask(member, signature, arguments, then):
            self.daemon.ask_agent(member, signature, arguments, then, refused)

        if mode == "just-works":
            bond()
        elif mode == "authorization":
            ask("RequestAuthorization", "o", (path,), lambda *answer: bond())
        elif mode == "no answer":
            bond(False)
        elif mode == "passkey":
            ask("RequestPasskey", "o", (path,), typed)
        elif mode == "confirmation":
            ask("RequestConfirmation", "ou", (path, dbus.UInt32(424242)), lambda *answer: bond())
        elif mode == "display":
            arguments = (path, dbus.UInt32(777), dbus.UInt16(0))
            ask("DisplayPasskey", "ouq", arguments, lambda *answer: bond())
        elif mode == "pin":
            ask("RequestPinCode", "o", (path,), lambda *answer: bond())
        elif mode == "refuse":
            refused(None)

    @dbus.service.method(DEVICE)
    def CancelPairing(self):
        self.daemon.ask_agent("Cancel", "", (), lambda *answer: None, lambda error: None)
        if self.waiting:
            self.waiting(Refusal("AuthenticationCanceled", "Authentication Canceled"))


class Characteristic(Thing):
    def __init__(self, daemon, path, service, request):
        properties = {
            "UUID": request["uuid"],
            "Service": dbus.ObjectPath(service),
            "Flags": dbus.Array(request.get("flags", ["read"]), signature="s"),
        }
        super().__init__(daemon, path, {CHARACTERISTIC: properties})
        self.request = request

    def check(self):
        if "error" in self.request:
            raise Refusal(*self.request["error"])

    @dbus.service.method(CHARACTERISTIC, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, options):
        self.check()
        return octets(self.request.get("value", ""))

    @dbus.service.method(CHARACTERISTIC, in_signature="aya{sv}")
    def WriteValue(self, value, options):
        self.check()
        for uuid, text in self.request.get("answers", []):
            for thing in list(self.daemon.things.values()):
                if isinstance(thing, Characteristic) and thing.request["uuid"] == uuid:
                    thing.change(CHARACTERISTIC, Value=octets(text))

    @dbus.service.method(CHARACTERISTIC)
    def StartNotify(self):
        self.check()
        for text in self.request.get("early", []):
            self.change(CHARACTERISTIC, Value=octets(text))


def advertisement(request):
    properties = {}
    if "rssi" in request:
        properties["RSSI"] = dbus.Int16(request["rssi"])
    if "power" in request:
        properties["TxPower"] = dbus.Int16(request["power"])
    if "uuids" in request:
        properties["UUIDs"] = dbus.Array(request["uuids"], signature="s")
    if "manufacturer" in request:
        properties["ManufacturerData"] = dbus.Dictionary(
            {dbus.UInt16(int(key)): octets(text) for key, text in request["manufacturer"].items()},
            signature="qv",
        )
    if "service_data" in request:
        properties["ServiceData"] = dbus.Dictionary(
            {key: octets(text) for key, text in request["service_data"].items()}, signature="sv"
        )
    return properties


class Root(dbus.service.Object):
    def __init__(self, daemon):
        super().__init__(daemon.bus, "/")
        self.daemon = daemon

    @dbus.service.method(OBJECT_MANAGER, out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        objects = {thing.path: thing.properties for thing in self.daemon.things.values()}
        return dbus.Dictionary(objects, signature="oa{sa{sv}}")

    @dbus.service.signal(OBJECT_MANAGER, signature="oa{sa{sv}}")
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal(OBJECT_MANAGER, signature="oas")
    def InterfacesRemoved(self, path, interfaces):
        pass


class AgentManager(Thing):
    def __init__(self, daemon):
        super().__init__(daemon, "/org/bluez", {AGENT_MANAGER: {}})

    @dbus.service.method(AGENT_MANAGER, in_signature="os", sender_keyword="sender")
    def RegisterAgent(self, path, capability, sender):
        self.daemon.agent = (sender, str(path))

    @dbus.service.method(AGENT_MANAGER, in_signature="o")
    def RequestDefaultAgent(self, path):
        self.daemon.is_default = True


class Daemon:
    def __init__(self, address):
        self.address = address
        self.bonds, self.requests, self.calls, self.faults = {}, {}, [], []
        self.answers = []
        self.root = self.bus = None

    def own(self, request):
        self.things, self.root, self.agent, self.is_default = {}, None, None, False
        self.monitors, self.monitor_client = {}, None
        self.bus = dbus.bus.BusConnection(self.address)
        self.bus.set_exit_on_disconnect(False)
        self.bus.add_message_filter(self.filter)
        AgentManager(self)
        for adapter in request.get("adapters", []):
            Adapter(self, adapter)
        for path in self.bonds:
            if path.rsplit("/", 1)[0] in self.things:
                Device(self, {key: value for key, value in self.requests[path].items() if key != "rssi"})
        self.root = Root(self)
        self.bus.request_name(BLUEZ)

    def disown(self, request):
        for thing in list(self.things.values()):
            thing.remove_from_connection()
        self.root.remove_from_connection()
        self.bus.close()

    def filter(self, connection, message):
        """Notes every call, and leaves unanswered or refuses what a test wants."""
        if not isinstance(message, dbus.lowlevel.MethodCallMessage):
            return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        arguments = [plain(argument) for argument in message.get_args_list()]
        words = " ".join([message.get_member()] + [str(argument) for argument in arguments])
        self.calls.append(message.get_path() + " " + words)
        for fault in self.faults:
            if fault["count"] == 0 or not fnmatch.fnmatch(words, fault["call"]):
                continue
            if not fnmatch.fnmatch(message.get_path(), fault.get("path", "*")):
                continue
            fault["count"] -= 1
            if "error" in fault:
                name = fault["error"] if "." in fault["error"] else BLUEZ + ".Error." + fault["error"]
                connection.send_message(dbus.lowlevel.ErrorMessage(message, name, fault.get("words", "no")))
            return dbus.lowlevel.HANDLER_RESULT_HANDLED
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED

    def call(self, destination, path, interface, member, signature, arguments, done=None, failed=None):
        self.bus.call_async(
            destination,
            path,
            interface,
            member,
            signature,
            arguments,
            done or (lambda *answer: None),
            failed or (lambda error: self.answers.append(error.get_dbus_name())),
        )

    def ask_agent(self, member, signature, arguments, done, failed):
        def answered(*answer):
            self.answers.append([member] + [plain(part) for part in answer])
            done(*answer)

        def refused(error):
            self.answers.append([member, error.get_dbus_name()])
            failed(error)

        self.call(self.agent[0], self.agent[1], AGENT, member, signature, arguments, answered, refused)

    # What tests ask for.

    def adapter(self, request):
        return Adapter(self, request).path

    def device(self, request):
        return Device(self, request).path

    def crowd(self, request):
        for number in range(request["from"], request["from"] + request["count"]):
            address = "C0:00:00:00:%02X:%02X" % divmod(number, 256)
            Device(self, {"address": address, "type": "random", "rssi": -70})

    def remove(self, request):
        self.things[request["path"]].remove()

    def advertise(self, request):
        for _ in range(request.get("times", 1)):
            self.things[request["path"]].change(DEVICE, **advertisement(request))

    def change(self, request):
        self.things[request["path"]].change(request["interface"], **request["values"])

    def whisper(self, request):
        """Something changes, and nobody is told."""
        self.things[request["path"]].properties[request["interface"]].update(request["values"])

    def battery(self, request):
        properties = {"Percentage": dbus.Byte(request["percent"])}
        thing = self.things[request["path"]]
        thing.properties[BATTERY] = properties
        self.root.InterfacesAdded(dbus.ObjectPath(request["path"]), {BATTERY: properties})

    def drop(self, request):
        self.things[request["path"]].Disconnect()

    def fault(self, request):
        self.faults.append({"count": -1, **request})

    def mend(self, request):
        self.faults = []

    def unasked(self, request):
        """Asks the agent for something, as a device would that nobody wants to pair."""
        signature = request.get("signature", "o")
        arguments = [dbus.ObjectPath(request["path"])][: len(signature)]
        for kind, value in zip(signature[1:], request.get("more", []), strict=False):
            arguments.append({"u": dbus.UInt32, "q": dbus.UInt16, "s": dbus.String}[kind](value))
        self.ask_agent(request["member"], signature, tuple(arguments), lambda *a: None, lambda e: None)

    def stranger(self, request):
        """Calls the agent as a program that is not bluetoothd."""
        if not hasattr(self, "other"):
            self.other = dbus.bus.BusConnection(self.address)
        self.other.call_async(
            self.agent[0],
            self.agent[1],
            AGENT,
            "RequestPasskey",
            "o",
            (dbus.ObjectPath(request["path"]),),
            lambda *answer: self.answers.append("the stranger was answered"),
            lambda error: self.answers.append("stranger " + error.get_dbus_name()),
        )

    def found(self, request):
        adapter = self.things["/org/bluez/" + request["adapter"]]
        path = "%s/%d" % (adapter.monitor_root, request["index"])
        self.call(self.monitor_client, path, MONITOR, request["member"], "o", (dbus.ObjectPath(request["path"]),))

    def state(self, request):
        return {
            "calls": self.calls,
            "answers": self.answers,
            "agent": bool(self.agent),
            "default": self.is_default,
            "monitors": self.monitors,
            "trusted": [path for path, is_trusted in sorted(self.bonds.items()) if is_trusted],
        }


def serve(address):
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    daemon = Daemon("unix:path=" + address)
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
            result = getattr(daemon, request.pop("do"))(request)
            print(json.dumps({"result": result}), flush=True)
        return True

    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, heard)
    print("ready", flush=True)
    loop.run()


serve(sys.argv[1])
