public import Moments

/// What this build of Homeward is.
public enum Release {
  /// Version of the program, `MAJOR.MINOR.PATCH`.
  public static let version = "0.1.0"

  /// No clock that shows an earlier time can be right, because this version did not exist yet.
  public static let earliestPlausibleTime = Timestamp(
    milliseconds: CivilDateTime(year: 2026, month: 11, day: 1).asUTC.milliseconds)
}
