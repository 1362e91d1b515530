import CivilTime
public import Moments
public import Texts

/// What engines may know beside their own: what time it is, what is known of the house, and what other engines show of
/// themselves. Made by the core, read by engines.
public struct World: Hashable, Sendable {
  /// A resident as engines need to know them.
  public typealias Person = House.Person

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

  /// What explains that a resident is out.
  public enum Plan: Hashable, Sendable {
    /// Nobody knows the time, and so whether what was planned is on.
    case unknown
    /// Nothing that was planned is on.
    case none
    /// A planned absence is on, until then.
    case absence(Absence, until: Timestamp)
  }

  /// Who needs help, as the room is concerned.
  public struct Need: Hashable, Sendable {
    /// Residents with an open alarm that somebody was told of.
    public var open: Set<ResidentID> = []
    /// Residents for whom help is about to be called.
    public var prealarm: Set<ResidentID> = []
    /// Whether somebody needs help or is about to call for it, and nobody knows who.
    public var isSomebodys = false
    /// Whether an alarm sounds that a press would silence.
    public var isSounding = false

    /// Nobody needs help.
    public init() {}

    /// Whether an alarm of a resident is on, its pre-alarm included.
    public func isNeeded(by resident: ResidentID) -> Bool {
      isSomebodys || open.contains(resident) || prealarm.contains(resident)
    }
  }

  /// How guardians can be reached, as far as others have to know.
  public struct Reachability: Hashable, Sendable {
    /// The channels that a plugin offers; nil as long as nobody has said.
    public var offered: Set<Guardian.Channel>?
    /// The hashes of the residents' PINs, by the word of their ``PINKind``.
    public var pins: [ResidentID: [String: String]] = [:]

    /// Nothing is known.
    public init() {}

    /// Whether a plugin takes messages for a channel; assumed as long as nobody has said.
    public func isOffered(_ channel: Guardian.Channel) -> Bool {
      offered.map { $0.contains(channel) } ?? true
    }
  }

  /// What one engine shows of itself and another may ask to see.
  public enum View: UInt16, Hashable, Sendable, CaseIterable {
    /// ``World/whereabouts``: not for nothing with thousands of zones.
    case whereabouts
    /// ``World/tracked``.
    case tracked
    /// ``World/plans``.
    case plans
    /// ``World/need``.
    case need
    /// ``World/isCallOn``.
    case call
    /// ``World/silence`` and ``World/speechlessness``.
    case sound
    /// ``World/faults``.
    case faults
    /// ``World/reachability``.
    case reachability
    /// ``World/bookmarks``.
    case bookmarks
    /// ``World/pictures``.
    case pictures
  }

  /// Some of what engines show of themselves; a number, for each engine is asked at each input.
  public struct Views: OptionSet, Hashable, Sendable {
    /// A bit for each.
    public let rawValue: UInt16

    /// Some by their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// All that some have; of its own, as every engine says at each input that it sees none.
    public init(arrayLiteral some: Views...) {
      rawValue = some.reduce(0) { $0 | $1.rawValue }
    }

    /// One alone.
    public init(_ view: View) { rawValue = 1 << view.rawValue }

    /// ``View/whereabouts``.
    public static let whereabouts = Views(.whereabouts)
    /// ``View/tracked``.
    public static let tracked = Views(.tracked)
    /// ``View/plans``.
    public static let plans = Views(.plans)
    /// ``View/need``.
    public static let need = Views(.need)
    /// ``View/call``.
    public static let call = Views(.call)
    /// ``View/sound``.
    public static let sound = Views(.sound)
    /// ``View/faults``.
    public static let faults = Views(.faults)
    /// ``View/reachability``.
    public static let reachability = Views(.reachability)
    /// ``View/bookmarks``.
    public static let bookmarks = Views(.bookmarks)
    /// ``View/pictures``.
    public static let pictures = Views(.pictures)
  }

  /// What engines show of themselves, where another one wants to see it.
  private struct Shown: Hashable, Sendable {
    var whereabouts: [ResidentID: Whereabouts] = [:]
    var tracked: Set<ResidentID> = []
    var plans: [ResidentID: Plan] = [:]
    var need = Need()
    var isCallOn = false
    var silence: Message?
    var speechlessness: Message?
    var faults: [HealthReport] = []
    var reachability = Reachability()
    var bookmarks: [BookmarkID: Bookmark] = [:]
    var pictures: Set<PictureID> = []
  }

  /// Both clocks.
  public var now: Moment
  /// The running boot.
  public var boot: BootID
  /// The identity that the event will have with which a signal came; nil for a signal that came alone.
  public var event: EventID?
  /// Identities for what has to be known by one before the step ends; see ``Outcome/identifiers``.
  public var identifiers = IdentifierGenerator(seed: 0)
  // Both at a distance of one pointer: a world is handed to every engine at every input.
  private var houses: [House]
  private var shown: [Shown] = []

  /// What is known of the house.
  public var house: House {
    _read { yield houses[0] }
    _modify { yield &houses[0] }
  }

  private static let nothingShown = Shown()
  private var views: Shown {
    _read { yield shown.isEmpty ? Self.nothingShown : shown[0] }
    _modify {
      if shown.isEmpty { shown.append(Shown()) }
      yield &shown[0]
    }
  }

  /// Where everybody is.
  public var whereabouts: [ResidentID: Whereabouts] {
    get { views.whereabouts }
    set { views.whereabouts = newValue }
  }

  /// Residents whose position is followed.
  public var tracked: Set<ResidentID> {
    get { views.tracked }
    set { views.tracked = newValue }
  }

  /// What explains that somebody is out, of those for whom anything was planned.
  public var plans: [ResidentID: Plan] {
    get { views.plans }
    set { views.plans = newValue }
  }

  /// Who needs help.
  public var need: Need {
    get { views.need }
    set { views.need = newValue }
  }

  /// Whether a fake call rings or is being answered.
  public var isCallOn: Bool {
    get { views.isCallOn }
    set { views.isCallOn = newValue }
  }

  /// Why nothing can be heard now; nil when it can, or nobody has said otherwise.
  public var silence: Message? {
    get { views.silence }
    set { views.silence = newValue }
  }

  /// Why no new words can be spoken now, though tones are heard; nil when they can, or nobody has said otherwise.
  public var speechlessness: Message? {
    get { views.speechlessness }
    set { views.speechlessness = newValue }
  }

  /// Parts that do not work.
  public var faults: [HealthReport] {
    get { views.faults }
    set { views.faults = newValue }
  }

  /// How guardians can be reached.
  public var reachability: Reachability {
    get { views.reachability }
    set { views.reachability = newValue }
  }

  /// Places with a name.
  public var bookmarks: [BookmarkID: Bookmark] {
    get { views.bookmarks }
    set { views.bookmarks = newValue }
  }

  /// Pictures that are stored.
  public var pictures: Set<PictureID> {
    get { views.pictures }
    set { views.pictures = newValue }
  }

  /// A world from its parts.
  public init(now: Moment, house: House, boot: BootID = "") {
    self.now = now
    houses = [house]
    self.boot = boot
  }

  /// A world of which only the people are known.
  public init(now: Moment, language: Language = .en, people: [ResidentID: Person] = [:]) {
    self.init(now: now, house: House(language: language, people: people))
  }

  /// The language of what concerns the gateway and no resident.
  public var language: Language { house.language }

  /// Everybody looked after, as engines know them.
  public var people: [ResidentID: Person] { house.people }

  /// The language of what is told about a resident; English for one who is not known.
  public func language(of resident: ResidentID) -> Language { house.language(of: resident) }

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
