public import Care
import JSON
public import Moments

/// Notices that somebody goes out again and again within an hour, as whoever is restless does.
///
/// Who is restless is kept in rows; how often somebody went out is counted anew from each start on.
public struct RestlessnessEngine: Engine {
  /// So many times within an hour are restless.
  static let often = 5
  static let hourMilliseconds: Int64 = 3_600_000

  /// When each went out, as far as it is within an hour of the last time.
  private var outings: [ResidentID: [Tick]] = [:]
  /// Who is restless.
  private var restless: Set<ResidentID> = []

  /// An engine over the rows of engine `restlessness`; nothing of it is drawn by lot.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    for row in stored.engineRows where row.engine == Self.name {
      let resident = ResidentID(row.subject)
      restless.insert(resident)
      outings[resident] = [world.now.tick]
    }
  }

  /// What nobody else has to know.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .restlessnessBegan, [.record], "Somebody goes out again and again.",
      [.whole("times", "How often within an hour.")], .places([.explanation])),
    EventDeclaration(
      .restlessnessOver, [.record], "Somebody stays where they are again.",
      [.whole("quietSeconds", "For how long.")]),
  ]

  /// When somebody has been quiet for an hour; nil where nobody is restless.
  public var nextWake: Tick? { restless.compactMap { quietFrom($0) }.min() }

  /// Takes one input; nil where it is none of its business.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .signalled(.zone(let news, let resident)):
      return news.leftHome.flatMap { _ in wentOut(resident, news.explanation, in: world) }
    case .time: return calmDown(in: world)
    case .changed(.erased(let resident)):
      outings[resident] = nil
      restless.remove(resident)
      return nil
    default: return nil
    }
  }

  /// Adds who is restless.
  public func store(in state: inout StoredState) {
    state.engineRows += restless.sorted().map { Self.row(of: $0) }
  }

  // MARK: Going out

  private mutating func wentOut(
    _ resident: ResidentID, _ explanation: String, in world: World
  ) -> Outcome? {
    let recent = (outings[resident] ?? []).filter {
      world.now.tick.milliseconds(since: $0) < Self.hourMilliseconds
    }
    outings[resident] = recent + [world.now.tick]
    guard recent.count + 1 >= Self.often, restless.insert(resident).inserted else { return nil }
    var outcome = Outcome()
    outcome.changes = [.putEngineRow(Self.row(of: resident))]
    outcome.events = [
      EventDraft(
        type: .restlessnessBegan, lane: .record, resident: resident,
        facts: [
          "times": .integer(Int64(recent.count + 1)), "explanation": .string(explanation),
        ], signal: .news(.tag(sentence: explanation), of: resident))
    ]
    return outcome
  }

  private mutating func calmDown(in world: World) -> Outcome? {
    let quiet = restless.filter { quietFrom($0).map { $0 <= world.now.tick } ?? true }.sorted()
    guard !quiet.isEmpty else { return nil }
    var outcome = Outcome()
    for resident in quiet {
      restless.remove(resident)
      outings[resident] = nil
      outcome.changes.append(
        .removeEngineRow(engine: Self.name, subject: resident.rawValue, name: Self.rowName))
      outcome.events.append(
        EventDraft(
          type: .restlessnessOver, lane: .record, resident: resident,
          facts: ["quietSeconds": .integer(Self.hourMilliseconds / 1000)]))
    }
    return outcome
  }

  private func quietFrom(_ resident: ResidentID) -> Tick? {
    outings[resident]?.last?.advanced(byMilliseconds: Self.hourMilliseconds)
  }

  // MARK: Rows

  private static let name = "restlessness"
  private static let rowName = "restless"

  private static func row(of resident: ResidentID) -> EngineRow {
    EngineRow(engine: name, subject: resident.rawValue, name: rowName, content: .object([]))
  }
}

extension EventType {
  /// Somebody goes out again and again.
  public static let restlessnessBegan: EventType = "restlessness.began"
  /// Somebody who went out again and again has not for an hour.
  public static let restlessnessOver: EventType = "restlessness.over"
}
