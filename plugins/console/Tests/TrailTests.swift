import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

@Suite("Where somebody was")
struct TrailTests {
  private static func record(_ latitude: Double, _ longitude: Double, _ time: String) -> JSONValue {
    [
      "latitude": .number(latitude), "longitude": .number(longitude),
      "time": .string("2026-11-27T\(time):00Z"),
    ]
  }

  /// Home, the shop, home again, and the pond; as they come, the newest first.
  private static let day: [JSONValue] = [
    record(40.0200, -74.0100, "11:30"), record(40.0101, -74.0101, "10:40"),
    record(40.0150, -74.0100, "10:10"), record(40.0150, -74.0104, "10:00"),
    record(40.0102, -74.0100, "09:05"), record(40.0100, -74.0100, "09:00"),
  ]

  private static let visit = Visit(
    visitor: Visitor(token: nil, address: "", language: .en), path: ["history"], fields: [:],
    now: Timestamp(milliseconds: 1_795_780_800_000))

  @Test("Each place stands once, the newest first, with when somebody was first there")
  func places() {
    let trail = Trail(Self.day)
    #expect(trail.places.map(\.number) == [3, 2, 1])
    #expect(
      trail.places.map { String($0.first.prefix(16).suffix(5)) } == ["11:30", "10:00", "09:00"])
    #expect(
      trail.places.map { String($0.last.prefix(16).suffix(5)) } == ["11:30", "10:10", "10:40"])
    #expect(trail.way.count == 6)
  }

  @Test(
    "A place has the name of the zone or the saved place that it is in; what people wrote stays text"
  )
  func names() {
    let zones: [JSONValue] = [
      [
        "name": "<b>Home</b>", "radiusMeters": 60,
        "center": ["latitude": 40.0100, "longitude": -74.0100],
      ]
    ]
    let bookmarks: [JSONValue] = [
      ["name": "Shop", "coordinate": ["latitude": 40.0151, "longitude": -74.0102]]
    ]
    let html = Trail(Self.day).card(
      of: ["name": "Mary", "timeZone": "UTC"], zones: zones, bookmarks: bookmarks, Self.visit)
    #expect(html.source.contains("&lt;b&gt;Home") && !html.source.contains("<b>Home"))
    #expect(html.source.contains("Shop") && html.source.contains("40.0200, -74.0100"))
  }

  @Test("Without a position it says so, and what is no position is left out")
  func none() {
    #expect(
      Trail([["time": "2026-11-27T09:00:00Z"], ["latitude": 91, "longitude": 0]]).places.isEmpty)
    let html = Trail([]).card(of: nil, zones: [], bookmarks: [], Self.visit)
    #expect(html.source.contains("No position is known of this time."))
  }
}
