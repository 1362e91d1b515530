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
import Texts

@testable import Runtime

/// Counts what a test sends.
final class Numbers { var last = 0 }

extension GatewayRuntime {
  /// A gateway over doubles that has started, in a house where everybody lives by UTC.
  @LoopActor
  static func scripted(
    _ stored: StoredState, over store: ScriptedStore, at clock: ManualClock,
    parts change: (inout Parts) -> Void = { _ in }
  ) -> GatewayRuntime {
    let now = clock.now()
    let core = GatewayCore(
      stored: stored, configuration: CoreConfiguration(gateway: "test", language: .en), seed: 1,
      boot: "b", at: now)
    var parts = Parts(store: store, clock: clock)
    parts.privacy = { PrivacyFilter(zones: [], gatewaySeed: 1, events: .all) }
    parts.room.timeZoneFile = { $0 == "UTC" ? [] : nil }
    change(&parts)
    let runtime = GatewayRuntime(
      run: Run(
        core: core,
        record: RunRecord(
          run: "run-1", seed: 1, version: "0", boot: "b", moment: now, startState: [])),
      parts: parts)
    runtime.start()
    return runtime
  }

  /// Has a request done for somebody; it counts for a minute.
  @LoopActor
  func reply(
    to request: Command.Request, id: String, for asking: Asking, at clock: ManualClock
  ) async -> CommandReply {
    let command = Command(
      id: CommandID(id), principal: asking.principal,
      freshUntil: clock.now().tick.advanced(byMilliseconds: 60_000), request: request)
    return await withLoopContinuation { continuation in
      perform(command, for: asking) { continuation.resume(returning: $0) }
    }
  }

  /// Has a request done as it comes over a socket; what came of it, or why not.
  @LoopActor
  func result(
    of request: JSONValue, id: String, for asking: Asking, at clock: ManualClock
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    let asked: Command.Request
    do throws(DecodeError) { asked = try Command.Request(json: request) } catch {
      return .failure(CommandReply.Refusal(.invalid, Message(verbatim: "\(error)")))
    }
    switch await reply(to: asked, id: id, for: asking, at: clock) {
    case .done(let result): return .success(result)
    case .refused(let refusal): return .failure(refusal)
    }
  }
}

extension EventDisclosures {
  /// What all events tell.
  static let all = EventDisclosures(GatewayCore.events)
}
