import Advertisements
import BluetoothKeys
import Bytes
import Care
import Foundation
import Moments
import Proximity

/// What listening costs: 500 devices around a house, 30 of them the household's tags.
///
/// Measured is the chain of the pure modules, from the bytes of an advertisement to what its tag means: structures, known
/// contents, known tags, presence. What bluetoothd, the bus and the daemon's loop add is not in it.
enum BluetoothBenchmark {
  private static let devices = 500
  private static let packets = 100_000
  private static let rounds = 5
  private static let paceSeconds = 10
  /// How often the bus is read while much is told: see `BlueZBus.restMilliseconds`.
  private static let readsPerSecond = 10

  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "bluetooth-memory") { table in
        try measureMemory(RadioCrowd(devices: devices), &table)
      },
      BenchmarkPart(name: "bluetooth-throughput", measure: measureThroughput),
    ]
      + [50, 500].map { rate in
        BenchmarkPart(name: "bluetooth-processor-\(rate)") { table in
          measureProcessor(try RadioCrowd(devices: devices), perSecond: rate, &table)
        }
      }
  }

  private static func measureThroughput(_ table: inout Table) throws {
    let crowd = try RadioCrowd(devices: devices)
    let ofTags = crowd.packets.filter { $0.tag != nil }
    let all = try measureThroughput(crowd.packets, crowd)
    let own = try measureThroughput(ofTags, crowd)
    table.add(
      "advertisements of \(devices) devices",
      "\(all.perSecond)/s on one core, \(decimal(all.ratio)) × the time of a plain search for ids")
    table.add("… of the \(ofTags.count) tags alone", "\(own.perSecond)/s on one core")
  }

  // MARK: Throughput

  /// Side by side with a plain search, which has to find the same. Processor time counts: nothing here waits.
  private static func measureThroughput(
    _ heard: [RadioPacket], _ crowd: RadioCrowd
  ) throws -> (perSecond: Int, ratio: Double) {
    var rates: [Double] = []
    var ratios: [Double] = []
    for _ in 0..<rounds {
      var chain = RadioChain(crowd)
      let ours = processorSeconds {
        for number in 0..<packets { chain.hear(heard[number % heard.count], number) }
      }
      var plain = PlainRadioScan(crowd.identities)
      var found = 0
      let walking = processorSeconds {
        for number in 0..<packets where plain.tag(in: heard[number % heard.count]) != nil {
          found += 1
        }
      }
      let sent = (0..<packets).count { heard[$0 % heard.count].tag != nil }
      guard chain.sightings == sent, found == sent, chain.events > 0 else {
        throw BenchmarkFailure(
          "\(sent) sent by tags, \(chain.sightings) found, \(found) by the plain search")
      }
      rates.append(Double(packets) / ours)
      ratios.append(ours / walking)
    }
    return (Int(median(rates)), median(ratios))
  }

  // MARK: Processor and memory

  /// As the driver reads them, ten rounds a second of what has come meanwhile; beside a run that only wakes up as often.
  private static func measureProcessor(
    _ crowd: RadioCrowd, perSecond rate: Int, _ table: inout Table
  ) {
    var chain = RadioChain(crowd)
    let share =
      100
      * processorShare { round, tick in
        for number in round * rate / readsPerSecond..<(round + 1) * rate / readsPerSecond {
          chain.hear(crowd.packets[number % crowd.packets.count], number, at: tick)
        }
      }
    let waking = 100 * processorShare { _, _ in }
    table.add(
      "processor at \(rate) advertisements/s",
      "\(decimal(share, 2)) % of one core; waking up alone \(decimal(waking, 2)) %",
      budget: rate == 50 ? "≤ 0.5 %" : "", isKept: rate == 50 ? share <= 0.5 : nil)
  }

  /// The share of one core that a piece of work takes, done ``readsPerSecond`` times a second, each at its time.
  private static func processorShare(_ work: (Int, Tick) -> Void) -> Double {
    let start = ContinuousClock.now
    let before = processorSeconds()
    for number in 0..<readsPerSecond * paceSeconds {
      let rest = (start + .seconds(1) * number / readsPerSecond) - .now
      if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
      let passed = (ContinuousClock.now - start) / .nanoseconds(1)
      work(number, Tick(nanoseconds: Int64(passed)))
    }
    return (processorSeconds() - before) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// Seconds of processor time that a piece of work takes.
  private static func processorSeconds(_ work: () -> Void) -> Double {
    let before = processorSeconds()
    work()
    return processorSeconds() - before
  }

  private static func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }

  /// Of several chains that have heard everybody, since one alone hides in what the allocator has left.
  private static func measureMemory(_ crowd: RadioCrowd, _ table: inout Table) throws {
    let copies = 32
    let before = try ScheduleBenchmark.residentBytes()
    let chains = (0..<copies).map { _ in
      var chain = RadioChain(crowd)
      for number in 0..<4 * devices { chain.hear(crowd.packets[number % devices], number) }
      return chain
    }
    let bytes = (try ScheduleBenchmark.residentBytes() - before) / chains.count
    guard chains.allSatisfy({ $0.sightings == 4 * RadioCrowd.tags }) else {
      throw BenchmarkFailure("a tag was not found")
    }
    table.add("memory of tags and \(devices) devices", "\(bytes / 1024) KiB")
  }
}

/// From the bytes of an advertisement to what its tag means.
private struct RadioChain {
  /// How often a tag was found.
  private(set) var sightings = 0
  /// Facts that followed.
  private(set) var events = 0
  private var matcher: TagMatcher<TagID>
  private var engine: TagWatch
  private let start: Moment

  init(_ crowd: RadioCrowd) {
    start = Moment(
      tick: .seconds(0), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised)
    let kinds = Tag.Kind.allCases
    let tags = crowd.identities.indices.map { number in
      Tag(
        id: TagID("tag-\(number)"), resident: "ada", name: "Tag \(number)",
        kind: kinds[number % kinds.count], room: kinds[number % kinds.count] == .room ? "hall" : nil
      )
    }
    matcher = TagMatcher(
      zip(tags, crowd.identities).map { (tag: $0.id, identity: $1) }, cipher: MbedCipher())
    engine = TagWatch(
      resident: Resident(id: "ada", name: "Ada", timeZone: "Europe/Oslo"), tags: tags,
      hearers: [TagHearer(id: "hci0", place: .room("hall"))], boot: "bench", at: start)
    _ = engine.handle(.listening("hci0", isListening: true), at: start)
  }

  /// The number decides how strong it is; without a time they come 2 ms apart.
  mutating func hear(_ packet: RadioPacket, _ number: Int, at tick: Tick? = nil) {
    let data = AdvertisingData(packet.bytes)
    let reading = AdvertisementReading(data)
    for match in matcher.matches(in: reading, from: packet.sender) {
      let passed = tick?.milliseconds(since: start.tick) ?? Int64(number) * 2
      let now = start.advanced(byMilliseconds: passed)
      let strength = -60 - Int(SplitMix64.mixed(UInt64(number)) % 12)
      guard
        let sighting = TagSighting(
          tag: match.tag, hearer: "hci0", strengthDBm: strength, moment: now,
          batteryPercent: reading.batteryPercent.map { Int($0) })
      else { continue }
      sightings += 1
      events += engine.handle(.sighting(sighting), at: now).events.count
    }
  }
}
