import Care
import JSON
import Ports
import Testing

@testable import BlueZ

extension BlueZTests {
  @Suite("Pairing", .timeLimit(.minutes(1)))
  struct PairingTests {
    private static let text = "AA:11:22:33:44:55"
    private let meter: BluetoothAddress

    init() throws { meter = try #require(BluetoothAddress(Self.text)) }

    /// A source that has heard the meter.
    private func heard(
      _ rig: BlueZRig, pairing: String,
      options: @Sendable (inout BlueZSource.Options) -> Void = { _ in }
    ) async throws -> (Listener, path: String) {
      let listener = await Listener(rig, options: options)
      await listener.wait(forHealth: "")
      #expect(await rig.waits { try $0.ask("state")["default"] == true })
      let path = try rig.device(Self.text, ["rssi": -60, "pairing": .string(pairing)])
      await listener.wait { $0.sightings.count == 1 }
      return (listener, path)
    }

    @Test(
      "A device that somebody asked for is paired, trusted and told, without a number or with one",
      arguments: ["just-works", "authorization", "no answer"])
    func withoutNumber(mode: String) async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig, pairing: mode)
      #expect(await listener.pair(PairingRequest(address: meter)).failure == nil)
      #expect(try rig.ask("state")["trusted"] == [.string(path)])
      #expect(await listener.devices.map(\.isBonded) == [true])
      #expect(await listener.refusals.isEmpty)
      // Once more does no harm.
      #expect(await listener.pair(PairingRequest(address: meter)).failure == nil)
      await listener.stop()
    }

    @Test("The digits that the device shows are typed in by somebody")
    func passkey() async throws {
      let rig = try BlueZRig()
      let (listener, _) = try await heard(rig, pairing: "passkey")
      async let result = listener.pair(PairingRequest(address: meter))
      await listener.wait { !$0.questions.isEmpty }
      #expect(await listener.questions == [PairingQuestion(address: meter, kind: .passkey)])
      #expect(await !listener.answer(.isSame(true), for: meter))
      #expect(await !listener.answer(.passkey(1_000_000), for: meter))
      let stranger = try #require(BluetoothAddress(bits: 7))
      #expect(await !listener.answer(.passkey(123_456), for: stranger))
      #expect(await listener.answer(.passkey(123_456), for: meter))
      #expect(await !listener.answer(.passkey(123_456), for: meter))
      #expect(await result.failure == nil)
      await listener.stop()
    }

    @Test(
      "Digits known beforehand need nobody", arguments: [(UInt32(123_456), true), (654_321, false)])
    func knownPasskey(passkey: UInt32, isRight: Bool) async throws {
      let rig = try BlueZRig()
      let (listener, _) = try await heard(rig, pairing: "passkey")
      let result = await listener.pair(PairingRequest(address: meter, passkey: passkey))
      #expect((result.failure == nil) == isRight)
      #expect(isRight || result.failure?.code == .refused)
      #expect(await listener.questions.isEmpty)
      await listener.stop()
    }

    @Test("Two numbers are compared by somebody", arguments: [true, false])
    func confirmation(isSame: Bool) async throws {
      let rig = try BlueZRig()
      let (listener, _) = try await heard(rig, pairing: "confirmation")
      async let result = listener.pair(PairingRequest(address: meter))
      await listener.wait { !$0.questions.isEmpty }
      #expect(await listener.questions.map(\.kind) == [.confirmation(424_242)])
      #expect(await listener.answer(.isSame(isSame), for: meter))
      #expect(await result.failure?.code == (isSame ? nil : .refused))
      await listener.stop()
    }

    @Test("A number to be typed in on the device is told")
    func display() async throws {
      let rig = try BlueZRig()
      let (listener, _) = try await heard(rig, pairing: "display")
      #expect(await listener.pair(PairingRequest(address: meter)).failure == nil)
      #expect(await listener.questions.map(\.kind) == [.typeOnDevice(777)])
      await listener.stop()
    }

    @Test(
      "A device that wants to pair in another way than asked for is refused",
      arguments: ["authorization", "confirmation", "pin"])
    func otherWay(mode: String) async throws {
      let rig = try BlueZRig()
      let (listener, _) = try await heard(rig, pairing: mode)
      let result = await listener.pair(PairingRequest(address: meter, passkey: 123_456))
      #expect(result.failure?.code == .refused)
      #expect(await listener.refusals.map(\.wish) == [.otherWay])
      #expect(await listener.devices.map(\.isBonded) == [false])
      await listener.stop()
    }

    @Test("A pairing that nobody answers, that takes too long or that is cancelled ends")
    func endings() async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig, pairing: "passkey") {
        $0.patience.questionMilliseconds = 100
        $0.patience.pairingMilliseconds = 1500
      }
      #expect(await listener.pair(PairingRequest(address: meter)).failure?.code == .refused)
      #expect(try rig.answers().contains { $0.contains("org.bluez.Error.Canceled") })

      try rig.ask("fault", ["call": "Pair", "path": .string(path)])
      #expect(await listener.pair(PairingRequest(address: meter)).failure?.code == .timedOut)
      #expect(await rig.waits { try $0.calls("CancelPairing").count == 1 })

      async let result = listener.pair(PairingRequest(address: meter))
      #expect(await rig.waits { try $0.calls(" Pair").filter { $0.hasSuffix(" Pair") }.count == 3 })
      #expect(await listener.pair(PairingRequest(address: meter)).failure?.code == .busy)
      #expect(await listener.connect(to: meter).failure?.code == .busy)
      await listener.cancelPairing(with: meter)
      #expect(await result.failure?.code == .cancelled)
      await listener.stop()
    }

    @Test("What cannot be paired is said")
    func impossible() async throws {
      let rig = try BlueZRig()
      let (listener, _) = try await heard(rig, pairing: "refuse")
      let stranger = try #require(BluetoothAddress(bits: 7))
      #expect(
        await listener.pair(PairingRequest(address: stranger)).failure?.code == .unknownDevice)
      let tooLong = PairingRequest(address: meter, passkey: 1_000_000)
      #expect(await listener.pair(tooLong).failure?.code == .unsupported)
      #expect(await listener.pair(PairingRequest(address: meter)).failure?.code == .refused)
      await listener.stop()
      #expect(await listener.pair(PairingRequest(address: meter)).failure?.code == .noRadio)
    }

    @Test(
      "An adapter that takes no pairing is opened for one that was asked for, and closed after it")
    func pairable() async throws {
      let rig = try BlueZRig(adapters: [["name": "hci0", "pairable": false]])
      let (listener, _) = try await heard(rig, pairing: "just-works")
      #expect(await listener.pair(PairingRequest(address: meter)).failure == nil)
      #expect(await rig.waits { try $0.calls("Pairable").count == 2 })
      #expect(try rig.calls("Pairable").map { $0.hasSuffix("True") } == [true, false])
      await listener.stop()
    }

    @Test(
      "Whatever a device wants that nobody asked for is refused and told",
      arguments: [
        ("RequestPinCode", "o", []), ("DisplayPinCode", "os", ["1234"]),
        ("RequestPasskey", "o", []),
        ("DisplayPasskey", "ouq", [1, 0]), ("RequestConfirmation", "ou", [123_456]),
        ("RequestAuthorization", "o", []), ("AuthorizeService", "os", ["1812"]),
      ] as [(String, String, JSONValue)])
    func unasked(member: String, signature: String, more: JSONValue) async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig, pairing: "just-works")
      let request: JSONValue = [
        "path": .string(path), "member": .string(member), "signature": .string(signature),
        "more": more,
      ]
      for _ in 0..<20 { try rig.ask("unasked", request) }
      #expect(await rig.waits { try $0.answers().count == 20 })
      #expect(try rig.answers().allSatisfy { $0.contains("org.bluez.Error.Rejected") })
      let wish: PairingRefusal.Wish = member == "AuthorizeService" ? .service : .pairing
      #expect(await listener.refusals.map(\.wish) == [wish])
      #expect(await listener.refusals.map(\.address) == [meter])
      #expect(await listener.questions.isEmpty)
      await listener.stop()
    }

    @Test(
      "While one device is paired another is refused all the same, and so is one that does not exist"
    )
    func another() async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig, pairing: "passkey")
      let intruder = try rig.device("AA:11:22:33:44:66", ["rssi": -30])
      await listener.wait { $0.sightings.count == 2 }
      async let result = listener.pair(PairingRequest(address: meter))
      await listener.wait { !$0.questions.isEmpty }
      for path in [intruder, "/org/bluez/hci0/dev_00_00_00_00_00_00", "/"] {
        try rig.ask("unasked", ["path": .string(path), "member": "RequestPasskey"])
      }
      #expect(await rig.waits { try $0.answers().count == 3 })
      #expect(await listener.refusals.map(\.address?.text) == ["AA:11:22:33:44:66", nil])
      #expect(await listener.answer(.passkey(123_456), for: meter))
      #expect(await result.failure == nil)
      #expect(try rig.ask("state")["trusted"] == [.string(path)])
      await listener.stop()
    }

    @Test("A program that is not bluetoothd gets nothing out of the agent")
    func stranger() async throws {
      let rig = try BlueZRig()
      let (listener, path) = try await heard(rig, pairing: "passkey")
      async let result = listener.pair(PairingRequest(address: meter, passkey: 123_456))
      try rig.ask("stranger", ["path": .string(path)])
      #expect(await rig.waits { try $0.answers().contains { $0.contains("stranger") } })
      #expect(
        try rig.answers().contains("\"stranger org.freedesktop.DBus.Error.AccessDenied\""))
      #expect(await listener.refusals.map(\.wish) == [.program])
      #expect(await result.failure == nil)
      await listener.stop()
    }

    @Test("An agent that bluetoothd lets go, or would not have, is offered again")
    func release() async throws {
      let rig = try BlueZRig()
      try rig.ask("fault", ["call": "RegisterAgent*", "error": "Failed", "count": 1])
      let listener = await Listener(rig) { $0.patience.checkMilliseconds = 50 }
      #expect(await rig.waits { try $0.calls("RegisterAgent").count == 2 })
      #expect(await rig.waits { try $0.ask("state")["default"] == true })
      let path = try rig.device(Self.text, ["rssi": -60])
      try rig.ask("unasked", ["path": .string(path), "member": "Release", "signature": ""])
      #expect(await rig.waits { try $0.calls("RegisterAgent").count == 3 })
      await listener.stop()
    }

    @Test("Bonds are there for the next start, until they are forgotten")
    func bonds() async throws {
      let rig = try BlueZRig()
      let (first, path) = try await heard(rig, pairing: "just-works")
      #expect(await first.pair(PairingRequest(address: meter)).failure == nil)
      await first.stop()

      let second = await Listener(rig)
      await second.wait(forHealth: "")
      #expect(await second.devices.map(\.isBonded) == [true])
      let news = await second.news.compactMap {
        if case .device(let device) = $0 { device } else { nil }
      }
      #expect(news.map(\.address) == [meter])
      #expect(await second.forget(meter).failure == nil)
      #expect(try rig.calls("RemoveDevice") == ["/org/bluez/hci0 RemoveDevice \(path)"])
      await second.settle()
      #expect(await second.forget(meter).failure?.code == .unknownDevice)
      #expect(await second.devices.isEmpty)
      await second.stop()
    }
  }
}
