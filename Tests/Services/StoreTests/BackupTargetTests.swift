import Care
import Foundation
import Glibc
import Moments
import Ports
import TestSupport
import Testing

@testable import Store

/// Backups that somebody asks for go where nothing stands, and never among what is the gateway's own.
@Suite struct BackupTargetTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options {
    var options = SQLiteStore.Options.test(directory.path(of: "store"))
    options.otherDirectories = [directory.path(of: "run"), directory.path(of: "etc")]
    options.cardPlaces = [[directory.path(of: "etc/emergency")]]
    return options
  }

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["run", "etc/emergency", "stick"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(of: name), withIntermediateDirectories: true)
    }
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: directory.path(of: name), withDestinationPath: target)
  }

  /// Every file and folder beneath the test's own, with its size and number.
  private func listing() throws -> [String: [Int]] {
    var listing: [String: [Int]] = [:]
    for name in FileManager.default.enumerator(atPath: directory.path)?.allObjects ?? [] {
      guard let name = name as? String else { continue }
      let file = try FileManager.default.attributesOfItem(atPath: directory.path(of: name))
      listing[name] = [file[.size] as? Int ?? -1, file[.systemFileNumber] as? Int ?? -1]
    }
    return listing
  }

  @Test(
    "A backup is never written into the gateway's own directories, by whatever way they are named")
  func ownDirectories() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1, .alarm))
    try await store.copied(to: nil)
    let (state, backups) = (options.directory, options.backupDirectory)
    try FileManager.default.createDirectory(
      atPath: state + "/plugins/mqtt", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: backups + "/deeper", withIntermediateDirectories: true)
    try link("stick/state", to: state)
    try link("stick/far", to: "../store/plugins")
    try link("stick/dangling.db", to: state + "/inputs.db")
    try link("stick/care.db", to: state + "/care.db")
    let before = try listing()
    for path in [
      state + "/care.db", state + "/lock", state + "/new.db", state + "/care.db-wal",
      state + "/../store/new.db", state + "//new.db", state + "/./plugins/mqtt/new.db",
      backups, backups + "/", backups + "/.", backups + "/deeper/new.db", backups + "/../new.db",
      backups + "/care-000009-29991231T000000Z.db", backups + "/by-hand-29991231T000000Z.db",
      directory.path(of: "run/control.sock"), directory.path(of: "etc/homeward.yaml"),
      directory.path(of: "etc/emergency/emergency-card.json"),
      directory.path(of: "stick/state/new.db"), directory.path(of: "stick/far/new.db"),
      directory.path(of: "stick/far/../new.db"), directory.path(of: "stick/dangling.db"),
      directory.path(of: "stick/care.db"), directory.path(of: "none/new.db"),
      directory.path(of: "stick/new.db\u{0}/x"), state + "/care.db\u{0}.db", "new.db", "", "/",
      "../new.db", "stick/new.db",
    ] {
      await #expect(throws: StoreError.self, "\(path)") { try await store.copied(to: path) }
    }
    #expect(try listing() == before)
    #expect(await store.commit(Make.step(2)) == .committed(LaneHeads(alarm: 1, record: 2)))
    await store.close()
    #expect(try value("SELECT count(*) FROM journal", in: options.carePath) == 2)
  }

  @Test(
    "A backup goes where nothing stands: onto a stick, and beside the others under a name of its own"
  )
  func elsewhere() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1, .alarm))
    try link("bridge", to: "stick")
    for path in [
      directory.path(of: "stick/one.db"), directory.path(of: "bridge/two.db"),
      options.backupDirectory + "/before-the-move.db",
    ] {
      #expect(try await store.copied(to: path) == path)
      #expect(try value("SELECT count(*) FROM journal", in: path) == 1)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      await #expect(throws: StoreError.self, "twice") { try await store.copied(to: path) }
    }
    // Nothing is left of the copying; SQLite makes files of its own for whoever looks into a copy.
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path(of: "stick"))
    #expect(left.sorted().filter { $0.hasSuffix(".db") } == ["one.db", "two.db"])
    #expect(!left.contains { $0.hasPrefix(".") || $0.contains("partial") })
    await store.close()
  }

  @Test("Nothing is lost of what comes to stand at the place while the copy is made")
  func race() throws {
    let place = directory.path(of: "stick/one.db")
    let target = try BackupTarget(place, options: options)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: place))
    try directory.write("copy", to: "finished.db")
    #expect(throws: StoreError.self) { try target.take(copyOf: directory.path(of: "finished.db")) }
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "mine")
    // The folder's name leads elsewhere by now: what was judged is what is written to.
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let second = try BackupTarget(directory.path(of: "stick/two.db"), options: options)
    try FileManager.default.moveItem(
      atPath: directory.path(of: "stick"), toPath: directory.path(of: "moved"))
    try link("stick", to: options.directory)
    try second.take(copyOf: directory.path(of: "finished.db"))
    #expect(FileManager.default.fileExists(atPath: directory.path(of: "moved/two.db")))
    #expect(!FileManager.default.fileExists(atPath: options.path("two.db")))
  }

  @Test("A backup can be asked for before the first regular one, and twice in a second")
  func firstSecond() async throws {
    let store = try SQLiteStore.open(options)
    let now = try Timestamp(iso8601: "2026-11-23T12:00:59Z")
    let first = try await store.copied(to: nil, at: now)
    #expect(first == options.backupDirectory + "/by-hand-20261123T120059Z.db")
    #expect(
      try await store.copied(to: nil, at: now)
        == options.backupDirectory + "/by-hand-20261123T120100Z.db")
    await store.close()
  }
}

/// What is no file stands where a file belongs: nothing waits for it, and it is damage like any other.
@Suite struct SpecialFileTests {
  enum Kind: CaseIterable { case pipe, directory, socket, device }

  let directory: TemporaryDirectory
  var options: SQLiteStore.Options {
    var options = SQLiteStore.Options.test(directory.path(of: "store"))
    options.cardPlaces = [[directory.path(of: "cards")]]
    return options
  }

  init() throws { directory = try TemporaryDirectory() }

  private func put(_ kind: Kind, at path: String) throws -> Bool {
    for suffix in Files.databaseSuffixes { unlink(path + suffix) }
    switch kind {
    case .pipe: return mkfifo(path, 0o600) == 0
    case .directory: return mkdir(path, 0o700) == 0
    case .device: return mknod(path, S_IFCHR | 0o600, 0x105) == 0
    case .socket:
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(listener) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      } == 0
    }
  }

  @Test(
    "A pipe, folder, socket or device in the place of the database is set aside, and the backup restored",
    .timeLimit(.minutes(1)), arguments: Kind.allCases)
  func inPlaceOfTheDatabase(_ kind: Kind) async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1, .alarm))
    await store.maintain(at: Make.moment(1))
    await store.close()
    for name in ["care.db", "backups/care-000002-29991231T000000Z.db"] {
      try #require(try put(kind, at: options.path(name)), "\(name): \(errno)")
    }
    #expect(throws: StoreError.self) { try SQLiteStore.open(options) }
    let again = try SQLiteStore.open(options, isRecovering: true)
    #expect(again.damage.recovery?.damagedFile == "care.db.damaged-1")
    #expect(again.damage.recovery?.restoredBackup?.hasPrefix("care-000001") == true)
    #expect(again.loaded.heads.alarm == 1)
    #expect(again.healthReport.state == .failed)
    await again.close()
  }

  @Test(
    "Nor does the start wait for a pipe in the place of another file", .timeLimit(.minutes(1)),
    arguments: ["care.db-wal", "care.db-shm", "lock", "inputs.db", "traces-2026-09.db", "ballast"])
  func inPlaceOfAnother(_ name: String) async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(Make.step(1, .alarm))
    await store.maintain(at: Make.moment(1))
    await store.close()
    try #require(try put(.pipe, at: options.path(name)))
    _ = try put(.pipe, at: directory.path(of: "cards/emergency-card.json"))
    let again = try SQLiteStore.open(options, isRecovering: true)
    #expect(again.loaded.heads.alarm == 1)
    #expect(await again.commit(Make.step(2, .alarm)) == .committed(LaneHeads(alarm: 2)))
    await again.close()
  }
}
