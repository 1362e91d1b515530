import Alarms
public import Care
public import JSON
public import Moments
public import Texts
import Tracking

/// What people and the parts outside of the core may know of alarms and of whom they reach.
public struct AlarmView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// Open alarms, most urgent first.
  ///
  /// - Parameter language: of whoever reads; nil for each resident's own.
  public func summaries(in language: Language? = nil) -> [JSONValue] {
    engines[AlarmEngine.self].summaries(in: language)
  }

  /// The open alarms that a guardian is told of.
  public func openAlarms(toldTo guardian: Guardian) -> [AlarmID] {
    engines[AlarmEngine.self].alarms(toldTo: guardian)
  }

  /// An open alarm as a guardian sees it, with where the resident is now; nil when it is over, or none of theirs.
  ///
  /// - Parameter language: of whoever reads; nil for the resident's.
  public func alarm(
    _ id: AlarmID, toldTo guardian: Guardian, in language: Language?
  ) -> JSONValue? {
    guard let alarm = engines[AlarmEngine.self].alarm(id, toldTo: guardian, in: language) else {
      return nil
    }
    let tracked = engines[TrackingEngine.self].summary(of: guardian.resident, in: engines.house)
    let zone = engines.house.residents[guardian.resident]?.timeZone
    let isRefused = engines.house.isRefused(.location, by: guardian.resident)
    return alarm.setting("position", to: tracked["position"] ?? .null)
      .setting("isLocationRefused", to: .bool(isRefused))
      .setting("timeZone", to: zone.map { .string($0) } ?? .null)
  }

  /// Whether what is told to guardians alone about an alarm must not be shown to whoever looks at the gateway.
  public func conceals(_ alarm: AlarmID) -> Bool { engines[AlarmEngine.self].isConcealed(alarm) }

  /// The stored hash of a resident's PIN; nil when it is not set.
  public func pinHash(_ kind: PINKind, of resident: ResidentID) -> String? {
    engines[AlarmEngine.self].pinHash(kind, of: resident)
  }

  /// How each resident's guardians can be reached, for people to read.
  public func reachSummaries(at now: Moment) -> [JSONValue] {
    engines[AlarmEngine.self].reachSummaries(in: engines.world(showing: [.faults], at: now))
  }

  /// The guardians of a resident, or of all when nil, each with the ways that lead to them.
  public func guardianSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    engines[AlarmEngine.self].guardianSummaries(
      of: resident, in: engines.world(showing: [.faults], at: now))
  }
}
