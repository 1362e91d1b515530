import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports

/// How the gateway and its parts do.
@LoopActor
struct GatewayStatus {
  let view: CoreView
  let clock: any GatewayClock
  let store: any CareStore
  let plugins: (any PluginAdministration)?
  /// The state directory, as people are shown it.
  let stateDirectory: String
  let startedAt: Moment
  /// How the parts do now.
  let health: @LoopActor () -> HealthBoard

  var handlings: [Handling] {
    [
      Handling(.status) { asked, answer in status(for: asked) { answer(.success($0)) } },
      Handling(.health) { asked, answer in
        answer(.success(healthReport(isPublic: !asked.asking.isOwner).report))
      },
    ]
  }

  /// Everything a person wants to know at a glance, as one object.
  func status(completion: @escaping @LoopActor (JSONValue) -> Void) {
    store.status { storeStatus in
      pluginReport(of: plugins) { plugins in
        completion(statusObject(store: storeStatus, plugins: plugins))
      }
    }
  }

  /// The same as far as whoever asks may see it.
  private func status(for asked: Asked, completion: @escaping @LoopActor (JSONValue) -> Void) {
    status { status in
      guard !asked.asking.isOwner else { return completion(status) }
      completion(cut(status, for: asked.asking))
    }
  }

  private func cut(_ status: JSONValue, for asking: Asking) -> JSONValue {
    func may(_ permission: Permission, _ resident: JSONValue?) -> Bool {
      let subject = resident?.stringContent.map { Subject.resident(ResidentID($0)) } ?? .gateway
      return Policy.decide(asking, permission, subject) == .allowed
    }
    func list(_ name: String, _ isShown: (JSONValue) -> Bool) -> JSONValue {
      .array((status[name]?.arrayContent ?? []).filter(isShown))
    }
    return status.setting("residents", to: list("residents") { may(.position, $0["id"]) })
      .setting("alarms", to: list("alarms") { may(.alarms, $0["resident"]) })
      .setting("reach", to: list("reach") { may(.contacts, $0["resident"]) })
      .setting("components", to: health().json(at: clock.now().tick, isPublic: true))
      .setting("faults", to: .array(view.core.upkeep.faults.filter { !$0.namesPeople }.map(\.json)))
  }

  /// Whether every part works, and each part's state.
  ///
  /// - Parameter isPublic: whether anybody on the machine may read it, so that sentences that name people are left out.
  func healthReport(isPublic: Bool) -> (isHealthy: Bool, report: JSONValue) {
    let (now, health) = (EventLoop.now, health())
    return (
      health.isHealthy,
      [
        "healthy": .bool(health.isHealthy), "version": .string(Release.version),
        "uptimeSeconds": .integer(now.milliseconds(since: startedAt.tick) / 1000),
        "components": health.json(at: now, isPublic: isPublic),
      ]
    )
  }

  private func statusObject(store: StoreStatus, plugins: JSONValue) -> JSONValue {
    let now = clock.now()
    return [
      "gateway": .string(view.core.configuration.gateway.rawValue),
      "version": .string(Release.version), "run": .string(view.runName),
      "state": .string(stateDirectory),
      "uptimeSeconds": .integer(now.tick.milliseconds(since: startedAt.tick) / 1000),
      "clock": [
        "utc": .string(now.utc.iso8601), "quality": .string(now.quality.rawValue),
        "isTrusted": .bool(now.quality.isTrusted),
      ],
      "residents": .array(view.core.household.residentSummaries),
      "alarms": .array(view.core.alarms.summaries()),
      "reach": .array(view.core.alarms.reachSummaries(at: now)),
      "components": health().json(at: now.tick),
      "faults": .array(view.core.upkeep.faults.map(\.json)),
      "store": store.json(at: now.tick), "plugins": plugins,
    ]
  }
}

extension StoreStatus {
  /// The status as an object, with seconds since the last commit.
  func json(at now: Tick) -> JSONValue {
    .object([
      "alarmSequence": .integer(heads.alarm), "recordSequence": .integer(heads.record),
      "traceSequence": .integer(heads.trace), "waitingRecords": .integer(Int64(waitingRecords)),
      "freeBytes": .integer(freeBytes), "usedBytes": .integer(usedBytes),
      "secondsSinceCommit": lastCommit.map { .integer(now.milliseconds(since: $0) / 1000) },
      "lastBackup": lastBackup.map { .string($0.iso8601) },
      "thinnedTraces": .integer(thinnedTraces),
    ])
  }
}
