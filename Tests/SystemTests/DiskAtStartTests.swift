import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// The real daemon, killed with an SOS open, on whatever disk it finds when it comes back: the SOS goes on, a guardian
/// takes charge by text message, and the next SOS reaches her phone.
@Suite(.serialized) struct DiskAtStartTests {
  /// What became of the disk while the daemon was away.
  enum Harm: String, CaseIterable {
    case full, readOnly, gone, zeroed, empty, missing, damagedWithItsBackups
  }

  @Test(.timeLimit(.minutes(3)), arguments: Harm.allCases)
  func anSOSGoesOnWhateverBecameOfTheDisk(harm: Harm) throws {
    guard let house = try HouseOnASmallDisk() else {
      print("skipped: mounting is not permitted here")
      return
    }
    if harm == .full { try house.fill() }
    let alarm = try house.raiseSOS()
    try #require(house.annaHas(messages: 1), "\(house.gateway.log)")
    // Here the runtime directory is on a disk too, which may be slow.
    let words = harm == .full ? [alarm, "\"isAhead\":true"] : [alarm]
    try #require(Eventually.holds(withinSeconds: 20) { house.cardSays(words) })
    house.gateway.kill()
    try house.do(harm)

    try house.start()
    #expect(try house.openAlarms() == [alarm], "\(house.gateway.log)")
    if [.full, .gone].contains(harm) {
      // What the modem's plugin would remember of its messages is gone too: an answer is one to the next of them.
      #expect(house.annaHas(messages: 2), "\(house.gateway.log)")
    }
    try house.modem.control(["do": "receive", "number": HouseOnASmallDisk.anna, "text": "1"])
    let isTaken = try Eventually.holds(withinSeconds: 30) {
      try house.alarms().first?["stage"] == "acknowledged"
    }
    #expect(isTaken, "\(house.gateway.log)")
    #expect(Eventually.holds(withinSeconds: 10) { house.store?["state"] == "failed" })
    #expect(house.store?["code"]?.stringContent == house.code(after: harm), "\(house.gateway.log)")
    try house.endSOS()
    let before = try house.countOfMessages()
    let second = try house.raiseSOS()
    #expect(house.annaHas(messages: before + 1), "\(house.gateway.log)")

    try house.repair(harm)
    let isStored = try Eventually.holds(withinSeconds: 30) {
      try house.status()["store"]?["waitingRecords"] == 0
    }
    #expect(isStored, "\(house.gateway.log)")
    if [.full, .readOnly, .gone].contains(harm) {
      #expect(Eventually.holds(withinSeconds: 30) { house.store?["state"] == "working" })
      #expect(Eventually.holds(withinSeconds: 30) { (try? house.bookmarks()) == ["Library"] })
    }
    #expect(try house.openAlarms() == [second])
    #expect(house.gateway.stop() == 0)
    let journal = try Journal(stateDirectory: house.gateway.stateDirectory)
    #expect(journal.integrity == "ok")
    let raised = journal.rows.filter { $0.type == "alarm.raised" }
    #expect(raised.contains { $0.body.contains(second) })
    house.end()
  }
}

/// Mary's house with a modem, its state on a disk of 64 MB.
final class HouseOnASmallDisk: GatewayKeeper {
  static let anna = "+4791234567"
  let gateway: RunningGateway
  let modem: RigModem
  private var isMounted = true

  private var state: String { gateway.stateDirectory }
  private var kept: String { gateway.directory.path(of: "kept") }

  init?() throws {
    modem = try RigModem()
    try modem.plugIn()
    gateway = try RunningGateway(
      broker: nil, modem: modem.port, extra: "sound: {enabled: false}")
    guard try Self.mount("-t", "tmpfs", "-o", "size=64m", "tmpfs", gateway.stateDirectory) else {
      return nil
    }
    try start()
    try perform(.putResident(Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")))
    try perform(
      .putGuardian(
        Guardian(id: "anna", resident: "mary", name: "Anna", phone: Self.anna, isCaregiver: true)))
    try perform(.putSetting(resident: "mary", name: "prealarmSeconds", value: 0))
    try perform(.putSetting(resident: "mary", name: "resendSeconds", value: 30))
    try perform(
      .putBookmark(
        Bookmark(
          id: "library", resident: "mary", name: "Library", address: "",
          coordinate: try #require(Coordinate(latitudeDegrees: 59.9, longitudeDegrees: 10.7)))))
    // The first backup comes a second after the start.
    try #require(Eventually.holds(withinSeconds: 20) { hasBackup }, "\(gateway.log)")
    try #require(Eventually.holds(withinSeconds: 60) { hasModem }, "\(gateway.log)")
  }

  deinit { end() }

  func end() {
    gateway.kill()
    guard isMounted else { return }
    isMounted = false
    _ = try? ProgramOutput("umount", ["-l", state])
  }

  private static func mount(_ arguments: String...) throws -> Bool {
    try ProgramOutput("mount", arguments).exitCode == 0
  }

  // MARK: The disk

  /// Leaves not a byte, not even of what the gateway gives up.
  func fill() throws {
    let filler = "\(state)/filler"
    try Data().write(to: URL(fileURLWithPath: filler))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: filler))
    let block = Data(count: 1 << 16)
    // What the ballast leaves is taken too, as soon as the gateway gives it up.
    try? FileManager.default.removeItem(atPath: "\(state)/ballast")
    while (try? file.write(contentsOf: block)) != nil {}
    while (try? file.write(contentsOf: Data(count: 1))) != nil {}
    try file.close()
  }

  func `do`(_ harm: DiskAtStartTests.Harm) throws {
    let files = FileManager.default
    switch harm {
    case .full: try fill()
    case .readOnly: try #require(try Self.mount("-o", "remount,ro", state))
    case .gone:
      // The card with the data is pulled out: what is left of it is the name.
      try files.createDirectory(atPath: kept, withIntermediateDirectories: true)
      try #require(try Self.mount("--move", state, kept))
      try files.removeItem(atPath: state)
      try Data().write(to: URL(fileURLWithPath: state))
    case .zeroed: try damage("care.db")
    case .empty:
      try Data().write(to: URL(fileURLWithPath: "\(state)/care.db"))
      try? files.removeItem(atPath: "\(state)/care.db-wal")
      try files.removeItem(atPath: "\(state)/backups")
    case .missing:
      for suffix in ["", "-wal", "-shm"] {
        try? files.removeItem(atPath: "\(state)/care.db\(suffix)")
      }
    case .damagedWithItsBackups:
      try damage("care.db")
      for name in try files.contentsOfDirectory(atPath: "\(state)/backups") {
        try damage("backups/\(name)")
      }
    }
  }

  private func damage(_ name: String) throws {
    try? FileManager.default.removeItem(atPath: "\(state)/\(name)-wal")
    try Data(repeating: 0xA5, count: 40_000).write(to: URL(fileURLWithPath: "\(state)/\(name)"))
  }

  func repair(_ harm: DiskAtStartTests.Harm) throws {
    let files = FileManager.default
    switch harm {
    case .full: try files.removeItem(atPath: "\(state)/filler")
    case .readOnly: try #require(try Self.mount("-o", "remount,rw", state))
    case .gone:
      try files.removeItem(atPath: state)
      // Its directory is there before the disk: long enough to be looked at once.
      try files.createDirectory(atPath: state, withIntermediateDirectories: false)
      let isTaken = try Eventually.holds(withinSeconds: 6) {
        try !files.contentsOfDirectory(atPath: state).isEmpty
      }
      #expect(!isTaken)
      try #require(try Self.mount("--move", kept, state))
    case .zeroed, .empty, .missing, .damagedWithItsBackups: break
    }
  }

  /// The code that the store's health has until somebody mends the disk.
  func code(after harm: DiskAtStartTests.Harm) -> String {
    switch harm {
    case .full: "full"
    case .readOnly: "read-only"
    case .gone: "missing"
    case .zeroed, .empty, .missing, .damagedWithItsBackups: "recovered"
    }
  }

  // MARK: The gateway

  func status() throws -> JSONValue { try call(.status, .object([])) }

  private func component(_ name: String) -> JSONValue? {
    (try? status())?["components"]?.arrayContent?.first { $0["component"]?.stringContent == name }
  }

  var store: JSONValue? { component("store") }
  private var hasModem: Bool { component("plugin/sms-modem")?["state"] == "working" }

  private var hasBackup: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(state)/backups")
    return names?.contains { $0.hasPrefix("care-") && $0.hasSuffix("Z.db") } ?? false
  }

  func bookmarks() throws -> [String] {
    try call(.bookmarksList, .object([])).arrayContent?.compactMap { $0["name"]?.stringContent }
      ?? []
  }

  // MARK: The SOS

  /// Raises an SOS and answers its id.
  func raiseSOS() throws -> String {
    try perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")))
    return try #require(try openAlarms().first)
  }

  /// Whether the emergency card in the runtime directory has all these words.
  func cardSays(_ words: [String]) -> Bool {
    let card = try? String(
      contentsOfFile: gateway.directory.path(of: "run/emergency-card.json"), encoding: .utf8)
    return card.map { card in words.allSatisfy { card.contains($0) } } ?? false
  }

  func endSOS() throws {
    try perform(.alarm(.resolve(alarm: nil, by: "anna", reason: "I am with her.")))
    #expect(try openAlarms().isEmpty)
  }

  func alarms() throws -> [JSONValue] {
    (try call(.alarmsList, .object([])).arrayContent ?? []).filter { $0["kind"] == "sos" }
  }

  func openAlarms() throws -> [String] { try alarms().compactMap { $0["alarm"]?.stringContent } }

  /// Messages to Anna that speak of her mother's call for help.
  func countOfMessages() throws -> Int {
    let sent = try modem.control(["do": "sent"]) as? [[String: Any]] ?? []
    return sent.filter {
      $0["number"] as? String == Self.anna
        && ($0["text"] as? String)?.contains("needs help") == true
    }.count
  }

  func annaHas(messages count: Int) -> Bool {
    Eventually.holds(withinSeconds: 45) { ((try? countOfMessages()) ?? 0) >= count }
  }
}
