import Care
import Door
import JSON
import Testing

/// The document for programs names everything that is answered, and nothing that is not there.
@Suite("Interface document") struct InterfaceDocumentTests {
  private static let document = InterfaceDocument.made()

  private static func operations() throws -> [(path: String, method: String, operation: JSONValue)]
  {
    try #require(document["paths"]?.objectContent).flatMap { path in
      (path.value.objectContent ?? []).map { (path.key, $0.key, $0.value) }
    }
  }

  @Test("Each question and each command stands in it once, under a name of its own")
  func complete() throws {
    let operations = try Self.operations()
    let asked = Route.all.filter { $0.isForPlugins && $0 != .accountsPushes }.map {
      "get \(InterfaceDocument.path(of: $0.name))"
    }
    let done =
      CommandRule.all.filter { $0.needs != .administer }
      .map { "post \(InterfaceDocument.path(of: $0.action))" }
      + ["picture.add", "recording.add"].map { "post \(InterfaceDocument.path(of: $0))" }
    #expect(asked.count > 25)
    #expect(done.count > 60)
    #expect(
      operations.map { "\($0.method) \($0.path)" }.sorted()
        == (asked + done + ["get /events"]).sorted())
    let names = operations.compactMap { $0.operation["operationId"]?.stringContent }
    #expect(Set(names).count == operations.count)
    #expect(names.contains("accountLogIn"))
  }

  @Test("Whatever it refers to is there, and nothing is there that nobody refers to")
  func references() throws {
    let text = Self.document.serialized
    let referred = Set(text.matches(of: /"#\/components\/([A-Za-z]+\/[A-Za-z0-9]+)"/).map { $0.1 })
    let parts = try #require(Self.document["components"]?.objectContent)
      .filter { $0.key != "securitySchemes" }
    let there = parts.flatMap { kind in
      (kind.value.objectContent ?? []).map { "\(kind.key)/\($0.key)" }
    }
    #expect(there.count > 30)
    #expect(Set(there) == Set(referred.map(String.init)))
  }

  @Test("What every account may without logging in is said, and of nothing else")
  func open() throws {
    let open = try Self.operations()
      .filter { $0.operation["security"] != nil }.map(\.path)
    let entries = CommandRule.all.filter { $0.needs == .logIn }
    #expect(open.sorted() == entries.map { InterfaceDocument.path(of: $0.action) }.sorted())
  }
}
