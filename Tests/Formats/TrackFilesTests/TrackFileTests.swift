import Bytes
import Care
import Foundation
import JSON
import Moments
import TestSupport
import Testing
import TrackFiles

@Suite struct TrackFileTests {
  private static let gpx = """
    <?xml version="1.0"?>
    <gpx version="1.1"><!-- <trkpt lat="1" lon="1"></trkpt> -->
    <wpt lat="9" lon="9"><name>no track point</name></wpt>
    <trk><trkseg>
    <trkpt lat="45.7721" lon='14.3576'><ele> 542.3 </ele><time>2010-08-05T14:23:59Z</time></trkpt>
    <trkpt lon="14.3577" lat="45.7722"><time>2010-08-05T16:24:09.5+02:00</time><hdop>0.8</hdop>
      <extensions><gpxtpx:speed>1.5</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course></extensions></trkpt>
    <trkpt lat="45.7723" lon="14.3578"/>
    </trkseg></trk></gpx>
    """

  private static let nmea = """
    $GPZDA,143444.28,09,06,2005,00,00*66\r
    $GPGGA,143444.28,4629.8972,N,00734.0447,E,1,00,2.40,1344.99,M,45.590,M,,*57\r
    $GPRMC,143444.28,A,4629.8972,N,00734.0447,E,0.1776,10.379,090605,2.3,E*5A\r
    $GPGSA,A,3,,,,,,,,,,,,,,2.4,*34\r
    $GPGSV,2,1,08,23,06,084,00,28,08,160,00,08,66,189,44,29,14,273,00*7C\r

    """

  private static let gpsd = """
    {"class":"VERSION","release":"3.22"}
    {"class":"TPV","device":"/dev/ttyUSB0","mode":1}
    {"class":"TPV","mode":3,"time":"2005-06-09T14:34:44.280Z","lat":46.498287177,"lon":7.567411672,"altMSL":1344.9947,"track":10.3788,"speed":0.091}
    {"class":"TPV","mode":3,"time":"2005-06-09T14:34:44.280Z","lat":46.498287177,"lon":7.567411672,"epx":3.0,"epy":4.0}
    {"class":"TPV","mode":2,"time":"2005-06-09T14:34:45.280Z","lat":46.5,"lon":7.5,"eph":12.5,"status":8}
    {"class":"SKY","satellites":[]}
    """

  private func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  @Test func gpxTrackPointsAreRead() throws {
    let contents = try TrackFile.contents(of: Array(Self.gpx.utf8))
    #expect(contents.format == .gpx)
    #expect(contents.skippedCount == 0)
    #expect(contents.fixes.count == 3)
    let first = contents.fixes[0]
    #expect(first.time?.iso8601 == "2010-08-05T14:23:59.000Z")
    #expect(first.report.latitudeDegrees == 45.7721)
    #expect(first.report.longitudeDegrees == 14.3576)
    #expect(first.report.altitudeMeters == 542.3)
    #expect(first.report.mode == .threeDimensional)
    #expect(first.report.accuracyMeters == nil)
    let second = contents.fixes[1]
    #expect(second.time?.iso8601 == "2010-08-05T14:24:09.500Z")
    #expect(second.report.accuracyMeters == 8)
    #expect(second.report.speedMetersPerSecond == 1.5)
    #expect(second.report.courseDegrees == 90)
    #expect(contents.fixes[2].time == nil)
    #expect(contents.fixes[2].report.mode == .twoDimensional)
  }

  @Test func damagedGPXPointsAreSkippedAndCounted() throws {
    let text = """
      <gpx><trkpt lat="1" lon="2"><time>yesterday</time></trkpt>
      <trkpt lat="1"><time>2010-08-05T14:23:59Z</time></trkpt>
      <trkpt lat="5" lon="6"><ele>1</ele>
      <trkpt lat="3" lon="4"></trkpt><trkpt lat="7" lon
      """
    let contents = try TrackFile.contents(of: Array(text.utf8))
    #expect(contents.fixes.map(\.report.latitudeDegrees) == [3])
    #expect(contents.skippedCount == 4)
  }

  @Test func nmeaSentencesOfOneEpochMakeOneFix() throws {
    let contents = try TrackFile.contents(of: Array(Self.nmea.utf8))
    #expect(contents.format == .nmea)
    #expect(contents.skippedCount == 0)
    #expect(contents.fixes.count == 1)
    let fix = try #require(contents.fixes.first)
    #expect(fix.time?.iso8601 == "2005-06-09T14:34:44.280Z")
    #expect(fix.report.receiverTime == fix.time)
    #expect(abs((fix.report.latitudeDegrees ?? 0) - 46.498286667) < 1e-8)
    #expect(abs((fix.report.longitudeDegrees ?? 0) - 7.567411667) < 1e-8)
    #expect(fix.report.mode == .threeDimensional)
    #expect(fix.report.accuracyMeters == 24)
    #expect(fix.report.altitudeMeters == 1344.99)
    #expect(abs((fix.report.speedMetersPerSecond ?? 0) - 0.09137) < 1e-4)
  }

  @Test func southAndWestAreNegativeAndMidnightIsPassed() throws {
    let text =
      sentence("GNRMC,235959.00,A,3351.0000,S,07030.0000,W,1.0,,311299,,,A")
      + sentence("GNGGA,000000.00,3351.0000,S,07030.0000,W,1,08,1.0,10,M,,M,,")
      + sentence("GNGGA,000001.00,3351.0000,S,07030.0000,W,0,,,,M,,M,,")
    let fixes = try TrackFile.read(text)
    #expect(
      fixes.map { $0.time?.iso8601 } == [
        "1999-12-31T23:59:59.000Z", "2000-01-01T00:00:00.000Z", "2000-01-01T00:00:01.000Z",
      ])
    #expect(fixes.first?.report.latitudeDegrees == -33.85)
    #expect(fixes.first?.report.longitudeDegrees == -70.5)
    #expect(fixes.last?.report.mode == FixMode.none)
  }

  @Test func simulatedAndVoidFixesAreMarked() throws {
    let text =
      sentence("GPRMC,120000,A,4629.8972,N,00734.0447,E,0,0,090605,,,S")
      + sentence("GPRMC,120001,V,,,,,,,090605,,,N")
    let fixes = try TrackFile.read(text)
    #expect(fixes.map(\.report.isSimulated) == [true, false])
    #expect(fixes.map(\.report.mode) == [.twoDimensional, .none])
  }

  @Test func wrongOrMissingChecksumsAreSkippedAndCounted() throws {
    let text = Self.nmea.replacingOccurrences(of: "*57", with: "*58") + "$GPRMC,143445.28,A,46"
    let contents = try TrackFile.contents(of: Array(text.utf8))
    #expect(contents.skippedCount == 2)
    #expect(contents.fixes.count == 1)
    #expect(contents.fixes.first?.report.altitudeMeters == nil)
  }

  @Test func gpsdReportsOfOneEpochAreMerged() throws {
    let contents = try TrackFile.contents(of: Array(Self.gpsd.utf8))
    #expect(contents.format == .gpsd)
    #expect(contents.fixes.count == 3)
    #expect(contents.fixes[0].report.mode == FixMode.none)
    #expect(contents.fixes[0].report.source == "/dev/ttyUSB0")
    #expect(contents.fixes[1].report.accuracyMeters == 5)
    #expect(contents.fixes[1].report.speedMetersPerSecond == 0.091)
    #expect(contents.fixes[2].report.accuracyMeters == 12.5)
    #expect(contents.fixes[2].report.isSimulated)
  }

  @Test func cutGPSDLinesAreSkippedAndCounted() throws {
    let text = Self.gpsd + "\n{\"class\":\"TPV\",\"mode\":3,\"time\":\"2005-06-09T14:3"
    let contents = try TrackFile.contents(of: Array(text.utf8))
    #expect(contents.fixes.count == 3)
    #expect(contents.skippedCount == 1)
  }

  @Test(arguments: ["", "\n\n", "hello", "lat,lon\n1,2\n", "\u{FEFF}"])
  func otherFilesAreRefused(text: String) {
    #expect(throws: DecodeError(.unexpectedByte, at: 0)) { try TrackFile.read(text) }
  }

  @Test func aByteOrderMarkAndCommentsBeforeTheTrackDoNotMatter() throws {
    #expect(try TrackFile.read("\u{FEFF}" + Self.gpx).count == 3)
    #expect(try TrackFile.read("# a receiver\r\n# its log\r\n" + Self.nmea).count == 1)
  }

  // MARK: Damage

  private static let samples = [gpx, nmea, gpsd]

  @Test(arguments: samples)
  func everyPrefixIsReadOrRefused(text: String) throws {
    let bytes = Array(text.utf8)
    let whole = try TrackFile.read(bytes).count
    for length in 0...bytes.count {
      let count = (try? TrackFile.read(Array(bytes.prefix(length))))?.count ?? 0
      #expect(count <= whole)
    }
  }

  @Test(arguments: samples, [UInt64(1), 2, 3])
  func flippedBitsAndCutPiecesAreReadOrRefused(text: String, seed: UInt64) {
    var state = seed
    func random(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    var read = 0
    for _ in 0..<1500 {
      var bytes = Array(text.utf8)
      for _ in 0...random(8) { bytes[random(bytes.count)] ^= 1 << UInt8(random(8)) }
      if random(3) == 0 { bytes.removeSubrange(random(bytes.count)..<bytes.count) }
      if random(4) == 0, !bytes.isEmpty { bytes.insert(contentsOf: bytes, at: random(bytes.count)) }
      guard let contents = try? TrackFile.contents(of: bytes) else { continue }
      read += contents.fixes.count
      #expect(contents.fixes.count + contents.skippedCount <= bytes.count)
    }
    #expect(read > 0)
  }

  @Test func absurdNumbersArePassedOnForTheFilterToJudge() throws {
    let fixes = try TrackFile.read(
      "<gpx><trkpt lat='nan' lon='1e400'/><trkpt lat='91' lon='-inf'><hdop>-1</hdop></trkpt></gpx>")
    #expect(fixes.count == 2)
    #expect(fixes.allSatisfy { $0.report.coordinate == nil })
  }

  @Test func aLongFileIsReadInOnePass() throws {
    let point = "<trkpt lat=\"1\" lon=\"2\"><time>2010-08-05T14:23:59Z</time></trkpt>\n"
    let text = "<gpx>" + String(repeating: point, count: 20_000) + "</gpx>"
    #expect(try TrackFile.read(text).count == 20_000)
  }

  // MARK: Whole files

  private static func logs(_ ours: [String], others: [String], ending: String) -> [Capture] {
    Capture.all(
      ours.map { "receivers/\($0)\(ending)" }, others: others.map { "gpsd/\($0)\(ending)" })
  }

  /// How many points each outing has, and how many of them with a time.
  private static let outings = [
    "round-walk.gpx": (124, 124), "hike.gpx": (328, 172),
    "gpxpy_cerknicko-jezero.gpx": (296, 296), "gpxpy_korita-zbevnica.gpx": (871, 513),
  ]

  @Test(
    arguments: Capture.all(
      ["tracks/round-walk.gpx", "tracks/hike.gpx"],
      others: ["tracks/gpxpy_cerknicko-jezero.gpx", "tracks/gpxpy_korita-zbevnica.gpx"]))
  func recordedOutingsAreReadWhole(capture: Capture) throws {
    let contents = try TrackFile.contents(of: capture.bytes())
    let (count, timed) = try #require(Self.outings[capture.name])
    #expect(contents.fixes.count == count)
    #expect(contents.fixes.filter { $0.time != nil }.count == timed)
    #expect(contents.skippedCount == 0)
    #expect(contents.fixes.allSatisfy { $0.report.coordinate != nil })
  }

  @Test(
    arguments: logs(
      [
        "common", "cold-start", "simulator", "pole", "several-systems", "time-goes-back",
        "sailing", "week-rollover", "binary",
      ],
      others: [
        "GPSmap-76S", "bu303-moving", "haicom-305N", "neo-m8n", "telit-he910", "mtk-3301",
      ], ending: ".log.chk"))
  func reportsOfGPSDAreReadFromItsOwnOutputs(capture: Capture) throws {
    let text = String(decoding: try capture.bytes(), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).filter {
      $0.hasPrefix("{\"class\":\"TPV\"")
    }
    let contents = try TrackFile.contents(of: capture.bytes())
    #expect(contents.skippedCount == 0)
    #expect(!contents.fixes.isEmpty)
    #expect(contents.fixes.count <= lines.count)
    let positions = Set(contents.fixes.compactMap(\.report.latitudeDegrees))
    for line in lines where line.contains("\"lat\"") {
      let latitude = try JSONValue(parsing: String(line))["lat"]?.doubleContent
      #expect(latitude.map(positions.contains) == true)
    }
  }

  @Test(
    arguments: logs(
      [
        "common", "cold-start", "simulator", "pole", "beyond-the-earth", "several-systems",
        "time-goes-back", "sailing", "week-rollover",
      ], others: ["haicom-305N", "telit-he910", "mtk-3301", "magellan-ec10", "tn200-all"],
      ending: ".log"))
  func sentencesReadHereGiveThePositionsThatGPSDGives(log: Capture) throws {
    let ours = try TrackFile.contents(of: log.bytes())
    let theirs = try TrackFile.contents(of: log.beside(ending: ".chk").bytes()).fixes
      .filter { $0.report.mode.hasPosition }
    #expect(ours.format == .nmea)
    var compared = 0
    for fix in theirs {
      guard let latitude = fix.report.latitudeDegrees, let longitude = fix.report.longitudeDegrees,
        let match = ours.fixes.first(where: { sameTimeOfDay($0.time, fix.time) }),
        let found = match.report.latitudeDegrees, let foundLongitude = match.report.longitudeDegrees
      else { continue }
      #expect(abs(found - latitude) < 2e-6, "\(log) \(fix.time?.iso8601 ?? "")")
      #expect(abs(foundLongitude - longitude) < 2e-6)
      compared += 1
    }
    #expect(theirs.isEmpty || compared > 0)
  }

  /// gpsd moves dates that it thinks rolled over, so only the time of day is compared.
  private func sameTimeOfDay(_ left: Timestamp?, _ right: Timestamp?) -> Bool {
    guard let left, let right else { return false }
    return left.milliseconds % 86_400_000 == right.milliseconds % 86_400_000
  }
}
