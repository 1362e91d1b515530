import Foundation
import JSON
import TestSupport
import Testing

@Suite("The pages of what plugins are told and can ask for")
struct ContractPagesTests {
  private func page(_ name: String) throws -> String {
    try String(contentsOfFile: Checkout.path("plugins/\(name)"), encoding: .utf8)
  }

  @Test(
    "They are those that the program makes: make contract", arguments: ["events", "requests"])
  func pages(name: String) throws {
    let made = try Tool().run(["plugin", name])
    #expect(made.code == 0 && made.errors.isEmpty)
    #expect(made.output == (try page("\(name).md")), "make contract")
  }

  @Test("The schema is that of the program, and every reference in it leads somewhere")
  func schema() throws {
    let made = try JSONValue(parsing: try Tool().run(["plugin", "events", "--json"]).output)
    #expect(made == (try JSONValue(parsing: try page("events.schema.json"))), "make contract")
    #expect(made["$defs"]?.objectContent?.count ?? 0 > 90)
    for match in made.serialized.matches(of: /"\$ref":"([^"]*)"/) {
      Issue.record("\(match.1) is not in the schema")
    }
  }

  @Test("Each type of event stands in the page with its lane, and each command with its members")
  func content() throws {
    let events = try page("events.md")
    #expect(events.contains("| `zone.left` | `alarm` | resident |"))
    #expect(events.contains("| `distanceMeters`? | number | `position.precise` |"))
    let requests = try page("requests.md")
    #expect(requests.contains("| `zone.put` | `zone` SafeZone"))
    #expect(requests.contains("### SafeZone\n"))
  }
}
