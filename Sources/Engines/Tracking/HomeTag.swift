import Bytes
import Care
import JSON
import Moments

/// What is known about one tag at home, as tracking remembers it.
struct HomeTag: Hashable, Sendable {
  var id: TagID
  var name: String
  var zone: ZoneID?
  var state: HomeTagVerdict.State
  var heard: Stamp?
  var holdSeconds: Int64
  /// Whether positions contradicted it; it is then not believed until positions agree again.
  var isDoubted = false

  init(_ verdict: HomeTagVerdict) {
    id = verdict.tag
    name = verdict.name
    zone = verdict.zone
    state = verdict.state
    heard = verdict.heard.map { Stamp($0) }
    holdSeconds = verdict.holdSeconds
  }

  /// Whether it has been heard so lately that it says where the resident is.
  func isFresh(at now: Moment) -> Bool {
    guard state == .heard, let heard, !heard.isEstimated else { return false }
    return heard.age(at: now) <= holdSeconds.multipliedClamped(by: 1000)
  }

  /// Whether it stands in a zone.
  func stands(in zone: SafeZone) -> Bool {
    self.zone.map { $0 == zone.id } ?? zone.isHome
  }

  /// Whether it brings a resident into a zone: one of no particular zone brings nobody into one of several homes.
  func bringsIn(among zones: [SafeZone]) -> Bool {
    zone != nil || zones.filter(\.isHome).count == 1
  }

  /// What must be on disk at once.
  var urgent: HomeTag {
    var urgent = self
    urgent.heard = nil
    return urgent
  }
}

extension HomeTag {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    id = TagID(try reader.string("tag"))
    name = try reader.string("name")
    zone = try reader.optionalString("zone").map { ZoneID($0) }
    state = try reader.word("state", as: HomeTagVerdict.State.self)
    heard = try reader.optionalStamp("heard")
    holdSeconds = try reader.integer("holdSeconds")
    isDoubted = try reader.optionalBool("isDoubted") ?? false
  }

  var json: JSONValue {
    .object([
      "tag": .string(id.rawValue), "name": .string(name),
      "zone": (zone?.rawValue).map(JSONValue.string), "state": .string(state.rawValue),
      "heard": heard?.json, "holdSeconds": .integer(holdSeconds),
      "isDoubted": isDoubted ? true : nil,
    ])
  }
}

/// The tags at home of one resident; few, by id.
struct HomeTags: Hashable, Sendable {
  /// More tags than this at home are not looked at.
  static let limit = 16

  private(set) var tags: [HomeTag] = []

  /// Takes over a verdict; the doubt about a tag outlives it.
  mutating func take(_ verdict: HomeTagVerdict) {
    var tag = HomeTag(verdict)
    if let index = tags.firstIndex(where: { $0.id == tag.id }) {
      tag.isDoubted = tags[index].isDoubted
      tags[index] = tag
    } else if tags.count < Self.limit {
      tags.append(tag)
      tags.sort { $0.id < $1.id }
    }
  }

  mutating func doubt(_ id: TagID, _ isDoubted: Bool) {
    guard let index = tags.firstIndex(where: { $0.id == id }) else { return }
    tags[index].isDoubted = isDoubted
  }

  /// The first tag that says now that the resident is in a zone.
  func voucher(for zone: SafeZone, at now: Moment) -> HomeTag? {
    tags.first { !$0.isDoubted && $0.stands(in: zone) && $0.isFresh(at: now) }
  }

  /// Those of some zones in which a tag holds the resident.
  func vouchedZones(
    among zones: [SafeZone], at now: Moment, by settings: TrackingSettings
  ) -> Set<ZoneID> {
    guard settings.homeTagVetoMeters > 0, !tags.isEmpty else { return [] }
    let vouched = zones.filter { voucher(for: $0, at: now) != nil }
    return Set(vouched.map(\.id))
  }

  /// The tags that are heard although positions took the resident out of their zone.
  func contradicted(by exit: ZoneExit, from zone: SafeZone, at now: Moment) -> [HomeTag] {
    guard let first = exit.fixes.first?.fix.stamp.tick else { return [] }
    return tags.filter { tag in
      guard tag.stands(in: zone), !tag.isDoubted, tag.isFresh(at: now), let heard = tag.heard
      else { return false }
      return heard.tick > first
    }
  }

  /// A position within the zone of a doubted tag agrees with it again.
  mutating func agree(with fix: AcceptedFix, in zones: [SafeZone]) {
    for tag in tags where tag.isDoubted {
      let agrees = zones.contains {
        tag.stands(in: $0) && $0.edgeMeters(from: fix.coordinate) <= 0
      }
      if agrees { doubt(tag.id, false) }
    }
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    for index in tags.indices { tags[index].heard?.map(change) }
  }
}

extension HomeTags {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    tags = Array(
      try reader.list("tags") { element throws(DecodeError) in try HomeTag(json: element) }
        .prefix(Self.limit)
    ).sorted { $0.id < $1.id }
  }

  /// The tags as the content of a row; nil when there are none.
  var json: JSONValue? {
    tags.isEmpty ? nil : ["tags": .array(tags.map(\.json))]
  }
}
