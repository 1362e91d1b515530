import Care
import Foundation
import Moments
import Ports
import TestSupport
import Testing
import Tracking

@testable import Store

@Suite struct RecordedRunsTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  private let run = RunRecord(
    run: "run-1", seed: .max, version: "0.1.0", boot: Make.boot, moment: Make.moment(0),
    startState: Array(#"{"zones":[]}"#.utf8))

  private func input(_ number: Int) -> InputRecord {
    InputRecord(
      run: "run-1", number: Int64(number), moment: Make.moment(number),
      resident: number % 2 == 0 ? "mary" : nil, body: Array(#"{"kind":"fix","n":\#(number)}"#.utf8),
      outcomeDigest: .max - UInt64(number))
  }

  @Test func aHundredThousandInputsAreStreamedBackInOrder() async throws {
    var options = options
    options.waitingMemoryBytes = 256 << 20
    let store = try SQLiteStore.open(options)
    store.begin(run: run)
    let count = 100_000
    for number in 1..<count { store.submit(StepRecord(input: input(number))) { _ in } }
    await store.commit(StepRecord(input: input(count)))
    // From the directory of a running store.
    let recorded = try RecordedRuns.open(directory: options.directory)
    #expect(try recorded.runs() == [run])
    var next = 1
    try recorded.inputs(run: "run-1") { found in
      guard found == input(next) else { return false }
      next += 1
      return true
    }
    #expect(next == count + 1)
    await store.close()
  }

  @Test func theEventsOfAnInputAreFoundInJournalAndTraces() async throws {
    let store = try SQLiteStore.open(options)
    store.begin(run: run)
    await store.commit(StepRecord(input: input(1), events: [Make.event(1, .trace)]))
    let events = [
      Make.event(2, .trace), Make.event(3, .alarm), Make.event(4), Make.event(5, .trace),
    ]
    await store.commit(StepRecord(input: input(2), events: events))
    await store.commit(StepRecord(input: input(3)))
    await store.close()
    let recorded = try RecordedRuns.open(directory: options.directory)
    #expect(
      try recorded.events(run: "run-1", input: 2).map(\.id.rawValue)
        == ["event-3", "event-4", "event-2", "event-5"])
    #expect(try recorded.events(run: "run-1", input: 1).map(\.lane) == [.trace])
    #expect(try recorded.events(run: "run-1", input: 3) == [])
    #expect(try recorded.events(run: "none", input: 1) == [])
  }

  @Test func aCopyOfARunningDirectoryIsReadWithWhatIsStillInItsLog() async throws {
    let store = try SQLiteStore.open(options)
    store.begin(run: run)
    for number in 1...50 { await store.commit(StepRecord(input: input(number))) }
    let copy = directory.path(of: "copy")
    try FileManager.default.copyItem(atPath: options.directory, toPath: copy)
    try FileManager.default.removeItem(atPath: copy + "/inputs.db-shm")
    var found = 0
    try RecordedRuns.open(directory: copy).inputs(run: "run-1") { _ in
      found += 1
      return true
    }
    #expect(found == 50)
    await store.close()
  }

  @Test func aDirectoryOnReadOnlyMediaIsReadThroughACopy() async throws {
    let store = try SQLiteStore.open(options)
    store.begin(run: run)
    await store.commit(StepRecord(input: input(1)))
    let copy = directory.path(of: "copy")
    try FileManager.default.copyItem(atPath: options.directory, toPath: copy)
    try FileManager.default.removeItem(atPath: copy + "/inputs.db-shm")
    await store.close()
    let mount = try Mount(copy, "-o", "bind")
    guard let mount, mount.remountReadOnly() else {
      print("skipped: mounting is not permitted here")
      return
    }
    #expect(try RecordedRuns.open(directory: copy).runs() == [run])
    mount.end()
  }

  @Test func inputsOlderThanAWeekGoAndRunsWithThem() async throws {
    let store = try SQLiteStore.open(options)
    store.begin(run: run)
    for number in 1...3 { await store.commit(StepRecord(input: input(number))) }
    let later = Make.moment(0).advanced(byMilliseconds: 8 * 86_400_000)
    var second = run
    second.run = "run-2"
    second.moment = later
    store.begin(run: second)
    var kept = input(1)
    kept.run = "run-2"
    kept.moment = later
    await store.commit(StepRecord(input: kept))
    await store.maintain(at: later)
    let recorded = try RecordedRuns.open(directory: options.directory)
    #expect(try recorded.runs() == [second])
    #expect(try value("SELECT count(*) FROM input", in: options.inputsPath) == 1)
    await store.close()
  }

  @Test func aDirectoryWithoutRecordingsSaysSo() {
    #expect(throws: StoreError.self) { try RecordedRuns.open(directory: directory.path) }
  }
}

@Suite struct QueryTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  private func filled() async throws -> SQLiteStore {
    let store = try SQLiteStore.open(options)
    let types: [EventType] = ["zone.left", "zone.entered", "zones.other", "fault.raised", "zone"]
    for number in 1...100 {
      let lane: Lane = number % 10 == 0 ? .alarm : number % 10 == 5 ? .trace : .record
      let event = Make.event(
        number, lane, type: types[number % 5], resident: number % 2 == 0 ? "mary" : nil)
      await store.commit(StepRecord(events: [event]))
    }
    return store
  }

  private func numbers(_ rows: [JournalRow]) -> [Int] {
    rows.compactMap { Int($0.id.rawValue.dropFirst("event-".count)) }
  }

  @Test func eventsAreFoundByResidentTypeLaneAndTimeNewestFirst() async throws {
    let store = try await filled()
    let all = (1...100).reversed()
    let isTrace: (Int) -> Bool = { $0 % 10 == 5 }
    #expect(numbers(try await store.found(JournalQuery())) == all.filter { !isTrace($0) })
    #expect(
      numbers(try await store.found(JournalQuery(resident: "mary", limit: 7)))
        == all.filter { $0 % 2 == 0 }.prefix(7).map { $0 })
    #expect(
      numbers(try await store.found(JournalQuery(types: ["zone"], limit: 50)))
        == all.filter { [0, 1, 4].contains($0 % 5) && !isTrace($0) }.prefix(50).map { $0 })
    #expect(
      numbers(try await store.found(JournalQuery(lanes: [.alarm]))) == all.filter { $0 % 10 == 0 })
    #expect(
      numbers(try await store.found(JournalQuery(types: ["zone"], lanes: [.trace])))
        == all.filter(isTrace))
    #expect(
      numbers(try await store.found(JournalQuery(lanes: [.alarm, .record, .trace], limit: 30)))
        == Array(all.prefix(30)))
    #expect(
      numbers(
        try await store.found(
          JournalQuery(since: Make.moment(20).utc, until: Make.moment(31).utc)))
        == (20..<31).reversed().filter { !isTrace($0) })
    #expect(try await store.found(JournalQuery(since: Make.moment(500).utc)) == [])
    #expect(try await store.found(JournalQuery(types: ["nothing"])) == [])
    await store.close()
  }

  @Test func aLaneIsReadInStepsBoundedByCountAndBytes() async throws {
    let store = try await filled()
    var seen: [Int64] = []
    while true {
      let rows = try await store.rows(.record, after: seen.last ?? 0, limit: 7)
      if rows.isEmpty { break }
      #expect(rows.count <= 7)
      seen += rows.map(\.sequence)
    }
    #expect(seen.count == 80)
    #expect(seen == seen.sorted())
    #expect(try await store.rows(.record, limit: 50, bytes: 1).count == 1)
    let two = try await store.rows(.record, limit: 2)
    let bytes = two.reduce(0) { $0 + $1.body.count }
    #expect(try await store.rows(.record, limit: 50, bytes: bytes).count == 2)
    let single = try await withCheckedContinuation { continuation in
      store.read(lane: .record, sequences: [seen[3], 99_999, seen[1]]) {
        continuation.resume(returning: $0)
      }
    }.get()
    #expect(single.map(\.sequence) == [seen[3], seen[1]])
    await store.close()
  }

  @Test func tracesAreNumberedOnFromMonthToMonthAndAcrossRestarts() async throws {
    var store = try SQLiteStore.open(options)
    let day: Int64 = 86_400_000
    for number in 1...6 {
      let moment = Make.moment(0).advanced(byMilliseconds: Int64(number) * 20 * day)
      await store.commit(StepRecord(events: [Make.event(number, .trace, moment: moment)]))
      await store.close()
      store = try SQLiteStore.open(options)
    }
    // A time that nobody vouches for goes into the newest file.
    let early = Make.moment(7, from: 0, quality: .untrusted)
    await store.commit(StepRecord(events: [Make.event(7, .trace, moment: early)]))
    #expect(
      TraceFiles.names(in: options.directory) == [
        "traces-2026-10.db", "traces-2026-11.db", "traces-2026-12.db", "traces-2027-01.db",
      ])
    let rows = try await store.rows(.trace)
    #expect(rows.map(\.sequence) == Array(1...7))
    #expect(numbers(rows) == Array(1...7))
    #expect(numbers(try await store.rows(.trace, after: 2, limit: 3)) == [3, 4, 5])
    #expect(try await store.found("event-3")?.lane == .trace)
    let backlog = try await withCheckedContinuation { continuation in
      store.backlog(lane: .trace, after: 4) { continuation.resume(returning: $0) }
    }.get()
    #expect(backlog.depth == 3)
    await store.close()
  }

  @Test func traceNumbersThatAPluginHasSettledAreNeverGivenOutAgain() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(StepRecord(events: [Make.event(1, .trace), Make.event(2, .trace)]))
    await store.save(PluginCursor(plugin: "mqtt", lane: .trace, sequence: 2))
    await store.close()
    // What a power cut may do to a file whose commits do not wait for the disk.
    try FileManager.default.removeItem(atPath: options.path("traces-2026-09.db"))
    let again = try SQLiteStore.open(options)
    let outcome = await again.commit(StepRecord(events: [Make.event(3, .trace)]))
    #expect(outcome == .committed(LaneHeads(trace: 3)))
    await again.close()
  }

  @Test func locationsAreFoundByResidentAndTimeNewestFirst() async throws {
    let store = try SQLiteStore.open(options)
    for number in 1...20 {
      await store.commit(
        StepRecord(changes: [
          .addLocationRecord(Make.location(number)),
          .addLocationRecord(Make.location(number, resident: "olav")),
          .addLocationSample(Make.location(100 + number)),
        ]))
    }
    let found = try await withCheckedContinuation { continuation in
      store.locations(
        LocationQuery(
          resident: "mary", since: Make.moment(5).utc, until: Make.moment(15).utc, limit: 4)
      ) { continuation.resume(returning: $0) }
    }.get()
    #expect(found.elements == [14, 13, 12, 11].map { Make.location($0) })
    await store.close()
  }

  @Test func cursorsExceptionsAndDeadLettersComeBackAsSaved() async throws {
    let store = try SQLiteStore.open(options)
    let cursor = PluginCursor(
      plugin: "mqtt", lane: .record, sequence: 10,
      exceptions: [
        PluginCursor.Exception(sequence: 4, subject: "gateway", attempts: 2),
        PluginCursor.Exception(sequence: 9, subject: "resident/mary", attempts: 1),
      ])
    let letter = DeadLetter(
      plugin: "mqtt", lane: .record, sequence: 3, event: "event-3", reason: "400 “no”",
      time: Make.moment(3).utc)
    await store.save(cursor, [letter])
    await store.save(PluginCursor(plugin: "mqtt", lane: .alarm, sequence: 1))
    #expect(
      try await store.cursors("mqtt") == [
        PluginCursor(plugin: "mqtt", lane: .alarm, sequence: 1), cursor,
      ])
    var moved = cursor
    moved.sequence = 12
    moved.exceptions.removeFirst()
    await store.save(moved)
    #expect(try await store.cursors("mqtt").last == moved)
    #expect(try await store.letters("mqtt") == [letter])
    #expect(try await store.letters("other") == [])
    _ = await store.final { store.removeDeadLetters([letter], completion: $0) }
    #expect(try await store.letters() == [])
    await store.close()
  }
}
