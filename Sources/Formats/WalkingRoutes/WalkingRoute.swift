public import Bytes
public import Care
public import JSON

/// A way on foot from one place to another: its line, and what to do where.
///
/// The answer of the service `route`, and what guidance keeps of it:
///
///     {"line": "_evi{A}zcw\\xE…", "seconds": 1411, "maneuvers": [
///       {"turn": "start", "at": 0, "street": "Dachsberggasse"},
///       {"turn": "left", "at": 3, "street": "Herzogstraße"},
///       {"turn": "arrive-right", "at": 40}]}
///
/// `line` is an ``EncodedPolyline``, `at` the number of its point where something is to be done, 0-based.
public struct WalkingRoute: Hashable, Sendable {
  /// The most points of a line: about 200 km of town.
  public static let pointsAtMost = 20_000

  /// The points of the way, from its beginning to its end; two at least.
  public let line: [Coordinate]
  /// What to do, in order; the first stands at the beginning, the last at the end.
  public let maneuvers: [Maneuver]
  /// How long somebody on foot takes, in seconds, by whoever found the way.
  public let seconds: Double
  /// Metres along the way from its beginning to each point.
  public let metersTo: [Double]

  /// A way from its parts; nil where they do not fit together.
  public init?(line: [Coordinate], maneuvers: [Maneuver], seconds: Double) {
    guard (2...Self.pointsAtMost).contains(line.count), seconds.isFinite, seconds >= 0,
      maneuvers.count >= 2, maneuvers.first?.point == 0, maneuvers.last?.point == line.count - 1
    else { return nil }
    guard zip(maneuvers, maneuvers.dropFirst()).allSatisfy({ $0.point <= $1.point }) else {
      return nil
    }
    self.line = line
    self.maneuvers = maneuvers
    self.seconds = seconds
    var metersTo = [0.0]
    metersTo.reserveCapacity(line.count)
    for (from, to) in zip(line, line.dropFirst()) {
      metersTo.append((metersTo.last ?? 0) + from.distanceMeters(to: to))
    }
    self.metersTo = metersTo
  }

  /// Its length in metres.
  public var lengthMeters: Double { metersTo.last ?? 0 }

  /// Metres from the beginning to where a maneuver is.
  public func meters(to maneuver: Int) -> Double { metersTo[maneuvers[maneuver].point] }

  /// Metres from one maneuver to the next; 0 for the last.
  public func metersAfter(_ maneuver: Int) -> Double {
    guard maneuver + 1 < maneuvers.count else { return 0 }
    return meters(to: maneuver + 1) - meters(to: maneuver)
  }
}

extension WalkingRoute: JSONCodable {
  /// Reads a way.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let text = try reader.string("line")
    let line: [Coordinate]
    do throws(DecodeError) {
      line = try EncodedPolyline.points(of: text, atMost: Self.pointsAtMost)
    } catch {
      throw DecodeError(error.code, at: error.offset, field: "line")
    }
    let maneuvers = try reader.list("maneuvers") { value throws(DecodeError) in
      try Maneuver(json: value)
    }
    guard
      let route = WalkingRoute(
        line: line, maneuvers: maneuvers, seconds: try reader.double("seconds"))
    else { throw reader.error(.outOfRange, "maneuvers") }
    self = route
  }

  /// The way as an object.
  public var json: JSONValue {
    [
      "line": .string(EncodedPolyline.text(of: line)), "seconds": .number(seconds),
      "maneuvers": .array(maneuvers.map(\.json)),
    ]
  }
}
