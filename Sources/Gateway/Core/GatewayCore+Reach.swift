import Alarms
public import Care
public import JSON
public import Moments
import Texts

/// Whether anybody can be told when a resident needs help.
///
/// What nobody can be told by is a fault like any other: shown, reported and lasting until somebody can be told again.
extension GatewayCore {
  /// The part that the guardians are, among the gateway's own. It names nobody: health is read by programs as well.
  public static let reachComponent: ComponentID = "guardians"

  /// How each resident's guardians can be reached now, by resident.
  func reach(at now: Moment) -> [Reach] {
    let failed = currentFaults.filter { $0.state == .failed }.compactMap { fault -> String? in
      let words = fault.component.rawValue.split(separator: "/")
      return words.count == 2 && words[0] == "plugin" ? String(words[1]) : nil
    }
    return directory.sortedResidents.map {
      alarms.reach(of: $0.id, failed: Set(failed), at: now)
    }
  }

  /// What can change who can be told, or how long ago that was proved.
  static func concernsReach(_ input: CoreInput) -> Bool {
    switch input {
    case .observation(.delivery), .observation(.ways), .observation(.health),
      .observation(.clock):
      true
    case .observation: false
    case .command, .wake, .started: true
    case .timeZone: false
    }
  }

  /// Finds out anew whether guardians can be told; what changed becomes a fault, or clears one.
  mutating func judgeReach(at now: Moment, in step: inout Step) {
    guard let report = judgedReach(reach(at: now)) else { return }
    guard report.state != reachReport?.state || report.code != reachReport?.code else { return }
    reachReport = report
    watch(report, at: now, in: &step)
  }

  private func judgedReach(_ reach: [Reach]) -> HealthReport? {
    guard reach.allSatisfy(\.isKnown) else { return nil }
    let language = configuration.language
    func report(_ state: HealthState, _ code: String, _ detail: Message) -> HealthReport {
      HealthReport(
        component: Self.reachComponent, state: state, code: code,
        detail: Message(verbatim: detail.text(in: language)))
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

  /// What a heartbeat says of it; nothing until it is known.
  func reachMembers(at now: Moment) -> [JSONMember] {
    let reach = reach(at: now)
    guard !reach.isEmpty, reach.allSatisfy(\.isKnown) else { return [] }
    let list = reach.map { reach -> JSONValue in
      [
        "resident": .string(reach.resident.rawValue), "isReachable": .bool(reach.isReachable),
        "isProven": .bool(reach.isProvenNow),
      ]
    }
    return [JSONMember(key: "reach", value: .array(list))]
  }

  /// How each resident's guardians can be reached, for people to read.
  public func reachSummaries(at now: Moment) -> [JSONValue] {
    reach(at: now).map { $0.json(in: configuration.language) }
  }

  /// The guardians of a resident, or of all when nil, each with the ways that lead to them.
  public func guardianSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    let ways = reach(at: now).flatMap(\.ways)
    return guardians(of: resident).map { guardian in
      guardian.json.setting(
        "ways", to: .array(ways.filter { $0.guardian == guardian.id }.map(\.json)))
    }
  }

  /// What became of a message, in words.
  func words(of report: DeliveryReport) -> Message {
    let guardian = directory.guardians[GuardianID(report.recipient)]?.name ?? report.recipient
    let values: Message.Values = [
      "channel": report.channel, "who": guardian, "reason": report.detail,
    ]
    switch report.outcome {
    case .sent: return Message("The {channel} message to {who} was sent.", values)
    case .delivered: return Message("The {channel} message to {who} was delivered.", values)
    case .failed:
      return report.detail.isEmpty
        ? Message("The {channel} message to {who} failed.", values)
        : Message("The {channel} message to {who} failed: {reason}", values)
    }
  }
}
