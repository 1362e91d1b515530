public import Bytes
public import Care
import JSON
import Moments
import Texts

/// What residents tell of themselves for those who treat them; each is kept in a row of its own until it is erased.
public struct ProfileEngine: Engine {
  private static let name = "profile"
  private static let rowName = "health"

  private var profiles: [ResidentID: HealthProfile] = [:]
  private var unreadable: [EngineRow] = []

  /// What people ask, and what is erased.
  public static var hears: InputKinds { [.asked, .changed] }

  /// What nobody else has to know.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .profileChanged, [.record], "Somebody changed what a resident tells of themselves.",
      .contacts([.by]), .health([.explanation]))
  ]

  /// An engine over the rows of engine `profile`.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    for row in stored.engineRows where row.engine == Self.name {
      if row.name == Self.rowName, let profile = try? HealthProfile(json: row.content) {
        profiles[ResidentID(row.subject)] = profile
      } else {
        unreadable.append(row)
      }
    }
  }

  /// A request that came as JSON, as this engine knows it.
  public static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue? {
    guard case .request(ProfileRequest.action) = place else { return nil }
    return FeatureValue(try value.value(as: ProfileRequest.self))
  }

  /// Takes one input; nil where it is none of its business.
  ///
  /// - Throws: why a profile cannot be so; nothing changed then.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .asked(let command, _): return try perform(command, in: world)
    case .changed(.erased(let resident)):
      unreadable.removeAll { $0.subject == resident.rawValue }
      return profiles.removeValue(forKey: resident).map { _ in Outcome() }
    default: return nil
    }
  }

  private mutating func perform(
    _ command: Command, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    let asked: ProfileRequest?
    do throws(DecodeError) { asked = try ProfileRequest(command.request) } catch {
      throw CommandReply.Refusal(
        .invalid, Message("The request does not fit: {error}.", ["error": error]))
    }
    guard let asked else { return nil }
    try world.house.requireResident(asked.resident)
    var profile = asked.profile
    try profile.check(at: world.now)
    profile.changedAt = profiles[asked.resident]?.changedAt
    var outcome = Outcome()
    if profile != profiles[asked.resident] {
      profile.changedAt = world.now.utc
      profiles[asked.resident] = profile
      let row = Self.row(profile, of: asked.resident)
      // It stands in the place of one that could not be read.
      unreadable.removeAll { $0.subject == row.subject && $0.name == row.name }
      outcome.changes = [.putEngineRow(row)]
      outcome.events = [changed(asked.resident, by: command.principal, in: world)]
    }
    outcome.reply = profile.json
    return outcome
  }

  private func changed(
    _ resident: ResidentID, by principal: Principal, in world: World
  ) -> EventDraft {
    let name = world.people[resident]?.name ?? resident.rawValue
    let words = Message("The profile of {name} was changed.", ["name": name])
    return EventDraft(
      type: .profileChanged, lane: .record, resident: resident,
      facts: [
        "by": .string(principal.description),
        "explanation": .string(words.text(in: world.language(of: resident))),
      ])
  }

  /// Adds the profiles, a row each.
  public func store(in state: inout StoredState) {
    state.engineRows += profiles.keys.sorted().compactMap { id in
      profiles[id].map { Self.row($0, of: id) }
    }
    state.engineRows += unreadable
  }

  private static func row(_ profile: HealthProfile, of resident: ResidentID) -> EngineRow {
    EngineRow(
      engine: name, subject: resident.rawValue, name: rowName, content: profile.json)
  }

  /// Whom a request about a profile concerns.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    (try? ProfileRequest(request))?.resident
  }

  /// The profile of a resident; one in which nothing is told where there is none.
  public func profile(of resident: ResidentID) -> HealthProfile {
    profiles[resident] ?? HealthProfile()
  }
}

extension EventType {
  /// What a resident tells of themselves was changed.
  public static let profileChanged: EventType = "profile.changed"
}
