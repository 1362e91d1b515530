public import CareModel
import EventLoop
public import GatewayPorts

extension PluginHost: PluginAdministration {
  /// Every plugin with its state, lanes and last error, as an array of objects.
  public func report(completion: @escaping @LoopActor (JSONValue) -> Void) {
    statuses { statuses in completion(.array(statuses.map(\.json))) }
  }

  /// Starts a plugin again; false when there is none of that name.
  public func restartPlugin(_ name: String) -> Bool { restart(name) }

  /// Delivers dead letters again; answers how many.
  public func redriveDeadLetters(
    plugin: String?, event: EventID?, completion: @escaping @LoopActor (Int) -> Void
  ) { redrive(plugin: plugin, event: event) { completion($0) } }
}

extension PluginStatus {
  /// The status as an object, for the command line and metrics.
  public var json: JSONValue {
    .object([
      "name": .string(name), "version": .string(version), "state": .string(state.rawValue),
      "pid": pid.map { .integer(Int64($0)) }, "restarts": .integer(Int64(restarts)),
      "confinement": .string(confinement), "lanes": .array(lanes.map(\.json)),
      "deadLetters": .integer(Int64(deadLetters)), "lastError": .string(lastError),
    ])
  }
}

extension PluginStatus.LaneStatus {
  /// The status as an object.
  public var json: JSONValue {
    .object([
      "lane": .string(lane.rawValue), "cursor": .integer(cursor), "depth": .integer(depth),
      "oldest": oldest.map { .string($0.iso8601) }, "exceptions": .integer(Int64(exceptions)),
      "lastSuccess": lastSuccess.map { .string($0.utc.iso8601) },
      "outstandingMilliseconds": outstandingMilliseconds.map { .integer($0) },
      "delivered": .integer(delivered), "redelivered": .integer(redelivered),
    ])
  }
}
