import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct ZonePageTests {
  private static let ring: JSONValue = [
    [-74.01, 40.01], [-74.005, 40.012], [-74.01, 40.012], [-74.01, 40.01],
  ]
  private static let park: JSONValue = [
    "id": "park", "resident": "mary", "name": "Park", "radiusMeters": 240.6,
    "center": ["latitude": 40.011, "longitude": -74.0075], "exitMarginMeters": 50,
    "border": ["type": "Polygon", "coordinates": [ring]],
  ]
  private static let home: JSONValue = [
    "id": "home", "resident": "mary", "name": "Home", "radiusMeters": 25.5,
    "center": ["latitude": 40.0, "longitude": -74.0], "exitMarginMeters": 50,
  ]

  private func visit(_ zone: String? = nil) -> Visit {
    let fields = ["resident": "mary", "zone": zone].compactMapValues { $0 }
    return Visit(
      visitor: Visitor(address: "", language: .en), path: ["zones"], fields: fields,
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success(["id": "anna", "role": "caregiver"]),
        "residents.list": .success([["id": "mary", "name": "Mary"]]),
        "zones.list": .success([Self.park, Self.home]),
      ]))
  }

  @Test("A border says how many corners it has, and those of its holes; a circle has none")
  func corners() {
    let hole: JSONValue = [
      [-74.009, 40.0115], [-74.0085, 40.0115], [-74.009, 40.0118], [-74.009, 40.0115],
    ]
    let holed = Self.park.setting(
      "border", to: ["type": "Polygon", "coordinates": [Self.ring, hole]])
    #expect(ZoneWords.corners(of: Self.park) == 3)
    #expect(ZoneWords.corners(of: holed) == 6)
    #expect(ZoneWords.corners(of: Self.home) == nil)
    #expect(ZoneWords.shape(of: Self.park, visit()) == "Shape, 3 corners, left counts 50 m beyond")
    #expect(ZoneWords.shape(of: Self.home, visit()) == "Circle, 26 m, left counts 50 m beyond")
  }

  @Test("A border is sent back as it came, whatever else of the zone is changed")
  func kept() throws {
    let form = ZonesPage.page.content(visit("park")).main.source
    let border = try #require(Self.park["border"])
    let field = "name=\"zone.border\" value=\"\(HTML(border.serialized).source)\""
    #expect(form.contains(field))
    #expect(form.contains("<option value=\"border\" selected>"))
  }

  @Test("Who edits a zone sees it as the form has it, and not twice")
  func edited() {
    #expect(ZonesPage.page.content(visit("park")).main.source.contains("\"edited\":\"park\""))
    #expect(ZonesPage.page.content(visit("new")).main.source.contains("\"edited\":null"))
    #expect(ZonesPage.page.content(visit()).scripts == ["map.js", "zones.js"])
  }
}
