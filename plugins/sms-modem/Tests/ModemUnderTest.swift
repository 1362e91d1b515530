import Care
import Foundation
import JSON
import PluginProtocol
import TestSupport

/// The built plugin on a serial line to the rig's modem, driven over pipes as the host drives it.
final class ModemUnderTest: @unchecked Sendable {
  let process: LineProcess
  let state: TemporaryDirectory
  private let modem: RigModem
  private var nextID: Int64 = 0

  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("homeward-plugin-sms-modem").path
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/socat")

  init(
    settings: JSONValue = .object([]), prepare: [[String: Any]] = [], expecting code: String = "",
    grants: [String] = []
  ) throws {
    state = try TemporaryDirectory()
    modem = try RigModem()
    process = try LineProcess(Self.program)
    try modem.plugIn(after: prepare)
    let complete = (settings.objectContent ?? []).reduce(["port": .string(modem.port)]) {
      (all: JSONValue, member) in all.setting(member.key, to: member.value)
    }
    let request = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub", settings: complete,
      grants: ["observe:delivery", "command:alarm.acknowledge"] + grants, stateDirectory: state.path
    )
    try call(PluginMethod.initialize, request.json)
    _ = try health(code)
  }

  // MARK: The modem

  /// Asks the modem for an action; gives its result.
  @discardableResult
  func control(_ request: [String: Any]) throws -> Any? { try modem.control(request) }

  /// Messages that the network has taken: number and text.
  func sent() throws -> [(number: String, text: String)] {
    (try control(["do": "sent"]) as? [[String: Any]] ?? []).map {
      ($0["number"] as? String ?? "", $0["text"] as? String ?? "")
    }
  }

  /// How many messages are stored on the card.
  func stored() throws -> Int {
    (try control(["do": "state"]) as? [String: Any])?["stored"] as? Int ?? -1
  }

  // MARK: The plugin

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

  /// Asks to tell a guardian; gives the answer's outcome, or its detail when it failed.
  func notify(
    _ text: String, attempt: Int64 = 1, to number: String = "+4791234567", tag: String = "A7K2",
    notice: AlarmNotice = .alarm, guardian: GuardianID = "anna"
  ) throws -> String {
    let message = AlarmMessage(
      alarm: "alarm-1", tag: tag, notice: notice, guardian: guardian, channel: .sms,
      address: number, attempt: attempt, text: text, spokenText: text, language: "en",
      asksForAcknowledgement: true)
    return try outcome(call(PluginMethod.notify, message.json))
  }

  func outcome(_ message: RPCMessage) throws -> String {
    if case .failure(_, let error) = message.kind { return error.message }
    let answer = try message.payload()
    return answer["detail"]?.stringContent ?? answer["outcome"]?.stringContent ?? ""
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

  /// The next command, answered with a result or refused.
  func command(refusing refusal: String? = nil) throws -> CommandCall {
    let request = try message("a command") { message in
      guard case .request(_, PluginMethod.command) = message.kind else { return false }
      return true
    }
    guard case .request(let id, _) = request.kind else { throw CocoaError(.coderReadCorrupt) }
    let answer =
      refusal.map {
        RPCLine.failure(id: id, RPCError(code: RPCError.refusedCode, message: $0))
      } ?? RPCLine.result(id: id, .object([]))
    try process.write(answer)
    return try CommandCall(json: request.payload())
  }

  func logged(_ text: String) throws -> String {
    try process.log.take("\"\(text)\" in the log") { $0.contains(text) }
  }

  func message(
    _ expected: String, where fits: (RPCMessage) -> Bool
  ) throws -> RPCMessage {
    let line = try process.output.take(expected) { line in
      (try? RPCMessage(line: Array(line.utf8))).map(fits) ?? false
    }
    return try RPCMessage(line: Array(line.utf8))
  }
}
