import Care
import Foundation
import JSON
import Loop
import Moments
import Ports
import Store
import TestSupport

/// A journal that grows to a million events: what inserting and asking cost at the beginning and at the end.
enum JournalBenchmark {
  private static let events = 1_000_000
  private static let chunk = 100_000

  static var parts: [BenchmarkPart] { [BenchmarkPart(name: "journal", measure: measure)] }

  private static func measure(_ table: inout Table) throws {
    let directory = try TemporaryDirectory()
    let store = try SQLiteStore.open(SQLiteStore.Options(directory: directory.path))
    defer { PositionBenchmark.close(store) }
    var insertions: [Double] = []
    var queries: [Double] = []
    var sample: [EventID] = []
    var identifiers = IdentifierGenerator(seed: 1)
    for start in stride(from: 0, to: events, by: chunk) {
      let made = (start..<start + chunk).map { event($0, &identifiers) }
      if let kept = made.last { sample.append(kept.id) }
      insertions.append(seconds { insert(made, into: store) })
      queries.append(ask(store, ids: sample, last: Int64(start + chunk)))
    }
    report(insertions, queries, in: &table)
  }

  private static func report(_ insertions: [Double], _ queries: [Double], in table: inout Table) {
    let (first, last) = (median(Array(insertions.prefix(3))), median(Array(insertions.suffix(3))))
    table.add(
      "journal, 1,000,000 events: insert",
      "\(Int(Double(chunk) / last))/s at the end, \(decimal(last / first, 2)) × the beginning's time",
      budget: "flat (≤ 1.1 ×)", isKept: last / first <= 1.1)
    let (early, late) = (median(Array(queries.prefix(3))), median(Array(queries.suffix(3))))
    table.add(
      "journal, 1,000,000 events: queries",
      "\(decimal(late * 1000, 2)) ms at the end, \(decimal(late / early, 2)) × the beginning's time",
      budget: "flat (≤ 1.1 ×)", isKept: late / early <= 1.1)
  }

  private static func event(_ number: Int, _ identifiers: inout IdentifierGenerator) -> EncodedEvent
  {
    let moment = Moment(
      tick: .seconds(Int64(number)), utc: .seconds(1_790_000_000 + Int64(number) * 60),
      quality: .synchronised)
    return Event(
      id: EventID(identifiers.next(at: moment.utc)),
      type: number.isMultiple(of: 100) ? .zoneLeft : .locationRecorded,
      lane: number.isMultiple(of: 100) ? .alarm : .record, resident: "mary", moment: moment,
      facts: ["latitude": -24.0, "longitude": 133.0, "number": .integer(Int64(number))]
    ).cloudEvent(gateway: "bench", boot: "boot")
  }

  /// Submits events at most some thousand ahead of their commits, and waits for the last.
  static func insert(_ events: [EncodedEvent], into store: SQLiteStore) {
    let window = DispatchSemaphore(value: 2_048)
    let done = DispatchSemaphore(value: 0)
    for (index, event) in events.enumerated() {
      window.wait()
      store.submit(StepRecord(events: [event])) { outcome in
        guard case .committed = outcome else { PositionBenchmark.fatal("\(outcome)") }
        window.signal()
        if index == events.count - 1 { done.signal() }
      }
    }
    done.wait()
  }

  /// Median seconds of one round of questions that the command line and the plugin host ask.
  private static func ask(_ store: SQLiteStore, ids: [EventID], last: Int64) -> Double {
    median(
      (0..<21).map { round in
        seconds {
          wait { done in store.query(JournalQuery(resident: "mary", limit: 100)) { _ in done() } }
          wait { done in store.query(JournalQuery(types: ["zone"], limit: 100)) { _ in done() } }
          wait { done in store.event(ids[round % ids.count]) { _ in done() } }
          wait { done in
            store.read(lane: .record, after: last / 2, limit: 256, maximumBytes: 1 << 20) { _ in
              done()
            }
          }
        }
      })
  }

  private static func wait(_ ask: (@escaping @Sendable () -> Void) -> Void) {
    let answered = DispatchSemaphore(value: 0)
    ask { answered.signal() }
    answered.wait()
  }
}
