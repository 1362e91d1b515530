import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct AlarmPlaceTests {
  private let visit = Visit(
    visitor: Visitor(address: "", language: .en), path: ["alarm"], fields: [:],
    now: Timestamp(milliseconds: 1_795_000_000_000))

  private static func zone(_ id: JSONValue, latitude: Double) -> JSONValue {
    [
      "id": id, "resident": "mary", "name": id, "radiusMeters": 50,
      "center": ["latitude": .number(latitude), "longitude": -74],
    ]
  }
  private static let zones = [
    zone("Far", latitude: 40.1), zone("Near", latitude: 40.01), zone("Home", latitude: 40),
  ]
  private static let mary: JSONValue = [
    "id": "mary", "name": "Mary",
    "tracking": ["position": ["latitude": 40, "longitude": -74, "accuracyMeters": 5]],
  ]

  @Test("What the map shows stands in words, the nearest zone first")
  func words() {
    let place = AlarmPlace(resident: Self.mary, zones: Self.zones)
    let lines = place.lines(visit).map(\.source)
    #expect(lines.count == 4 && place.hasMap)
    #expect(lines[1].contains("Home") && lines[1].contains("Mary is in it"))
    #expect(lines[2].contains("Near") && lines[2].contains("1.1 km away"))
    #expect(lines[3].contains("Far") && lines[3].contains("11.1 km away"))
  }

  @Test("Where nobody knows where somebody is, no distance is made up")
  func unknown() {
    let nowhere: JSONValue = ["id": "mary", "name": "Mary"]
    let place = AlarmPlace(resident: nowhere, zones: Self.zones)
    let lines = place.lines(visit).map(\.source)
    #expect(lines.dropFirst().allSatisfy { $0.contains("nobody knows how far") })
    #expect(!AlarmPlace(resident: nowhere, zones: []).hasMap)
  }
}
