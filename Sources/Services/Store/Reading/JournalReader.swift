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
    try RowStream.merge(streams, isAscending: true) { row, _ in
      bytes += row.body.count
      guard rows.isEmpty || bytes <= maximumBytes, rows.count < limit else { return false }
      rows.append(row)
      return rows.count < limit
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
          let row = try file.event(table, "WHERE sequence = ?\(filter)", .integer(sequence))
        else { continue }
        rows.append(row)
        break
      }
    }
    return rows
  }

  func event(_ id: EventID) throws(SQLiteFailure) -> JournalRow? {
    let care = try care()
    if let found = try care.event(journal, "WHERE id = ?", .text(id.rawValue)) { return found }
    for file in try traceFiles().reversed() {
      if let found = try file.event(.traces, "WHERE id = ?", .text(id.rawValue)) { return found }
    }
    return nil
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
  func find(_ query: JournalQuery) throws(SQLiteFailure) -> [JournalRow] {
    let lanes = query.lanes.isEmpty ? [.alarm, .record] : query.lanes
    guard query.limit > 0 else { return [] }
    guard lanes.contains(.trace) else {
      var rows: [JournalRow] = []
      rows.reserveCapacity(min(query.limit, 128))
      try RowStream.merge(try journalStreams(query, lanes: lanes), isAscending: false) { row, _ in
        rows.append(row)
        return rows.count < query.limit
      }
      return rows
    }
    var found: [(row: JournalRow, time: Int64)] = []
    if lanes.contains(where: { $0 != .trace }) {
      found += try newest(query.limit, of: try journalStreams(query, lanes: lanes))
    }
    found += try newest(query.limit, of: try traceStreams(query))
    // The sort keeps the order within each numbering where times are equal.
    let sorted = found.enumerated().sorted {
      ($1.element.time, $0.offset) < ($0.element.time, $1.offset)
    }
    return sorted.prefix(max(0, query.limit)).map(\.element.row)
  }

  private func newest(
    _ limit: Int, of streams: [RowStream]
  ) throws(SQLiteFailure) -> [(row: JournalRow, time: Int64)] {
    var rows: [(row: JournalRow, time: Int64)] = []
    guard limit > 0 else { return rows }
    try RowStream.merge(streams, isAscending: false) { row, time in
      rows.append((row, time))
      return rows.count < limit
    }
    return rows
  }

  private func journalStreams(
    _ query: JournalQuery, lanes: [Lane]
  ) throws(SQLiteFailure) -> [RowStream] {
    let care = try care()
    var condition = Condition(query)
    let journaled = lanes.filter { $0 != .trace }
    if journaled.count == 1, let lane = journaled.first {
      condition.add("lane = '\(lane.rawValue)'")
    }
    if let since = query.since {
      guard
        let first = try care.integer(
          "SELECT min(sequence) FROM journal WHERE time >= ?", .integer(since.milliseconds))
      else { return [] }
      condition.add("sequence >= ?", .integer(first))
    }
    guard !query.types.isEmpty else { return [try newestFirst(care, journal, condition)] }
    return try types(matching: query.types, in: care).map { type throws(SQLiteFailure) in
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

  private func traceStreams(_ query: JournalQuery) throws(SQLiteFailure) -> [RowStream] {
    var condition = Condition(query)
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

  /// The types in the journal that a query means; hops from type to type in the index.
  private func types(
    matching wanted: [String], in care: Connection
  ) throws(SQLiteFailure) -> [String] {
    var found: [String] = []
    let sql = "SELECT type FROM journal WHERE type > ? ORDER BY type LIMIT 1"
    var last = ""
    while let type = try care.first(sql, .text(last), convert: { $0.text(0) }) {
      if wanted.contains(where: { type == $0 || type.hasPrefix($0 + ".") }) { found.append(type) }
      last = type
    }
    return found
  }

  /// The part of a query that journal and traces share.
  private struct Condition {
    private var parts: [String] = []
    var bindings: [Binding] = []

    init(_ query: JournalQuery) {
      if let resident = query.resident { add("subject = ?", .text("resident/\(resident)")) }
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

extension Connection {
  /// The one event that a condition means; nil when there is none, or it is damaged.
  fileprivate func event(
    _ table: EventTable, _ condition: String, _ value: Binding
  ) throws(SQLiteFailure) -> JournalRow? {
    var reader = EventReader(table)
    let sql = "SELECT \(table.columns) FROM \(table.name) \(condition)"
    return try first(sql, value, convert: { reader.event($0) }) ?? nil
  }
}
