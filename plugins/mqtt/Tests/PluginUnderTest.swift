import Care
import Foundation
import JSON
import Moments
import PluginProtocol
import TestSupport

/// The built plugin, driven over pipes as the host drives it.
final class PluginUnderTest: @unchecked Sendable {
  let process: LineProcess
  let state: TemporaryDirectory
  private let port: Int
  private let grants: [String]
  private var nextID: Int64 = 0

  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("homeward-plugin-mqtt").path

  /// A plugin that has not been initialised; `state` is the folder of an earlier run.
  init(
    uninitializedFor broker: Broker, state: TemporaryDirectory? = nil, language: String = "en",
    grants: [String] = ["network", "command:locate"]
  ) throws {
    port = broker.port
    self.grants = grants
    self.state = try state ?? TemporaryDirectory()
    process = try LineProcess("/usr/bin/env", ["HOMEWARD_LANGUAGE=\(language)", Self.program])
  }

  /// A plugin that is connected and hears, or has told that it is not connected.
  convenience init(
    _ broker: Broker, _ settings: JSONValue = .object([]), state: TemporaryDirectory? = nil,
    expecting code: String = "", language: String = "en",
    grants: [String] = ["network", "command:locate"]
  ) throws {
    try self.init(uninitializedFor: broker, state: state, language: language, grants: grants)
    if case .failure(_, let error) = try initialize(settings).kind { throw error }
    _ = try health(code)
    if code.isEmpty { try broker.waitForSubscriptions() }
  }

  // MARK: Requests

  func initialize(_ settings: JSONValue) throws -> RPCMessage {
    let defaults: JSONValue = ["host": "127.0.0.1", "port": .integer(Int64(port))]
    let complete = (settings.objectContent ?? []).reduce(defaults) {
      $0.setting($1.key, to: $1.value)
    }
    let request = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub", settings: complete,
      grants: grants, stateDirectory: state.path)
    return try call(PluginMethod.initialize, request.json)
  }

  @discardableResult
  func call(_ method: String, _ params: JSONValue = .object([])) throws -> RPCMessage {
    nextID += 1
    try process.write(RPCLine.request(id: .number(nextID), method: method, params: params))
    return try answer(.number(nextID))
  }

  /// Sends a batch and answers its request's id.
  func send(_ lane: Lane, _ bodies: [[UInt8]]) throws -> RPCID {
    nextID += 1
    let batch = DeliverBatch(
      lane: lane, isDurable: true, sequences: 1...Int64(max(1, bodies.count)), bodies: bodies)
    try process.write(batch.line(id: .number(nextID)))
    return .number(nextID)
  }

  /// Sends a batch and answers what became of each event.
  func deliver(_ lane: Lane, _ bodies: [[UInt8]]) throws -> [EventOutcome] {
    try outcomes(of: send(lane, bodies), count: bodies.count)
  }

  func outcomes(of id: RPCID, count: Int) throws -> [EventOutcome] {
    let answer = try answer(id)
    if case .failure(_, let error) = answer.kind { throw error }
    return try BatchOutcomes(json: answer.payload(), count: count).expanded
  }

  /// The answer to a request.
  func answer(_ id: RPCID) throws -> RPCMessage {
    try message("an answer to \(id)") { message in
      switch message.kind {
      case .result(let answered): answered == id
      case .failure(let answered, _): answered == id
      case .request, .notification: false
      }
    }
  }

  // MARK: What the plugin says

  /// The health notification with that code.
  func health(_ code: String) throws -> PluginHealth {
    let notice = try message("health \(code)") { message in
      guard case .notification(PluginMethod.health) = message.kind else { return false }
      return (try? PluginHealth(json: message.payload()))?.code == code
    }
    return try PluginHealth(json: notice.payload())
  }

  /// The next command that the plugin hands in; it is answered with `result`.
  func command(answering result: JSONValue) throws -> CommandCall {
    let request = try message("a command") { message in
      guard case .request(_, PluginMethod.command) = message.kind else { return false }
      return true
    }
    guard case .request(let id, _) = request.kind else { throw CocoaError(.coderReadCorrupt) }
    try process.write(RPCLine.result(id: id, result))
    return try CommandCall(json: request.payload())
  }

  /// Refuses the next command that the plugin hands in.
  func refuseCommand(_ reason: String) throws {
    let request = try message("a command") { message in
      guard case .request(_, PluginMethod.command) = message.kind else { return false }
      return true
    }
    guard case .request(let id, _) = request.kind else { throw CocoaError(.coderReadCorrupt) }
    try process.write(
      RPCLine.failure(id: id, RPCError(code: RPCError.refusedCode, message: reason)))
  }

  /// The next observation that the plugin hands in; it is answered with `answer`, or with nothing.
  func observation(answering answer: JSONValue? = .object([])) throws -> ObserveCall {
    let request = try message("an observation") { message in
      guard case .request(_, PluginMethod.observe) = message.kind else { return false }
      return true
    }
    guard case .request(let id, _) = request.kind else { throw CocoaError(.coderReadCorrupt) }
    if let answer { try process.write(RPCLine.result(id: id, answer)) }
    return try ObserveCall(json: request.payload())
  }

  /// Observations that were handed in and not taken.
  var remainingObservations: Int {
    process.output.remaining.count { $0.contains("\"method\":\"observe\"") }
  }

  /// A line of the log that contains `text`.
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

/// Stored events for tests.
enum Stored {
  static let start = Timestamp.seconds(1_795_000_000)

  /// The stored bytes of an event.
  static func event(
    _ number: Int, _ type: EventType = .fixAccepted, lane: Lane = .trace,
    resident: ResidentID? = "mary", _ facts: JSONValue = .object([])
  ) -> [UInt8] {
    let moment = Moment(
      tick: .seconds(Int64(number)), utc: start.advanced(byMilliseconds: Int64(number) * 1000),
      quality: .synchronised)
    let event = Event(
      id: EventID("id-\(number)"), type: type, lane: lane, resident: resident, moment: moment,
      facts: facts.setting("number", to: .integer(Int64(number))))
    return event.cloudEvent(gateway: "hub", boot: "boot").body
  }

  /// What the gateway tells of an erasure: nothing but a digest.
  static func erased(_ number: Int, _ resident: ResidentID) -> [UInt8] {
    let digest = resident.digest(in: EventID("id-\(number)"))
    return event(
      number, .residentErased, lane: .record, resident: nil,
      ["erased": .string(digest), "by": "local:anna"])
  }

  /// A sign of life with these residents.
  static func heartbeat(
    _ number: Int, _ residents: [ResidentID], _ more: JSONValue = .object([])
  ) -> [UInt8] {
    let facts: JSONValue = [
      "expectedNext": .string(
        start.advanced(byMilliseconds: Int64(number + 300) * 1000).iso8601), "faults": [],
      "residents": .array(
        residents.map { ["id": .string($0.rawValue), "name": .string($0.rawValue.capitalized)] }),
    ]
    return event(
      number, .heartbeat, lane: .record, resident: nil,
      (more.objectContent ?? []).reduce(facts) { $0.setting($1.key, to: $1.value) })
  }

  /// Events with consecutive numbers.
  static func events(_ numbers: Range<Int>, lane: Lane = .trace) -> [[UInt8]] {
    numbers.map { event($0, lane: lane, position($0)) }
  }

  static func position(_ number: Int) -> JSONValue {
    [
      "latitude": .number(Double(number) / 100_000), "longitude": 2.5, "accuracyMeters": 4.0,
    ]
  }

  /// The texts that a subscriber sees.
  static func texts(_ bodies: [[UInt8]]) -> [String] {
    bodies.map { String(decoding: $0, as: UTF8.self) }
  }
}
