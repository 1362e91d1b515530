import Care
import Foundation
import Glibc
import JSON
import Moments
import Ports
import TestSupport
import Testing
import Texts
import Tracking

@testable import Store

@Suite struct UpkeepTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  // MARK: Backup and restore

  @Test func aBackupTakenWhileWritingIsAConsistentPrefix() async throws {
    let store = try SQLiteStore.open(options)
    let heard = Heard<CommitOutcome>()
    for number in 1...3000 {
      let row = EngineRow(
        engine: "test", subject: "gateway", name: "last", content: .integer(Int64(number)))
      store.submit(
        StepRecord(events: [Make.event(number)], changes: [.putEngineRow(row)])
      ) { heard.add($0) }
    }
    let path = directory.path(of: "copy.db")
    try await store.copied(to: path)
    await heard.wait { $0.count == 3000 }
    let count = try #require(try value("SELECT count(*) FROM journal", in: path))
    #expect(try value("SELECT max(sequence) FROM journal", in: path) ?? 0 == count)
    #expect(try text("SELECT content FROM engine_state", in: path) ?? "0" == String(count))
    #expect(try text("PRAGMA integrity_check", in: path) == "ok")
    #expect(try await store.rows(.record).count == 3000)
    await store.close()
  }

  @Test func aRestoredBackupReplacesTheDatabaseAndKeepsTheOldOne() async throws {
    let store = try SQLiteStore.open(options)
    for number in 1...5 { await store.commit(Make.step(number, .alarm)) }
    let path = directory.path(of: "copy.db")
    try await store.copied(to: path)
    for number in 6...9 { await store.commit(Make.step(number)) }
    do {
      try SQLiteStore.restore(backup: path, into: options.directory)
      Issue.record("restored under a running daemon")
    } catch { #expect(error.code == .locked) }
    await store.close()
    try SQLiteStore.restore(backup: path, into: options.directory)
    #expect(try value("SELECT count(*) FROM journal", in: options.path("care.db.replaced-1")) == 9)
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.heads == LaneHeads(alarm: 5))
    #expect(await again.commit(Make.step(10)) == .committed(LaneHeads(alarm: 5, record: 6)))
    await again.close()
  }

  @Test(
    "What root restores belongs to whoever owns the directory",
    .enabled(if: geteuid() == 0, "only root gives files away"))
  func ownerOfRestored() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1, .alarm))
    let path = directory.path(of: "copy.db")
    try await store.copied(to: path)
    await store.close()
    for name in ["", "/care.db", "/lock"] { _ = chown(options.directory + name, 65_534, 65_534) }
    unlink(options.directory + "/lock")
    try SQLiteStore.restore(backup: path, into: options.directory)
    for name in ["lock", "care.db", "care.db.replaced-1"] {
      let file = try FileManager.default.attributesOfItem(atPath: options.path(name))
      #expect(file[.ownerAccountID] as? Int == 65_534, "\(name)")
      #expect(file[.groupOwnerAccountID] as? Int == 65_534, "\(name)")
    }
  }

  @Test(
    "Root makes no directory that the gateway could not write in",
    .enabled(if: geteuid() == 0, "only root gives files away"))
  func rootMakesNoDirectory() async throws {
    let store = try SQLiteStore.open(options)
    let copy = try await store.copied(to: directory.path(of: "copy.db"))
    await store.close()
    let elsewhere = directory.path(of: "elsewhere")
    #expect(throws: StoreError.self) { try SQLiteStore.restore(backup: copy, into: elsewhere) }
    #expect(!FileManager.default.fileExists(atPath: elsewhere))
  }

  @Test(
    "A backup that could act by itself is refused, and one that is made leaves out what was added",
    arguments: [
      "CREATE TRIGGER act AFTER INSERT ON journal BEGIN DELETE FROM guardian; END",
      "CREATE VIEW seen AS SELECT * FROM guardian", "CREATE TABLE other (id TEXT)",
      "CREATE UNIQUE INDEX only_one ON journal (type)",
    ])
  func additions(statement: String) async throws {
    let store = try SQLiteStore.open(options)
    let anna = Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")
    await store.commit(StepRecord(events: [Make.event(1)], changes: [.putGuardian(anna)]))
    let path = try await store.copied(to: directory.path(of: "copy.db"))
    await store.close()
    try SQLiteStore.restore(backup: path, into: options.directory)
    for file in [path, options.carePath] {
      let connection = try Connection(path: file, mode: .readWrite)
      try connection.script(statement)
      connection.close()
    }
    do {
      try SQLiteStore.restore(backup: path, into: options.directory)
      Issue.record("restored")
    } catch {
      #expect(error.code == .notOurs && error.message.description.contains("another backup"))
    }
    let live = try SQLiteStore.open(options, isRecovering: true)
    #expect(live.loaded.guardians == [anna])
    let clean = try await live.copied(to: directory.path(of: "clean.db"))
    await live.close()
    try SQLiteStore.restore(backup: clean, into: options.directory)
    let again = try SQLiteStore.open(options, isRecovering: true)
    #expect(again.damage.report == nil && again.loaded.guardians == [anna])
    #expect(await again.commit(Make.step(2)) == .committed(LaneHeads(record: 2)))
    await again.close()
  }

  @Test("Backups made by hand are listed among the regular ones, and none is overwritten")
  func handMadeBackups() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1, .alarm))
    let folder = directory.path(of: "backups")
    for name in [
      "care-000001-20260101T000000Z.db", "by-hand-20260102T000000Z.db",
      "care-000002-20260103T000000Z.db", "by-hand-20260104T000000Z.db", "other.db",
    ] { try directory.write("", to: "backups/\(name)") }
    let listed = SQLiteStore.backups(in: folder).map { $0.split(separator: "/").last ?? "" }
    #expect(
      listed == [
        "by-hand-20260104T000000Z.db", "care-000002-20260103T000000Z.db",
        "by-hand-20260102T000000Z.db", "care-000001-20260101T000000Z.db",
      ])
    let taken = try directory.write("mine", to: "taken.db")
    await #expect(throws: StoreError.self) { try await store.copied(to: taken) }
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
    await store.close()
  }

  @Test func aDamagedForeignOrMissingBackupIsRefusedAndNothingChanges() async throws {
    let store = try SQLiteStore.open(options)
    for number in 1...200 { store.submit(Make.step(number)) { _ in } }
    await store.commit(Make.step(201))
    let good = directory.path(of: "good.db")
    try await store.copied(to: good)
    await store.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: good))
    let size = bytes.count
    bytes.replaceSubrange(size / 2..<size / 2 + 8192, with: Data(repeating: 0x77, count: 8192))
    try bytes.write(to: URL(fileURLWithPath: directory.path(of: "damaged.db")))
    try bytes.prefix(size / 3).write(to: URL(fileURLWithPath: directory.path(of: "short.db")))
    try directory.write("no database", to: "text.db")
    for (name, codes) in [
      ("damaged.db", [StoreError.Code.corrupt]), ("short.db", [.corrupt]),
      ("text.db", [.notOurs]), ("none.db", [.missing]),
    ] {
      do {
        try SQLiteStore.restore(backup: directory.path(of: name), into: options.directory)
        Issue.record("\(name) was restored")
      } catch {
        #expect(codes.contains(error.code), "\(name): \(error)")
      }
    }
    #expect(try value("SELECT count(*) FROM journal", in: options.carePath) == 201)
    let names = try FileManager.default.contentsOfDirectory(atPath: options.directory)
    #expect(!names.contains { $0.contains("replaced") || $0.contains("restoring") })
  }

  @Test func backupsAreMadeEveryPeriodAndOnlyTheNewestAreKept() async throws {
    var options = options
    options.backupsKept = 3
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1))
    for period in 0..<5 {
      // Twice within the period: the second time nothing is due.
      let start = period * 21_600_000
      await store.maintain(at: Make.moment(start))
      await store.maintain(at: Make.moment(start + 1000))
    }
    let numbers = SQLiteStore.backups(in: options.backupDirectory).map {
      lastComponent($0).prefix(11)
    }
    #expect(numbers == ["care-000005", "care-000004", "care-000003"])
    #expect(await store.status().lastBackup == Make.moment(4 * 21_600_000).utc)
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(
      await again.status().lastBackup.map { $0.milliseconds / 1000 }
        == Make.moment(4 * 21_600_000).utc.milliseconds / 1000)
    await again.close()
  }

  @Test func aBackupWithoutRoomSaysSoAndTheStoreGoesOn() async throws {
    var options = options
    options.minimumFreeBytes = .max / 2
    let store = try SQLiteStore.open(options)
    await store.maintain(at: Make.moment(1))
    #expect(await store.commit(Make.step(1)) == .committed(LaneHeads(record: 1)))
    #expect(SQLiteStore.backups(in: options.backupDirectory) == [])
    await #expect(throws: StoreError.self) {
      try await store.copied(to: directory.path(of: "x.db"))
    }
    await store.close()
  }

  // MARK: Erasure

  @Test func anErasedResidentLeavesNoByteOfTheirNameInAnyFile() async throws {
    let name = "Zoë Unverwechselbar 王芳"
    let store = try SQLiteStore.open(options)
    await begin(store, run: "run-1", mentioning: ["mary", "olav"], name: name)
    for number in 1...400 { store.submit(personal(number, name)) { _ in } }
    await store.commit(StepRecord(changes: [.putResident(resident("olav", "Olav Annerledes"))]))
    await store.commit(StepRecord(events: [Make.event(900, resident: "olav")]))
    let cursor = PluginCursor(
      plugin: "mqtt", lane: .record, sequence: 400,
      exceptions: [PluginCursor.Exception(sequence: 7, subject: "resident/mary", attempts: 1)])
    let letter = DeadLetter(
      plugin: "mqtt", lane: .record, sequence: 3, event: "event-3", reason: "no \(name)",
      time: Make.moment(3).utc)
    await store.save(cursor, [letter])
    await store.maintain(at: Make.moment(1000))
    #expect(!files(containing: "Unverwechselbar").isEmpty)
    let audit = AuditEntry(
      time: Make.moment(901).utc, principal: "local:anna", command: "c-1",
      action: "resident.erase", target: "mary", outcome: "done")
    await store.commit(
      StepRecord(
        events: [Make.event(901, type: "resident.erased", facts: ["explanation": "Erased."])],
        changes: [.eraseResident("mary"), .addAudit(audit)]))
    await store.maintain(at: Make.moment(1001))
    #expect(files(containing: "Unverwechselbar") == [])
    #expect(files(containing: "王芳") == [])
    #expect(store.healthReport.state == .working)
    #expect(
      try await store.rows(.record).map(\.id.rawValue) == ["event-900", "event-901"])
    let left = try #require(try await store.cursors("mqtt").first)
    #expect(left.sequence == 400 && left.exceptions.isEmpty)
    #expect(try await store.letters().isEmpty)
    #expect(try value("SELECT count(*) FROM audit", in: options.carePath) == 1)
    #expect(try value("SELECT count(*) FROM resident", in: options.carePath) == 1)
    #expect(SQLiteStore.backups(in: options.backupDirectory).count == 1)
    await store.close()
    #expect(files(containing: "Unverwechselbar") == [])
  }

  @Test func anErasureThatWasInterruptedIsFinishedAfterTheRestart() async throws {
    let store = try SQLiteStore.open(options)
    for number in 1...20 { await store.commit(personal(number, "Unverwechselbar")) }
    await store.close()
    let care = try Connection(path: options.carePath, mode: .readWrite)
    try care.transaction { () throws(SQLiteFailure) in
      try ChangeWriter(care: care).apply(.eraseResident("mary"), after: .max)
    }
    care.close()
    #expect(files(containing: "Unverwechselbar").contains("traces-2026-09.db"))
    let again = try SQLiteStore.open(options)
    await again.maintain(at: Make.moment(100))
    #expect(files(containing: "Unverwechselbar") == [])
    #expect(try value("SELECT count(*) FROM erasure", in: options.carePath) == 0)
    await again.close()
  }

  private func resident(_ id: ResidentID, _ name: String) -> Resident {
    Resident(id: id, name: name, timeZone: "Europe/Oslo")
  }

  private func begin(
    _ store: SQLiteStore, run: String, mentioning ids: [String], name: String
  ) async {
    let state: JSONValue = ["residents": .array(ids.map { .string($0) }), "name": .string(name)]
    _ = await store.final {
      store.begin(
        run: RunRecord(
          run: run, seed: 1, version: "1", boot: Make.boot, moment: Make.moment(0),
          startState: state.serializedBytes), completion: $0)
    }
  }

  /// A step with the name in everything that a step can hold.
  private func personal(_ number: Int, _ name: String) -> StepRecord {
    let text: JSONValue = ["name": .string(name)]
    return StepRecord(
      input: InputRecord(
        run: "run-1", number: Int64(number), moment: Make.moment(number), resident: "mary",
        body: text.serializedBytes, outcomeDigest: 1),
      events: [
        Make.event(number, facts: text), Make.event(10_000 + number, .trace, facts: text),
      ],
      changes: [
        .putResident(resident("mary", name)),
        .putZone(Make.zone(ZoneID("z\(number % 10)"), name: name)),
        .putSetting(resident: "mary", name: "label", value: text),
        .putEngineRow(
          EngineRow(engine: "tracking", subject: "mary", name: "n\(number % 5)", content: text)),
        .putBookmark(
          Bookmark(
            id: "b", resident: "mary", name: name, address: name, coordinate: Make.home)),
        .addLocationRecord(Make.location(number)),
      ])
  }

  /// Names of the files below the store's directory that hold these bytes.
  private func files(containing text: String) -> [String] {
    let root = URL(fileURLWithPath: options.directory)
    guard let names = FileManager.default.enumerator(atPath: root.path) else { return [] }
    return names.compactMap { $0 as? String }.filter { name in
      let content = try? Data(contentsOf: root.appendingPathComponent(name))
      return content?.range(of: Data(text.utf8)) != nil
    }.sorted()
  }

  // MARK: Retention

  /// `days` before the moment `now`.
  private func moment(_ days: Int, _ number: Int, quality: TimeQuality = .synchronised) -> Moment {
    Make.moment(number, from: 1_790_000_000_000 - Int64(days) * 86_400_000, quality: quality)
  }

  @Test func eachKindGoesAfterItsPeriodAndUnsettledEventsStay() async throws {
    let store = try SQLiteStore.open(options)
    let events = [
      Make.event(1, moment: moment(1200, 1)), Make.event(2, moment: moment(400, 2)),
      Make.event(3, .alarm, moment: moment(400, 3)), Make.event(4, moment: moment(390, 4)),
      Make.event(5, .alarm, moment: moment(800, 5)),
      Make.event(6, moment: moment(20_000, 6, quality: .untrusted)),
      Make.event(7, moment: moment(380, 7)), Make.event(8, moment: moment(10, 8)),
      Make.event(9, moment: moment(20_000, 9, quality: .untrusted)),
      Make.event(10, .trace, moment: moment(100, 10)),
      Make.event(11, .trace, moment: moment(1, 11)),
    ]
    for event in events { await store.commit(StepRecord(events: [event])) }
    let old = LocationRecord(
      resident: "mary", time: moment(40, 0).utc, timeQuality: .synchronised, coordinate: Make.home,
      accuracyMeters: nil, minutesAtLocation: 0, reason: .moved)
    await store.commit(StepRecord(changes: [.addLocationRecord(old), .addLocationSample(old)]))
    await store.save(PluginCursor(plugin: "slow", lane: .record, sequence: 3))
    // Without a clock to trust nothing goes.
    await store.maintain(at: moment(0, 100, quality: .untrusted))
    #expect(try await store.rows(.record).count == 7)
    await store.maintain(at: moment(0, 200))
    // 1 and 2 are old and settled; 4, 6 and 7 wait for the plugin; 9 is of unknown age.
    #expect(try await store.rows(.record).map(\.sequence) == [4, 6, 7, 8, 9])
    #expect(try await store.rows(.alarm).map(\.sequence) == [3])
    #expect(try await store.rows(.trace).map(\.id) == ["event-11"])
    // Neither the traces' period nor that of the records takes positions with it.
    #expect(try value("SELECT count(*) FROM location_record", in: options.carePath) == 1)
    #expect(try value("SELECT count(*) FROM location_sample", in: options.carePath) == 1)
    await store.save(PluginCursor(plugin: "slow", lane: .record, sequence: 9))
    await store.maintain(at: moment(0, 300))
    #expect(try await store.rows(.record).map(\.sequence) == [8, 9])
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.heads == LaneHeads(alarm: 3, record: 9, trace: 2))
    await again.close()
  }

  @Test(
    "Each period takes its own kind of positions and no other",
    arguments: [(30, 3650, 1, 0), (3650, 30, 0, 1), (30, 30, 0, 0), (3650, 3650, 1, 1)]
      as [(Int, Int, Int64, Int64)])
  func positions(seriesDays: Int, locationDays: Int, records: Int64, samples: Int64) async throws {
    var options = options
    options.retention = SQLiteStore.Options.Retention(
      trackDays: 1, seriesDays: seriesDays, locationDays: locationDays, recordDays: 1, alarmDays: 1)
    let store = try SQLiteStore.open(options)
    let old = LocationRecord(
      resident: "mary", time: moment(40, 0).utc, timeQuality: .synchronised, coordinate: Make.home,
      accuracyMeters: nil, minutesAtLocation: 0, reason: .moved)
    await store.commit(StepRecord(changes: [.addLocationRecord(old), .addLocationSample(old)]))
    await store.maintain(at: moment(0, 200))
    #expect(try value("SELECT count(*) FROM location_record", in: options.carePath) == records)
    #expect(try value("SELECT count(*) FROM location_sample", in: options.carePath) == samples)
    await store.close()
  }

  @Test func nobodyWaitsForEverForAPluginThatIsGone() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(StepRecord(events: [Make.event(1, moment: moment(1200, 1))]))
    await store.commit(StepRecord(events: [Make.event(2, moment: moment(1000, 2))]))
    await store.save(PluginCursor(plugin: "gone", lane: .record, sequence: 0))
    await store.maintain(at: moment(0, 10))
    #expect(try await store.rows(.record).map(\.sequence) == [2])
    await store.close()
  }
}
