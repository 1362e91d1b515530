import Care
import Core
import Foundation
import JSON
import Loop
import Moments
import Ports
import Store
import TestSupport

/// Durable positions a second through core and store, beside plain SQLite writing the same rows in the same groups.
enum PositionBenchmark {
  private static let positions = 20_000
  private static let group = 512
  private static let rounds = 3
  /// Short pairs by turns: a computer that gets slower for a second does so for both of a pair.
  private static let pairs = 15
  private static let pairedPositions = 5_000
  private static let warmUp = 200

  /// The least share of plain SQLite's rate, in percent, by the number of zones.
  private static let budgets = [
    (zones: 1, percent: 90), (zones: 100, percent: 90), (zones: 10_000, percent: 85),
  ]

  static var parts: [BenchmarkPart] {
    budgets.map { budget in
      BenchmarkPart(name: "positions-\(budget.zones)") { table in
        try measure(zones: budget.zones, atLeastPercent: budget.percent, &table)
      }
    } + [BenchmarkPart(name: "positions-by-zones", measure: measureZones)]
  }

  private static func measure(
    zones: Int, atLeastPercent percent: Int, _ table: inout Table
  ) throws {
    var ratios: [Double] = []
    var rates: [Double] = []
    for _ in 0..<rounds {
      let ours = try throughGateway(zones: zones)
      let plain = try throughPlainSQLite(zones: zones)
      ratios.append(plain / ours)
      rates.append(Double(positions) / ours)
    }
    table.add(
      "durable positions, \(zones) zones",
      "\(Int(median(rates)))/s, \(decimal(100 * median(ratios), 0)) % of plain SQLite",
      budget: "≥ \(percent) % of plain SQLite", isKept: 100 * median(ratios) >= Double(percent))
  }

  /// What a position costs among 10,000 zones, beside what it costs among 100: steps alone, by turns.
  private static func measureZones(_ table: inout Table) throws {
    func step(among zones: Int) -> Double {
      var walk = Walk(zones: zones)
      // The first position is judged against every zone, and later ones against those that may be near.
      for number in 1...warmUp { _ = walk.next(number) }
      let timed = (warmUp + 1)...(warmUp + pairedPositions)
      return seconds { for number in timed { _ = walk.next(number) } } * 1e6
        / Double(pairedPositions)
    }
    var (few, many): ([Double], [Double]) = ([], [])
    for round in 0..<pairs {
      if round % 2 == 0 { few.append(step(among: 100)) }
      many.append(step(among: 10_000))
      if round % 2 == 1 { few.append(step(among: 100)) }
    }
    let ratio = median(zip(many, few).map { $0 / $1 })
    table.add(
      "a position among 10,000 zones, beside 100",
      "\(decimal(median(few))) → \(decimal(median(many))) µs, \(decimal(100 * ratio, 0)) %",
      budget: "≤ 110 %", isKept: ratio <= 1.1)
  }

  /// Seconds from the first position to the last commit.
  private static func throughGateway(zones: Int) throws -> Double {
    let directory = try TemporaryDirectory()
    let store = try SQLiteStore.open(SQLiteStore.Options(directory: directory.path))
    defer { close(store) }
    var walk = Walk(zones: zones)
    begin(walk, in: store)
    return seconds {
      let window = DispatchSemaphore(value: 4 * group)
      let done = DispatchSemaphore(value: 0)
      for number in 1...positions {
        window.wait()
        store.submit(walk.next(number)) { outcome in
          guard case .committed = outcome else { fatal("\(outcome)") }
          window.signal()
          if number == positions { done.signal() }
        }
      }
      done.wait()
    }
  }

  /// Seconds that SQLite alone takes for the same rows.
  private static func throughPlainSQLite(zones: Int) throws -> Double {
    let directory = try TemporaryDirectory()
    var walk = Walk(zones: zones)
    let records = (1...positions).map { walk.next($0) }
    let store = try SQLiteStore.open(SQLiteStore.Options(directory: directory.path))
    begin(walk, in: store)
    // One record makes the month's trace file.
    let first = DispatchSemaphore(value: 0)
    var other = Walk(zones: 1, seed: 2)
    store.submit(other.next(1)) { _ in first.signal() }
    first.wait()
    close(store)
    let file = try FileManager.default.contentsOfDirectory(atPath: directory.path).first {
      $0.hasPrefix("traces-") && $0.hasSuffix(".db")
    }
    guard let file else { throw BenchmarkFailure("the store made no trace file") }
    let plain = PlainSQLite(directory: directory.path, traceFile: file)
    return seconds { plain.write(records, groupsOf: group) }
  }

  private static func begin(_ walk: Walk, in store: SQLiteStore) {
    let begun = DispatchSemaphore(value: 0)
    store.begin(run: walk.runRecord) { _ in begun.signal() }
    begun.wait()
  }

  static func close(_ store: SQLiteStore) {
    let closed = DispatchSemaphore(value: 0)
    store.close { closed.signal() }
    closed.wait()
  }

  static func fatal(_ message: String) -> Never {
    print(message)
    exit(1)
  }
}

/// A person who walks outside all zones, so that every position is recorded durably.
struct Walk {
  private var core: GatewayCore
  private var now: Moment
  private var position: Coordinate
  private let start: Moment
  private var random = Jitter()

  init(zones count: Int, seed: UInt64 = 1) {
    start = Moment(
      tick: .seconds(1_000), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised
    )
    now = start
    guard let origin = Coordinate(latitudeDegrees: -24, longitudeDegrees: 133) else {
      PositionBenchmark.fatal("no origin")
    }
    position = origin.moved(meters: 2_000, bearingDegrees: 0)
    let zones = (0..<count).map { (index: Int) -> SafeZone in
      let meters = Double(10 + index % 100 * 10)
      let bearing = Double(90 + index % 180)
      return SafeZone(
        id: ZoneID("z\(index)"), resident: "mary", name: "Zone \(index)",
        center: origin.moved(meters: meters, bearingDegrees: bearing), radiusMeters: 50,
        isHome: index == 0)
    }
    let state = StoredState(
      residents: [
        Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin", gpsSource: "gps")
      ], zones: zones,
      settings: [
        StoredState.Setting(resident: "mary", name: "outsideMovingIntervalSeconds", value: 1)
      ])
    core = GatewayCore(
      stored: state, configuration: CoreConfiguration(gateway: "bench"), seed: seed, boot: "boot",
      at: start)
  }

  var runRecord: RunRecord {
    RunRecord(
      run: "bench", seed: 1, version: "0", boot: "boot", moment: start, startState: Array("{}".utf8)
    )
  }

  /// The next position's step, two seconds later.
  mutating func next(_ number: Int) -> StepRecord {
    now = now.advanced(byMilliseconds: 2_000)
    position = position.moved(meters: 2.5, bearingDegrees: Double(number / 200 % 4) * 90)
    let input = CoreInput.observation(
      .fix(
        FixReport(
          source: "gps", mode: .threeDimensional, latitudeDegrees: position.latitudeDegrees,
          longitudeDegrees: position.longitudeDegrees, accuracyMeters: 4 + random.next(),
          altitudeMeters: 12, speedMetersPerSecond: 1.25, courseDegrees: 90,
          receiverTime: now.utc, satellitesUsed: 8)))
    let result = core.step(input, at: now)
    let events = result.events.map { $0.cloudEvent(gateway: "bench", boot: "boot") }
    return StepRecord(
      input: InputRecord(
        run: "bench", number: Int64(number), moment: now, resident: "mary",
        body: input.json.serializedBytes,
        outcomeDigest: OutcomeDigest(
          events: events, changes: result.changes, actions: result.actions
        ).digest), events: events, changes: result.changes)
  }
}

/// A seeded fraction from 0 to 1.
struct Jitter {
  private var state: UInt64 = 7

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }
}
