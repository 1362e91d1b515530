import Bytes
import Care
import Core
import Foundation
import JSON
import Loop
import Moments
import Ports
import Store
import TestSupport
import Testing

/// A long recorded run, replayed by `homeward replay journal` in a process of its own.
@Suite struct ReplayJournalTests {
  private static let observations = TestSize.count(whole: 100_000, usual: 10_000)

  @Test(.timeLimit(.minutes(5))) func observationsReplayIdentically() throws {
    let directory = try TemporaryDirectory()
    try record(in: directory, tamperedAt: nil)
    let replay = try replay(directory)
    #expect(replay.wait() == 0, "\(replay.log)")
    let count = String(Self.observations)
    #expect(
      replay.log.contains(count) || replay.log.contains("\(count.dropLast(3)),\(count.suffix(3))"))
    print("replay: \(replay.log.split(separator: "\n").last ?? "")")
  }

  @Test(.timeLimit(.minutes(2))) func aRecordThatWasTamperedWithIsFound() throws {
    let directory = try TemporaryDirectory()
    try record(in: directory, count: 2_000, tamperedAt: 1_000)
    let replay = try replay(directory)
    #expect(replay.wait() != 0)
    #expect(replay.log.contains("1000") || replay.log.contains("1,000"), "\(replay.log)")
  }

  private func replay(_ directory: TemporaryDirectory) throws -> ChildProcess {
    try ChildProcess(
      BuiltProducts.path(of: "homeward"), ["replay", "journal", directory.path],
      log: directory.path(of: "replay.log"))
  }

  /// Runs a core over a made-up life and stores it as the daemon does.
  private func record(
    in directory: TemporaryDirectory, count: Int = observations, tamperedAt: Int?
  ) throws {
    var life = try RecordedLife()
    let store = try SQLiteStore.open(SQLiteStore.Options(directory: directory.path))
    store.begin(run: life.run)
    let window = DispatchSemaphore(value: 2_048)
    let done = DispatchSemaphore(value: 0)
    for number in 1...count {
      window.wait()
      var record = life.next(number)
      if number == tamperedAt { record.input?.outcomeDigest ^= 1 }
      store.submit(record) { _ in
        window.signal()
        if number == count { done.signal() }
      }
    }
    done.wait()
    let closed = DispatchSemaphore(value: 0)
    store.close { closed.signal() }
    closed.wait()
  }
}

/// A resident who wanders in and out of zones with a receiver that errs, loses its fix and lies.
private struct RecordedLife {
  private var core: GatewayCore
  private var random = SplitMix64(seed: 11)
  private var position: Coordinate
  private var now: Moment
  let run: RunRecord

  init() throws {
    let home = try #require(Coordinate(latitudeDegrees: -24, longitudeDegrees: 133))
    let shop = home.moved(meters: 400, bearingDegrees: 70)
    position = home
    now = Moment(
      tick: .seconds(1_000), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised
    )
    let state = StoredState(
      residents: [
        Resident(id: "mary", name: "李奶奶 🙂", timeZone: "Australia/Darwin", gpsSource: "gps")
      ],
      zones: [
        SafeZone(
          id: "home", resident: "mary", name: "Home", center: home, radiusMeters: 25, isHome: true),
        SafeZone(id: "shop", resident: "mary", name: "Shop", center: shop, radiusMeters: 60),
      ])
    let configuration = CoreConfiguration(gateway: "test")
    core = GatewayCore(
      stored: state, configuration: configuration, seed: 5, boot: "boot", at: now)
    run = RunRecord(
      run: "recorded", seed: 5, version: Release.version, boot: "boot", moment: now,
      startState: RunReplay.startState(of: state, configuration: configuration))
  }

  mutating func next(_ number: Int) -> StepRecord {
    now = now.advanced(byMilliseconds: 1_000)
    let input = CoreInput.observation(.fix(fix(number)))
    let result = core.step(input, at: now)
    let events = result.events.map { $0.cloudEvent(gateway: "test", boot: "boot") }
    let digest = OutcomeDigest(events: events, changes: result.changes, actions: result.actions)
    return StepRecord(
      input: InputRecord(
        run: "recorded", number: Int64(number), moment: now, resident: "mary",
        body: input.json.serializedBytes, outcomeDigest: digest.digest),
      events: events, changes: result.changes)
  }

  private mutating func fix(_ number: Int) -> FixReport {
    let leg = number / 600 % 4
    position = position.moved(meters: 1.4, bearingDegrees: [70, 70, 250, 250][leg])
    let isLost = random.next() % 50 == 0
    let lie = random.next() % 500 == 0 ? 300.0 : 0
    let seen = position.moved(
      meters: Double(random.next() % 40) / 10 + lie, bearingDegrees: Double(random.next() % 360))
    return FixReport(
      source: "gps", mode: isLost ? .none : .threeDimensional,
      latitudeDegrees: isLost ? nil : seen.latitudeDegrees,
      longitudeDegrees: isLost ? nil : seen.longitudeDegrees,
      accuracyMeters: random.next() % 20 == 0 ? nil : Double(random.next() % 120) / 10 + 2,
      speedMetersPerSecond: 1.4, receiverTime: now.utc)
  }
}
