import Alarms
import Care
import CivilTime
import JSON
import Texts

/// Residents, zones, bookmarks and settings, with the rules that they keep, and what engines may know of it all.
struct Directory: Hashable, Sendable {
  private(set) var residents: [ResidentID: Resident] = [:] { didSet { meetPeople() } }
  private(set) var zones: [ZoneID: SafeZone] = [:] { didSet { zonesVersion &+= 1 } }
  /// Another number whenever the zones may be others.
  private(set) var zonesVersion: UInt64 = 0
  private(set) var bookmarks: [BookmarkID: Bookmark] = [:]
  private(set) var guardians: [GuardianID: Guardian] = [:]
  private(set) var settings: [ResidentID: [String: JSONValue]] = [:] { didSet { meetPeople() } }
  /// The rules of the time zones that are known, by name.
  var timeZones: [String: CivilTimeZone] = [:] { didSet { meetPeople() } }
  /// Everybody looked after, as engines know them.
  private(set) var people: [ResidentID: World.Person] = [:]

  static let residentsAtMost = 100
  static let zonesAtMost = 20_000
  static let bookmarksAtMost = 20_000
  /// Guardians of one resident.
  static let guardiansAtMost = 5

  init(_ stored: StoredState) {
    for resident in stored.residents { residents[resident.id] = resident }
    for zone in stored.zones { zones[zone.id] = zone }
    for bookmark in stored.bookmarks { bookmarks[bookmark.id] = bookmark }
    for guardian in stored.guardians { guardians[guardian.id] = guardian }
    for setting in stored.settings {
      settings[setting.resident, default: [:]][setting.name] = setting.value
    }
    meetPeople()
  }

  private mutating func meetPeople() {
    people = residents.mapValues { resident in
      let settings = alarmSettings(of: resident.id)
      return World.Person(
        name: resident.name, language: Language(settings.language),
        zone: timeZones[resident.timeZone], quietHours: QuietHours(settings.quietHours))
    }
  }

  /// The settings of a resident's alarms: built-in, then their own.
  func alarmSettings(of resident: ResidentID) -> AlarmSettings {
    var alarms = AlarmSettings()
    for (name, content) in (settings[resident] ?? [:]).sorted(by: { $0.key < $1.key })
    where AlarmSettings.names.contains(name) {
      // All were checked when they came.
      try? alarms.set(name, to: content)
    }
    return alarms
  }

  var sortedResidents: [Resident] { residents.values.sorted { $0.id < $1.id } }

  var sortedSettings: [StoredState.Setting] {
    settings.keys.sorted().flatMap { resident in
      (settings[resident] ?? [:]).sorted { $0.key < $1.key }.map {
        StoredState.Setting(resident: resident, name: $0.key, value: $0.value)
      }
    }
  }

  func zones(of resident: ResidentID) -> [SafeZone] {
    zones.values.filter { $0.resident == resident }.sorted { $0.id < $1.id }
  }

  func bookmarks(of resident: ResidentID) -> [Bookmark] {
    bookmarks.values.filter { $0.resident == resident }.sorted { $0.id < $1.id }
  }

  func guardians(of resident: ResidentID) -> [Guardian] {
    sortedGuardians.filter { $0.resident == resident }
  }

  var sortedGuardians: [Guardian] { guardians.values.sorted { $0.id < $1.id } }

  func resident(movingWith source: SourceID) -> Resident? {
    residents.values.first { $0.gpsSource == source }
  }

  // MARK: Changes

  mutating func put(_ resident: Resident) throws(CommandReply.Refusal) {
    try Validation.id(resident.id.rawValue, of: "resident")
    try Validation.name(resident.name)
    try Validation.timeZone(resident.timeZone)
    if residents[resident.id] == nil, residents.count >= Self.residentsAtMost {
      throw CommandReply.Refusal(
        .conflict,
        Message("One gateway looks after at most {most} residents.", ["most": Self.residentsAtMost])
      )
    }
    if let source = resident.gpsSource {
      try Validation.id(source.rawValue, of: "GPS source")
      if let other = self.resident(movingWith: source), other.id != resident.id {
        throw CommandReply.Refusal(
          .conflict,
          Message(
            "The GPS source {source} already belongs to {name}. Take it from them first.",
            ["source": source, "name": other.name]))
      }
    }
    residents[resident.id] = resident
  }

  mutating func erase(_ id: ResidentID) throws(CommandReply.Refusal) {
    guard residents.removeValue(forKey: id) != nil else { throw Self.unknown("resident", id) }
    zones = zones.filter { $0.value.resident != id }
    bookmarks = bookmarks.filter { $0.value.resident != id }
    guardians = guardians.filter { $0.value.resident != id }
    settings[id] = nil
  }

  /// Inserts or replaces a zone; answers the one that it replaces.
  mutating func put(_ zone: SafeZone) throws(CommandReply.Refusal) -> SafeZone? {
    try Validation.id(zone.id.rawValue, of: "zone")
    try Validation.name(zone.name)
    try requireResident(zone.resident)
    guard zone.radiusMeters > 0, zone.radiusMeters <= 100_000 else {
      throw CommandReply.Refusal(
        .invalid, Message("The radius must be more than 0 and at most 100,000 metres."))
    }
    guard (0.0...1_000.0).contains(zone.exitMarginMeters) else {
      throw CommandReply.Refusal(
        .invalid, Message("The margin must be from 0 through 1,000 metres."))
    }
    let old = zones[zone.id]
    if let old, old.resident != zone.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The zone {id} belongs to another resident.", ["id": zone.id]))
    }
    if old == nil, zones.count >= Self.zonesAtMost {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway keeps at most {most} zones. Remove one first.", ["most": Self.zonesAtMost]))
    }
    if zones.values.contains(where: {
      $0.resident == zone.resident && $0.name == zone.name && $0.id != zone.id
    }) {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "There is already a zone named \"{name}\". Choose another name.", ["name": zone.name]))
    }
    zones[zone.id] = zone
    return old
  }

  mutating func removeZone(_ id: ZoneID) throws(CommandReply.Refusal) -> SafeZone {
    guard let zone = zones.removeValue(forKey: id) else { throw Self.unknown("zone", id) }
    return zone
  }

  mutating func put(_ bookmark: Bookmark) throws(CommandReply.Refusal) {
    try Validation.id(bookmark.id.rawValue, of: "bookmark")
    try Validation.name(bookmark.name)
    try requireResident(bookmark.resident)
    guard bookmark.address.unicodeScalars.count <= 500 else {
      throw CommandReply.Refusal(.invalid, Message("The address may have at most 500 characters."))
    }
    let old = bookmarks[bookmark.id]
    if let old, old.resident != bookmark.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The bookmark {id} belongs to another resident.", ["id": bookmark.id]))
    }
    if old == nil, bookmarks.count >= Self.bookmarksAtMost {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway keeps at most {most} bookmarks. Remove one first.",
          ["most": Self.bookmarksAtMost]))
    }
    bookmarks[bookmark.id] = bookmark
  }

  mutating func removeBookmark(_ id: BookmarkID) throws(CommandReply.Refusal) -> Bookmark {
    guard let bookmark = bookmarks.removeValue(forKey: id) else {
      throw Self.unknown("bookmark", id)
    }
    return bookmark
  }

  /// Inserts or replaces a guardian; the phone number is in E.164 already.
  mutating func put(_ guardian: Guardian) throws(CommandReply.Refusal) {
    try Validation.id(guardian.id.rawValue, of: "guardian")
    try Validation.name(guardian.name)
    try requireResident(guardian.resident)
    try Validation.addresses(of: guardian)
    if let old = guardians[guardian.id], old.resident != guardian.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The guardian {id} belongs to another resident.", ["id": guardian.id]))
    }
    let others = guardians(of: guardian.resident).filter { $0.id != guardian.id }
    guard others.count < Self.guardiansAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A resident has at most {most} guardians. Remove one first.",
          ["most": Self.guardiansAtMost]))
    }
    if let other = others.first(where: { $0.phone != nil && $0.phone == guardian.phone }) {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} has this phone number already. Give each guardian their own.",
          ["name": other.name]))
    }
    guardians[guardian.id] = guardian
  }

  mutating func removeGuardian(_ id: GuardianID) throws(CommandReply.Refusal) -> Guardian {
    guard let guardian = guardians.removeValue(forKey: id) else {
      throw Self.unknown("guardian", id)
    }
    return guardian
  }

  mutating func putSetting(_ resident: ResidentID, _ name: String, _ content: JSONValue) {
    settings[resident, default: [:]][name] = content == .null ? nil : content
  }

  func requireResident(_ id: ResidentID) throws(CommandReply.Refusal) {
    if residents[id] == nil { throw Self.unknown("resident", id) }
  }

  static func unknown<Subject>(_ kind: String, _ id: Identifier<Subject>) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no {kind} \"{id}\". List them with: homeward {command}",
        ["kind": Validation.noun(kind), "id": id, "command": "\(kind)s"]))
  }
}
