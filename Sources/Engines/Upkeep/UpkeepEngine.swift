public import Care
import JSON
public import Moments

/// How the gateway itself does: which parts fail for longer than a moment, and that it is there at all.
public struct UpkeepEngine: Engine {
  /// How parts do.
  public static var hears: InputKinds { [.time, .health, .signals] }

  /// The part that the guardians are: that nobody can be told is nothing to tell them.
  static let guardians: ComponentID = "guardians"

  private var faults: FaultWatch
  /// When a heartbeat is due; nil where none is wanted.
  private var nextHeartbeat: Tick?

  /// An engine over what is stored: the rows of engine `core` that are about faults.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    faults = FaultWatch(
      delaySeconds: world.house.faultAfterSeconds,
      rows: stored.engineRows.filter { $0.engine == "core" }, language: world.language,
      at: world.now.tick)
    nextHeartbeat = world.house.heartbeatSeconds > 0 ? world.now.tick : nil
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { .soonest(nextHeartbeat, faults.nextWake) }

  /// Takes one input; nil where it is none of its business.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .observed(.health(let report)):
      guard !Self.isJudgedByTracking(report, in: world.house) else { return nil }
      return watch(report, in: world)
    case .signalled(.health(let report, let isCertain)):
      return watch(report, isCertain: isCertain, in: world)
    case .time: return runDue(in: world)
    default: return nil
    }
  }

  /// What a GPS source reports and tracking finds out by itself, from the fixes and the resident's settings; taken from both
  /// it would be told twice.
  private static let codesJudgedByTracking = [
    "no-report", "no-fix", "rolled-over", "receiver-clock",
  ]

  private static func isJudgedByTracking(_ report: HealthReport, in house: House) -> Bool {
    guard codesJudgedByTracking.contains(report.code), let source = report.component.receiver else {
      return false
    }
    return house.resident(movingWith: source) != nil
  }

  private mutating func watch(
    _ report: HealthReport, isCertain: Bool = false, in world: World
  ) -> Outcome {
    var outcome = Outcome()
    (outcome.events, outcome.changes) = faults.handle(
      report, isCertain: isCertain, at: world.now.tick)
    return outcome
  }

  private mutating func runDue(in world: World) -> Outcome {
    var outcome = Outcome()
    (outcome.events, outcome.changes) = faults.raiseDue(at: world.now.tick)
    guard let due = nextHeartbeat, due <= world.now.tick else { return outcome }
    let interval = world.house.heartbeatSeconds * 1000
    outcome.events.append(heartbeat(in: world, intervalMilliseconds: interval))
    nextHeartbeat = world.now.tick.advanced(byMilliseconds: interval)
    return outcome
  }

  /// That the gateway is there, whom it looks after and what of it fails; other engines add what they have to say.
  private func heartbeat(in world: World, intervalMilliseconds: Int64) -> EventDraft {
    EventDraft(
      type: .heartbeat, lane: .record, resident: nil,
      facts: [
        "expectedNext": .string(
          world.now.utc.advanced(byMilliseconds: intervalMilliseconds).iso8601),
        "intervalSeconds": .integer(world.house.heartbeatSeconds),
        "faults": .array(faults.faults.map { .string($0.component.rawValue) }),
        "residents": .array(
          world.house.sortedResidents.map {
            ["id": .string($0.id.rawValue), "name": .string($0.name)]
          }),
        "guardians": .array(
          world.house.guardians.map {
            [
              "id": .string($0.id.rawValue), "resident": .string($0.resident.rawValue),
              "name": .string($0.name),
            ]
          }),
      ], signal: .heartbeat)
  }

  // MARK: What others may know

  /// Shows what others may see of it.
  public func show(_ view: World.View, in world: inout World) {
    if view == .faults { world.faults = faults.faults }
  }

  /// Adds all that it holds to what is stored.
  public func store(in state: inout StoredState) { state.engineRows += faults.rows }

  /// Parts that do not work, by name.
  public var raised: [HealthReport] { faults.faults }
}
