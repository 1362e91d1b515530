import Care

/// What explains that a resident is out.
struct Expectation: Hashable {
  /// The absence.
  let absence: Absence
  /// When it is on.
  let window: AbsenceWindow
  /// Whether the resident is out for it already.
  let isAway: Bool

  /// Of several the one that lasts longest.
  static func longest(_ found: [Expectation]) -> Expectation? {
    found.max { ($0.window.limit, $0.absence.id) < ($1.window.limit, $1.absence.id) }
  }
}
