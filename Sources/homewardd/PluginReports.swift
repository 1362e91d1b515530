import CareModel
import EventLoop
import GatewayPorts
import PluginHost

/// What the owner sees and does about plugins, in the form that status, console and figures share.
@LoopActor
final class PluginReports: PluginAdministration {
  private let host: PluginHost
  private let clock: any GatewayClock

  init(host: PluginHost, clock: any GatewayClock) {
    self.host = host
    self.clock = clock
  }

  func report(completion: @escaping @LoopActor (JSONValue) -> Void) {
    let now = clock.now()
    let completion = Completion(call: completion)
    host.statuses { statuses in
      completion.call(.array(statuses.map { $0.json(at: now) }))
    }
  }

  func restartPlugin(_ name: String) -> Bool { host.restart(name) }

  func redriveDeadLetters(
    plugin: String?, event: EventID?, completion: @escaping @LoopActor (Int) -> Void
  ) {
    let completion = Completion(call: completion)
    host.redrive(plugin: plugin, event: event) { completion.call($0) }
  }

  /// Carries a callback of the loop through the store's threads and back.
  private struct Completion<Content>: Sendable {
    let call: @LoopActor (Content) -> Void
  }
}

extension PluginStatus {
  /// The status as an object, with ages in seconds.
  fileprivate func json(at now: Moment) -> JSONValue {
    .object([
      "name": .string(name), "version": .string(version), "state": .string(state.rawValue),
      "pid": pid.map { .integer(Int64($0)) }, "restarts": .integer(Int64(restarts)),
      "confinement": .string(confinement), "deadLetters": .integer(Int64(deadLetters)),
      "lastError": .string(lastError), "lanes": .array(lanes.map { $0.json(at: now) }),
    ])
  }
}

extension PluginStatus.LaneStatus {
  fileprivate func json(at now: Moment) -> JSONValue {
    .object([
      "lane": .string(lane.rawValue), "cursor": .integer(cursor), "depth": .integer(depth),
      "oldest": oldest.map { .string($0.iso8601) },
      "oldestAgeSeconds": oldest.map { .integer(max(0, now.utc.milliseconds(since: $0) / 1000)) },
      "exceptions": .integer(Int64(exceptions)),
      "lastSuccess": lastSuccess.map { .string($0.utc.iso8601) },
      "lastSuccessAgeSeconds": lastSuccess.map {
        .integer(now.tick.milliseconds(since: $0.tick) / 1000)
      },
      "outstandingMilliseconds": outstandingMilliseconds.map { .integer($0) },
      "delivered": .integer(delivered), "redelivered": .integer(redelivered),
    ])
  }
}
