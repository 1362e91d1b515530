import JSON
import PluginProtocol
import Testing

/// A schema says nothing that nobody checks.
@Suite("What a schema of settings is refused for") struct SchemaRefusalTests {
  /// A schema of one setting `a`.
  private static func setting(_ schema: JSONValue) -> JSONValue {
    ["type": "object", "properties": ["a": schema]]
  }

  /// Objects within objects, the innermost so deep.
  private static func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(["type": "string"]) { inner, _ in setting(inner) }
  }

  private static let whole: [(JSONValue, String, String)] = [
    (7, "settings", "a schema is an object"), ([], "settings", "a schema is an object"),
    (["type": "string"], "settings.type", "must be an object"),
    (["properties": [:]], "settings.type", "must be an object"),
    (["type": ["object"]], "settings.type", "string, integer, number"),
    (["type": "object", "properties": []], "settings.properties", "one schema for each setting"),
    (["type": "object", "required": "a"], "settings.required", "a list of texts"),
    (["type": "object", "required": ["a", 7]], "settings.required[1]", "in quotation marks"),
    (
      ["type": "object", "required": ["a"], "additionalProperties": false], "settings.required",
      "\"a\" is not among the properties"
    ),
    (
      ["type": "object", "additionalProperties": [:]], "settings.additionalProperties",
      "true or false"
    ),
    (["type": "object", "$ref": "#"], "settings.$ref", "not supported"),
    (["type": "object", "anyOf": []], "settings.anyOf", "not supported"),
    (
      nested(16), "settings" + String(repeating: ".properties.a", count: 16), "16 levels deep"
    ),
  ]

  private static let single: [(JSONValue, String, String)] = [
    ("string", "", "a schema is an object"), (["type": "text"], ".type", "string, integer"),
    (["enum": []], ".enum", "at least one entry"), (["enum": "a"], ".enum", "at least one entry"),
    (["minimum": "1"], ".minimum", "a number"), (["maximum": true], ".maximum", "a number"),
    (["minLength": -1], ".minLength", "0 through 1,000,000"),
    (["minLength": 1.5], ".minLength", "0 through 1,000,000"),
    (["maxLength": 1_000_001], ".maxLength", "0 through 1,000,000"),
    (["secret": "yes"], ".secret", "true or false"),
    (["secret": true], ".secret", "only a setting"),
    (["type": "array", "secret": true], ".secret", "only a setting of type \"string\""),
    (
      ["type": "string", "secret": true, "default": "x"], ".default", "a secret has no default"
    ),
    (["items": []], ".items", "a schema is an object"),
    (["type": "array", "items": ["type": "text"]], ".items.type", "string, integer"),
    (["type": "array", "items": ["items": ["format": "x"]]], ".items.items.format", "supported"),
  ]

  @Test(
    "One fault is refused by its place, and is the only one that is listed",
    arguments: whole + single.map { (setting($0), "settings.properties.a\($1)", $2) })
  func refused(schema: JSONValue, path: String, words: String) throws {
    let error = try #require(throws: ManifestError.self) { try SettingsSchema(json: schema) }
    #expect(error.path == path)
    #expect(error.message.contains(words), "\(error)")
    #expect(SettingsSchema.faults(in: schema) == [error])
  }

  @Test(
    "What lies at a bound, or tells people only, is taken",
    arguments: [
      nested(15), setting(["minLength": 0, "maxLength": 1_000_000]), setting(["enum": [1]]),
      setting(["type": "string", "secret": true]), setting([:]),
      ["type": "object", "required": ["a"]],
      ["type": "object", "title": "x", "description": "y", "$schema": "z", "examples": 1],
    ] as [JSONValue])
  func taken(schema: JSONValue) throws {
    _ = try SettingsSchema(json: schema)
    #expect(SettingsSchema.faults(in: schema) == [])
  }

  @Test("All faults are listed in the order of the file, contradictions behind the rest")
  func several() {
    let schema: JSONValue = [
      "type": "object",
      "properties": [
        "a": ["type": "text", "pattern": "x"], "b": ["items": ["minLength": -1]],
        "c": ["secret": true],
      ],
      "required": ["d"], "additionalProperties": false, "colour": 1,
    ]
    #expect(
      SettingsSchema.faults(in: schema).map(\.path) == [
        "settings.properties.a.type", "settings.properties.a.pattern",
        "settings.properties.b.items.minLength", "settings.properties.c.secret",
        "settings.colour", "settings.required",
      ])
  }
}
