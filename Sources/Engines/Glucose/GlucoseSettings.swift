public import Care
public import GlucoseValues
public import JSON
import Texts

/// The limits and the unit of one resident.
///
/// A limit is kept with the unit that it was given in; a number without a unit is refused, because nobody may guess it.
public struct GlucoseSettings: NamedSettings, Hashable {
  /// What a reading beyond a limit becomes.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Guardians are told until somebody takes charge.
    case alarm
    /// It is written down and shown.
    case notice
    /// Nothing.
    case off
  }

  /// Below this a reading is very low: level 2 hypoglycaemia.
  ///
  /// - Source: American Diabetes Association, Standards of Care 2024, table 6.4: 54 mg/dL (3.0 mmol/L).
  public internal(set) var veryLow = Self.milligrams(54)
  /// Below this a reading is low: level 1 hypoglycaemia.
  ///
  /// - Source: American Diabetes Association, Standards of Care 2024, table 6.4: 70 mg/dL (3.9 mmol/L).
  public internal(set) var low = Self.milligrams(70)
  /// Above this a reading is high: 300 mg/dL (16.7 mmol/L).
  public internal(set) var high = Self.milligrams(300)
  /// What a very low reading becomes.
  public internal(set) var veryLowIs = Severity.alarm
  /// What a low reading becomes.
  public internal(set) var lowIs = Severity.notice
  /// What a high reading becomes.
  public internal(set) var highIs = Severity.notice
  /// The unit that levels are shown in; nil for the one that each was received in.
  public internal(set) var unit: GlucoseUnit?
  /// How old a reading may be, in minutes, and still raise an alarm; an older one becomes a notice.
  public internal(set) var freshMinutes: Int64 = 120

  /// The defaults.
  public init() {}

  /// The settings of a resident from those that differ from the default; what does not fit is passed over.
  public init(_ contents: [String: JSONValue]) {
    for setting in Self.table.settings {
      guard let content = contents[setting.name] else { continue }
      try? Self.table.set(setting.name, to: content, in: &self)
    }
    guard !areLimitsInOrder else { return }
    let usual = GlucoseSettings()
    (veryLow, low, high) = (usual.veryLow, usual.low, usual.high)
  }

  private static func milligrams(_ level: Int64) -> GlucoseConcentration? {
    try? GlucoseConcentration(
      significand: level, exponent: 0, unit: .milligramsPerDecilitre)
  }

  /// Sets one by its name; null restores its default.
  ///
  /// - Throws: what is allowed instead.
  public mutating func set(_ name: String, to content: JSONValue) throws(CommandReply.Refusal) {
    var changed = self
    try Self.table.set(name, to: content, in: &changed)
    guard changed.areLimitsInOrder else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The limits must rise: very low {veryLow}, low {low}, high {high}. Change another one first.",
          [
            "veryLow": changed.veryLow?.text() ?? "-", "low": changed.low?.text() ?? "-",
            "high": changed.high?.text() ?? "-",
          ]))
    }
    self = changed
  }

  private var areLimitsInOrder: Bool {
    let levels = [veryLow, low, high].compactMap { $0?.milligramsPerDecilitre }
    return zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// What a level is against the limits.
  func standing(of level: GlucoseConcentration) -> GlucoseStanding {
    if let veryLow, level.isBelow(veryLow) { return .veryLow }
    if let low, level.isBelow(low) { return .low }
    if let high, level.isAbove(high) { return .high }
    return .within
  }

  func severity(of standing: GlucoseStanding) -> Severity {
    switch standing {
    case .within: .off
    case .low: lowIs
    case .veryLow: veryLowIs
    case .high: highIs
    }
  }

  func limit(of standing: GlucoseStanding) -> GlucoseConcentration? {
    switch standing {
    case .within: nil
    case .low: low
    case .veryLow: veryLow
    case .high: high
    }
  }
}

/// How a level lies to a resident's limits.
enum GlucoseStanding: String, Hashable, Sendable, CaseIterable {
  case within
  case low
  case veryLow = "very-low"
  case high

  /// What it is told as; nil for what is told as settled or not at all.
  var event: EventType? {
    switch self {
    case .within: nil
    case .low: .glucoseLow
    case .veryLow: .glucoseVeryLow
    case .high: .glucoseHigh
    }
  }

  /// Whether `next` needs telling after this one: anything new, but not a step from very low to low.
  func isNews(_ next: GlucoseStanding) -> Bool {
    next != self && !(self == .veryLow && next == .low)
  }
}

extension GlucoseSettings {
  /// What can be set, in the order shown.
  public static let table = SettingTable(
    standard: GlucoseSettings(),
    [
      limit(
        "glucoseVeryLow", \.veryLow,
        Message("Below this level a reading is very low.")),
      limit(
        "glucoseLow", \.low, Message("Below this level a reading is low.")),
      limit(
        "glucoseHigh", \.high, Message("Above this level a reading is high.")),
      .choice(
        "glucoseVeryLowIs", \.veryLowIs, in: .glucose,
        Message("What a very low reading becomes: an alarm, a notice, or nothing.")),
      .choice(
        "glucoseLowIs", \.lowIs, in: .glucose,
        Message("What a low reading becomes: an alarm, a notice, or nothing.")),
      .choice(
        "glucoseHighIs", \.highIs, in: .glucose,
        Message("What a high reading becomes: an alarm, a notice, or nothing.")),
      unit,
      .whole(
        "glucoseFreshMinutes", \.freshMinutes, 10...1440, .minutes, in: .glucose,
        Message("How old a reading may be and still raise an alarm; an older one becomes a notice.")
      ),
    ])

  private static func limit(
    _ name: String, _ path: any WritableKeyPath<GlucoseSettings, GlucoseConcentration?> & Sendable,
    _ words: Message
  ) -> SettingTable<GlucoseSettings>.Row {
    SettingTable.Row(
      Setting(
        name: name, group: .glucose,
        range: .text(Message("a level with its unit, such as \"70 mg/dL\" or \"3.9 mmol/L\"")),
        words: words),
      content: { $0[keyPath: path].map { .string($0.text()) } ?? .null },
      store: { content, settings in
        guard let text = content.stringContent,
          let level = try? GlucoseConcentration(withUnit: text)
        else { return false }
        settings[keyPath: path] = level
        return true
      })
  }

  private static let unit = SettingTable<GlucoseSettings>.Row(
    Setting(
      name: "glucoseUnit", group: .glucose,
      range: .choice(GlucoseUnit.allCases.map(\.rawValue) + ["as-received"]),
      words: Message("The unit that levels are shown in.")),
    content: { .string($0.unit?.rawValue ?? "as-received") },
    store: { content, settings in
      guard let text = content.stringContent else { return false }
      let unit = GlucoseUnit(written: text)
      guard unit != nil || text == "as-received" else { return false }
      settings.unit = unit
      return true
    })
}
