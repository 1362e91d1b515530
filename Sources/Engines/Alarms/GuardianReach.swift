import Care
import JSON
import Moments
import Texts

/// How guardians can be reached now: by what plugins offer, and by what has proved to work.
struct GuardianReach {
  private let house: House
  private let carriers: Carriers
  private let ways: WayRecords
  /// Names of plugins that say that they do not work.
  private let failed: Set<String>
  private let now: Moment

  init(
    in house: House, by carriers: Carriers, _ ways: WayRecords, failed: Set<String> = [],
    at now: Moment
  ) {
    self.house = house
    self.carriers = carriers
    self.ways = ways
    self.failed = failed
    self.now = now
  }

  /// Names of plugins that say that they do not work, in a world that shows it.
  static func failedPlugins(in world: World) -> Set<String> {
    Set(
      world.faults.filter { $0.state == .failed }.compactMap { fault in
        let words = fault.component.rawValue.split(separator: "/")
        return words.count == 2 && words[0] == "plugin" ? String(words[1]) : nil
      })
  }

  /// How each resident's guardians can be reached, by resident.
  var all: [Reach] { house.residents.keys.sorted().map { self[$0] } }

  /// How each guardian of a resident can be reached.
  subscript(resident: ResidentID) -> Reach {
    let ways = house.guardians(toldOf: resident).flatMap { guardian in
      guardian.addresses.map { channel, address in way(guardian, channel, address) }
    }
    return Reach(
      resident: resident, name: house.name(of: resident), ways: ways, isKnown: carriers.isKnown)
  }

  private func way(
    _ guardian: Guardian, _ channel: Guardian.Channel, _ address: String
  ) -> Reach.Way {
    let record = ways[GuardianWay(guardian: guardian.id, channel: channel)]
    let offer = carriers[channel]
    var way = Reach.Way(
      guardian: guardian.id, guardianName: guardian.name, channel: channel, address: address,
      state: .untried)
    way.plugin = offer?.plugin
    way.proven = record?.proven
    way.proof = record?.proof?.rawValue
    way.tested = record?.tested
    way.failing = record?.failing
    way.detail = record?.detail ?? ""
    way.unprovenMilliseconds = (record?.proven ?? record?.known).map { $0.age(at: now) } ?? 0
    if carriers.isKnown, offer == nil {
      way.state = .missing
    } else if let offer, !offer.isRunning || failed.contains(offer.plugin) {
      way.state = .down
    } else if record?.failing != nil {
      way.state = .failing
    } else if record?.proven != nil {
      way.state = .proven
    }
    return way
  }

  // MARK: Judging

  /// Whether guardians can be told; nil until it is known what plugins offer.
  func report(as component: ComponentID) -> HealthReport? {
    let reach = all
    guard reach.allSatisfy(\.isKnown) else { return nil }
    func report(_ state: HealthState, _ code: String, _ detail: Message) -> HealthReport {
      HealthReport(
        component: component, state: state, code: code,
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

  /// What a heartbeat says of it; nothing until it is known.
  var heartbeatMembers: [JSONMember] {
    let reach = all
    guard !reach.isEmpty, reach.allSatisfy(\.isKnown) else { return [] }
    let list = reach.map { reach -> JSONValue in
      [
        "resident": .string(reach.resident.rawValue), "isReachable": .bool(reach.isReachable),
        "isProven": .bool(reach.isProvenNow),
      ]
    }
    return [JSONMember(key: "reach", value: .array(list))]
  }

  /// The guardians of a resident, or of all when nil, each with the ways that lead to them.
  func guardians(of resident: ResidentID?) -> [JSONValue] {
    let ways = all.flatMap(\.ways)
    return house.guardians(toldOf: resident).map { guardian in
      guardian.json.setting(
        "ways", to: .array(ways.filter { $0.guardian == guardian.id }.map(\.json)))
    }
  }

  /// An answer to who raised an alarm, with whether anybody can be told of it, once that is known.
  func told(of resident: ResidentID, in reply: JSONValue) -> JSONValue {
    let reach = self[resident]
    guard reach.isKnown else { return reply }
    return reply.setting("isReachable", to: .bool(reach.isReachable))
      .setting("reach", to: .string(reach.explanation.text(in: house.language)))
  }
}

extension Input.Cause {
  /// Whether it can change who can be told, or how long ago that was proved.
  var concernsReach: Bool {
    switch self {
    case .start, .command, .wake: true
    case .observation(.delivery), .observation(.ways), .observation(.health),
      .observation(.clock):
      true
    case .observation: false
    }
  }
}
