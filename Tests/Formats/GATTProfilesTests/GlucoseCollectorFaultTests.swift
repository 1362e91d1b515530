import Bytes
import JSON
import Moments
import Testing

@testable import GATTProfiles

@Suite("Meters that misbehave")
struct GlucoseCollectorFaultTests {
  private func started(_ bookmark: GlucoseBookmark = GlucoseBookmark()) -> GlucoseCollector {
    var collector = GlucoseCollector(meter: meterAddress, bookmark: bookmark)
    let outputs = collector.handle(
      .ready(hasContext: true, clocks: MeterClockReading(meter: nil, hub: hubClock)),
      at: moment(0))
    #expect(outputs == [.write([1, 1])])
    return collector
  }

  @Test("A meter that never answers is given up after 30 s, counted from its last sign of life")
  func neverAnswers() {
    var collector = started()
    #expect(collector.nextWake == moment(30).tick)
    #expect(collector.handle(.time, at: moment(29.999)).isEmpty)
    #expect(collector.handle(.measurement(stick(1).octets), at: moment(29.999)).count == 1)
    #expect(collector.nextWake == moment(59.999).tick)
    #expect(collector.handle(.time, at: moment(59.999)) == [.ended(.failed(.noAnswer))])
    #expect(collector.isEnded && collector.nextWake == nil)
    #expect(collector.handle(.measurement(stick(2).octets), at: moment(61)).isEmpty)
    // What came is known; the next session asks for everything and keeps what is new.
    var meter = SimulatedMeter(records: [stick(1), stick(2)])
    #expect(session(with: &meter, collector.bookmark).sequences == [2])
  }

  @Test("An answer that nobody asked for is left out, and the third one ends the session")
  func wrongOpcode() {
    var collector = started()
    for digits in ["05000100", "0101"] {
      let outputs = collector.handle(.controlPoint(hex(digits)), at: moment(1))
      #expect(outputs == [.notice(.wrongAnswer(opcode: hex(digits)[0]))])
    }
    let outputs = collector.handle(.controlPoint(hex("06000401")), at: moment(2))
    #expect(outputs == [.notice(.wrongAnswer(opcode: 6)), .write([3, 0])])
    #expect(
      collector.handle(.controlPoint(hex("06000301")), at: moment(3)) == [
        .ended(.failed(.wrongAnswers))
      ])
  }

  @Test("A damaged answer is left out; the right one that follows counts")
  func damagedAnswer() {
    var collector = started()
    #expect(
      collector.handle(.controlPoint(hex("0600")), at: moment(1)) == [
        .notice(.damaged(DecodeError(.truncated, at: 2, field: "requestOpcode")))
      ])
    #expect(collector.handle(.controlPoint(hex("06000106")), at: moment(2)) == [.ended(.upToDate)])
  }

  @Test("Cancelling aborts the procedure; the meter's answer, or 5 s, end the session")
  func cancel() {
    for answers in [true, false] {
      var collector = started()
      #expect(collector.handle(.cancel, at: moment(1)) == [.write([3, 0])])
      // A record under way when the abort was written is kept.
      #expect(collector.handle(.measurement(stick(1).octets), at: moment(1)).count == 1)
      let last =
        answers
        ? collector.handle(.controlPoint(hex("06000301")), at: moment(2))
        : collector.handle(.time, at: moment(6))
      #expect(last == [.ended(.cancelled)])
    }
  }

  @Test(
    "Errors of the attribute protocol say what is wrong",
    arguments: [
      (0x05, .notPaired), (0x0F, .notPaired), (0x81, .notSubscribed), (0xFD, .notSubscribed),
      (0x03, .writeRefused(attributeError: 3)),
    ] as [(UInt8, CollectorEnd.Failure)])
  func attributeErrors(code: UInt8, failure: CollectorEnd.Failure) {
    var collector = started()
    #expect(
      collector.handle(.writeRefused(attributeError: code), at: moment(1)) == [
        .ended(.failed(failure))
      ])
  }

  @Test("A procedure that an earlier link left is aborted, and the question asked once more")
  func alreadyInProgress() {
    var collector = started()
    #expect(
      collector.handle(.writeRefused(attributeError: 0x80), at: moment(1)) == [.write([3, 0])])
    #expect(
      collector.handle(.controlPoint(hex("06000301")), at: moment(2)) == [.write([1, 1])])
    #expect(
      collector.handle(.writeRefused(attributeError: 0x80), at: moment(3)) == [
        .ended(.failed(.writeRefused(attributeError: 0x80)))
      ])
  }

  @Test("A procedure that was not completed is tried once more")
  func notCompleted() {
    var collector = started()
    _ = collector.handle(.measurement(stick(1).octets), at: moment(1))
    #expect(
      collector.handle(.controlPoint(hex("06000108")), at: moment(2)) == [.write([1, 1])])
    #expect(
      collector.handle(.controlPoint(hex("06000108")), at: moment(3)) == [
        .ended(.failed(.refused(code: 8)))
      ])
  }

  @Test("A meter of a kind that keeps its records elsewhere is not asked")
  func noGlucoseService() {
    let lifeScan = MeterQuirk.of(DeviceInformation(manufacturer: "LifeScan"))
    var meter = SimulatedMeter(records: [stick(1)])
    let outcome = session(with: &meter, quirk: lifeScan)
    #expect(outcome.end == .failed(.noGlucoseService) && meter.written.isEmpty)
  }

  @Test("Any inputs in any order end or go on, and never bring one record twice")
  func anyInputs() {
    var chance = SplitMix64(seed: 6)
    for _ in 0..<2000 {
      var collector = GlucoseCollector(
        meter: meterAddress, quirk: MeterQuirk.all[Int(chance.next() % 7)],
        bookmark: GlucoseBookmark())
      var seen: Set<String> = []
      var seconds = 0.0
      for _ in 0..<40 {
        seconds += Double(chance.next() % 12)
        let sequence = UInt16(chance.next() % 4)
        let input: GlucoseCollectorInput =
          switch chance.next() % 8 {
          case 0: .ready(hasContext: true, clocks: MeterClockReading(meter: nil, hub: nil))
          case 1, 2: .measurement(stick(sequence, contextFollows: chance.next() % 2 == 0).octets)
          case 3: .context(GlucoseContext(sequence: sequence, mealCode: 1).octets)
          case 4: .controlPoint([6, 0, 1, UInt8(chance.next() % 10)])
          case 5: .controlPoint((0..<4).map { _ in UInt8(chance.next() % 7) })
          case 6: chance.next() % 9 == 0 ? .writeRefused(attributeError: 0x80) : .time
          default: .time
          }
        for output in collector.handle(input, at: moment(seconds)) {
          guard case .records(let records) = output else { continue }
          for record in records where !record.isUpdate {
            #expect(seen.insert(record.identity.text).inserted, "\(record.identity.text)")
          }
        }
        // What was due is done; nothing asks to be woken at once again.
        if input == .time, let wake = collector.nextWake { #expect(wake > moment(seconds).tick) }
      }
      #expect((try? GlucoseBookmark(json: collector.bookmark.json)) == collector.bookmark)
    }
  }
}

@Suite("Meters whose numbers begin anew")
struct GlucoseRestartTests {
  @Test("A meter that was reset is noticed by the base time of the last known number")
  func reset() {
    var meter = SimulatedMeter(records: (1...5).map { stick($0) })
    let first = session(with: &meter)
    // Numbers begin anew; by now there are more of them than before.
    meter.records = (1...7).map { stick($0, at: time(day: 20, UInt8($0), 0)) }
    let second = session(with: &meter, first.bookmark)
    #expect(second.sequences == Array(1...7) && second.notices == [.numbersBeganAnew])
    #expect(second.bookmark.newest?.sequence == 7 && second.bookmark.restarts == 1)
    #expect(Set(first.texts + second.texts).count == 12)
    let third = session(with: &meter, second.bookmark)
    #expect(third.records.isEmpty && third.notices.isEmpty)
  }

  @Test("A meter that was reset and has fewer records than the last number is noticed too")
  func resetWithFewer() {
    var meter = SimulatedMeter(records: (1...5).map { stick($0) })
    let first = session(with: &meter)
    meter.records = [stick(0, at: time(day: 20, 9, 0))]
    let second = session(with: &meter, first.bookmark)
    #expect(second.sequences == [0] && second.notices == [.numbersBeganAnew])
    #expect(second.bookmark.newest?.sequence == 0)
  }

  @Test("A meter whose memory was cleared, numbers going on, brings what is new")
  func cleared() {
    var meter = SimulatedMeter(records: (1...5).map { stick($0) })
    let first = session(with: &meter)
    meter.records = []
    let second = session(with: &meter, first.bookmark)
    #expect(second.records.isEmpty && second.notices == [.numbersBeganAnew])
    meter.records = [stick(6)]
    let third = session(with: &meter, second.bookmark)
    #expect(third.sequences == [6] && third.notices.isEmpty)
  }

  @Test("Behind 65,535 come 0 and so on, in the same session")
  func wrapped() {
    var meter = SimulatedMeter(
      records: [stick(65_533, at: time(day: 1, 1, 0)), stick(65_534, at: time(day: 1, 2, 0))])
    let first = session(with: &meter)
    #expect(first.bookmark.newest?.sequence == 65_534)
    meter.records += [
      stick(65_535, at: time(day: 1, 3, 0)), stick(0, at: time(day: 1, 4, 0)),
      stick(1, at: time(day: 1, 5, 0)),
    ]
    let second = session(with: &meter, first.bookmark)
    #expect(second.sequences == [65_535, 0, 1] && second.notices == [.numbersBeganAnew])
    #expect(second.bookmark.newest?.sequence == 1)
    meter.records.append(stick(2, at: time(day: 1, 6, 0)))
    #expect(session(with: &meter, second.bookmark).sequences == [2])
  }

  @Test(
    "A meter that cannot be asked for one number is asked for its last record, or for all",
    arguments: [false, true])
  func noRanges(refusesLast: Bool) {
    var meter = SimulatedMeter(records: (1...5).map { stick($0) })
    meter.refusesRanges = true
    meter.refusesLast = refusesLast
    let first = session(with: &meter)
    let second = session(with: &meter, first.bookmark)
    #expect(second.records.isEmpty && second.end == .upToDate)
    meter.records.append(stick(6))
    let third = session(with: &meter, second.bookmark)
    #expect(third.sequences == [6] && third.end == .upToDate)
    meter.records = [stick(1, at: time(day: 20, 9, 0))]
    let reset = session(with: &meter, third.bookmark)
    #expect(reset.sequences == [1] && reset.end == .upToDate)
  }

  @Test("A meter that numbers from the newest: only new ones, and the download is cut short")
  func newestIsZero() {
    let taiDoc = MeterQuirk.of(DeviceInformation(manufacturer: "TaiDoc"))
    /// Numbers move with every record.
    func memory(_ count: Int) -> [GlucoseMeasurement] {
      (0..<count).map { place in
        stick(UInt16(place), 100, at: time(day: 19, UInt8(count - place), 0))
      }
    }
    var meter = SimulatedMeter(records: memory(4))
    let first = session(with: &meter, quirk: taiDoc)
    #expect(first.records.count == 4 && first.records.allSatisfy { $0.identity.sequence == nil })
    meter.written = []
    let same = session(with: &meter, first.bookmark, quirk: taiDoc)
    #expect(same.records.isEmpty && same.end == .upToDate)
    #expect(meter.written == [.request(.report, .first)])
    for more in [5, 8] {
      meter = SimulatedMeter(records: memory(more))
      let next = session(with: &meter, first.bookmark, quirk: taiDoc)
      #expect(
        next.records.map(\.measurement.baseTime.hour).sorted() == (5...UInt8(more)).map { $0 })
      #expect(meter.written.contains(.abort) && next.end == .upToDate)
      #expect(next.bookmark.newest?.baseTime.hour == UInt8(more))
    }
  }
}

@Suite("Times of records")
struct GlucoseTimeTests {
  private func records(
    _ measurements: [GlucoseMeasurement], clock: DateTime?, hub: CivilDateTime? = hubClock
  ) -> [GlucoseRecord] {
    var meter = SimulatedMeter(records: measurements)
    return session(with: &meter, clocks: MeterClockReading(meter: clock, hub: hub)).records
  }

  @Test("The difference of the clocks is kept, puts times right, and above ten minutes is a doubt")
  func clockDifference() throws {
    let right = try #require(records([stick(1)], clock: time(day: 20, 13, 9)).first)
    #expect(right.clockDifferenceSeconds == 540 && right.doubts.isEmpty)
    let wrong = try #require(records([stick(1)], clock: time(day: 20, 11, 0)).first)
    #expect(wrong.clockDifferenceSeconds == -7200 && wrong.doubts == [.clockDiffers])
    #expect(wrong.userFacingTime?.localText == "2026-11-19T00:01:00")
    #expect(wrong.correctedTime?.localText == "2026-11-19T02:01:00")
    let unread = try #require(records([stick(1)], clock: nil).first)
    #expect(unread.clockDifferenceSeconds == nil && unread.doubts.isEmpty)
    #expect(unread.correctedTime == nil)
  }

  @Test("Unknown, impossible, early and future times are in doubt, and so is a faulty clock")
  func doubts() throws {
    let none = DateTime(year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0)
    #expect(records([stick(1, at: none)], clock: nil).first?.doubts == [.unknown])
    var old = time(day: 1, 1, 0)
    old.year = 2009
    #expect(records([stick(1, at: old)], clock: nil).first?.doubts == [.implausible])
    #expect(
      records([stick(1, at: time(day: 20, 13, 11))], clock: nil).first?.doubts == [.implausible])
    #expect(records([stick(1, at: time(day: 20, 13, 9))], clock: nil).first?.doubts == [])
    #expect(
      records([stick(1, status: .timeFault)], clock: nil).first?.doubts == [.meterFault])
    #expect(records([stick(1)], clock: nil, hub: nil).first?.doubts == [.hubUntrusted])
  }

  @Test("A later number with an earlier time says that the clock was set back")
  func wentBack() {
    let found = records(
      [
        stick(1, at: time(day: 19, 9, 0)), stick(2, at: time(day: 19, 8, 0)),
        stick(3, at: time(day: 19, 8, 30)),
      ], clock: nil)
    #expect(found.map(\.doubts) == [[], [.wentBack], []])
  }

  @Test("A record says when it was received, and what makes it this record")
  func identity() throws {
    let record = try #require(records([stick(9)], clock: nil).first)
    #expect(record.identity.text == "C0:11:22:33:44:55/9/2026-11-19T00:09:00")
    #expect(record.received.utc >= moment(0).utc)
  }
}
