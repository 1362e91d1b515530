import Absences
import Alarms
public import Care
public import CivilTime
import Glucose
import GlucoseValues
import Guidance
import Households
public import JSON
public import Moments
import Notebook
import Profiles
import Proximity
import Reminders
import Reports
import Room
public import Texts
import Tracking
import Upkeep

/// What people and the parts outside of the core may know of the engines: each view is its engine's own.
extension GatewayCore {
  private var households: HouseholdsEngine { engines[HouseholdsEngine.self] }
  private var alarms: AlarmEngine { engines[AlarmEngine.self] }
  private var reminders: ReminderEngine { engines[ReminderEngine.self] }
  private var notebook: NotebookEngine { engines[NotebookEngine.self] }

  // MARK: The house

  /// All residents, by id.
  public var residents: [Resident] { world.house.sortedResidents }

  /// The zones of a resident, or of all when nil, by id.
  public func zones(of resident: ResidentID?) -> [SafeZone] {
    if let resident { return world.house.zones(of: resident) }
    return world.house.zones.values.sorted { $0.id < $1.id }
  }

  /// Another number whenever the zones may be others, for what is made of all of them.
  public var zonesVersion: UInt64 { households.zonesVersion }

  /// The bookmarks of a resident, or of all when nil, by id.
  public func bookmarks(of resident: ResidentID?) -> [Bookmark] {
    households.bookmarks(of: resident)
  }

  /// Who is shown a way; of one resident, or of all when nil, by id.
  public func guidanceSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    let guidance = engines[GuidanceEngine.self]
    return residents.map(\.id).filter { resident == nil || $0 == resident }.compactMap { id in
      let summary = guidance.summary(of: id, at: now.tick)
      return summary == .null ? nil : summary.setting("resident", to: .string(id.rawValue))
    }
  }

  /// Reports that go out by e-mail, of one resident or of all.
  public func reportOrders(of resident: ResidentID?) -> [JSONValue] {
    engines[ReportEngine.self].listed(of: resident, in: world.house)
  }

  /// A report that goes out by e-mail, with whether it may; nil where nobody ordered one of that id.
  public func reportOrder(_ id: String) -> JSONValue? {
    reportOrders(of: nil).first { $0["id"]?.stringContent == id }
  }

  /// What a resident tells of themselves for those who treat them.
  public func profile(of resident: ResidentID) -> JSONValue {
    engines[ProfileEngine.self].profile(of: resident).json
  }

  /// What the fake call of a resident is doing; nil while there is none.
  public func callStage(of resident: ResidentID) -> String? {
    engines[RoomEngine.self].callStage(of: resident)
  }

  /// Where home is from where a resident is now.
  public func wayHome(of resident: ResidentID, at now: Moment) -> JSONValue {
    var world = engines.showing([.bookmarks], in: world)
    world.now = now
    return engines[GuidanceEngine.self].wayHome(of: resident, in: world)
  }

  /// The places in the residents' own address books; of one resident, or of all when nil, by name.
  public func keptPlaces(of resident: ResidentID?) -> [JSONValue] {
    let guidance = engines[GuidanceEngine.self]
    return residents.map(\.id).filter { resident == nil || $0 == resident }.flatMap { id in
      guidance.places(keptBy: id).map {
        $0.json.setting("resident", to: .string(id.rawValue))
      }
    }
  }

  /// The guardians of a resident, or of all when nil, by id.
  public func guardians(of resident: ResidentID?) -> [Guardian] {
    world.house.guardians.filter { resident == nil || $0.resident == resident }
  }

  /// Homes that were moved or removed.
  public var pastHomes: [PastHome] { households.pastHomes }

  /// What residents answered, by resident and kind; of one, or of all when nil.
  public func consents(of resident: ResidentID?) -> [Consent] {
    world.house.consents.filter { resident == nil || $0.resident == resident }
  }

  /// What is known about each resident now, for people to read.
  public var residentSummaries: [JSONValue] {
    let (tracking, absences) = (engines[TrackingEngine.self], engines[AbsenceEngine.self])
    return residents.map { resident in
      var summary = resident.json
        .setting("tracking", to: tracking.summary(of: resident.id, in: world.house))
        .setting("consent", to: households.consentSummary(of: resident.id))
      // Nobody is shown where somebody is who refused it.
      if !world.house.isRefused(.location, by: resident.id),
        let absence = absences.present(of: resident.id)
      {
        summary = summary.setting("absence", to: absence)
      }
      guard let source = resident.gpsSource, let known = world.house.receivers,
        !known.contains(source)
      else { return summary }
      return summary.setting("isReceiverMissing", to: true)
    }
  }

  /// The planned absences of a resident, or of all when nil; see `absences.list`.
  public func absenceSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    var world = engines.showing([.whereabouts], in: world)
    world.now = now
    return engines[AbsenceEngine.self].summaries(of: resident, in: world)
  }

  // MARK: Alarms

  /// Open alarms, most urgent first.
  ///
  /// - Parameter language: of whoever reads; nil for each resident's own.
  public func alarmSummaries(in language: Language? = nil) -> [JSONValue] {
    alarms.summaries(in: language)
  }

  /// The open alarms that a guardian is told of.
  public func alarms(toldTo guardian: Guardian) -> [AlarmID] { alarms.alarms(toldTo: guardian) }

  /// An open alarm as a guardian sees it, with where the resident is now; nil when it is over, or none of theirs.
  ///
  /// - Parameter language: of whoever reads; nil for the resident's.
  public func alarm(
    _ id: AlarmID, toldTo guardian: Guardian, in language: Language?
  ) -> JSONValue? {
    guard let alarm = alarms.alarm(id, toldTo: guardian, in: language) else { return nil }
    let tracked = engines[TrackingEngine.self].summary(of: guardian.resident, in: world.house)
    let zone = world.house.residents[guardian.resident]?.timeZone
    let isRefused = world.house.isRefused(.location, by: guardian.resident)
    return alarm.setting("position", to: tracked["position"] ?? .null)
      .setting("isLocationRefused", to: .bool(isRefused))
      .setting("timeZone", to: zone.map { .string($0) } ?? .null)
  }

  /// Whether what is told to guardians alone about an alarm must not be shown to whoever looks at the gateway.
  public func conceals(_ alarm: AlarmID) -> Bool { alarms.isConcealed(alarm) }

  /// The stored hash of a resident's PIN; nil when it is not set.
  public func pinHash(_ kind: PINKind, of resident: ResidentID) -> String? {
    alarms.pinHash(kind, of: resident)
  }

  /// How each resident's guardians can be reached, for people to read.
  public func reachSummaries(at now: Moment) -> [JSONValue] {
    alarms.reachSummaries(in: showingFaults(at: now))
  }

  /// The guardians of a resident, or of all when nil, each with the ways that lead to them.
  public func guardianSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    alarms.guardianSummaries(of: resident, in: showingFaults(at: now))
  }

  private func showingFaults(at now: Moment) -> World {
    var world = engines.showing([.faults], in: world)
    world.now = now
    return world
  }

  // MARK: The gateway

  /// Faults that are raised now.
  public var faults: [HealthReport] { engines[UpkeepEngine.self].raised }

  /// What the engines themselves find of the gateway's parts.
  public var ownReports: [HealthReport] { engines.health }

  /// Whether guardians can be told, as a part of the gateway; nil until it is known what plugins offer.
  public var reachReport: HealthReport? {
    ownReports.first { $0.component == AlarmEngine.reachComponent }
  }

  // MARK: Routine, notes, glucose, tags

  /// The items of a resident, or of all when nil, with where each stands; see `routine.list`.
  public func routineSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    reminders.summaries(of: resident, at: now)
  }

  /// The zones whose files the core needs: of the residents and of their routines.
  public var neededTimeZones: [String] { reminders.neededZones }

  /// The sentences that have to be ready: those of an emergency, and of the routine within 24 hours.
  public func sentencesToKeep(at now: Moment) -> [Sentence] {
    alarms.emergencySentences + reminders.sentences(at: now)
  }

  /// Messages that nobody has read, oldest first; of one resident, or of all when nil.
  public func unreadMessages(of resident: ResidentID?) -> [ChatMessage] {
    notebook.unreadMessages.filter { resident == nil || $0.resident == resident }
  }

  /// A picture that is stored, by its name; nil when it is not.
  public func picture(_ id: PictureID) -> Picture? { notebook.picture(id) }

  /// A recording by its name; nil when it is not stored, or not any more.
  public func recording(_ id: RecordingID) -> Recording? { notebook.recording(id) }

  /// All recordings that are stored, by id.
  public var recordings: [Recording] { notebook.storedRecordings }

  /// All pictures that are stored, by id.
  public var pictures: [Picture] { notebook.storedPictures }

  /// Every meter, how far it has been fetched, and the zone that its resident lives by.
  public var knownMeters: [(meter: GlucoseMeter, bookmark: JSONValue?, zone: CivilTimeZone?)] {
    engines[GlucoseEngine.self].knownMeters
  }

  /// What is known of the tags of a resident, or of all when nil.
  public func tagSummaries(of resident: ResidentID?) -> [JSONValue] {
    engines[ProximityEngine.self].summaries(of: resident)
  }

  /// Each tag as it was put; nil when there is none of that id.
  public func tag(_ id: TagID) -> Tag? { engines[ProximityEngine.self].tag(id) }

  /// Every tag with all that it is known by, keys included, and the seconds of silence after which it is away: for whoever
  /// listens.
  public var knownTags: [(id: TagID, identities: [TagIdentity], awaySeconds: Int64)] {
    engines[ProximityEngine.self].knownTags
  }

  // MARK: Whom it is about

  /// Whom an input is about, so that erasing a resident reaches the recorded inputs too; nil for the gateway.
  public func resident(concernedBy input: CoreInput) -> ResidentID? {
    switch input {
    case .observation(let observation): engines.resident(concernedBy: observation)
    case .wake, .started, .timeZone: nil
    case .command(let command):
      // What the store holds comes with the command, also of what it removes.
      command.storedNote?.resident ?? command.storedMessage?.resident
        ?? command.storedReading?.resident ?? engines.resident(concernedBy: command.request)
    }
  }

  /// Tracking settings that the configuration names wrongly or sets out of range, with the reason.
  public static func problems(in configuration: CoreConfiguration) -> [String] {
    var settings = TrackingSettings()
    var problems: [String] = []
    for setting in configuration.trackingDefaults {
      do { try settings.set(setting.name, to: setting.value) } catch {
        problems.append(
          "tracking.\(setting.name): \(error.message.text(in: configuration.language))")
      }
    }
    return problems
  }
}
