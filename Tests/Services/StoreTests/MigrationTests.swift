import Care
import Foundation
import JSON
import Moments
import Notebook
import Ports
import Reminders
import TestSupport
import Testing

@testable import Store

@Suite struct MigrationTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  private static let next = Schema(
    applicationID: Schema.care.applicationID,
    migrations: Schema.care.migrations + [
      Migration(
        version: Schema.care.newest + 1,
        statements: """
          ALTER TABLE journal ADD COLUMN note TEXT;
          CREATE TABLE reminder (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
          """)
    ])

  /// The newest schema with an alarm that no plugin has settled, and cursors with exceptions.
  private func makeReleasedStore() async throws -> PluginCursor {
    let store = try SQLiteStore.open(options)
    for number in 1...10 { await store.commit(Make.step(number)) }
    await store.commit(
      StepRecord(
        events: [Make.event(11, .alarm, type: "zone.left")],
        changes: [
          .putEngineRow(
            EngineRow(
              engine: "tracking", subject: "mary", name: "zone:home", content: ["state": "outside"])
          )
        ]))
    let cursor = PluginCursor(
      plugin: "mqtt", lane: .alarm, sequence: 11,
      exceptions: [PluginCursor.Exception(sequence: 11, subject: "resident/mary", attempts: 3)])
    await store.save(cursor)
    await store.close()
    return cursor
  }

  @Test func aReleasedSchemaWithAnOpenAlarmIsBroughtForwardWithEventsStateAndCursors() async throws
  {
    let cursor = try await makeReleasedStore()
    let opened = try Opened(options, schema: Self.next, isRecovering: false)
    defer { opened.care.close() }
    #expect(try opened.care.integer("PRAGMA user_version") == Schema.care.newest + 1)
    #expect(try opened.care.integer("SELECT count(*) FROM reminder") == 0)
    #expect(opened.state.heads == LaneHeads(alarm: 11, record: 10))
    #expect(opened.state.engineRows.first?.content == ["state": "outside"])
    #expect(try PluginReader(care: opened.care).cursors(of: "mqtt") == [cursor])
    let body = try opened.care.first("SELECT body FROM journal WHERE sequence = 11") { $0.bytes(0) }
    #expect(body == Make.event(11, .alarm, type: "zone.left").body)
    #expect(try EventWriter(care: opened.care).append(Make.event(12)) == 12)
    #expect(try DatabaseCheck(care: opened.care).damage() == nil)
  }

  @Test func theFirstReleaseIsBroughtForwardAndTakesGuardians() async throws {
    let first = Schema(applicationID: Schema.care.applicationID, migrations: [.care1])
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let old = try Connection.writable(
      path: options.carePath, schema: first, synchronous: "FULL", options: options)
    try old.appendAsReleased(Make.event(1, .alarm, type: "zone.left"))
    try old.run("INSERT INTO resident VALUES ('mary', 'Mary', 'Europe/Oslo', NULL)")
    old.close()
    let anna = Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", tier: 2)
    let bert = Guardian(id: "bert", resident: "mary", name: "老王", email: "b@example.org")
    let store = try SQLiteStore.open(options)
    #expect(store.loaded.heads == LaneHeads(alarm: 1))
    #expect(store.loaded.residents.map(\.id) == ["mary"] && store.loaded.guardians.isEmpty)
    await store.commit(StepRecord(changes: [.putGuardian(bert), .putGuardian(anna)]))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.guardians == [anna, bert])
    await again.commit(StepRecord(changes: [.removeGuardian("bert")]))
    await again.commit(StepRecord(changes: [.eraseResident("mary")]))
    await again.close()
    let last = try SQLiteStore.open(options)
    #expect(last.loaded.guardians.isEmpty)
    await last.close()
  }

  @Test(
    "Every released schema with an alarm open is brought forward and takes notes and due times",
    arguments: (1...4).map { Array(Schema.care.migrations.prefix($0)) })
  func everyReleaseTakesTheRoutine(_ released: [Migration]) async throws {
    let schema = Schema(applicationID: Schema.care.applicationID, migrations: released)
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let old = try Connection.writable(
      path: options.carePath, schema: schema, synchronous: "FULL", options: options)
    try old.appendAsReleased(Make.event(1, .alarm, type: "alarm.raised"))
    let alarm = EngineRow(
      engine: "alarms", subject: "mary", name: "alarm:event-1", content: ["stage": "dispatched"])
    try old.run(
      "INSERT INTO engine_state VALUES ('alarms', 'mary', 'alarm:event-1', '{\"stage\":\"dispatched\"}')"
    )
    try old.run("INSERT INTO resident VALUES ('mary', 'Mary', 'Europe/Oslo', NULL)")
    let cursor = PluginCursor(plugin: "mqtt", lane: .alarm, sequence: 0)
    try old.run("INSERT INTO plugin_cursor VALUES ('mqtt', 'alarm', 0)")
    old.close()
    let note = Note(
      id: "n1", resident: "mary", kind: .memo, text: "记得 🫖", time: Make.moment(1).utc,
      changedAt: Make.moment(1).utc, revision: 1)
    let due = Occurrence(
      item: "tea", resident: "mary", slot: "2026-11-21T08:00", due: Make.moment(2).utc,
      changedAt: Make.moment(2).utc)
    let store = try SQLiteStore.open(options)
    #expect(store.loaded.engineRows == [alarm] && store.loaded.heads == LaneHeads(alarm: 1))
    #expect(store.loaded.notes.isEmpty && store.loaded.occurrences.isEmpty)
    #expect(try await store.rows(.alarm).map(\.id) == ["event-1"])
    #expect(try await store.cursors("mqtt") == [cursor])
    await store.commit(StepRecord(changes: [.putNote(note), .putOccurrence(due)]))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(try await again.note("n1") == note)
    #expect(again.loaded.occurrences == [due] && again.loaded.engineRows == [alarm])
    await again.close()
  }

  @Test("Messages of before carry no recording, and one whose checksum was wrong stays doubted")
  func messagesTakeRecordings() async throws {
    let released = Array(Schema.care.migrations.prefix { $0.version < 8 })
    let schema = Schema(applicationID: Schema.care.applicationID, migrations: released)
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let old = try Connection.writable(
      path: options.carePath, schema: schema, synchronous: "FULL", options: options)
    for id in ["good", "bad"] {
      try old.run(
        """
        INSERT INTO message VALUES ('\(id)', 'mary', 'to-resident', 'Anna', 'Hello', 5, NULL, NULL,
          '', homeward_checksum('message', '\(id)', 'mary', 'to-resident', 'Anna',
            '\(id == "good" ? "Hello" : "Damage")', 5, NULL, NULL, ''))
        """)
    }
    old.close()
    let store = try SQLiteStore.open(options)
    let message = ChatMessage(
      id: "good", resident: "mary", direction: .toResident, sender: "Anna", text: "Hello",
      sentAt: Timestamp(milliseconds: 5))
    #expect(store.loaded.messages == [message] && store.loaded.recordings.isEmpty)
    await store.close()
  }

  @Test func theCopyMadeBeforeAMigrationOpensInTheOlderVersionAgain() async throws {
    let cursor = try await makeReleasedStore()
    let opened = try Opened(options, schema: Self.next, isRecovering: false)
    opened.care.close()
    do {
      _ = try SQLiteStore.open(options)
      Issue.record("the older version opened a newer database")
    } catch { #expect(error.code == .newerVersion) }
    let backup = try #require(SQLiteStore.backups(in: options.backupDirectory).first)
    try SQLiteStore.restore(backup: backup, into: options.directory)
    let store = try SQLiteStore.open(options)
    #expect(store.loaded.heads == LaneHeads(alarm: 11, record: 10))
    #expect(try await store.cursors("mqtt") == [cursor])
    await store.close()
  }

  @Test func aMigrationThatFailsHalfWayLeavesTheOldSchema() async throws {
    _ = try await makeReleasedStore()
    let broken = Schema(
      applicationID: Schema.care.applicationID,
      migrations: Schema.care.migrations + [
        Migration(
          version: Schema.care.newest + 1,
          statements: "CREATE TABLE half (id TEXT) STRICT; SELECT nothing;")
      ])
    #expect(throws: StoreError.self) {
      try Opened(options, schema: broken, isRecovering: false)
    }
    #expect(try value("PRAGMA user_version", in: options.carePath) == Schema.care.newest)
    #expect(
      try value("SELECT count(*) FROM sqlite_schema WHERE name = 'half'", in: options.carePath) == 0
    )
    let store = try SQLiteStore.open(options)
    #expect(store.loaded.heads == LaneHeads(alarm: 11, record: 10))
    await store.close()
  }

  @Test func releasedSchemasNeverChange() {
    // A digest of the released statements: whoever changes them must write a new migration instead.
    let released = [Migration.care1, .traces1, .inputs1, .care2, .care3, .care4, .care5, .care6].map
    {
      migration in
      migration.statements.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
    }
    #expect(
      released == [
        2_022_004_983_318_394_251, 2_804_448_918_107_492_493, 14_732_861_035_179_010_363,
        13_312_803_684_555_004_182, 3_355_697_449_126_007_165, 7_660_195_877_432_004_727,
        5_074_794_713_043_187_131, 7_062_027_518_149_827_085,
      ])
  }

  @Test("Each step changes the shape of the database, by which its version is known")
  func shapes() throws {
    for schema in [Schema.care, .traces, .inputs] {
      let shapes = SchemaShape.shapes(after: schema.migrations)
      #expect(shapes.count == schema.migrations.count)
      #expect(Set(shapes.values).count == shapes.count)
      #expect(
        schema.newestShape == shapes[schema.newest]?.fingerprint, "the step's shape is kept with it"
      )
    }
  }
}

extension Connection {
  /// Appends an event as versions before the checksums did.
  func appendAsReleased(_ event: EncodedEvent) throws(SQLiteFailure) {
    try run(
      """
      INSERT INTO journal (id, boot_id, tick, time, time_quality, type, subject, lane, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(event.id.rawValue), .text(event.boot.rawValue),
      .integer(event.moment.tick.nanoseconds), .integer(event.moment.utc.milliseconds),
      .text(event.moment.quality.rawValue), .text(event.type.rawValue), .text(event.subject),
      .text(event.lane.rawValue), .textBytes(event.body))
  }
}
