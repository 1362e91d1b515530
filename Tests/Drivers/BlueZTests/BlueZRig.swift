import Care
import Foundation
import JSON
import Loop
import Ports
import TestSupport

@testable import BlueZ

/// A private bus, and on it a program that stands in for bluetoothd.
final class BlueZRig: @unchecked Sendable {
  let folder: TemporaryDirectory
  private var daemon: ChildProcess
  private let service: LineProcess

  private static let python = "/usr/bin/python3"
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("bluez.py").path

  /// Whether this machine has the bus and its library for Python.
  static let isPossible: Bool =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
    && (try? ProgramOutput(python, ["-c", "import dbus, gi"]))?.exitCode == 0

  /// Starts both; bluetoothd has these adapters, none for no bluetoothd yet.
  init(adapters: [JSONValue]? = [["name": "hci0"]]) throws {
    folder = try TemporaryDirectory()
    daemon = try Self.bus(in: folder)
    service = try LineProcess(Self.python, [Self.script, folder.path(of: "bus")])
    _ = try service.output.take("the stand-in of bluetoothd") { $0 == "ready" }
    if let adapters { try ask("own", ["adapters": .array(adapters)]) }
  }

  private static func bus(in folder: TemporaryDirectory) throws -> ChildProcess {
    let socket = folder.path(of: "bus")
    let daemon = try ChildProcess(
      "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=unix:path=\(socket)"],
      log: folder.path(of: "bus.log"))
    guard
      Eventually.holds(withinSeconds: 30, { FileManager.default.fileExists(atPath: socket) })
    else { throw BuiltProducts.MissingProgram(name: "dbus-daemon") }
    return daemon
  }

  var socket: String { folder.path(of: "bus") }

  func stopBus() {
    daemon.stop()
    try? FileManager.default.removeItem(atPath: socket)
  }

  func restartBus() throws { daemon = try Self.bus(in: folder) }

  /// Lets the stand-in answer nothing, not even to the bus.
  func freeze() { service.signal(SIGSTOP) }
  func thaw() { service.signal(SIGCONT) }

  /// Asks the stand-in for an action; gives its result.
  @discardableResult
  func ask(_ action: String, _ members: JSONValue = .object([JSONMember]())) throws -> JSONValue {
    let request = members.setting("do", to: .string(action))
    try service.write(request.serializedBytes + [0x0A])
    let line = try service.output.take("an answer to \(action)") { _ in true }
    return try JSONValue(parsing: line)["result"] ?? .null
  }

  /// Adds a device and gives its path.
  func device(_ address: String, _ members: JSONValue = .object([JSONMember]())) throws -> String {
    try ask("device", members.setting("address", to: .string(address))).stringContent ?? ""
  }

  /// Calls that bluetoothd got, as `path member arguments…`.
  func calls(_ part: String) throws -> [String] {
    (try ask("state")["calls"]?.arrayContent ?? []).compactMap(\.stringContent).filter {
      $0.contains(part)
    }
  }

  /// What the agent answered, as JSON.
  func answers() throws -> [String] {
    (try ask("state")["answers"]?.arrayContent ?? []).map(\.serialized)
  }

  /// Waits, off the loop, until something about the stand-in is true.
  func waits(_ fact: @escaping @Sendable (BlueZRig) throws -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let holds =
          (try? Eventually.holds(withinSeconds: 30, { try fact(self) })) ?? false
        continuation.resume(returning: holds)
      }
    }
  }
}

/// A source on the rig's bus, and all that it told.
@LoopActor
final class Listener {
  typealias Fact = @LoopActor @Sendable (Listener) -> Bool

  let source: BlueZSource
  private(set) var news: [BluetoothNews] = []
  private var waiting: [(fits: Fact, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ rig: BlueZRig, options: @Sendable (inout BlueZSource.Options) -> Void = { _ in }) {
    var chosen = BlueZSource.Options(busPath: rig.socket)
    chosen.patience.restMilliseconds = 50
    options(&chosen)
    source = BlueZSource(options: chosen)
    source.start { [weak self] in self?.take($0) }
  }

  private func take(_ new: BluetoothNews) {
    news.append(new)
    let ready = waiting.filter { $0.fits(self) }
    waiting.removeAll { $0.fits(self) }
    for one in ready { one.continuation.resume() }
  }

  /// Waits until what was told fits.
  func wait(_ fits: @escaping Fact) async {
    if fits(self) { return }
    await withCheckedContinuation { waiting.append((fits, $0)) }
  }

  /// Waits until the health is this.
  func wait(forHealth code: String) async { await wait { $0.codes.last == code } }

  /// Waits until the loop has done what it was asked to do before.
  func settle() async {
    await withCheckedContinuation { continuation in
      EventLoop.current.post { continuation.resume() }
    }
  }

  func stop() { source.stop() }
  var devices: [BluetoothDevice] { source.devices }
  var adapters: [BluetoothAdapter] { source.adapters }
  func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool {
    source.answer(answer, for: address)
  }
  func cancelPairing(with address: BluetoothAddress) { source.cancelPairing(with: address) }

  var reports: [HealthReport] {
    news.compactMap { if case .health(let report) = $0 { report } else { nil } }
  }
  var codes: [String] { reports.map(\.code) }
  var sightings: [BluetoothSighting] {
    news.compactMap { if case .sighting(let sighting) = $0 { sighting } else { nil } }
  }
  var questions: [PairingQuestion] {
    news.compactMap { if case .question(let question) = $0 { question } else { nil } }
  }
  var refusals: [PairingRefusal] {
    news.compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
  }
  var presences: [BluetoothPresence] {
    news.compactMap { if case .presence(let presence) = $0 { presence } else { nil } }
  }

  func pair(_ request: PairingRequest) async -> Result<Void, BluetoothFailure> {
    await withCheckedContinuation { continuation in
      source.pair(request) { continuation.resume(returning: $0) }
    }
  }

  func forget(_ address: BluetoothAddress) async -> Result<Void, BluetoothFailure> {
    await withCheckedContinuation { continuation in
      source.forget(address) { continuation.resume(returning: $0) }
    }
  }

  func connect(to address: BluetoothAddress) async -> Result<LinkUnderTest, BluetoothFailure> {
    await withCheckedContinuation { continuation in
      source.connect(to: address) { result in
        continuation.resume(returning: result.map { LinkUnderTest($0) })
      }
    }
  }
}

/// Something that can be true of a connection.
typealias LinkFact = @LoopActor @Sendable (LinkUnderTest) -> Bool

/// A connection, and what it told.
@LoopActor
final class LinkUnderTest {
  let link: any BluetoothLink
  private(set) var heard: [[UInt8]] = []
  private(set) var isLost = false
  private var waiting: [(fits: LinkFact, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ link: any BluetoothLink) {
    self.link = link
    link.onLost = { [weak self] in
      self?.isLost = true
      self?.look()
    }
  }

  private func look() {
    let ready = waiting.filter { $0.fits(self) }
    waiting.removeAll { $0.fits(self) }
    for one in ready { one.continuation.resume() }
  }

  func wait(_ fits: @escaping LinkFact) async {
    if fits(self) { return }
    await withCheckedContinuation { waiting.append((fits, $0)) }
  }

  var services: [GATTService] { link.services }
  func disconnect() { link.disconnect() }

  func id(_ short: UInt16) -> GATTCharacteristicID {
    services.flatMap(\.characteristics).first { $0.uuid == BluetoothUUID(short) }?.id ?? "none"
  }

  func read(_ short: UInt16) async -> Result<[UInt8], BluetoothFailure> {
    await withCheckedContinuation { continuation in
      link.read(id(short)) { continuation.resume(returning: $0) }
    }
  }

  func write(
    _ octets: [UInt8], to short: UInt16, withResponse: Bool = true
  ) async -> Result<Void, BluetoothFailure> {
    await withCheckedContinuation { continuation in
      link.write(octets, to: id(short), withResponse: withResponse) {
        continuation.resume(returning: $0)
      }
    }
  }

  func subscribe(to short: UInt16) async -> Result<Void, BluetoothFailure> {
    await withCheckedContinuation { continuation in
      link.subscribe(
        to: id(short),
        heard: { [weak self] octets in
          self?.heard.append(octets)
          self?.look()
        }, completion: { continuation.resume(returning: $0) })
    }
  }
}

extension Result {
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
