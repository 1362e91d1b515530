import Bytes
import Care
import Testing

@testable import Tracking

struct FenceTreeTests {
  /// Every zone that a circle may touch is found, and of the rest nearly none: against looking at each.
  @Test(arguments: [0, 1, 2, 15, 16, 17, 255, 257, 3000])
  func findsWhatLookingAtEachFinds(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count) + 20_261_125)
    let zones = try (0..<count).map { _ in
      try #require(
        Coordinate(
          latitudeDegrees: Double.random(in: -90...90, using: &random),
          longitudeDegrees: Double.random(in: -180...180, using: &random)))
    }
    let radii = zones.map { _ in Double.random(in: 1...400_000, using: &random) }
    let tree = FenceTree(
      zip(zones, radii).enumerated().flatMap { number, zone in
        zone.0.boxes(within: zone.1).map { FenceTree.Entry(box: $0, number: number) }
      })
    for _ in 0..<200 {
      let place = try #require(
        Coordinate(
          latitudeDegrees: Double.random(in: -90...90, using: &random),
          longitudeDegrees: Double.random(in: -180...180, using: &random)))
      let reach = Double.random(in: 1...100_000, using: &random)
      var found: Set<Int> = []
      for box in place.boxes(within: reach) { tree.visit(box) { found.insert($0) } }
      let near = zones.indices.filter { zones[$0].distanceMeters(to: place) <= radii[$0] + reach }
      #expect(found.isSuperset(of: near))
    }
  }

  @Test func aBoxIsFoundByItsEdge() {
    let tree = FenceTree([
      FenceTree.Entry(box: DegreeBox(south: 1, west: 1, north: 2, east: 2), number: 7)
    ])
    var found: [Int] = []
    tree.visit(DegreeBox(south: 2, west: 2, north: 3, east: 3)) { found.append($0) }
    #expect(found == [7])
    tree.visit(DegreeBox(south: 2.1, west: 2, north: 3, east: 3)) { found.append($0) }
    #expect(found == [7])
  }
}
