import Care
import JSON
import Ports
import Testing

@testable import BlueZ

extension BlueZTests {
  @Suite("bluetoothd and the bus come and go", .timeLimit(.minutes(1)))
  struct LossTests {
    @Test("A bluetoothd that is not running is said, and used as soon as it runs")
    func absent() async throws {
      let rig = try BlueZRig(adapters: nil)
      let listener = await Listener(rig)
      await listener.wait(forHealth: "no-bluetoothd")
      try rig.ask("own", ["adapters": [["name": "hci0"]]])
      await listener.wait(forHealth: "")
      await listener.stop()
    }

    @Test("A restart of bluetoothd ends connections and pairings, and keeps the bonds")
    func restart() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig)
      await listener.wait(forHealth: "")
      let meter = try #require(BluetoothAddress("AA:11:22:33:44:55"))
      let path = try rig.device(meter.text, ["rssi": -60, "name": "Meter"])
      await listener.wait { $0.sightings.count == 1 }
      #expect(await listener.pair(PairingRequest(address: meter)).failure == nil)
      let link = try await listener.connect(to: meter).get()
      _ = try rig.device("AA:11:22:33:44:66", ["rssi": -60, "pairing": "silent"])
      await listener.wait { $0.sightings.count == 2 }
      let other = try #require(BluetoothAddress("AA:11:22:33:44:66"))
      async let pairing = listener.pair(PairingRequest(address: other))
      #expect(await rig.waits { try $0.calls("66 Pair").count == 1 })

      try rig.ask("disown")
      await listener.wait(forHealth: "no-bluetoothd")
      await link.wait { $0.isLost }
      #expect(await pairing.failure?.code == .noRadio)
      #expect(await listener.adapters.isEmpty)
      #expect(await listener.connect(to: meter).failure?.code == .noRadio)
      #expect(await link.read(0x2A00).failure?.code == .noRadio)

      try rig.ask("own", ["adapters": [["name": "hci0"]]])
      await listener.wait(forHealth: "")
      #expect(await listener.devices.map(\.address) == [meter])
      #expect(await listener.devices.first?.isBonded == true)
      #expect(try rig.ask("state")["trusted"] == [.string(path)])
      #expect(try rig.calls("StartDiscovery").count == 2)
      await listener.stop()
    }

    @Test("A bluetoothd that begins anew at once is read anew")
    func handover() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig)
      await listener.wait(forHealth: "")
      _ = try rig.device("AA:11:22:33:44:55", ["rssi": -60])
      await listener.wait { $0.sightings.count == 1 }
      try rig.ask("disown")
      try rig.ask("own", ["adapters": [["name": "hci0"]]])
      #expect(await rig.waits { try $0.calls("StartDiscovery").count == 2 })
      await listener.wait(forHealth: "")
      #expect(await listener.devices.isEmpty)
      #expect(try rig.calls("RegisterAgent").count == 2)
      await listener.stop()
    }

    @Test("A bluetoothd that hangs is noticed, and used again when it goes on")
    func frozen() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig) {
        $0.patience.checkMilliseconds = 100
        $0.patience.answerMilliseconds = 300
      }
      await listener.wait(forHealth: "")
      let meter = try #require(BluetoothAddress("AA:11:22:33:44:55"))
      let path = try rig.device(meter.text, ["rssi": -60])
      await listener.wait { $0.sightings.count == 1 }
      let link = try await listener.connect(to: meter).get()
      try rig.ask(
        "whisper",
        [
          "path": .string(path), "interface": "org.bluez.Device1",
          "values": ["Connected": false, "ServicesResolved": false],
        ])
      rig.freeze()
      await listener.wait(forHealth: "silent-bluetoothd")
      rig.thaw()
      await listener.wait(forHealth: "")
      // What ended in the meantime is noticed.
      await link.wait { $0.isLost }
      #expect(await listener.devices.map(\.isConnected) == [false])
      await listener.stop()
    }

    @Test("One that hangs from the beginning, too")
    func frozenFromTheBeginning() async throws {
      let rig = try BlueZRig()
      rig.freeze()
      let listener = await Listener(rig) {
        $0.patience.checkMilliseconds = 100
        $0.patience.answerMilliseconds = 300
      }
      await listener.wait(forHealth: "silent-bluetoothd")
      rig.thaw()
      await listener.wait(forHealth: "")
      #expect(try rig.calls("RegisterAgent").count == 1)
      await listener.stop()
    }

    @Test("A bus that goes away is tried again until it is back")
    func bus() async throws {
      let rig = try BlueZRig()
      let listener = await Listener(rig) { $0.patience.busMilliseconds = 20 }
      await listener.wait(forHealth: "")
      rig.stopBus()
      await listener.wait(forHealth: "no-bus")
      #expect(await listener.adapters.isEmpty)
      try rig.restartBus()
      await listener.wait(forHealth: "no-bluetoothd")
      try rig.ask("own", ["adapters": [["name": "hci0"]]])
      await listener.wait(forHealth: "")
      await listener.stop()
    }

    @Test("A socket that is none, or takes no connection, is a bus that does not answer")
    func noBus() async throws {
      let rig = try BlueZRig(adapters: nil)
      for path in ["/dev/null", "/nowhere/at/all", String(repeating: "x", count: 200)] {
        let listener = await Listener(rig) { $0.busPath = path }
        await listener.wait(forHealth: "no-bus")
        #expect(
          await listener.connect(to: try #require(BluetoothAddress(bits: 1))).failure?.code
            == .noRadio)
        await listener.stop()
      }
    }
  }
}
