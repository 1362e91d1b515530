import Care

/// Where residents lived before their home zones were moved or removed, for the privacy of events of then.
struct HomeBook: Hashable, Sendable {
  static let engine = "homes"
  private static let prefix = "home:"
  /// So many are known of one resident; the oldest go first.
  static let most = 16

  private var homes: [ResidentID: [PastHome]] = [:]

  init(rows: [EngineRow]) {
    for row in rows where row.engine == Self.engine && row.name.hasPrefix(Self.prefix) {
      guard let home = try? PastHome(json: row.content) else { continue }
      homes[ResidentID(row.subject), default: []].append(home)
    }
    for id in homes.keys { homes[id]?.sort { ($0.generation, $0.zone) < ($1.generation, $1.zone) } }
  }

  var rows: [EngineRow] {
    homes.keys.sorted().flatMap { id in (homes[id] ?? []).map { Self.row($0, of: id) } }
  }

  /// All of them.
  var all: [PastHome] { homes.keys.sorted().flatMap { homes[$0] ?? [] } }

  /// Notes that a zone is not what it was.
  mutating func note(_ old: SafeZone?, becomes new: SafeZone?) -> [StateChange] {
    guard let old, old.isHome, Self.hides(old, more: new) else { return [] }
    let reach = old.radiusMeters + old.exitMarginMeters
    var own = homes[old.resident] ?? []
    if let near = own.firstIndex(where: {
      $0.center.distanceMeters(to: old.center) <= PastHome.nearMeters
    }) {
      let offset = own[near].center == old.center ? 0 : PastHome.nearMeters
      guard reach + offset > own[near].reachMeters else { return [] }
      own[near].reachMeters = reach + offset
      homes[old.resident] = own
      return [.putEngineRow(Self.row(own[near], of: old.resident))]
    }
    let home = PastHome(
      zone: old.id, generation: PastHome.nextGeneration(of: old.id, after: own),
      center: old.center, reachMeters: reach)
    own.append(home)
    var changes: [StateChange] = [.putEngineRow(Self.row(home, of: old.resident))]
    if own.count > Self.most {
      changes.append(
        .removeEngineRow(
          engine: Self.engine, subject: old.resident.rawValue, name: Self.name(own.removeFirst())))
    }
    homes[old.resident] = own
    return changes
  }

  /// Whether a home hid something that what became of it does not.
  private static func hides(_ old: SafeZone, more new: SafeZone?) -> Bool {
    guard let new, new.isHome, new.resident == old.resident, new.center == old.center else {
      return true
    }
    return new.radiusMeters + new.exitMarginMeters < old.radiusMeters + old.exitMarginMeters
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ resident: ResidentID) { homes[resident] = nil }

  private static func name(_ home: PastHome) -> String { prefix + home.key }

  private static func row(_ home: PastHome, of resident: ResidentID) -> EngineRow {
    EngineRow(
      engine: engine, subject: resident.rawValue, name: name(home), content: home.json)
  }
}
