import Bytes
import Care
import JSON
import Moments

/// What became of something that the resident should have along.
enum OutingVerdict: String, Hashable, Sendable {
  /// The device that moves with the resident hears it.
  case along
  /// It stayed, which was told.
  case left
}

/// What is remembered about one tag.
struct TagRecord: Hashable, Sendable {
  /// When the tag became known; silence counts from here at the earliest.
  var known: Stamp
  /// How each device hears it.
  var links: [SourceID: TagLink] = [:]
  /// The presence last told.
  var told = TagPresence.unknown
  /// Whether its long silence was told.
  var isSilent = false
  /// The battery, as it said last.
  var batteryPercent: Int?
  /// Whether its low battery was told.
  var isBatteryLow = false
  /// What became of it on this outing; nil while that cannot be said.
  var outing: OutingVerdict?
  /// The time in company that is not over.
  var encounter: OpenEncounter?
  /// In which room it is.
  var rooms = RoomMerge()

  init(at now: Moment) { known = Stamp(now) }

  /// When any device last heard it.
  var heard: Stamp? {
    links.values.compactMap(\.signal.heard).max { $0.tick < $1.tick }
  }

  /// The closest presence at some of the devices; where none hears it, that of the device that heard it last.
  func presence(at hearers: (SourceID) -> Bool) -> TagPresence {
    var best = TagPresence.unknown
    var newest: Tick?
    for (hearer, link) in links where hearers(hearer) {
      switch link.presence {
      case .near: return .near
      case .room: best = .room
      case .away, .unknown:
        guard best != .room, let heard = link.signal.heard?.tick else { continue }
        // Away wins at equal times, so that the order of a dictionary decides nothing.
        if let newest, heard < newest || (heard == newest && link.presence == .unknown) {
          continue
        }
        newest = heard
        best = link.presence
      }
    }
    return best
  }

  /// How loud it is in each room whose device listens and hears it.
  func roomLevels(at hearers: TagHearers) -> [RoomMerge.Level] {
    links.compactMap { hearer, link in
      guard case .room(let room)? = hearers[hearer]?.place, hearers.listens(hearer) != nil,
        link.presence.isHeard, let level = link.signal.levelDBm, let heard = link.signal.heard
      else { return nil }
      return RoomMerge.Level(room: room, strengthDBm: level, heard: heard.tick)
    }
  }

  /// A battery counts as changed once it is so much fuller than the limit.
  private static let refilledPercent = 20

  /// Notes a sign of life.
  ///
  /// - Returns: whether its long silence had been told.
  mutating func noteLife() -> Bool {
    defer { isSilent = false }
    return isSilent
  }

  /// Notes what the battery says.
  ///
  /// - Returns: whether it is news that it is low.
  mutating func noteBattery(_ percent: Int, limit: Int) -> Bool {
    batteryPercent = percent
    if isBatteryLow {
      if percent >= limit + Self.refilledPercent { isBatteryLow = false }
      return false
    }
    guard percent <= limit else { return false }
    isBatteryLow = true
    return true
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    change(&known)
    for hearer in links.keys { links[hearer]?.mapStamps(change) }
    encounter?.mapStamps(change)
    rooms.mapStamps(change)
  }

  /// What must be on disk at once.
  var urgent: [String] {
    let heard = links.sorted { $0.key < $1.key }.map {
      "\($0.key)=\($0.value.presence.rawValue)"
    }
    return heard + [
      told.rawValue, "\(isSilent)", "\(isBatteryLow)", outing?.rawValue ?? "",
      "\(encounter != nil)", rooms.room ?? "",
    ]
  }
}

extension TagRecord {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    known = try reader.stamp("known")
    for element in try reader.array("links") {
      let hearer = SourceID(try JSONReader(element).string("hearer"))
      links[hearer] = try TagLink(json: element)
    }
    told = try reader.word("told", as: TagPresence.self)
    isSilent = try reader.optionalBool("isSilent") ?? false
    batteryPercent = try reader.optionalInteger("batteryPercent").map { Int(clamping: $0) }
    isBatteryLow = try reader.optionalBool("isBatteryLow") ?? false
    outing = try reader.optionalWord("outing", as: OutingVerdict.self)
    if let found = reader.optional("encounter") { encounter = try OpenEncounter(json: found) }
    if let found = reader.optional("rooms") { rooms = try RoomMerge(json: found) }
  }

  var json: JSONValue {
    .object([
      "known": known.json,
      "links": .array(
        links.sorted { $0.key < $1.key }.map { hearer, link in
          link.json.setting("hearer", to: .string(hearer.rawValue))
        }),
      "told": .string(told.rawValue), "isSilent": isSilent ? true : nil,
      "batteryPercent": batteryPercent.map { .integer(Int64($0)) },
      "isBatteryLow": isBatteryLow ? true : nil,
      "outing": (outing?.rawValue).map(JSONValue.string), "encounter": encounter?.json,
      "rooms": rooms == RoomMerge() ? nil : rooms.json,
    ])
  }
}

/// What is remembered beside the tags.
struct ProximitySession: Hashable, Sendable {
  /// When the resident went out; nil while at home or not known to be out.
  var wentOut: Stamp?
  /// When the resident last came or went.
  var turned: Stamp?
  /// Whether what is along was judged on this outing at all; not kept over restarts.
  var isJudged = false
  /// Since when each device listens, restarts in between included.
  var listened: [SourceID: Stamp] = [:]

  /// Since when somebody who could hear a tag has listened without a break; nil while nobody does.
  private func witnessed(_ tag: Tag, by hearers: TagHearers) -> Stamp? {
    let isOut = wentOut != nil
    return listened.filter { hearer, _ in
      guard hearers.listens(hearer) != nil else { return false }
      guard isOut else { return true }
      if tag.kind.staysAtHome { return hearers.isFixed(hearer) }
      return tag.belongsAlong ? hearers.isCarried(hearer) : hearers.isFixed(hearer)
    }.values.min { $0.tick < $1.tick }
  }

  /// When the silence of a tag is long; nil where it is told, or nobody would hear it.
  func silenceDeadline(of tag: Tag, _ record: TagRecord, by hearers: TagHearers) -> Tick? {
    guard !record.isSilent, let patience = tag.silentMilliseconds,
      let since = witnessed(tag, by: hearers)
    else { return nil }
    var basis = max(since.tick, record.known.tick)
    if let heard = record.heard { basis = max(basis, heard.tick) }
    if let turned { basis = max(basis, turned.tick) }
    return basis.advanced(byMilliseconds: patience)
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    wentOut?.map(change)
    turned?.map(change)
    for hearer in listened.keys { listened[hearer]?.map(change) }
  }
}

extension ProximitySession {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    wentOut = try reader.optionalStamp("wentOut")
    turned = try reader.optionalStamp("turned")
    for element in try reader.array("listened") {
      listened[SourceID(try JSONReader(element).string("hearer"))] = try Stamp(json: element)
    }
  }

  var json: JSONValue {
    .object([
      "wentOut": wentOut?.json, "turned": turned?.json,
      "listened": .array(
        listened.sorted { $0.key < $1.key }.map { hearer, stamp in
          stamp.json.setting("hearer", to: .string(hearer.rawValue))
        }),
    ])
  }
}
