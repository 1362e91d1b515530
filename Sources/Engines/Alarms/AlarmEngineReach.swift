public import Care
public import JSON
import Texts

/// Whether anybody can be told when a resident needs help.
///
/// What nobody can be told by is a fault like any other: shown, reported and lasting until somebody can be told again.
extension AlarmEngine {
  /// The part that the guardians are, among the gateway's own. It names nobody: health is read by programs as well.
  public static let reachComponent: ComponentID = "guardians"

  /// Whether guardians can be told, once it is known what plugins offer.
  public var health: [HealthReport] { reachReport.map { [$0] } ?? [] }

  /// How each resident's guardians can be reached now, by resident; the world shows what does not work.
  private func reach(in world: World) -> [Reach] {
    let failed = failedPlugins(world)
    return house.residents.keys.sorted().map { reach(of: $0, failed: failed, at: world.now) }
  }

  /// Names of plugins that say that they do not work.
  private func failedPlugins(_ world: World) -> Set<String> {
    Set(
      world.faults.filter { $0.state == .failed }.compactMap { fault in
        let words = fault.component.rawValue.split(separator: "/")
        return words.count == 2 && words[0] == "plugin" ? String(words[1]) : nil
      })
  }

  // MARK: Judging

  /// What can change who can be told, or how long ago that was proved.
  static func concernsReach(_ cause: Input.Cause) -> Bool {
    switch cause {
    case .start, .command, .wake: true
    case .observation(.delivery), .observation(.ways), .observation(.health),
      .observation(.clock):
      true
    case .observation: false
    }
  }

  /// Finds out anew whether guardians can be told; nil while nothing changed.
  mutating func judgeReach(after cause: Input.Cause, in world: World) -> Outcome? {
    guard Self.concernsReach(cause), let report = judged(reach(in: world)),
      report.state != reachReport?.state || report.code != reachReport?.code
    else { return nil }
    reachReport = report
    var outcome = Outcome()
    outcome.signals = [.health(report, isCertain: false)]
    return outcome
  }

  private func judged(_ reach: [Reach]) -> HealthReport? {
    guard reach.allSatisfy(\.isKnown) else { return nil }
    func report(_ state: HealthState, _ code: String, _ detail: Message) -> HealthReport {
      HealthReport(
        component: Self.reachComponent, state: state, code: code,
        detail: Message(verbatim: detail.text(in: house.language)))
    }
    if reach.isEmpty { return report(.unused, "", Message("Nobody is looked after yet.")) }
    let unreachable = reach.filter { !$0.isReachable }.count
    if unreachable > 0 {
      return report(
        .failed, "nobody-reachable",
        Message(
          "For {n} resident nobody can be told when they need help. See: homeward guardians",
          plural:
            "For {n} residents nobody can be told when they need help. See: homeward guardians",
          unreachable))
    }
    let unproven = reach.filter { !$0.isFresh }.count
    if unproven > 0 {
      return report(
        .degraded, "unproven",
        Message(
          "For {n} resident no way to a guardian has proved to work for a week. Try it: homeward alarm test",
          plural:
            "For {n} residents no way to a guardian has proved to work for a week. Try it: homeward alarm test",
          unproven))
    }
    return report(.working, "", Message(verbatim: ""))
  }

  // MARK: Views

  /// An answer to who raised an alarm, with whether anybody can be told of it, once that is known.
  func tellReach(of resident: ResidentID, in reply: JSONValue, _ world: World) -> JSONValue {
    let reach = reach(of: resident, failed: failedPlugins(world), at: world.now)
    guard reach.isKnown else { return reply }
    return reply.setting("isReachable", to: .bool(reach.isReachable))
      .setting("reach", to: .string(reach.explanation.text(in: house.language)))
  }

  /// What a heartbeat says of it; nothing until it is known. The world shows what does not work.
  public mutating func heartbeatMembers(in world: World) -> [JSONMember] {
    let reach = reach(in: world)
    guard !reach.isEmpty, reach.allSatisfy(\.isKnown) else { return [] }
    let list = reach.map { reach -> JSONValue in
      [
        "resident": .string(reach.resident.rawValue), "isReachable": .bool(reach.isReachable),
        "isProven": .bool(reach.isProvenNow),
      ]
    }
    return [JSONMember(key: "reach", value: .array(list))]
  }

  /// How each resident's guardians can be reached, for people to read. The world shows what does not work.
  public func reachSummaries(in world: World) -> [JSONValue] {
    reach(in: world).map { $0.json(in: house.language) }
  }

  /// The guardians of a resident, or of all when nil, each with the ways that lead to them. The world shows what does not
  /// work.
  public func guardianSummaries(of resident: ResidentID?, in world: World) -> [JSONValue] {
    let ways = reach(in: world).flatMap(\.ways)
    return house.guardians(toldOf: resident).map { guardian in
      guardian.json.setting(
        "ways", to: .array(ways.filter { $0.guardian == guardian.id }.map(\.json)))
    }
  }
}
