import Bytes
import Care
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Testing
import Texts

@testable import Runtime

/// What a gateway says no to, and that it changes nothing then.
@Suite("What is refused, and says why", .inVirtualTime) @LoopActor struct RefusalTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let photographs = ScriptedPictures()
  private static let owner = Asking.owner(Principal(channel: .local, name: "ole"))

  private func makeRuntime(
    _ change: (inout GatewayRuntime.Parts) -> Void = { _ in }
  ) -> GatewayRuntime {
    GatewayRuntime.scripted(
      StoredState(residents: [Resident(id: "mary", name: "Mary", timeZone: "UTC")]), over: store,
      at: clock
    ) {
      $0.room.pictures = photographs
      change(&$0)
    }
  }

  private func refusal(
    of request: Command.Request, id: String = "c-1", on runtime: GatewayRuntime
  ) async -> CommandReply.Refusal? {
    let reply = await runtime.reply(to: request, id: id, for: Self.owner, at: clock)
    guard case .refused(let refusal) = reply else { return nil }
    return refusal
  }

  private func ask(
    _ route: Route, _ params: JSONValue = [:], on runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    await withLoopContinuation { continuation in
      runtime.answer(route, params: params, asking: Self.owner) {
        continuation.resume(returning: $0.map(\.content))
      }
    }
  }

  private func code(
    _ answer: Result<JSONValue, CommandReply.Refusal>
  ) -> CommandReply.Refusal.Code? {
    guard case .failure(let refusal) = answer else { return nil }
    return refusal.code
  }

  /// Lets the loop tell what the disk has answered.
  private func settle() async {
    for _ in 0..<10 {
      await withLoopContinuation { continuation in
        EventLoop.current.post { continuation.resume() }
      }
    }
  }

  @Test("A gateway that is stopping does nothing any more, and says so instead of being silent")
  func stopping() async {
    let runtime = makeRuntime()
    await settle()
    runtime.stop()
    let records = store.records.count
    for request in [
      Command.Request.locate(resident: "mary"), .setTracking(resident: "mary", isOn: false),
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")),
    ] {
      #expect(await refusal(of: request, on: runtime)?.code == .notNow, "\(request)")
    }
    runtime.observe(.listening("bluetooth", isListening: true))
    await settle()
    #expect(store.records.count == records)
  }

  /// Hashes nothing, as a machine without memory for it.
  private final class Exhausted: CredentialKeeper {
    func hash(_ secrets: [String], completion: @escaping @LoopActor ([String]?) -> Void) {
      completion(nil)
    }
    func check(_ guesses: [CredentialGuess], completion: @escaping @LoopActor ([Bool]?) -> Void) {
      completion(nil)
    }
    func randomBytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }
    func mark(_ text: String, key: [UInt8]) -> [UInt8] { [UInt8](repeating: 7, count: 32) }
  }

  @Test("A PIN that cannot be kept is refused, and is in nothing that the disk gets")
  func pins() async {
    let set = Command.Request.alarm(.setPIN(resident: "mary", kind: .okay, pin: "246802"))
    let without = makeRuntime()
    #expect(await refusal(of: set, on: without)?.code == .conflict)
    let exhausted = makeRuntime { $0.room.credentials = Exhausted() }
    #expect(await refusal(of: set, on: exhausted)?.code == .notNow)
    for record in store.records {
      let bodies = [record.input?.body ?? []] + record.events.map(\.body)
      #expect(!bodies.contains { String(decoding: $0, as: UTF8.self).contains("246802") })
      #expect(!"\(record.changes)".contains("246802"))
    }
  }

  @Test(
    "Who is erased while the disk fails is still there, with their photographs, until it answers")
  func erased() async throws {
    let runtime = makeRuntime()
    await settle()
    store.setDisk(.fails)
    #expect(await refusal(of: .eraseResident("mary"), on: runtime)?.code == .notNow)
    #expect(photographs.erased.isEmpty)
    #expect(try await ask(.residentsList, on: runtime).get().arrayContent?.count == 1)
    store.setDisk(.answers)
    await settle()
    #expect(await refusal(of: .eraseResident("mary"), id: "c-2", on: runtime) == nil)
    #expect(photographs.erased == ["mary"])
    #expect(try await ask(.residentsList, on: runtime).get() == [])
    let gone = await refusal(of: .eraseResident("mary"), id: "c-3", on: runtime)
    #expect(gone?.code == .unknownTarget)
    runtime.stop()
  }

  @Test("Without plugins, and with a disk that takes no copy, questions are answered all the same")
  func plugins() async throws {
    let runtime = makeRuntime()
    #expect(try await ask(.pluginsList, on: runtime).get() == [])
    #expect(code(await ask(.pluginsRestart, ["name": "mqtt"], on: runtime)) == .unknownTarget)
    #expect(code(await ask(.pluginsRestart, on: runtime)) == .invalid)
    #expect(try await ask(.deadLettersRedrive, on: runtime).get()["redriven"] == 0)
    #expect(code(await ask(.backupCreate, ["path": "/tmp/x"], on: runtime)) == .conflict)
    runtime.stop()
  }

  private static func piece(_ data: String, of resident: String = "mary") -> JSONValue {
    [
      "resident": .string(resident), "upload": "u", "offset": 0, "data": .string(data),
      "isLast": true,
    ]
  }

  @Test("A piece of a file that is none, is too large, or is of nobody is not kept")
  func pieces() async throws {
    let recordings = ScriptedRecordings()
    let runtime = makeRuntime { $0.room.recordings = recordings }
    let large = [UInt8](repeating: 7, count: UploadPiece.bytesAtMost + 1)
    let largest = [UInt8](repeating: 7, count: UploadPiece.bytesAtMost)
    func text(_ bytes: [UInt8]) -> String { String(decoding: Base64.encode(bytes), as: UTF8.self) }
    for (params, expected) in [
      (Self.piece("!!"), .invalid), (Self.piece(text(large)), .invalid),
      (Self.piece("AAEC", of: "nobody"), .unknownTarget),
      (["resident": "mary", "data": "AAEC"], .invalid),
    ] as [(JSONValue, CommandReply.Refusal.Code)] {
      #expect(code(await ask(.recordingAdd, params, on: runtime)) == expected)
    }
    #expect(recordings.files.isEmpty)
    let kept = try await ask(.recordingAdd, Self.piece(text(largest)), on: runtime).get()
    let id = try #require(kept["id"])
    #expect(code(await ask(.recordingGet, ["id": id, "offset": -1], on: runtime)) == .invalid)
    let end = UploadPiece.bytesAtMost
    let rest = try await ask(
      .recordingGet, ["id": id, "offset": .integer(Int64(end))], on: runtime
    ).get()
    #expect(rest["data"] == "" && rest["isLast"] == true)
    runtime.stop()
    let without = makeRuntime()
    #expect(code(await ask(.recordingAdd, Self.piece("AAEC"), on: without)) == .conflict)
    without.stop()
  }

  @Test("A clock that nobody vouches for is said to be none to trust")
  func clockUnknown() async throws {
    let runtime = makeRuntime()
    #expect(try await ask(.status, on: runtime).get()["clock"]?["isTrusted"] == true)
    clock.moment = Moment(tick: clock.moment.tick, utc: .seconds(0), quality: .untrusted)
    let told = try await ask(.status, on: runtime).get()["clock"]
    #expect(told?["isTrusted"] == false && told?["quality"] == "untrusted")
    let sos = Command.Request.alarm(
      .raise(resident: "mary", kind: .sos, trigger: .commandLine, text: ""))
    #expect(await refusal(of: sos, on: runtime) == nil, "help is called whatever the time is")
    runtime.stop()
  }
}
