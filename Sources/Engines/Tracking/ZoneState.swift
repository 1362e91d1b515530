import Bytes
import Care
import JSON
import Moments

/// Whether a resident is in a zone, once that is settled.
enum Presence: String, Hashable, Sendable {
  case inside
  case outside
}

/// One believed fix, seen from one zone.
struct ZoneFix: Hashable, Sendable {
  var fix: AcceptedFix
  /// Metres to the edge; not more than 0 within the zone.
  var edgeMeters: Double
  /// Metres that tell people where it is: from the centre of a circle, and from the border of any other area.
  var distanceMeters: Double

  init(_ fix: AcceptedFix, seenFrom zone: SafeZone) {
    self.fix = fix
    edgeMeters = zone.edgeMeters(from: fix.coordinate)
    distanceMeters =
      zone.polygon == nil
      ? zone.center.distanceMeters(to: fix.coordinate) : edgeMeters.magnitude
  }
}

/// What is known about one zone; zones that are settled as outside and quiet keep none.
struct ZoneState: Hashable, Sendable {
  /// The last settled answer; nil before there is one.
  var settled: Presence?
  /// Since when, where a change was seen.
  var since: Stamp?
  /// Consecutive fixes beyond the leaving threshold that do not yet make an exit.
  var outsideFixes: [AcceptedFix] = []
  /// Milliseconds after the first outside fix in which it must be confirmed or refuted.
  var confirmMilliseconds: Int64 = 0
  /// Since when the error circle straddles the border.
  var unsureSince: Stamp?
  /// The newest fix in doubt.
  var doubtfulFix: AcceptedFix?
  /// Whether the doubt was told.
  var isUncertain = false
  /// The settled answer before the zone was changed, until there is a new one.
  var settledBeforeChange: Presence?

  /// Settled as outside with nothing left to remember.
  var isQuiet: Bool {
    settled == .outside && since == nil && outsideFixes.isEmpty && unsureSince == nil
      && !isUncertain && settledBeforeChange == nil
  }

  /// Whether nothing has ever been learnt, so that a missing row says the same.
  var isBlank: Bool { settled == nil && unsureSince == nil && settledBeforeChange == nil }

  /// What must be on disk at once; doubt that has just begun can wait for a checkpoint.
  func needsWriting(after saved: ZoneState?) -> Bool {
    guard let saved else { return true }
    return settled != saved.settled || since != saved.since
      || outsideFixes != saved.outsideFixes || isUncertain != saved.isUncertain
      || settledBeforeChange != saved.settledBeforeChange
  }

  /// When the doubt becomes telling; nil while there is none, or when it has been told.
  func doubtDeadline(_ settings: TrackingSettings) -> Tick? {
    guard !isUncertain else { return nil }
    let lasting = unsureSince?.tick(after: settings.uncertainAfterSeconds)
    guard settled == .inside, let first = outsideFixes.first else { return lasting }
    let unconfirmed = first.stamp.tick.advanced(byMilliseconds: confirmMilliseconds)
    return min(lasting ?? unconfirmed, unconfirmed)
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    since?.map(change)
    unsureSince?.map(change)
    doubtfulFix?.stamp.map(change)
    for index in outsideFixes.indices { outsideFixes[index].stamp.map(change) }
  }
}

extension Stamp {
  mutating func map(_ change: (inout Stamp) -> Void) { change(&self) }
}

extension ZoneState {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    settled = try reader.optionalWord("presence", as: Presence.self)
    since = try reader.optionalStamp("since")
    for element in try reader.array("outsideFixes") {
      outsideFixes.append(try AcceptedFix(json: element))
    }
    confirmMilliseconds = try reader.optionalInteger("confirmMilliseconds") ?? 0
    unsureSince = try reader.optionalStamp("unsureSince")
    if let found = reader.optional("doubtfulFix") { doubtfulFix = try AcceptedFix(json: found) }
    isUncertain = try reader.optionalBool("isUncertain") ?? false
    settledBeforeChange = try reader.optionalWord("presenceBeforeChange", as: Presence.self)
  }

  var json: JSONValue {
    .object([
      "presence": (settled?.rawValue).map(JSONValue.string), "since": since?.json,
      "outsideFixes": outsideFixes.isEmpty ? nil : .array(outsideFixes.map(\.json)),
      "confirmMilliseconds": outsideFixes.isEmpty ? nil : .integer(confirmMilliseconds),
      "unsureSince": unsureSince?.json, "doubtfulFix": doubtfulFix?.json,
      "isUncertain": isUncertain ? true : nil,
      "presenceBeforeChange": (settledBeforeChange?.rawValue).map(JSONValue.string),
    ])
  }
}
