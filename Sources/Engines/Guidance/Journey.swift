import Bytes
import Care
import JSON
import Moments
import WalkingRoutes

/// Somebody on the way to a place.
struct Journey: Hashable, Sendable {
  /// Where somebody wants to go.
  struct Destination: Hashable, Sendable {
    var name: String
    var place: Coordinate
    var isHome: Bool
  }

  /// How far it has come.
  enum Stage: String, Hashable, Sendable {
    /// The resident was asked whether to go, and has not answered.
    case asked
    /// A position or a way is looked for.
    case seeking
    /// The way is shown, turn by turn.
    case leading
    /// No way is known: the direction is told.
    case pointing
  }

  static let engine = "guidance"
  static let rowName = "journey"
  /// Nobody is on the way for longer.
  static let longestMilliseconds: Int64 = 6 * 3_600_000

  let destination: Destination
  let began: Timestamp
  /// Whether a trusted clock told when it began.
  let isBeganCertain: Bool
  var stage = Stage.seeking
  /// The way, and how far along it; nil while none is known.
  var follower: Follower?
  var trouble: Trouble?
  var search = WaySearch()
  var voice = SpokenWords()
  /// When the stage began, for what is waited for in it.
  var since: Tick
  /// When a position came last.
  var located: Tick?
  /// Whether it was said that no position comes.
  var isBlindTold = false
  /// Whether words for going on after a restart are due.
  var isResumed = false
  /// Whether the way is at its end, and the place is farther: nothing on the map leads nearer.
  var isBeyondWay = false
  /// How often somebody was found to go back and forth.
  var pacings = 0
  /// How many other ways were needed.
  var reroutes = 0
  /// Whether it is over, and is to be forgotten.
  var hasEnded = false

  init(to destination: Destination, at now: Moment) {
    self.destination = destination
    began = now.utc
    isBeganCertain = now.quality.isTrusted
    since = now.tick
  }

  static func == (left: Journey, right: Journey) -> Bool {
    left.row(of: "") == right.row(of: "") && left.since == right.since
      && left.search.query == right.search.query && left.trouble == right.trouble
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(destination)
    hasher.combine(stage)
  }
}

extension Journey {
  /// Metres along the way are written in steps, so that a walk is not a write a second.
  private static let keptMeters = 50.0

  /// A journey as it is stored; nil for a row that this version cannot make sense of.
  init(row: EngineRow, at now: Moment) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    destination = Destination(
      name: try reader.string("name"), place: try Coordinate(json: row.content),
      isHome: try reader.bool("isHome"))
    began = Timestamp(milliseconds: try reader.integer("began"))
    isBeganCertain = try reader.bool("isBeganCertain")
    since = now.tick
    reroutes = Int(clamping: try reader.optionalCount("reroutes") ?? 0)
    isResumed = true
    stage = .seeking
    guard let route = reader.optional("route") else { return }
    var follower = Follower(try WalkingRoute(json: route))
    follower.resume(at: try reader.optionalDouble("along") ?? 0)
    self.follower = follower
    stage = .leading
  }

  /// The row as it is stored.
  func row(of resident: ResidentID) -> EngineRow {
    let along = follower.map { ($0.furthest / Self.keptMeters).rounded(.down) * Self.keptMeters }
    return EngineRow(
      engine: Self.engine, subject: resident.rawValue, name: Self.rowName,
      content: .object([
        "name": .string(destination.name), "latitude": .number(destination.place.latitudeDegrees),
        "longitude": .number(destination.place.longitudeDegrees),
        "isHome": .bool(destination.isHome), "began": .integer(began.milliseconds),
        "isBeganCertain": .bool(isBeganCertain), "stage": .string(stage.rawValue),
        "reroutes": reroutes == 0 ? nil : .integer(Int64(reroutes)),
        "route": follower?.route.json, "along": along.map { .number($0) },
      ]))
  }

  /// Whether nobody can mean it any more.
  func isOver(at now: Moment) -> Bool {
    isBeganCertain && now.quality.isTrusted
      && now.utc.milliseconds(since: began) > Self.longestMilliseconds
  }
}

/// Something on the way that worries.
struct Trouble: Hashable, Sendable {
  /// What worries.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Somebody does not go on.
    case still
    /// Somebody goes back and forth.
    case pacing
    /// Somebody moves faster than on foot.
    case vehicle
    /// The way is too long to walk.
    case tooFar = "too-far"
    /// It is dark, and the resident is not to walk in the dark.
    case dark
    /// Nothing leads there on foot.
    case noWay = "no-way"
    /// Nothing of what is said can be heard.
    case unheard
  }

  var kind: Kind
  /// When the resident was asked, or would have been if they could hear.
  var asked: Tick
  /// Whether guardians were told.
  var isTold = false
}
