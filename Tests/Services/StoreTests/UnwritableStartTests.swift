import Care
import Foundation
import Ports
import TestSupport
import Testing
import Texts

@testable import Store

/// A store that opens where nothing can be written: it knows what it knew, keeps what comes, and writes it later.
@Suite struct UnwritableStartTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options {
    var options = SQLiteStore.Options.test(directory.path(of: "store"))
    options.reserveBytes = 0
    return options
  }

  init() throws { directory = try TemporaryDirectory() }

  /// How the store came to its last stop.
  enum LastStop: CaseIterable { case clean, powerCut, crash }

  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")

  /// A small disk with a store of Mary and Anna in it; nil where mounting is not permitted.
  private func makeDisk(_ stop: LastStop) async throws -> Mount? {
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    guard let mount = try Mount(options.directory, "-t", "tmpfs", "-o", "size=32m") else {
      print("skipped: mounting is not permitted here")
      return nil
    }
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(
        events: [Make.event(1, .alarm)],
        changes: [
          .putResident(Resident(id: "mary", name: "Mary", timeZone: "UTC")),
          .putGuardian(Self.anna),
        ]))
    switch stop {
    case .clean: await store.close()
    case .powerCut, .crash:
      // The database with its log; after a power cut there is no index of it.
      let kept = directory.path(of: "kept")
      try FileManager.default.copyItem(atPath: options.directory, toPath: kept)
      await store.close()
      for name in ["care.db", "care.db-wal"] + (stop == .crash ? ["care.db-shm"] : []) {
        try FileManager.default.removeItemIfPresent(options.path(name))
        try FileManager.default.copyItem(atPath: "\(kept)/\(name)", toPath: options.path(name))
      }
      #expect(Files.size(options.carePath + "-wal") > 0)
    }
    return mount
  }

  private func fill() throws {
    let filler = options.path("filler")
    #expect(FileManager.default.createFile(atPath: filler, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: filler))
    defer { try? handle.close() }
    // The kernel gives back late what was in use when it was removed.
    while let free = Files.freeBytes(at: options.directory), free > 0 {
      try handle.write(contentsOf: Data(count: Int(free)))
    }
  }

  /// What every unwritable start must do, and what must be stored once `repair` is done.
  ///
  /// - Parameter isRead: whether the database could not even be opened for writing.
  private func expectItGoesOn(
    code: String, isRead: Bool = true, repair: () throws -> Void
  ) async throws {
    let store = try SQLiteStore.open(options, isRecovering: true)
    #expect(store.loaded.residents.map(\.id) == ["mary"])
    #expect(store.loaded.guardians == [Self.anna])
    #expect(store.loaded.heads == LaneHeads(alarm: 1))
    let heard = Heard<CommitOutcome>()
    store.submit(
      StepRecord(
        events: [Make.event(2, .alarm)], changes: [.putZone(Make.zone("home"))])
    ) { heard.add($0) }
    await heard.wait { $0.count == 1 }
    guard case .delayed = heard.items.first else {
      Issue.record("a disk that takes nothing took an alarm: \(heard.items)")
      return
    }
    #expect(store.healthReport.state == .failed)
    #expect(store.healthReport.code == code)
    #expect(
      store.healthReport.detail.description.contains("keeps what happens in memory") == isRead)
    let rows = try await store.rows(.alarm)
    #expect(rows.map(\.id) == ["event-1"], "the journal is read as it was")
    try repair()
    await heard.wait { $0.count == 2 }
    #expect(heard.items.last == .committed(LaneHeads(alarm: 2)))
    #expect(try await store.rows(.alarm).map(\.id) == ["event-1", "event-2"])
    #expect(store.healthReport.state != .failed)
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.zones.map(\.id) == ["home"])
    #expect(again.loaded.heads == LaneHeads(alarm: 2))
    await again.close()
    #expect(try value("SELECT count(*) FROM journal", in: options.carePath) == 2)
  }

  @Test(.timeLimit(.minutes(1)), arguments: LastStop.allCases)
  func aFullDiskIsReadAndWrittenOnceThereIsRoom(stop: LastStop) async throws {
    guard let mount = try await makeDisk(stop) else { return }
    try fill()
    // With its index there already, the database opens, and takes nothing.
    try await expectItGoesOn(code: "full", isRead: stop != .crash) {
      try FileManager.default.removeItem(atPath: options.path("filler"))
    }
    mount.end()
  }

  @Test(.timeLimit(.minutes(1)), arguments: LastStop.allCases)
  func aReadOnlyDiskIsReadAndWrittenOnceItIsMountedForWriting(stop: LastStop) async throws {
    guard let mount = try await makeDisk(stop) else { return }
    try #require(mount.remount("ro"))
    try await expectItGoesOn(code: "read-only") { try #require(mount.remount("rw")) }
    mount.end()
  }

  @Test(.timeLimit(.minutes(1))) func aFullDiskGivesUpItsBallastFirst() async throws {
    guard let mount = try await makeDisk(.powerCut) else { return }
    try Data(count: 2 << 20).write(to: URL(fileURLWithPath: options.path("ballast")))
    try fill()
    let store = try SQLiteStore.open(options, isRecovering: true)
    #expect(await store.commit(Make.step(2, .alarm)) == .committed(LaneHeads(alarm: 2)))
    #expect(!FileManager.default.fileExists(atPath: options.path("ballast")))
    await store.close()
    mount.end()
  }

  @Test(.timeLimit(.minutes(1)))
  func anEarlierVersionOnAReadOnlyDiskIsBroughtForwardInMemoryAndThenOnDisk() async throws {
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    guard let mount = try Mount(options.directory, "-t", "tmpfs", "-o", "size=32m") else {
      print("skipped: mounting is not permitted here")
      return
    }
    let first = Schema(applicationID: Schema.care.applicationID, migrations: [.care1])
    let care = try Connection.writable(
      path: options.carePath, schema: first, synchronous: "FULL", options: options)
    try care.run("INSERT INTO resident VALUES ('mary', 'Mary', 'UTC', NULL)")
    care.close()
    try #require(mount.remount("ro"))
    let store = try SQLiteStore.open(options, isRecovering: true)
    #expect(store.loaded.residents.map(\.name) == ["Mary"])
    try #require(mount.remount("rw"))
    #expect(await store.commit(Make.step(1, .alarm)) == .committed(LaneHeads(alarm: 1)))
    await store.close()
    #expect(try value("PRAGMA user_version", in: options.carePath) == Schema.care.newest)
    mount.end()
  }

  @Test func aSecondDaemonIsRefusedOnAReadOnlyDiskToo() async throws {
    guard let mount = try await makeDisk(.clean) else { return }
    try FileManager.default.removeItem(atPath: options.path("lock"))
    try #require(mount.remount("ro"))
    let store = try SQLiteStore.open(options, isRecovering: true)
    #expect(throws: StoreError.self) { try SQLiteStore.open(options, isRecovering: true) }
    await store.close()
    mount.end()
  }
}
