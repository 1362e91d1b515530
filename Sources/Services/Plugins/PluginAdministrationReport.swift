public import Care
public import JSON
import Loop
import Moments
public import Ports

extension PluginHost: PluginAdministration {
  /// Every plugin with its state, lanes and last error, as an array of objects.
  public func report(completion: @escaping @LoopActor (JSONValue) -> Void) {
    let now = environment.clock.now()
    statuses { statuses in completion(.array(statuses.map { $0.json(at: now) })) }
  }

  /// Starts a plugin again; false when there is none of that name.
  public func restartPlugin(_ name: String) -> Bool { restart(name) }

  /// Delivers dead letters again; answers how many.
  public func redriveDeadLetters(
    plugin: String?, event: EventID?, completion: @escaping @LoopActor (Int) -> Void
  ) { redrive(plugin: plugin, event: event) { completion($0) } }
}

extension PluginStatus {
  /// The status as an object with ages in seconds, for the command line and metrics.
  func json(at now: Moment) -> JSONValue {
    .object([
      "name": .string(name), "version": .string(version), "state": .string(state.rawValue),
      "pid": pid.map { .integer(Int64($0)) }, "restarts": .integer(Int64(restarts)),
      "confinement": (confinement?.description).map { .string($0) }, "walls": confinement?.json,
      "withheld": .array(withheld.map { .string($0) }),
      "reads": .array(reads.map { .string($0) }),
      "lanes": .array(lanes.map { $0.json(at: now) }),
      "deadLetters": .integer(Int64(deadLetters)), "lastError": .string(lastError),
    ])
  }
}

extension PluginStatus.LaneStatus {
  /// The status as an object with ages in seconds.
  func json(at now: Moment) -> JSONValue {
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
