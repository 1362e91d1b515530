import Care
import JSON
import PluginProtocol
import Testing

/// What is wrong with a `plugin.json` is said with its place and with what to write instead.
@Suite("What a manifest is refused for") struct ManifestRefusalTests {
  /// A member, a content that does not fit, the place that is named, and words of what is said.
  struct Fault: Sendable {
    let member: String
    let content: JSONValue
    let path: String
    let words: String

    init(_ member: String, _ content: JSONValue, at path: String? = nil, _ words: String) {
      self.member = member
      self.content = content
      self.path = path ?? member
      self.words = words
    }
  }

  private static func letters(_ count: Int) -> JSONValue {
    .string(String(repeating: "a", count: count))
  }

  private static func list(_ content: JSONValue, _ count: Int) -> JSONValue {
    .array(Array(repeating: content, count: count))
  }

  private static let names: [Fault] = [
    Fault("name", letters(33), "1 through 32 lower-case letters"),
    Fault("name", "-web", "first a letter"), Fault("name", "web_hook", "letters, digits"),
    Fault("name", "wéb", "letters, digits"), Fault("name", "web hook", "letters, digits"),
    Fault("name", 7, "a text of 1 through 500"), Fault("name", .null, "a text of 1 through 500"),
    Fault("version", "1.0.0.0", "MAJOR.MINOR.PATCH"), Fault("version", "1..0", "MAJOR.MINOR.PATCH"),
    Fault("version", "v1.0.0", "such as 1.0.0"), Fault("version", "1.0.0-rc1", "such as 1.0.0"),
    Fault("version", "1.0.1234567890", "such as 1.0.0"), Fault("version", "١.٠.٠", "such as 1.0.0"),
    Fault("version", 1.0, "a text of 1 through 500"),
    Fault("description", "", "1 through 500 characters"),
    Fault("description", letters(501), "1 through 500 characters"),
    Fault("licence", .null, "1 through 500 characters"),
  ]

  private static let protocols: [Fault] = [
    Fault("protocol", 1, "list the protocol versions"),
    Fault("protocol", .null, "list the protocol versions"),
    Fault("protocol", [0], at: "protocol[0]", "a whole number from 1"),
    Fault("protocol", [1, 1001], at: "protocol[1]", "a whole number from 1"),
    Fault("protocol", [1, 1.5], at: "protocol[1]", "a whole number from 1"),
  ]

  private static let commands: [Fault] = [
    Fault("command", "./run.py", "a list of at most 200 texts"),
    Fault("command", list("x", 201), "a list of at most 200 texts"),
    Fault("command", ["./run.py", 7], at: "command[1]", "in quotation marks"),
    Fault("command", [""], at: "command[0]", "./program for a file of the folder"),
    Fault("command", ["../run.py"], at: "command[0]", "./program for a file of the folder"),
    Fault("command", ["bin/run.py"], at: "command[0]", "./program for a file of the folder"),
    Fault("command", ["./bin/../../sh"], at: "command[0]", "./program for a file of the folder"),
    Fault("command", ["./run.py", "a\u{0}b"], "list the program and its arguments"),
  ]

  private static let events: [Fault] = [
    Fault("lanes", "alarm", "a list of at most 200 texts"),
    Fault("lanes", ["alarm", "trace", "alarm"], at: "lanes[2]", "each once"),
    Fault("lanes", ["Alarm"], at: "lanes[0]", "alarm, record or trace"),
    Fault("types", [""], at: "types[0]", "a type such as zone.left"),
    Fault("types", ["zone."], at: "types[0]", "a type such as zone.left"),
    Fault("types", ["zone.left", "zone*"], at: "types[1]", "\"*\" for all"),
    Fault("types", .null, "a list of at most 200 texts"),
  ]

  private static let rights: [Fault] = [
    Fault("offers", [""], at: "offers[0]", "lower-case letters"),
    Fault("offers", ["speech", "to speak"], at: "offers[1]", "lower-case letters"),
    Fault("grants", ["observe"], at: "grants[0]", "observe:<kind>"),
    Fault("grants", ["network", "command:*"], at: "grants[1]", "only with accounts"),
    Fault("grants", ["accounts", "read:*"], at: "grants[1]", "read:<kind>"),
    Fault("grants", ["network "], at: "grants[0]", "write network"),
    Fault("grants", [7], at: "grants[0]", "in quotation marks"),
    Fault("loopback", list(80, 17), "at most 16 ports"),
    Fault("loopback", [0], at: "loopback[0]", "from 1 to 65535"),
    Fault("loopback", [80, -1], at: "loopback[1]", "from 1 to 65535"),
    Fault("loopback", [80.5], at: "loopback[0]", "from 1 to 65535"),
    Fault("loopback", [65_536], at: "loopback[0]", "from 1 to 65535"),
    Fault("loopback", [1883, 2947], at: "loopback[1]", "leave out 2947"),
  ]

  private static let needs: [Fault] = [
    Fault("consents", "microphone", "write a list such as"),
    Fault("consents", list(["kind": "camera"], 17), "write a list such as"),
    Fault("consents", [:], "write a list such as"),
    Fault("consents", [[:]], at: "consents[0].kind", "location, camera, microphone"),
    Fault(
      "consents", [["kind": "camera", "resident": "nobody", "switch": "on"]],
      at: "consents[0].resident", "a setting of type string"),
    Fault(
      "consents", [["kind": "camera", "resident": "on", "switch": "on"]],
      at: "consents[0].resident", "a setting of type string"),
    Fault(
      "consents", [["kind": "camera", "resident": "url", "switch": true]],
      at: "consents[0].switch", "a setting of type boolean"),
  ]

  @Test(
    "One fault is refused by its place, and is the only one that is listed",
    arguments: [names, protocols, commands, events, rights, needs].flatMap { $0 })
  func refused(fault: Fault) throws {
    let json = PluginManifestTests.valid.setting(fault.member, to: fault.content)
    let error = try #require(throws: ManifestError.self) { try PluginManifest(json: json) }
    #expect(error.path == fault.path)
    #expect(error.message.contains(fault.words), "\(error)")
    #expect(PluginManifest.faults(parsing: json.serializedBytes) == [error])
  }

  @Test(
    "What lies at a bound is taken",
    arguments: [
      ("name", letters(32)), ("name", "a-9-"), ("version", "999999999.0.00"),
      ("protocol", [1000, 1]), ("command", list("x", 200)), ("command", ["python3"]),
      ("command", ["./bin/..run"]), ("description", letters(500)), ("lanes", []), ("offers", []),
      ("types", ["*"]), ("loopback", list(65_535, 16)), ("loopback", [1]), ("consents", []),
      ("consents", list(["kind": "calls", "resident": "url", "switch": "on"], 16)),
    ] as [(String, JSONValue)])
  func taken(member: String, content: JSONValue) throws {
    let json = PluginManifestTests.valid.setting(member, to: content)
    _ = try PluginManifest(json: json)
    #expect(PluginManifest.faults(parsing: json.serializedBytes) == [])
  }

  @Test("What has to be there is named, whatever else is missing")
  func missing() {
    let required = ["name", "version", "protocol", "command", "description", "licence"]
    #expect(PluginManifest.faults(parsing: Array("{}".utf8)).map(\.path) == required)
    for name in required {
      let json = JSONValue.object(
        (PluginManifestTests.valid.objectContent ?? []).filter { $0.key != name })
      let error = #expect(throws: ManifestError.self) { try PluginManifest(json: json) }
      #expect(error?.path == name)
    }
  }

  @Test("All faults are listed at once, those of the settings last")
  func several() {
    let json = PluginManifestTests.valid.setting("colour", to: "red").setting("name", to: "")
      .setting("lanes", to: ["alarms"]).setting("grants", to: ["root"])
      .setting("settings", to: ["type": "object", "properties": ["a": ["type": "text"]]])
    #expect(
      PluginManifest.faults(parsing: json.serializedBytes).map(\.path)
        == ["colour", "name", "lanes[0]", "grants[0]", "settings.properties.a.type"])
  }

  @Test("A file that is no object, no JSON or too large is refused as a whole")
  func files() throws {
    let valid = PluginManifestTests.valid.serializedBytes
    let room = Array(repeating: UInt8(ascii: " "), count: PluginManifest.maximumBytes - valid.count)
    #expect(try PluginManifest(parsing: valid + room).name == "webhook")
    for (bytes, words) in [
      (valid + room + [0x20], "too large"), (Array("[]".utf8), "one object"),
      (Array("{".utf8), "truncated"), (Array(#"{"name":"a","name":"b"}"#.utf8), "duplicate key"),
    ] {
      let error = try #require(throws: ManifestError.self) { try PluginManifest(parsing: bytes) }
      #expect(error.path == "" && error.description.hasPrefix("plugin.json: "))
      #expect(error.message.contains(words), "\(error)")
      #expect(PluginManifest.faults(parsing: bytes) == [error])
    }
  }

  @Test("Host and plugin speak the highest version that both know")
  func versions() throws {
    let manifest = try PluginManifest(
      json: PluginManifestTests.valid.setting("protocol", to: [1, 4, 3]))
    #expect(manifest.commonProtocolVersion(with: [2, 3, 4, 5]) == 4)
    #expect(manifest.commonProtocolVersion(with: [3, 1]) == 3)
    #expect(manifest.commonProtocolVersion(with: [2]) == nil)
    #expect(manifest.commonProtocolVersion() == 1)
  }

  @Test(
    "A plugin gets the types that it names, what lies below a word that it names, and no others",
    arguments: [
      (["zone"], "zone.left", true), (["zone"], "zone", true), (["zone"], "zones.left", false),
      (["zone.left"], "zone.left.again", true), (["zone.left"], "zone.entered", false),
      (["alarm", "zone"], "zone.left", true), (["*"], "anything.at.all", true),
    ] as [([String], String, Bool)])
  func wanted(types: [String], type: String, isWanted: Bool) throws {
    let manifest = try PluginManifest(
      json: PluginManifestTests.valid.setting("types", to: .array(types.map { .string($0) })))
    #expect(manifest.wants(.init(rawValue: type)) == isWanted)
  }

  @Test("Without lanes nothing is wanted, and nobody has to say which types")
  func withoutLanes() throws {
    let json = PluginManifestTests.valid.setting("lanes", to: []).setting("types", to: [])
    let manifest = try PluginManifest(json: json)
    #expect(manifest.lanes.isEmpty && !manifest.wants(.init(rawValue: "zone.left")))
  }
}
