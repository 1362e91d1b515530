import Care
import Foundation
import JSON
import Moments
import Ports
import TestSupport
import Testing
import Texts

@testable import Store

@Suite struct OpeningTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }
  var care: String { options.carePath }

  init() throws { directory = try TemporaryDirectory() }

  /// The code of the error that opening gives, and its words.
  private func refusal(isRecovering: Bool = false) -> StoreError? {
    do {
      let store = try SQLiteStore.open(options, isRecovering: isRecovering)
      store.close {}
      return nil
    } catch { return error }
  }

  private func makeStore(events: Int = 200) async throws {
    let store = try SQLiteStore.open(options)
    for number in 1..<events { store.submit(Make.step(number)) { _ in } }
    await store.commit(Make.step(events, .alarm))
    await store.close()
  }

  private func overwrite(_ path: String, at offset: UInt64, with bytes: [UInt8]) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  @Test func filesBelongToTheirOwnerAlone() async throws {
    try await makeStore()
    let attributes = try FileManager.default.attributesOfItem(atPath: options.directory)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: options.directory) {
      let path = options.path(name)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test func aSecondDaemonIsRefusedUntilTheFirstHasClosed() async throws {
    let store = try SQLiteStore.open(options)
    #expect(refusal()?.code == .locked)
    #expect(refusal()?.message.description.contains("stop it first") == true)
    await store.close()
    let again = try SQLiteStore.open(options)
    await again.close()
  }

  @Test func theLockOfAnotherProcessIsRespectedAndGoesWithIt() async throws {
    try await makeStore()
    let holder = try LineProcess(
      "flock", [options.path("lock"), "/bin/sh", "-c", "echo held; read line"])
    _ = try holder.output.take("the lock") { $0 == "held" }
    #expect(refusal()?.code == .locked)
    holder.closeInput()
    try holder.waitForEnd()
    let store = try SQLiteStore.open(options)
    await store.close()
  }

  @Test func anotherProcessReadsTheLiveDatabaseWithOrdinaryTools() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(StepRecord(events: [Make.event(1, facts: ["name": "王芳 🏠"])]))
    let answer = try ProgramOutput(
      "sqlite3", [care, "SELECT time, type, body ->> 'data' ->> 'name' FROM events"])
    #expect(answer.text == "2026-09-21T14:13:21.000Z|location.recorded|王芳 🏠\n")
    await store.close()
  }

  @Test func aNewerDatabaseIsLeftAloneAndSaysWhatToDo() async throws {
    try await makeStore()
    let connection = try Connection(path: care, mode: .readWrite)
    try connection.script("ALTER TABLE journal ADD COLUMN later TEXT; PRAGMA user_version = 99")
    connection.close()
    let error = refusal(isRecovering: true)
    #expect(error?.code == .newerVersion)
    #expect(error?.message.description.contains("newer Homeward") == true)
    #expect(try value("SELECT count(*) FROM journal", in: care) == 200)
  }

  @Test func aDatabaseOfAnotherProgramIsNeverTouched() async throws {
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let connection = try Connection(path: care, mode: .create)
    try connection.script("CREATE TABLE recipe (name TEXT)")
    connection.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: care))
    #expect(refusal(isRecovering: true)?.code == .notOurs)
    #expect(try Data(contentsOf: URL(fileURLWithPath: care)) == before)
  }

  @Test func whatIsNoDatabaseIsRefusedByName() async throws {
    try directory.write(String(repeating: "Dear diary. ", count: 1000), to: "store/care.db")
    let error = refusal()
    #expect(error?.code == .notOurs)
    #expect(error?.message.description.contains("homeward restore") == true)
  }

  @Test(arguments: [0, 100, 5000, 20_000])
  func aTruncatedDatabaseIsRefusedOrEmptyButNeverCrashes(bytes: UInt64) async throws {
    try await makeStore()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: care))
    try file.truncate(atOffset: bytes)
    try file.close()
    let error = refusal()
    // A file of no bytes is a new database; anything else is damage.
    #expect((error == nil) == (bytes == 0))
    if let error { #expect([.corrupt, .notOurs].contains(error.code)) }
  }

  @Test func theDaemonRecoversFromDamageWithTheNewestGoodBackup() async throws {
    try await makeStore(events: 50)
    let store = try SQLiteStore.open(options)
    await store.maintain(at: Make.moment(1000))
    await store.commit(Make.step(51))
    await store.maintain(at: Make.moment(22_000_000))
    await store.close()
    let backups = SQLiteStore.backups(in: options.backupDirectory)
    try #require(backups.count == 2)
    try overwrite(backups[0], at: 4096, with: [UInt8](repeating: 0xA5, count: 30_000))
    try overwrite(care, at: 0, with: [UInt8](repeating: 0, count: 20_000))
    #expect(refusal() != nil)
    let recovered = try SQLiteStore.open(options, isRecovering: true)
    let recovery = try #require(recovered.damage.recovery)
    #expect(backups[1].hasSuffix("/" + (recovery.restoredBackup ?? "none")))
    #expect(
      FileManager.default.fileExists(atPath: options.path(try #require(recovery.damagedFile))))
    #expect(recovered.healthReport.code == "recovered")
    #expect(recovered.loaded.heads == LaneHeads(alarm: 50, record: 49))
    #expect(await recovered.commit(Make.step(52)) == .committed(LaneHeads(alarm: 50, record: 51)))
    await recovered.close()
  }

  @Test("A backup made by hand brings a damaged database back like any other, the newest first")
  func backupMadeByHand() async throws {
    try await makeStore(events: 50)
    let store = try SQLiteStore.open(options)
    await store.maintain(at: Make.moment(1000))
    await store.commit(Make.step(51))
    let regular = try #require(SQLiteStore.backups(in: options.backupDirectory).first)
    let byHand = try await store.copied(to: nil, at: Timestamp(iso8601: "2999-12-31T00:00:00Z"))
    #expect(byHand == options.backupDirectory + "/by-hand-29991231T000000Z.db")
    await store.close()
    try overwrite(care, at: 0, with: [UInt8](repeating: 0, count: 20_000))
    let recovered = try SQLiteStore.open(options, isRecovering: true)
    #expect(recovered.damage.recovery?.restoredBackup == "by-hand-29991231T000000Z.db")
    #expect(recovered.loaded.heads.record == 51)
    await recovered.close()
    // Without any other it counts as well: an empty database beside it is a loss.
    for path in [regular, care] { try FileManager.default.removeItem(atPath: path) }
    for name in try FileManager.default.contentsOfDirectory(atPath: options.directory)
    where name.hasPrefix("care.db") || name.hasPrefix("traces-") || name == "inputs.db" {
      try FileManager.default.removeItem(atPath: options.path(name))
    }
    let again = try SQLiteStore.open(options, isRecovering: true)
    #expect(again.damage.recovery?.restoredBackup == "by-hand-29991231T000000Z.db")
    await again.close()
  }

  @Test func withoutAnyBackupTheDaemonStartsEmptyAndSaysSo() async throws {
    try directory.write(String(repeating: "x", count: 9000), to: "store/care.db")
    let store = try SQLiteStore.open(options, isRecovering: true)
    #expect(store.damage.recovery?.restoredBackup == nil)
    #expect(store.healthReport.detail.description.contains("started empty"))
    #expect(await store.commit(Make.step(1, .alarm)) == .committed(LaneHeads(alarm: 1)))
    await store.close()
  }

  @Test func aDamagedTraceFileIsSetAsideAndTheJournalGoesOn() async throws {
    try await makeStore()
    try directory.write(String(repeating: "x", count: 9000), to: "store/traces-2026-08.db")
    let store = try SQLiteStore.open(options)
    let outcome = await store.commit(StepRecord(events: [Make.event(900, .trace)]))
    #expect(outcome == .committed(LaneHeads(alarm: 200, record: 199, trace: 1)))
    #expect(FileManager.default.fileExists(atPath: options.path("traces-2026-08.db.damaged-1")))
    await store.close()
  }

  @Test func everyStartIsFollowedByALookThroughTheDatabaseThatFindsDamage() async throws {
    try await makeStore()
    let connection = try Connection(path: care, mode: .readWrite)
    let page = try #require(
      try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'journal_by_type'"))
    try connection.checkpoint(truncating: true)
    connection.close()
    let noise = [UInt8](repeating: 0x5A, count: 4096)
    try overwrite(care, at: UInt64(page - 1) * 4096, with: noise)
    let store = try SQLiteStore.open(options)
    await store.maintain(at: Make.moment(1))
    #expect(store.healthReport.code == "corrupt")
    #expect(store.healthReport.state == .failed)
    await store.close()
  }

  @Test func aReadOnlyDirectoryIsRefusedWithWhatToCheck() async throws {
    try await makeStore()
    let mount = try Mount(options.directory, "-o", "bind")
    guard let mount, mount.remountReadOnly() else {
      print("skipped: mounting is not permitted here")
      return
    }
    let error = refusal()
    #expect(error?.code == .readOnly)
    #expect(error?.message.description.contains("cannot be written") == true)
    mount.end()
    #expect(refusal() == nil)
  }
}

/// Something mounted for one test.
final class Mount {
  let path: String
  private var isMounted = true

  /// Mounts over `path`; nil when this user may not mount.
  init?(_ path: String, _ arguments: String...) throws {
    self.path = path
    let source = arguments.contains("bind") ? path : "tmpfs"
    guard Self.run("/bin/mount", arguments + [source, path]) else {
      isMounted = false
      return nil
    }
  }

  func remountReadOnly() -> Bool { Self.run("/bin/mount", ["-o", "remount,bind,ro", path]) }

  /// Mounts what is there with another option, `ro` or `rw`.
  func remount(_ option: String) -> Bool {
    Self.run("/bin/mount", ["-o", "remount,\(option)", path])
  }

  func end() {
    guard isMounted else { return }
    isMounted = !Self.run("/bin/umount", ["-l", path])
  }

  deinit { end() }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    (try? ProgramOutput(program, arguments))?.exitCode == 0
  }
}
