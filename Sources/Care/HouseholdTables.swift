public import JSON
import Texts

extension Table {
  /// Residents.
  public static let resident = Table(
    "resident", key: [.text("id")],
    [.text("name"), .text("time_zone"), .text("gps_source", isOptional: true)],
    of: .resident("id"), label: .column("name")
  ) { Message("the resident {name}", ["name": $0.label]) }

  /// Guardians: who is told when a resident is in danger.
  ///
  /// `content` is the guardian as JSON; name and addresses are read as a whole and never searched for.
  public static let guardian = Table(
    "guardian", key: [.text("id")], [.text("resident"), .text("content")],
    of: .resident("resident"), label: .member("name", of: "content")
  ) { Message("the guardian {name}", ["name": $0.label]) }

  /// Safe zones: a circle, and in `border` the polygon within it as GeoJSON, where it is one. That leaving one is an alarm
  /// stands beside them, among what engines remember.
  public static let zone = Table(
    "zone", key: [.text("id")],
    [
      .text("resident"), .text("name"), .real("latitude"), .real("longitude"),
      .real("radius_meters"), .real("exit_margin_meters"), .integer("is_home"),
      .text("border", isOptional: true), .text("hours", isOptional: true),
    ],
    of: .resident("resident"),
    part: Part(
      .engineState, by: ["engine": .text("places"), "name": .key(after: SafeZone.leavingPrefix)]),
    label: .column("name")
  ) { Message("the zone {name}", ["name": $0.label]) }

  /// Settings of residents; `value` is JSON.
  public static let setting = Table(
    "setting", key: [.text("resident"), .text("name")], [.text("value")],
    of: .resident("resident")
  ) { Message("the setting {name}", ["name": $0.label]) }

  /// Bookmarks.
  public static let bookmark = Table(
    "bookmark", key: [.text("id")],
    [
      .text("resident"), .text("name"), .text("address"), .real("latitude"), .real("longitude"),
    ],
    of: .resident("resident"), label: .column("name")
  ) { Message("the place {name}", ["name": $0.label]) }

  /// What engines remember, a row for each thing; `content` is JSON.
  public static let engineState = Table(
    "engine_state", key: [.text("engine"), .text("subject"), .text("name")], [.text("content")],
    of: .residentOrSubject("subject")
  ) { name in
    switch (name.key.first ?? "", name.key.last ?? "") {
    case ("alarms", let row) where row.hasPrefix("alarm:"): Message("an open alarm")
    case ("alarms", let row) where row.hasPrefix("pin:"): Message("a PIN")
    case ("bluetooth", _): Message("a button, tag or meter")
    case ("consent", _): Message("a consent")
    case ("places", _): Message("whether leaving a zone is an alarm")
    case (let engine, _): Message("something that \"{name}\" remembered", ["name": engine])
    }
  }

  /// The tables of people, of their places and settings, and of what engines remember: those first without whose rows
  /// others mean nothing.
  public static let households: [Table] = [
    .resident, .guardian, .zone, .setting, .engineState, .bookmark,
  ]
}

extension Resident: ReadableRow {
  /// A row of ``Table/resident``.
  public var columnValues: [ColumnValue] {
    [.text(id.rawValue), .text(name), .text(timeZone), .optional(gpsSource?.rawValue)]
  }

  /// Reads a row of ``Table/resident``.
  public init?(_ row: some ColumnReader) {
    self.init(
      id: ResidentID(row.text(0)), name: row.text(1), timeZone: row.text(2),
      gpsSource: row.optionalText(3).map { SourceID($0) })
  }
}

extension Guardian: ReadableRow {
  /// A row of ``Table/guardian``.
  public var columnValues: [ColumnValue] {
    [.text(id.rawValue), .text(resident.rawValue), .json(json)]
  }

  /// Reads a row of ``Table/guardian``; nil for one that is no guardian, or another than its key says.
  public init?(_ row: some ColumnReader) {
    guard let json = row.json(2), let guardian = try? Guardian(json: json),
      guardian.id.rawValue == row.text(0)
    else { return nil }
    self = guardian
  }
}

extension SafeZone: ReadableRow {
  /// What the name of the row begins with that says that leaving a zone is an alarm; the zone's id follows.
  public static let leavingPrefix = "leaving:"

  /// A row of ``Table/zone``.
  public var columnValues: [ColumnValue] {
    [
      .text(id.rawValue), .text(resident.rawValue), .text(name), .real(center.latitudeDegrees),
      .real(center.longitudeDegrees), .real(radiusMeters), .real(exitMarginMeters), .bool(isHome),
      polygon.map { .json($0.json) } ?? .null, .optional(hours?.text),
    ]
  }

  /// The row that says that leaving it is an alarm; none when it is not.
  public var partValues: [[ColumnValue]] {
    guard alarmsOnLeaving else { return [] }
    return [
      [
        .text("places"), .text(resident.rawValue), .text(Self.leavingPrefix + id.rawValue),
        .text("{\"alarmOnLeaving\":true}"),
      ]
    ]
  }

  /// Reads a row of ``Table/zone``, as one that leaving is no alarm; nil for one without a position, or
  /// with a border or hours that are none.
  public init?(_ row: some ColumnReader) {
    guard let center = row.coordinate(3) else { return nil }
    var area = Area.circle(center: center, radiusMeters: row.real(5))
    if !row.isNull(8) {
      guard let json = row.json(8), let border = try? Polygon(json: json) else { return nil }
      area = .polygon(border)
    }
    let hours = row.optionalText(9)
    guard hours == nil || hours.flatMap(DailyHours.init) != nil else { return nil }
    self.init(
      id: ZoneID(row.text(0)), resident: ResidentID(row.text(1)), name: row.text(2), area: area,
      exitMarginMeters: row.real(6), isHome: row.bool(7),
      hours: hours.flatMap(DailyHours.init))
  }
}

extension Bookmark: ReadableRow {
  /// A row of ``Table/bookmark``.
  public var columnValues: [ColumnValue] {
    [
      .text(id.rawValue), .text(resident.rawValue), .text(name), .text(address),
      .real(coordinate.latitudeDegrees), .real(coordinate.longitudeDegrees),
    ]
  }

  /// Reads a row of ``Table/bookmark``; nil for one without a position.
  public init?(_ row: some ColumnReader) {
    guard let coordinate = row.coordinate(4) else { return nil }
    self.init(
      id: BookmarkID(row.text(0)), resident: ResidentID(row.text(1)), name: row.text(2),
      address: row.text(3), coordinate: coordinate)
  }
}

extension StoredState.Setting: ReadableRow {
  /// A row of ``Table/setting``.
  public var columnValues: [ColumnValue] {
    [.text(resident.rawValue), .text(name), .json(value)]
  }

  /// The setting's value.
  public var json: JSONValue { value }

  /// Whose setting it is, its name, and its value.
  public var changeMembers: [JSONMember] {
    [
      JSONMember(key: "resident", value: .string(resident.rawValue)),
      JSONMember(key: "name", value: .string(name)), JSONMember(key: "content", value: value),
    ]
  }

  /// Reads a row of ``Table/setting``; nil for one whose value is no JSON.
  public init?(_ row: some ColumnReader) {
    guard let value = row.json(2) else { return nil }
    self.init(resident: ResidentID(row.text(0)), name: row.text(1), value: value)
  }
}

extension EngineRow: ReadableRow {
  /// A row of ``Table/engineState``.
  public var columnValues: [ColumnValue] {
    [.text(engine), .text(subject), .text(name), .json(content)]
  }

  /// Reads a row of ``Table/engineState``; nil for one whose content is no JSON.
  public init?(_ row: some ColumnReader) {
    guard let content = row.json(3) else { return nil }
    self.init(engine: row.text(0), subject: row.text(1), name: row.text(2), content: content)
  }
}

extension StateChange {
  /// Insert or replace a resident.
  public static func putResident(_ resident: Resident) -> StateChange {
    .put(resident, in: .resident)
  }

  /// Insert or replace a zone.
  public static func putZone(_ zone: SafeZone) -> StateChange { .put(zone, in: .zone) }

  /// Remove a zone.
  public static func removeZone(_ id: ZoneID) -> StateChange { .remove(id.rawValue, from: .zone) }

  /// Insert or replace a bookmark.
  public static func putBookmark(_ bookmark: Bookmark) -> StateChange {
    .put(bookmark, in: .bookmark)
  }

  /// Remove a bookmark.
  public static func removeBookmark(_ id: BookmarkID) -> StateChange {
    .remove(id.rawValue, from: .bookmark)
  }

  /// Insert or replace a guardian.
  public static func putGuardian(_ guardian: Guardian) -> StateChange {
    .put(guardian, in: .guardian)
  }

  /// Remove a guardian.
  public static func removeGuardian(_ id: GuardianID) -> StateChange {
    .remove(id.rawValue, from: .guardian)
  }

  /// Insert or replace a setting of a resident.
  public static func putSetting(
    resident: ResidentID, name: String, value: JSONValue
  ) -> StateChange {
    .put(StoredState.Setting(resident: resident, name: name, value: value), in: .setting)
  }

  /// Remove a setting of a resident, so that the default holds again.
  public static func removeSetting(resident: ResidentID, name: String) -> StateChange {
    .remove(resident.rawValue, name, from: .setting)
  }
}
