import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct LengthTests {
  private func visit(_ units: JSONValue? = nil) -> Visit {
    Visit(
      visitor: Visitor(address: "", language: .en), path: [], fields: [:],
      now: Timestamp(milliseconds: 0),
      answers: Answers([
        "account.show": .success([
          "id": "anna", "role": "caregiver", "profile": .object(["name": "Anna", "units": units]),
        ])
      ]))
  }

  @Test(
    "A distance is told in the units of whoever reads",
    arguments: [
      (0, "0 m", "0 ft"), (12, "12 m", "39 ft"), (304.7, "305 m", "1000 ft"),
      (305, "305 m", "0.2 mi"), (1609.344, "1.6 km", "1.0 mi"), (.nan, "–", "–"),
    ] as [(Double, String, String)])
  func distances(meters: Double, metric: String, imperial: String) {
    #expect(visit().distance(meters) == metric)
    #expect(visit("metric").distance(meters) == metric)
    #expect(visit("imperial").distance(meters) == imperial)
  }

  @Test("A length that nobody changes is sent as it is kept, in feet too")
  func fields() {
    func field(_ units: JSONValue?, _ length: JSONValue?) -> String {
      Length.field("Radius", "zone.radiusMeters", length, atMost: 100_000, visit(units)).source
    }
    #expect(field(nil, 240.6).contains("value=\"240.6\""))
    #expect(!field(nil, 240.6).contains("data-meters"))
    #expect(field(nil, 60.0).contains("value=\"60\""))
    #expect(field(nil, nil).contains("value=\"50\""))
    let feet = field("imperial", 240.6)
    #expect(feet.contains("value=\"789.4\"") && feet.contains("data-reads=\"feet\""))
    #expect(feet.contains("data-meters=\"240.6\"") && feet.contains("max=\"328083\""))
  }

  @Test("A map has the words of the units of whoever looks")
  func words() {
    let layout = Layout(assets: Assets(folder: "/nonexistent"))
    let content = PageContent(title: "", main: .nothing)
    #expect(
      layout.page(content, visit("imperial")).source.contains("<dt>miles</dt><dd>{n} mi</dd>"))
    #expect(!layout.page(content, visit()).source.contains("<dt>miles</dt>"))
  }
}
