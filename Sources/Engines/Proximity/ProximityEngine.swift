public import Care
public import JSON
public import Moments
import Texts

/// The residents' tags, and what is near whom: one ``TagWatch`` for each resident.
public struct ProximityEngine: Engine {
  /// Its settings, by name.
  public static var settings: (any NamedSettings.Type)? { ProximitySettings.self }

  /// Advertisements, who listens for them, and comings and goings.
  public static var hears: InputKinds { [.time, .sighting, .listening, .zone, .changed, .asked] }

  private var book: TagBook
  private var watches: [ResidentID: TagWatch] = [:]
  /// When each watch wants to be told the time: asked for with every input, and a watch is large.
  private var wakes: [ResidentID: Tick] = [:]

  /// An engine over what is stored: the rows of engine `proximity`, and those of engine `bluetooth` that are about tags.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    book = TagBook(rows: stored.engineRows)
    let rows = Dictionary(
      grouping: stored.engineRows.filter { $0.engine == TagWatch.engine }, by: \.subject)
    for id in world.house.residents.keys {
      watches[id] = watch(of: id, rows: rows[id.rawValue] ?? [], in: world)
      wakes[id] = watches[id]?.nextWake
    }
  }

  private func watch(of id: ResidentID, rows: [EngineRow], in world: World) -> TagWatch? {
    world.house.residents[id].map {
      TagWatch(
        resident: $0, settings: Self.settings(of: id, in: world.house), tags: book.tags(of: id),
        hearers: world.house.hearers, rows: rows, boot: world.boot, at: world.now)
    }
  }

  private static func settings(of id: ResidentID, in house: House) -> ProximitySettings {
    var settings = house.settings(ProximitySettings.self, of: id)
    settings.language = house.language(of: id)
    return settings
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { wakes.values.min() }

  /// Takes one input; nil where it is none of its business.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .time: return runDue(in: world)
    case .observed(.sighting(let sighting)):
      return book.tags[sighting.tag].flatMap {
        advance($0.resident, .sighting(sighting), in: world)
      }
    case .observed(.listening(let hearer, let isListening)):
      return advanceAll(.listening(hearer, isListening: isListening), in: world)
    case .signalled(.zone(let news, let id)):
      if news.leftHome != nil { return advance(id, .outing(isOut: true), in: world) }
      return news.enteredHome.flatMap { _ in advance(id, .outing(isOut: false), in: world) }
    case .changed(let change): return follow(change, in: world)
    case .asked(let command, _):
      guard case .bluetooth(let request) = command.request else { return nil }
      return try perform(request, by: command.principal, in: world)
    default: return nil
    }
  }

  private mutating func advance(
    _ id: ResidentID, _ input: TagWatchInput, in world: World
  ) -> Outcome? {
    guard let place = watches.index(forKey: id) else { return nil }
    // In place: a watch is large.
    return Self.advance(&watches.values[place], input, &wakes[id], at: world.now)
  }

  private static func advance(
    _ watch: inout TagWatch, _ input: TagWatchInput, _ wake: inout Tick?, at now: Moment
  ) -> Outcome {
    let outcome = watch.handle(input, at: now)
    wake = watch.nextWake
    return outcome
  }

  private mutating func advanceAll(_ input: TagWatchInput, in world: World) -> Outcome? {
    watches.keys.sorted().reduce(into: nil as Outcome?) { outcome, id in
      guard let next = advance(id, input, in: world) else { return }
      outcome = outcome.map { $0.followed(by: next) } ?? next
    }
  }

  private mutating func runDue(in world: World) -> Outcome? {
    var outcome: Outcome?
    for id in watches.keys.sorted() {
      guard let due = wakes[id], due <= world.now.tick,
        let next = advance(id, .time, in: world)
      else { continue }
      outcome = outcome.map { $0.followed(by: next) } ?? next
    }
    return outcome
  }

  private mutating func follow(_ change: HouseChange, in world: World) -> Outcome? {
    switch change {
    case .resident(let id):
      if watches[id] == nil { watches[id] = watch(of: id, rows: [], in: world) }
      return world.house.residents[id].flatMap { advance(id, .residentChanged($0), in: world) }
    case .erased(let id):
      (watches[id], wakes[id]) = (nil, nil)
      book.erase(id)
      return nil
    case .setting(let id, let name):
      guard ProximitySettings.names.contains(name) || name == "language" else { return nil }
      return advance(id, .settingsChanged(Self.settings(of: id, in: world.house)), in: world)
    case .guardians, .zones, .consent, .timeZone, .clock: return nil
    }
  }

  // MARK: What people ask

  private mutating func perform(
    _ request: BluetoothRequest, by principal: Principal, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    var outcome = Outcome()
    if case .search(let resident, _) = request {
      try world.house.requireResident(resident)
      outcome.reply = ["id": .string(resident.rawValue)]
      outcome.events = [
        .note(request.action, resident.rawValue, of: resident, by: principal, request.json)
      ]
      return outcome
    }
    let tag: Tag
    switch request {
    case .putTag(let wanted, let identities):
      try check(wanted, in: world.house)
      tag = wanted
      outcome.changes = try book.put(tag, identities: identities, atMost: TagWatch.tagLimit)
      outcome.reply = ["id": .string(tag.id.rawValue)]
    case .removeTag(let id):
      (tag, outcome.changes) = try book.remove(id)
      outcome.reply = ["removed": .string(id.rawValue)]
    case .putMeter, .removeMeter: return nil
    case .search, .pairMeter, .answerPairing: return nil
    }
    outcome.events = [
      .note(request.action, tag.id.rawValue, of: tag.resident, by: principal, tag.json)
    ]
    let tags = book.tags(of: tag.resident)
    guard let next = advance(tag.resident, .tagsChanged(tags), in: world) else { return outcome }
    return outcome.followed(by: next)
  }

  private func check(_ tag: Tag, in house: House) throws(CommandReply.Refusal) {
    try Validation.id(tag.id.rawValue, of: "tag")
    try Validation.name(tag.name)
    try house.requireResident(tag.resident)
    if let zone = tag.zone {
      guard let found = house.zones[zone], found.resident == tag.resident else {
        throw Validation.unknown("zone", zone)
      }
      guard tag.kind == .home else {
        throw CommandReply.Refusal(
          .invalid, Message("Only a tag of kind home stands in a zone. Leave the zone out."))
      }
    }
    if let room = tag.room {
      try Validation.name(room)
      guard tag.kind == .room else {
        throw CommandReply.Refusal(
          .invalid, Message("Only a tag of kind room stands in a room. Leave the room out."))
      }
    }
  }

  // MARK: What others may know

  /// Whom it concerns; nil where that is not known here.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch request {
    case .bluetooth(.search(let resident, _)): resident
    case .bluetooth(.putTag(let tag, _)): tag.resident
    case .bluetooth(.removeTag(let id)): book.tags[id]?.resident
    default: nil
    }
  }

  /// Whom it concerns; nil where that is not known here.
  public func resident(concernedBy observation: Observation) -> ResidentID? {
    guard case .sighting(let sighting) = observation else { return nil }
    return book.tags[sighting.tag]?.resident
  }

  /// Adds all that it holds to what is stored.
  public func store(in state: inout StoredState) {
    state.engineRows += watches.keys.sorted().flatMap { watches[$0]?.rows ?? [] } + book.rows
  }

  /// What is known of the tags of a resident, or of all when nil.
  public func summaries(of resident: ResidentID?) -> [JSONValue] {
    let wanted = resident.map { [$0] } ?? watches.keys.sorted()
    return wanted.flatMap { id -> [JSONValue] in
      guard let summary = watches[id]?.summary else { return [] }
      return (summary["tags"]?.arrayContent ?? []).map { tag in
        let known = tag["tag"]?.stringContent.flatMap { book.identities[TagID($0)] } ?? []
        // As people may see them: keys stay hidden.
        return tag.setting("resident", to: .string(id.rawValue)).setting(
          "identities", to: .array(known.map { .string($0.description) }))
      }
    }
  }

  /// Each tag as it was put; nil when there is none of that id.
  public func tag(_ id: TagID) -> Tag? { book.tags[id] }

  /// Every tag with all that it is known by, keys included, and the seconds of silence after which it is away: for whoever
  /// listens.
  public var knownTags: [(id: TagID, identities: [TagIdentity], awaySeconds: Int64)] {
    book.tags.sorted { $0.key < $1.key }.map { id, tag in
      (id, book.identities[id] ?? [], tag.awaySeconds ?? tag.kind.usualAwaySeconds)
    }
  }
}
