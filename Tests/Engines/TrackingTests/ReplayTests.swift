import Care
import JSON
import Moments
import TestSupport
import Testing
import TrackFiles

@testable import Tracking

@Suite struct ReplayTests {
  private func replay(_ fixes: [TimedFix], _ zones: [SafeZone]) -> [TrackReplay.Entry] {
    TrackReplay(resident: Scene.mary, zones: zones).run(fixes.map { ($0.time, $0.report) })
  }

  @Test(
    arguments: Capture.all(
      ["tracks/round-walk.gpx"], others: ["tracks/gpxpy_cerknicko-jezero.gpx"]))
  func anOutingLeavesItsStartOnceAndExplainsIt(track: Capture) throws {
    let fixes = try TrackFile.read(track.bytes())
    #expect(fixes.count == (track.isOurs ? 124 : 296))
    let start = try #require(fixes.first?.report.coordinate)
    let entries = replay(fixes, [Scene.zone(at: start, radius: 100)])
    let zoneTypes = entries.map(\.draft.type.rawValue).filter { $0.hasPrefix("zone.") }
    #expect(zoneTypes.first == "zone.left")
    let left = try #require(entries.first { $0.draft.type == .zoneLeft }).draft
    #expect(left.explanation.contains("20 m of assumed doubt"))
    let turns = zoneTypes.filter { ["zone.left", "zone.entered"].contains($0) }
    #expect(zip(turns, turns.dropFirst()).allSatisfy { $0 != $1 })
    #expect(entries.contains { $0.draft.type == .locationRecorded })
  }

  @Test(
    arguments: Capture.all(
      ["tracks/round-walk.gpx", "tracks/hike.gpx"],
      others: ["tracks/gpxpy_cerknicko-jezero.gpx", "tracks/gpxpy_korita-zbevnica.gpx"]))
  func everyExitOfAnOutingAgreesWithThePlainGeometry(track: Capture) throws {
    let fixes = try TrackFile.read(track.bytes())
    let timed = fixes.filter { $0.time != nil }
    let middle = try #require(timed[timed.count / 3].report.coordinate)
    let zone = Scene.zone(at: middle, radius: 150)
    let entries = replay(fixes, [zone])
    for entry in entries where entry.draft.type == .zoneLeft {
      let ends = entry.draft.facts["fixes"]?.arrayContent ?? []
      #expect(ends.count == 2)
      for end in ends {
        let position = try Coordinate(json: end)
        #expect(zone.center.distanceMeters(to: position) > 150 + 50 + 20)
      }
    }
    for entry in entries where entry.draft.type == .zoneEntered {
      let position = try Coordinate(json: entry.draft.facts)
      #expect(zone.center.distanceMeters(to: position) <= 150)
    }
    #expect(entries.contains { $0.draft.type == .zoneEntered || $0.draft.type == .zoneCrossed })
  }

  @Test func aTrackWithoutTimesCountsAsWalked() throws {
    let fixes: [(time: Timestamp?, report: FixReport)] = (0...30).map { step in
      let distance = 10.0 * Double(step)
      return (
        time: nil,
        report: Scene.report(
          Scene.home.moved(meters: distance, bearingDegrees: 90), accuracy: nil)
      )
    }
    let replay = TrackReplay(resident: Scene.mary, zones: [Scene.zone()])
    let found = replay.findings(fixes)
    #expect(found.map(\.draft.type).contains(.zoneLeft))
    let json = try #require(found.first { $0.draft.type == .zoneLeft }).json
    #expect(json["type"] == "zone.left")
    #expect(json["time"]?.stringContent?.hasPrefix("2000-01-01T00:") == true)
    #expect(json["data"]?["zoneName"] == "Home")
  }

  @Test func aPauseWhileOutsideTellsThatThePositionIsUnknown() {
    let start = Timestamp.seconds(1_700_000_000)
    func at(_ second: Int64, _ east: Double) -> (time: Timestamp?, report: FixReport) {
      let time = start.advanced(byMilliseconds: second * 1000)
      let position = Scene.home.moved(meters: east, bearingDegrees: 90)
      return (time: time, report: Scene.report(position, time: time))
    }
    let fixes = [at(0, 5), at(60, 100), at(75, 120), at(6000, 130), at(6060, 10)]
    let found = TrackReplay(resident: Scene.mary, zones: [Scene.zone()]).findings(fixes)
    let types = found.map(\.draft.type.rawValue).filter { $0 != "location.recorded" }
    #expect(
      types == [
        "zone.left", "position.unknown", "position.unknown", "position.regained", "zone.entered",
      ])
    #expect(
      found.filter { $0.draft.type == .positionUnknown }.map(\.time) == [
        start.advanced(byMilliseconds: 975_000), start.advanced(byMilliseconds: 1_875_000),
      ])
  }

  @Test func timesThatLeapByMillenniaAreLivedThroughQuickly() {
    let times: [Int64] = [0, 253_402_300_799_000, -62_135_596_800_000, .max, .min]
    let fixes: [(time: Timestamp?, report: FixReport)] = times.map { time in
      let time = Timestamp(milliseconds: time)
      return (time: time, report: Scene.report(Scene.home, time: time))
    }
    let entries = TrackReplay(resident: Scene.mary, zones: [Scene.zone()]).run(fixes)
    #expect(entries.count < 10_000)
    #expect(entries.contains { $0.draft.type == .fixAccepted })
  }
}
