import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Privacy
import Testing

@testable import Runtime

@Suite("By which clocks people live") @LoopActor struct ClockTests {
  private static let local = Principal(channel: .local, name: "ole")

  private func makeRuntime() -> GatewayRuntime {
    let clock = ManualClock()
    let now = clock.now()
    let core = GatewayCore(
      stored: StoredState(
        residents: ["mary", "ben"].map {
          Resident(id: ResidentID($0), name: "Resident \($0)", timeZone: "Etc/GMT+8")
        }), configuration: CoreConfiguration(gateway: "test"), seed: 1, boot: "b", at: now)
    var parts = GatewayRuntime.Parts(store: ScriptedStore(), clock: clock)
    let filter = PrivacyFilter(discs: [], events: .all)
    parts.privacy = { filter }
    return GatewayRuntime(
      run: GatewayRuntime.Run(
        core: core,
        record: RunRecord(
          run: "run-1", seed: 1, version: "0", boot: "b", moment: now, startState: [])),
      parts: parts)
  }

  private func ask(
    of resident: String, for asking: Asking
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    let runtime = makeRuntime()
    return await withCheckedContinuation { continuation in
      runtime.answer(.clockGet, params: ["resident": .string(resident)], asking: asking) {
        continuation.resume(returning: $0.map(\.content))
      }
    }
  }

  private func refusal(
    _ answer: Result<JSONValue, CommandReply.Refusal>
  ) -> CommandReply.Refusal.Code? {
    if case .failure(let refusal) = answer { refusal.code } else { nil }
  }

  @Test("The owner, and a plugin that may ask where people are, learn the time zone; nobody else")
  func asked() async throws {
    let known: JSONValue = ["resident": "mary", "timeZone": "Etc/GMT+8", "isKnown": false]
    #expect(try await ask(of: "mary", for: .owner(Self.local)).get() == known)
    let plugin = Principal(channel: .plugin, name: "console")
    let granted = Asking(plugin, .plugin(grants: ["read:position"]))
    #expect(try await ask(of: "mary", for: granted).get() == known)
    let other = Asking(plugin, .plugin(grants: ["read:health"]))
    #expect(refusal(await ask(of: "mary", for: other)) == .forbidden)
    let anna = Account(id: "anna", name: "anna", role: .caregiver, residents: ["mary"])
    #expect(refusal(await ask(of: "ben", for: Asking(Self.local, .account(anna)))) == .forbidden)
    #expect(refusal(await ask(of: "nobody", for: .owner(Self.local))) == .unknownTarget)
  }
}
