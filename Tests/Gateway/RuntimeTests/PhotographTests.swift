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

/// The photograph of an SOS: who sees it, and from when.
@Suite("Photographs on pages", .inVirtualTime) @LoopActor struct PhotographTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let services = ScriptedServices()

  private func makeRuntime() -> GatewayRuntime {
    services.answers["photograph"] = .success(["path": "/p/1.jpg"])
    let people = ["ada", "ben"].map {
      Resident(id: ResidentID($0), name: "Resident \($0)", timeZone: "UTC")
    }
    let guardian = Guardian(id: "bo", resident: "ada", name: "Bo", phone: "+4791234567")
    return GatewayRuntime.scripted(
      StoredState(residents: people, guardians: [guardian]), over: store, at: clock
    ) { parts in
      parts.room.services = services
      parts.room.pictures = ScriptedPictures()
    }
  }

  private func caregiver(of resident: ResidentID) -> Asking {
    Asking(
      Principal(channel: .plugin, name: "console/cy@example.org"),
      .account(Account(id: "cy", name: "Cy", role: .caregiver, residents: [resident])))
  }

  private func perform(_ request: JSONValue, on runtime: GatewayRuntime) async throws {
    let owner = Asking.owner(Principal(channel: .local, name: "ole"))
    let command = Command(
      id: CommandID("c-\(request.serialized)"), principal: owner.principal,
      freshUntil: clock.now().tick.advanced(byMilliseconds: 60_000),
      request: try Command.Request(json: request))
    let reply = await withLoopContinuation { continuation in
      runtime.perform(command, for: owner) { continuation.resume(returning: $0) }
    }
    guard case .done = reply else { throw Failed(reply: "\(reply)") }
  }

  private struct Failed: Error { var reply: String }

  private func photograph(
    _ event: EventID, _ offset: Int64 = 0, for asking: Asking, on runtime: GatewayRuntime
  ) async -> JSONValue? {
    let params: JSONValue = [
      "id": .string(event.rawValue), "offset": .integer(offset),
    ]
    return await withLoopContinuation { continuation in
      runtime.answer(.alarmPhotograph, params: params, asking: asking) {
        continuation.resume(returning: try? $0.get().content)
      }
    }
  }

  private var told: [EncodedEvent] {
    store.records.flatMap(\.events).filter { $0.type == .alarmPhoto }
  }

  @Test("Whoever cares for the resident sees it once guardians were told, and nobody else does")
  func seen() async throws {
    let runtime = makeRuntime()
    try await perform(["action": "sos.raise", "target": "ada"], on: runtime)
    await EventLoop.pass(milliseconds: 20_000)
    try await perform(["action": "photo.take", "target": "ada"], on: runtime)
    await EventLoop.pass(milliseconds: 1_000)
    let event = try #require(
      told.first { String(decoding: $0.body, as: UTF8.self).contains("kept:") })
    let answer = await photograph(event.id, for: caregiver(of: "ada"), on: runtime)
    let bytes = answer?["data"]?.stringContent.flatMap { Base64.decode($0) }
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == "kept:/p/1.jpg")
    #expect(answer?["isLast"] == true)
    let rest = await photograph(event.id, 5, for: caregiver(of: "ada"), on: runtime)
    #expect(rest?["data"]?.stringContent.flatMap { Base64.decode($0) }?.count == 8)
    #expect(await photograph(event.id, for: caregiver(of: "ben"), on: runtime) == nil)
    #expect(await photograph("nothing", for: caregiver(of: "ada"), on: runtime) == nil)
    let other = try #require(store.records.flatMap(\.events).first { $0.type != .alarmPhoto })
    #expect(await photograph(other.id, for: caregiver(of: "ada"), on: runtime) == nil)
  }
}
