import Care
import Foundation
import GlucoseValues
import JSON
import Moments
import PluginKit
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

/// Requests as somebody behind the broker sends them.
enum Requests {
  /// A request for a position, valid for a minute unless told otherwise; nil for no expiry.
  static func locate(
    _ id: String, expiresAfterSeconds: Int64? = 60, action: String = "locate"
  ) -> String {
    let expiry = expiresAfterSeconds.map {
      WallClock.now.advanced(byMilliseconds: $0 * 1000).iso8601
    }
    let request: JSONValue = .object([
      "id": .string(id), "expiresAt": expiry.map { .string($0) },
      "request": ["action": .string(action), "target": "mary"],
    ])
    return request.serialized
  }
}

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct CommandTests {
  private static let topic = "homeward/hub/command/anna"
  private static let grants: JSONValue = [
    "commands": [
      ["principal": "anna", "actions": ["locate"]],
      ["principal": "clinic", "topic": "elsewhere/clinic", "actions": ["locate"]],
    ]
  ]

  @Test func aGrantedCommandReachesTheGatewayAndItsAnswerComesBack() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/reply/#")
    let plugin = try PluginUnderTest(broker, Self.grants)
    try broker.publish(Requests.locate("c-1"), to: Self.topic)
    let call = try plugin.command(answering: ["result": ["asked": true]])
    #expect(call.principal == "anna" && call.id == "c-1")
    #expect(call.request == .locate(resident: "mary"))
    let reply = try subscriber.next("homeward/hub/reply/anna")
    #expect(reply.payload == "{\"id\":\"c-1\",\"result\":{\"asked\":true}}")
    #expect(!reply.isRetained)
  }

  @Test func readingsOfGlucoseComeInUnchangedAndGoAgain() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/reply/#")
    let plugin = try PluginUnderTest(
      broker,
      ["commands": [["principal": "anna", "actions": ["glucose.put", "glucose.remove"]]]])
    let reading = GlucoseReading(
      id: "r-1", resident: "mary",
      level: try GlucoseConcentration(text: "5.60", unit: .millimolesPerLitre),
      tag: GlucoseTag(word: "before-breakfast"), time: Stored.start,
      receivedAt: Stored.start.advanced(byMilliseconds: 60_000), source: .hand)
    let requests: [GlucoseRequest] = [
      .put(reading, revision: nil), .remove("r-1", revision: 1),
    ]
    for (number, request) in requests.enumerated() {
      let expiry = WallClock.now.advanced(byMilliseconds: 60_000).iso8601
      let message: JSONValue = [
        "id": .string("g-\(number)"), "expiresAt": .string(expiry), "request": request.json,
      ]
      try broker.publish(message.serialized, to: Self.topic)
      let call = try plugin.command(answering: ["result": ["revision": 1]])
      #expect(call.principal == "anna" && call.request == .glucose(request))
      _ = try subscriber.next("homeward/hub/reply/anna") { $0.contains("\"g-\(number)\"") }
    }
  }

  @Test func aReadingOfGlucoseNeedsItsOwnGrant() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(
      broker, ["commands": [["principal": "anna", "actions": ["glucose.put"]]]])
    // The owner let Anna, but not the plugin.
    _ = try plugin.logged("lacks the grant command:glucose.put")
    try broker.publish(Requests.locate("g-3", action: "glucose.remove"), to: Self.topic)
    _ = try plugin.logged("\"glucose.remove\" is not granted on this topic")
    #expect(!plugin.process.output.remaining.contains { $0.contains("\"command\"") })
  }

  @Test func aTopicOfItsOwnSpeaksForItsPrincipal() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(broker, Self.grants)
    try broker.publish(Requests.locate("c-2"), to: "elsewhere/clinic")
    #expect(try plugin.command(answering: .object([])).principal == "clinic")
  }

  @Test func whatMayNotCommandIsIgnoredAndSaidWhy() throws {
    let broker = try Broker()
    try broker.publish(Requests.locate("kept"), to: Self.topic, isRetained: true)
    let subscriber = try Subscriber(broker, "homeward/hub/reply/#")
    let plugin = try PluginUnderTest(broker, Self.grants)
    _ = try plugin.logged("retained")
    let cases = [
      (Requests.locate("late", expiresAfterSeconds: -1), "expired"),
      (Requests.locate("open", expiresAfterSeconds: nil), "no expiresAt"),
      (Requests.locate("much", action: "resident.erase"), "not granted on this topic"),
      ("no json", "no JSON"), ("{\"expiresAt\":1}", "no id"),
      (String(repeating: " ", count: 70_000), "larger than"),
    ]
    for (request, reason) in cases {
      try broker.publish(request, to: Self.topic)
      _ = try plugin.logged(reason)
    }
    try broker.publish(Requests.locate("good"), to: Self.topic)
    #expect(try plugin.command(answering: .object([])).id == "good")
    for id in ["late", "open", "much"] {
      let reply = try subscriber.next("homeward/hub/reply/anna") { $0.contains("\"\(id)\"") }
      #expect(reply.payload.contains("\"code\":1001"))
    }
  }

  @Test func aPrincipalWhoseGrantWasTakenAwayIsNotHeardInTheOldSession() throws {
    let broker = try Broker()
    let before = try PluginUnderTest(broker, Self.grants)
    try before.call(PluginMethod.shutdown)
    try before.process.waitForEnd()
    try broker.publish(Requests.locate("queued"), to: Self.topic)
    let after = try PluginUnderTest(broker, state: before.state)
    _ = try after.logged("nobody was granted")
    try after.call(PluginMethod.shutdown)
    try after.process.waitForEnd()
    #expect(!after.process.output.remaining.contains { $0.contains("\"command\"") })
  }

  @Test func aCommandThatTheGatewayRefusesIsAnsweredSo() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/reply/#")
    let plugin = try PluginUnderTest(broker, Self.grants)
    try broker.publish(Requests.locate("c-3"), to: Self.topic)
    let line = try plugin.process.output.take("a command") { $0.contains("\"command\"") }
    let request = try RPCMessage(line: Array(line.utf8))
    guard case .request(let id, _) = request.kind else {
      Issue.record("a command must be a request")
      return
    }
    let refusal = RPCError(code: RPCError.refusedCode, message: "there is no such resident")
    try plugin.process.write(RPCLine.failure(id: id, refusal))
    let reply = try subscriber.next("homeward/hub/reply/anna")
    #expect(reply.payload.contains("there is no such resident"))
  }

  @Test func aButtonPressBecomesACommandWhenGranted() throws {
    let broker = try Broker()
    let press = "homeward/hub/locate/mary/press"
    try broker.publish("PRESS", to: press, isRetained: true)
    let plugin = try PluginUnderTest(
      broker, ["commands": [["principal": "home-assistant", "actions": ["locate"]]]])
    _ = try plugin.logged("retained")
    try broker.publish("PRESS", to: press)
    let first = try plugin.command(answering: .object([]))
    #expect(first.principal == "home-assistant" && first.request == .locate(resident: "mary"))
    #expect(first.freshUntil != nil && first.expiresAt == nil)
    try broker.publish("PRESS", to: press)
    #expect(try plugin.command(answering: .object([])).id != first.id)
  }
}

@Suite struct CommandGateTests {
  private static let now = Timestamp.seconds(1_795_000_000)

  private func decision(
    _ topic: String, _ payload: String, isRetained: Bool = false
  ) throws -> CommandGate.Decision {
    let settings = try MQTTSettings(
      json: ["host": "h", "commands": [["principal": "anna", "actions": ["locate"]]]],
      gateway: "hub")
    return CommandGate(settings: settings).decide(
      .init(topic: topic, payload: Array(payload.utf8), isRetained: isRetained),
      at: Arrival(now: Self.now),
      freshID: { "fresh" })
  }

  @Test func aPressIsUnknownUnlessHomeAssistantWasGranted() throws {
    #expect(try decision("homeward/hub/locate/mary/press", "PRESS") == .unknownTopic)
  }

  @Test func aPrincipalInTheRequestIsReplacedByThatOfTheTopic() throws {
    let request = """
      {"principal":"mallory","id":"1","expiresAt":"2030-01-01T00:00:00Z","request":{"action":"locate"}}
      """
    guard case .forward(let params, _, _) = try decision("homeward/hub/command/anna", request)
    else {
      Issue.record("a granted command was not forwarded")
      return
    }
    #expect(params["principal"] == "anna")
  }

  @Test func everyPrefixOfARequestIsIgnoredWithoutHarm() throws {
    let request = Array(Requests.locate("c-1", expiresAfterSeconds: 1_000_000_000).utf8)
    for count in 0..<request.count {
      let prefix = String(decoding: request.prefix(count), as: UTF8.self)
      guard case .ignore = try decision("homeward/hub/command/anna", prefix) else {
        Issue.record("a prefix of \(count) bytes was taken")
        return
      }
    }
  }
}
