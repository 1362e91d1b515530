import Bytes
import JSON
import Testing

@testable import GATTProfiles

@Suite("Fetching a meter's records")
struct GlucoseCollectorTests {
  @Test("The first session brings everything, the second only what is new, asked for by number")
  func onlyNew() {
    var meter = SimulatedMeter(records: (1...20).map { stick($0) })
    let first = session(with: &meter)
    #expect(first.sequences == Array(1...20) && first.end == .upToDate)
    #expect(meter.written == [.request(.report, .all)])
    meter.written = []
    meter.records += (21...23).map { stick($0) }
    let second = session(with: &meter, first.bookmark)
    #expect(second.sequences == [21, 22, 23] && second.end == .upToDate)
    #expect(
      meter.written == [
        .request(.report, .within(.number(20), .number(20))),
        .request(.report, .atLeast(.number(21))),
      ])
    let third = session(with: &meter, second.bookmark)
    #expect(third.records.isEmpty && third.end == .upToDate && third.notices.isEmpty)
  }

  @Test("A meter without records is a meter without records")
  func emptyMeter() {
    var meter = SimulatedMeter()
    let outcome = session(with: &meter)
    #expect(outcome.records.isEmpty && outcome.end == .upToDate && outcome.notices.isEmpty)
    #expect(outcome.bookmark == GlucoseBookmark())
  }

  @Test("Nothing is ever deleted, whatever a meter answers")
  func neverDeletes() {
    for code in UInt8(0)...12 {
      var meter = SimulatedMeter(records: [stick(1), stick(2)])
      meter.tampers = { inputs in
        inputs.map { input in
          guard case .controlPoint = input else { return input }
          return .controlPoint([6, 0, 1, code])
        }
      }
      let outcome = session(with: &meter)
      _ = session(with: &meter, outcome.bookmark)
      #expect(outcome.end != nil, "code \(code)")
      #expect(
        meter.written.allSatisfy { message in
          if case .request(.delete, _) = message { return false }
          return true
        })
    }
  }

  // MARK: Contexts

  @Test("A record waits for the context that was announced, and is joined by number alone")
  func joinsContext() throws {
    var meter = SimulatedMeter(
      records: [stick(1, contextFollows: true), stick(2, contextFollows: true), stick(3)],
      contexts: [
        1: GlucoseContext(sequence: 1, mealCode: 1), 2: GlucoseContext(sequence: 2, mealCode: 6),
      ])
    // Both records come before both contexts, the contexts the wrong way round.
    meter.tampers = { inputs in
      guard inputs.count == 6 else { return inputs }
      return [inputs[0], inputs[2], inputs[3], inputs[1], inputs[4], inputs[5]]
    }
    let outcome = session(with: &meter)
    #expect(outcome.sequences == [2, 1, 3] && outcome.end == .upToDate)
    #expect(outcome.records.map(\.context?.mealCode) == [6, 1, nil])
    #expect(outcome.records.map(\.meaning.reason) == [.ketone, nil, nil])
    #expect(outcome.bookmark.newest?.sequence == 3 && outcome.notices.isEmpty)
  }

  @Test("A context that comes before its record waits for it")
  func contextFirst() {
    var meter = SimulatedMeter(
      records: [stick(1, contextFollows: true)],
      contexts: [1: GlucoseContext(sequence: 1, mealCode: 2)])
    meter.tampers = { [$0[1], $0[0], $0[2]] }
    let outcome = session(with: &meter)
    #expect(outcome.records.map(\.context?.meal) == [.after] && outcome.notices.isEmpty)
  }

  @Test("A context with another number is never joined")
  func otherNumber() {
    var meter = SimulatedMeter(records: [stick(1, contextFollows: true)])
    meter.contexts[1] = GlucoseContext(sequence: 2, mealCode: 6)
    let outcome = session(with: &meter)
    #expect(outcome.records.map(\.context) == [nil])
    #expect(outcome.records.map(\.meaning) == [.none(.contextMissing)])
    #expect(
      outcome.notices == [.contextMissing(sequence: 1), .strayContext(sequence: 2)])
    #expect((5...6).contains(outcome.seconds), "it waited: \(outcome.seconds)")
  }

  @Test("A record whose context did not come is asked for once more, and completed")
  func secondTry() throws {
    var meter = SimulatedMeter(records: [stick(1), stick(2, contextFollows: true), stick(3)])
    let first = session(with: &meter)
    #expect(first.sequences == [1, 3, 2] && first.bookmark.incomplete.map(\.sequence) == [2])
    meter.contexts[2] = GlucoseContext(sequence: 2, mealCode: 1)
    meter.written = []
    let second = session(with: &meter, first.bookmark)
    #expect(meter.written.last == .request(.report, .atLeast(.number(2))))
    let record = try #require(second.records.first)
    #expect(second.records.count == 1 && record.isUpdate && record.context?.meal == .before)
    #expect(record.identity == first.records.last?.identity && record.meaning.amount != nil)
    #expect(second.bookmark.incomplete.isEmpty)
  }

  @Test("The second try is the last")
  func onlyOnceMore() {
    var meter = SimulatedMeter(records: [stick(1, contextFollows: true)])
    let first = session(with: &meter)
    let second = session(with: &meter, first.bookmark)
    #expect(second.records.isEmpty && second.bookmark.incomplete.isEmpty)
    meter.written = []
    let third = session(with: &meter, second.bookmark)
    #expect(third.records.isEmpty && third.end == .upToDate && third.seconds < 1)
  }

  @Test("A context that comes late in the session completes a record that did not announce it")
  func unannounced() {
    var meter = SimulatedMeter(
      records: [stick(1)], contexts: [1: GlucoseContext(sequence: 1, mealCode: 6)])
    let outcome = session(with: &meter)
    #expect(outcome.records.map(\.isUpdate) == [false, true])
    #expect(outcome.records.last?.meaning == .none(.ketone))
  }

  @Test("Without the characteristic nobody waits for contexts")
  func noContextCharacteristic() {
    var meter = SimulatedMeter(records: [stick(1, contextFollows: true)])
    meter.hasContext = false
    let outcome = session(with: &meter)
    #expect(outcome.records.map(\.isContextMissing) == [false] && outcome.seconds < 1)
  }

  // MARK: Drops, repeats, disorder

  @Test("A link that drops anywhere loses nothing and brings nothing twice")
  func drops() {
    let records = (1...8).map { stick($0, contextFollows: $0 % 2 == 0) }
    let contexts = [2, 4, 6, 8].reduce(into: [UInt16: GlucoseContext]()) {
      $0[$1] = GlucoseContext(sequence: $1, mealCode: 1)
    }
    for place in 0...14 {
      var meter = SimulatedMeter(records: records, contexts: contexts)
      meter.dropsAfter = place
      let first = session(with: &meter)
      if place < 13 { #expect(first.end == .linkLost, "\(place)") }
      meter.dropsAfter = nil
      let second = session(with: &meter, first.bookmark)
      let all = first.records + second.records
      #expect(second.end == .upToDate, "\(place)")
      #expect(all.filter { !$0.isUpdate }.map(\.measurement.sequence).sorted() == Array(1...8))
      // Whatever came without its context was completed.
      let whole = Set(all.filter { $0.context != nil }.map(\.measurement.sequence))
      #expect(whole == [2, 4, 6, 8], "\(place)")
      #expect(second.bookmark.newest?.sequence == 8 && second.bookmark.incomplete.isEmpty)
    }
  }

  @Test("The bookmark survives as JSON at any moment of a session")
  func bookmarkJSON() throws {
    var meter = SimulatedMeter(records: (1...30).map { stick($0, contextFollows: $0 == 7) })
    meter.dropsAfter = 12
    let first = session(with: &meter)
    let json = try JSONValue(parsing: first.bookmark.json.serialized)
    #expect(try GlucoseBookmark(json: json) == first.bookmark)
    for damaged in ["{\"known\":[[1]]}", "{\"newest\":[70000,1]}", "{\"newest\":[1,-1]}", "[]"] {
      #expect(throws: DecodeError.self) {
        try GlucoseBookmark(json: try JSONValue(parsing: damaged))
      }
    }
  }

  @Test("Records that come twice or in disorder are kept once, and none is lost")
  func repeatedAndReordered() {
    var meter = SimulatedMeter(records: (1...6).map { stick($0) })
    meter.tampers = { inputs in
      guard inputs.count == 7 else { return inputs }
      return [
        inputs[5], inputs[0], inputs[2], inputs[1], inputs[2], inputs[3], inputs[4], inputs[6],
      ]
    }
    let outcome = session(with: &meter)
    #expect(outcome.sequences == [6, 1, 3, 2, 4, 5] && outcome.notices == [.repeated(sequence: 3)])
    #expect(outcome.bookmark.newest?.sequence == 6)
    // In disorder a drop must not move the bookmark past what has not come.
    meter.dropsAfter = 3
    let dropped = session(with: &meter)
    #expect(dropped.sequences == [6, 1, 3])
    meter.dropsAfter = nil
    meter.tampers = nil
    let rest = session(with: &meter, dropped.bookmark)
    #expect(rest.sequences == [2, 4, 5] && rest.bookmark.newest?.sequence == 6)
  }

  @Test("A damaged record is asked for again before the session ends")
  func damagedRecord() {
    var meter = SimulatedMeter(records: (1...4).map { stick($0) })
    var isFirst = true
    meter.tampers = { inputs in
      guard isFirst, case .measurement(let octets) = inputs[1] else { return inputs }
      isFirst = false
      var inputs = inputs
      inputs[1] = .measurement(Array(octets.prefix(9)))
      return inputs
    }
    let outcome = session(with: &meter)
    #expect(outcome.sequences == [1, 3, 4, 2] && outcome.end == .upToDate)
    #expect(outcome.notices == [.damaged(DecodeError(.truncated, at: 3, field: "baseTime"))])
  }

  @Test("A flood of records that never ends is stopped")
  func flood() {
    var collector = GlucoseCollector(meter: meterAddress, bookmark: GlucoseBookmark())
    _ = collector.handle(
      .ready(hasContext: true, clocks: MeterClockReading(meter: nil, hub: nil)), at: moment(0))
    var writes: [[UInt8]] = []
    for count in 0..<10_000 {
      for output in collector.handle(.measurement(stick(UInt16(count % 50)).octets), at: moment(1))
      { if case .write(let octets) = output { writes.append(octets) } }
    }
    #expect(writes == [[3, 0]])
    #expect(
      collector.handle(.time, at: moment(6)).last == .ended(.failed(.wrongAnswers)))
    #expect(collector.bookmark.known.count == 50)
  }
}
