public import JSON
public import Texts

/// One setting of a resident, as people see it: what it is called, does, and may be.
public struct Setting: Hashable, Sendable {
  /// What a setting may hold.
  public enum Range: Hashable, Sendable {
    /// A whole number, both ends included.
    case whole(ClosedRange<Int64>)
    /// Any number, both ends included.
    case number(ClosedRange<Double>)
    /// True or false.
    case flag
    /// One of some words.
    case choice([String])
    /// A text; the message says which ones fit.
    case text(Message)

    /// What fits, as it follows "must be".
    public var expectation: Message {
      switch self {
      case .whole(let range):
        Message(
          "a whole number, {lowest} through {highest}",
          ["lowest": range.lowerBound, "highest": range.upperBound])
      case .number(let range):
        Message(
          "a number, {lowest} through {highest}",
          [
            "lowest": shortSettingNumber(range.lowerBound),
            "highest": shortSettingNumber(range.upperBound),
          ])
      case .flag: Message("true or false")
      case .choice(let words): Message("one of {words}", ["words": words.joined(separator: ", ")])
      case .text(let expectation): expectation
      }
    }
  }

  /// What a number is counted in.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    case seconds = "s"
    case minutes = "min"
    case hours = "h"
    case meters = "m"
    case metersPerSecond = "m/s"
    case percent = "%"
    case decibels = "dB"
  }

  /// What a setting is about; lists are cut by it.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// Language, country and what fits a person.
    case resident
    /// When positions are taken, believed and written down.
    case tracking
    /// How help is called.
    case alarms
    /// What each kind of alarm does.
    case kinds
    /// How the routine is reminded of.
    case reminders
    /// Limits of glucose readings.
    case glucose
    /// What the tags mean.
    case tags
    /// How somebody is shown the way.
    case guidance
  }

  /// The name that commands use; unique among all settings.
  public var name: String
  /// What it is about.
  public var group: Group
  /// What it may hold.
  public var range: Range
  /// What its number is counted in; nil for everything else and for plain counts.
  public var unit: Unit?
  /// What it does, in one sentence.
  public var words: Message

  /// A setting from its parts.
  public init(name: String, group: Group, range: Range, unit: Unit? = nil, words: Message) {
    self.name = name
    self.group = group
    self.range = range
    self.unit = unit
    self.words = words
  }

  /// The setting as programs and the command line read it.
  ///
  ///     {"name": "exitFixCount", "group": "tracking", "kind": "whole", "lowest": 2, "highest": 5, "unit": …,
  ///      "choices": […], "expectation": "a whole number, 2 through 5", "words": "…"}
  ///
  /// `kind` is `whole`, `number`, `flag`, `choice` or `text`; what does not apply is missing.
  public func json(in language: Language) -> JSONValue {
    .object([
      "name": .string(name), "group": .string(group.rawValue), "kind": .string(range.kind),
      "lowest": range.lowest, "highest": range.highest,
      "unit": unit.map { .string($0.rawValue) },
      "choices": range.choices.map { .array($0.map { .string($0) }) },
      "expectation": .string(range.expectation.text(in: language)),
      "words": .string(words.text(in: language)),
    ])
  }
}

extension Setting.Range {
  fileprivate var kind: String {
    switch self {
    case .whole: "whole"
    case .number: "number"
    case .flag: "flag"
    case .choice: "choice"
    case .text: "text"
    }
  }

  fileprivate var lowest: JSONValue? {
    switch self {
    case .whole(let range): .integer(range.lowerBound)
    case .number(let range): .number(range.lowerBound)
    case .flag, .choice, .text: nil
    }
  }

  fileprivate var highest: JSONValue? {
    switch self {
    case .whole(let range): .integer(range.upperBound)
    case .number(let range): .number(range.upperBound)
    case .flag, .choice, .text: nil
    }
  }

  fileprivate var choices: [String]? {
    if case .choice(let words) = self { words } else { nil }
  }
}

/// A number without ".0" where it is whole.
private func shortSettingNumber(_ number: Double) -> String {
  Int64(exactly: number).map { String($0) } ?? String(number)
}
