import CareModel

/// Residents, zones, bookmarks and settings, with the rules that they keep.
struct Directory: Hashable, Sendable {
  private(set) var residents: [ResidentID: Resident] = [:]
  private(set) var zones: [ZoneID: SafeZone] = [:]
  private(set) var bookmarks: [BookmarkID: Bookmark] = [:]
  private(set) var settings: [ResidentID: [String: JSONValue]] = [:]

  static let residentsAtMost = 100
  static let zonesAtMost = 20_000
  static let bookmarksAtMost = 20_000

  init(_ stored: StoredState) {
    for resident in stored.residents { residents[resident.id] = resident }
    for zone in stored.zones { zones[zone.id] = zone }
    for bookmark in stored.bookmarks { bookmarks[bookmark.id] = bookmark }
    for setting in stored.settings {
      settings[setting.resident, default: [:]][setting.name] = setting.value
    }
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
        .conflict, "One gateway looks after at most \(Self.residentsAtMost) residents.")
    }
    if let source = resident.gpsSource {
      try Validation.id(source.rawValue, of: "GPS source")
      if let other = self.resident(movingWith: source), other.id != resident.id {
        throw CommandReply.Refusal(
          .conflict,
          "The GPS source \(source) already belongs to \(other.name). Take it from them first.")
      }
    }
    residents[resident.id] = resident
  }

  mutating func erase(_ id: ResidentID) throws(CommandReply.Refusal) {
    guard residents.removeValue(forKey: id) != nil else { throw Self.unknown("resident", id) }
    zones = zones.filter { $0.value.resident != id }
    bookmarks = bookmarks.filter { $0.value.resident != id }
    settings[id] = nil
  }

  /// Inserts or replaces a zone; answers the one that it replaces.
  mutating func put(_ zone: SafeZone) throws(CommandReply.Refusal) -> SafeZone? {
    try Validation.id(zone.id.rawValue, of: "zone")
    try Validation.name(zone.name)
    try requireResident(zone.resident)
    guard zone.radiusMeters > 0, zone.radiusMeters <= 100_000 else {
      throw CommandReply.Refusal(
        .invalid, "The radius must be more than 0 and at most 100,000 metres.")
    }
    guard (0.0...1_000.0).contains(zone.exitMarginMeters) else {
      throw CommandReply.Refusal(.invalid, "The margin must be from 0 through 1,000 metres.")
    }
    let old = zones[zone.id]
    if let old, old.resident != zone.resident {
      throw CommandReply.Refusal(.conflict, "The zone \(zone.id) belongs to another resident.")
    }
    if old == nil, zones.count >= Self.zonesAtMost {
      throw CommandReply.Refusal(
        .conflict, "One gateway keeps at most \(Self.zonesAtMost) zones. Remove one first.")
    }
    if zones.values.contains(where: {
      $0.resident == zone.resident && $0.name == zone.name && $0.id != zone.id
    }) {
      throw CommandReply.Refusal(
        .conflict, "There is already a zone named \"\(zone.name)\". Choose another name.")
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
      throw CommandReply.Refusal(.invalid, "The address may have at most 500 characters.")
    }
    let old = bookmarks[bookmark.id]
    if let old, old.resident != bookmark.resident {
      throw CommandReply.Refusal(
        .conflict, "The bookmark \(bookmark.id) belongs to another resident.")
    }
    if old == nil, bookmarks.count >= Self.bookmarksAtMost {
      throw CommandReply.Refusal(
        .conflict, "One gateway keeps at most \(Self.bookmarksAtMost) bookmarks. Remove one first.")
    }
    bookmarks[bookmark.id] = bookmark
  }

  mutating func removeBookmark(_ id: BookmarkID) throws(CommandReply.Refusal) -> Bookmark {
    guard let bookmark = bookmarks.removeValue(forKey: id) else {
      throw Self.unknown("bookmark", id)
    }
    return bookmark
  }

  mutating func putSetting(_ resident: ResidentID, _ name: String, _ content: JSONValue) {
    settings[resident, default: [:]][name] = content == .null ? nil : content
  }

  func requireResident(_ id: ResidentID) throws(CommandReply.Refusal) {
    if residents[id] == nil { throw Self.unknown("resident", id) }
  }

  static func unknown<Subject>(_ kind: String, _ id: Identifier<Subject>) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget, "There is no \(kind) \"\(id)\". List them with: homeward \(kind)s")
  }
}

/// Rules for texts that come from people and backends.
enum Validation {
  static func id(_ text: String, of kind: String) throws(CommandReply.Refusal) {
    let isValid =
      (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
    guard isValid else {
      throw CommandReply.Refusal(
        .invalid,
        "The id of a \(kind) has 1 through 64 lower-case letters, digits and hyphens.")
    }
  }

  static func name(_ text: String) throws(CommandReply.Refusal) {
    guard (1...200).contains(text.unicodeScalars.count),
      text.contains(where: { !$0.isWhitespace }),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw CommandReply.Refusal(
        .invalid, "A name has 1 through 200 characters, in any script, on one line.")
    }
  }

  static func timeZone(_ text: String) throws(CommandReply.Refusal) {
    let isValid =
      (1...64).contains(text.utf8.count) && !text.hasPrefix("/") && !text.contains("..")
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
      }
    guard isValid else {
      throw CommandReply.Refusal(
        .invalid, "A time zone is written as in Europe/Oslo; see the folder /usr/share/zoneinfo.")
    }
  }
}
