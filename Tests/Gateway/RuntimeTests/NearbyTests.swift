import Bytes
import Care
import Core
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Privacy
import Testing
import Texts

@testable import Runtime

/// What caregivers ask of the radio, from a search to a meter that is taken away again.
@Suite("Tags and meters nearby") @LoopActor struct NearbyTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let radio = ScriptedRadio()
  private let numbers = Numbers()

  private static let meter = "C0:11:22:33:44:55/random"
  private static let keys: JSONValue = [
    "address": "A4:C1:38:8D:18:B2", "name": "Keys", "rssi": -50, "isMeter": false,
    "isChanging": false, "identities": ["address:A4:C1:38:8D:18:B2"],
  ]
  private static let phone: JSONValue = [
    "address": "51:22:33:44:55:66/random", "rssi": -40, "isMeter": false, "isChanging": true,
    "identities": [],
  ]
  private static let heardMeter: JSONValue = [
    "address": .string(meter), "name": "Guide", "rssi": -60, "isMeter": true, "isChanging": false,
    "identities": [.string("address:\(meter)")],
  ]

  private func makeRuntime(hasRadio: Bool = true) -> GatewayRuntime {
    GatewayRuntime.scripted(
      StoredState(
        residents: ["mary", "ben"].map {
          Resident(id: ResidentID($0), name: "Resident \($0)", timeZone: "UTC")
        }), over: store, at: clock
    ) { if hasRadio { $0.bluetooth = radio } }
  }

  private static func account(
    _ role: AccountRole, of residents: Set<ResidentID> = ["mary"]
  ) -> Asking {
    Asking(
      Principal(channel: .plugin, name: "console/anna"),
      .pluginFor(
        Account(id: "anna", name: "anna", role: role, residents: residents),
        grants: Set(CommandRule.all.map(\.grant))
          .union(["read:position", "read:health", "content.personal"])))
  }

  private static let anna = account(.caregiver)

  /// Asks for something as it comes over a socket; the result, or why not.
  private func perform(
    _ request: JSONValue, for asking: Asking = anna, id: String? = nil, on runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    numbers.last += 1
    return await runtime.result(
      of: request, id: id ?? "c-\(numbers.last)", for: asking, at: clock)
  }

  private func nearby(
    _ resident: String = "mary", for asking: Asking = anna, on runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    await withLoopContinuation { continuation in
      runtime.answer(.devicesNearby, params: ["resident": .string(resident)], asking: asking) {
        continuation.resume(returning: $0.map(\.content))
      }
    }
  }

  private func code(_ answer: Result<JSONValue, CommandReply.Refusal>) -> String? {
    guard case .failure(let refusal) = answer else { return nil }
    return refusal.code.rawValue
  }

  private static func search(_ resident: String = "mary") -> JSONValue {
    ["action": "device.search", "target": .string(resident), "seconds": 15]
  }

  private static let pair: JSONValue = [
    "action": "meter.pair",
    "meter": ["address": .string(meter), "resident": "mary", "name": "The meter"],
  ]

  private static func answer(_ resident: String = "mary") -> JSONValue {
    [
      "action": "meter.answer", "target": .string(meter), "resident": .string(resident),
      "passkey": 123_456,
    ]
  }

  @Test("A search shows how far it is, ends by itself, and keeps for ten minutes what it found")
  func search() async throws {
    let runtime = makeRuntime()
    #expect(try await nearby(on: runtime).get()["search"] == nil)
    _ = try await perform(Self.search(), on: runtime).get()
    #expect(radio.scans.map(\.milliseconds) == [15_000])
    clock.moment = clock.moment.advanced(byMilliseconds: 5000)
    let going = try await nearby(on: runtime).get()
    #expect(going["search"] == ["isGoingOn": true, "seconds": 15, "secondsLeft": 10])
    radio.scans[0].completion([Self.phone, Self.keys, Self.heardMeter])
    let done = try await nearby(on: runtime).get()
    #expect(done["search"]?["isGoingOn"] == false && done["changing"] == 1)
    let found = try #require(done["found"]?.arrayContent)
    #expect(found.compactMap { $0["name"]?.stringContent } == ["Keys", "Guide"])
    #expect(found.map { $0["isKnown"] } == [false, false])
    // What is known stays without what it is known by.
    _ = try await perform(
      [
        "action": "tag.put",
        "tag": ["id": "keys", "resident": "mary", "name": "Keys", "kind": "keys"],
        "identities": found[0]["identities"] ?? [],
      ], on: runtime
    ).get()
    _ = try await perform(Self.search(), on: runtime).get()
    radio.scans[1].completion([Self.keys.setting("tag", to: "keys")])
    let known = try await nearby(on: runtime).get()["found"]?.arrayContent?.first
    #expect(known?["isKnown"] == true && known?["identities"] == [])
    clock.moment = clock.moment.advanced(byMilliseconds: 600_000)
    #expect(try await nearby(on: runtime).get()["search"] == nil)
  }

  @Test("The same command twice searches once, and who searched is written down")
  func repeated() async throws {
    let runtime = makeRuntime()
    for _ in 0..<2 { _ = try await perform(Self.search(), id: "once", on: runtime).get() }
    #expect(radio.scans.count == 1)
    let told = store.records.flatMap(\.events).filter {
      String(decoding: $0.body, as: UTF8.self).contains("device.search")
    }
    #expect(told.count == 1)
  }

  @Test("Whoever may not change a resident's devices neither searches, pairs nor answers")
  func door() async {
    let runtime = makeRuntime()
    let requests = [Self.search(), Self.pair, Self.answer()]
    let others = [
      Self.account(.resident), Self.account(.caregiver, of: ["ben"]),
      Self.account(.caregiver, of: []),
    ]
    for asking in others {
      for request in requests {
        #expect(code(await perform(request, for: asking, on: runtime)) == "forbidden")
      }
    }
    #expect(code(await nearby("ben", on: runtime)) == "forbidden")
    #expect(radio.scans.isEmpty && radio.pairings.isEmpty && radio.answers.isEmpty)
    for seconds in [0, 61] {
      let long = Self.search().setting("seconds", to: .integer(Int64(seconds)))
      #expect(code(await perform(long, on: runtime)) == "invalid")
    }
  }

  @Test(
    "A meter is paired with the digits that it shows, is the resident's then, and no digit is kept")
  func pairing() async throws {
    let runtime = makeRuntime()
    _ = try await perform(Self.pair, id: "pair", on: runtime).get()
    _ = try await perform(Self.pair, id: "pair", on: runtime).get()
    #expect(radio.pairings.count == 1)
    #expect(code(await perform(Self.pair, on: runtime)) == "conflict")
    radio.questions = [["address": .string(Self.meter), "kind": "passkey"]]
    let asked = try await nearby(on: runtime).get()
    #expect(asked["pairing"]?["state"] == "going-on" && asked["pairing"]?["name"] == "The meter")
    #expect(asked["question"]?["kind"] == "passkey")
    // To another resident's page it is none of their business.
    let both = Self.account(.caregiver, of: ["mary", "ben"])
    #expect(try await nearby("ben", for: both, on: runtime).get()["pairing"] == nil)
    #expect(code(await perform(Self.answer("ben"), for: both, on: runtime)) == "conflict")
    _ = try await perform(Self.answer(), on: runtime).get()
    #expect(radio.answers == [.passkey(123_456)])
    let recorded = store.records.map { String(decoding: $0.input?.body ?? [], as: UTF8.self) }
    #expect(recorded.contains { $0.contains("meter.answer") })
    #expect(!recorded.contains { $0.contains("123456") })
    radio.pairings[0](.success(()))
    let done = await withLoopContinuation { continuation in
      EventLoop.current.post { continuation.resume(returning: runtime.core.nearby.knownMeters) }
    }
    #expect(done.map(\.meter.name) == ["The meter"] && done.map(\.meter.resident) == ["mary"])
    #expect(try await nearby(on: runtime).get()["pairing"]?["state"] == "done")
    #expect(code(await perform(Self.answer(), on: runtime)) == "conflict")
  }

  @Test("Why a pairing failed is read where it was begun, and the next one may begin")
  func failure() async throws {
    let runtime = makeRuntime()
    _ = try await perform(Self.pair, on: runtime).get()
    radio.pairings[0](.failure(BluetoothFailure(.refused, Message("The meter did not want to."))))
    let pairing = try await nearby(on: runtime).get()["pairing"]
    #expect(pairing?["state"] == "failed" && pairing?["why"] == "The meter did not want to.")
    #expect(runtime.core.nearby.knownMeters.isEmpty)
    _ = try await perform(Self.pair, on: runtime).get()
    #expect(radio.pairings.count == 2)
  }

  @Test("Meters are listed with how they do, to whoever may see readings")
  func meters() async throws {
    let runtime = makeRuntime()
    let meter = Self.pair["meter"] ?? .null
    _ = try await perform(["action": "meter.put", "meter": meter], on: runtime).get()
    radio.meters = [
      meter.setting("batteryPercent", to: 80).setting("lastHeardSeconds", to: 60)
        .setting("state", to: "waiting")
    ]
    let now = clock.now().utc
    let list = await withLoopContinuation { continuation in
      runtime.answer(.metersList, params: .object([]), asking: Self.anna) {
        continuation.resume(returning: $0.map(\.content))
      }
    }
    let one = try #require(list.get().arrayContent?.first)
    let heard = try Timestamp(iso8601: one["lastHeardAt"]?.stringContent ?? "")
    #expect(one["batteryPercent"] == 80)
    #expect((50_000...60_000).contains(now.milliseconds(since: heard)))
    #expect(one["name"] == "The meter" && one["lastHeardSeconds"] == nil)
  }

  @Test("A gateway without Bluetooth says so")
  func none() async throws {
    let runtime = makeRuntime(hasRadio: false)
    #expect(try await nearby(on: runtime).get()["isUsed"] == false)
    #expect(code(await perform(Self.search(), on: runtime)) == "conflict")
  }
}

/// A radio that does what the test says.
@LoopActor
private final class ScriptedRadio: BluetoothAdministration {
  let hearer: SourceID = "bluetooth"
  var meters: [JSONValue] = []
  var questions: [JSONValue] = []
  private(set) var scans: [(milliseconds: Int64, completion: @LoopActor (JSONValue) -> Void)] = []
  private(set) var pairings: [@LoopActor (Result<Void, BluetoothFailure>) -> Void] = []
  private(set) var answers: [PairingAnswer] = []

  func start(_ observer: @escaping @LoopActor (Observation) -> Void) {}
  func stop() {}
  func setTags(_ tags: [KnownTag]) {}
  func setMeters(_ meters: [KnownMeter]) {}
  var status: JSONValue { ["meters": .array(meters), "questions": .array(questions)] }

  func scan(milliseconds: Int64, completion: @escaping @LoopActor (JSONValue) -> Void) {
    scans.append((milliseconds, completion))
  }

  func resolved(_ address: BluetoothAddress) -> BluetoothAddress { address }

  func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) { pairings.append(completion) }

  func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool {
    answers.append(answer)
    return true
  }

  func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) { completion(.success(())) }

  func calibrate(_ tag: TagID, step: CalibrationStep) -> JSONValue? { nil }
}
