import Alarms
public import Care
import Upkeep

/// What is known of the parts of the gateway itself.
public struct UpkeepView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// Faults that are raised now.
  public var faults: [HealthReport] { engines[UpkeepEngine.self].raised }

  /// What the engines themselves find of the gateway's parts.
  public var ownReports: [HealthReport] { engines.health }

  /// Whether guardians can be told, as a part of the gateway; nil until it is known what plugins offer.
  public var reachReport: HealthReport? {
    ownReports.first { $0.component == AlarmEngine.reachComponent }
  }
}
