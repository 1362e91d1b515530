import Bytes
import Care
import JSON
import PluginProtocol
import Testing

/// What host and plugin tell each other first.
@Suite("Handshake") struct HandshakeTests {
  private static let request = InitializeRequest(
    protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub-7f3a",
    settings: ["url": "https://example.org/in"], grants: ["network"],
    stateDirectory: "/var/lib/homeward/plugins/webhook")
  private static let answer: JSONValue = ["protocol": 1, "name": "webhook", "version": "1.0.0"]

  @Test("The first request stands in the documentation as it is sent")
  func documented() {
    #expect(
      Self.request.json.serialized
        == #"{"protocol":1,"host":{"name":"homeward","version":"0.1.0"},"gateway":"hub-7f3a","#
        + #""settings":{"url":"https://example.org/in"},"grants":["network"],"#
        + #""stateDirectory":"/var/lib/homeward/plugins/webhook"}"#)
  }

  @Test("Who may sign up is told where it matters, and comes back", arguments: SignUp.allCases)
  func signUp(word: SignUp) throws {
    var request = Self.request
    #expect(request.json["signUp"] == nil)
    request.signUp = word
    #expect(try InitializeRequest(json: JSONValue(parsing: request.json.serialized)) == request)
  }

  @Test(
    "A first request that does not fit is refused by its member",
    arguments: [
      ("protocol", .null, .missingField, "protocol"), ("protocol", "1", .wrongType, "protocol"),
      ("protocol", 1.5, .wrongType, "protocol"), ("host", .null, .missingField, "host"),
      ("host", "homeward", .wrongType, "host"),
      ("host", ["name": "homeward"], .missingField, "host.version"),
      ("gateway", .null, .missingField, "gateway"), ("grants", "network", .wrongType, "grants"),
      ("stateDirectory", .null, .missingField, "stateDirectory"),
      ("signUp", "everybody", .unknownWord, "signUp"),
    ] as [(String, JSONValue, DecodeError.Code, String)])
  func refused(member: String, content: JSONValue, code: DecodeError.Code, field: String) {
    #expect(throws: DecodeError(code, at: 0, field: field)) {
      try InitializeRequest(json: Self.request.json.setting(member, to: content))
    }
  }

  @Test("Settings and grants that are absent are none")
  func least() throws {
    let json = JSONValue.object(
      (Self.request.json.objectContent ?? []).filter { !["settings", "grants"].contains($0.key) })
    let read = try InitializeRequest(json: json)
    #expect(read.settings == .object([]) && read.grants.isEmpty)
  }

  @Test(
    "How much a plugin takes at a time has bounds, and a usual measure",
    arguments: [
      (.null, 256, 262_144), ([:], 256, 262_144), (["events": 1], 1, 262_144),
      (["bytes": 1], 256, 1), (["events": 10_000, "bytes": 3_145_728], 10_000, 3_145_728),
    ] as [(JSONValue, Int, Int)])
  func credits(json: JSONValue, events: Int, bytes: Int) throws {
    let read = try InitializeAnswer(json: Self.answer.setting("credits", to: json))
    #expect(read.credits == DeliveryCredits(events: events, bytes: bytes))
    #expect(try InitializeAnswer(json: JSONValue(parsing: read.json.serialized)) == read)
  }

  @Test(
    "An answer that does not fit is refused by its member",
    arguments: [
      ("credits", ["events": 0], .outOfRange, "credits.events"),
      ("credits", ["events": 10_001], .outOfRange, "credits.events"),
      ("credits", ["events": "5"], .wrongType, "credits.events"),
      ("credits", ["bytes": 0], .outOfRange, "credits.bytes"),
      ("credits", ["bytes": 3_145_729], .outOfRange, "credits.bytes"),
      ("credits", ["bytes": .integer(.max)], .outOfRange, "credits.bytes"),
      ("credits", 7, .wrongType, "credits"), ("name", .null, .missingField, "name"),
      ("version", 1, .wrongType, "version"), ("protocol", .null, .missingField, "protocol"),
      ("protocol", "one", .wrongType, "protocol"),
    ] as [(String, JSONValue, DecodeError.Code, String)])
  func refusedAnswer(member: String, content: JSONValue, code: DecodeError.Code, field: String) {
    #expect(throws: DecodeError(code, at: 0, field: field)) {
      try InitializeAnswer(json: Self.answer.setting(member, to: content))
    }
  }
}
