public import Care
import Core
public import Door
public import JSON
import Loop
public import Ports

/// What the programs around the runtime see of it.
extension GatewayRuntime {
  /// Everything a person wants to know at a glance, as one object.
  public func status(completion: @escaping @LoopActor (JSONValue) -> Void) {
    gatewayStatus.status(completion: completion)
  }

  /// The figures for a monitoring system, in the order they are shown.
  public func metrics(completion: @escaping @LoopActor ([MetricSample]) -> Void) {
    gatewayMetrics.samples(completion: completion)
  }

  /// What of an event somebody may have who watches; nil when nothing of it.
  public func view(of event: EncodedEvent, for asking: Asking) -> [UInt8]? {
    journalQuestions.body(of: event, for: asking)
  }

  /// Whether a resident refused something.
  public func isRefused(_ kind: ConsentKind, by resident: ResidentID) -> Bool {
    core.household.consents(of: resident).contains { $0.kind == kind && !$0.isGranted }
  }

  /// All zones, for the privacy filter.
  public var zones: [SafeZone] { core.household.zones(of: nil) }

  /// Homes that were moved or removed, for the privacy filter.
  public var pastHomes: [PastHome] { core.household.pastHomes }

  /// Another number whenever ``zones`` or ``pastHomes`` may be others.
  public var zonesVersion: UInt64 { core.household.zonesVersion }

  /// Whether every part works, and each part's state.
  public var healthReport: (isHealthy: Bool, report: JSONValue) {
    gatewayStatus.healthReport(isPublic: false)
  }

  /// How long the oldest step has waited for any answer of the disk, in milliseconds; 0 when none waits.
  public var longestWaitMilliseconds: Int64 { commits.longestWaitMilliseconds }

  /// How many steps the core has taken: equal as long as nothing happened.
  public var stepsTaken: Int64 { coreRun.stepNumber }
}
