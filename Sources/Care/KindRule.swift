/// How urgent a kind of alarm is.
public enum AlarmPriority: String, Hashable, Sendable, CaseIterable {
  /// Somebody has to come.
  case high
  /// Somebody has to see to it today.
  case medium
  /// Somebody has to know.
  case low

  /// 0 for the most urgent.
  public var rank: Int { AlarmPriority.allCases.firstIndex(of: self) ?? 0 }
}

/// What an alarm of a kind sounds like in the room.
public enum RoomSound: String, Hashable, Sendable, CaseIterable {
  /// Nothing.
  case none
  /// A sentence.
  case speech
  /// The quiet tone.
  case low
  /// The tone between.
  case medium
  /// The siren.
  case high
}

/// What holds for one kind of alarm.
public struct KindRule: Hashable, Sendable {
  /// Whether alarms of the kind are raised at all.
  public var isEnabled = true
  /// How urgent they are.
  public var priority = AlarmPriority.high
  /// What the room hears of them.
  public var sound = RoomSound.none
  /// Whether guardians are told again, and more of them, until somebody takes charge.
  public var escalates = true
  /// `hh:mm-hh:mm`, `default` for the resident's quiet hours, or `none`.
  public var quiet = "none"

  /// The rule of an alarm that somebody has to come for.
  init(
    priority: AlarmPriority = .high, sound: RoomSound = .none, escalates: Bool = true,
    quiet: String = "none"
  ) {
    self.priority = priority
    self.sound = sound
    self.escalates = escalates
    self.quiet = quiet
  }

  /// An SOS is always on, loud and urgent, and knows no quiet hours.
  public static let sos = KindRule(sound: .high)
  /// A test reaches guardians once and is never heard in the room.
  public static let test = KindRule(priority: .low, escalates: false)
  /// Faults and batteries are spoken by day and told once.
  static let upkeep = KindRule(
    priority: .low, sound: .speech, escalates: false, quiet: "20:00-09:00")
}
