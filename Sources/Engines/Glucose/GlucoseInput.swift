public import Care
public import JSON
public import Moments

/// What the engine is told beside what people ask of it.
public enum GlucoseInput: Hashable, Sendable {
  /// A meter was read: its new readings, all at once, so that only the newest is judged against the limits.
  case received([GlucoseReading])
  /// A meter could not measure because the level was beyond its range (`HI`, `LO`).
  case beyondRange(GlucoseLevelFault.End, ResidentID, time: Timestamp, origin: String)
  /// Settings of a resident changed; all that differ from the default.
  case settingsChanged(ResidentID, [String: JSONValue])
  /// The clock was set or became trusted, or somebody's zone or name changed.
  case circumstancesChanged
  /// The tick that the engine asked for has come.
  case time
}
