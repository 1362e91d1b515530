public import Care
import Core
import Door
public import JSON
import Loop
import Moments
import Ports

extension GatewayRuntime {
  /// Everything a person wants to know at a glance, as one object.
  public func status(completion: @escaping @LoopActor (JSONValue) -> Void) {
    parts.store.status { [weak self] storeStatus in
      guard let self else { return }
      self.withPluginReport { plugins in
        completion(self.statusObject(store: storeStatus, plugins: plugins))
      }
    }
  }

  /// The same as far as whoever asks may see it.
  func status(for asked: Asked, completion: @escaping @LoopActor (JSONValue) -> Void) {
    status { [weak self] status in
      guard let self, !asked.asking.isOwner else { return completion(status) }
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
      .setting("components", to: health.json(at: parts.clock.now().tick, isPublic: true))
      .setting("faults", to: .array(core.faults.filter { !$0.namesPeople }.map(\.json)))
  }

  /// All zones, for the privacy filter.
  public var zones: [SafeZone] { core.zones(of: nil) }

  /// Homes that were moved or removed, for the privacy filter.
  public var pastHomes: [PastHome] { core.pastHomes }

  /// Another number whenever ``zones`` or ``pastHomes`` may be others.
  public var zonesVersion: UInt64 { core.zonesVersion }

  /// Whether every part works, and each part's state.
  public var healthReport: (isHealthy: Bool, report: JSONValue) { healthReport(isPublic: false) }

  /// The same for anybody on the machine, without sentences that name people.
  public var publicHealthReport: (isHealthy: Bool, report: JSONValue) {
    healthReport(isPublic: true)
  }

  private func healthReport(isPublic: Bool) -> (isHealthy: Bool, report: JSONValue) {
    let now = EventLoop.now
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
    let now = parts.clock.now()
    return [
      "gateway": .string(core.configuration.gateway.rawValue),
      "version": .string(Release.version), "run": .string(run),
      "state": .string(parts.stateDirectory),
      "uptimeSeconds": .integer(now.tick.milliseconds(since: startedAt.tick) / 1000),
      "clock": [
        "utc": .string(now.utc.iso8601), "quality": .string(now.quality.rawValue),
        "isTrusted": .bool(now.quality.isTrusted),
      ],
      "residents": .array(core.residentSummaries), "alarms": .array(core.alarmSummaries()),
      "reach": .array(core.reachSummaries(at: now)),
      "components": health.json(at: now.tick), "faults": .array(core.faults.map(\.json)),
      "store": store.json(at: now.tick), "plugins": plugins,
    ]
  }

  func withPluginReport(_ body: @escaping @LoopActor (JSONValue) -> Void) {
    guard let plugins = parts.plugins else { return body([]) }
    plugins.report(completion: body)
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
