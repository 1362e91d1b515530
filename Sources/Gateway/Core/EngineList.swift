import Absences
import Accounts
import Alarms
public import Care
import Glucose
import Guidance
import Households
import JSON
import Moments
import Notebook
import Profiles
import Protection
import Proximity
import Reminders
import Reports
import Room
import Tracking
import Upkeep

/// The engines, in the order in which inputs are offered to them and a press goes down.
///
/// Values at a distance of one pointer: a core is copied for each command that may be refused, and only the engine that
/// changes is copied with it.
struct EngineList: Sendable {
  /// Every engine there is; a new one is one line here.
  static let types: [any Engine.Type] = [
    HouseholdsEngine.self, TrackingEngine.self, ProximityEngine.self, AlarmEngine.self,
    GuidanceEngine.self, RoomEngine.self, ReminderEngine.self, NotebookEngine.self,
    GlucoseEngine.self, AbsenceEngine.self, ProtectionEngine.self, UpkeepEngine.self,
    AccountEngine.self, ProfileEngine.self, ReportEngine.self,
  ]

  /// Who may take an input, in order, by the number of its kind's bit.
  private static let hearers: [[Int]] = (0..<InputKinds.RawValue.bitWidth).map { bit in
    types.indices.filter { types[$0].hears.contains(InputKinds(rawValue: 1 << bit)) }
  }

  private var engines: [any Engine] = []

  /// Engines over what is stored, in a world of which the configuration's part is known.
  init(stored: StoredState, seed: UInt64, in world: inout World) {
    for type in Self.types {
      engines.append(type.init(stored: stored, seed: seed, in: world))
      if let households = engines.last as? HouseholdsEngine { world.house = households.house }
    }
  }

  var indices: Range<Int> { engines.indices }

  /// When an engine wants ``Input/time``.
  func nextWake(of place: Int) -> Tick? { engines[place].nextWake }

  /// When the first of them does.
  var nextWake: Tick? { engines.lazy.compactMap(\.nextWake).min() }

  /// One of them, for whoever knows it by its type.
  subscript<One: Engine>(_ type: One.Type) -> One {
    for case let engine as One in engines { return engine }
    preconditionFailure("\(type) is none of the engines")
  }

  /// The places of those that may take an input, in order; in a debug build, the others are asked whether that is so.
  func places(hearing input: Input, in world: World) -> [Int] {
    let hearers = Self.hearers[input.kind.rawValue.trailingZeroBitCount]
    assert(
      engines.indices.allSatisfy { hearers.contains($0) || isDeaf(to: input, at: $0, in: world) },
      "an engine takes an input that it says it does not hear: \(input)")
    return hearers
  }

  private func isDeaf(to input: Input, at place: Int, in world: World) -> Bool {
    var copy = engines[place]
    do throws(CommandReply.Refusal) { return try copy.handle(input, in: world) == nil } catch {
      return false
    }
  }

  /// Offers an input to one of them.
  mutating func handle(
    _ input: Input, at place: Int, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    let wanted = engines[place].sees(for: input)
    if wanted.isEmpty { return try engines[place].handle(input, in: world) }
    return try engines[place].handle(input, in: showing(wanted, in: world))
  }

  /// A world in which the engines show what is wanted of them.
  func showing(_ views: World.Views, in world: World) -> World {
    var world = world
    for view in World.View.allCases where views.contains(World.Views(view)) {
      for engine in engines { engine.show(view, in: &world) }
    }
    return world
  }

  /// What they say with a heartbeat: the last first, as it always was.
  mutating func heartbeatMembers(in world: World) -> [JSONMember] {
    var members: [JSONMember] = []
    for place in engines.indices.reversed() {
      let views = engines[place].sees(for: .signalled(.heartbeat))
      members += engines[place].heartbeatMembers(in: showing(views, in: world))
    }
    return members
  }

  func resident(concernedBy request: Command.Request) -> ResidentID? {
    engines.lazy.compactMap { $0.resident(concernedBy: request) }.first
  }

  func resident(concernedBy observation: Observation) -> ResidentID? {
    engines.lazy.compactMap { $0.resident(concernedBy: observation) }.first
  }

  var health: [HealthReport] { engines.flatMap(\.health) }

  var stored: StoredState {
    engines.reduce(into: StoredState()) { state, engine in engine.store(in: &state) }
  }

  /// What can be set, in the order shown: by the last of the groups that an engine's settings belong to.
  static let settings: [any NamedSettings.Type] = types.compactMap { $0.settings }
    .sorted { lastGroup(of: $0) < lastGroup(of: $1) }

  private static func lastGroup(of settings: any NamedSettings.Type) -> Int {
    settings.settings.compactMap { Setting.Group.allCases.firstIndex(of: $0.group) }.max() ?? 0
  }
}

extension GatewayCore {
  /// All types of events that there are, each with what it holds.
  public static let events: [EventDeclaration] = own + EngineList.types.flatMap { $0.events }

  /// What the core makes itself.
  private static let own = [
    EventDeclaration(
      .gatewayStarted, [.record], about: .gateway, "The gateway started.",
      [
        .text("version", "Its version."), .whole("residents", "How many residents it has."),
        .explanation,
      ]),
    EventDeclaration(
      .clockTrusted, [.record], about: .gateway,
      "The wall clock is trusted from now on; earlier times of this boot follow from it.",
      [
        .text("boot", "Which boot, as in `bootid`."),
        .text("tick", "When by that boot's clock, as in `tick`: nanoseconds."),
        .time("utc", "When by the wall clock."),
        .word("quality", of: TimeQuality.self, "What vouches for it."), .explanation,
      ]),
  ]
}
