import CareModel
import Texts

/// The table behind the names of ``AlarmSettings``.
extension AlarmSettings {
  /// One setting: its name, where it lives, and what it may be.
  struct Slot: Sendable {
    enum Place: Sendable {
      case whole(any WritableKeyPath<AlarmSettings, Int64> & Sendable, ClosedRange<Int64>)
      case flag(any WritableKeyPath<AlarmSettings, Bool> & Sendable)
      case text(
        any WritableKeyPath<AlarmSettings, String> & Sendable, Message,
        @Sendable (String) -> Bool)
      case rule(any WritableKeyPath<AlarmSettings, KindRule> & Sendable, KindRule.Field)
    }

    let name: String
    let place: Place

    var expectation: Message {
      switch place {
      case .whole(_, let range):
        Message(
          "a whole number, {lowest} through {highest}",
          ["lowest": range.lowerBound, "highest": range.upperBound])
      case .flag: Message("true or false")
      case .text(_, let expectation, _): expectation
      case .rule(_, let field): field.expectation
      }
    }

    func content(in settings: AlarmSettings) -> JSONValue {
      switch place {
      case .whole(let path, _): .integer(settings[keyPath: path])
      case .flag(let path): .bool(settings[keyPath: path])
      case .text(let path, _, _): .string(settings[keyPath: path])
      case .rule(let path, let field): settings[keyPath: path].content(field)
      }
    }

    func store(_ content: JSONValue, in settings: inout AlarmSettings) -> Bool {
      switch place {
      case .whole(let path, let range):
        guard let number = content.integerContent, range.contains(number) else { return false }
        settings[keyPath: path] = number
      case .flag(let path):
        guard let truth = content.boolContent else { return false }
        settings[keyPath: path] = truth
      case .text(let path, _, let fits):
        guard let text = content.stringContent, fits(text) else { return false }
        settings[keyPath: path] = text
      case .rule(let path, let field): return settings[keyPath: path].set(field, to: content)
      }
      return true
    }

    func restore(in settings: inout AlarmSettings) {
      _ = store(content(in: AlarmSettings()), in: &settings)
    }
  }

  static let slots: [Slot] =
    general
    + kind("zone", \.zone) + kind("position", \.position) + kind("glucose", \.glucose)
    + kind("medicine", \.medicine) + kind("fault", \.fault) + kind("battery", \.battery)

  private static let general: [Slot] = [
    text("profile", \.profile, Message("one of {words}", ["words": "dementia, protego"])) {
      ["dementia", "protego"].contains($0)
    },
    text("country", \.country, countryExpectation, isCountry),
    text("language", \.language, Message("one of {words}", ["words": "en, zh"])) {
      ["en", "zh"].contains($0)
    },
    whole("prealarmSeconds", \.prealarmSeconds, 0...60), flag("isSilent", \.isSilent),
    whole("resendSeconds", \.resendSeconds, 30...3600),
    whole("faultPatienceSeconds", \.faultPatienceSeconds, 0...86_400),
    whole("tierSeconds", \.tierSeconds, 30...3600),
    whole("reassureSeconds", \.reassureSeconds, 10...600),
    whole("sirenSeconds", \.sirenSeconds, 0...3600),
    whole("liveFastSeconds", \.liveFastSeconds, 0...3600),
    whole("liveFastPeriodSeconds", \.liveFastPeriodSeconds, 5...600),
    whole("liveSlowSeconds", \.liveSlowSeconds, 5...3600),
    whole("wrongPINLimit", \.wrongPINLimit, 2...10),
    whole("cancelExpirySeconds", \.cancelExpirySeconds, 60...86_400),
    flag("selfTest", \.selfTest), flag("monthlyTest", \.monthlyTest),
    text("quietHours", \.quietHours, Message("hours as 22:00-07:00, or none")) {
      $0 == "none" || QuietHours($0) != nil
    },
    flag("tellMessages", \.tellMessages), flag("tellRoutine", \.tellRoutine),
    text("fakeCallCountry", \.fakeCallCountry, countryExpectation, isCountry),
    text("fakeCallScript", \.fakeCallScript, Message("a text of at most 2000 characters")) {
      $0.count <= 2000
    },
  ]

  private static let countryExpectation = Message("two capital letters such as GB, or empty")

  private static let isCountry: @Sendable (String) -> Bool = { text in
    text.isEmpty || text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  private static func kind(
    _ word: String, _ path: any WritableKeyPath<AlarmSettings, KindRule> & Sendable
  ) -> [Slot] {
    KindRule.Field.allCases.map { field in
      Slot(name: word + field.rawValue, place: .rule(path, field))
    }
  }

  private static func whole(
    _ name: String, _ path: any WritableKeyPath<AlarmSettings, Int64> & Sendable,
    _ range: ClosedRange<Int64>
  ) -> Slot { Slot(name: name, place: .whole(path, range)) }

  private static func flag(
    _ name: String, _ path: any WritableKeyPath<AlarmSettings, Bool> & Sendable
  ) -> Slot { Slot(name: name, place: .flag(path)) }

  private static func text(
    _ name: String, _ path: any WritableKeyPath<AlarmSettings, String> & Sendable,
    _ expectation: Message, _ fits: @escaping @Sendable (String) -> Bool
  ) -> Slot { Slot(name: name, place: .text(path, expectation, fits)) }
}

extension KindRule {
  /// What can be set of a rule; the word follows the kind's in the setting's name.
  enum Field: String, Hashable, Sendable, CaseIterable {
    case alarm = "Alarm"
    case priority = "Priority"
    case sound = "Sound"
    case escalates = "Escalates"
    case quietHours = "QuietHours"

    var expectation: Message {
      switch self {
      case .alarm, .escalates: Message("true or false")
      case .priority:
        Message(
          "one of {words}",
          ["words": AlarmPriority.allCases.map(\.rawValue).joined(separator: ", ")])
      case .sound:
        Message(
          "one of {words}", ["words": RoomSound.allCases.map(\.rawValue).joined(separator: ", ")])
      case .quietHours:
        Message("hours as 22:00-07:00, default for the resident's quiet hours, or none")
      }
    }
  }

  fileprivate func content(_ field: Field) -> JSONValue {
    switch field {
    case .alarm: .bool(isEnabled)
    case .priority: .string(priority.rawValue)
    case .sound: .string(sound.rawValue)
    case .escalates: .bool(escalates)
    case .quietHours: .string(quiet)
    }
  }

  /// Whether the content fits; nothing changes otherwise.
  fileprivate mutating func set(_ field: Field, to content: JSONValue) -> Bool {
    switch field {
    case .alarm: return take(content.boolContent, \.isEnabled)
    case .priority: return take(content.stringContent.flatMap(AlarmPriority.init), \.priority)
    case .sound: return take(content.stringContent.flatMap(RoomSound.init), \.sound)
    case .escalates: return take(content.boolContent, \.escalates)
    case .quietHours:
      let text = content.stringContent.flatMap { text in
        ["none", "default"].contains(text) || QuietHours(text) != nil ? text : nil
      }
      return take(text, \.quiet)
    }
  }

  private mutating func take<Content>(
    _ content: Content?, _ path: WritableKeyPath<KindRule, Content>
  ) -> Bool {
    guard let content else { return false }
    self[keyPath: path] = content
    return true
  }
}
