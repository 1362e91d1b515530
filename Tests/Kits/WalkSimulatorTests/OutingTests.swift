import Care
import Moments
import Testing
import TrackFiles
import WalkSimulator

@Suite struct OutingTests {
  private let home: Coordinate
  private let start = Timestamp.seconds(1_900_000_000)

  init() throws { home = try #require(Outing.nowhere) }

  private func outing(seed: UInt64 = 7, faults: [Outing.Fault] = []) -> Outing {
    Outing(seed: seed, home: home, faults: faults)
  }

  private func distances(_ outing: Outing) -> [Double] {
    (0...outing.secondsUntilReturn + 20).map {
      outing.position(atSecond: $0).distanceMeters(to: home)
    }
  }

  private func sentences(_ outing: Outing, _ seconds: Range<Int>) -> String {
    seconds.map { outing.nmea(at: start.advanced(byMilliseconds: Int64($0) * 1000), second: $0) }
      .joined()
  }

  @Test func theSameSeedWalksTheSameWayAndAnotherDoesNot() {
    #expect(distances(outing()) == distances(outing()))
    #expect(distances(outing()) != distances(outing(seed: 8)))
    #expect(sentences(outing(), 0..<60) == sentences(outing(), 0..<60))
  }

  @Test(arguments: UInt64(0)..<50)
  func thePersonIsAtHomeThenFarOutsideAndHomeAgainInThreeMinutes(seed: UInt64) {
    let distances = distances(outing(seed: seed))
    #expect(distances.prefix(15).allSatisfy { $0 < 15 })
    #expect(distances.prefix(90).contains { $0 > 90 })
    #expect(distances.suffix(20).allSatisfy { $0 < 15 })
    #expect(outing().secondsUntilReturn <= 190)
  }

  @Test func nobodyJumps() {
    let outing = outing()
    for second in 0..<220 {
      let step = outing.truePosition(atSecond: second).distanceMeters(
        to: outing.truePosition(atSecond: second + 1))
      #expect(step <= 1.51)
      let seen = outing.position(atSecond: second).distanceMeters(
        to: outing.position(atSecond: second + 1))
      #expect(seen < 5)
    }
  }

  @Test func theNoiseIsAsStrongAsPlanned() {
    var plan = Outing.Plan()
    plan.noiseMeters = 4
    let outing = Outing(seed: 3, home: home, plan: plan)
    let squares = (0..<4000).map { second in
      let seen = outing.position(atSecond: second).planeOffset(
        from: outing.truePosition(atSecond: second))
      return seen.eastMeters * seen.eastMeters
    }
    let deviation = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    #expect((3.0...5.0).contains(deviation))
  }

  @Test func anotherReaderOfNMEAFindsThePositionsAndTimes() throws {
    let outing = outing()
    let read = try TrackFile.read(sentences(outing, 0..<120)).filter { $0.report.mode.hasPosition }
    #expect(Set(read.compactMap(\.time)).count == 120)
    for fix in read {
      let time = try #require(fix.time)
      let second = Int(time.milliseconds(since: start) / 1000)
      let place = try #require(fix.report.coordinate)
      #expect(place.distanceMeters(to: outing.position(atSecond: second)) < 0.03)
    }
  }

  @Test func everyChecksumIsRight() {
    let lines = sentences(outing(faults: [.noFix(seconds: 3..<6)]), 0..<10).split(
      separator: "\r\n", omittingEmptySubsequences: true)
    #expect(lines.count > 50)
    for line in lines {
      let parts = line.dropFirst().split(separator: "*")
      #expect(line.first == "$" && parts.count == 2 && line.utf8.count <= 80)
      #expect(parts.last.flatMap { UInt8($0, radix: 16) } == parts.first?.utf8.reduce(0, ^))
    }
  }

  @Test func aLyingFixIsFarAwayForItsSecondsOnly() {
    let (honest, lying) = (outing(), outing(faults: [.lyingFix(seconds: 5..<6, meters: 300)]))
    let lie = lying.position(atSecond: 5).distanceMeters(to: honest.position(atSecond: 5))
    #expect(abs(lie - 300) < 1)
    #expect(lying.position(atSecond: 4) == honest.position(atSecond: 4))
    #expect(lying.position(atSecond: 6) == honest.position(atSecond: 6))
  }

  @Test func faultsOfTheReceiverShowInItsSentences() {
    let faulty = outing(faults: [
      .noFix(seconds: 1..<2), .silence(seconds: 2..<3), .weekRollover(seconds: 3..<4),
      .timeBack(seconds: 4..<5, by: 60),
    ])
    let honest = outing()
    #expect(sentences(faulty, 0..<1) == sentences(honest, 0..<1))
    #expect(sentences(faulty, 1..<2).contains(",V,,,,,,,"))
    #expect(sentences(faulty, 2..<3).isEmpty)
    let long = start.advanced(byMilliseconds: 3000 - 1024 * 7 * 86_400_000)
    #expect(sentences(faulty, 3..<4) == honest.nmea(at: long, second: 3))
    let past = start.advanced(byMilliseconds: 4000 - 60_000)
    #expect(sentences(faulty, 4..<5) == honest.nmea(at: past, second: 4))
  }

  @Test(arguments: [(0.0, 0.0), (-90.0, 180.0), (89.9999999, -179.9999999), (12.9999999, 9.5)])
  func placesAtTheEdgesOfTheGridAreWritten(latitude: Double, longitude: Double) throws {
    let place = try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    let still = Outing(seed: 1, home: place, plan: .init(pathMeters: 0, noiseMeters: 0))
    let text = still.nmea(at: start, second: 0)
    let read = try TrackFile.read(text).compactMap(\.report.coordinate)
    #expect(!read.isEmpty)
    #expect(read.allSatisfy { $0.distanceMeters(to: place) < 0.03 })
  }
}
