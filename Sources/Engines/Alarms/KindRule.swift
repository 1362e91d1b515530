/// How urgent a kind of alarm is.
enum AlarmPriority: String, Hashable, Sendable, CaseIterable {
  case high
  case medium
  case low

  /// 0 for the most urgent.
  var rank: Int { AlarmPriority.allCases.firstIndex(of: self) ?? 0 }
}

/// What an alarm of a kind sounds like in the room.
enum RoomSound: String, Hashable, Sendable, CaseIterable {
  case none
  case speech
  case low
  case medium
  case high
}

/// What holds for one kind of alarm.
struct KindRule: Hashable, Sendable {
  /// Whether alarms of the kind are raised at all.
  var isEnabled = true
  var priority = AlarmPriority.high
  var sound = RoomSound.none
  /// Whether guardians are told again, and more of them, until somebody takes charge.
  var escalates = true
  /// `hh:mm-hh:mm`, `default` for the resident's quiet hours, or `none`.
  var quiet = "none"

  /// An SOS is always on, loud and urgent, and knows no quiet hours.
  static let sos = KindRule(sound: .high)
  /// A test reaches guardians once and is never heard in the room.
  static let test = KindRule(priority: .low, escalates: false)
  /// Faults and batteries are spoken by day and told once.
  static let upkeep = KindRule(
    priority: .low, sound: .speech, escalates: false, quiet: "20:00-09:00")
}
