import Bytes
import Care
import JSON
import Moments

@testable import Proximity

/// Mary's tags, the device she carries, the gateway in her kitchen, and the time.
struct House {
  static let mary = Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC")
  static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)
  static let carried = TagHearer(id: "phone", place: .withResident)
  static let kitchen = TagHearer(id: "kitchen", place: .room("kitchen"))
  static let bedroom = TagHearer(id: "bedroom", place: .room("bedroom"))

  static func tag(_ kind: Tag.Kind, _ id: TagID? = nil) -> Tag {
    let id = id ?? TagID(kind.rawValue)
    return Tag(id: id, resident: "mary", name: "the \(id)", kind: kind)
  }

  var engine: TagWatch
  var now: Moment
  let origin: Moment
  let tags: [Tag]
  let hearers: [TagHearer]
  var events: [(second: Double, draft: EventDraft)] = []
  var changes: [StateChange] = []
  var homeTags: [(second: Double, verdict: HomeTagVerdict)] = []

  init(
    tags: [Tag], hearers: [TagHearer] = [House.carried],
    settings: ProximitySettings = ProximitySettings(), at start: Moment = House.start,
    isListening: Bool = true
  ) {
    self.tags = tags
    self.hearers = hearers
    engine = TagWatch(
      resident: Self.mary, settings: settings, tags: tags, hearers: hearers, boot: "boot-1",
      at: start)
    now = start
    origin = start
    guard isListening else { return }
    for hearer in hearers { handle(.listening(hearer.id, isListening: true)) }
  }

  var second: Double { Double(now.tick.milliseconds(since: origin.tick)) / 1000 }

  mutating func handle(_ input: TagWatchInput) {
    let outcome = engine.handle(input, at: now)
    events += outcome.events.map { (second, $0) }
    changes += outcome.changes
    for case .homeTag(let verdict, _) in outcome.signals { homeTags.append((second, verdict)) }
  }

  /// Lives through time up to a second of the scene, waking the engine whenever it wants.
  mutating func wait(until second: Double) {
    let end = origin.tick.advanced(byMilliseconds: Int64((second * 1000).rounded()))
    while let wake = engine.nextWake, wake < end {
      let step = max(0, wake.milliseconds(since: now.tick))
      now = now.advanced(byMilliseconds: step)
      if now.tick < wake { now = now.advanced(byMilliseconds: 1) }
      handle(.time)
    }
    now = now.advanced(byMilliseconds: max(0, end.milliseconds(since: now.tick)))
  }

  mutating func at(_ second: Double, _ input: TagWatchInput) {
    wait(until: second)
    handle(input)
  }

  mutating func hear(
    _ tag: TagID, _ strength: Int, by hearer: SourceID = "phone", battery: Int? = nil
  ) {
    guard
      let sighting = TagSighting(
        tag: tag, hearer: hearer, strengthDBm: strength, moment: now, batteryPercent: battery)
    else { return }
    handle(.sighting(sighting))
  }

  /// Heard every second from one second of the scene through another.
  mutating func hear(
    _ tag: TagID, _ strength: Int, from first: Int, through last: Int,
    by hearer: SourceID = "phone", every step: Int = 1
  ) {
    for second in stride(from: first, through: last, by: step) {
      wait(until: Double(second))
      hear(tag, strength, by: hearer)
    }
  }

  mutating func restart(rows: [EngineRow]? = nil, boot: BootID = "boot-1") {
    engine = TagWatch(
      resident: Self.mary, settings: engine.settings, tags: tags, hearers: hearers,
      rows: rows ?? engine.rows, boot: boot, at: now)
    for hearer in hearers { handle(.listening(hearer.id, isListening: true)) }
  }

  /// What a store would hold after all changes.
  var storedRows: [EngineRow] {
    var rows: [String: EngineRow] = [:]
    for change in changes {
      switch change {
      case .putEngineRow(let row): rows[row.name] = row
      case .removeEngineRow(_, _, let name): rows[name] = nil
      default: continue
      }
    }
    return rows.values.sorted { $0.name < $1.name }
  }

  func all(_ type: EventType) -> [(second: Double, draft: EventDraft)] {
    events.filter { $0.draft.type == type }
  }

  /// Presences of a tag in the words of a table: `near@3`.
  func presences(of tag: TagID) -> [String] {
    all(.tagChanged).filter { $0.draft.text("tag") == tag.rawValue }.map {
      "\($0.draft.text("presence") ?? "")@\(Int($0.second.rounded(.down)))"
    }
  }

  /// Events of some kinds in the words of a table: `left.without keys@60`.
  func story(_ types: [EventType]) -> [String] {
    events.filter { types.contains($0.draft.type) }.map {
      "\($0.draft.type.rawValue) \($0.draft.text("tag") ?? "")@\(Int($0.second.rounded(.down)))"
    }
  }
}

extension EventDraft {
  func text(_ name: String) -> String? { facts[name]?.stringContent }
  func number(_ name: String) -> Double? { facts[name]?.doubleContent }
  var explanation: String { text("explanation") ?? "" }
}

extension SplitMix64 {
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// About normal, by the sum of twelve even ones.
  mutating func scatter(_ deviation: Double) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + nextUnit() } * deviation
  }
}
