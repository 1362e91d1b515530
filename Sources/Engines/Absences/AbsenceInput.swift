public import Care

/// What explains that a resident is out.
public struct Expectation: Hashable, Sendable {
  /// The absence.
  public var absence: Absence
  /// When it is on.
  public var window: AbsenceWindow
  /// Whether the resident is out for it already.
  public var isAway: Bool
}
