import Care
import Foundation
import JSON
import TestSupport
import Testing

@Suite struct CoordinateTests {
  /// A way over the earth: its ends in degrees, its length, the direction in which it begins.
  private struct Way {
    var from: Coordinate
    var to: Coordinate
    var meters: Double
    var bearingDegrees: Double

    init(_ numbers: [Double]) throws {
      from = try #require(Coordinate(latitudeDegrees: numbers[0], longitudeDegrees: numbers[1]))
      to = try #require(Coordinate(latitudeDegrees: numbers[2], longitudeDegrees: numbers[3]))
      (meters, bearingDegrees) = (numbers[4], numbers[5])
    }

    /// The lines of a table that has these six first.
    static func all(_ capture: Capture) throws -> [Way] {
      try String(decoding: capture.bytes(), as: UTF8.self).split(whereSeparator: \.isNewline)
        .dropFirst().map { line in
          try Way(line.split(separator: ",").compactMap { Double($0) })
        }
    }
  }

  /// Ways up to 50 km; among ours there are some far longer ones.
  private static let tables = Capture.all(["geo/ways.csv"], others: ["geo/geodesic_pairs.csv"])
  private static let longestMeters = 50_000.0

  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  @Test(arguments: tables)
  func distancesUpToFiftyKilometresAgreeWithGeodesicsPolesAndAntimeridianIncluded(
    table: Capture
  ) throws {
    let ways = try Way.all(table).filter { $0.meters <= Self.longestMeters }
    for way in ways {
      let distance = way.from.distanceMeters(to: way.to)
      // The file gives nine decimals of a degree, which is a tenth of a millimetre.
      let error = max(0, abs(distance - way.meters) - 0.0002) / way.meters
      #expect(error < 0.0002, "\(way): \(distance)")
      #expect(distance == way.to.distanceMeters(to: way.from))
    }
    #expect(ways.count == (table.isOurs ? 240 : 2100))
  }

  @Test(arguments: Capture.all(["geo/ways.csv"], others: ["geo/karney_20.json"]))
  func distancesOverThousandsOfKilometresAreAFairEstimate(capture: Capture) throws {
    let ways =
      try capture.isOurs
      ? Way.all(capture).filter { $0.meters > Self.longestMeters } : longWays(capture)
    #expect(ways.count == (capture.isOurs ? 24 : 20))
    for way in ways {
      #expect(abs(way.from.distanceMeters(to: way.to) / way.meters - 1) < 0.01, "\(way)")
    }
  }

  /// The ways that GeographicLib tests itself with; a longitude of theirs may go beyond 180 degrees.
  private func longWays(_ capture: Capture) throws -> [Way] {
    let document = try JSONValue(parsing: capture.bytes())
    return try (document["cases"]?.arrayContent ?? []).map { line in
      let numbers = (line.arrayContent ?? []).compactMap(\.doubleContent)
      let longitude = { (raw: Double) in raw > 180 ? raw - 360 : raw < -180 ? raw + 360 : raw }
      return try Way([
        numbers[0], longitude(numbers[1]), numbers[3], longitude(numbers[4]), numbers[6],
        numbers[2],
      ])
    }
  }

  @Test(arguments: tables)
  func planeOffsetsPointWhereTheGeodesicStarts(table: Capture) throws {
    let ways = try Way.all(table).filter {
      $0.meters > 10 && $0.meters < 5000 && abs($0.from.latitudeDegrees) < 89
    }
    for way in ways {
      let offset = way.to.planeOffset(from: way.from)
      let bearing = atan2(offset.eastMeters, offset.northMeters) * 180 / .pi
      let turn = abs(bearing - way.bearingDegrees)
      #expect(min(turn, 360 - turn) < 0.1, "\(way)")
    }
    #expect(ways.count > 100)
  }

  @Test func movingAndMeasuringAgree() throws {
    for latitude in stride(from: -89.0, through: 89, by: 8.9) {
      for bearing in stride(from: 0.0, to: 360, by: 30) {
        let start = try place(latitude, 179.99)
        let end = start.moved(meters: 500, bearingDegrees: bearing)
        // Spherical against ellipsoid: within 0.6 %.
        #expect(abs(start.distanceMeters(to: end) - 500) < 3)
      }
    }
  }

  @Test func onlyPositionsOnEarthExist() {
    for (latitude, longitude) in [
      (90.0001, 0), (-90.0001, 0), (0, 180.0001), (0, -180.0001), (.nan, 0), (0, .nan),
      (.infinity, 0), (0, -.infinity),
    ] {
      #expect(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) == nil)
    }
    for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0)] {
      #expect(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) != nil)
    }
  }

  @Test func nullIslandIsAHundredMetresAround() throws {
    #expect(try place(0, 0).isNullIsland)
    #expect(try place(0.0009, -0.0009).isNullIsland)
    #expect(try !place(0.0011, 0).isNullIsland)
    #expect(try !place(0, 10).isNullIsland)
  }

  @Test func distanceToItselfIsNothingAndToTheAntipodeHalfTheEarth() throws {
    let here = try place(12, 34)
    #expect(here.distanceMeters(to: here) == 0)
    let there = try place(-12, -146)
    #expect(abs(here.distanceMeters(to: there) - 20_015_000) < 60_000)
  }
}
