import Bytes
import Care
import JSON
import Moments
import PluginProtocol
import Testing
import Texts

@Suite struct PluginManifestTests {
  static let valid: JSONValue = [
    "name": "webhook", "version": "1.0.0", "protocol": [1], "command": ["./webhook.py"],
    "description": "Posts events.", "licence": "Apache-2.0", "lanes": ["record", "alarm"],
    "types": ["zone", "position.unknown"], "offers": ["speech"],
    "grants": ["network", "observe:fix"], "loopback": [1883, 8883],
    "consents": [["kind": "microphone", "resident": "url", "switch": "on"]],
    "settings": [
      "type": "object", "properties": ["url": ["type": "string"], "on": ["type": "boolean"]],
    ],
  ]

  @Test func aValidManifestIsRead() throws {
    let manifest = try PluginManifest(parsing: Self.valid.serializedBytes)
    #expect(manifest.name == "webhook")
    #expect(manifest.lanes == [.alarm, .record])
    #expect(manifest.grants == [.network, .observe("fix")])
    #expect(manifest.loopback == [1883, 8883])
    #expect(
      manifest.consents == [
        ConsentNeed(kind: .microphone, residentSetting: "url", switchSetting: "on")
      ])
    #expect(manifest.commonProtocolVersion(with: [1, 2]) == 1)
    #expect(manifest.commonProtocolVersion(with: [2]) == nil)
    #expect(manifest.wants("zone.left") && manifest.wants("position.unknown"))
    #expect(!manifest.wants("zones.left") && !manifest.wants("position.regained"))
  }

  @Test(
    arguments: [
      ("name", "Webhook", "name"), ("name", "", "name"), ("name", "9lives", "name"),
      ("version", "1.0", "version"), ("protocol", [], "protocol"),
      ("protocol", ["1"], "protocol[0]"),
      ("command", [], "command"), ("command", ["/bin/sh"], "command[0]"),
      ("command", ["./../sh"], "command[0]"), ("lanes", ["alarms"], "lanes[0]"),
      ("lanes", ["alarm", "alarm"], "lanes[1]"), ("types", [], "types"),
      ("types", ["zone.*"], "types[0]"), ("grants", ["root"], "grants[0]"),
      ("grants", ["observe:"], "grants[0]"), ("grants", ["read:"], "grants[0]"),
      ("grants", ["read:health", "read:secrets"], "grants[1]"), ("offers", ["Speech"], "offers[0]"),
      ("loopback", 1883, "loopback"), ("loopback", ["1883"], "loopback[0]"),
      ("loopback", [1883, 70_000], "loopback[1]"), ("loopback", [2947], "loopback[0]"),
      ("loopback", [8473], "loopback[0]"), ("licence", 7, "licence"), ("colour", "red", "colour"),
      ("consents", ["microphone"], "consents[0].kind"),
      ("consents", [["kind": "ears"]], "consents[0].kind"),
      ("consents", [["kind": "microphone", "switch": "on"]], "consents[0].resident"),
      (
        "consents", [["kind": "microphone", "resident": "url", "switch": "url"]],
        "consents[0].switch"
      ),
      (
        "consents", [["kind": "microphone", "resident": "url", "switch": "on", "by": "x"]],
        "consents[0].by"
      ),
      ("settings", ["type": "array"], "settings.type"),
      (
        "settings", ["type": "object", "properties": ["a": ["type": "text"]]],
        "settings.properties.a.type"
      ),
      (
        "settings", ["type": "object", "properties": ["a": ["pattern": "x"]]],
        "settings.properties.a.pattern"
      ),
      (
        "settings", ["type": "object", "properties": ["a": ["type": "integer", "secret": true]]],
        "settings.properties.a.secret"
      ),
    ] as [(String, JSONValue, String)])
  func aFaultIsNamedWithItsPlace(member: String, content: JSONValue, path: String) {
    let error = #expect(throws: ManifestError.self) {
      try PluginManifest(json: Self.valid.setting(member, to: content))
    }
    #expect(error?.path == path)
  }

  @Test func everyPrefixIsRefusedAndNoBitFlipStopsTheProgram() {
    let bytes = Self.valid.serializedBytes
    for end in 0..<bytes.count {
      #expect(throws: ManifestError.self) { try PluginManifest(parsing: bytes[..<end]) }
    }
    var refused = 0
    for index in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[index] ^= 1 << UInt8(bit)
        if (try? PluginManifest(parsing: flipped)) == nil { refused += 1 }
      }
    }
    #expect(refused > bytes.count)
  }
}

@Suite struct SettingsSchemaTests {
  private func schema() throws -> SettingsSchema {
    try SettingsSchema(
      json: [
        "type": "object", "required": ["host"], "additionalProperties": false,
        "properties": [
          "host": ["type": "string", "minLength": 1, "maxLength": 5],
          "port": ["type": "integer", "minimum": 1, "maximum": 65535, "default": 1883],
          "level": ["type": "string", "enum": ["low", "high"], "default": "low"],
          "password": ["type": "string", "secret": true],
          "tls": [
            "type": "object", "properties": ["verify": ["type": "boolean", "default": true]],
          ],
          "people": [
            "type": "array",
            "items": [
              "type": "object", "required": ["name"],
              "properties": [
                "name": ["type": "string"], "pin": ["type": "string", "secret": true],
              ],
            ],
          ],
        ],
      ])
  }

  @Test func allErrorsAreListedWithTheirPaths() throws {
    let errors = try schema().validate([
      "port": 0, "level": "middle", "password": "plain", "tls": ["verify": 1], "extra": 1,
      "people": [["name": "a"], ["pin": ["credential": "../x"]]],
    ])
    #expect(
      errors.map(\.path) == [
        "host", "port", "level", "password", "tls.verify", "extra", "people[1].name",
        "people[1].pin",
      ])
    #expect(!errors.contains { $0.description.contains("plain") })
    #expect(
      errors.map(\.description).prefix(4) == [
        "host: is missing", "port: write at least 1", "level: write one of \"low\", \"high\"",
        "password: is a secret: write {\"file\": \"/path\"} or {\"credential\": \"name\"} and keep it there",
      ])
    #expect(errors.map { $0.text(in: .zh) }.prefix(2) == ["host: 缺少这一项", "port: 至少写1"])
  }

  @Test func defaultsFillInAllTheWayDown() throws {
    let settings = try schema().applyingDefaults(to: ["host": "a"])
    #expect(
      settings == ["host": "a", "port": 1883, "level": "low", "tls": ["verify": true]])
    #expect(try schema().validate(settings) == [])
  }

  @Test func secretsAreFoundAndReplacedWhereverTheyStand() throws {
    let settings: JSONValue = [
      "host": "a", "password": ["file": "/run/secret"],
      "people": [["name": "x"], ["name": "y", "pin": ["credential": "pin-y"]]],
    ]
    #expect(try schema().validate(settings) == [])
    let references = try schema().secretReferences(in: settings)
    #expect(references.map(\.pathDescription) == ["password", "people[1].pin"])
    #expect(references.map(\.source) == [.file("/run/secret"), .credential("pin-y")])
    let resolved = try schema().resolvingSecrets(in: settings) { $0.pathDescription }
    #expect(resolved["password"] == "password")
    #expect(resolved["people"]?.arrayContent?[1]["pin"] == "people[1].pin")
    #expect(try schema().validate(resolved, secrets: .plain) == [])
  }

  @Test func anEmptySchemaAllowsNoSettings() throws {
    let schema = try SettingsSchema(json: .object([]))
    #expect(schema.validate(.object([])) == [])
    #expect(schema.validate(["a": 1]).map(\.path) == ["a"])
  }
}

@Suite struct CallTests {
  @Test("A question is read as it was written, and its parameters are an object")
  func questions() throws {
    for call in [
      RequestCall(method: "zones.list"),
      RequestCall(method: "notes.query", params: ["resident": "mary", "limit": 3], language: "zh"),
    ] {
      #expect(try RequestCall(json: call.json) == call)
    }
    #expect(try RequestCall(json: ["method": "status"]).params == .object([]))
    for answer in [RequestAnswer([1], next: "abc"), RequestAnswer(.object([]))] {
      #expect(try RequestAnswer(json: answer.json) == answer)
    }
    #expect(throws: DecodeError.self) { try RequestCall(json: ["params": .object([])]) }
    #expect(throws: DecodeError.self) { try RequestCall(json: ["method": "a", "params": []]) }
  }

  @Test func typedMessagesReadBackWhatTheyWrite() throws {
    let initialize = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub", settings: ["a": 1],
      grants: ["network"], stateDirectory: "/s")
    #expect(try InitializeRequest(json: initialize.json) == initialize)
    var ofPages = initialize
    ofPages.signUp = .invited
    #expect(try InitializeRequest(json: ofPages.json) == ofPages)
    let answer = InitializeAnswer(
      protocolVersion: 1, name: "n", version: "1.0.0", credits: DeliveryCredits(events: 5))
    #expect(try InitializeAnswer(json: answer.json) == answer)
    let call = CommandCall(
      principal: "anna", id: "c", expiresAt: .seconds(5), request: .locate(resident: "mary"))
    #expect(try CommandCall(json: call.json) == call)
    let fresh = CommandCall(
      principal: "anna", id: "c", freshUntil: .seconds(7), request: .locate(resident: "mary"))
    #expect(try CommandCall(json: fresh.json) == fresh)
    let anna = Principal(channel: .plugin, name: "mqtt/anna")
    #expect(fresh.command(of: anna).freshUntil == .seconds(7))
    #expect(try Command(json: fresh.command(of: anna).json) == fresh.command(of: anna))
    #expect(throws: DecodeError.self) {
      try CommandCall(json: fresh.json.setting("freshUntil", to: .null))
    }
    var chinese = call
    chinese.language = "zh"
    #expect(try CommandCall(json: chinese.json) == chinese)
    #expect(call.command(of: anna).principal.description == "plugin:mqtt/anna")
    let message = AlarmMessage(
      alarm: "e", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .sms,
      address: "+4791234567", attempt: 2, text: "t", spokenText: "s", language: "en",
      asksForAcknowledgement: true)
    #expect(try AlarmMessage(json: message.json) == message)
    #expect(try NotifyAnswer(json: NotifyAnswer.taken.json) == .taken)
    #expect(try NotifyAnswer(json: NotifyAnswer.failed("no").json) == .failed("no"))
  }

  @Test(arguments: [0, 10_001, -1])
  func creditsOutsideTheirRangeAreRefused(events: Int64) {
    #expect(throws: DecodeError.self) {
      try InitializeAnswer(
        json: [
          "protocol": 1, "name": "n", "version": "1.0.0", "credits": ["events": .integer(events)],
        ])
    }
  }
}
