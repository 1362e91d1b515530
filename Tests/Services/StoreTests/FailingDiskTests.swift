import CCrashVFS
import CSQLite
import Care
import Foundation
import Loop
import Ports
import Synchronization
import TestSupport
import Testing

@testable import Store

/// A disk that fails and hangs on request.
final class FaultyDisk: @unchecked Sendable {
  let name = "faulty-\(UUID().uuidString)"
  let vfs: OpaquePointer

  init() throws { vfs = try #require(crash_vfs_create(name)) }

  func fail(_ code: Int32, filesWith part: String = "care.db") { crash_vfs_fail(vfs, code, part) }
  func heal() { crash_vfs_fail(vfs, 0, "") }
}

/// What the loop heard, and a way to wait for it.
final class Heard<Item: Sendable>: Sendable {
  private struct State {
    var items: [Item] = []
    var waiting:
      [(isEnough: @Sendable ([Item]) -> Bool, resume: CheckedContinuation<[Item], Never>)] =
        []
  }
  private let state = Mutex(State())

  func add(_ item: Item) {
    let ready = state.withLock { state in
      state.items.append(item)
      let items = state.items
      let ready = state.waiting.filter { $0.isEnough(items) }
      state.waiting.removeAll { $0.isEnough(items) }
      return ready.map { ($0.resume, items) }
    }
    for (continuation, items) in ready { continuation.resume(returning: items) }
  }

  var items: [Item] { state.withLock { $0.items } }

  @discardableResult
  func wait(until isEnough: @escaping @Sendable ([Item]) -> Bool) async -> [Item] {
    await withCheckedContinuation { continuation in
      let enough: [Item]? = state.withLock { state in
        if isEnough(state.items) { return state.items }
        state.waiting.append((isEnough, continuation))
        return nil
      }
      if let enough { continuation.resume(returning: enough) }
    }
  }
}

@Suite struct FailingDiskTests {
  let directory: TemporaryDirectory
  let disk: FaultyDisk
  var options: SQLiteStore.Options {
    var options = SQLiteStore.Options.test(directory.path(of: "store"))
    options.vfs = disk.name
    return options
  }

  init() throws {
    directory = try TemporaryDirectory()
    disk = try FaultyDisk()
  }

  private func isDelayed(_ outcome: CommitOutcome) -> Bool {
    if case .delayed = outcome { return true }
    return false
  }

  private func isCommitted(_ outcome: CommitOutcome) -> Bool {
    if case .committed = outcome { return true }
    return false
  }

  @LoopActor private static func observeOnLoop(
    _ store: SQLiteStore, _ health: Heard<HealthReport>
  ) {
    store.startMaintenance(now: { Make.moment(1) }, onHealth: { health.add($0) })
  }

  @Test(arguments: [SQLITE_IOERR, SQLITE_FULL, SQLITE_READONLY, SQLITE_BUSY])
  func aFailingDiskDelaysEachRecordOnceAndTakesAllOfThemWhenItAnswersAgain(
    code: Int32
  ) async throws {
    let store = try SQLiteStore.open(options)
    let health = Heard<HealthReport>()
    await Self.observeOnLoop(store, health)
    await store.commit(Make.step(1, .alarm))
    disk.fail(code)
    let heard = Heard<(Int, CommitOutcome)>()
    for number in 2...20 {
      store.submit(Make.step(number, number % 2 == 0 ? .alarm : .record)) {
        heard.add((number, $0))
      }
    }
    await heard.wait { $0.count >= 19 }
    #expect(heard.items.allSatisfy { isDelayed($0.1) })
    await health.wait { $0.contains { $0.state == .failed } }
    disk.heal()
    let all = await heard.wait { $0.count >= 38 }
    #expect(all.count == 38)
    #expect(all.filter { isDelayed($0.1) }.map(\.0) == Array(2...20))
    #expect(all.filter { isCommitted($0.1) }.map(\.0) == Array(2...20))
    let rows = try await store.rows(.alarm) + store.rows(.record)
    #expect(
      rows.sorted { $0.sequence < $1.sequence }.map(\.id.rawValue) == (1...20).map { "event-\($0)" }
    )
    await health.wait { $0.last?.state == .working }
    await store.close()
  }

  @Test func whileTheDiskHangsTheLoopGoesOnAndEverythingIsWrittenAfterwards() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1))
    crash_vfs_hang(disk.vfs, true)
    let heard = Heard<CommitOutcome>()
    for number in 2...50 { store.submit(Make.step(number, .alarm)) { heard.add($0) } }
    while crash_vfs_hanging(disk.vfs) == 0 { await Task.yield() }
    // The writer is stuck in the disk now; the loop must take work all the same.
    for _ in 0..<100 {
      await withCheckedContinuation { continuation in
        EventLoop.current.post { continuation.resume() }
      }
    }
    #expect(crash_vfs_hanging(disk.vfs) == 1)
    #expect(heard.items.isEmpty)
    crash_vfs_hang(disk.vfs, false)
    let outcomes = await heard.wait { $0.count == 49 }
    #expect(outcomes.allSatisfy(isCommitted))
    #expect(try await store.rows(.alarm).count == 49)
    await store.close()
  }

  @Test func anAlarmThatArrivesDuringBackOffIsTriedAtOnce() async throws {
    let store = try SQLiteStore.open(options)
    disk.fail(SQLITE_IOERR)
    let heard = Heard<CommitOutcome>()
    for number in 1...3 { store.submit(Make.step(number)) { heard.add($0) } }
    await heard.wait { $0.count >= 3 }
    let before = crash_vfs_failures(disk.vfs)
    store.submit(Make.step(4, .alarm)) { heard.add($0) }
    await heard.wait { $0.count >= 4 }
    #expect(crash_vfs_failures(disk.vfs) > before)
    disk.heal()
    await heard.wait { $0.count >= 8 }
    await store.close()
  }

  @Test func tracesThatCannotBeWrittenNeverHoldUpAnAlarmAndAreCounted() async throws {
    let store = try SQLiteStore.open(options)
    let health = Heard<HealthReport>()
    await Self.observeOnLoop(store, health)
    disk.fail(SQLITE_IOERR, filesWith: "traces-")
    let outcome = await store.commit(
      StepRecord(events: [Make.event(1, .alarm), Make.event(2, .trace)]))
    #expect(outcome == .committed(LaneHeads(alarm: 1)))
    #expect(await store.status().thinnedTraces == 1)
    await health.wait { $0.contains { $0.code == "traces-input-output" } }
    disk.heal()
    let later = await store.commit(StepRecord(events: [Make.event(3, .trace)]))
    #expect(later == .committed(LaneHeads(alarm: 1, trace: 1)))
    await health.wait { $0.last?.state == .working }
    await store.close()
  }

  @Test func whenMemoryIsFullTracesGoFirstThenRecordsAndNeverAlarms() async throws {
    var options = options
    options.waitingMemoryBytes = 20_000
    options.groupLimit = 1
    let store = try SQLiteStore.open(options)
    crash_vfs_hang(disk.vfs, true)
    store.submit(Make.step(1)) { _ in }
    while crash_vfs_hanging(disk.vfs) == 0 { await Task.yield() }
    let heard = Heard<(Lane, CommitOutcome)>()
    for number in 2...100 {
      store.submit(Make.step(number, .trace)) { heard.add((.trace, $0)) }
    }
    for number in 101...200 {
      store.submit(Make.step(number, .record)) { heard.add((.record, $0)) }
      store.submit(Make.step(1000 + number, .alarm)) { heard.add((.alarm, $0)) }
    }
    #expect(await store.status().thinnedTraces > 0)
    crash_vfs_hang(disk.vfs, false)
    let all = await heard.wait { $0.count == 299 }
    let records = all.filter { $0.0 == .record }
    #expect(all.filter { $0.0 == .alarm }.allSatisfy { isCommitted($0.1) })
    #expect(records.contains { !isCommitted($0.1) })
    #expect(records.contains { isCommitted($0.1) })
    #expect(try await store.rows(.alarm).count == 100)
    #expect(try await store.rows(.record).count == 1 + records.count { isCommitted($0.1) })
    await store.close()
  }

  @Test func aRecordThatCanNeverBeWrittenIsLeftOutAndItsNeighboursAreNot() async throws {
    let store = try SQLiteStore.open(options)
    let health = Heard<HealthReport>()
    await Self.observeOnLoop(store, health)
    await store.commit(Make.step(1))
    let heard = Heard<(Int, CommitOutcome)>()
    crash_vfs_hang(disk.vfs, true)
    for (place, number) in [2, 1, 3].enumerated() {
      store.submit(Make.step(number)) { heard.add((place, $0)) }
    }
    let mixed = StepRecord(events: [Make.event(4, .alarm), Make.event(2)])
    store.submit(mixed) { heard.add((3, $0)) }
    crash_vfs_hang(disk.vfs, false)
    let all = await heard.wait { $0.count == 4 }.sorted { $0.0 < $1.0 }
    #expect(all.map { isCommitted($0.1) } == [true, false, true, false])
    #expect(try await store.rows(.record).map(\.id.rawValue) == ["event-1", "event-2", "event-3"])
    #expect(try await store.rows(.alarm).map(\.id.rawValue) == ["event-4"])
    await health.wait { $0.contains { $0.code == "record-refused" } }
    await store.close()
  }

  @Test func aStoreThatClosesOnADeadDiskSaysWhatItCouldNotWrite() async throws {
    let store = try SQLiteStore.open(options)
    disk.fail(SQLITE_IOERR)
    let heard = Heard<CommitOutcome>()
    store.submit(Make.step(1, .alarm)) { heard.add($0) }
    await heard.wait { $0.count == 1 }
    await store.close()
    #expect(heard.items.count == 2)
    guard case .dropped = heard.items.last else {
      Issue.record("the record was answered \(String(describing: heard.items.last))")
      return
    }
    let late = await store.commit(Make.step(2))
    guard case .dropped(let error) = late else {
      Issue.record("a closed store answered \(late)")
      return
    }
    #expect(error.code == .closed)
    disk.heal()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.heads == LaneHeads())
    await again.close()
  }
}
