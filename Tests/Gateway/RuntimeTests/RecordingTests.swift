import Bytes
import Care
import Core
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Testing
import Texts

@testable import Runtime

/// Recordings on their way in and out, and who is let to them.
@Suite("Recordings at the door", .inVirtualTime) @LoopActor struct RecordingTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let recordings = ScriptedRecordings()
  private let speaker = RecordingSpeaker()
  private let renderer = ScriptedRenderer()

  private func makeRuntime() -> GatewayRuntime {
    let people = ["ada", "ben"].map {
      Resident(id: ResidentID($0), name: "Resident \($0)", timeZone: "UTC")
    }
    return GatewayRuntime.scripted(StoredState(residents: people), over: store, at: clock) {
      $0.room.recordings = recordings
      $0.room.speaker = speaker
      $0.room.renderer = renderer
    }
  }

  private func person(_ id: ResidentID, _ role: AccountRole = .caregiver) -> Asking {
    Asking(
      Principal(channel: .plugin, name: "console/\(id)@example.org"),
      .account(Account(id: "account", name: "Cy", role: role, residents: [id])))
  }

  private func ask(
    _ route: Route, _ params: JSONValue, for asking: Asking, on runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    await withLoopContinuation { continuation in
      runtime.answer(route, params: params, asking: asking) {
        continuation.resume(returning: $0.map(\.content))
      }
    }
  }

  private func bring(
    _ resident: ResidentID, for asking: Asking, on runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    var answer: Result<JSONValue, CommandReply.Refusal> = .success(.null)
    for (offset, isLast) in [(Int64(0), false), (3, true)] {
      answer = await ask(
        .recordingAdd,
        [
          "resident": .string(resident.rawValue), "upload": "u", "offset": .integer(offset),
          "data": "AAEC", "isLast": .bool(isLast),
        ], for: asking, on: runtime)
    }
    return answer
  }

  private func code(
    _ answer: Result<JSONValue, CommandReply.Refusal>
  ) -> CommandReply.Refusal.Code? {
    guard case .failure(let refusal) = answer else { return nil }
    return refusal.code
  }

  @Test("A caregiver and the resident bring one, send it, and get its bytes; nobody else does")
  func door() async throws {
    let runtime = makeRuntime()
    #expect(code(await bring("ada", for: person("ben"), on: runtime)) == .forbidden)
    #expect(recordings.files.isEmpty)
    let brought = try await bring("ada", for: person("ada", .resident), on: runtime).get()
    #expect(brought["id"] == "ada-6" && brought["milliseconds"] == 1_600)
    #expect(brought["keptAt"]?.stringContent == clock.now().utc.iso8601)
    let send: JSONValue = [
      "action": "message.send", "target": "m1", "resident": "ada", "sender": "Ada",
      "direction": "to-caregivers", "recording": "ada-6",
    ]
    _ = try await runtime.result(of: send, id: "c1", for: person("ada", .resident), at: clock).get()
    let message = try #require(
      store.records.flatMap(\.changes).compactMap { change -> ChatMessage? in
        if case .put(let row) = change { row.content as? ChatMessage } else { nil }
      }.last)
    #expect(message.text.isEmpty && message.recording?.seconds == 2)
    for offset in [Int64(0), 4] {
      let part = try await ask(
        .recordingGet, ["id": "ada-6", "offset": .integer(offset)], for: person("ada"),
        on: runtime
      ).get()
      let data = Base64.decode(part["data"]?.stringContent ?? "")
      #expect(data == Array([0, 1, 2, 0, 1, 2].dropFirst(Int(offset))) && part["isLast"] == true)
    }
    let others: JSONValue = ["id": "ada-6"]
    #expect(
      code(await ask(.recordingGet, others, for: person("ben"), on: runtime)) == .unknownTarget)
    let far: JSONValue = ["id": "ada-6", "offset": 7]
    #expect(code(await ask(.recordingGet, far, for: person("ada"), on: runtime)) == .invalid)
    let none: JSONValue = ["id": "../etc/passwd"]
    #expect(
      code(await ask(.recordingGet, none, for: person("ada"), on: runtime)) == .unknownTarget)
    runtime.stop()
  }

  @Test("A plugin sees the bytes with the grants for messages alone")
  func grants() async throws {
    let runtime = makeRuntime()
    _ = try await bring("ada", for: person("ada"), on: runtime).get()
    let principal = Principal(channel: .plugin, name: "third")
    let blind = Asking(principal, .plugin(grants: ["read:notes", "notes", "messages"]))
    #expect(code(await ask(.recordingGet, ["id": "ada-6"], for: blind, on: runtime)) != nil)
    let half = Asking(principal, .plugin(grants: ["read:messages"]))
    let seen = try await ask(.recordingGet, ["id": "ada-6"], for: half, on: runtime).get()
    #expect(seen["data"]?.stringContent == "AAECAAEC")
    runtime.stop()
  }

  @Test("What is played in the room is the file; what is not kept any more is left out")
  func room() async throws {
    let runtime = makeRuntime()
    _ = try await bring("ada", for: person("ada"), on: runtime).get()
    let send: JSONValue = [
      "action": "message.send", "target": "m1", "resident": "ada", "sender": "Cy",
      "recording": "ada-6",
    ]
    _ = try await runtime.result(of: send, id: "c1", for: person("ada"), at: clock).get()
    await EventLoop.pass(milliseconds: 1_000)
    renderer.finish { _ in nil }
    #expect(speaker.played.last?.parts.contains(.file("/r/ada-6.wav")) == true)
    runtime.stop()
  }

  @Test("Erasing a resident takes their files, and a start sweeps what nobody knows")
  func erased() async throws {
    let runtime = makeRuntime()
    #expect(recordings.swept == [])
    for resident in ["ada", "ben"] as [ResidentID] {
      _ = try await bring(resident, for: person(resident), on: runtime).get()
    }
    let owner = Asking.owner(Principal(channel: .local, name: "ole"))
    let reply = await runtime.reply(
      to: .eraseResident("ada"), id: "c1", for: owner, at: clock)
    guard case .done = reply else { throw Failed(reply: "\(reply)") }
    #expect(recordings.files.keys.sorted() == ["ben-6"])
    runtime.stop()
  }

  private struct Failed: Error { var reply: String }
}
