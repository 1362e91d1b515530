public import CivilTime
public import JSON
public import Moments
public import Texts

/// What is known of the house: who lives there, who cares, where it is safe, and what was set. Kept once, by the core;
/// engines read it.
public struct House: Hashable, Sendable {
  /// A resident as engines need to know them.
  public struct Person: Hashable, Sendable {
    /// What people call them.
    public var name: String
    /// The language of what is told to them and about them.
    public var language: Language
    /// The zone that they live by; nil while its rules are unknown.
    public var zone: CivilTimeZone?
    /// When they are left in peace; nil for never.
    public var quietHours: DailyHours?
    /// The settings of their alarms.
    public var alarms = AlarmSettings()

    /// A person from their parts.
    public init(
      name: String, language: Language = .en, zone: CivilTimeZone?, quietHours: DailyHours? = nil
    ) {
      self.name = name
      self.language = language
      self.zone = zone
      self.quietHours = quietHours
    }
  }

  /// What a resident has set.
  public typealias Settings = [String: JSONValue]

  /// Another number whenever anything of it may be another.
  public private(set) var version: UInt64 = 0
  /// The language of what concerns the gateway and no resident.
  public var language: Language { didSet { version &+= 1 } }
  /// Everybody looked after.
  public var residents: [ResidentID: Resident] { didSet { meetPeople() } }
  /// Everybody looked after, as engines know them.
  public private(set) var people: [ResidentID: Person] = [:]
  /// Those who care, by id.
  public private(set) var guardians: [Guardian]
  /// Where it is safe.
  public var zones: [ZoneID: SafeZone] { didSet { version &+= 1 } }
  /// What differs from the defaults, by resident and name.
  public var settings: [ResidentID: Settings] { didSet { meetPeople() } }
  /// The rules of the time zones that are known, by name.
  public var timeZones: [String: CivilTimeZone] { didSet { meetPeople() } }
  /// What residents answered when they were asked what may be used.
  public var consents: [Consent] = [] { didSet { version &+= 1 } }
  /// What is set for everybody, by the configuration.
  public var defaults: Settings = [:] { didSet { version &+= 1 } }
  /// The sources of positions that there are; nil where any may come.
  public var receivers: KnownReceivers? { didSet { version &+= 1 } }
  /// Seconds that a part must be failed or degraded before it becomes a fault.
  public var faultAfterSeconds: Int64 = 10 { didSet { version &+= 1 } }
  /// Seconds between two heartbeats; 0 for none.
  public var heartbeatSeconds: Int64 = 0 { didSet { version &+= 1 } }
  /// The devices that listen for tags.
  public var hearers: [TagHearer] = [] { didSet { version &+= 1 } }
  /// Buttons, whose they are and what they bring about.
  public var buttons: [ButtonBinding] = [] { didSet { version &+= 1 } }

  /// A house from its parts.
  public init(
    language: Language = .en, residents: [Resident] = [], guardians: [Guardian] = [],
    zones: [SafeZone] = [], settings: [ResidentID: Settings] = [:],
    timeZones: [String: CivilTimeZone] = [:]
  ) {
    self.language = language
    self.residents = Dictionary(residents.map { ($0.id, $0) }) { $1 }
    self.guardians = guardians.sorted { $0.id < $1.id }
    self.zones = Dictionary(zones.map { ($0.id, $0) }) { $1 }
    self.settings = settings
    self.timeZones = timeZones
    meetPeople()
  }

  /// A house of which only the people are known.
  public init(language: Language = .en, people: [ResidentID: Person]) {
    self.init(language: language)
    self.people = people
  }

  private mutating func meetPeople() {
    version &+= 1
    people = residents.mapValues { resident in
      let alarms = AlarmSettings(settings[resident.id] ?? [:])
      var person = Person(
        name: resident.name, language: Language(alarms.language),
        zone: timeZones[resident.timeZone], quietHours: DailyHours(alarms.quietHours))
      person.alarms = alarms
      return person
    }
  }

  // MARK: Changes

  /// Adds a guardian, or replaces one with the same id.
  public mutating func put(_ guardian: Guardian) {
    version &+= 1
    guardians = (guardians.filter { $0.id != guardian.id } + [guardian]).sorted { $0.id < $1.id }
  }

  /// Forgets guardians.
  public mutating func removeGuardians(where isMeant: (Guardian) -> Bool) {
    version &+= 1
    guardians.removeAll(where: isMeant)
  }

  // MARK: Questions

  /// Everybody looked after, by id.
  public var sortedResidents: [Resident] { residents.values.sorted { $0.id < $1.id } }

  /// The safe zones of a resident, by id.
  public func zones(of resident: ResidentID) -> [SafeZone] {
    zones.values.filter { $0.resident == resident }.sorted { $0.id < $1.id }
  }

  /// The safe zones of a resident that count at a local time, by id.
  ///
  /// While nobody knows the time, those that count always do; where there is none of these, all do: a needless alarm is
  /// better than none.
  public func zones(of resident: ResidentID, countingAt local: CivilDateTime?) -> [SafeZone] {
    let all = zones(of: resident)
    guard let local else {
      let always = all.filter { $0.hours == nil }
      return always.isEmpty ? all : always
    }
    return all.filter { $0.hours?.contains(local) ?? true }
  }

  /// The guardians of a resident, by id.
  public func guardians(of resident: ResidentID) -> [Guardian] {
    guardians.filter { $0.resident == resident }
  }

  /// A guardian by their id; nil when there is none.
  public func guardian(_ id: GuardianID) -> Guardian? { guardians.first { $0.id == id } }

  /// The resident with whom a source of positions moves; nil when it moves with nobody.
  public func resident(movingWith source: SourceID) -> Resident? {
    residents.values.first { $0.gpsSource == source }
  }

  /// The language of what is told about a resident; English for one who is not known.
  public func language(of resident: ResidentID) -> Language { people[resident]?.language ?? .en }

  /// What a resident answered; nil when nobody asked.
  public func consent(_ kind: ConsentKind, of resident: ResidentID) -> Consent? {
    consents.first { $0.kind == kind && $0.resident == resident }
  }

  /// Whether a resident refused the use of something.
  public func isRefused(_ kind: ConsentKind, by resident: ResidentID) -> Bool {
    consent(kind, of: resident)?.isGranted == false
  }

  /// Settings of an engine for a resident: built in, then the configuration's, then their own.
  ///
  /// All were checked when they came; one that a later version no longer allows leaves the one before in force.
  public func settings<Owner: NamedSettings>(_ owner: Owner.Type, of resident: ResidentID) -> Owner
  {
    var settings = Owner()
    for contents in [defaults, self.settings[resident] ?? [:]] {
      for (name, content) in contents.sorted(by: { $0.key < $1.key })
      where Owner.names.contains(name) {
        try? settings.set(name, to: content)
      }
    }
    return settings
  }

  // MARK: Requirements

  /// Refuses what is asked about somebody who is not looked after.
  public func requireResident(_ id: ResidentID) throws(CommandReply.Refusal) {
    if residents[id] == nil { throw Validation.unknown("resident", id) }
  }

  /// So many residents one gateway looks after at most.
  private static let residentsAtMost = 100

  /// Refuses one more resident where there are as many as there can be.
  public func requirePlaceForResident() throws(CommandReply.Refusal) {
    guard residents.count >= Self.residentsAtMost else { return }
    throw CommandReply.Refusal(
      .conflict,
      Message("One gateway looks after at most {most} residents.", ["most": Self.residentsAtMost]))
  }

  /// Refuses what the resident refused, and says how to change it.
  public func requireConsent(
    _ kind: ConsentKind, of resident: ResidentID
  ) throws(CommandReply.Refusal) {
    guard let consent = consent(kind, of: resident), !consent.isGranted else { return }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "{who} refused the use of {what} on {date}. Ask again; when the answer is yes: homeward consent grant {kind}",
        [
          "who": consent.by, "what": kind.words, "date": consent.at.iso8601.prefix(10),
          "kind": kind.rawValue,
        ]))
  }
}

extension ConsentKind {
  /// What is used, in a sentence.
  public var words: Message {
    switch self {
    case .location: Message("the position")
    case .camera: Message("the camera")
    case .microphone: Message("the microphone")
    case .notifications: Message("news to guardians")
    case .calls: Message("telephone calls")
    case .reports: Message("reports for others")
    }
  }
}
