import JSON
import PluginProtocol
import Testing
import Texts

/// What an owner writes is checked against the schema, and an owner is told what to write instead.
@Suite("What settings are checked for") struct SettingsCheckTests {
  /// A schema of one setting `a`.
  private func schema(_ setting: JSONValue) throws -> SettingsSchema {
    try SettingsSchema(json: ["type": "object", "properties": ["a": setting]])
  }

  private static let types: [(JSONValue, JSONValue, String?)] = [
    (["type": "string"], "", nil), (["type": "string"], 7, "write a text"),
    (["type": "string"], .null, "write a text"), (["type": "integer"], 3.0, nil),
    (["type": "integer"], 1.5, "write a whole number"),
    (["type": "integer"], "1", "write a whole number"),
    (["type": "integer"], 1e30, "write a whole number"), (["type": "number"], 3, nil),
    (["type": "number"], "3", "write a number"), (["type": "boolean"], false, nil),
    (["type": "boolean"], 0, "write true or false"), (["type": "object"], [:], nil),
    (["type": "object"], [], "write an object"), (["type": "array"], [], nil),
    (["type": "array"], [:], "write a list"), ([:], .null, nil), ([:], [1, "x"], nil),
  ]

  private static let bounds: [(JSONValue, JSONValue, String?)] = [
    (["minimum": 1], 1, nil), (["minimum": 1], 0.5, "write at least 1"),
    (["minimum": 1], "0", nil), (["maximum": 2.5], 2.5, nil),
    (["maximum": 2.5], 3, "write at most 2.5"), (["minimum": -3], -4, "write at least -3"),
    (["minLength": 1], "", "must not be empty"),
    (["minLength": 2], "a", "write at least 2 characters"), (["minLength": 2], "ab", nil),
    (["maxLength": 2], "陳陳", nil), (["maxLength": 2], "abc", "write at most 2 characters"),
    (["maxLength": 2], "👩‍👩‍👧", "write at most 2 characters"), (["minLength": 5], 7, nil),
    (["enum": ["low", "high"]], "high", nil),
    (["enum": ["low", 2]], "High", "write one of \"low\", 2"),
  ]

  @Test("One setting by its type and its bounds", arguments: types + bounds)
  func one(setting: JSONValue, content: JSONValue, message: String?) throws {
    let errors = try schema(setting).validate(["a": content])
    #expect(errors.map(\.description) == (message.map { ["a: \($0)"] } ?? []))
  }

  @Test("Lists and objects are checked to their last part, with the place of each fault")
  func inside() throws {
    let list = try schema(["type": "array", "items": ["type": "integer", "maximum": 9]])
    #expect(list.validate(["a": [1, "b", 10, 3, 2.5]]).map(\.path) == ["a[1]", "a[2]", "a[4]"])
    let object = try schema([
      "type": "object", "required": ["x", "y"], "additionalProperties": false,
      "properties": ["x": ["type": "array", "items": ["items": ["type": "boolean"]]], "y": [:]],
    ])
    #expect(object.validate([:]) == [], "a setting that nobody requires may be absent")
    #expect(
      object.validate(["a": ["x": [[true], [1]], "z": 1]]).map(\.description) == [
        "a.y: is missing", "a.x[1][0]: write true or false",
        "a.z: is not known; known are x, y",
      ])
  }

  @Test("Nothing is said of what stands beside the settings, unless the schema closes them")
  func beside() throws {
    #expect(try schema([:]).validate(["b": 1]) == [])
    let closed = try SettingsSchema(json: ["type": "object", "additionalProperties": false])
    #expect(
      closed.validate(["b": 1]).map(\.description)
        == ["b: is not known; there are no settings here"])
    #expect(closed.validate([]).map(\.description) == ["write an object"])
  }

  // MARK: Defaults

  @Test(
    "A default stands where something is absent, and nowhere else",
    arguments: [
      (["default": 5], [:], ["a": 5]), (["default": 5], ["a": 0], ["a": 0]),
      (["default": true], ["a": false], ["a": false]), (["default": 5], ["a": .null], ["a": .null]),
      (["default": 5], ["b": 1], ["b": 1, "a": 5]), ([:], [:], [:]),
      (["type": "object", "properties": ["x": ["default": 1]]], [:], ["a": ["x": 1]]),
      (
        ["type": "object", "required": ["y"], "properties": ["x": ["default": 1]]], [:], [:]
      ),
      (
        ["type": "object", "required": ["y"], "properties": ["x": ["default": 1]]],
        ["a": ["y": 2]], ["a": ["y": 2, "x": 1]]
      ),
      (
        ["type": "object", "default": ["z": 3], "properties": ["x": ["default": 1]]], [:],
        ["a": ["z": 3, "x": 1]]
      ),
      (["type": "object", "properties": ["x": ["type": "string"]]], [:], [:]),
      (
        [
          "type": "array",
          "items": ["type": "object", "properties": ["x": ["default": 1]]],
        ], ["a": [["x": 2], [:]]], ["a": [["x": 2], ["x": 1]]]
      ),
      (["type": "object", "properties": ["x": ["default": 1]]], ["a": "odd"], ["a": "odd"]),
    ] as [(JSONValue, JSONValue, JSONValue)])
  func defaults(setting: JSONValue, settings: JSONValue, expected: JSONValue) throws {
    let completed = try schema(setting).applyingDefaults(to: settings)
    #expect(completed == expected)
    #expect(try schema(setting).applyingDefaults(to: completed) == completed)
  }

  // MARK: Secrets

  @Test(
    "A secret is kept in a file or as a credential, and nowhere else",
    arguments: [
      (["file": "/run/key"], .file("/run/key")), (["credential": "key"], .credential("key")),
      (["file": "run/key"], nil), (["file": ""], nil), (["file": "/a", "b": 1], nil),
      (["file": "/a\u{0}b"], nil), (["file": 7], nil), (["credential": "a/b"], nil),
      (["credential": "."], nil), (["credential": ".."], nil), (["credential": ""], nil),
      (["path": "/a"], nil), ([:], nil), ("/run/key", nil), (.null, nil),
    ] as [(JSONValue, SecretReference.Source?)])
  func sources(json: JSONValue, source: SecretReference.Source?) throws {
    #expect(SecretReference.Source(json: json) == source)
    let secret = try schema(["type": "string", "secret": true])
    #expect(secret.validate(["a": json]).isEmpty == (source != nil))
    #expect(secret.secretReferences(in: ["a": json]).map(\.source) == (source.map { [$0] } ?? []))
  }

  @Test("A secret's own bounds count once it is there")
  func plainSecrets() throws {
    let secret = try schema(["type": "string", "secret": true, "minLength": 4])
    #expect(secret.validate(["a": ["file": "/run/key"]]) == [])
    #expect(
      secret.validate(["a": "abc"], secrets: .plain).map(\.description)
        == ["a: write at least 4 characters"])
    #expect(secret.validate(["a": "abcd"], secrets: .plain) == [])
    #expect(!secret.validate(["a": ["file": "/run/key"]], secrets: .plain).isEmpty)
  }

  private struct Absent: Error, Equatable {
    let place: String
  }

  @Test("A secret that cannot be read is no empty one, and what is no secret is not asked for")
  func unreadable() throws {
    let secret = try schema(["type": "string", "secret": true])
    #expect(throws: Absent(place: "a")) {
      try secret.resolvingSecrets(in: ["a": ["file": "/run/key"]]) { reference throws(Absent) in
        throw Absent(place: reference.pathDescription)
      }
    }
    let settings: JSONValue = ["a": "plain", "b": ["file": "/run/key"]]
    let untouched = secret.resolvingSecrets(in: settings) { _ in "x" }
    #expect(untouched == settings)
  }

  @Test("The owner is told in their own language, and never what they wrote")
  func words() throws {
    let error = try #require(try schema(["maxLength": 2]).validate(["a": "geheim"]).first)
    for language in Language.allCases {
      #expect(error.text(in: language).hasPrefix("a: "))
      #expect(!error.text(in: language).contains("geheim"))
    }
    #expect(error.text(in: .zh) != error.description)
    #expect(SettingsError(path: "", message: error.message).description == "\(error.message)")
  }
}
