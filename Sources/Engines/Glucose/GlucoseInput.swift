public import Care
public import CivilTime
public import JSON
public import Moments
public import Texts

/// What the engine is told beside what people ask of it.
public enum GlucoseInput: Hashable, Sendable {
  /// A meter was read: its new readings, all at once, so that only the newest is judged against the limits.
  case received([GlucoseReading])
  /// A meter could not measure because the level was beyond its range (`HI`, `LO`).
  case beyondRange(GlucoseLevelFault.End, ResidentID, time: Timestamp, origin: String)
  /// Settings of a resident changed; all that differ from the default.
  case settingsChanged(ResidentID, [String: JSONValue])
  /// The clock was set or became trusted, or somebody's zone or name changed.
  case circumstancesChanged
  /// The tick that the engine asked for has come.
  case time
}

/// What follows from an input.
public struct GlucoseOutcome: Hashable, Sendable {
  /// What happened, in order.
  public var events: [EventDraft] = []
  /// What must be stored in the same transaction.
  public var changes: [StateChange] = []
  /// The answer to a request.
  public var reply: JSONValue = .object([])
  /// Why a request was refused; what ``events`` tells of it is told all the same, and nothing else follows.
  public var refusal: CommandReply.Refusal?

  /// An outcome in which nothing happened.
  public init() {}
}

/// When it is, and whom the engine knows.
public struct GlucoseContext: Sendable {
  /// A resident as the engine needs to know them.
  public struct Person: Sendable {
    /// What people call them.
    public var name: String
    /// The language of what is told about them.
    public var language: Language
    /// Where they live; nil when the zone's rules are unknown.
    public var zone: CivilTimeZone?

    /// A person from their parts.
    public init(name: String, language: Language = .en, zone: CivilTimeZone?) {
      self.name = name
      self.language = language
      self.zone = zone
    }
  }

  /// Both clocks.
  public var now: Moment
  /// Everybody looked after.
  public var people: [ResidentID: Person]

  /// A context from its parts.
  public init(now: Moment, people: [ResidentID: Person]) {
    self.now = now
    self.people = people
  }

  func language(of resident: ResidentID) -> Language { people[resident]?.language ?? .en }
}
