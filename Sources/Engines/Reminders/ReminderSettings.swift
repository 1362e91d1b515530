public import Care
import Texts

/// How a resident is reminded, where an item does not say otherwise.
///
/// - Source: common practice of medicine reminders: every 10 minutes, four times, a caregiver after an hour.
public struct ReminderSettings: NamedSettings, Hashable {
  /// Minutes between two prompts.
  public internal(set) var repeatMinutes: Int64 = 10
  /// Prompts in all.
  public internal(set) var attempts: Int64 = 4
  /// Minutes that a snooze lasts.
  public internal(set) var snoozeMinutes: Int64 = 10
  /// Snoozes in all.
  public internal(set) var snoozeLimit: Int64 = 3
  /// Minutes without an answer after which caregivers are told.
  public internal(set) var caregiverMinutes: Int64 = 60
  /// Minutes without an answer after which something critical becomes an alarm.
  public internal(set) var criticalMinutes: Int64 = 30
  /// Minutes after which it is missed; the next due time comes first.
  public internal(set) var missedMinutes: Int64 = 240
  /// Minutes that a first prompt may be late, after an outage.
  public internal(set) var graceMinutes: Int64 = 60
  /// Minutes before the due time at which it is announced; 0 for not at all.
  public internal(set) var noticeMinutes: Int64 = 0
  /// Minutes before its due time at which something may be done and counts for it; at most half of the time since the
  /// due time before.
  ///
  /// - Source: ISMP, guidelines for timely administration of scheduled medications: two hours for what is due once a day
  ///   or less often, an hour for what is due every four hours or more rarely.
  public internal(set) var earlyMinutes: Int64 = 120
  /// When nothing is spoken that gives way to it, `hh:mm-hh:mm`, or `none`.
  public internal(set) var quietHours = "22:00-07:00"

  /// The defaults.
  public init() {}

  /// What holds for one item: the resident's settings, and where the item differs its own.
  func timing(of item: RoutineItem) -> ReminderSettings {
    var timing = self
    let own = item.timing
    timing.repeatMinutes = own.repeatMinutes ?? repeatMinutes
    timing.attempts = own.attempts ?? attempts
    timing.snoozeMinutes = own.snoozeMinutes ?? snoozeMinutes
    timing.snoozeLimit = own.snoozeLimit ?? snoozeLimit
    timing.caregiverMinutes = own.caregiverMinutes ?? caregiverMinutes
    timing.missedMinutes = own.missedMinutes ?? missedMinutes
    timing.graceMinutes = own.graceMinutes ?? graceMinutes
    timing.noticeMinutes = own.noticeMinutes ?? noticeMinutes
    timing.earlyMinutes = own.earlyMinutes ?? earlyMinutes
    timing.quietHours = own.quietHours ?? quietHours
    return timing
  }
}

extension ReminderSettings {
  static func areQuietHours(_ text: String) -> Bool { text == "none" || DailyHours(text) != nil }

  static let hours = Message("hours as 22:00-07:00, or none")

  /// What can be set, in the order shown.
  public static let table = SettingTable(
    standard: ReminderSettings(),
    [
      .whole(
        "reminderRepeatMinutes", \.repeatMinutes, 1...240, .minutes, in: .reminders,
        Message("How long until an unanswered reminder is said again.")),
      .whole(
        "reminderAttempts", \.attempts, 1...20, in: .reminders,
        Message("How many times a reminder is said in all.")),
      .whole(
        "reminderSnoozeMinutes", \.snoozeMinutes, 1...240, .minutes, in: .reminders,
        Message("How long \"not now\" puts a reminder off.")),
      .whole(
        "reminderSnoozeLimit", \.snoozeLimit, 0...20, in: .reminders,
        Message("How many times a reminder may be put off.")),
      .whole(
        "reminderCaregiverMinutes", \.caregiverMinutes, 1...1440, .minutes, in: .reminders,
        Message("After how long without an answer caregivers are told.")),
      .whole(
        "reminderCriticalMinutes", \.criticalMinutes, 1...1440, .minutes, in: .reminders,
        Message("After how long without an answer a critical item becomes an alarm.")),
      .whole(
        "reminderMissedMinutes", \.missedMinutes, 1...1440, .minutes, in: .reminders,
        Message("After how long an item counts as missed, unless its next due time comes first.")),
      .whole(
        "reminderGraceMinutes", \.graceMinutes, 0...1440, .minutes, in: .reminders,
        Message("How late a first reminder may still be said, as after an outage.")),
      .whole(
        "reminderNoticeMinutes", \.noticeMinutes, 0...240, .minutes, in: .reminders,
        Message("How long before the due time it is announced; 0 for not at all.")),
      .whole(
        "reminderEarlyMinutes", \.earlyMinutes, 0...240, .minutes, in: .reminders,
        Message("How long before its due time something done counts for it.")),
      .text(
        "reminderQuietHours", \.quietHours, hours, in: .reminders,
        Message("When what may wait is not spoken; medicine and what is critical is."),
        fits: areQuietHours),
    ])
}

extension ReminderTiming {
  /// What is out of its range, as a sentence; nil when all fits.
  var fault: Message? {
    let numbers: [(String, Int64?, ClosedRange<Int64>)] = [
      ("noticeMinutes", noticeMinutes, 0...240), ("repeatMinutes", repeatMinutes, 1...240),
      ("attempts", attempts, 1...20), ("snoozeMinutes", snoozeMinutes, 1...240),
      ("snoozeLimit", snoozeLimit, 0...20), ("caregiverMinutes", caregiverMinutes, 1...1440),
      ("missedMinutes", missedMinutes, 1...1440), ("graceMinutes", graceMinutes, 0...1440),
      ("earlyMinutes", earlyMinutes, 0...240),
    ]
    for (name, number, range) in numbers {
      guard let number, !range.contains(number) else { continue }
      return Message(
        "{name} must be {expectation}.",
        ["name": name, "expectation": Setting.Range.whole(range).expectation])
    }
    if let quietHours, !ReminderSettings.areQuietHours(quietHours) {
      return Message(
        "{name} must be {expectation}.",
        ["name": "quietHours", "expectation": ReminderSettings.hours])
    }
    return nil
  }
}
