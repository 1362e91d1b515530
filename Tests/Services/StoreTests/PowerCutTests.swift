import Bytes
import CCrashVFS
import Care
import Foundation
import JSON
import Loop
import Ports
import Synchronization
import TestSupport
import Testing
import Tracking

@testable import Store

/// What a workload was told, and when in the log of what reached the disk.
private final class Acknowledgements: Sendable {
  struct Told {
    /// Operations that had happened when the answer was heard.
    var position: Int
    /// Steps answered so far.
    var steps: Int
    /// The cursor of the plugin that was answered last.
    var cursor: Int64
    /// Highest trace number that was settled.
    var traceCursor: Int64
  }

  private let told = Mutex<[Told]>([Told(position: 0, steps: 0, cursor: 0, traceCursor: 0)])

  func note(_ position: Int, _ change: (inout Told) -> Void) {
    told.withLock { told in
      guard var next = told.last else { return }
      next.position = position
      change(&next)
      told.append(next)
    }
  }

  /// Answers in the order heard.
  var all: [Told] { told.withLock { $0 } }
}

/// What the store made of the remains of a power cut.
private struct Verdict {
  var lost = 0
  var isUnusable = false
  var complaints: [String] = []
}

@Suite(.serialized) struct PowerCutTests {
  private static let steps = 2400

  /// One thousand cuts, or the usual part of them, through a run of 2,400 records: everything acknowledged is there, once, in order.
  @Test func afterPowerCutsNothingAcknowledgedIsLost() async throws {
    let cuts = TestSize.count(whole: 1000, usual: 250)
    let summary = try await cut(.full, times: cuts)
    print("power cuts, synchronous=FULL: \(summary.text)")
    #expect(summary.cuts == cuts)
    #expect(summary.lostEvents == 0)
    #expect(summary.unusable == 0)
    #expect(summary.complaints == [])
  }

  /// The same suite, on a store that does not wait for the disk, must find losses: it can fail.
  @Test func withoutSynchronousCommitsTheSameCutsLoseAcknowledgedEvents() async throws {
    let summary = try await cut(.off, times: 200)
    print("power cuts, synchronous=OFF: \(summary.text)")
    #expect(summary.lostEvents > 0)
    #expect(summary.cutsWithLoss > 20)
  }

  // MARK: The suite

  private struct Summary {
    var syncs = 0
    var operations = 0
    var cuts = 0
    var acknowledged = 0
    var lostEvents = 0
    var cutsWithLoss = 0
    var unusable = 0
    var complaints: [String] = []

    var text: String {
      "\(operations) operations, \(syncs) syncs, \(cuts) cuts, \(acknowledged) acknowledged events expected, "
        + "\(lostEvents) lost in \(cutsWithLoss) cuts, \(unusable) unusable, \(complaints.count) complaints"
    }
  }

  private func cut(
    _ synchronous: SQLiteStore.Options.Synchronous, times: Int
  ) async throws -> Summary {
    let workplace = try TemporaryDirectory()
    let name = "crash-\(UUID().uuidString)"
    let vfs = try #require(crash_vfs_create(name))
    let told = try await work(
      in: workplace.path(of: "store"), synchronous, vfsName: name, vfs: vfs)
    var summary = Summary()
    summary.syncs = PowerCut.syncs(in: vfs).count
    summary.operations = crash_vfs_count(vfs)
    var random = SplitMix64(seed: 0x486F_6D65)
    var disk = PowerCut(log: vfs)
    let kinds = PowerCut.Kind.allCases
    for (number, position) in positions(in: vfs, count: times, &random).enumerated() {
      disk.advance(to: position)
      let remains = try MemoryDirectory()
      try disk.materialise(kinds[number % kinds.count], into: remains.path, using: &random)
      let expected = try #require(told.last { $0.position <= position })
      let verdict = await judge(remains.path, expected)
      summary.cuts += 1
      summary.acknowledged += expected.steps
      summary.lostEvents += verdict.lost
      summary.cutsWithLoss += verdict.lost > 0 ? 1 : 0
      summary.unusable += verdict.isUnusable ? 1 : 0
      summary.complaints += verdict.complaints.map { "cut \(number) at \(position): \($0)" }
    }
    return summary
  }

  /// Where to cut: just before and after syncs, and anywhere between, in order.
  private func positions(
    in vfs: OpaquePointer, count: Int, _ random: inout SplitMix64
  ) -> [Int] {
    let syncs = PowerCut.syncs(in: vfs)
    let total = crash_vfs_count(vfs)
    return (0..<count).map { number in
      guard number % 3 < 2, let sync = syncs.randomElement(using: &random) else {
        return Int.random(in: 0...total, using: &random)
      }
      return sync + number % 3
    }.sorted()
  }

  /// Submits small bursts of steps of all lanes, with cursors between, and notes what is answered.
  private func work(
    in directory: String, _ synchronous: SQLiteStore.Options.Synchronous, vfsName: String,
    vfs: OpaquePointer
  ) async throws -> [Acknowledgements.Told] {
    crash_vfs_record(vfs)
    var options = SQLiteStore.Options.test(directory)
    options.vfs = vfsName
    options.synchronous = synchronous
    let store = try SQLiteStore.open(options)
    let log = Log(vfs: vfs)
    let told = Acknowledgements()
    store.begin(
      run: RunRecord(
        run: "run", seed: 1, version: "1", boot: Make.boot, moment: Make.moment(0), startState: []))
    var random = SplitMix64(seed: 7)
    var number = 0
    while number < Self.steps {
      let burst = min(Int.random(in: 1...3, using: &random), Self.steps - number)
      for _ in 0..<burst {
        number += 1
        store.submit(Self.step(number)) { outcome in
          guard case .committed = outcome else { return }
          told.note(log.position) { $0.steps += 1 }
        }
      }
      let heads = await settle(store, told, log, number)
      if number % 50 < 3 {
        let traceCursor = PluginCursor(plugin: "mqtt", lane: .trace, sequence: heads.trace)
        await store.save(traceCursor)
        told.note(log.position) { $0.traceCursor = heads.trace }
      }
    }
    let all = told.all
    await store.close()
    return all
  }

  /// Saves a plugin's cursor up to what is durable, which also waits for the burst.
  private func settle(
    _ store: SQLiteStore, _ told: Acknowledgements, _ log: Log, _ number: Int
  ) async -> LaneHeads {
    let cursor = PluginCursor(
      plugin: "mqtt", lane: .record, sequence: Int64(number),
      exceptions: [PluginCursor.Exception(sequence: 1, subject: "gateway", attempts: number)])
    let outcome = await store.save(cursor)
    guard case .committed(let heads) = outcome else { return LaneHeads() }
    told.note(log.position) { $0.cursor = Int64(number) }
    return heads
  }

  /// The log of a VFS, which may be asked on any thread.
  private struct Log: @unchecked Sendable {
    let vfs: OpaquePointer
    var position: Int { crash_vfs_count(vfs) }
  }

  /// A step with one event for the journal, a trace, a row of state that names the step, and an input.
  private static func step(_ number: Int) -> StepRecord {
    let row = EngineRow(
      engine: "test", subject: "gateway", name: "last", content: ["step": .integer(Int64(number))])
    let lane: Lane = number % 5 == 0 ? .alarm : .record
    return StepRecord(
      input: InputRecord(
        run: "run", number: Int64(number), moment: Make.moment(number), resident: "mary",
        body: Array("{}".utf8), outcomeDigest: UInt64(number)),
      events: [
        Make.event(number, lane, facts: ["n": .integer(Int64(number))]),
        Make.event(100_000 + number, .trace, type: "fix.accepted"),
      ],
      changes: [.putEngineRow(row), .addLocationRecord(Make.location(number))])
  }

  // MARK: The judge

  /// Opens what is left with the store itself and compares it with what had been acknowledged.
  private func judge(_ directory: String, _ told: Acknowledgements.Told) async -> Verdict {
    var verdict = Verdict()
    do {
      let store = try SQLiteStore.open(.test(directory))
      let path = directory + "/care.db"
      let ids = try Self.texts("SELECT id FROM journal ORDER BY sequence", in: path)
      let kept = Set(ids)
      verdict.lost = (0..<told.steps).count { !kept.contains("event-\($0 + 1)") }
      if ids != (0..<ids.count).map({ "event-\($0 + 1)" }) {
        verdict.complaints.append("the journal is not what was submitted, once and in order")
      }
      try await check(store, path, told, ids.count, &verdict)
      await store.close()
      for name in ["care.db", "inputs.db", "traces-2026-09.db"] {
        try Self.checkIntegrity(directory + "/" + name, &verdict)
      }
    } catch {
      verdict.isUnusable = true
      verdict.lost = told.steps
      verdict.complaints.append("\(error)")
    }
    return verdict
  }

  private func check(
    _ store: SQLiteStore, _ path: String, _ told: Acknowledgements.Told, _ stored: Int,
    _ verdict: inout Verdict
  ) async throws {
    let state = store.loaded.engineRows.first?.content["step"]?.integerContent ?? 0
    if state != Int64(stored) { verdict.complaints.append("state \(state), events \(stored)") }
    let cursor =
      try value(
        "SELECT sequence FROM plugin_cursor WHERE lane = 'record'", in: path) ?? 0
    if cursor < told.cursor || cursor > Int64(stored) {
      verdict.complaints.append("cursor \(cursor), told \(told.cursor), events \(stored)")
    }
    let attempts = try value("SELECT attempts FROM plugin_exception", in: path) ?? 0
    if attempts != cursor { verdict.complaints.append("exception of \(attempts), not \(cursor)") }
    if store.loaded.heads.trace < told.traceCursor {
      verdict.complaints.append("trace numbers would be given out again")
    }
  }

  private static func checkIntegrity(_ path: String, _ verdict: inout Verdict) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    // Not read-only: a file that the store has not opened since the cut may have a journal to roll back.
    let connection = try Connection(path: path, mode: .readWrite)
    defer { connection.close() }
    var answers: [String] = []
    try connection.rows("PRAGMA integrity_check") { row in
      answers.append(row.text(0))
      return true
    }
    if answers != ["ok"] { verdict.complaints.append("\(path): \(answers)") }
  }

  private static func texts(_ sql: String, in path: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { connection.close() }
    var found: [String] = []
    try connection.rows(sql) { row in
      found.append(row.text(0))
      return true
    }
    return found
  }
}
