public import Bytes
import Care
public import JSON

/// What Valhalla answers when it is asked for a route.
///
/// `{"trip": {"status": 0, "legs": [{"shape": …, "maneuvers": […], "summary": {"time": s}}]}}`, or
/// `{"error_code": 442, "error": "No path could be found for input"}`.
///
/// - Source: Valhalla, Turn-by-turn API reference; `src/thor/worker.cc` and `src/exceptions.cc` for the codes.
public enum ValhallaAnswer: Hashable, Sendable {
  /// A way was found.
  case route(WalkingRoute)
  /// Both places are known, and nothing leads from one to the other on foot.
  case noWay
  /// There are no streets near one of the places, or the two are farther apart than may be asked.
  case noStreets

  /// Reads an answer.
  ///
  /// - Throws: ``DecodeError`` for what is no such answer.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let code = try reader.optionalInteger("error_code") {
      guard let answer = Self(code: code) else { throw reader.error(.outOfRange, "error_code") }
      self = answer
      return
    }
    let legs = try reader.object("trip").array("legs")
    guard let first = legs.first, legs.count == 1 else { throw reader.error(.outOfRange, "trip") }
    self = .route(try Self.route(leg: JSONReader(first, path: "trip.legs[0]")))
  }

  private init?(code: Int64) {
    switch code {
    // No suitable edges near a location; path distance exceeds the limit; unreachable regions.
    case 154, 170, 171: self = .noStreets
    case 441, 442, 443: self = .noWay
    default: return nil
    }
  }

  private static func route(leg: JSONReader) throws(DecodeError) -> WalkingRoute {
    let line: [Coordinate]
    do throws(DecodeError) {
      line = try EncodedPolyline.points(
        of: leg.string("shape"), atMost: WalkingRoute.pointsAtMost)
    } catch {
      throw error.field == nil ? DecodeError(error.code, at: error.offset, field: "shape") : error
    }
    let bends = try leg.list("maneuvers") { value throws(DecodeError) in
      try bend(JSONReader(value))
    }
    let maneuvers = Bend.joined(bends, along: line)
    let seconds = try leg.object("summary").double("time")
    // From a place to itself Valhalla gives one point.
    let whole = line.count == 1 ? [line[0], line[0]] : line
    let fitting = line.count == 1 ? spread(maneuvers) : maneuvers
    guard let route = WalkingRoute(line: whole, maneuvers: fitting, seconds: seconds) else {
      throw leg.error(.outOfRange, "maneuvers")
    }
    return route
  }

  private static func spread(_ maneuvers: [Maneuver]) -> [Maneuver] {
    maneuvers.enumerated().map { index, maneuver in
      var maneuver = maneuver
      maneuver.point = index == 0 ? 0 : 1
      return maneuver
    }
  }

  private static func bend(_ reader: JSONReader) throws(DecodeError) -> Bend {
    let point = try reader.count("begin_shape_index")
    guard point < Int64(WalkingRoute.pointsAtMost) else {
      throw reader.error(.outOfRange, "begin_shape_index")
    }
    let names = reader.optional("street_names")?.arrayContent?.compactMap(\.stringContent) ?? []
    let before = try reader.optionalDouble("bearing_before")
    let after = try reader.optionalDouble("bearing_after")
    let type = try reader.integer("type")
    let maneuver = Maneuver(
      turn(type, from: before, to: after), at: Int(point), street: street(names))
    let isBend = (8...16).contains(type) && before != nil && after != nil
    return Bend(maneuver: maneuver, before: before, after: after, isBend: isBend)
  }

  /// The name that stands on the sign: the first that is none of a numbered road.
  private static func street(_ names: [String]) -> String? {
    let words = names.map { String($0.drop { $0 == " " }.prefix(200)) }.filter { !$0.isEmpty }
    return words.first { !isNumber($0) } ?? words.first
  }

  /// Whether a name is that of a road in a list, such as `B35` or `A 23`.
  private static func isNumber(_ name: String) -> Bool {
    name.unicodeScalars.count <= 6 && name.unicodeScalars.contains { ("0"..."9").contains($0) }
      && name.unicodeScalars.filter { !("0"..."9").contains($0) && $0 != " " }.count <= 2
  }

  /// The turn by Valhalla's number of it; where the angle says otherwise, by the angle: a person sees the street.
  private static func turn(_ type: Int64, from before: Double?, to after: Double?) -> Maneuver.Turn
  {
    let angle = before.flatMap { before in after.map { Angle.turn(from: before, to: $0) } }
    switch type {
    case 1, 2, 3: return .start
    case 4: return .arrive
    case 5: return .arriveRight
    case 6: return .arriveLeft
    case 28, 29: return .ferry
    case 39, 41: return .lift
    case 40: return .steps
    case 42, 43: return .building
    case 20, 18, 23, 37: return angle.map { fork($0, .keepRight) } ?? .keepRight
    case 21, 19, 24, 38: return angle.map { fork($0, .keepLeft) } ?? .keepLeft
    default: return angle.map(Maneuver.Turn.init(angleDegrees:)) ?? plain(type)
    }
  }

  /// At a fork both ways go on: the word for it holds as long as neither is a real turn.
  private static func fork(_ angle: Double, _ turn: Maneuver.Turn) -> Maneuver.Turn {
    abs(angle) <= 35 ? turn : Maneuver.Turn(angleDegrees: angle)
  }

  private static func plain(_ type: Int64) -> Maneuver.Turn {
    switch type {
    case 9: .slightRight
    case 10: .right
    case 11: .sharpRight
    case 12, 13: .around
    case 14: .sharpLeft
    case 15: .left
    case 16: .slightLeft
    default: .straight
    }
  }
}

extension Maneuver.Turn {
  /// What a person does who changes their direction by so many degrees, clockwise positive, -180 through 180.
  public init(angleDegrees angle: Double) {
    switch abs(angle) {
    case ..<20: self = .straight
    case ..<45: self = angle < 0 ? .slightLeft : .slightRight
    case ..<135: self = angle < 0 ? .left : .right
    case ..<170: self = angle < 0 ? .sharpLeft : .sharpRight
    default: self = .around
    }
  }
}
