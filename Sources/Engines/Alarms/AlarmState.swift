import Care
import Moments

/// Everything that survives a restart.
struct AlarmState: Hashable, Sendable {
  /// In the order in which they were raised.
  var alarms: [LiveAlarm] = []
  var care: [ResidentID: CareState] = [:]
  var selfTest = SelfTest()
  var ways = WayRecords()

  /// Whether a resident needs help, whatever it looks like.
  func isInDanger(_ resident: ResidentID) -> Bool { alarms.contains { $0.isOpen(for: resident) } }
}

/// What is kept about a resident beside alarms.
struct CareState: Hashable, Sendable {
  var pins: [String: String] = [:]
  var position: KnownPosition?
  var emergency: EmergencySetup?
  /// Day of the last monthly test, counted from 1970; nil before the first was planned.
  var lastTestDay: Int64?
  /// Day on which guardians were last told that no way to them is proved, counted from 1970; nil while one is.
  var lastUnprovenDay: Int64?
}

/// The weekly test of the gateway's own sound.
struct SelfTest: Hashable, Sendable {
  var lastDay: Int64?
}

/// Where a resident was last.
struct KnownPosition: Hashable, Sendable {
  var coordinate: Coordinate
  var accuracyMeters: Double?
  var stamp: Stamp
  var batteryPercent: Int64?
}
