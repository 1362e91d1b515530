import Care
import Foundation
import GPSD
import Loop
import Moments
import Ports
import TestSupport
import Testing

/// One position as it is expected of gpsd.
struct ExpectedPosition: Hashable {
  /// Milliseconds within the 1,024 weeks of a receiver's calendar: gpsd versions place old dates in different eras.
  var timeInEra: Int64?
  var latitudeDegrees: Double
  var longitudeDegrees: Double
}

/// A log of a receiver and the reports that gpsd makes of it: kinds of receiver that `Tests/Captures` plays, and those of
/// gpsd's own regression test.
struct RecordedLog {
  static let captures = logs(
    [
      "common", "cold-start", "no-fix", "simulator", "pole", "beyond-the-earth",
      "several-systems", "errors-only", "time-goes-back", "sailing", "week-rollover", "binary",
    ],
    others: [
      "GPSmap-76S", "april6_2019", "bu303-moving", "bu303-nofix", "haicom-305N", "magellan-ec10",
      "mtk-3301", "neo-m8n", "skytraq-err", "telit-he910", "tn200-all", "ublox-lea-5q",
    ])

  static func logs(_ ours: [String], others: [String]) -> [Capture] {
    Capture.all(ours.map { "receivers/\($0).log" }, others: others.map { "gpsd/\($0).log" })
  }

  private static let eraMilliseconds: Int64 = 1024 * 7 * 86_400_000

  /// The receiver's bytes, without the header that the log begins with.
  let bytes: [UInt8]
  let expected: Set<ExpectedPosition>

  init(_ capture: Capture) throws {
    bytes = Self.withoutHeader(try capture.bytes())
    let golden = Data(try capture.beside(ending: ".chk").bytes())
    expected = try Set(
      golden.split(separator: 0x0A).filter { $0.starts(with: Array(#"{"class":"TPV""#.utf8)) }
        .compactMap { try Self.position(in: Data($0)) })
  }

  static func timeInEra(_ time: Timestamp?) -> Int64? {
    time.map { $0.milliseconds % eraMilliseconds }
  }

  private static func withoutHeader(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.first == UInt8(ascii: "#"), let end = rest.firstIndex(of: 0x0A) {
      rest = rest[(end + 1)...]
    }
    return Array(rest)
  }

  private static func position(in line: Data) throws -> ExpectedPosition? {
    struct TPV: Decodable {
      var mode: Int
      var time: String?
      var lat: Double?
      var lon: Double?
    }
    let report = try JSONDecoder().decode(TPV.self, from: line)
    guard report.mode >= 2, let lat = report.lat, let lon = report.lon else { return nil }
    let time = try report.time.map { try Timestamp(iso8601: $0) }
    return ExpectedPosition(
      timeInEra: timeInEra(time), latitudeDegrees: lat, longitudeDegrees: lon)
  }
}

/// A sentence with its checksum and line end.
func sentence(_ body: String) -> [UInt8] {
  let sum = body.utf8.reduce(0) { $0 ^ $1 }
  let digits = String(sum, radix: 16, uppercase: true)
  return Array("$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n".utf8)
}

/// Sentences of a place that no recorded log knows, one second apart.
func marker(seconds: Range<Int>, latitude: String = "0100.0000") -> [UInt8] {
  seconds.flatMap { second in
    let time = "1200" + (second < 10 ? "0" : "") + String(second) + ".000"
    return sentence("GPRMC,\(time),A,\(latitude),N,00100.0000,E,0.00,0.00,010130,,,A")
      + sentence("GPGGA,\(time),\(latitude),N,00100.0000,E,1,08,1.0,10.0,M,0.0,M,,")
  }
}

@Suite(.serialized, .enabled(if: GPSDaemon.isInstalled, "gpsd is needed"))
struct RecordedLogTests {
  @Test(.timeLimit(.minutes(1)), arguments: RecordedLog.captures)
  @LoopActor func positionsEqualThoseThatAreExpectedOfGPSD(_ capture: Capture) async throws {
    let log = try RecordedLog(capture)
    let fixes = try await fixes(from: log)
    let received = Set(fixes.compactMap(Self.position))
    let timed = { (positions: Set<ExpectedPosition>) in positions.filter { $0.timeInEra != nil } }
    #expect(timed(received) == timed(log.expected))
    let places = { (positions: Set<ExpectedPosition>) in
      Set(positions.map { [$0.latitudeDegrees, $0.longitudeDegrees] })
    }
    #expect(places(received) == places(log.expected))
    if log.expected.isEmpty { #expect(fixes.allSatisfy { !$0.mode.hasPosition }) }
  }

  @Test(
    .timeLimit(.minutes(1)), arguments: RecordedLog.logs(["cold-start"], others: ["haicom-305N"]))
  @LoopActor func noEpochIsHandedInTwice(_ capture: Capture) async throws {
    let fixes = try await fixes(from: RecordedLog(capture))
    let times = fixes.compactMap(\.receiverTime)
    #expect(times.count > 60)
    #expect(Set(times).count == times.count)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: RecordedLog.logs(["time-goes-back"], others: ["telit-he910"]))
  @LoopActor func timeThatGoesBackArrivesInTheReceiversOrder(_ capture: Capture) async throws {
    let times = try await fixes(from: RecordedLog(capture)).compactMap(\.receiverTime)
    #expect(zip(times, times.dropFirst()).contains { $1 < $0 })
  }

  @Test(
    .timeLimit(.minutes(1)), arguments: RecordedLog.logs(["simulator"], others: ["GPSmap-76S"]))
  @LoopActor func aSimulatorIsFlagged(_ capture: Capture) async throws {
    let fixes = try await fixes(from: RecordedLog(capture))
    let positioned = fixes.filter(\.mode.hasPosition)
    #expect(!positioned.isEmpty)
    #expect(positioned.allSatisfy { $0.isSimulated })
  }

  /// Plays a log through a gpsd of its own and answers what the source made of it, up to the marker's place.
  @LoopActor private func fixes(from log: RecordedLog) async throws -> [FixReport] {
    let directory = try TemporaryDirectory()
    let port = try freePort()
    let feed = try StreamFeed()
    let watched = Watched(.init(id: "gps", port: port))
    defer { watched.source.stop() }
    await watched.recorder.waitForCode("gpsd-gone")
    let known = watched.recorder.health.count
    let daemon = try GPSDaemon(
      port: port, devices: [feed.device], controlSocket: directory.path(of: "control"))
    defer { daemon.kill() }
    await watched.recorder.waitForCode("starting", after: known)
    feed.send(log.bytes)
    feed.send(marker(seconds: 0..<20))
    await watched.recorder.wait { $0.fixes.contains(where: Self.isMarker) }
    return Array(watched.recorder.fixes.prefix { !Self.isMarker($0) })
  }

  private static func isMarker(_ fix: FixReport) -> Bool {
    fix.latitudeDegrees == 1 && fix.longitudeDegrees == 1
  }

  private static func position(_ fix: FixReport) -> ExpectedPosition? {
    guard fix.mode.hasPosition, let latitude = fix.latitudeDegrees,
      let longitude = fix.longitudeDegrees
    else { return nil }
    return ExpectedPosition(
      timeInEra: RecordedLog.timeInEra(fix.receiverTime), latitudeDegrees: latitude,
      longitudeDegrees: longitude)
  }
}
