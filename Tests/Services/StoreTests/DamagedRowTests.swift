import CGatewayShims
import Care
import Foundation
import JSON
import Ports
import TestSupport
import Testing
import Texts

@testable import Store

/// A row that is not as it was written is not believed, comes back from a copy, and is told of either way.
@Suite struct DamagedRowTests {
  let house: Household

  init() throws { house = try Household() }

  /// What is damaged by one bit, and what it is called.
  private static let harms: [(word: String, called: String)] = [
    ("+4791234567", "the guardian Anna"), ("Bert", "the guardian Bert"),
    ("Mary Gardener", "the resident Mary Gardener"), ("Cottage", "the zone Cottage"),
    ("C0:FF:EE:00:00:01", "a button, tag or meter"), ("dispatched", "an open alarm"),
    ("prealarmSeconds20", "the setting prealarmSeconds"),
    ("languagemary", "the setting language"),
  ]

  private func open() throws -> SQLiteStore {
    try SQLiteStore.open(house.options, isRecovering: true)
  }

  @Test("One bit of a row is enough: it comes back from the emergency card", arguments: 0..<6)
  func fromTheCard(_ number: Int) async throws {
    let (word, called) = Self.harms[number]
    let before = try await house.settle()
    #expect(try Household.flip(word, in: house.options.carePath) > 0)
    let again = try open()
    #expect(again.loaded == before)
    let report = try #require(again.damage.report)
    #expect(report.state == .degraded && report.code == "rows-restored")
    #expect(report.detail.description.contains(called))
    #expect(report.detail.description.contains("came back from the emergency card"))
    #expect(again.healthReport.code == "rows-restored")
    await again.close()
    let third = try open()
    #expect(third.damage.report == nil && third.loaded == before)
    await third.close()
  }

  @Test("Without the card it comes back from the newest backup that has it", arguments: 0..<6)
  func fromABackup(_ number: Int) async throws {
    let (word, called) = Self.harms[number]
    let before = try await house.settle()
    try FileManager.default.removeItem(atPath: house.card)
    #expect(try Household.flip(word, in: house.options.carePath) > 0)
    let again = try open()
    #expect(again.loaded == before)
    let text = try #require(again.damage.report?.detail.description)
    #expect(text.contains(called) && text.contains("came back from the backup care-000001"))
    await again.close()
  }

  @Test("Without any copy it is told at each start until somebody has entered it again")
  func lost() async throws {
    var before = try await house.settle()
    try house.removeCopies()
    #expect(try Household.flip("+4791234567", in: house.options.carePath) == 1)
    for _ in 0..<2 {
      let again = try open()
      #expect(again.loaded.guardians == [Household.bert])
      let report = try #require(again.damage.report)
      #expect(report.state == .failed && report.code == "rows-lost" && report.namesPeople)
      #expect(report.detail.description.hasPrefix("the guardian anna could not be read"))
      await again.close()
      try house.removeCopies()
    }
    let last = try open()
    await last.commit(StepRecord(changes: [.putGuardian(Household.anna)]))
    await last.close()
    let mended = try open()
    #expect(mended.damage.report == nil)
    before.heads = mended.loaded.heads
    #expect(mended.loaded == before)
    await mended.close()
  }

  @Test(
    "A due time, where a plugin stands and what a setting says are rows like others",
    arguments: ["2026-11-21T08:00", "mqttalarm"])
  func others(word: String) async throws {
    let before = try await house.settle()
    #expect(try Household.flip(word, in: house.options.carePath) > 0)
    let again = try open()
    #expect(again.damage.report != nil)
    #expect(again.loaded.occurrences == before.occurrences)
    #expect(try await again.cursors("mqtt") == [Household.cursor])
    await again.close()
  }

  @Test("Rows that change places are not believed")
  func swapped() async throws {
    let before = try await house.settle()
    let connection = try Connection(path: house.options.carePath, mode: .readWrite)
    try connection.script(
      """
      CREATE TEMP TABLE kept AS SELECT * FROM guardian;
      UPDATE guardian SET (content, checksum) =
        (SELECT content, checksum FROM kept WHERE kept.id <> guardian.id);
      """)
    connection.close()
    let again = try open()
    #expect(again.loaded == before)
    let text = try #require(again.damage.report?.detail.description)
    #expect(text.contains("the guardian Anna") && text.contains("the guardian Bert"))
    await again.close()
  }

  @Test("A row without its checksum is not believed")
  func unchecked() async throws {
    let before = try await house.settle()
    let connection = try Connection(path: house.options.carePath, mode: .readWrite)
    try connection.run("UPDATE setting SET checksum = NULL")
    connection.close()
    let again = try open()
    #expect(again.loaded == before && again.damage.report?.code == "rows-restored")
    await again.close()
  }

  @Test(
    "Rows that vanish without a trace come back from the card of the same number",
    arguments: ["guardian", "zone", "resident", "setting", "engine_state"])
  func vanished(table: String) async throws {
    let before = try await house.settle()
    let connection = try Connection(path: house.options.carePath, mode: .readWrite)
    try connection.run("DELETE FROM \(table)")
    connection.close()
    let again = try open()
    #expect(again.loaded == before)
    #expect(again.damage.report?.code == "rows-restored")
    await again.close()
  }

  @Test("A row whose key is damaged is found again by what it nearly is")
  func damagedKey() async throws {
    let before = try await house.settle()
    try FileManager.default.removeItem(atPath: house.card)
    let connection = try Connection(path: house.options.carePath, mode: .readWrite)
    try connection.run("UPDATE guardian SET id = 'zert' WHERE id = 'bert'")
    connection.close()
    let again = try open()
    #expect(again.loaded == before)
    let text = try #require(again.damage.report?.detail.description)
    #expect(text.hasPrefix("the guardian Bert could not be read and came back from the backup"))
    await again.close()
  }

  @Test("An event that is not as it was written is handed to nobody, and told")
  func events() async throws {
    let store = try open()
    await store.commit(
      StepRecord(events: [Make.event(1, .alarm, facts: ["explanation": "Mary pressed SOS."])]))
    await store.commit(Make.step(2, .alarm))
    await store.close()
    #expect(try Household.flip("Mary pressed SOS.", in: house.options.carePath) == 1)
    let again = try open()
    #expect(try await again.rows(.alarm).map(\.id) == ["event-2"])
    #expect(try await again.found("event-1") == nil)
    await again.maintain(at: Make.moment(1000))
    #expect(again.healthReport.code == "events-damaged" && again.healthReport.state == .failed)
    await again.close()
  }

  @Test("What was told of damage goes with the resident whom it names")
  func erased() async throws {
    _ = try await house.settle()
    try house.removeCopies()
    #expect(try Household.flip("Cottage", in: house.options.carePath) == 1)
    let again = try open()
    #expect(again.damage.report?.code == "rows-lost")
    await again.commit(StepRecord(changes: [.eraseResident("mary")]))
    await again.close()
    #expect(try value("SELECT count(*) FROM damaged_row", in: house.options.carePath) == 0)
  }

  @Test("The checksum that an event is written with is the one that SQL has of its row")
  func sumWhileWriting() async throws {
    let store = try open()
    for (number, lane) in [Lane.alarm, .record, .record].enumerated() {
      await store.commit(
        StepRecord(events: [Make.event(number, lane, facts: ["name": .string("Zoë"), "": .null])]))
    }
    await store.close()
    let connection = try Connection(path: house.options.carePath, mode: .readOnly)
    let sum = "homeward_checksum('journal', \(JournalCheck.columns))"
    #expect(try connection.integer("SELECT count(*) FROM journal WHERE checksum = \(sum)") == 3)
    let journal = try connection.journal()
    var reader = EventReader(journal)
    var ids: [EventID] = []
    try connection.rows("SELECT \(journal.columns) FROM \(journal.name)") { row in
      ids += reader.event(row).map { [$0.id] } ?? []
      return true
    }
    #expect(ids == ["event-0", "event-1", "event-2"])
  }

  @Test("Of an event, each column that is not as it was written is noticed")
  func everyColumn() async throws {
    let store = try open()
    await store.commit(Make.step(1, .record))
    await store.close()
    for column in ["tick", "time", "checksum"] + [
      "id", "boot_id", "time_quality", "type", "subject", "lane", "body",
    ] {
      let connection = try Connection(path: house.options.carePath, mode: .readWrite)
      let isNumber = ["tick", "time", "checksum"].contains(column)
      try connection.script(
        "SAVEPOINT harm; UPDATE journal SET \(column) = \(column) \(isNumber ? "+ 1" : "|| 'x'")")
      let journal = try connection.journal()
      var reader = EventReader(journal)
      var found = 0
      try connection.rows("SELECT \(journal.columns) FROM \(journal.name)") { row in
        if reader.event(row) != nil { found += 1 }
        return true
      }
      #expect(found == 0, "\(column)")
      try connection.script("ROLLBACK TO harm; RELEASE harm")
    }
  }

  @Test("The checksum is CRC-32C, with and without the processor's instruction")
  func vectors() {
    for (bytes, sum) in [
      ([UInt8](repeating: 0, count: 32), UInt32(0x8A91_36AA)),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E),
      (Array((0..<32).reversed()), 0x113F_DB5C), (Array("123456789".utf8), 0xE306_9283),
    ] {
      var checksum = RowChecksum()
      bytes.withUnsafeBytes { checksum.add($0) }
      #expect(checksum.sum == sum)
      #expect(~homeward_crc32c_by_tables(~0, bytes, bytes.count) == sum)
      for cut in bytes.indices {
        let (head, tail) = (Array(bytes[..<cut]), Array(bytes[cut...]))
        #expect(~homeward_crc32c(homeward_crc32c(~0, head, head.count), tail, tail.count) == sum)
      }
    }
  }
}

/// The header says one thing and the tables another: what a bit did is put right, what a newer version made is left.
@Suite struct DamagedHeaderTests {
  let house: Household

  init() throws { house = try Household() }

  /// A copy of the house's files, with one byte of the database changed.
  private func copy(flipping offset: Int, by mask: UInt8) throws -> (
    MemoryDirectory, SQLiteStore.Options
  ) {
    let place = try MemoryDirectory()
    for name in ["store", "card"] {
      try FileManager.default.copyItem(
        atPath: house.directory.path(of: name), toPath: "\(place.path)/\(name)")
    }
    var options = SQLiteStore.Options.test("\(place.path)/store")
    options.cardPlaces = [["\(place.path)/card"]]
    let url = URL(fileURLWithPath: options.carePath)
    var bytes = try Data(contentsOf: url)
    bytes[offset] ^= mask
    try bytes.write(to: url)
    return (place, options)
  }

  @Test(
    "Each bit of application id and version that flips is put right and told",
    .timeLimit(.minutes(2)))
  func marks() async throws {
    let before = try await house.settle()
    for offset in [60, 61, 62, 63, 68, 69, 70, 71] {
      for bit in 0..<8 {
        let (place, options) = try copy(flipping: offset, by: 1 << bit)
        let again = try SQLiteStore.open(options, isRecovering: true)
        #expect(again.loaded == before, "\(place.path) \(offset) \(bit)")
        #expect(again.damage.report?.code == "header-damaged", "\(offset) \(bit)")
        await again.close()
        let third = try SQLiteStore.open(options, isRecovering: true)
        #expect(third.damage.report == nil, "\(offset) \(bit)")
        await third.close()
      }
    }
  }

  @Test(
    "Each byte of the header that flips is survived, and what it cost is told",
    .timeLimit(.minutes(2)))
  func bytes() async throws {
    let before = try await house.settle()
    for offset in 0..<100 {
      let (place, options) = try copy(flipping: offset, by: 0x40)
      let again = try SQLiteStore.open(options, isRecovering: true)
      let loaded = again.loaded
      #expect(
        loaded.guardians == before.guardians && loaded.zones == before.zones,
        "\(place.path) \(offset)")
      if loaded != before { #expect(again.damage.isLoss, "\(offset)") }
      let heads = LaneHeads(alarm: loaded.heads.record + 1, record: loaded.heads.record)
      #expect(await again.commit(Make.step(500, .alarm)) == .committed(heads), "\(offset)")
      await again.close()
    }
  }

  @Test("A flipped bit in the text of a table is damage and not another program's database")
  func schema() async throws {
    let before = try await house.settle()
    #expect(try Household.flip("radius_meters", in: house.options.carePath) > 0)
    let again = try SQLiteStore.open(house.options, isRecovering: true)
    #expect(again.damage.recovery?.restoredBackup != nil)
    #expect(again.loaded.guardians == before.guardians && again.loaded.zones == before.zones)
    await again.close()
  }

  @Test("A table that begins on another's page is damage")
  func roots() async throws {
    let before = try await house.settle()
    let connection = try Connection(path: house.options.carePath, mode: .readWrite)
    try connection.script(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage =
        (SELECT rootpage FROM sqlite_schema WHERE name = 'bookmark') WHERE name = 'guardian';
      """)
    connection.close()
    let again = try SQLiteStore.open(house.options, isRecovering: true)
    #expect(again.loaded.guardians == before.guardians)
    #expect(again.damage.isLoss)
    await again.close()
  }
}
