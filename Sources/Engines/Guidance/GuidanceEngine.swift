public import Bytes
public import Care
import JSON
public import Moments
import Texts
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

  /// Nearer than this one is told that it is here.
  static let hereMeters = 100.0
  /// So long somebody may think about a question, in milliseconds.
  static let questionMilliseconds: Int64 = 60_000
  /// How often it is looked whether all is well, in milliseconds.
  static let lookMilliseconds: Int64 = 10_000
  /// A position older than this says nothing about where somebody is, in milliseconds.
  static let freshMilliseconds: Int64 = 30_000

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
  public var nextWake: Tick? { journeys.keys.lazy.compactMap { due($0) }.min() }

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
    var attempt = self
    var outcome = Outcome()
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
    case .signalled(.located(let location, let id)):
      return locate(id, location, in: world, &outcome)
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
      end(consent.resident, because: "consent", in: world, &outcome)
      return true
    default: return false
    }
  }

  /// After a start: whoever was on the way is followed on, from their next position.
  private mutating func resume(in world: World, _ outcome: inout Outcome) -> Bool {
    let over = rows.giveUpUnreadable()
    outcome.changes += over
    let isNews = !over.isEmpty || !journeys.isEmpty
    for id in journeys.keys.sorted() { burst(id, in: world, &outcome) }
    return isNews
  }

  private mutating func look(in world: World, _ outcome: inout Outcome) -> Bool {
    let now = world.now.tick
    let ids = journeys.keys.sorted().filter { id in due(id).map { $0 <= now } ?? false }
    for id in ids {
      looked[id] = now
      look(after: id, in: world, &outcome)
    }
    return !ids.isEmpty
  }

  // MARK: The end of a step

  private mutating func finish(_ outcome: inout Outcome) {
    for id in looked.keys where journeys[id] == nil && rows.isWritten(id) { looked[id] = nil }
    outcome.changes += rows.changes(to: journeys)
  }

  // MARK: Parts that the rest is made of

  /// What is said and written about a journey, in the resident's language.
  func sentences(_ id: ResidentID, _ journey: Journey, in world: World) -> JourneySentences {
    JourneySentences(
      language: world.language(of: id), name: world.people[id]?.name ?? id.rawValue,
      destination: journey.destination)
  }

  func settings(of id: ResidentID, in world: World) -> GuidanceSettings {
    world.house.settings(GuidanceSettings.self, of: id)
  }

  /// Takes what the compass says that moves with somebody.
  private mutating func turn(_ report: HeadingReport, in world: World) -> Bool {
    guard let id = world.house.resident(movingWith: report.receiver)?.id else { return false }
    positions.turn(report.degrees, of: id, at: world.now.tick)
    return true
  }

  /// Has the receiver that moves with somebody, and a compass, sample as fast as they can.
  func burst(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    guard let source = world.house.residents[id]?.gpsSource else { return }
    let until = world.now.tick.advanced(byMilliseconds: Self.freshMilliseconds)
    outcome.actions += [source, .compass].map { .sampleBurst(source: $0, until: until) }
  }

  /// Says something; what of guidance still sounds or waits gives way to it.
  mutating func say(
    _ words: [String], to id: ResidentID, chime: Bool = false, in world: World,
    _ outcome: inout Outcome
  ) {
    let language = world.language(of: id).rawValue
    let parts = words.map { SoundPart.speech(Sentence($0, language: language)) }
    outcome.actions.append(
      .play(
        SoundRequest(
          id: Self.sound(id), priority: .reminder,
          parts: (chime ? [.pattern("chime")] : []) + parts)))
    let next = journeys[id]?.follower?.next
    journeys[id]?.spoken = world.now.tick
    journeys[id]?.words = words
    journeys[id]?.wordsNext = next
    journeys[id]?.isUnheard = false
  }

  /// Hears what became of words: those that nobody could speak are said once more when all is looked after next.
  private mutating func hear(_ report: SoundReport, at now: Tick) -> Bool {
    guard let id = journeys.keys.first(where: { Self.sound($0) == report.sound }) else {
      return false
    }
    let since = journeys[id]?.unheardSince ?? now
    switch report.outcome {
    case .failed, .wordless:
      journeys[id]?.isUnheard = true
      journeys[id]?.unheardSince = since
    case .started where journeys[id]?.isUnheard == false: journeys[id]?.unheardSince = nil
    case .started, .finished, .stopped: break
    }
    return true
  }

  /// What is said of guidance is one sound for each resident, so that the newest word replaces what is out of date.
  static func sound(_ id: ResidentID) -> SoundID { SoundID("guidance-\(id)") }
}
