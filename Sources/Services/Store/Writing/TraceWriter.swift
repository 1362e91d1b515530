import Care
import Moments
import Ports

/// The names of the monthly trace files.
enum TraceFiles {
  /// The file of a moment's month, such as `traces-2026-11.db`.
  static func name(for time: Timestamp) -> String {
    "traces-\(CivilDateTime(utc: time).iso8601Date.dropLast(3)).db"
  }

  /// The trace files in a directory, oldest month first.
  static func names(in directory: String) -> [String] {
    Files.names(in: directory).filter { $0.hasPrefix("traces-") && $0.hasSuffix(".db") }
  }

  /// The first moment after a file's month; nil for a name that is no month.
  static func end(of name: String) -> Timestamp? {
    let parts = name.dropFirst("traces-".count).dropLast(".db".count).split(separator: "-")
    guard parts.count == 2, let year = Int(parts[0]), let month = Int(parts[1]),
      (1...12).contains(month), (0...9999).contains(year)
    else { return nil }
    let isDecember = month == 12
    return CivilDateTime(
      year: isDecember ? year + 1 : year, month: isDecember ? 1 : month + 1, day: 1
    )
    .asUTC
  }
}

/// Appends trace-lane events to the month's file, numbered on from file to file.
///
/// Used on the writer's thread only.
final class TraceWriter {
  private let options: SQLiteStore.Options
  private var connection: Connection?
  private var openName = ""
  /// The highest number given out.
  private(set) var head: Int64 = 0
  /// Files that could not be read and were set aside when the store opened.
  private(set) var setAside: [String] = []
  /// Files that the disk did not give when the store opened: nothing is numbered before they are known.
  private var unread: [String] = []

  /// Finds out where to go on: after everything stored and after everything a plugin has seen.
  ///
  /// A power cut may take the last traces, but never a plugin's cursor; a number must not be given out twice.
  init(options: SQLiteStore.Options, after settled: Int64) {
    self.options = options
    head = settled
    unread = TraceFiles.names(in: options.directory)
    // The journal waits for no trace: what cannot be read now is looked at before the first trace.
    try? readUnread()
  }

  private func readUnread() throws(StoreError) {
    while let name = unread.first {
      do throws(StoreError) { head = max(head, try lastSequence(of: name)) } catch {
        guard [.corrupt, .notOurs].contains(error.code) else { throw error }
        try Recovery.setAside(options.path(name))
        setAside.append(name)
      }
      unread.removeFirst()
    }
  }

  private func lastSequence(of name: String) throws(StoreError) -> Int64 {
    let file = try openFile(name)
    defer { file.close() }
    do throws(SQLiteFailure) {
      return try file.integer("SELECT max(sequence) FROM trace") ?? 0
    } catch {
      throw error.storeError
    }
  }

  private func openFile(_ name: String) throws(StoreError) -> Connection {
    try Connection.writable(
      path: options.path(name), schema: .traces,
      synchronous: options.synchronous == .full ? "NORMAL" : "OFF", options: options)
  }

  /// Appends the events; all of one month in one transaction.
  func append(_ events: [EncodedEvent]) throws(StoreError) {
    try readUnread()
    var rest = events[...]
    while let first = rest.first {
      let name = fileName(for: first.moment)
      let month = rest.prefix { fileName(for: $0.moment) == name }
      try append(Array(month), to: name)
      rest = rest.dropFirst(month.count)
    }
  }

  /// Times that nobody vouches for go to the newest file: 1970 is no month of ours.
  private func fileName(for moment: Moment) -> String {
    let own = TraceFiles.name(for: moment.utc)
    if moment.quality.isTrusted { return own }
    if !openName.isEmpty { return openName }
    return TraceFiles.names(in: options.directory).last ?? own
  }

  private func append(_ events: [EncodedEvent], to name: String) throws(StoreError) {
    if name != openName || connection == nil {
      connection?.close()
      connection = try openFile(name)
      openName = name
    }
    guard let connection else { return }
    var sequence = head
    do throws(SQLiteFailure) {
      try connection.transaction { () throws(SQLiteFailure) in
        for event in events {
          sequence += 1
          try Self.append(event, sequence: sequence, to: connection)
        }
      }
    } catch { throw error.storeError }
    head = sequence
  }

  /// Moves the log into the file when it has grown.
  func checkpointIfLong(pages: Int) {
    guard let connection, connection.logPages >= pages else { return }
    _ = try? connection.checkpoint()
  }

  /// Lets go of the open file, so that upkeep can remove it.
  func close() {
    _ = try? connection?.checkpoint(truncating: true)
    connection?.close()
    connection = nil
    openName = ""
  }

  /// An event that is there already is left alone: traces are no promise, and must not hold anything up.
  private static func append(
    _ event: EncodedEvent, sequence: Int64, to connection: Connection
  ) throws(SQLiteFailure) {
    try connection.run(
      """
      INSERT OR IGNORE INTO trace (sequence, id, boot_id, tick, time, time_quality, type, subject,
        body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(sequence), .text(event.id.rawValue), .text(event.boot.rawValue),
      .integer(event.moment.tick.nanoseconds), .integer(event.moment.utc.milliseconds),
      .text(event.moment.quality.rawValue), .text(event.type.rawValue), .text(event.subject),
      .textBytes(event.body))
  }
}
