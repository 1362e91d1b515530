public import CivilTime
public import Moments
public import Texts

/// What engines may know of the house: what time it is, who lives there, and how they are spoken to. Kept by the core, read
/// by engines.
public struct World: Hashable, Sendable {
  /// A resident as engines need to know them.
  public struct Person: Hashable, Sendable {
    /// What people call them.
    public var name: String
    /// The language of what is told to them and about them.
    public var language: Language
    /// The zone that they live by; nil while its rules are unknown.
    public var zone: CivilTimeZone?
    /// When they are left in peace; nil for never.
    public var quietHours: QuietHours?

    /// A person from their parts.
    public init(
      name: String, language: Language = .en, zone: CivilTimeZone?, quietHours: QuietHours? = nil
    ) {
      self.name = name
      self.language = language
      self.zone = zone
      self.quietHours = quietHours
    }
  }

  /// Where a resident is, by their safe zones.
  public struct Whereabouts: Hashable, Sendable {
    /// The safe zones, with those marked as home.
    public var safeZones: [ZoneID: Bool]
    /// The safe zones that the resident is in.
    public var inside: Set<ZoneID>
    /// Whether the resident is known to be outside of all safe zones.
    public var isOutside: Bool

    /// Whereabouts from their parts; by default nothing is known.
    public init(
      safeZones: [ZoneID: Bool] = [:], inside: Set<ZoneID> = [], isOutside: Bool = false
    ) {
      self.safeZones = safeZones
      self.inside = inside
      self.isOutside = isOutside
    }
  }

  /// Whether it is a time to leave somebody in peace.
  public enum Quiet: Hashable, Sendable {
    /// Nobody knows: the clock is not trusted, or the time zone is unknown.
    case unknown
    /// It may be spoken.
    case over
    /// Quiet hours, for so many more minutes.
    case minutes(Int)
  }

  /// Both clocks.
  public var now: Moment
  /// The language of what concerns the gateway and no resident.
  public var language: Language
  /// Everybody looked after.
  public var people: [ResidentID: Person]
  /// Where they are; empty for engines that do not ask for it, since it is not for nothing with thousands of zones.
  public var whereabouts: [ResidentID: Whereabouts] = [:]

  /// A world from its parts.
  public init(now: Moment, language: Language = .en, people: [ResidentID: Person] = [:]) {
    self.now = now
    self.language = language
    self.people = people
  }

  /// The language of what is told about a resident; English for one who is not known.
  public func language(of resident: ResidentID) -> Language { people[resident]?.language ?? .en }

  /// The local time of a resident; nil while the clock is not trusted or their zone is unknown.
  public func localTime(of resident: ResidentID) -> CivilDateTime? {
    guard now.quality.isTrusted else { return nil }
    return people[resident]?.zone?.local(at: now.utc).civil
  }

  /// Whether anybody's local time is known.
  public var knowsLocalTime: Bool {
    now.quality.isTrusted && people.values.contains { $0.zone != nil }
  }

  /// Whether a resident is to be left in peace now; of somebody who is not known nobody knows.
  public func quiet(of resident: ResidentID) -> Quiet {
    guard let person = people[resident] else { return .unknown }
    guard let hours = person.quietHours else { return .over }
    guard let local = localTime(of: resident) else { return .unknown }
    return hours.minutesLeft(at: local).map { .minutes($0) } ?? .over
  }
}
