import CareModel
import Foundation
import GatewayPorts
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct MigrationTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  private static let next = Schema(
    applicationID: Schema.care.applicationID,
    migrations: Schema.care.migrations + [
      Migration(
        version: 2,
        statements: """
          ALTER TABLE journal ADD COLUMN note TEXT;
          CREATE TABLE reminder (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
          """)
    ])

  /// Schema 1 with an alarm that no plugin has settled, and cursors with exceptions.
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
    #expect(try opened.care.integer("PRAGMA user_version") == 2)
    #expect(try opened.care.integer("SELECT count(*) FROM reminder") == 0)
    #expect(opened.state.heads == LaneHeads(alarm: 11, record: 10))
    #expect(opened.state.engineRows.first?.content == ["state": "outside"])
    #expect(try opened.care.cursors(of: "mqtt") == [cursor])
    let body = try opened.care.first("SELECT body FROM journal WHERE sequence = 11") { $0.bytes(0) }
    #expect(body == Make.event(11, .alarm, type: "zone.left").body)
    #expect(try opened.care.append(Make.event(12)) == 12)
    #expect(try opened.care.damage() == nil)
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
        Migration(version: 2, statements: "CREATE TABLE half (id TEXT) STRICT; SELECT nothing;")
      ])
    #expect(throws: StoreError.self) {
      try Opened(options, schema: broken, isRecovering: false)
    }
    #expect(try value("PRAGMA user_version", in: options.carePath) == 1)
    #expect(
      try value("SELECT count(*) FROM sqlite_schema WHERE name = 'half'", in: options.carePath) == 0
    )
    let store = try SQLiteStore.open(options)
    #expect(store.loaded.heads == LaneHeads(alarm: 11, record: 10))
    await store.close()
  }

  @Test func releasedSchemasNeverChange() {
    // A digest of the released statements: whoever changes them must write a new migration instead.
    let released = [Migration.care1, .traces1, .inputs1].map { migration in
      migration.statements.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
    }
    #expect(
      released == [
        2_022_004_983_318_394_251, 2_804_448_918_107_492_493, 14_732_861_035_179_010_363,
      ])
  }
}
