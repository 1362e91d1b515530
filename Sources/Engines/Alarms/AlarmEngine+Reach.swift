public import Care
public import JSON

/// Whether anybody can be told when a resident needs help.
///
/// What nobody can be told by is a fault like any other: shown, reported and lasting until somebody can be told again.
extension AlarmEngine {
  /// The part that the guardians are, among the gateway's own. It names nobody: health is read by programs as well.
  public static let reachComponent: ComponentID = "guardians"

  /// Whether guardians can be told, once it is known what plugins offer.
  public var health: [HealthReport] { reachReport.map { [$0] } ?? [] }

  /// How guardians can be reached now; the world shows what does not work.
  func reach(in world: World) -> GuardianReach {
    GuardianReach(
      in: house, by: carriers, state.ways, failed: GuardianReach.failedPlugins(in: world),
      at: world.now)
  }

  /// Finds out anew whether guardians can be told; nil while nothing changed.
  mutating func judgeReach(after cause: Input.Cause, in world: World) -> Outcome? {
    guard cause.concernsReach, let report = reach(in: world).report(as: Self.reachComponent),
      report.state != reachReport?.state || report.code != reachReport?.code
    else { return nil }
    reachReport = report
    var outcome = Outcome()
    outcome.signals = [.health(report, isCertain: false)]
    return outcome
  }

  // MARK: Views

  /// What a heartbeat says of it; nothing until it is known. The world shows what does not work.
  public mutating func heartbeatMembers(in world: World) -> [JSONMember] {
    reach(in: world).heartbeatMembers
  }

  /// How each resident's guardians can be reached, for people to read. The world shows what does not work.
  public func reachSummaries(in world: World) -> [JSONValue] {
    reach(in: world).all.map { $0.json(in: house.language) }
  }

  /// The guardians of a resident, or of all when nil, each with the ways that lead to them. The world shows what does not
  /// work.
  public func guardianSummaries(of resident: ResidentID?, in world: World) -> [JSONValue] {
    reach(in: world).guardians(of: resident)
  }
}
