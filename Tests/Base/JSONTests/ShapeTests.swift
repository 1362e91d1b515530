import JSON
import Testing

/// What is declared of a value is what documents for others say of it.
///
/// - Source: JSON Schema 2020-12, "Validation", sections 6 and 7.
@Suite("Shapes")
struct ShapeTests {
  private enum Side: String, CaseIterable {
    case left
    case right
  }

  @Test(
    "Each shape has its schema, with bounds and patterns only where there are some",
    arguments: [
      (.flag, #"{"type":"boolean"}"#), (.null, #"{"type":"null"}"#), (.anything, "{}"),
      (.whole, #"{"type":"integer"}"#),
      (.whole(1...3), #"{"type":"integer","minimum":1,"maximum":3}"#),
      (.number, #"{"type":"number"}"#),
      (.number(-0.5...1), #"{"type":"number","minimum":-0.5,"maximum":1.0}"#),
      (.text, #"{"type":"string"}"#),
      (.date, #"{"type":"string","format":"date","examples":["2026-11-20"]}"#),
      (
        .timeOfDay,
        #"{"type":"string","pattern":"^[0-9]{2}:[0-9]{2}$","examples":["08:00"]}"#
      ),
      (.words(of: Side.self), #"{"type":"string","enum":["left","right"]}"#),
      (.texts, #"{"type":"array","items":{"type":"string"}}"#),
      (.either([.null, .flag]), #"{"anyOf":[{"type":"null"},{"type":"boolean"}]}"#),
    ] as [(JSONShape, String)])
  func schemas(shape: JSONShape, schema: String) {
    #expect(shape.schema.serialized == schema)
  }

  @Test("Members that may be absent are not required, and where none is, nothing is said of it")
  func required() {
    let members: [JSONShape.Member] = [.init("a", .flag), .init("b", .null).optional]
    #expect(
      JSONShape.object(members).schema
        == [
          "type": "object",
          "properties": ["a": ["type": "boolean"], "b": ["type": "null"]], "required": ["a"],
        ])
    #expect(
      JSONShape.object([members[1]]).schema
        == ["type": "object", "properties": ["b": ["type": "null"]]])
  }

  @Test("An object with a name is referred to, and its schema stands once, wherever it is used")
  func definitions() {
    let inner = JSONShape.object(name: "Inner", [.init("x", .number)])
    let outer = JSONShape.object(
      name: "Outer",
      [.init("list", .list(inner)), .init("other", .either([.null, inner])).optional]
    )
    let reference: JSONValue = ["$ref": "#/components/schemas/Inner"]
    #expect(inner.schema == reference)
    let own = outer.definitions
    #expect(own.keys.sorted() == ["Inner", "Outer"])
    #expect(own["Outer"]?["properties"]?["list"] == ["type": "array", "items": reference])
    #expect(own["Outer"]?["properties"]?["other"] == ["anyOf": [["type": "null"], reference]])
    #expect(own["Inner"]?["properties"] == ["x": ["type": "number"]])
    #expect(JSONShape.object([.init("o", outer)]).definitions == own)
    #expect(JSONShape.definitions(of: [.flag, inner, outer]) == own)
    #expect(JSONShape.texts.definitions.isEmpty)
  }

  @Test("An object is told with more members under another name; of anything else there is no more")
  func more() {
    let base = JSONShape.object(name: "Base", [.init("a", .flag)])
    let longer = base.with([.init("b", .null)], as: "Longer")
    #expect(longer == .object(name: "Longer", [.init("a", .flag), .init("b", .null)]))
    #expect(JSONShape.flag.with([.init("b", .null)], as: "Longer") == .flag)
  }
}
