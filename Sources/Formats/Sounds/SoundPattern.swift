public import Texts

/// One tone of a pattern: when it begins, how it swells and fades, and what it sounds like.
public struct Note: Hashable, Sendable {
  /// Milliseconds from the pattern's beginning.
  public var startMilliseconds: Int
  /// From silence to silence, rise and fall included.
  public var durationMilliseconds: Int
  /// How long it swells, as a raised cosine.
  public var riseMilliseconds: Int
  /// How long it fades at its end, as a raised cosine.
  public var fallMilliseconds: Int
  /// The time in which a struck note dies down to 37 %; nil for a steady one.
  public var decayMilliseconds: Int?
  /// Its highest point in dB beside full scale.
  public var levelDecibels: Double
  /// What it sounds like.
  public var timbre: Timbre

  /// A note from its parts.
  public init(
    startMilliseconds: Int, durationMilliseconds: Int, riseMilliseconds: Int, fallMilliseconds: Int,
    decayMilliseconds: Int? = nil, levelDecibels: Double, timbre: Timbre
  ) {
    self.startMilliseconds = startMilliseconds
    self.durationMilliseconds = durationMilliseconds
    self.riseMilliseconds = riseMilliseconds
    self.fallMilliseconds = fallMilliseconds
    self.decayMilliseconds = decayMilliseconds
    self.levelDecibels = levelDecibels
    self.timbre = timbre
  }

  var endMilliseconds: Int { startMilliseconds + durationMilliseconds }
}

/// A sound made from a table of notes: no sample files, the same on every machine.
public struct SoundPattern: Hashable, Sendable {
  /// What requests call it.
  public let name: String
  /// What it is for, in one line without a full stop.
  public let summary: Message
  /// Its notes in the order of their beginnings.
  public let notes: [Note]
  /// How long it lasts.
  public let durationMilliseconds: Int
  /// Silence that belongs between two of it when it repeats: the pause between bursts, the off time of a cadence.
  public let repeatPauseMilliseconds: Int

  /// A pattern from its parts; it lasts until its last note ends, or longer when `duration` says so.
  init(
    _ name: String, _ summary: Message, repeatPauseMilliseconds: Int, lasts duration: Int = 0,
    notes: [Note]
  ) {
    self.name = name
    self.summary = summary
    self.notes = notes
    durationMilliseconds = max(duration, notes.map(\.endMilliseconds).max() ?? 0)
    self.repeatPauseMilliseconds = repeatPauseMilliseconds
  }

  /// All patterns: the alarms, the calm ones, the telephones of each country.
  public static let all = CarePatterns.all + RingCadence.all.map(\.pattern)

  /// The names of all patterns, in the order of ``all``.
  public static let allNames = all.map(\.name)

  /// The pattern of that name; nil when there is none.
  public static func named(_ name: String) -> SoundPattern? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}
