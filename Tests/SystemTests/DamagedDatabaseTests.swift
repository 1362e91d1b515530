import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// The real daemon and its database: what somebody wants to write over it, what a card does to it, and what people hear.
@Suite(.serialized) struct DamagedDatabaseTests {
  @Test(
    "No backup goes over the live database or into the gateway's own directories",
    .timeLimit(.minutes(2)))
  func backups() throws {
    let house = try QuietHouse()
    let (state, run) = (house.gateway.stateDirectory, house.gateway.directory.path(of: "run"))
    // In the first second: there is no directory of backups yet.
    #expect(try house.homeward("backup").exitCode == 0)
    try house.settle()
    let number = try house.fileNumber("care.db")
    let card = house.gateway.directory.path(of: "emergency/new.db")
    for path in [
      "\(state)/care.db", "\(state)/lock", "\(state)/new.db", "\(run)/control.sock",
      "\(run)/new.db", house.gateway.directory.path(of: "homeward.yaml"), card,
      "\(state)/backups/../new.db",
    ] {
      let answer = try house.homeward("backup", path)
      #expect(answer.exitCode != 0, "\(path)")
      #expect(answer.text.contains("choose another"), "\(answer.text)")
    }
    #expect(throws: ControlError.self) {
      try house.call(.backupCreate, ["path": .string("\(state)/care.db\u{0}.db")])
    }
    #expect(throws: ControlError.self) { try house.call(.backupCreate, ["path": "new.db"]) }
    let elsewhere = try TemporaryDirectory()
    #expect(try house.homeward("backup", elsewhere.path(of: "copy.db")).exitCode == 0)
    #expect(try house.homeward("backup", elsewhere.path(of: "copy.db")).exitCode != 0)
    #expect(try house.fileNumber("care.db") == number)
    let alarm = try house.raiseSOS()
    house.gateway.kill()
    try house.start()
    #expect(try house.openAlarms() == [alarm])
    #expect(try house.component("store")?["state"] == "working")
    #expect(house.gateway.stop() == 0)
  }

  @Test(
    "An emptied or missing database is told by status, page, log and an alarm-lane fault",
    .timeLimit(.minutes(3)), arguments: ["empty", "missing", "pipe"], [true, false])
  func emptied(how: String, hasCopies: Bool) throws {
    let house = try QuietHouse()
    try house.settle()
    #expect(Eventually.holds(withinSeconds: 30) { house.pageStatus == 200 }, "\(house.page)")
    house.gateway.kill()
    if !hasCopies { try house.removeCopies() }
    for suffix in ["", "-wal", "-shm"] {
      unlink("\(house.gateway.stateDirectory)/care.db\(suffix)")
    }
    let path = "\(house.gateway.stateDirectory)/care.db"
    if how == "empty" { try Data().write(to: URL(fileURLWithPath: path)) }
    if how == "pipe" { try #require(mkfifo(path, 0o600) == 0) }
    try house.start()
    try house.expectLoss(code: "recovered")
    let guardians = try house.call(.guardiansList, .object([])).arrayContent ?? []
    #expect(guardians.count == (hasCopies ? 2 : 0))
    #expect(house.gateway.stop() == 0)
  }

  @Test("A true first start is quiet", .timeLimit(.minutes(2)))
  func first() throws {
    let house = try QuietHouse()
    #expect(Eventually.holds(withinSeconds: 10) { house.hasBackup })
    #expect(try house.component("store")?["state"] == "working")
    #expect(Eventually.holds(withinSeconds: 30) { house.pageStatus == 200 }, "\(house.page)")
    #expect(house.figures.contains("\n# TYPE homeward_"), "\(house.figures)")
    #expect(!house.gateway.log.contains("store ("))
    #expect(house.gateway.stop() == 0)
  }

  @Test(
    "A guardian whose row is damaged by one bit is called again, and named; without a copy it is told",
    .timeLimit(.minutes(3)), arguments: [true, false])
  func guardian(hasCopies: Bool) throws {
    let house = try QuietHouse()
    try house.settle()
    #expect(house.gateway.stop() == 0)
    if !hasCopies { try house.removeCopies() }
    try house.flip("+4791234567", in: "care.db")
    try house.start()
    let guardians = try house.call(.guardiansList, .object([])).arrayContent ?? []
    let phones = guardians.compactMap { $0["phone"]?.stringContent }.sorted()
    #expect(phones == (hasCopies ? ["+4791234567", "+4797654321"] : ["+4797654321"]))
    let detail = try #require(try house.component("store")?["detail"]?.stringContent)
    #expect(detail.contains(hasCopies ? "the guardian Anna" : "the guardian anna"), "\(detail)")
    if hasCopies {
      #expect(try house.component("store")?["code"] == "rows-restored")
    } else {
      try house.expectLoss(code: "rows-lost")
    }
    let told = Eventually.holds(withinSeconds: 30) {
      (try? house.events("fault.raised"))?.contains { $0.contains("the guardian") } == true
    }
    #expect(told)
    let doctor = try house.homeward("doctor")
    #expect(doctor.text.contains("the guardian"))
    // Anybody on the machine may read the page and, with journald, many the log.
    #expect(Eventually.holds(withinSeconds: 30) { house.pageStatus != 0 })
    #expect(!house.page.lowercased().contains("anna"))
    #expect(!house.gateway.log.lowercased().contains("anna"), "\(house.gateway.log)")
    #expect(house.gateway.stop() == 0)
  }

  @Test("What a damaged write-ahead log lost is counted and told", .timeLimit(.minutes(3)))
  func log() throws {
    let house = try QuietHouse()
    try house.settle()
    #expect(house.gateway.stop() == 0)
    try house.start()
    for number in 1...5 {
      try house.perform(
        .putSetting(resident: "mary", name: "resendSeconds", value: .integer(60 + Int64(number))))
    }
    house.gateway.kill()
    try house.flip("resendSeconds", in: "care.db-wal")
    try house.start()
    try house.expectLoss(code: "events-lost")
    let detail = try #require(try house.component("store")?["detail"]?.stringContent)
    #expect(detail.contains("lost, with what"), "\(detail)")
    #expect(house.gateway.stop() == 0)
  }
}

/// Mary's house with a plugin that takes text messages, and the page that anybody on the machine may read.
private final class QuietHouse: GatewayKeeper {
  let gateway: RunningGateway

  init() throws {
    gateway = try RunningGateway(
      broker: nil, phone: true, metrics: true, extra: "sound: {enabled: false}")
    try start()
  }

  deinit { gateway.kill() }

  /// Mary and two who care, stored, on the card, and in a backup.
  func settle() throws {
    try perform(.putResident(Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")))
    for (id, name, phone) in [("anna", "Anna", "+4791234567"), ("bert", "Bert", "+4797654321")] {
      try perform(
        .putGuardian(
          Guardian(
            id: GuardianID(id), resident: "mary", name: name, phone: phone, isCaregiver: true)))
    }
    try call(.backupCreate, .object([]))
    let card = gateway.directory.path(of: "run/emergency-card.json")
    try #require(
      Eventually.holds(withinSeconds: 20) {
        (try? String(contentsOfFile: card, encoding: .utf8))?.contains("bert") == true
      })
  }

  func removeCopies() throws {
    for name in ["state/backups", "emergency", "run/emergency-card.json"] {
      try FileManager.default.removeItem(atPath: gateway.directory.path(of: name))
    }
  }

  /// Changes one bit wherever a word stands in a file.
  func flip(_ word: String, in name: String) throws {
    let url = URL(fileURLWithPath: "\(gateway.stateDirectory)/\(name)")
    var data = try Data(contentsOf: url)
    var start = data.startIndex
    var count = 0
    while let range = data.range(of: Data(word.utf8), in: start..<data.endIndex) {
      data[range.upperBound - 1] ^= 1
      start = range.upperBound
      count += 1
    }
    try #require(count > 0)
    try data.write(to: url)
  }

  // MARK: What people hear

  func expectLoss(code: String) throws {
    #expect(try component("store")?["state"] == "failed")
    #expect(try component("store")?["code"]?.stringContent == code)
    #expect(Eventually.holds(withinSeconds: 30) { pageStatus == 503 }, "\(page)")
    // On a busy machine the log tells it a moment after the status does.
    let isLogged = Eventually.holds(withinSeconds: 30) { gateway.log.contains("store (\(code))") }
    #expect(isLogged, "\(gateway.log)")
    let faults = Eventually.holds(withinSeconds: 30) {
      (try? events("fault.raised"))?.contains { $0.contains("\"component\":\"store\"") } == true
    }
    #expect(faults)
  }

  func component(_ name: String) throws -> JSONValue? {
    try call(.status, .object([]))["components"]?.arrayContent?.first {
      $0["component"]?.stringContent == name
    }
  }

  /// The alarm lane's events of a type.
  func events(_ type: String) throws -> [String] {
    let params: JSONValue = ["types": [.string(type)], "lanes": ["alarm"]]
    return try call(.eventsQuery, params).arrayContent?.map(\.serialized) ?? []
  }

  func raiseSOS() throws -> String {
    try perform(.alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")))
    return try #require(try openAlarms().first)
  }

  func openAlarms() throws -> [String] {
    (try call(.alarmsList, .object([])).arrayContent ?? []).compactMap {
      $0["alarm"]?.stringContent
    }
  }

  var hasBackup: Bool {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: "\(gateway.stateDirectory)/backups")
    return names?.contains { $0.hasPrefix("care-") && $0.hasSuffix("Z.db") } ?? false
  }

  func fileNumber(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(gateway.stateDirectory)/\(name)")[
      .systemFileNumber]
      as? Int
  }

  func homeward(_ words: String...) throws -> ProgramOutput {
    try ProgramOutput(
      BuiltProducts.path(of: "homeward"),
      ["--config", gateway.directory.path(of: "homeward.yaml")] + words, withErrors: true)
  }

  // MARK: The page

  /// What anybody on the machine reads at `/health`.
  var page: String { port == nil ? "" : (try? get("/health")) ?? "" }

  /// What anybody on the machine reads at `/metrics`.
  var figures: String { (try? get("/metrics")) ?? "" }

  var pageStatus: Int { Int(page.split(separator: " ").dropFirst().first ?? "") ?? 0 }

  /// The port that the plugin listens on now; nil before it does.
  private var port: UInt16? {
    let file = "\(gateway.stateDirectory)/plugins/metrics/port"
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    return text.flatMap { UInt16($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  private func get(_ path: String) throws -> String {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = try #require(port).bigEndian
    let isOpen = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // Not there yet, which is no failure of the test: it asks again.
    guard isOpen == 0 else { return "" }
    let request = Array("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
    try #require(write(client, request, request.count) == request.count)
    var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = read(client, &buffer, buffer.count), count > 0 {
      answer += buffer.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
