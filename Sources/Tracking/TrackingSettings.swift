public import CareModel
public import Texts

/// Every number that tracking decides by; each can be changed per resident.
public struct TrackingSettings: Sendable, Hashable {
  /// Seconds between two checks whether a location record is due (SB-8).
  public internal(set) var checkIntervalSeconds: Int64 = 300
  /// Metres from the last record beyond which a new one is written.
  public internal(set) var recordDistanceMeters = 25.0
  /// Seconds after which a new record is written even without movement.
  public internal(set) var recordMaximumAgeSeconds: Int64 = 3600
  /// Seconds between records while outside all zones and moving.
  public internal(set) var outsideMovingIntervalSeconds: Int64 = 15
  /// Metres per second from which a resident counts as moving.
  public internal(set) var movingSpeedMetersPerSecond = 0.5
  /// Seconds between entries of the series (SD-1).
  public internal(set) var sampleIntervalSeconds: Int64 = 300
  /// Age in seconds up to which a fix answers a check or a refresh without waiting for another.
  public internal(set) var freshFixSeconds: Int64 = 30
  /// Seconds after which an unanswered refresh is said to be unanswered.
  public internal(set) var refreshTimeoutSeconds: Int64 = 60
  /// Metres; a fix whose estimated error is larger is rejected.
  public internal(set) var accuracyLimitMeters = 100.0
  /// Metres of error assumed for a fix that states none.
  public internal(set) var assumedAccuracyMeters = 20.0
  /// Metres; at most so much of a fix's estimated error delays an exit.
  public internal(set) var exitAccuracyCapMeters = 50.0
  /// Consecutive outside fixes that make an exit; never 1, because one fix may lie.
  public internal(set) var exitFixCount: Int64 = 2
  /// Metres from the middle of a zone up to which a tag that stands in it overrules positions; 0 for never.
  public internal(set) var homeTagVetoMeters = 150.0
  /// Seconds of burst sampling after a first outside fix, in which an exit must be confirmed or refuted.
  public internal(set) var exitConfirmWindowSeconds: Int64 = 60
  /// Seconds of doubt about a zone after which the doubt itself is told.
  public internal(set) var uncertainAfterSeconds: Int64 = 600
  /// Seconds between two fixes up to which the straight line between them counts as the path.
  public internal(set) var crossingMaximumSeconds: Int64 = 600
  /// Seconds without a position while outside, before the notice.
  public internal(set) var unknownNoticeSeconds: Int64 = 900
  /// Seconds without a position while outside, before the alarm.
  public internal(set) var unknownAlarmSeconds: Int64 = 1800
  /// Metres per second; a position that could only be reached faster waits for confirmation. Fast trains stay below.
  public internal(set) var maximumSpeedMetersPerSecond = 100.0
  /// Seconds by which the receiver's time may run apart from ours between two fixes.
  public internal(set) var timeLeapSeconds: Int64 = 30
  /// Seconds by which the receiver's time may differ from a trusted system clock.
  public internal(set) var clockToleranceSeconds: Int64 = 30
  /// Seconds of silence after which a receiver is faulty; must exceed its sampling interval.
  public internal(set) var noReportSeconds: Int64 = 60
  /// Seconds of reports without a position after which that is told.
  public internal(set) var noFixSeconds: Int64 = 600

  /// The language of explanations. It follows the resident's own setting of that name and is none of ``names``.
  public var language = Language.en

  /// The defaults.
  public init() {}

  /// The names of all settings, in the order of this type.
  public static let names: [String] = slots.map(\.name)

  /// The current content of a setting; nil when there is none of that name.
  public func value(_ name: String) -> JSONValue? {
    Self.slots.first { $0.name == name }?.content(in: self)
  }

  /// The permitted range of a setting; nil when there is none of that name.
  public static func range(_ name: String) -> ClosedRange<Double>? {
    slots.first { $0.name == name }?.range
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
    if value == .null { return slot.restore(in: &self) }
    guard slot.store(value, in: &self) else {
      throw CommandReply.Refusal(
        .invalid,
        Message("{name} must be {expectation}.", ["name": name, "expectation": slot.expectation]))
    }
  }
}

extension TrackingSettings {
  /// One setting: its name, where it lives, and its range.
  private struct Slot: Sendable {
    enum Place: Sendable {
      case whole(any WritableKeyPath<TrackingSettings, Int64> & Sendable)
      case real(any WritableKeyPath<TrackingSettings, Double> & Sendable)
    }

    let name: String
    let place: Place
    let range: ClosedRange<Double>

    var expectation: Message {
      let bounds: Message.Values = [
        "lowest": shortNumber(range.lowerBound), "highest": shortNumber(range.upperBound),
      ]
      return switch place {
      case .whole: Message("a whole number, {lowest} through {highest}", bounds)
      case .real: Message("a number, {lowest} through {highest}", bounds)
      }
    }

    func content(in settings: TrackingSettings) -> JSONValue {
      switch place {
      case .whole(let path): .integer(settings[keyPath: path])
      case .real(let path): .number(settings[keyPath: path])
      }
    }

    func store(_ value: JSONValue, in settings: inout TrackingSettings) -> Bool {
      switch place {
      case .whole(let path):
        guard let number = value.integerContent, range.contains(Double(number)) else {
          return false
        }
        settings[keyPath: path] = number
      case .real(let path):
        guard let number = value.doubleContent, range.contains(number) else { return false }
        settings[keyPath: path] = number
      }
      return true
    }

    func restore(in settings: inout TrackingSettings) {
      let defaults = TrackingSettings()
      switch place {
      case .whole(let path): settings[keyPath: path] = defaults[keyPath: path]
      case .real(let path): settings[keyPath: path] = defaults[keyPath: path]
      }
    }
  }

  private static func whole(
    _ name: String, _ path: any WritableKeyPath<TrackingSettings, Int64> & Sendable,
    _ range: ClosedRange<Double>
  ) -> Slot { Slot(name: name, place: .whole(path), range: range) }

  private static func real(
    _ name: String, _ path: any WritableKeyPath<TrackingSettings, Double> & Sendable,
    _ range: ClosedRange<Double>
  ) -> Slot { Slot(name: name, place: .real(path), range: range) }

  private static let slots: [Slot] = [
    whole("checkIntervalSeconds", \.checkIntervalSeconds, 15...86_400),
    real("recordDistanceMeters", \.recordDistanceMeters, 1...10_000),
    whole("recordMaximumAgeSeconds", \.recordMaximumAgeSeconds, 60...86_400),
    whole("outsideMovingIntervalSeconds", \.outsideMovingIntervalSeconds, 1...3600),
    real("movingSpeedMetersPerSecond", \.movingSpeedMetersPerSecond, 0.1...10),
    whole("sampleIntervalSeconds", \.sampleIntervalSeconds, 15...86_400),
    whole("freshFixSeconds", \.freshFixSeconds, 1...3600),
    whole("refreshTimeoutSeconds", \.refreshTimeoutSeconds, 5...3600),
    real("accuracyLimitMeters", \.accuracyLimitMeters, 1...1000),
    real("assumedAccuracyMeters", \.assumedAccuracyMeters, 1...1000),
    real("exitAccuracyCapMeters", \.exitAccuracyCapMeters, 0...1000),
    whole("exitFixCount", \.exitFixCount, 2...5),
    real("homeTagVetoMeters", \.homeTagVetoMeters, 0...500),
    whole("exitConfirmWindowSeconds", \.exitConfirmWindowSeconds, 5...600),
    whole("uncertainAfterSeconds", \.uncertainAfterSeconds, 30...86_400),
    whole("crossingMaximumSeconds", \.crossingMaximumSeconds, 1...3600),
    whole("unknownNoticeSeconds", \.unknownNoticeSeconds, 60...86_400),
    whole("unknownAlarmSeconds", \.unknownAlarmSeconds, 60...86_400),
    real("maximumSpeedMetersPerSecond", \.maximumSpeedMetersPerSecond, 5...350),
    whole("timeLeapSeconds", \.timeLeapSeconds, 1...3600),
    whole("clockToleranceSeconds", \.clockToleranceSeconds, 1...86_400),
    whole("noReportSeconds", \.noReportSeconds, 2...86_400),
    whole("noFixSeconds", \.noFixSeconds, 10...86_400),
  ]
}
