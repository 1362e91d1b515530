import Bytes
import JSON
import Moments
import Testing

@testable import GATTProfiles

@Suite("Keeping a continuous monitor's records whole")
struct CGMCollectorTests {
  private let feature = CGMFeature(
    bits: 1 << 12, origin: GlucoseSampleOrigin(.interstitialFluid, .subcutaneousTissue))
  private let start = CGMSessionStart(
    dateTime: time(day: 20, 8, 0),
    localTime: LocalTimeInformation(zoneQuarterHours: 4, daylightQuarterHours: 0))

  private func octets(_ minutes: UInt16...) -> [UInt8] {
    minutes.flatMap {
      CGMMeasurement(
        concentration: SFLOAT(bits: 0x0064), timeOffsetMinutes: $0, hasCRC: true
      ).octets
    }
  }

  private func minutes(_ outputs: [CGMCollector.Output]) -> [UInt16] {
    outputs.flatMap { output -> [UInt16] in
      guard case .records(let records) = output else { return [] }
      return records.map(\.identity.timeOffsetMinutes)
    }
  }

  /// A collector that is connected, and what it did first.
  private func connected(
    _ bookmark: CGMBookmark = CGMBookmark(), offset: UInt16 = 300, start: CGMSessionStart? = nil,
    hasHistory: Bool = true
  ) -> (CGMCollector, [CGMCollector.Output]) {
    var collector = CGMCollector(monitor: meterAddress, bookmark: bookmark)
    let outputs = collector.handle(
      .ready(
        feature: feature, status: CGMStatus(timeOffsetMinutes: offset, annunciation: []),
        start: start ?? self.start, hasHistory: hasHistory), at: moment(0))
    return (collector, outputs)
  }

  @Test("History first, then what is told; after a drop only the minutes between")
  func historyAndLive() {
    var (collector, outputs) = connected()
    #expect(outputs == [.write([1, 1])])
    #expect(
      minutes(collector.handle(.measurement(octets(5, 10, 15)), at: moment(1))) == [5, 10, 15])
    // A live record between those of the history, and one that comes twice.
    #expect(
      minutes(collector.handle(.measurement(octets(300, 20, 20)), at: moment(2))) == [300, 20])
    #expect(collector.bookmark.complete == nil, "the history is not whole yet")
    #expect(collector.handle(.controlPoint(hex("06000101")), at: moment(3)).isEmpty)
    #expect(collector.bookmark.complete == 300 && collector.nextWake == nil)
    #expect(minutes(collector.handle(.measurement(octets(305)), at: moment(4))) == [305])
    #expect(collector.bookmark.complete == 305)
    #expect(collector.handle(.disconnected, at: moment(5)) == [.ended(.linkLost)])
    (collector, outputs) = connected(collector.bookmark, offset: 330)
    #expect(outputs == [.write(hex("0103013201"))])
    #expect(minutes(collector.handle(.measurement(octets(305, 310)), at: moment(6))) == [310])
  }

  @Test("A drop in the middle of the history loses nothing and brings nothing twice")
  func dropped() throws {
    var (collector, _) = connected()
    _ = collector.handle(.measurement(octets(5, 300)), at: moment(1))
    _ = collector.handle(.disconnected, at: moment(2))
    let stored = try CGMBookmark(json: try JSONValue(parsing: collector.bookmark.json.serialized))
    #expect(stored == collector.bookmark)
    var outputs: [CGMCollector.Output]
    (collector, outputs) = connected(stored)
    #expect(outputs == [.write([1, 1])])
    #expect(
      minutes(collector.handle(.measurement(octets(5, 10, 300)), at: moment(3))) == [10])
    _ = collector.handle(.controlPoint(hex("06000101")), at: moment(4))
    #expect(collector.bookmark.complete == 300)
  }

  @Test("A wrong checksum leaves the record out, and it is asked for again")
  func checksum() {
    var (collector, _) = connected()
    var damaged = octets(5)
    damaged[2] ^= 1
    #expect(
      collector.handle(.measurement(damaged), at: moment(1)) == [
        .notice(.damaged(DecodeError(.checksum, at: 6, field: "crc")))
      ])
    _ = collector.handle(.measurement(octets(10)), at: moment(1))
    #expect(
      collector.handle(.controlPoint(hex("06000101")), at: moment(2)) == [.write([1, 1])])
    #expect(minutes(collector.handle(.measurement(octets(5, 10)), at: moment(3))) == [5])
    _ = collector.handle(.controlPoint(hex("06000101")), at: moment(4))
    #expect(collector.bookmark.complete == 10)
    // One without a checksum is damaged where the feature promises one.
    let bare = CGMMeasurement(concentration: SFLOAT(bits: 0x64), timeOffsetMinutes: 15).octets
    #expect(minutes(collector.handle(.measurement(bare), at: moment(5))).isEmpty)
    _ = collector.handle(.measurement(octets(20)), at: moment(6))
    #expect(collector.bookmark.complete == 10, "15 is asked for at the next connection")
  }

  @Test("A new session is noticed by its start, or by minutes that went back")
  func newSession() {
    var (collector, _) = connected()
    _ = collector.handle(.measurement(octets(300)), at: moment(1))
    _ = collector.handle(.controlPoint(hex("06000101")), at: moment(1))
    let bookmark = collector.bookmark
    var later = start
    later.dateTime = time(day: 20, 9, 0)
    for (start, offset) in [(later, 400), (start, 10)] as [(CGMSessionStart, UInt16)] {
      let (other, outputs) = connected(bookmark, offset: offset, start: start)
      #expect(outputs == [.notice(.sessionBegan), .write([1, 1])])
      #expect(other.bookmark.complete == nil)
    }
  }

  @Test("A record has its time from the session's start, its identity, and doubts about both")
  func record() throws {
    var (collector, _) = connected()
    let outputs = collector.handle(.measurement(octets(90)), at: moment(0))
    guard case .records(let records) = outputs.first, let record = records.first else {
      Issue.record("\(outputs)")
      return
    }
    #expect(record.utc?.iso8601 == "2026-11-20T08:30:00.000Z" && record.doubts.isEmpty)
    #expect(record.identity.text == "C0:11:22:33:44:55/2026-11-20T08:00:00/90")
    #expect(record.isFromHistory && record.meaning.amount?.number.description == "100")
    for (minutes, quality, doubts) in [
      (400, .synchronised, [.implausible]), (91, .untrusted, [.hubUntrusted]),
    ] as [(UInt16, TimeQuality, [GlucoseTimeDoubt])] {
      let outputs = collector.handle(
        .measurement(octets(minutes)), at: moment(0, quality: quality))
      guard case .records(let found) = outputs.first else { continue }
      #expect(found.first?.doubts == doubts)
    }
  }

  @Test("Monitors that do not answer, refuse, or answer wrongly")
  func faults() {
    var (collector, _) = connected()
    #expect(collector.nextWake == moment(30).tick)
    #expect(collector.handle(.time, at: moment(30)) == [.ended(.failed(.noAnswer))])
    (collector, _) = connected()
    #expect(
      collector.handle(.writeRefused(attributeError: 5), at: moment(1)) == [
        .ended(.failed(.notPaired))
      ])
    (collector, _) = connected()
    #expect(
      collector.handle(.writeRefused(attributeError: 0x80), at: moment(1)) == [.write([3, 0])])
    #expect(collector.handle(.controlPoint(hex("06000301")), at: moment(2)) == [.write([1, 1])])
    #expect(collector.handle(.cancel, at: moment(3)) == [.write([3, 0])])
    #expect(collector.handle(.time, at: moment(8)) == [.ended(.cancelled)])
    (collector, _) = connected()
    _ = collector.handle(.controlPoint(hex("05000100")), at: moment(1))
    _ = collector.handle(.controlPoint(hex("0500")), at: moment(1))
    #expect(
      collector.handle(.controlPoint(hex("06000301")), at: moment(1)).last
        == .ended(.failed(.wrongAnswers)))
    // Without a history what is told from now on is all there is.
    (collector, _) = connected()
    #expect(collector.handle(.controlPoint(hex("06000102")), at: moment(1)).isEmpty)
    #expect(minutes(collector.handle(.measurement(octets(5)), at: moment(2))) == [5])
    #expect(connected(hasHistory: false).1.isEmpty)
  }

  @Test("A damaged bookmark is refused")
  func bookmark() throws {
    for damaged in ["{\"complete\":70000}", "{\"ahead\":[\"x\"]}", "{\"sessionStart\":-1}", "1"] {
      #expect(throws: DecodeError.self) { try CGMBookmark(json: try JSONValue(parsing: damaged)) }
    }
    let many = "{\"ahead\":[\((0..<5000).map(String.init).joined(separator: ","))]}"
    let bounded = try CGMBookmark(json: try JSONValue(parsing: many))
    #expect(bounded.ahead.count == CGMBookmark.aheadLimit)
  }
}
