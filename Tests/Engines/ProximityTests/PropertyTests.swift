import Bytes
import Care
import JSON
import Moments
import Testing

@testable import Proximity

@Suite("Random walks")
struct PropertyTests {
  static let seeds: ClosedRange<UInt64> = 1...6

  /// A tag that wanders, with scatter, bursts of silence, and single lies.
  struct Wander {
    var readings: [(second: Double, strength: Int)] = []

    init(seed: UInt64, seconds: Int = 3000) {
      var random = SplitMix64(seed: seed)
      var mean = -80.0
      var silent = 0
      for second in 0..<seconds {
        mean = min(-45, max(-108, mean + random.scatter(1.5)))
        if silent == 0, random.nextUnit() < 0.002 { silent = Int(random.number(5...400)) }
        silent = max(0, silent - 1)
        guard silent == 0, random.nextUnit() < 0.8 else { continue }
        let isLie = random.nextUnit() < 0.01
        let strength = isLie ? -40 : mean + random.scatter(5)
        readings.append(
          (Double(second) + random.number(0...0.9), Int(max(-127, min(20, strength)))))
      }
    }
  }

  static func live(_ seed: UInt64, _ before: (inout House, Double) -> Void = { _, _ in }) -> House {
    var house = House(tags: [House.tag(.keys), House.tag(.home), House.tag(.person)])
    for reading in Wander(seed: seed).readings {
      before(&house, reading.second)
      house.wait(until: reading.second)
      for tag in house.tags { house.hear(tag.id, reading.strength) }
    }
    house.wait(until: 4000)
    return house
  }

  static func isRise(_ draft: EventDraft) -> Bool {
    let rank: [String: Int] = ["near": 3, "room": 2, "away": 1, "unknown": 0]
    return (rank[draft.text("presence") ?? ""] ?? 0) > (rank[draft.text("before") ?? ""] ?? 0)
  }

  static func story(_ house: House) -> [String] {
    house.events.map { "\($0.second) \($0.draft.type.rawValue) \($0.draft.facts.serialized)" }
  }

  @Test("No tag recedes twice within the time that receding takes", arguments: seeds)
  func neverFlaps(seed: UInt64) {
    let house = Self.live(seed)
    for tag in house.tags {
      let changes = house.all(.tagChanged).filter { $0.draft.text("tag") == tag.id.rawValue }
      let falls = changes.filter { !Self.isRise($0.draft) }
      #expect(falls.count > 3)
      for (one, next) in zip(falls, falls.dropFirst()) {
        // A fall by silence may follow one by weakness at once; two of the same kind may not.
        let isDeeper = next.draft.text("presence") == "away" && one.draft.text("presence") == "room"
        #expect(isDeeper || next.second - one.second >= 15)
      }
      let word = changes.map { $0.draft.text("presence") ?? "" }
      #expect(zip(word, word.dropFirst()).allSatisfy { $0 != $1 })
    }
  }

  @Test("One lying reading never makes near", arguments: seeds)
  func liesAreDropped(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var house = House(tags: [House.tag(.keys)])
    for second in 0..<1800 {
      house.wait(until: Double(second))
      let isLie = second % 20 == 19
      house.hear("keys", isLie ? -35 : Int(-92 + random.scatter(2)))
    }
    #expect(house.presences(of: "keys") == ["room@1"])
  }

  @Test("The same inputs give the same outcomes", arguments: seeds)
  func deterministic(seed: UInt64) {
    let (one, other) = (Self.live(seed), Self.live(seed))
    #expect(Self.story(one) == Self.story(other))
    #expect(one.engine.rows == other.engine.rows)
    #expect(one.changes == other.changes)
  }

  @Test(
    "A restart from all rows goes on as if there had been none, but for silences", arguments: seeds)
  func restarts(seed: UInt64) {
    let steady = Self.live(seed)
    var random = SplitMix64(seed: seed &+ 50)
    var count = 0
    let restarted = Self.live(seed) { house, second in
      guard random.nextUnit() < 0.03 else { return }
      house.wait(until: second)
      house.restart()
      count += 1
    }
    #expect(count > 20)
    // A restart only delays going: silence and weakness are counted anew. Nothing comes that would not have come.
    func turns(_ house: House) -> [String] {
      house.all(.tagChanged).filter { Self.isRise($0.draft) }.map {
        "\($0.second) \($0.draft.text("tag") ?? "") \($0.draft.text("presence") ?? "")"
      }
    }
    let (mine, theirs) = (turns(restarted), turns(steady))
    #expect(Set(mine).subtracting(theirs).isEmpty)
    func falls(_ house: House) -> Int {
      house.all(.tagChanged).filter { !Self.isRise($0.draft) }.count
    }
    #expect(falls(restarted) <= falls(steady))
    #expect(falls(restarted) > 0)
  }

  @Test("A restart from what is on disk invents no departure and no company", arguments: seeds)
  func restartsFromDisk(seed: UInt64) {
    let steady = Self.live(seed)
    var random = SplitMix64(seed: seed &+ 90)
    let restarted = Self.live(seed) { house, second in
      guard random.nextUnit() < 0.01 else { return }
      house.wait(until: second)
      house.restart(rows: house.storedRows)
    }
    func count(_ house: House, _ presence: String) -> Int {
      house.all(.tagChanged).filter { $0.draft.text("presence") == presence }.count
    }
    #expect(count(restarted, "away") <= count(steady, "away"))
    #expect(count(restarted, "unknown") == 0)
    #expect(restarted.all(.encounterEnded).count <= steady.all(.encounterEnded).count + 2)
  }

  @Test("Rows survive their JSON text, and hold all of the state", arguments: seeds)
  func rows(seed: UInt64) throws {
    var house = Self.live(seed)
    let before = house.engine.rows
    let rows = try before.map { row in
      EngineRow(
        engine: row.engine, subject: row.subject, name: row.name,
        content: try JSONValue(parsing: row.content.serialized))
    }
    house.restart(rows: rows)
    #expect(house.engine.rows == before)
  }

  @Test("Shifted ticks change nothing", arguments: [0, 1_000_000_000, 86_400_000_000_000_000])
  func shifted(nanoseconds: Int64) {
    var moment = House.start
    moment.tick.nanoseconds += nanoseconds
    var here = House(tags: [House.tag(.keys)])
    var there = House(tags: [House.tag(.keys)], at: moment)
    for reading in Wander(seed: 7).readings {
      here.wait(until: reading.second)
      here.hear("keys", reading.strength)
      there.wait(until: reading.second)
      there.hear("keys", reading.strength)
    }
    #expect(Self.story(here) == Self.story(there))
  }

  @Test("A clock that steps or cannot be trusted changes no decision")
  func clocks() {
    let steady = Self.live(5)
    let stepped = Self.live(5) { house, second in
      if second > 1000, house.now.utc < House.start.utc.advanced(byMilliseconds: 3_000_000) {
        house.now.utc = house.now.utc.advanced(byMilliseconds: 86_400_000)
      }
    }
    var start = House.start
    start.quality = .untrusted
    start.utc = .seconds(10)
    var untrusted = House(tags: steady.tags, at: start)
    for reading in Wander(seed: 5).readings {
      untrusted.wait(until: reading.second)
      for tag in steady.tags { untrusted.hear(tag.id, reading.strength) }
    }
    untrusted.wait(until: 4000)
    func turns(_ house: House) -> [String] {
      house.story([.tagChanged, .encounterEnded, .tagSilent])
    }
    #expect(turns(stepped) == turns(steady))
    #expect(turns(untrusted) == turns(steady))
    let met = untrusted.all(.encounterEnded).first?.draft.text("timeQuality")
    #expect(met == "untrusted")
  }

  @Test("After a reboot without a clock nothing is away before its time, counted anew")
  func reboot() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 10)
    let rows = house.storedRows
    house.now = Moment(tick: .seconds(5), utc: .seconds(0), quality: .untrusted)
    house.restart(rows: rows, boot: "boot-2")
    house.events = []
    house.handle(.time)
    #expect(house.engine.presence(of: "keys") == .near)
    house.now = house.now.advanced(byMilliseconds: 119_000)
    house.handle(.time)
    #expect(house.engine.presence(of: "keys") == .near)
    house.now = house.now.advanced(byMilliseconds: 1000)
    house.handle(.time)
    #expect(house.engine.presence(of: "keys") == .away)
  }

  @Test("Rows that cannot be read are told, and the rest is kept")
  func unreadable() {
    var house = House(tags: [House.tag(.keys), House.tag(.wallet)])
    house.hear("keys", -60, from: 0, through: 5)
    house.hear("wallet", -60, from: 6, through: 9)
    var rows = house.engine.rows
    for index in rows.indices where rows[index].name == "tag:keys" {
      rows[index].content = ["boot": "boot-1", "known": "yesterday"]
    }
    house.restart(rows: rows)
    #expect(house.all(.faultRaised).map { $0.draft.text("code") } == ["state-unreadable"])
    #expect(house.engine.presence(of: "wallet") == .near)
    #expect(house.engine.presence(of: "keys") == .unknown)
  }

  @Test("A quiet hour writes rows once a minute")
  func writesRarely() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 60)
    house.changes = []
    house.hear("keys", -60, from: 61, through: 3660)
    #expect((50...70).contains(house.changes.count))
  }
}
