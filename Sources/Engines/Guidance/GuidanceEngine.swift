public import Bytes
public import Care
public import Moments
import WalkingRoutes

/// Takes somebody home, or to a place of theirs: asks for a way, says what to do in good time, notices when they leave it,
/// stand still, go back and forth or are driven, and tells those who care.
///
/// Pure: the way itself comes from whoever can find one (``Action/askMap(_:)``); without it the direction is told. What
/// matters is in a row of its own for each journey, so that it goes on after a restart.
public struct GuidanceEngine: Engine {
  /// The limits of each resident.
  public static var settings: (any NamedSettings.Type)? { GuidanceSettings.self }

  /// Positions, ways that were found, time, what became of words, and what people ask or press.
  public static var hears: InputKinds {
    [.started, .time, .located, .heading, .map, .sound, .changed, .asked, .pressed]
  }

  /// So long somebody may think about a question, in milliseconds.
  static let questionMilliseconds: Int64 = 60_000
  /// How often it is looked whether all is well, in milliseconds.
  static let lookMilliseconds: Int64 = 10_000

  var journeys: [ResidentID: Journey] = [:]
  var positions = Positions()
  var books = AddressBooks()
  private var looked: [ResidentID: Tick] = [:]
  private var rows = JourneyRows()

  /// An engine over the rows of engine `guidance`.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    for row in stored.engineRows where row.engine == Journey.engine {
      if books.restore(row) { continue }
      guard let (id, journey) = rows.restore(row, at: world.now) else { continue }
      journeys[id] = journey
      looked[id] = world.now.tick
    }
  }

  /// Whether somebody is on the way, for whoever asks.
  public func isOnTheWay(_ resident: ResidentID) -> Bool { journeys[resident] != nil }

  /// When the next question lapses, or the next look is due; nil while nobody is on the way.
  public var nextWake: Tick? { journeys.isEmpty ? nil : .soonest(journeys.keys.map(due)) }

  private func due(_ id: ResidentID) -> Tick? {
    guard let journey = journeys[id] else { return nil }
    if journey.stage == .asked {
      return journey.since.advanced(byMilliseconds: Self.questionMilliseconds)
    }
    return (looked[id] ?? journey.since).advanced(byMilliseconds: Self.lookMilliseconds)
  }

  /// Adds the journeys and the kept places, a row each.
  public func store(in state: inout StoredState) {
    state.engineRows += journeys.keys.sorted().compactMap { journeys[$0]?.row(of: $0) }
    state.engineRows += books.rows
    state.engineRows += rows.unreadable
  }

  /// A request or a found way that came as JSON, as this engine knows it.
  public static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue? {
    switch place {
    case .request(let action) where GuidanceRequest.isAction(action):
      FeatureValue(try value.value(as: GuidanceRequest.self))
    case .map: FeatureValue(try value.value(as: MapReport.self))
    case .request, .meter, .reading: nil
    }
  }

  /// Whether the home, the places and the people are needed.
  public func sees(for input: Input) -> World.Views {
    switch input {
    case .asked(let command, _):
      (try? GuidanceRequest(command.request)) == nil ? [] : [.bookmarks, .tracked]
    case .pressed(let press): press.meaning == .command(.takeHome) ? [.bookmarks, .tracked] : []
    default: []
    }
  }

  /// Takes one input; nil where it is none of guidance's business.
  ///
  /// - Throws: why what somebody asks cannot be; nothing changed then.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    var outcome = Outcome()
    // Never refused, so that it needs no copy of where everybody was.
    if case .signalled(.located(let location, let id)) = input {
      locate(id, location, in: world, &outcome)
      finish(&outcome)
      return outcome
    }
    var attempt = self
    guard try attempt.take(input, in: world, &outcome) else { return nil }
    attempt.finish(&outcome)
    self = attempt
    return outcome
  }

  private mutating func take(
    _ input: Input, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) -> Bool {
    switch input {
    case .asked(let command, _): return try perform(command, in: world, &outcome)
    case .pressed(let press): return answer(press, in: world, &outcome)
    case .observed(.heading(let report)): return turn(report, in: world)
    case .observed(.sound(let report)): return hear(report, at: world.now.tick)
    case .observed(.map(let value)):
      guard let report = try? value.value(as: MapReport.self) else { return false }
      return take(report, in: world, &outcome)
    case .time: return look(in: world, &outcome)
    case .started: return resume(in: world, &outcome)
    case .changed(let change): return follow(change, in: world, &outcome)
    default: return false
    }
  }

  // MARK: What changes

  private mutating func follow(
    _ change: HouseChange, in world: World, _ outcome: inout Outcome
  ) -> Bool {
    switch change {
    case .erased(let id):
      (journeys[id], looked[id]) = (nil, nil)
      positions.forget(id)
      books.erase(id)
      rows.erase(id)
      return true
    case .consent(let consent) where consent.kind == .location && !consent.isGranted:
      guard journeys[consent.resident] != nil else { return false }
      positions.forget(consent.resident)
      go(consent.resident, in: world, &outcome) { $0.end($1, because: "consent", &$2) }
      return true
    default: return false
    }
  }

  /// After a start: whoever was on the way is followed on, from their next position.
  private mutating func resume(in world: World, _ outcome: inout Outcome) -> Bool {
    let over = rows.giveUpUnreadable()
    outcome.changes += over
    let isNews = !over.isEmpty || !journeys.isEmpty
    for id in journeys.keys.sorted() {
      outcome.actions += Pedestrian(id, positions, in: world).burst
    }
    return isNews
  }

  private mutating func look(in world: World, _ outcome: inout Outcome) -> Bool {
    let now = world.now.tick
    let ids = journeys.keys.sorted().filter { id in due(id).map { $0 <= now } ?? false }
    for id in ids {
      looked[id] = now
      go(id, in: world, &outcome) { $0.look(after: $1, &$2) }
    }
    return !ids.isEmpty
  }

  // MARK: The end of a step

  private mutating func finish(_ outcome: inout Outcome) {
    for id in looked.keys where journeys[id] == nil && rows.isWritten(id) { looked[id] = nil }
    outcome.changes += rows.changes(to: journeys)
  }

  // MARK: Whoever is on the way

  /// Has somebody's journey take a step, and forgets it once it has ended; nil for whoever is not on the way.
  @discardableResult
  mutating func go<Result>(
    _ id: ResidentID, in world: World, _ outcome: inout Outcome,
    _ step: (inout Journey, Pedestrian, inout Outcome) -> Result
  ) -> Result? {
    guard var journey = journeys[id] else { return nil }
    let result = step(&journey, Pedestrian(id, positions, in: world), &outcome)
    journeys[id] = journey.hasEnded ? nil : journey
    return result
  }

  /// Takes a position of somebody.
  private mutating func locate(
    _ id: ResidentID, _ location: Signal.Location, in world: World, _ outcome: inout Outcome
  ) {
    positions.take(location, of: id, at: world.now.tick)
    go(id, in: world, &outcome) { $0.locate($1, &$2) }
  }

  /// Takes what the compass says that moves with somebody.
  private mutating func turn(_ report: HeadingReport, in world: World) -> Bool {
    guard let id = world.house.resident(movingWith: report.receiver)?.id else { return false }
    positions.turn(report.degrees, of: id, at: world.now.tick)
    return true
  }

  /// Hears what became of words: those that nobody could speak are said once more when all is looked after next.
  private mutating func hear(_ report: SoundReport, at now: Tick) -> Bool {
    guard let id = journeys.keys.first(where: { Pedestrian.sound(to: $0) == report.sound }) else {
      return false
    }
    journeys[id]?.voice.hear(report.outcome, at: now)
    return true
  }

  /// Takes what the map knows: a way, or the address of a place that somebody keeps.
  private mutating func take(
    _ report: MapReport, in world: World, _ outcome: inout Outcome
  ) -> Bool {
    if case .address(let address) = report.outcome {
      return books.note(address, of: report, &outcome)
    }
    return go(report.resident, in: world, &outcome) { $0.take(report, for: $1, &$2) } ?? false
  }
}
