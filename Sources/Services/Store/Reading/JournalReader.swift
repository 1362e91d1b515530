import Care
import Moments
import Ports

/// Queries over journal and traces on connections of their own, which never write.
///
/// Unchecked: used on the reading thread only.
final class JournalReader: @unchecked Sendable {
  private let options: SQLiteStore.Options
  private let facts: WriterFacts
  private var connection: Connection?
  /// The journal of ``connection``.
  private var journal = EventTable.unchecked
  private var traces: [String: Connection] = [:]

  init(options: SQLiteStore.Options, facts: WriterFacts) {
    self.options = options
    self.facts = facts
  }

  /// The journal; until it can be written, as it was when the store opened.
  func care() throws(SQLiteFailure) -> Connection {
    let isFrozen = !facts.now.isWritable
    if let connection, connection.isFrozen == isFrozen { return connection }
    connection?.close()
    connection = nil
    let opened =
      isFrozen
      ? try Connection.frozen(path: options.carePath) : try open(options.carePath)
    try opened.learnChecks()
    journal = try opened.journal()
    connection = opened
    return opened
  }

  private func open(_ path: String) throws(SQLiteFailure) -> Connection {
    let opened = try Connection(
      path: path, mode: .readOnly, vfs: options.vfs, busyMilliseconds: options.busyMilliseconds)
    try opened.script("PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY")
    return opened
  }

  /// Connections to the trace files that exist now; files that went are let go of.
  private func traceFiles() throws(SQLiteFailure) -> [Connection] {
    // Traces are no promise: nobody reads them from a disk that cannot be written.
    guard facts.now.isWritable else { return [] }
    let names = TraceFiles.names(in: options.directory)
    for name in traces.keys where !names.contains(name) {
      traces.removeValue(forKey: name)?.close()
    }
    for name in names where traces[name] == nil {
      // A file can go between listing and opening, and one that is just being made has no table yet.
      guard let opened = try? open(options.path(name)),
        (try? Schema.traces.inspect(opened).version) ?? 0 > 0
      else { continue }
      traces[name] = opened
    }
    return names.compactMap { traces[$0] }
  }

  func close() {
    connection?.close()
    connection = nil
    closeTraces()
  }

  func closeTraces() {
    for file in traces.values { file.close() }
    traces = [:]
  }

  // MARK: By sequence

  /// Where the events of a lane are; the journal's columns are known once it is open.
  private func places(_ lane: Lane) throws(SQLiteFailure) -> (files: [Connection], EventTable) {
    guard lane != .trace else { return (try traceFiles(), .traces) }
    let care = try care()
    return ([care], journal)
  }

  func events(
    lane: Lane, after sequence: Int64, limit: Int, maximumBytes: Int
  ) throws(SQLiteFailure) -> [JournalRow] {
    let (files, table) = try places(lane)
    let filter = lane == .trace ? "" : "lane = '\(lane.rawValue)' AND "
    let streams = try files.map { file throws(SQLiteFailure) in
      try RowStream(
        file, table, "WHERE \(filter)sequence > ? ORDER BY sequence", [.integer(sequence)])
    }
    var rows: [JournalRow] = []
    rows.reserveCapacity(min(limit, 256))
    var bytes = 0
    let merged = RowMerge(streams, isAscending: true)
    while rows.count < limit, let row = try merged.next()?.row {
      bytes += row.body.count
      guard rows.isEmpty || bytes <= maximumBytes else { break }
      rows.append(row)
    }
    return rows
  }

  func events(lane: Lane, sequences: [Int64]) throws(SQLiteFailure) -> [JournalRow] {
    let (files, table) = try places(lane)
    let filter = lane == .trace ? "" : " AND lane = '\(lane.rawValue)'"
    var rows: [JournalRow] = []
    for sequence in sequences {
      for file in files {
        guard
          let row = try Self.event(
            of: table, in: file, "WHERE sequence = ?\(filter)", .integer(sequence))
        else { continue }
        rows.append(row)
        break
      }
    }
    return rows
  }

  func event(_ id: EventID) throws(SQLiteFailure) -> JournalRow? {
    let care = try care()
    if let found = try Self.event(of: journal, in: care, "WHERE id = ?", .text(id.rawValue)) {
      return found
    }
    for file in try traceFiles().reversed() {
      if let found = try Self.event(of: .traces, in: file, "WHERE id = ?", .text(id.rawValue)) {
        return found
      }
    }
    return nil
  }

  /// The one event that a condition means; nil when there is none, or it is damaged.
  private static func event(
    of table: EventTable, in file: Connection, _ condition: String, _ value: Binding
  ) throws(SQLiteFailure) -> JournalRow? {
    var reader = EventReader(table)
    let sql = "SELECT \(table.columns) FROM \(table.name) \(condition)"
    return try file.first(sql, value, convert: { reader.event($0) }) ?? nil
  }

  func backlog(lane: Lane, after sequence: Int64) throws(SQLiteFailure) -> Backlog {
    let (files, table) = try places(lane)
    let filter = lane == .trace ? "" : "lane = '\(lane.rawValue)' AND "
    var backlog = Backlog(depth: 0, oldest: nil)
    for file in files {
      backlog.depth +=
        try file.integer(
          "SELECT count(*) FROM \(table.name) WHERE \(filter)sequence > ?", .integer(sequence)) ?? 0
      guard backlog.oldest == nil else { continue }
      backlog.oldest = try file.integer(
        "SELECT time FROM \(table.name) WHERE \(filter)sequence > ? ORDER BY sequence LIMIT 1",
        .integer(sequence)
      ).map { Timestamp(milliseconds: $0) }
    }
    return backlog
  }

  // MARK: By what they are about

  /// Finds events, newest first: one ordered stream for each type (or file), merged until there are enough.
  ///
  /// Journal and traces are numbered each for itself; between them the time decides. A place in the list is a number in each:
  /// that of the last event before it.
  func find(_ query: JournalQuery) throws(SQLiteFailure) -> ListPage<JournalRow> {
    let lanes = query.lanes.isEmpty ? [.alarm, .record] : query.lanes
    guard query.limit > 0 else { return ListPage([]) }
    let before = (journal: query.after?.numbers.first, traces: query.after?.numbers.last)
    let journal = RowMerge(
      lanes.contains { $0 != .trace }
        ? try journalStreams(query, lanes: lanes, before: before.journal) : [], isAscending: false)
    let traces = RowMerge(
      lanes.contains(.trace) ? try traceStreams(query, before: before.traces) : [],
      isAscending: false)
    var (event, trace) = (try journal.next(), try traces.next())
    var rows: [JournalRow] = []
    rows.reserveCapacity(min(query.limit, 128))
    while rows.count < query.limit {
      if let next = trace, event.map({ next.time > $0.time }) ?? true {
        rows.append(next.row)
        trace = try traces.next()
      } else if let next = event {
        rows.append(next.row)
        event = try journal.next()
      } else {
        return ListPage(rows)
      }
    }
    guard event != nil || trace != nil else { return ListPage(rows) }
    return ListPage(rows, next: rows.reduce(query.after) { $1.place(behind: $0) })
  }

  private func journalStreams(
    _ query: JournalQuery, lanes: [Lane], before: Int64?
  ) throws(SQLiteFailure) -> [RowStream] {
    let care = try care()
    var condition = Condition(query, before: before)
    let journaled = lanes.filter { $0 != .trace }
    if journaled.count == 1, let lane = journaled.first {
      condition.add("lane = '\(lane.rawValue)'")
    }
    if let since = query.since {
      // Clocks were put right meanwhile: what is numbered later may be of an earlier time.
      guard
        let (first, last) = try care.first(
          "SELECT min(sequence), max(sequence) FROM journal WHERE time >= ? AND time < ?",
          .integer(since.milliseconds), .integer(query.until?.milliseconds ?? .max),
          convert: { row in row.isNull(0) ? nil : (row.integer(0), row.integer(1)) }) ?? nil
      else { return [] }
      condition.add("sequence BETWEEN ? AND ?", .integer(first), .integer(last))
    }
    guard query.resident != nil || !query.types.isEmpty else {
      return [try newestFirst(care, journal, condition)]
    }
    return try types(of: query, in: care).map { type throws(SQLiteFailure) in
      var own = condition
      own.add("type = ?", .text(type))
      return try newestFirst(care, journal, own)
    }
  }

  private func newestFirst(
    _ file: Connection, _ table: EventTable, _ condition: Condition
  ) throws(SQLiteFailure) -> RowStream {
    try RowStream(file, table, "\(condition.clause) ORDER BY sequence DESC", condition.bindings)
  }

  private func traceStreams(
    _ query: JournalQuery, before: Int64?
  ) throws(SQLiteFailure) -> [RowStream] {
    var condition = Condition(query, before: before)
    if !query.types.isEmpty {
      let each = query.types.map { _ in "type = ? OR (type > ? AND type < ?)" }
      condition.add("(\(each.joined(separator: " OR ")))")
      for type in query.types {
        condition.bindings += [.text(type), .text(type + "."), .text(type + "/")]
      }
    }
    return try traceFiles().map { file throws(SQLiteFailure) in
      try newestFirst(file, .traces, condition)
    }
  }

  /// The types in the journal that a query means, of its resident alone where it has one; hops from type to type in the
  /// index.
  private func types(
    of query: JournalQuery, in care: Connection
  ) throws(SQLiteFailure) -> [String] {
    var found: [String] = []
    let subject: [Binding] = query.subject.map { [.text($0)] } ?? []
    let sql = """
      SELECT type FROM journal WHERE \(subject.isEmpty ? "" : "subject = ? AND ")type > ?
        ORDER BY type LIMIT 1
      """
    func next(after type: String) throws(SQLiteFailure) -> String? {
      var next: String?
      try care.rows(sql, subject + [.text(type)]) { row in
        next = row.text(0)
        return false
      }
      return next
    }
    var type = try next(after: "")
    while let known = type {
      if query.types.isEmpty
        || query.types.contains(where: { known == $0 || known.hasPrefix($0 + ".") })
      {
        found.append(known)
      }
      type = try next(after: known)
    }
    return found
  }

  /// The part of a query that journal and traces share.
  private struct Condition {
    private var parts: [String] = []
    var bindings: [Binding] = []

    init(_ query: JournalQuery, before: Int64?) {
      if let subject = query.subject { add("subject = ?", .text(subject)) }
      if let before { add("sequence < ?", .integer(before)) }
      if let since = query.since { add("time >= ?", .integer(since.milliseconds)) }
      if let until = query.until { add("time < ?", .integer(until.milliseconds)) }
    }

    mutating func add(_ part: String, _ values: Binding...) {
      parts.append(part)
      bindings += values
    }

    var clause: String { parts.isEmpty ? "" : "WHERE " + parts.joined(separator: " AND ") }
  }
}

extension JournalQuery {
  /// Whom the events are about, as the journal has it; nil for anybody.
  fileprivate var subject: String? { resident.map { "resident/\($0)" } }
}
