import Bytes
import Care
import JSON
import Moments

/// An item with where it stands.
struct Course: Sendable {
  var item: RoutineItem
  /// When it is due.
  var dueTimes: DueTimes
  /// The due time that waits for an answer.
  var open: OpenDue?
  /// Due times that are closed.
  var closed = ClosedDues()
  /// The next due time; nil when there is none, or while it cannot be said.
  var next: DueSlot?
  /// Up to when due times were judged; the rows of due times alone may not reach back so far.
  var cursor: Timestamp?
  /// The due time that was announced before its time.
  var announced: String?
  /// When the last due time was closed; what an elapsed schedule counts from.
  var last: Mark?
  /// Whether an alarm was raised that nobody has settled.
  var isAlarmed = false
  /// Whether caregivers know that the stock runs out.
  var isStockTold = false
  /// The resident's local day (days since 1970) that ``dayCount`` belongs to.
  var day: Int64 = 0
  /// How often an as-needed item was done on that day.
  var dayCount: Int64 = 0
  /// Who changed the item last, and when.
  var changedBy = ""
  var changedAt: Timestamp?

  var id: RoutineItemID { item.id }

  init(_ item: RoutineItem, times: ItemTimes, since: Mark) {
    self.item = item
    dueTimes = DueTimes(times, since: since)
  }

  /// A due time that was opened or closed before.
  func known(_ key: String) -> Occurrence? {
    if let open, open.occurrence.slot == key { return open.occurrence }
    return closed[key]
  }

  /// Until when all due times were judged, by a trusted clock.
  func judged(at utc: Timestamp) -> Timestamp {
    var judged = min(dueTimes.since.utc, utc)
    if let cursor, cursor <= utc { judged = max(judged, cursor) }
    if let known = closed.judged(at: utc) { judged = max(judged, known) }
    if let open, open.occurrence.due <= utc { judged = max(judged, open.occurrence.due) }
    return judged
  }

  /// Finds what comes after the due times that were judged, where it is not known yet.
  mutating func lookAhead(at utc: Timestamp) {
    dueTimes.lookAhead(after: judged(at: utc))
  }
}

extension Course {
  mutating func mapMarks(_ change: (inout Mark) -> Void) {
    dueTimes.mapMarks(change)
    if var mark = last {
      change(&mark)
      last = mark
    }
    guard var open else { return }
    open.mapMarks(change)
    self.open = open
  }
}

// MARK: The row

extension Course {
  static let engine = "reminders"
  static let prefix = "item:"

  func row(boot: BootID) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: item.resident.rawValue, name: Self.prefix + id.rawValue,
      content: .object([
        "boot": .string(boot.rawValue), "since": dueTimes.since.json, "open": open?.json,
        "quietSince": dueTimes.quietSince?.json,
        "judged": cursor.map { .string($0.iso8601) },
        "announced": announced.map { .string($0) }, "last": last?.json,
        "isAlarmed": isAlarmed ? true : nil, "isStockTold": isStockTold ? true : nil,
        "day": dayCount > 0 ? .integer(day) : nil,
        "dayCount": dayCount > 0 ? .integer(dayCount) : nil,
        "by": changedBy.isEmpty ? nil : .string(changedBy),
        "at": changedAt.map { .string($0.iso8601) },
      ]))
  }

  /// Takes what a row remembers; the open due time is the one that the occurrences name.
  mutating func take(
    _ content: JSONValue, open occurrence: Occurrence?
  ) throws(DecodeError) {
    let reader = try JSONReader(content)
    let since = try Mark(json: reader.required("since"))
    cursor = try reader.optionalTimestamp("judged")
    announced = try reader.optionalString("announced")
    last = try reader.optionalMark("last")
    dueTimes.restore(since: since, quietSince: try reader.optionalMark("quietSince"))
    isAlarmed = try reader.optionalBool("isAlarmed") ?? false
    isStockTold = try reader.optionalBool("isStockTold") ?? false
    day = try reader.optionalInteger("day") ?? 0
    dayCount = try reader.optionalCount("dayCount") ?? 0
    changedBy = try reader.optionalString("by") ?? ""
    changedAt = try reader.optionalTimestamp("at")
    guard let occurrence, let stored = try reader.optionalObject("open"),
      try stored.string("slot") == occurrence.slot
    else { return }
    open = try OpenDue(occurrence, stored: stored)
  }
}
