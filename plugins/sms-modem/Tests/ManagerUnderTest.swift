import Care
import Foundation
import JSON
import PluginProtocol
import TestSupport

/// A private bus, and on it a program that stands in for ModemManager.
final class ManagerRig: @unchecked Sendable {
  let folder: TemporaryDirectory
  private let daemon: ChildProcess
  private let service: LineProcess

  static let python = "/usr/bin/python3"
  static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("modem_manager.py").path

  /// Whether this machine has the bus and its library for Python.
  static let isPossible: Bool =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
    && (try? ProgramOutput(python, ["-c", "import dbus, gi"]))?.exitCode == 0

  init() throws {
    folder = try TemporaryDirectory()
    let socket = folder.path(of: "bus")
    daemon = try ChildProcess(
      "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=unix:path=\(socket)"],
      log: folder.path(of: "bus.log"))
    guard
      Eventually.holds(withinSeconds: 30, { FileManager.default.fileExists(atPath: socket) })
    else { throw BuiltProducts.MissingProgram(name: "dbus-daemon") }
    service = try LineProcess(Self.python, [Self.script, "serve", socket])
    _ = try service.output.take("the stand-in of ModemManager") { $0 == "ready" }
  }

  var socket: String { folder.path(of: "bus") }

  /// Ends the bus itself.
  func stopBus() { daemon.stop() }

  /// Lets the stand-in answer nothing any more.
  func freeze() { service.signal(SIGSTOP) }

  /// Asks the stand-in for an action; gives its result.
  @discardableResult
  func ask(_ action: String, _ members: JSONValue = .object([])) throws -> JSONValue {
    let request = members.setting("do", to: .string(action))
    try service.write(request.serializedBytes + [0x0A])
    let line = try service.output.take("an answer to \(action)") { _ in true }
    return try JSONValue(parsing: line)["result"] ?? .null
  }

  func state() throws -> JSONValue { try ask("state") }

  /// Texts that the network has taken.
  func sent() throws -> [String] {
    (try state()["sent"]?.arrayContent ?? []).compactMap { $0.arrayContent?.last?.stringContent }
  }

  func number(_ name: String) throws -> Int64 { try state()[name]?.integerContent ?? -1 }

  /// Waits until a number of the stand-in has a value.
  func waits(for name: String, toBe value: Int64) -> Bool {
    Eventually.holds(withinSeconds: 30) { (try? self.number(name)) == value }
  }
}

/// The built plugin with a connection to a private bus, driven over pipes as the host drives it.
final class ManagerUnderTest: @unchecked Sendable {
  let rig: ManagerRig
  let process: LineProcess
  let state: TemporaryDirectory
  private var nextID: Int64 = 0

  init(
    _ rig: ManagerRig, settings: JSONValue = .object([]), state: TemporaryDirectory? = nil,
    expecting code: String? = ""
  ) throws {
    self.rig = rig
    self.state = try state ?? TemporaryDirectory()
    process = try LineProcess(
      ManagerRig.python, [ManagerRig.script, "launch", rig.socket, ModemUnderTest.program])
    let request = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub", settings: settings,
      grants: ["observe:delivery", "command:alarm.acknowledge", "bus.system"],
      stateDirectory: self.state.path)
    try call(PluginMethod.initialize, request.json)
    if let code { _ = try health(code) }
  }

  @discardableResult
  func call(_ method: String, _ params: JSONValue) throws -> RPCMessage {
    nextID += 1
    let id = RPCID.number(nextID)
    try process.write(RPCLine.request(id: id, method: method, params: params))
    return try message("an answer to \(method)") { message in
      switch message.kind {
      case .result(let answered): answered == id
      case .failure(let answered, _): answered == id
      case .request, .notification: false
      }
    }
  }

  /// Asks to tell a guardian.
  @discardableResult
  func notify(_ text: String, attempt: Int64 = 1) throws -> RPCMessage {
    let message = AlarmMessage(
      alarm: "alarm-1", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .sms,
      address: "+4791234567", attempt: attempt, text: text, spokenText: text, language: "en",
      asksForAcknowledgement: true)
    return try call(PluginMethod.notify, message.json)
  }

  func health(_ code: String) throws -> PluginHealth {
    let notice = try message("health \(code)") { message in
      guard case .notification(PluginMethod.health) = message.kind else { return false }
      return (try? PluginHealth(json: message.payload()))?.code == code
    }
    return try PluginHealth(json: notice.payload())
  }

  /// The next notice of delivery.
  func delivery() throws -> DeliveryNotice {
    let notice = try message("a notice of delivery") { message in
      guard case .notification(PluginMethod.delivery) = message.kind else { return false }
      return true
    }
    return try DeliveryNotice(json: notice.payload())
  }

  /// The next command, taken by the gateway.
  func command() throws -> CommandCall {
    let request = try message("a command") { message in
      guard case .request(_, PluginMethod.command) = message.kind else { return false }
      return true
    }
    guard case .request(let id, _) = request.kind else { throw CocoaError(.coderReadCorrupt) }
    try process.write(RPCLine.result(id: id, .object([])))
    return try CommandCall(json: request.payload())
  }

  func logged(_ text: String) throws -> String {
    try process.log.take("\"\(text)\" in the log") { $0.contains(text) }
  }

  private func message(
    _ expected: String, where fits: (RPCMessage) -> Bool
  ) throws -> RPCMessage {
    let line = try process.output.take(expected) { line in
      (try? RPCMessage(line: Array(line.utf8))).map(fits) ?? false
    }
    return try RPCMessage(line: Array(line.utf8))
  }
}
