public import Care
public import JSON
import Moments
import PhoneNumbers
import Texts

/// Who lives here, who cares, where it is safe, what was set and what may be used: the one engine that changes the house.
public struct HouseholdsEngine: Engine {
  /// Requests, the rules of time zones, who cares for somebody and who is looked after from now on.
  public static var hears: InputKinds { [.rules, .asked, .signals] }

  /// What is known of the house.
  public private(set) var house: House
  var bookmarks: [BookmarkID: Bookmark] = [:]
  private var consents: ConsentBook
  private var homes: HomeBook
  /// Another number whenever the zones may be others.
  public private(set) var zonesVersion: UInt64 = 0

  /// An engine over what is stored; the world knows what the configuration says of the house.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    house = world.house
    house.residents = Dictionary(stored.residents.map { ($0.id, $0) }) { $1 }
    house.zones = Dictionary(stored.zones.map { ($0.id, $0) }) { $1 }
    for guardian in stored.guardians { house.put(guardian) }
    house.settings = Dictionary(grouping: stored.settings, by: \.resident).mapValues {
      Dictionary($0.map { ($0.name, $0.value) }) { $1 }
    }
    bookmarks = Dictionary(stored.bookmarks.map { ($0.id, $0) }) { $1 }
    consents = ConsentBook(rows: stored.engineRows)
    homes = HomeBook(rows: stored.engineRows)
    house.consents = consents.all
  }

  /// Takes one input; nil where it is none of its business.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .rules(let name, let zone):
      var outcome = Outcome()
      house.timeZones[name] = zone
      outcome.changed = [.timeZone(name)]
      return outcome
    case .asked(let command, _):
      // What is refused has changed nothing.
      var attempt = self
      let outcome = try attempt.perform(command, in: world)
      self = attempt
      return outcome
    case .signalled(.cares(let carer)): return add(carer)
    case .signalled(.joins(let resident)):
      return try? put(resident, by: Principal(channel: .gateway, name: resident.name))
    default: return nil
    }
  }

  private mutating func perform(
    _ command: Command, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    let principal = command.principal
    switch command.request {
    case .putResident(let resident): return try put(resident, by: principal)
    case .eraseResident(let id): return try erase(id, by: principal, in: world)
    case .putZone(let zone): return try put(zone, by: command)
    case .removeZone(let id): return try removeZone(id, by: command)
    case .putBookmark(let bookmark): return try put(bookmark, by: principal)
    case .removeBookmark(let id): return try removeBookmark(id, by: principal)
    case .putGuardian(let guardian): return try put(guardian, by: principal)
    case .removeGuardian(let id): return try removeGuardian(id, by: principal)
    case .putSetting(let resident, let name, let content):
      return try putSetting(name, content, of: resident, by: principal)
    case .putConsent(let resident, let kind, let isGranted, let who):
      return try put(
        Consent(
          resident: resident, kind: kind, isGranted: isGranted, by: who, at: world.now.utc,
          principal: principal.description))
    case .setTracking, .locate, .alarm, .room, .routine, .note, .bluetooth, .absence, .feature:
      return nil
    }
  }

  // MARK: Residents

  private mutating func put(
    _ resident: Resident, by principal: Principal
  ) throws(CommandReply.Refusal) -> Outcome {
    try check(resident)
    house.residents[resident.id] = resident
    var outcome = Outcome()
    outcome.changes = [.putResident(resident)]
    outcome.changed = [.resident(resident.id)]
    outcome.events = [
      .note("resident.put", resident.id.rawValue, of: resident.id, by: principal, resident.json)
    ]
    outcome.reply = ["id": .string(resident.id.rawValue)]
    return outcome
  }

  private mutating func erase(
    _ id: ResidentID, by principal: Principal, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    try house.requireResident(id)
    house.residents[id] = nil
    house.zones = house.zones.filter { $0.value.resident != id }
    zonesVersion &+= 1
    house.removeGuardians { $0.resident == id }
    house.settings[id] = nil
    bookmarks = bookmarks.filter { $0.value.resident != id }
    homes.erase(id)
    consents.erase(id)
    house.consents = consents.all
    var outcome = Outcome()
    var identifiers = world.identifiers
    let event = EventID(identifiers.next(at: world.now.utc))
    outcome.identifiers = identifiers
    outcome.changed = [.erased(id)]
    outcome.changes = [.eraseResident(id)]
    outcome.events = [
      EventDraft(
        type: .residentErased, lane: .record, resident: nil,
        facts: [
          // An id may be a name, and this event stays: only who knows the id already can tell whose it was.
          "erased": .string(id.digest(in: event)), "by": .string(principal.description),
          "explanation": .string(
            Message("A resident was erased with everything known about them.")
              .text(in: house.language)),
        ], id: event)
    ]
    outcome.reply = ["erased": .string(id.rawValue)]
    return outcome
  }

  // MARK: Zones

  private mutating func put(
    _ zone: SafeZone, by command: Command
  ) throws(CommandReply.Refusal) -> Outcome {
    try check(zone)
    let old = house.zones.updateValue(zone, forKey: zone.id)
    zonesVersion &+= 1
    var outcome = Outcome()
    outcome.changes = [.putZone(zone)] + homes.note(old, becomes: zone)
    if zone.isHome { outcome.changes += clearOtherHomes(than: zone) }
    outcome.events = [
      .note("zone.put", zone.id.rawValue, of: zone.resident, by: command.principal, zone.json)
    ]
    let edit = ZoneEdit(
      zone: zone, change: ZoneEdit.Change(from: old, to: zone), principal: command.principal,
      account: command.account)
    outcome.changed = [.zones(zone.resident, edit: edit)]
    outcome.reply = ["id": .string(zone.id.rawValue)]
    return outcome
  }

  /// A resident has one home: the zone marked last.
  private mutating func clearOtherHomes(than home: SafeZone) -> [StateChange] {
    house.zones(of: home.resident).filter { $0.isHome && $0.id != home.id }.flatMap { other in
      let changes = homes.note(other, becomes: nil)
      var other = other
      other.isHome = false
      house.zones[other.id] = other
      return changes + [.putZone(other)]
    }
  }

  private mutating func removeZone(
    _ id: ZoneID, by command: Command
  ) throws(CommandReply.Refusal) -> Outcome {
    guard let zone = house.zones.removeValue(forKey: id) else {
      throw Validation.unknown("zone", id)
    }
    zonesVersion &+= 1
    var outcome = Outcome()
    outcome.changes = [.removeZone(id)] + homes.note(zone, becomes: nil)
    outcome.events = [
      .note("zone.remove", id.rawValue, of: zone.resident, by: command.principal, zone.json)
    ]
    let edit = ZoneEdit(
      zone: zone, change: .removed, principal: command.principal, account: command.account)
    outcome.changed = [.zones(zone.resident, edit: edit)]
    outcome.reply = ["removed": .string(id.rawValue)]
    return outcome
  }

  // MARK: Bookmarks

  private mutating func put(
    _ bookmark: Bookmark, by principal: Principal
  ) throws(CommandReply.Refusal) -> Outcome {
    try check(bookmark)
    bookmarks[bookmark.id] = bookmark
    var outcome = Outcome()
    outcome.changes = [.putBookmark(bookmark)]
    outcome.events = [
      .note(
        "bookmark.put", bookmark.id.rawValue, of: bookmark.resident, by: principal, bookmark.json)
    ]
    outcome.reply = ["id": .string(bookmark.id.rawValue)]
    return outcome
  }

  private mutating func removeBookmark(
    _ id: BookmarkID, by principal: Principal
  ) throws(CommandReply.Refusal) -> Outcome {
    guard let bookmark = bookmarks.removeValue(forKey: id) else {
      throw Validation.unknown("bookmark", id)
    }
    var outcome = Outcome()
    outcome.changes = [.removeBookmark(id)]
    outcome.events = [
      .note("bookmark.remove", id.rawValue, of: bookmark.resident, by: principal, bookmark.json)
    ]
    outcome.reply = ["removed": .string(id.rawValue)]
    return outcome
  }

  // MARK: Guardians

  private mutating func put(
    _ guardian: Guardian, by principal: Principal
  ) throws(CommandReply.Refusal) -> Outcome {
    var guardian = guardian
    guardian.phone = try normalizedPhone(of: guardian)
    try check(guardian)
    house.put(guardian)
    var outcome = Outcome()
    outcome.changes = [.putGuardian(guardian)]
    outcome.events = [
      .note(
        "guardian.put", guardian.id.rawValue, of: guardian.resident, by: principal, guardian.json)
    ]
    outcome.changed = [.guardians]
    outcome.reply = .object([
      "id": .string(guardian.id.rawValue), "phone": guardian.phone.map { .string($0) },
    ])
    return outcome
  }

  /// Adds whoever cares for a resident to the guardians, unless they are one already or there is no room.
  private mutating func add(_ carer: Guardian) -> Outcome? {
    let known = [carer.email, carer.phone].compactMap { $0 }.flatMap {
      house.guardians(knownAs: $0)
    }
    guard !known.contains(where: { $0.resident == carer.resident }) else { return nil }
    var guardian = carer
    guardian.id = GuardianID(
      Slug.make(
        from: carer.name, besides: house.guardians.map(\.id.rawValue), otherwise: "guardian"))
    return try? put(guardian, by: Principal(channel: .gateway, name: carer.name))
  }

  private mutating func removeGuardian(
    _ id: GuardianID, by principal: Principal
  ) throws(CommandReply.Refusal) -> Outcome {
    guard let guardian = house.guardian(id) else { throw Validation.unknown("guardian", id) }
    house.removeGuardians { $0.id == id }
    var outcome = Outcome()
    outcome.changes = [.removeGuardian(id)]
    outcome.events = [
      .note("guardian.remove", id.rawValue, of: guardian.resident, by: principal, guardian.json)
    ]
    outcome.changed = [.guardians]
    outcome.reply = ["removed": .string(id.rawValue)]
    return outcome
  }

  /// The phone number in E.164, as people of the resident's country write it.
  private func normalizedPhone(of guardian: Guardian) throws(CommandReply.Refusal) -> String? {
    guard let phone = guardian.phone else { return nil }
    let country = house.people[guardian.resident]?.alarms.country ?? ""
    do { return try PhoneNumber(validating: phone, country: country).e164 } catch {
      throw CommandReply.Refusal(.invalid, error.message)
    }
  }

  // MARK: Settings

  /// Keeps a content that fits; that is known before, from the tables of the engines.
  private mutating func putSetting(
    _ name: String, _ content: JSONValue, of resident: ResidentID, by principal: Principal
  ) throws(CommandReply.Refusal) -> Outcome {
    try house.requireResident(resident)
    house.settings[resident, default: [:]][name] = content == .null ? nil : content
    var outcome = Outcome()
    outcome.changes = [
      content == .null
        ? .removeSetting(resident: resident, name: name)
        : .putSetting(resident: resident, name: name, value: content)
    ]
    outcome.events = [
      .note(
        "setting.put", name, of: resident, by: principal,
        ["name": .string(name), "value": content])
    ]
    outcome.changed = [.setting(resident, name: name)]
    return outcome
  }

  // MARK: Consents

  /// Writes down what a resident answered.
  private mutating func put(_ consent: Consent) throws(CommandReply.Refusal) -> Outcome {
    try house.requireResident(consent.resident)
    try Validation.name(consent.by)
    var outcome = Outcome()
    outcome.changes = [consents.put(consent)]
    house.consents = consents.all
    let values: Message.Values = ["who": consent.by, "what": consent.kind.words]
    let explanation =
      consent.isGranted
      ? Message("{who} consented to the use of {what}.", values)
      : Message("{who} refused the use of {what}.", values)
    outcome.events = [
      EventDraft(
        type: .consentChanged, lane: .record, resident: consent.resident,
        facts: consent.json.setting(
          "explanation",
          to: .string(explanation.text(in: house.language(of: consent.resident)))))
    ]
    outcome.changed = [.consent(consent)]
    outcome.reply = [
      "kind": .string(consent.kind.rawValue), "isGranted": .bool(consent.isGranted),
    ]
    return outcome
  }

  // MARK: What others may know

  /// Shows the places with a name.
  public func show(_ view: World.View, in world: inout World) {
    if view == .bookmarks { world.bookmarks = bookmarks }
  }

  /// Whom it concerns; nil where that is not known here.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch request {
    case .putResident(let resident): resident.id
    case .eraseResident(let id), .putSetting(let id, _, _), .putConsent(let id, _, _, _): id
    case .putGuardian(let guardian): guardian.resident
    case .removeGuardian(let id): house.guardian(id)?.resident
    case .putZone(let zone): zone.resident
    case .removeZone(let id): house.zones[id]?.resident
    case .putBookmark(let bookmark): bookmark.resident
    case .removeBookmark(let id): bookmarks[id]?.resident
    case .setTracking, .locate, .alarm, .room, .routine, .note, .bluetooth, .absence, .feature: nil
    }
  }

  /// Adds all that it holds to what is stored.
  public func store(in state: inout StoredState) {
    state.residents = house.sortedResidents
    state.zones = house.zones.values.sorted { $0.id < $1.id }
    state.bookmarks = bookmarks(of: nil)
    state.guardians = house.guardians
    state.settings = house.settings.keys.sorted().flatMap { resident in
      (house.settings[resident] ?? [:]).sorted { $0.key < $1.key }.map {
        StoredState.Setting(resident: resident, name: $0.key, value: $0.value)
      }
    }
    state.engineRows += consents.rows + homes.rows
  }

  /// The bookmarks of a resident, or of all when nil, by id.
  public func bookmarks(of resident: ResidentID?) -> [Bookmark] {
    bookmarks.values.filter { resident == nil || $0.resident == resident }
      .sorted { $0.id < $1.id }
  }

  /// Homes that were moved or removed.
  public var pastHomes: [PastHome] { homes.all }

  /// What was answered to each kind, in a word: `granted`, `refused` or `not-asked`.
  public func consentSummary(of resident: ResidentID) -> JSONValue {
    .object(
      ConsentKind.allCases.map { kind in
        let answer = consents.answer(kind, of: resident)
        let word = answer.map { $0.isGranted ? "granted" : "refused" } ?? "not-asked"
        return JSONMember(key: kind.rawValue, value: .string(word))
      })
  }
}
