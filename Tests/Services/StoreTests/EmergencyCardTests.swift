import Bytes
import Care
import Foundation
import JSON
import Moments
import Ports
import TestSupport
import Testing
import Texts

@testable import Store

/// The emergency card: what is on it, when it is written, and when it goes before the database.
@Suite struct EmergencyCardTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options {
    var options = SQLiteStore.Options.test(directory.path(of: "store"))
    options.cardPlaces = [
      [directory.path(of: "nowhere/emergency"), directory.path(of: "beside")],
      [directory.path(of: "run")],
    ]
    return options
  }
  var cards: [String] {
    ["beside", "run"].map { directory.path(of: "\($0)/\(CardPlace.fileName)") }
  }

  init() throws { directory = try TemporaryDirectory() }

  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "UTC")
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", tier: 2)
  private static let alarm = EngineRow(
    engine: "alarms", subject: "mary", name: "alarm:1", content: ["state": "dispatched"])
  private static let people: [StateChange] = [
    .putResident(mary), .putGuardian(anna), .putZone(Make.zone("home")),
    .putSetting(resident: "mary", name: "language", value: "nb"), .putEngineRow(alarm),
  ]

  private func open() throws -> SQLiteStore {
    let store = try SQLiteStore.open(options, isRecovering: true)
    return store
  }

  /// A store that has been armed: it writes its card.
  private func armed() async throws -> SQLiteStore {
    let store = try open()
    await store.maintain(at: Make.moment(1))
    return store
  }

  private func card(_ path: String) throws -> EmergencyCard {
    try EmergencyCard(file: Array(Data(contentsOf: URL(fileURLWithPath: path))))
  }

  @Test func peopleAlarmsAndSettingsAreOnItInEachPlaceForTheirOwnerAlone() async throws {
    let store = try await armed()
    let step = StepRecord(
      changes: Self.people + [
        .putBookmark(
          Bookmark(
            id: "b", resident: "mary", name: "Bench", address: "", coordinate: Make.home)),
        .putEngineRow(
          EngineRow(engine: "tracking", subject: "mary", name: "fix", content: [:])),
      ])
    await store.commit(step)
    await store.close()
    for path in cards {
      let card = try card(path)
      #expect(card.state.residents == [Self.mary])
      #expect(card.state.guardians == [Self.anna])
      #expect(card.state.zones.map(\.id) == ["home"])
      #expect(card.state.settings.map(\.name) == ["language"])
      #expect(card.state.engineRows == [Self.alarm])
      #expect(card.state.bookmarks.isEmpty)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func nothingIsWrittenForWhatIsNotOnIt() async throws {
    let store = try await armed()
    await store.commit(StepRecord(changes: Self.people))
    let before = try value("SELECT content FROM meta WHERE name = 'card'", in: options.carePath)
    await store.commit(Make.step(1))
    await store.commit(StepRecord(changes: Self.people))
    await store.close()
    let after = try value("SELECT content FROM meta WHERE name = 'card'", in: options.carePath)
    #expect(before == after)
    let written = try cards.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let again = try await armed()
    await again.close()
    #expect(try cards.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == written)
  }

  @Test func everyCutOffAndEveryChangedByteIsNoticed() throws {
    var card = EmergencyCard(number: 3, of: StoredState(), at: Timestamp(milliseconds: 0))
    for change in Self.people {
      let isChanged = card.apply(change)
      #expect(isChanged)
    }
    let file = card.file
    let whole = try EmergencyCard(file: file)
    #expect(whole == EmergencyCard(number: 3, of: card.state, at: card.time))
    for length in 0..<(file.count - 1) {
      #expect(throws: DecodeError.self) { try EmergencyCard(file: Array(file.prefix(length))) }
    }
    for index in 0..<(file.count - 1) {
      var changed = file
      changed[index] ^= 0x04
      if let read = try? EmergencyCard(file: changed) { #expect(read == whole) }
    }
  }

  @Test func anErasedResidentIsOnNoCard() async throws {
    let store = try await armed()
    await store.commit(StepRecord(changes: Self.people))
    await store.commit(StepRecord(changes: [.eraseResident("mary")]))
    await store.close()
    for path in cards {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("Anna") && !text.contains("mary"))
    }
  }

  // MARK: A database that is lost

  private func lose(_ how: String) throws {
    let files = FileManager.default
    try? files.removeItem(atPath: options.carePath + "-wal")
    switch how {
    case "missing": try files.removeItem(atPath: options.carePath)
    case "empty": try Data().write(to: URL(fileURLWithPath: options.carePath))
    case "new":
      try files.removeItem(atPath: options.carePath)
      let connection = try Connection(path: options.carePath, mode: .create)
      try connection.script("PRAGMA journal_mode = WAL; VACUUM")
      connection.close()
    default: try Data(count: 9000).write(to: URL(fileURLWithPath: options.carePath))
    }
  }

  @Test(arguments: ["missing", "empty", "new", "damaged"])
  func withoutABackupTheCardIsTheStart(how: String) async throws {
    let store = try await armed()
    await store.commit(StepRecord(changes: Self.people))
    await store.close()
    try FileManager.default.removeItem(atPath: options.backupDirectory)
    try lose(how)
    let again = try open()
    #expect(again.loaded.residents == [Self.mary])
    #expect(again.loaded.guardians == [Self.anna])
    #expect(again.loaded.engineRows.contains(Self.alarm))
    #expect(again.healthReport.state == .failed)
    #expect(again.healthReport.code == "recovered")
    #expect(again.healthReport.detail.description.contains("emergency card"))
    await again.close()
    // The next start finds a whole database again.
    let third = try open()
    #expect(third.damage.recovery == nil)
    #expect(third.loaded.guardians == [Self.anna])
    await third.close()
  }

  @Test(arguments: ["missing", "empty", "new", "damaged"])
  func aBackupIsRestoredAndTheCardGoesOverIt(how: String) async throws {
    let store = try await armed()
    await store.commit(
      StepRecord(
        events: [Make.event(1, .alarm)],
        changes: [
          .putResident(Self.mary), .putZone(Make.zone("old")),
          .putBookmark(
            Bookmark(
              id: "b", resident: "mary", name: "Bench", address: "", coordinate: Make.home)),
        ]))
    await store.maintain(at: Make.moment(30_000_000))
    await store.commit(StepRecord(changes: Self.people + [.removeZone("old")]))
    await store.close()
    try lose(how)
    let again = try open()
    #expect(again.damage.recovery?.restoredBackup != nil)
    #expect(again.damage.recovery?.card != nil)
    #expect(again.loaded.bookmarks.map(\.name) == ["Bench"], "what only the backup has")
    #expect(again.loaded.zones.map(\.id) == ["home"], "what only the card knows")
    #expect(again.loaded.guardians == [Self.anna])
    #expect(again.loaded.engineRows.contains(Self.alarm))
    await again.close()
  }

  @Test func withNeitherBackupNorCardTheEmptyStartIsLoud() async throws {
    let store = try await armed()
    await store.commit(StepRecord(events: [Make.event(1, .trace)], changes: Self.people))
    await store.close()
    try FileManager.default.removeItem(atPath: options.backupDirectory)
    for path in cards { try FileManager.default.removeItem(atPath: path) }
    try lose("missing")
    let again = try open()
    #expect(again.loaded.residents.isEmpty)
    #expect(again.healthReport.state == .failed)
    #expect(again.healthReport.detail.description.contains("started empty"))
    await again.close()
  }

  @Test func theFirstStartEverIsEmptyAndHealthy() async throws {
    let store = try open()
    #expect(store.damage.recovery == nil)
    #expect(store.healthReport.state == .working)
    await store.close()
  }

  @Test func whoeverRestoresABackupGetsWhatItSays() async throws {
    let store = try await armed()
    await store.commit(StepRecord(changes: [.putResident(Self.mary)]))
    await store.maintain(at: Make.moment(30_000_000))
    await store.commit(StepRecord(changes: Self.people))
    await store.close()
    let backup = try #require(SQLiteStore.backups(in: options.backupDirectory).first)
    try SQLiteStore.restore(backup: backup, into: options.directory)
    let again = try await armed()
    #expect(again.loaded.guardians.isEmpty)
    await again.close()
    for path in cards { #expect(try card(path).state.guardians.isEmpty) }
  }

  // MARK: A directory that is gone

  @Test(.timeLimit(.minutes(1)))
  func aDirectoryThatIsGoneIsWaitedForWithTheCard() async throws {
    let store = try await armed()
    await store.commit(
      StepRecord(events: [Make.event(1, .alarm)], changes: Self.people))
    await store.close()
    let away = directory.path(of: "away")
    try FileManager.default.moveItem(atPath: options.directory, toPath: away)
    try directory.write("a name and nothing behind it", to: "store")
    let again = try open()
    #expect(again.isOnCard)
    #expect(again.loaded.guardians == [Self.anna])
    let heard = Heard<CommitOutcome>()
    again.submit(
      StepRecord(events: [Make.event(2, .alarm)], changes: [.removeZone("home")])
    ) { heard.add($0) }
    await heard.wait { $0.count == 1 }
    #expect(again.healthReport.state == .failed)
    #expect(again.healthReport.detail.description.contains("emergency card"))
    try FileManager.default.removeItem(atPath: options.directory)
    // Where a disk is to be mounted there is an empty directory first: what is made in it would be hidden beneath the disk.
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: false)
    let isTaken = try Eventually.holds(withinSeconds: 3) {
      try !FileManager.default.contentsOfDirectory(atPath: options.directory).isEmpty
    }
    #expect(!isTaken)
    try #require(rename(away, options.directory) == 0)
    await heard.wait { $0.count == 2 }
    #expect(heard.items.last == .committed(LaneHeads(alarm: 2)))
    let state: StoredState = await withCheckedContinuation { continuation in
      again.loadAgain { continuation.resume(returning: $0) }
    }
    #expect(state.heads.alarm == 2 && state.zones.isEmpty && state.residents == [Self.mary])
    await again.close()
  }

  @Test(.timeLimit(.minutes(1)))
  func aDirectoryThatStaysEmptyIsTakenWithWhatIsOnTheCard() async throws {
    let store = try await armed()
    await store.commit(StepRecord(changes: Self.people))
    await store.close()
    try FileManager.default.removeItem(atPath: options.directory)
    try directory.write("a name and nothing behind it", to: "store")
    var options = options
    options.mountWaitSeconds = 1
    let again = try SQLiteStore.open(options, isRecovering: true)
    let heard = Heard<CommitOutcome>()
    again.submit(Make.step(1, .alarm)) { heard.add($0) }
    await heard.wait { $0.count == 1 }
    try FileManager.default.removeItem(atPath: options.directory)
    await heard.wait { $0.count == 2 }
    #expect(heard.items.last == .committed(LaneHeads(alarm: 1)))
    #expect(again.healthReport.code == "recovered")
    await again.close()
    let third = try open()
    #expect(third.loaded.guardians == [Self.anna])
    await third.close()
  }

  /// A store that knows Mary, on a disk that has come to take nothing any more; nil where nothing may be mounted.
  private func sick() async throws -> (store: SQLiteStore, mount: Mount)? {
    let store = try await armed()
    await store.commit(StepRecord(changes: [.putResident(Self.mary)]))
    await store.close()
    guard let mount = try Mount(options.directory, "-o", "bind"), mount.remountReadOnly() else {
      print("skipped: mounting is not permitted here")
      return nil
    }
    return (try await armed(), mount)
  }

  @Test func whatADiskNeverTookIsOnTheCardOfTheNextStart() async throws {
    guard let (sick, mount) = try await sick() else { return }
    let heard = Heard<CommitOutcome>()
    sick.submit(StepRecord(changes: Self.people)) { heard.add($0) }
    await heard.wait { $0.count == 1 }
    // It ends without having written anything.
    await sick.close()
    mount.end()
    let again = try open()
    #expect(again.loaded.guardians == [Self.anna])
    #expect(again.loaded.engineRows.contains(Self.alarm))
    #expect(again.damage.recovery == nil)
    await again.close()
  }

  @Test func whatIsTakenBackIsNeitherOnTheCardNorEverWritten() async throws {
    guard let (sick, mount) = try await sick() else { return }
    let heard = Heard<CommitOutcome>()
    let (alarm, guardian) = (
      Self.step(1, [.putEngineRow(Self.alarm)]), Self.step(2, [.putGuardian(Self.anna)])
    )
    sick.submit(alarm) { heard.add($0) }
    await heard.wait { $0.count == 1 }
    #expect(!sick.takeBack(guardian), "it was never submitted")
    sick.submit(guardian) { heard.add($0) }
    #expect(!sick.takeBack(alarm), "another came after it")
    #expect(sick.takeBack(guardian))
    #expect(!sick.takeBack(guardian), "it is gone")
    await sick.close()
    mount.end()
    let again = try open()
    #expect(again.loaded.guardians == [])
    #expect(again.loaded.engineRows.contains(Self.alarm))
    await again.close()
  }

  private static func step(_ number: Int64, _ changes: [StateChange]) -> StepRecord {
    let input = InputRecord(
      run: "run", number: number, moment: Make.moment(1), resident: nil, body: [],
      outcomeDigest: 0)
    return StepRecord(input: input, changes: changes)
  }

  @Test func aDatabaseOfANewerVersionIsLeftAloneAndTheCardIsUsed() async throws {
    let store = try await armed()
    await store.commit(StepRecord(changes: Self.people))
    await store.close()
    let connection = try Connection(path: options.carePath, mode: .readWrite)
    try connection.script("ALTER TABLE journal ADD COLUMN later TEXT; PRAGMA user_version = 99")
    connection.close()
    let again = try open()
    #expect(again.isOnCard && again.loaded.guardians == [Self.anna])
    await again.close()
    #expect(try value("PRAGMA user_version", in: options.carePath) == 99)
  }
}
