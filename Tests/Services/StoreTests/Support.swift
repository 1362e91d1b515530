import Care
import Foundation
import JSON
import Loop
import Moments
import Ports
import Synchronization
import TestSupport

@testable import Store

/// Events and records for tests, numbered so that order can be told.
enum Make {
  static let boot: BootID = "11111111-2222-3333-4444-555555555555"

  static func moment(
    _ number: Int, from start: Int64 = 1_790_000_000_000, quality: TimeQuality = .synchronised
  ) -> Moment {
    Moment(
      tick: Tick(nanoseconds: Int64(number) * 1_000_000),
      utc: Timestamp(milliseconds: start + Int64(number) * 1000), quality: quality)
  }

  static func event(
    _ number: Int, _ lane: Lane = .record, type: EventType = "location.recorded",
    resident: ResidentID? = "mary", facts: JSONValue = ["explanation": "Mary is 30 m from home."],
    moment: Moment? = nil
  ) -> EncodedEvent {
    Event(
      id: EventID("event-\(number)"), type: type, lane: lane, resident: resident,
      moment: moment ?? self.moment(number), facts: facts
    ).cloudEvent(gateway: "hub", boot: boot)
  }

  static func step(_ number: Int, _ lane: Lane = .record) -> StepRecord {
    StepRecord(events: [event(number, lane)])
  }

  static func location(
    _ number: Int, resident: ResidentID = "mary", latitude: Double = 59.91
  ) -> LocationRecord {
    LocationRecord(
      resident: resident, time: moment(number).utc, timeQuality: .synchronised,
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: 10.75)
        ?? home, accuracyMeters: number % 2 == 0 ? nil : 4.5, minutesAtLocation: number,
      reason: .moved)
  }

  static let home: Coordinate = {
    guard let home = Coordinate(latitudeDegrees: 59.9, longitudeDegrees: 10.7) else {
      preconditionFailure("59.9, 10.7 lies on Earth")
    }
    return home
  }()

  static func zone(_ id: ZoneID, resident: ResidentID = "mary", name: String = "Home") -> SafeZone {
    SafeZone(id: id, resident: resident, name: name, center: home, radiusMeters: 25, isHome: true)
  }
}

extension SQLiteStore.Options {
  /// Small limits for a test's own directory, with nothing that depends on how full the machine is.
  static func test(_ directory: String) -> SQLiteStore.Options {
    var options = SQLiteStore.Options(directory: directory)
    options.minimumFreeBytes = 0
    options.reserveBytes = 0
    options.busyMilliseconds = 1000
    return options
  }
}

/// Answers of the store as values to await.
extension SQLiteStore {
  /// Submits and waits for the final outcome.
  @discardableResult
  func commit(_ record: StepRecord) async -> CommitOutcome {
    await final { self.submit(record, completion: $0) }
  }

  @discardableResult
  func save(_ cursor: PluginCursor, _ letters: [DeadLetter] = []) async -> CommitOutcome {
    await final { self.save(cursor: cursor, deadLetters: letters, completion: $0) }
  }

  /// Waits for the outcome that is not `delayed`.
  func final(
    _ body: (@escaping @LoopActor @Sendable (CommitOutcome) -> Void) -> Void
  ) async -> CommitOutcome {
    await withCheckedContinuation { continuation in
      body { outcome in
        if case .delayed = outcome { return }
        continuation.resume(returning: outcome)
      }
    }
  }

  func rows(
    _ lane: Lane, after sequence: Int64 = 0, limit: Int = 1_000_000, bytes: Int = .max
  ) async throws -> [JournalRow] {
    try await withCheckedContinuation { continuation in
      read(lane: lane, after: sequence, limit: limit, maximumBytes: bytes) {
        continuation.resume(returning: $0)
      }
    }.get()
  }

  func found(_ query: JournalQuery) async throws -> [JournalRow] {
    try await page(query).elements
  }

  func page(_ query: JournalQuery) async throws -> ListPage<JournalRow> {
    try await withCheckedContinuation { continuation in
      self.query(query) { continuation.resume(returning: $0) }
    }.get()
  }

  func cursors(_ plugin: String) async throws -> [PluginCursor] {
    try await withCheckedContinuation { continuation in
      cursors(plugin: plugin) { continuation.resume(returning: $0) }
    }.get()
  }

  func letters(_ plugin: String? = nil) async throws -> [DeadLetter] {
    try await withCheckedContinuation { continuation in
      deadLetters(plugin: plugin) { continuation.resume(returning: $0) }
    }.get()
  }

  func found(_ id: EventID) async throws -> JournalRow? {
    try await withCheckedContinuation { continuation in
      event(id) { continuation.resume(returning: $0) }
    }.get()
  }

  func status() async -> StoreStatus {
    await withCheckedContinuation { continuation in
      status { continuation.resume(returning: $0) }
    }
  }

  @discardableResult
  func copied(
    to path: String?, at time: Timestamp = Make.moment(0).utc
  ) async throws -> String {
    try await withCheckedContinuation { continuation in
      backup(to: path, at: time) { continuation.resume(returning: $0) }
    }.get()
  }

  func maintain(at now: Moment) async {
    await withCheckedContinuation { continuation in
      maintain(at: now) { continuation.resume() }
    }
  }

  func close() async {
    await withCheckedContinuation { continuation in
      close { continuation.resume() }
    }
  }
}

/// A second look at a database, with nothing of the store's code but its connection.
func value(_ sql: String, in path: String) throws -> Int64? {
  let connection = try Connection(path: path, mode: .readOnly)
  defer { connection.close() }
  return try connection.integer(sql)
}

func text(_ sql: String, in path: String) throws -> String? {
  let connection = try Connection(path: path, mode: .readOnly)
  defer { connection.close() }
  return try connection.first(sql) { $0.text(0) }
}
