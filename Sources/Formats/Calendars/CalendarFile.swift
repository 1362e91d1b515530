/// The events and tasks of an iCalendar file, as they stand there.
struct CalendarFile: Sendable {
  /// The largest file that is read, in bytes.
  static let maximumBytes = 32 << 20
  /// The most events and tasks that are read.
  static let maximumEvents = 100_000
  /// The most lines of one event that are kept.
  static let maximumLines = 2000

  /// One `VEVENT` or `VTODO`.
  struct Component: Sendable {
    /// Whether it is a task.
    var isTask: Bool
    /// The lines that matter here, in order.
    var lines: [ContentLine] = []
    /// The triggers of its alarms.
    var triggers: [ContentLine] = []
    /// Whether lines were dropped because there are too many, or one that matters is too long.
    var isTooLong = false

    /// The first line of a name.
    subscript(name: String) -> ContentLine? { lines.first { $0.name == name } }

    /// All lines of a name.
    func all(_ name: String) -> [ContentLine] { lines.filter { $0.name == name } }
  }

  /// What the calendar is called; nil when it does not say.
  private(set) var name: String?
  /// Events and tasks in order.
  private(set) var components: [Component] = []
  /// Names of places for the file's own names of zones.
  private(set) var zoneLocations: [String: String] = [:]

  private var open: [String] = []
  private var zoneID: String?
  private var current: Component?

  /// Reads a file.
  ///
  /// - Throws: ``CalendarFault`` when the whole cannot be a calendar, or has more than is read.
  init(_ bytes: [UInt8]) throws(CalendarFault) {
    guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
    try Self.checkBeginning(bytes)
    for line in ContentLineSequence(bytes) {
      switch line.name {
      case "BEGIN": try begin(line.word)
      case "END": end(line.word)
      default: take(line)
      }
    }
    guard open.isEmpty else { throw .truncated }
  }

  private static func checkBeginning(_ bytes: [UInt8]) throws(CalendarFault) {
    let head = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(15)
    if head.isEmpty { throw .empty }
    if head.first == UInt8(ascii: "<") { throw .webPage }
    guard String(decoding: head, as: UTF8.self).uppercased() == "BEGIN:VCALENDAR" else {
      throw .notCalendar
    }
  }

  private mutating func begin(_ word: String) throws(CalendarFault) {
    // Nesting beyond what calendars have is counted by one name only, so that garbage needs no memory.
    guard open.count < 8 else { return }
    if open == ["VCALENDAR"], word == "VEVENT" || word == "VTODO" {
      guard components.count < Self.maximumEvents else { throw .tooMany }
      current = Component(isTask: word == "VTODO")
    }
    open.append(word)
  }

  private mutating func end(_ word: String) {
    guard let depth = open.lastIndex(of: word) else { return }
    if depth <= 1, let current {
      components.append(current)
      self.current = nil
    }
    if depth <= 1 { zoneID = nil }
    open.removeSubrange(depth...)
  }

  private mutating func take(_ line: ContentLine) {
    switch open.count {
    case 1: if line.name == "X-WR-CALNAME", name == nil { name = line.value }
    case 2:
      if current != nil { takeEventLine(line) }
      if open[1] == "VTIMEZONE" { takeZoneLine(line) }
    case 3:
      if open[2] == "VALARM", line.name == "TRIGGER", current != nil,
        (current?.triggers.count ?? 0) < 20
      {
        current?.triggers.append(line)
      }
    default: break
    }
  }

  private mutating func takeEventLine(_ line: ContentLine) {
    guard Self.relevant.contains(line.name) else { return }
    if line.isCut, line.name != "DESCRIPTION" { current?.isTooLong = true }
    guard (current?.lines.count ?? 0) < Self.maximumLines else {
      current?.isTooLong = true
      return
    }
    current?.lines.append(line)
  }

  private mutating func takeZoneLine(_ line: ContentLine) {
    if line.name == "TZID" { zoneID = line.value }
    guard line.name == "X-LIC-LOCATION", let zoneID, zoneLocations.count < 1000 else { return }
    zoneLocations[zoneID] = line.value
  }

  private static let relevant: Set<String> = [
    "UID", "SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "STATUS", "COMPLETED", "SEQUENCE",
    "DTSTART", "DUE", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID",
  ]
}

extension ContentLine {
  /// The value in capitals, without spaces around.
  fileprivate var word: String {
    String(value.uppercased().drop { $0 == " " }.prefix { $0 != " " }.prefix(40))
  }
}
