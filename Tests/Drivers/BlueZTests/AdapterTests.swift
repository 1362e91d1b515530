import Care
import JSON
import Ports
import Testing
import Texts

@testable import BlueZ

extension BlueZTests {
  @Suite("Adapters and advertisements", .timeLimit(.minutes(1)))
  struct AdapterTests {
    @Test("An adapter is switched on and told to search with every advertisement")
    func beginning() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig)
      await listener.wait(forHealth: "")
      let calls = try rig.calls("/org/bluez/hci0 ").map { $0.dropFirst("/org/bluez/hci0 ".count) }
      #expect(
        calls == [
          "Set org.bluez.Adapter1 Powered True",
          "SetDiscoveryFilter {'Transport': 'le', 'DuplicateData': True}", "StartDiscovery",
        ])
      #expect(await listener.adapters.map(\.condition) == [.listening])
      #expect(try rig.ask("state")["default"] == true)
      await listener.stop()
    }

    @Test("Every advertisement is a sighting with all its data, repeated ones too")
    func sightings() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig)
      await listener.wait(forHealth: "")
      let path = try rig.device(
        "C0:11:22:33:44:55",
        [
          "type": "random", "name": "Keys", "rssi": -61, "power": -59,
          "uuids": ["0000feaa-0000-1000-8000-00805f9b34fb"],
          "manufacturer": ["76": "0215aabb"],
          "service_data": ["0000fcd2-0000-1000-8000-00805f9b34fb": "4000013a01"],
        ])
      await listener.wait { $0.sightings.count == 1 }
      let first = try #require(await listener.sightings.first)
      #expect(first.address == BluetoothAddress("C0:11:22:33:44:55", kind: .random))
      #expect(first.adapter == "hci0")
      #expect(first.rssi == -61)
      #expect(
        first.advertisement
          == BluetoothAdvertisement(
            name: "Keys", txPower: -59, services: [BluetoothUUID(0xFEAA)],
            serviceData: [BluetoothUUID(0xFCD2): [0x40, 0, 1, 0x3A, 1]],
            manufacturerData: [76: [2, 0x15, 0xAA, 0xBB]]))
      #expect(first.came == [.serviceData, .manufacturerData, .others])

      try rig.ask("advertise", ["path": .string(path), "rssi": -61, "times": 3])
      try rig.ask("advertise", ["path": .string(path), "manufacturer": ["76": "0215aabb"]])
      await listener.wait { $0.sightings.count == 5 }
      let later = await listener.sightings.dropFirst()
      #expect(later.map(\.came) == [[], [], [], [.manufacturerData]])
      #expect(later.allSatisfy { $0.advertisement == first.advertisement && $0.tick >= first.tick })
      await listener.stop()
    }

    @Test("Adapters come and go, and several listen at the same time")
    func several() async throws {
      let rig = try BlueZRig(adapters: [])
      let listener = await Listener(rig)
      await listener.wait(forHealth: "no-adapter")
      let first = try #require(
        try rig.ask("adapter", ["name": "hci0", "powered": true]).stringContent)
      await listener.wait(forHealth: "")
      let second = try #require(
        try rig.ask("adapter", ["name": "hci1", "address": "00:1A:7D:DA:71:14"]).stringContent)
      await listener.wait { $0.adapters.map(\.condition) == [.listening, .listening] }
      #expect(
        await listener.adapters.map(\.address?.text) == ["00:1A:7D:DA:71:13", "00:1A:7D:DA:71:14"])

      for adapter in ["hci0", "hci1"] {
        _ = try rig.device(
          "C0:11:22:33:44:55", ["adapter": .string(adapter), "type": "random", "rssi": -50])
      }
      await listener.wait { $0.sightings.map(\.adapter) == ["hci0", "hci1"] }
      #expect(await listener.devices.map(\.adapters) == [["hci0", "hci1"]])

      try rig.ask("remove", ["path": .string(first)])
      await listener.wait { $0.adapters.map(\.name) == ["hci1"] }
      #expect(await listener.codes.last == "")
      #expect(await listener.devices.map(\.adapters) == [["hci1"]])
      try rig.ask("remove", ["path": .string(second)])
      await listener.wait(forHealth: "no-adapter")
      #expect(await listener.devices.isEmpty)
      await listener.stop()
    }

    @Test("Only the adapters of the configuration are used")
    func chosen() async throws {
      let rig = try BlueZRig(adapters: [["name": "hci0"], ["name": "hci1"]])
      let listener = await Listener(rig) { $0.adapters = ["hci1"] }
      await listener.wait(forHealth: "")
      #expect(await listener.adapters.map(\.name) == ["hci1"])
      #expect(try rig.calls("/org/bluez/hci0").isEmpty)
      try rig.ask("remove", ["path": "/org/bluez/hci1"])
      await listener.wait(forHealth: "no-adapter")
      #expect(await listener.reports.last?.detail.description.contains("hci1") == true)
      await listener.stop()
    }

    @Test("An adapter that somebody switches off, or that resets itself, is set up again")
    func switchedOff() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig)
      await listener.wait(forHealth: "")
      try rig.ask(
        "change",
        [
          "path": "/org/bluez/hci0", "interface": "org.bluez.Adapter1",
          "values": ["Powered": false, "Discovering": false],
        ])
      await listener.wait { $0.adapters.first?.condition == .starting }
      #expect(await rig.waits { try $0.calls("StartDiscovery").count == 2 })
      await listener.wait { $0.adapters.first?.condition == .listening }
      #expect(try rig.calls("Powered").count == 2)
      await listener.stop()
    }

    @Test("An adapter that does not answer is switched off and on")
    func hung() async throws {
      let rig = try BlueZRig()
      try rig.ask("fault", ["call": "StartDiscovery", "count": 1])
      let listener = await Listener(rig) {
        $0.patience.answerMilliseconds = 500
        $0.patience.pauseMilliseconds = 20
      }
      await listener.wait(forHealth: "")
      #expect(await listener.codes == ["starting", "starting", "adapter-hung", ""])
      #expect(await listener.reports.first { $0.code == "adapter-hung" }?.state == .degraded)
      #expect(
        try rig.calls("Powered").map { $0.hasSuffix("True") } == [true, false, true])
      await listener.stop()
    }

    @Test("One that goes on hanging is a failure, is reset less and less often, and heals")
    func lasting() async throws {
      let rig = try BlueZRig()
      try rig.ask("fault", ["call": "S*Discovery*"])
      let listener = await Listener(rig) {
        $0.patience.answerMilliseconds = 200
        $0.patience.pauseMilliseconds = 10
        $0.patience.resetMilliseconds = 50
        $0.patience.longestResetMilliseconds = 100
      }
      await listener.wait {
        $0.reports.contains { $0.code == "adapter-hung" && $0.state == .failed }
      }
      #expect(await rig.waits { try $0.calls("Powered False").count >= 4 })
      try rig.ask("mend")
      await listener.wait(forHealth: "")
      await listener.stop()
    }

    @Test("An adapter that hangs does not stop another")
    func other() async throws {
      let rig = try BlueZRig(adapters: [["name": "hci0"], ["name": "hci1"]])
      try rig.ask("fault", ["call": "S*", "path": "/org/bluez/hci0"])
      let listener = await Listener(rig) { $0.patience.answerMilliseconds = 300 }
      await listener.wait(forHealth: "adapter-hung")
      #expect(await listener.adapters.map(\.condition) == [.hung, .listening])
      _ = try rig.device("C0:11:22:33:44:55", ["adapter": "hci1", "rssi": -50])
      await listener.wait { $0.sightings.count == 1 }
      #expect(await listener.reports.last?.state == .degraded)
      await listener.stop()
    }

    @Test(
      "A refusal is said with its reason, and asked again",
      arguments: [
        ("Blocked", "adapter-blocked", HealthState.failed),
        ("NotAuthorized", "adapter-forbidden", .failed),
        ("Busy", "adapter-refusing", .degraded),
      ])
    func refusals(error: String, code: String, state: HealthState) async throws {
      let rig = try BlueZRig()
      try rig.ask("fault", ["call": "Set * Powered True", "error": .string(error), "count": 2])
      let listener = await Listener(rig) { $0.patience.checkMilliseconds = 100 }
      await listener.wait { $0.reports.contains { $0.code == code && $0.state == state } }
      await listener.wait(forHealth: "")
      #expect(try rig.calls("Powered True").count == 3)
      await listener.stop()
    }

    @Test("An adapter that is silent for long is asked to search anew; one that is heard is not")
    func silence() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig) {
        $0.patience.checkMilliseconds = 60
        $0.patience.silenceMilliseconds = 120
      }
      await listener.wait(forHealth: "")
      #expect(await rig.waits { try $0.calls("StopDiscovery").count >= 2 })
      #expect(await listener.codes.last == "")
      await listener.stop()
    }

    @Test(
      "Of five hundred and more devices the ones heard longest ago make room, and come back when heard again"
    )
    func crowd() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig)
      await listener.wait(forHealth: "")
      let tag = try rig.device("AA:11:22:33:44:55", ["name": "Tag", "rssi": -60])
      try rig.ask("crowd", ["from": 0, "count": 520])
      await listener.wait { $0.sightings.count == 521 }
      #expect(await listener.devices.count == 500)
      let address = BluetoothAddress("AA:11:22:33:44:55")
      #expect(await !listener.devices.contains { $0.address == address })
      try rig.ask("advertise", ["path": .string(tag), "rssi": -40])
      await listener.wait { $0.sightings.last?.address == address }
      #expect(await listener.sightings.last?.advertisement.name == "Tag")
      #expect(await listener.devices.count == 500)
      await listener.stop()
    }

    @Test("A stopped source says nothing more")
    func stopped() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig)
      await listener.wait(forHealth: "")
      await listener.stop()
      let count = await listener.news.count
      _ = try rig.device("AA:11:22:33:44:55", ["rssi": -60])
      await listener.settle()
      #expect(await listener.news.count == count)
      #expect(await listener.devices.isEmpty)
    }
  }
}
