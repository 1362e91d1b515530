public import CareModel
public import Texts

/// Every number that proximity decides by, besides those of single tags; each can be changed per resident.
public struct ProximitySettings: Hashable, Sendable {
  /// Seconds that a signal must stay weak before a tag counts as farther.
  public internal(set) var holdSeconds: Int64 = 15
  /// Seconds after going out before it is judged what was left behind.
  public internal(set) var leftWithoutDelaySeconds: Int64 = 60
  /// Hours; a tag not heard for longer before going out is not said to be left behind.
  public internal(set) var leftWithoutMemoryHours: Int64 = 24
  /// Percent of a tag's battery at or below which somebody is told.
  public internal(set) var batteryLowPercent: Int64 = 15
  /// Seconds apart after which a time in company is over.
  public internal(set) var encounterGapSeconds: Int64 = 300
  /// Seconds of company, likely ones, from which it is told.
  public internal(set) var encounterMinimumSeconds: Int64 = 60
  /// Decibels by which another room must be louder to take a tag over.
  public internal(set) var roomMarginDB: Int64 = 6

  /// The language of explanations. It follows the resident's own setting of that name and is none of ``names``.
  public var language = Language.en

  /// The defaults.
  public init() {}

  /// The names of all settings, in the order of this type.
  public static let names: [String] = slots.map(\.name)

  /// The current content of a setting; nil when there is none of that name.
  public func value(_ name: String) -> JSONValue? {
    Self.slots.first { $0.name == name }.map { .integer(self[keyPath: $0.path]) }
  }

  /// Changes one setting; null restores its default.
  ///
  /// - Throws: a refusal with code `unknownTarget` for an unknown name and `invalid` for a value that does not fit; its
  ///   message says what would.
  public mutating func set(
    _ name: String, to value: JSONValue
  ) throws(CommandReply.Refusal) {
    guard let slot = Self.slots.first(where: { $0.name == name }) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no setting \"{name}\". Known settings: {names}.",
          ["name": name, "names": Self.names.joined(separator: ", ")]))
    }
    if value == .null {
      self[keyPath: slot.path] = ProximitySettings()[keyPath: slot.path]
      return
    }
    guard let number = value.integerContent, slot.range.contains(number) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "{name} must be {expectation}.",
          [
            "name": name,
            "expectation": Message(
              "a whole number, {lowest} through {highest}",
              ["lowest": slot.range.lowerBound, "highest": slot.range.upperBound]),
          ]))
    }
    self[keyPath: slot.path] = number
  }

  private struct Slot: Sendable {
    let name: String
    let path: any WritableKeyPath<ProximitySettings, Int64> & Sendable
    let range: ClosedRange<Int64>
  }

  private static let slots: [Slot] = [
    Slot(name: "holdSeconds", path: \.holdSeconds, range: 5...300),
    Slot(
      name: "leftWithoutDelaySeconds", path: \.leftWithoutDelaySeconds, range: 10...1800),
    Slot(name: "leftWithoutMemoryHours", path: \.leftWithoutMemoryHours, range: 1...168),
    Slot(name: "batteryLowPercent", path: \.batteryLowPercent, range: 1...50),
    Slot(name: "encounterGapSeconds", path: \.encounterGapSeconds, range: 60...3600),
    Slot(name: "encounterMinimumSeconds", path: \.encounterMinimumSeconds, range: 10...3600),
    Slot(name: "roomMarginDB", path: \.roomMarginDB, range: 2...20),
  ]
}
