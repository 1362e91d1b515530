import Bytes
import Foundation
import JSON
import TestSupport
import Testing
import Texts

@testable import Care

@Suite struct PolygonTests {
  private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    let turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    return try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: turned))
  }

  private static func places(_ json: JSONValue?) throws -> [Coordinate] {
    try (json?.arrayContent ?? []).map { pair in
      let numbers = (pair.arrayContent ?? []).compactMap(\.doubleContent)
      return try place(numbers[0], numbers[1])
    }
  }

  private static let areas = Capture.all(
    ["geo/areas.json"], others: ["geo/point_in_polygon.json"])

  private static func shapes(_ capture: Capture) throws -> [JSONValue] {
    try JSONValue(parsing: capture.bytes())["polygons"]?.arrayContent ?? []
  }

  // MARK: Agreement with others

  /// Plain geometry, also of shapes whose numbers are metres and no degrees.
  @Test(arguments: areas) func whatARingEnclosesAgreesWithOthers(capture: Capture) throws {
    func line(_ json: JSONValue?) -> [Ring.Point] {
      let points = (json?.arrayContent ?? []).map { pair in
        let numbers = (pair.arrayContent ?? []).compactMap(\.doubleContent)
        return Ring.Point(x: numbers[1], y: numbers[0])
      }
      return points + points.prefix(1)
    }
    var count = 0
    for shape in try Self.shapes(capture) {
      let exterior = line(shape["exterior"])
      let holes = (shape["holes"]?.arrayContent ?? []).map { line($0) }
      for point in shape["points"]?.arrayContent ?? [] {
        let values = point.arrayContent ?? []
        guard values[3].boolContent == false else { continue }
        let asked = Ring.Point(
          x: try #require(values[1].doubleContent), y: try #require(values[0].doubleContent))
        let isInside =
          Ring.encloses(asked, exterior) && !holes.contains { Ring.encloses(asked, $0) }
        #expect(isInside == values[2].boolContent, "\(shape["name"] ?? .null) \(point)")
        count += 1
      }
    }
    #expect(capture.isOurs ? count == 480 : count > 1000)
  }

  @Test(arguments: areas) func areasOfDegreesAgreeWithOthers(capture: Capture) throws {
    var count = 0
    for shape in try Self.shapes(capture) {
      let latitudes = (shape["exterior"]?.arrayContent ?? []).compactMap {
        $0.arrayContent?.first?.doubleContent
      }
      guard latitudes.allSatisfy({ abs($0) <= 90 }),
        let exterior = try? Self.places(shape["exterior"]),
        let holes = try? (shape["holes"]?.arrayContent ?? []).map({ try Self.places($0) }),
        let polygon = try? Polygon(exterior: exterior, holes: holes)
      else { continue }
      for point in shape["points"]?.arrayContent ?? [] {
        let values = point.arrayContent ?? []
        guard values[3].boolContent == false, let latitude = values[0].doubleContent,
          let longitude = values[1].doubleContent
        else { continue }
        let place = try Self.place(latitude, longitude)
        #expect(
          polygon.contains(place) == values[2].boolContent, "\(shape["name"] ?? .null) \(point)")
        #expect((polygon.borderMeters(from: place) < 0) == values[2].boolContent)
        count += 1
      }
    }
    #expect(capture.isOurs ? count == 480 : count > 0)
  }

  /// Areas across the antimeridian and Greenwich are among ours, too.
  @Test(.enabled(if: SharedData.folder != nil, "the shared data folder is absent"))
  func areasAgreeWithTraccar() throws {
    let path = try #require(SharedData.path("geo/traccar_polygons.json"))
    let document = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: path)))
    let cases = document["cases"]?.arrayContent ?? []
    #expect(cases.count == 3)
    for shape in cases {
      let polygon = try Polygon(exterior: Self.places(shape["polygon"]))
      for point in shape["points"]?.arrayContent ?? [] {
        let values = point.arrayContent ?? []
        let place = try Self.place(
          try #require(values[0].doubleContent), try #require(values[1].doubleContent))
        #expect(polygon.contains(place) == values[2].boolContent, "\(shape)")
      }
    }
  }

  // MARK: Around the earth's edges

  @Test func anAreaAcrossTheAntimeridianIsOneArea() throws {
    let polygon = try Polygon(
      exterior: [
        Self.place(-17, 179.9), Self.place(-17, -179.9), Self.place(-16.8, -179.9),
        Self.place(-16.8, 179.9),
      ],
      holes: [
        [
          Self.place(-16.95, -179.99), Self.place(-16.95, -179.95), Self.place(-16.9, -179.95),
          Self.place(-16.9, -179.99),
        ]
      ])
    #expect(polygon.boxes.count == 2)
    #expect(polygon.contains(try Self.place(-16.9, 180)))
    #expect(polygon.contains(try Self.place(-16.9, -180)))
    #expect(polygon.contains(try Self.place(-16.9, 179.95)))
    #expect(!polygon.contains(try Self.place(-16.92, -179.97)))
    #expect(!polygon.contains(try Self.place(-16.9, 179.85)))
    #expect(!polygon.contains(try Self.place(-16.9, 0)))
    #expect(abs(polygon.center.longitudeDegrees) == 180)
    #expect(try polygon.isCrossed(from: Self.place(-16.9, 179.8), to: Self.place(-16.9, -179.8)))
    #expect(try !polygon.isCrossed(from: Self.place(-16.7, 179.8), to: Self.place(-16.7, -179.8)))
  }

  @Test(arguments: [1.0, -1.0])
  func anAreaOverAPoleHoldsIt(side: Double) throws {
    let polygon = try Polygon(
      exterior: [
        Self.place(side * 89.5, 0), Self.place(side * 89.4, 90), Self.place(side * 89.5, 180),
        Self.place(side * 89.4, -90),
      ])
    #expect(polygon.center.latitudeDegrees == side * 90)
    #expect(polygon.contains(try Self.place(side * 90, 12)))
    for longitude in stride(from: -180.0, through: 180, by: 15) {
      #expect(polygon.contains(try Self.place(side * 89.6, longitude)))
      #expect(!polygon.contains(try Self.place(side * 89.3, longitude)))
    }
    // From the pole as far as the nearest of the border: half a degree of latitude at a pole.
    let edge = polygon.borderMeters(from: try Self.place(side * 90, 0))
    #expect(abs(edge + 55_847) < 30)
    #expect(
      try polygon.isCrossed(from: Self.place(side * 89.3, 45), to: Self.place(side * 89.6, 45)))
  }

  // MARK: Distances

  /// Against the nearest of many points of the border, each measured by itself.
  @Test func theDistanceToTheBorderIsThatOfItsNearestPoint() throws {
    let corners = try [
      Self.place(48.40, 15.58), Self.place(48.41, 15.60), Self.place(48.405, 15.62),
      Self.place(48.395, 15.61), Self.place(48.39, 15.59),
    ]
    let polygon = try Polygon(exterior: corners)
    for (latitude, longitude) in [
      (48.40, 15.60), (48.42, 15.60), (48.38, 15.50), (48.6, 15.6), (47.0, 10.0), (-48.0, -165.0),
    ] {
      let place = try Self.place(latitude, longitude)
      var least = Double.infinity
      for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
        for part in stride(from: 0.0, through: 1, by: 0.0005) {
          let point = try Self.place(
            start.latitudeDegrees + part * (end.latitudeDegrees - start.latitudeDegrees),
            start.longitudeDegrees + part * (end.longitudeDegrees - start.longitudeDegrees))
          least = min(least, place.distanceMeters(to: point))
        }
      }
      let told = polygon.borderMeters(from: place)
      #expect((told < 0) == polygon.contains(place))
      #expect(abs(abs(told) - least) <= max(2, 0.01 * least), "\(latitude) \(longitude)")
    }
  }

  // MARK: What is no area

  @Test func whatIsNoAreaIsRefusedWithAReason() throws {
    let square = try [
      Self.place(48, 15), Self.place(48, 15.01), Self.place(48.01, 15.01), Self.place(48.01, 15),
    ]
    let faults: [(String, () throws -> Polygon)] = [
      ("three corners", { try Polygon(exterior: Array(square.prefix(2))) }),
      ("three corners", { try Polygon(exterior: [square[0], square[0], square[1], square[0]]) }),
      (
        "crosses itself",
        { try Polygon(exterior: [square[0], square[2], square[1], square[3]]) }
      ),
      (
        "in a line",
        {
          try Polygon(
            exterior: [Self.place(48, 15), Self.place(48, 15.01), Self.place(48, 15.02)])
        }
      ),
      (
        "100 km",
        { try Polygon(exterior: [Self.place(40, 10), Self.place(50, 10), Self.place(45, 20)]) }
      ),
      (
        "at most",
        {
          try Polygon(
            exterior: (0...1000).map { step in
              let angle = Double(step) / 1001 * 2 * .pi
              return try Self.place(48 + 0.01 * sin(angle), 15 + 0.01 * cos(angle))
            })
        }
      ),
      (
        "hole",
        {
          try Polygon(
            exterior: square,
            holes: [[Self.place(49, 15), Self.place(49, 15.01), Self.place(49.01, 15)]])
        }
      ),
      (
        "hole",
        {
          try Polygon(
            exterior: square,
            holes: [
              [Self.place(48.005, 15.005), Self.place(48.005, 15.02), Self.place(48.006, 15.006)]
            ])
        }
      ),
    ]
    for (words, make) in faults {
      let fault = #expect(throws: Polygon.Fault.self) { _ = try make() }
      #expect(
        fault?.message.text(in: .en).contains(words) == true,
        "\(words): \(String(describing: fault))")
    }
  }

  // MARK: GeoJSON

  @Test func geoJSONComesBackAsItWent() throws {
    let text = """
      {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[
       [[15,48],[15,48.01],[15.01,48.01,7],[15.01,48],[15,48]],
       [[15.002,48.002],[15.004,48.002],[15.004,48.004],[15.002,48.002]]]}}
      """
    let polygon = try Polygon(json: try JSONValue(parsing: text))
    #expect(polygon.exterior.count == 4 && polygon.holes.map(\.count) == [3])
    let written = polygon.json
    #expect(
      written.serialized
        == "{\"type\":\"Polygon\",\"coordinates\":[[[15.0,48.0],[15.01,48.0],[15.01,48.01],[15.0,48.01],[15.0,48.0]],"
        + "[[15.002,48.002],[15.004,48.004],[15.004,48.002],[15.002,48.002]]]}")
    #expect(try Polygon(json: written) == polygon)
  }

  @Test(arguments: [
    "[]", "{}", #"{"type":"Point","coordinates":[1,2]}"#, #"{"type":"Polygon","coordinates":[]}"#,
    #"{"type":"Polygon","coordinates":[[[1,2],[3]]]}"#,
    #"{"type":"Polygon","coordinates":[[[1,95],[1,2],[2,2]]]}"#,
    #"{"type":"Polygon","coordinates":[[[1000,5],[1,2],[2,2]]]}"#,
    #"{"type":"FeatureCollection","features":[]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[0.01,0.01],[0.01,0],[0,0.01]]]}"#,
  ])
  func whatIsNoPolygonIsRefused(text: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(throws: DecodeError.self) { try Polygon(json: json) }
  }
}
