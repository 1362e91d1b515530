import Care
import Moments

/// Where everybody is, where they came from, and which way they look.
struct Positions: Sendable {
  private var trails: [ResidentID: Trail] = [:]
  private var facings: [ResidentID: Facing] = [:]

  /// Nobody is seen.
  init() {}

  // MARK: Views

  /// Where somebody was in the last minutes; nil for whoever was not seen.
  func trail(of id: ResidentID) -> Trail? { trails[id] }

  /// Which way somebody looks or goes, in degrees clockwise from north; nil where nobody knows.
  func heading(of id: ResidentID, at now: Tick) -> Double? {
    facings[id]?.degrees(at: now) ?? trails[id]?.headingDegrees
  }

  // MARK: Changes

  /// Takes a position of somebody.
  mutating func take(_ location: Signal.Location, of id: ResidentID, at now: Tick) {
    trails[id, default: Trail()].take(
      location.coordinate, accuracyMeters: location.accuracyMeters, at: now)
  }

  /// Takes what a compass says that moves with somebody, in degrees clockwise from north.
  mutating func turn(_ degrees: Double, of id: ResidentID, at now: Tick) {
    facings[id, default: Facing()].take(degrees, moving: trails[id]?.headingDegrees, at: now)
  }

  /// What follows is judged, as at the beginning of a way.
  mutating func judge(_ id: ResidentID, from now: Tick) { trails[id]?.judge(from: now) }

  /// Forgets what was, as after an answer: what follows is judged anew.
  mutating func restart(_ id: ResidentID, at now: Tick) { trails[id]?.restart(at: now) }

  /// Forgets where somebody is.
  mutating func forget(_ id: ResidentID) { (trails[id], facings[id]) = (nil, nil) }
}
