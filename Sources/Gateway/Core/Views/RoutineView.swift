public import Care
public import JSON
public import Moments
import Reminders

/// What people and the parts outside of the core may know of the residents' routines.
public struct RoutineView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// The items of a resident, or of all when nil, with where each stands; see `routine.list`.
  public func summaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    engines[ReminderEngine.self].summaries(of: resident, at: now)
  }

  /// The zones whose files the core needs: of the residents and of their routines.
  public var neededTimeZones: [String] { engines[ReminderEngine.self].neededZones }
}
