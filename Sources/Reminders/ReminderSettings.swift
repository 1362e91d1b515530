public import CareModel
import Texts

/// How a resident is reminded, where an item does not say otherwise.
///
/// - Source: common practice of medicine reminders: every 10 minutes, four times, a caregiver after an hour.
public struct ReminderSettings: Hashable, Sendable {
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
  /// When nothing is spoken that is not critical, `hh:mm-hh:mm`, or `none`.
  public internal(set) var quietHours = "22:00-07:00"

  /// The defaults.
  public init() {}

  /// Every name, in the order shown.
  public static let names: [String] = slots.map(\.name)

  /// The value of one by its name; nil for an unknown name.
  public func value(_ name: String) -> JSONValue? {
    Self.slots.first { $0.name == name }?.content(in: self)
  }

  /// Sets one by its name; null restores its default.
  ///
  /// - Throws: what is allowed instead.
  public mutating func set(_ name: String, to content: JSONValue) throws(CommandReply.Refusal) {
    guard let slot = Self.slots.first(where: { $0.name == name }) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no setting \"{name}\". Known settings: {names}.",
          ["name": name, "names": Self.names.joined(separator: ", ")]))
    }
    let wanted = content == .null ? slot.content(in: ReminderSettings()) : content
    guard slot.store(wanted, in: &self) else {
      throw CommandReply.Refusal(
        .invalid,
        Message("{name} must be {expectation}.", ["name": name, "expectation": slot.expectation]))
    }
  }

  /// The settings of a resident from those that differ from the default; what does not fit is passed over.
  public init(_ contents: [String: JSONValue]) {
    for name in Self.names {
      guard let content = contents[name] else { continue }
      try? set(name, to: content)
    }
  }

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
    timing.quietHours = own.quietHours ?? quietHours
    return timing
  }
}

extension ReminderSettings {
  /// One setting: its name, where it lives, and what it may be.
  struct Slot: Sendable {
    enum Place: Sendable {
      case whole(any WritableKeyPath<ReminderSettings, Int64> & Sendable, ClosedRange<Int64>)
      case quietHours
    }

    let name: String
    let place: Place

    var expectation: Message {
      switch place {
      case .whole(_, let range): Self.whole(range)
      case .quietHours: Self.hours
      }
    }

    static func whole(_ range: ClosedRange<Int64>) -> Message {
      Message(
        "a whole number, {lowest} through {highest}",
        ["lowest": range.lowerBound, "highest": range.upperBound])
    }

    static let hours = Message("hours as 22:00-07:00, or none")

    func content(in settings: ReminderSettings) -> JSONValue {
      switch place {
      case .whole(let path, _): .integer(settings[keyPath: path])
      case .quietHours: .string(settings.quietHours)
      }
    }

    func store(_ content: JSONValue, in settings: inout ReminderSettings) -> Bool {
      switch place {
      case .whole(let path, let range):
        guard let number = content.integerContent, range.contains(number) else { return false }
        settings[keyPath: path] = number
      case .quietHours:
        guard let text = content.stringContent, Self.areQuietHours(text) else { return false }
        settings.quietHours = text
      }
      return true
    }

    static func areQuietHours(_ text: String) -> Bool { text == "none" || QuietHours(text) != nil }
  }

  static let slots: [Slot] = [
    whole("reminderRepeatMinutes", \.repeatMinutes, 1...240),
    whole("reminderAttempts", \.attempts, 1...20),
    whole("reminderSnoozeMinutes", \.snoozeMinutes, 1...240),
    whole("reminderSnoozeLimit", \.snoozeLimit, 0...20),
    whole("reminderCaregiverMinutes", \.caregiverMinutes, 1...1440),
    whole("reminderCriticalMinutes", \.criticalMinutes, 1...1440),
    whole("reminderMissedMinutes", \.missedMinutes, 1...1440),
    whole("reminderGraceMinutes", \.graceMinutes, 0...1440),
    whole("reminderNoticeMinutes", \.noticeMinutes, 0...240),
    Slot(name: "reminderQuietHours", place: .quietHours),
  ]

  private static func whole(
    _ name: String, _ path: any WritableKeyPath<ReminderSettings, Int64> & Sendable,
    _ range: ClosedRange<Int64>
  ) -> Slot { Slot(name: name, place: .whole(path, range)) }
}

extension ReminderTiming {
  /// What is out of its range, as a sentence; nil when all fits.
  var fault: Message? {
    let numbers: [(String, Int64?, ClosedRange<Int64>)] = [
      ("noticeMinutes", noticeMinutes, 0...240), ("repeatMinutes", repeatMinutes, 1...240),
      ("attempts", attempts, 1...20), ("snoozeMinutes", snoozeMinutes, 1...240),
      ("snoozeLimit", snoozeLimit, 0...20), ("caregiverMinutes", caregiverMinutes, 1...1440),
      ("missedMinutes", missedMinutes, 1...1440), ("graceMinutes", graceMinutes, 0...1440),
    ]
    for (name, number, range) in numbers {
      guard let number, !range.contains(number) else { continue }
      return Message(
        "{name} must be {expectation}.",
        ["name": name, "expectation": ReminderSettings.Slot.whole(range)])
    }
    if let quietHours, !ReminderSettings.Slot.areQuietHours(quietHours) {
      return Message(
        "{name} must be {expectation}.",
        ["name": "quietHours", "expectation": ReminderSettings.Slot.hours])
    }
    return nil
  }
}
