import CareModel

/// What a member of an event's facts tells, and so which plugins may see it.
enum Disclosure: Hashable, Sendable {
  /// Neither where somebody is or lives nor what a person wrote: every plugin.
  case plain
  /// Could be measured or read back to a place, such as a distance: plugins with `position.precise`.
  case place
  /// Half of a position, `latitude` or `longitude`: within a disc it becomes that of the disc's centre.
  case coordinate
  /// A measure of the position beside it: as long as that lies outside of every disc.
  case measure
  /// What a person wrote, or how a person is reached: plugins with `content.personal`.
  case words
  /// A sentence about an alarm: one about a zone or a position tells distances, others do not.
  case alarmSentence
  /// An object, or a list of objects, whose members are told apart.
  indirect case members([String: Disclosure])
  /// What a command changed; its members are those of the kind of record that `action` names.
  case record
}

/// What a plugin may see beyond what every plugin may.
public struct Clearance: Hashable, Sendable {
  /// Whether places may be seen, the grant `position.precise`.
  public var seesPlaces: Bool
  /// Whether what people wrote may be seen, the grant `content.personal`.
  public var seesWords: Bool

  /// A clearance by what may be seen.
  public init(seesPlaces: Bool = false, seesWords: Bool = false) {
    self.seesPlaces = seesPlaces
    self.seesWords = seesWords
  }
}

extension [String: Disclosure] {
  static func plain(_ names: [String]) -> Self { all(names, .plain) }
  static func place(_ names: [String]) -> Self { all(names, .place) }
  static func words(_ names: [String]) -> Self { all(names, .words) }

  /// A position and what a receiver says of it.
  static let position: Self = [
    "latitude": .coordinate, "longitude": .coordinate, "accuracyMeters": .measure,
    "speedMetersPerSecond": .measure,
  ]

  private static func all(_ names: [String], _ disclosure: Disclosure) -> Self {
    Dictionary(names.map { ($0, disclosure) }, uniquingKeysWith: { first, _ in first })
  }

  static func + (left: Self, right: Self) -> Self {
    left.merging(right) { _, later in later }
  }
}
