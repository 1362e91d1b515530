import Care
import Foundation
import JSON
import TestSupport
import Testing

@Suite struct CoordinateTests {
  static let hasGeodesics = SharedData.path("geo/geodesic_pairs.csv") != nil

  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  private func text(_ name: String) throws -> String {
    let path = try #require(SharedData.path(name))
    return try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
  }

  @Test(.enabled(if: hasGeodesics, "the shared data folder is absent"))
  func distancesUpToFiftyKilometresAgreeWithGeodesicsPolesAndAntimeridianIncluded() throws {
    var count = 0
    var worst = 0.0
    for line in try text("geo/geodesic_pairs.csv").split(whereSeparator: \.isNewline).dropFirst() {
      let numbers = line.split(separator: ",").compactMap { Double($0) }
      guard numbers.count == 8 else { continue }
      let from = try place(numbers[0], numbers[1])
      let to = try place(numbers[2], numbers[3])
      let distance = from.distanceMeters(to: to)
      // The file gives nine decimals of a degree, which is a tenth of a millimetre.
      let error = max(0, abs(distance - numbers[4]) - 0.0002) / numbers[4]
      worst = max(worst, error)
      #expect(error < 0.0002, "\(line): \(distance)")
      #expect(distance == to.distanceMeters(to: from))
      count += 1
    }
    #expect(count == 2100)
    #expect(worst < 0.0002)
  }

  @Test(.enabled(if: hasGeodesics, "the shared data folder is absent"))
  func distancesOverThousandsOfKilometresAreAFairEstimate() throws {
    let document = try JSONValue(parsing: try text("geo/karney_20.json"))
    let cases = try #require(document["cases"]?.arrayContent)
    #expect(cases.count == 20)
    for line in cases {
      let numbers = (line.arrayContent ?? []).compactMap(\.doubleContent)
      let longitude = { (raw: Double) in raw > 180 ? raw - 360 : raw < -180 ? raw + 360 : raw }
      let from = try place(numbers[0], longitude(numbers[1]))
      let to = try place(numbers[3], longitude(numbers[4]))
      #expect(abs(from.distanceMeters(to: to) / numbers[6] - 1) < 0.01, "\(line)")
    }
  }

  @Test(.enabled(if: hasGeodesics, "the shared data folder is absent"))
  func planeOffsetsPointWhereTheGeodesicStarts() throws {
    for line in try text("geo/geodesic_pairs.csv").split(whereSeparator: \.isNewline).dropFirst() {
      let numbers = line.split(separator: ",").compactMap { Double($0) }
      guard numbers.count == 8, numbers[4] > 10, numbers[4] < 5000, abs(numbers[0]) < 89 else {
        continue
      }
      let offset = try place(numbers[2], numbers[3]).planeOffset(
        from: try place(numbers[0], numbers[1]))
      let bearing = atan2(offset.eastMeters, offset.northMeters) * 180 / .pi
      let turn = abs(bearing - numbers[5])
      #expect(min(turn, 360 - turn) < 0.1, "\(line)")
    }
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
