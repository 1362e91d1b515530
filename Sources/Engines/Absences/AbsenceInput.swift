public import Care
public import CivilTime
public import JSON
public import Moments
public import Texts

/// When it is, and what is known of those whose absences are judged.
public struct AbsenceContext: Sendable {
  /// One resident.
  public struct Person: Sendable {
    /// The name as people write it.
    public var name: String
    /// The language of what is told about the resident.
    public var language: Language
    /// The zone that the resident lives by; nil while it is not known.
    public var zone: CivilTimeZone?
    /// The safe zones, with those marked as home.
    public var safeZones: [ZoneID: Bool]
    /// The safe zones that the resident is in.
    public var inside: Set<ZoneID>
    /// Whether the resident is known to be outside of all safe zones.
    public var isOutside: Bool

    /// A resident from what is known; by default nothing of where they are.
    public init(
      name: String, language: Language = .en, zone: CivilTimeZone?,
      safeZones: [ZoneID: Bool] = [:], inside: Set<ZoneID> = [], isOutside: Bool = false
    ) {
      self.name = name
      self.language = language
      self.zone = zone
      self.safeZones = safeZones
      self.inside = inside
      self.isOutside = isOutside
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
}

/// What follows from an input.
public struct AbsenceOutcome: Hashable, Sendable {
  /// What happened, in order.
  public var events: [EventDraft] = []
  /// What must be stored in the same transaction.
  public var changes: [StateChange] = []
  /// The answer to a request.
  public var reply: JSONValue = .object([])

  /// An outcome in which nothing happened.
  public init() {}
}

/// What explains that a resident is out.
public struct Expectation: Hashable, Sendable {
  /// The absence.
  public var absence: Absence
  /// When it is on.
  public var window: AbsenceWindow
  /// Whether the resident is out for it already.
  public var isAway: Bool
}
