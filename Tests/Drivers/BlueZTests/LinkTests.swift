import Care
import JSON
import Ports
import Testing

@testable import BlueZ

extension BlueZTests {
  @Suite("Connections", .timeLimit(.minutes(1)))
  struct LinkTests {
    private static let text = "AA:11:22:33:44:55"
    private static let services: JSONValue = [
      [
        "uuid": "00001808-0000-1000-8000-00805f9b34fb",
        "characteristics": [
          ["uuid": "00002a18-0000-1000-8000-00805f9b34fb", "flags": ["notify"], "early": ["aa"]],
          [
            "uuid": "00002a52-0000-1000-8000-00805f9b34fb", "flags": ["write", "indicate"],
            "answers": [
              ["00002a18-0000-1000-8000-00805f9b34fb", "0301"],
              ["00002a18-0000-1000-8000-00805f9b34fb", "0302"],
              ["00002a18-0000-1000-8000-00805f9b34fb", "0302"],
            ],
          ],
          [
            "uuid": "00002a51-0000-1000-8000-00805f9b34fb", "flags": ["read"], "value": "0104",
          ],
        ],
      ],
      [
        "uuid": "0000180a-0000-1000-8000-00805f9b34fb",
        "characteristics": [
          [
            "uuid": "00002a29-0000-1000-8000-00805f9b34fb",
            "error": ["Failed", "Operation failed with ATT error: 0x05"],
          ],
          [
            "uuid": "00002a24-0000-1000-8000-00805f9b34fb",
            "error": ["Failed", "Operation failed with ATT error: 0x81"],
          ],
          ["uuid": "00002a25-0000-1000-8000-00805f9b34fb", "error": ["NotSupported", "no"]],
        ],
      ],
    ]
    private let meter: BluetoothAddress

    init() throws { meter = try #require(BluetoothAddress(Self.text)) }

    private func heard(
      _ rig: BlueZRig, options: @Sendable (inout BlueZSource.Options) -> Void = { _ in }
    ) async throws -> (Listener, path: String) {
      let listener = await Listener(rig, options: options)
      await listener.wait(forHealth: "")
      let path = try rig.device(Self.text, ["rssi": -60, "services": Self.services])
      await listener.wait { $0.sightings.count == 1 }
      return (listener, path)
    }

    @Test("A connected device shows its services in order, and is read, written and heard")
    func talk() async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig)
      let link = try await listener.connect(to: meter).get()
      #expect(await link.services.map(\.uuid) == [BluetoothUUID(0x1808), BluetoothUUID(0x180A)])
      let glucose = try #require(await link.services.first)
      #expect(glucose.isPrimary)
      #expect(glucose.characteristics.map(\.uuid.short) == [0x2A18, 0x2A52, 0x2A51])
      #expect(
        glucose.characteristics.map(\.properties) == [[.notify], [.write, .indicate], [.read]])
      #expect(await listener.devices.map(\.isConnected) == [true])

      #expect(try await link.read(0x2A51).get() == [1, 4])
      #expect(await link.subscribe(to: 0x2A18).failure == nil)
      #expect(await link.write([1, 1], to: 0x2A52).failure == nil)
      await link.wait { $0.heard.count == 4 }
      // Equal ones in a row are as many, and what came before the answer counts.
      #expect(await link.heard == [[0xAA], [3, 1], [3, 2], [3, 2]])
      #expect(
        try rig.calls("WriteValue").last
          == "\(path)/service0010/char0013 WriteValue 0101 {'type': 'request'}")
      #expect(await link.write([2], to: 0x2A52, withResponse: false).failure == nil)
      #expect(try rig.calls("WriteValue").last?.hasSuffix("{'type': 'command'}") == true)
      #expect(await listener.connect(to: meter).failure?.code == .busy)

      // One that ends has to have ended before the next is made.
      try rig.ask("fault", ["call": "Disconnect", "path": .string(path), "count": 1])
      await link.disconnect()
      #expect(await listener.connect(to: meter).failure?.code == .busy)
      await link.wait { $0.isLost }
      try rig.ask("drop", ["path": .string(path)])
      await listener.wait { $0.devices.first?.isConnected == false }
      #expect(await link.read(0x2A51).failure?.code == .cancelled)
      #expect(await listener.connect(to: meter).failure == nil)
      await listener.stop()
      #expect(await rig.waits { try $0.calls("Disconnect").count == 2 })
    }

    @Test("What a device refuses is said by its kind and its number")
    func refusals() async throws {
      let rig = try BlueZRig()
      let (listener, _) = try await heard(rig)
      let link = try await listener.connect(to: meter).get()
      #expect(await link.read(0x2A29).failure?.code == .notBonded)
      let second = await link.read(0x2A24).failure
      #expect(second?.code == .refused && second?.attributeError == 0x81)
      #expect(await link.subscribe(to: 0x2A24).failure?.attributeError == 0x81)
      #expect(await link.read(0x2A25).failure?.code == .unsupported)
      #expect(await link.read(0x2AFF).failure?.code == .unsupported)
      #expect(await link.subscribe(to: 0x2AFF).failure?.code == .unsupported)
      let long = [UInt8](repeating: 0, count: 513)
      #expect(await link.write(long, to: 0x2A52).failure?.code == .unsupported)
      await listener.stop()
    }

    @Test("A device that goes away in the middle ends the connection, and what waits for it fails")
    func drop() async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig) { $0.patience.deviceMilliseconds = 600 }
      let link = try await listener.connect(to: meter).get()
      try rig.ask("fault", ["call": "ReadValue*"])
      async let read = link.read(0x2A51)
      #expect(await rig.waits { try $0.calls("ReadValue").count == 1 })
      try rig.ask("drop", ["path": .string(path)])
      await link.wait { $0.isLost }
      #expect(await read.failure?.code == .disconnected)
      #expect(await link.write([1], to: 0x2A52).failure?.code == .disconnected)
      // A second connection hears nothing of the first.
      let again = try await listener.connect(to: meter).get()
      #expect(await again.subscribe(to: 0x2A18).failure == nil)
      #expect(await link.heard.isEmpty)
      try rig.ask("remove", ["path": .string(path)])
      await again.wait { $0.isLost }
      await listener.stop()
    }

    @Test("A connection that is refused, ends or takes too long fails, and is let go of")
    func failures() async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig) { $0.patience.connectMilliseconds = 400 }
      try rig.ask(
        "fault",
        ["call": "Connect", "error": "Failed", "words": "le-connection-abort-by-local", "count": 1])
      let refused = await listener.connect(to: meter).failure
      #expect(refused?.code == .disconnected)
      try rig.ask("fault", ["call": "Connect", "count": 1])
      #expect(await listener.connect(to: meter).failure?.code == .timedOut)
      #expect(await rig.waits { try $0.calls("Disconnect").count == 2 })
      #expect(await listener.connect(to: meter).failure == nil)
      let stranger = try #require(BluetoothAddress(bits: 7))
      #expect(await listener.connect(to: stranger).failure?.code == .unknownDevice)
      #expect(
        try rig.calls("Connect").filter { $0.hasSuffix("Connect") }.allSatisfy {
          $0.hasPrefix(path)
        })
      await listener.stop()
    }

    @Test("The charge of a battery is told as soon as it is known")
    func battery() async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig)
      try rig.ask("battery", ["path": .string(path), "percent": 47])
      await listener.wait { $0.devices.first?.batteryPercent == 47 }
      let told = await listener.news.contains {
        if case .device(let device) = $0 { device.batteryPercent == 47 } else { false }
      }
      #expect(told)
      await listener.stop()
    }
  }

  @Suite("Monitors", .timeLimit(.minutes(1)))
  struct MonitorTests {
    private static let monitor = BluetoothMonitor(
      id: "keys", patterns: [.init(type: 0xFF, offset: 2, octets: [0x4C, 0])], nearDBm: -70,
      nearSeconds: 2, farDBm: -88, farSeconds: 15)

    @Test("Where bluetoothd offers monitors they are registered whole, and tell who is near")
    func presence() async throws {
      let rig = try BlueZRig(adapters: [["name": "hci0", "monitors": true]])
      let listener = await Listener(rig) { $0.monitors = [Self.monitor] }
      await listener.wait(forHealth: "")
      #expect(await rig.waits { try $0.ask("state")["monitors"] != [:] as JSONValue })
      let monitors = try rig.ask("state")["monitors"]
      #expect(
        monitors == [
          "/org/homeward/monitors/hci0/0": [
            "org.bluez.AdvertisementMonitor1": [
              "Type": "or_patterns", "RSSILowThreshold": -88, "RSSIHighThreshold": -70,
              "RSSILowTimeout": 15, "RSSIHighTimeout": 2, "Patterns": [[2, 255, "4c00"]],
            ]
          ]
        ])
      let path = try rig.device("AA:11:22:33:44:55", ["rssi": -60])
      for member in ["DeviceFound", "DeviceLost"] {
        try rig.ask(
          "found",
          ["adapter": "hci0", "index": 0, "member": .string(member), "path": .string(path)])
      }
      await listener.wait { $0.presences.count == 2 }
      #expect(await listener.presences.map(\.isNear) == [true, false])
      #expect(await listener.presences.allSatisfy { $0.monitor == "keys" && $0.adapter == "hci0" })
      #expect(try rig.calls("StartDiscovery").count == 1)
      await listener.stop()
    }

    @Test("With monitors only nothing is searched for, unless bluetoothd has or wants no monitors")
    func monitorsOnly() async throws {
      let rig = try BlueZRig(
        adapters: [
          ["name": "hci0", "monitors": true], ["name": "hci1"], ["name": "hci2", "monitors": true],
        ])
      try rig.ask(
        "fault", ["call": "RegisterMonitor*", "path": "/org/bluez/hci2", "error": "Failed"])
      let listener = await Listener(rig) {
        $0.listening = .monitorsOnly
        $0.monitors = [Self.monitor]
      }
      #expect(await rig.waits { try $0.calls("StartDiscovery").count == 2 })
      #expect(
        Set(try rig.calls("StartDiscovery")) == [
          "/org/bluez/hci1 StartDiscovery", "/org/bluez/hci2 StartDiscovery",
        ])
      await listener.wait { $0.adapters.map(\.condition) == [.listening, .listening, .listening] }
      await listener.stop()
    }

    @Test("When bluetoothd lets a monitor go everything is searched for instead")
    func released() async throws {
      let rig = try BlueZRig(adapters: [["name": "hci0", "monitors": true]])
      let listener = await Listener(rig) {
        $0.listening = .monitorsOnly
        $0.monitors = [Self.monitor]
      }
      await listener.wait(forHealth: "")
      #expect(await rig.waits { try $0.ask("state")["monitors"] != [:] as JSONValue })
      #expect(try rig.calls("StartDiscovery").isEmpty)
      let path = try rig.device("AA:11:22:33:44:55")
      try rig.ask(
        "found", ["adapter": "hci0", "index": 0, "member": "Activate", "path": .string(path)])
      try rig.ask(
        "found", ["adapter": "hci0", "index": 0, "member": "Release", "path": .string(path)])
      #expect(await rig.waits { try $0.calls("StartDiscovery").count == 1 })
      await listener.stop()
    }

    @Test(
      "A monitor without a pattern, or with one that no advertisement can have, is not registered")
    func empty() async throws {
      let rig = try BlueZRig(adapters: [["name": "hci0", "monitors": true]])
      let tooLong = BluetoothMonitor.Pattern(type: 0xFF, octets: [UInt8](repeating: 1, count: 32))
      let listener = await Listener(rig) {
        $0.listening = .monitorsOnly
        $0.monitors = [BluetoothMonitor(id: "x", patterns: [tooLong])]
      }
      await listener.wait(forHealth: "")
      #expect(try rig.calls("RegisterMonitor").isEmpty)
      #expect(try rig.calls("StartDiscovery").count == 1)
      await listener.stop()
    }

    @Test("Thresholds out of range are held within what bluetoothd takes")
    func clamped() {
      let monitor = BluetoothMonitor(
        id: "x", patterns: [], nearDBm: 900, nearSeconds: 0, farDBm: -900, farSeconds: 9000)
      #expect([monitor.nearDBm, monitor.farDBm] == [20, -127])
      #expect([monitor.nearSeconds, monitor.farSeconds] == [1, 300])
    }
  }
}
