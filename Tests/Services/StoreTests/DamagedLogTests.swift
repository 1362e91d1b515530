import Care
import Foundation
import Moments
import Ports
import TestSupport
import Testing
import Texts

@testable import Store

/// What SQLite leaves out of its write-ahead log without a word is told, from the mark beside the database.
@Suite struct DamagedLogTests {
  let house: Household

  init() throws { house = try Household() }

  /// The files of a store as a kill leaves them, its newest commits in the log alone.
  private func killed(
    _ work: (SQLiteStore) async throws -> Void
  ) async throws -> TemporaryDirectory {
    let store = try SQLiteStore.open(house.options, isRecovering: true)
    try await work(store)
    let left = try TemporaryDirectory()
    try FileManager.default.copyItem(
      atPath: house.options.directory, toPath: left.path(of: "store"))
    if FileManager.default.fileExists(atPath: house.card) {
      try FileManager.default.copyItem(
        atPath: house.directory.path(of: "card"), toPath: left.path(of: "card"))
    }
    await store.close()
    return left
  }

  private func options(in directory: TemporaryDirectory) -> SQLiteStore.Options {
    var options = SQLiteStore.Options.test(directory.path(of: "store"))
    options.cardPlaces = [[directory.path(of: "card")]]
    return options
  }

  @Test("Events that the log lost are counted, and people that it lost come back from the card")
  func events() async throws {
    _ = try await house.settle()
    let carl = Guardian(id: "carl", resident: "mary", name: "Carl", phone: "+4790000001")
    let left = try await killed { store in
      await store.commit(StepRecord(events: [Make.event(101)], changes: [.putGuardian(carl)]))
      for number in 102...110 { await store.commit(Make.step(number)) }
      // The card is written by a thread of its own once the gateway is armed.
      await store.maintain(at: Make.moment(200))
      let card = house.card
      #expect(
        Eventually.holds(withinSeconds: 10) {
          (try? String(contentsOfFile: card, encoding: .utf8))?.contains("carl") == true
        })
    }
    let options = options(in: left)
    #expect(try Household.flip("event-101", in: options.carePath + "-wal") > 0)
    let again = try SQLiteStore.open(options, isRecovering: true)
    let report = try #require(again.damage.report)
    #expect(report.state == .failed && report.code == "events-lost")
    #expect(again.damage.lostEvents == 10)
    #expect(report.detail.description.hasPrefix("The newest 10 events of the journal are lost"))
    #expect(report.detail.description.contains("2026-09-21T14:15:10"))
    #expect(again.loaded.guardians.map(\.id) == ["anna", "bert", "carl"])
    #expect(again.healthReport.code == "events-lost")
    await again.close()
  }

  @Test("A change without an event that the log lost is told as well")
  func changes() async throws {
    _ = try await house.settle()
    let left = try await killed { store in
      await store.save(PluginCursor(plugin: "mqtt", lane: .alarm, sequence: 77))
    }
    let options = options(in: left)
    let log = options.carePath + "-wal"
    for offset in [16, 20, 24, 32 + 24 + 100] {
      let whole = try Data(contentsOf: URL(fileURLWithPath: log))
      var bytes = whole
      bytes[offset] ^= 0x10
      try bytes.write(to: URL(fileURLWithPath: log))
      let copy = try TemporaryDirectory()
      try FileManager.default.copyItem(atPath: options.directory, toPath: copy.path(of: "store"))
      try whole.write(to: URL(fileURLWithPath: log))
      let again = try SQLiteStore.open(self.options(in: copy), isRecovering: true)
      #expect(again.damage.report?.code == "events-lost", "\(offset)")
      await again.close()
    }
  }

  @Test("A kill alone loses nothing and tells of nothing, nor does a mark from before it")
  func kill() async throws {
    _ = try await house.settle()
    let early = house.directory.path(of: "early.mark")
    let left = try await killed { store in
      await store.commit(Make.step(101, .alarm))
      try FileManager.default.copyItem(
        atPath: CommitMark.path(house.options), toPath: early)
      for number in 102...140 { await store.commit(Make.step(number)) }
    }
    let options = options(in: left)
    for isOld in [false, true] {
      let copy = try TemporaryDirectory()
      try FileManager.default.copyItem(atPath: options.directory, toPath: copy.path(of: "store"))
      let own = self.options(in: copy)
      if isOld {
        try FileManager.default.removeItem(atPath: CommitMark.path(own))
        try FileManager.default.copyItem(atPath: early, toPath: CommitMark.path(own))
      }
      let again = try SQLiteStore.open(own, isRecovering: true)
      #expect(again.damage.report == nil)
      #expect(again.loaded.heads.record >= 80)
      await again.close()
    }
  }

  @Test("An older copy that somebody puts in the place of the database is told by what is missing")
  func olderCopy() async throws {
    _ = try await house.settle()
    let old = house.directory.path(of: "old.db")
    try FileManager.default.copyItem(atPath: house.options.carePath, toPath: old)
    let store = try SQLiteStore.open(house.options, isRecovering: true)
    for number in 101...107 { await store.commit(Make.step(number)) }
    await store.close()
    try FileManager.default.removeItem(atPath: house.options.carePath)
    try FileManager.default.copyItem(atPath: old, toPath: house.options.carePath)
    let again = try SQLiteStore.open(house.options, isRecovering: true)
    #expect(again.damage.lostEvents == 7)
    await again.close()
    // Whoever restores it by the command wants it.
    try SQLiteStore.restore(backup: old, into: house.options.directory)
    let restored = try SQLiteStore.open(house.options, isRecovering: true)
    #expect(restored.damage.report == nil)
    await restored.close()
  }

  @Test("A database with another history is told, however long it is")
  func otherHistory() async throws {
    _ = try await house.settle()
    let other = SQLiteStore.Options.test(house.directory.path(of: "other"))
    let store = try SQLiteStore.open(other)
    for number in 501...600 { await store.commit(Make.step(number)) }
    await store.close()
    try FileManager.default.removeItem(atPath: house.options.carePath)
    try FileManager.default.copyItem(atPath: other.carePath, toPath: house.options.carePath)
    let again = try SQLiteStore.open(house.options, isRecovering: true)
    #expect(again.damage.isOther && again.healthReport.code == "events-lost")
    await again.close()
  }

  @Test("A loss is told again after a crash before anybody could hear of it")
  func toldAgain() async throws {
    _ = try await house.settle()
    let left = try await killed { store in
      for number in 101...110 { await store.commit(Make.step(number)) }
    }
    let options = options(in: left)
    #expect(try Household.flip("event-101", in: options.carePath + "-wal") > 0)
    for number in 1...2 {
      let again = try SQLiteStore.open(options, isRecovering: true)
      #expect(again.damage.lostEvents == Int64(11 - number))
      await again.commit(Make.step(200 + number))
      await again.close()
    }
  }

  @Test("A mark survives a torn or damaged half, and one that is no file stops nobody")
  func marks() throws {
    let path = house.directory.path(of: "mark")
    var options = house.options
    options.directory = house.directory.path(of: "marks")
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let file = CommitMarkFile(options, hasLoss: false, at: Tick(nanoseconds: 0))
    for number in 1...5 {
      file.write(
        CommitMark(
          sequence: Int64(number), event: "event-\(number)", time: Make.moment(number).utc,
          card: 3), at: Tick(nanoseconds: 1))
    }
    let whole = try Data(contentsOf: URL(fileURLWithPath: CommitMark.path(options)))
    #expect(CommitMark.newest(in: CommitMark.path(options))?.sequence == 5)
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      let sequence = try #require(CommitMark.newest(in: path)?.sequence)
      #expect([4, 5].contains(sequence))
    }
    for count in [0, 1, 511, 512, 1023] {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      #expect(CommitMark.newest(in: path) == nil)
    }
  }

  @Test("A database with its tables and nothing in them is damage where there was something")
  func emptied() async throws {
    let before = try await house.settle()
    let store = try SQLiteStore.open(.test(house.directory.path(of: "other")))
    let fresh = try await store.copied(to: house.directory.path(of: "fresh.db"))
    await store.close()
    let connection = try Connection(path: fresh, mode: .readWrite)
    try connection.run("DELETE FROM meta WHERE name = 'card'")
    connection.close()
    for keepsMark in [true, false] {
      if !keepsMark { try FileManager.default.removeItem(atPath: CommitMark.path(house.options)) }
      try FileManager.default.removeItem(atPath: house.options.carePath)
      try FileManager.default.copyItem(atPath: fresh, toPath: house.options.carePath)
      let again = try SQLiteStore.open(house.options, isRecovering: true)
      #expect(again.damage.recovery?.restoredBackup != nil)
      #expect(again.loaded.guardians == before.guardians)
      #expect(again.healthReport.state == .failed)
      await again.close()
    }
  }
}
