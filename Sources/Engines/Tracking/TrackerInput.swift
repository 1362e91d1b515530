import Care

/// What the tracking of one resident reacts to.
enum TrackerInput: Hashable, Sendable {
  /// The resident's receiver reported an epoch.
  case fix(FixReport)
  /// Time has passed; due at ``Tracker/nextWake``, harmless at any other time.
  case time
  /// Tracking was switched on or off.
  case switched(isOn: Bool)
  /// Somebody wants to know the position now (SB-9, SB-16).
  case refreshRequested(by: Principal)
  /// These are the resident's zones from now on, and those that count now; nil where all do.
  case zonesChanged([SafeZone], counting: Set<ZoneID>? = nil)
  /// By their hours these zones count from now on; nil where all do.
  case hoursTurned(Set<ZoneID>?)
  /// These numbers hold from now on.
  case settingsChanged(TrackingSettings)
  /// Name, time zone or source of the resident changed; the id is the same.
  case residentChanged(Resident)
  /// A tag at home is heard or not by the device that moves with the resident (SB-21).
  case homeTag(HomeTagVerdict)
  /// The source says how it does; shown in the summary, told by the core.
  case sourceHealth(HealthReport)
}
