import Care
import JSON
import Moments
import WalkingRoutes

extension Journey {
  /// What whoever looks sees of it, from where somebody is and which way they look or go, as far as that is known; see
  /// ``GuidanceEngine/summary(of:at:)``.
  func summary(from place: Coordinate?, heading: Double?) -> JSONValue {
    let street = follower.flatMap { $0.route.maneuvers[max(0, $0.next - 1)].street }
    let left = follower?.metersLeft ?? place?.distanceMeters(to: destination.place)
    return .object([
      "stage": .string(stage.rawValue),
      "destination": destination.json,
      "began": .string(began.iso8601),
      "metersLeft": left.map { .integer(Int64($0.rounded())) },
      "minutesLeft": left.map { .integer(Int64(GuidanceSentences.minutes($0))) },
      "metersToNext": follower.map { .integer(Int64($0.metersToNext.rounded())) },
      "street": street.map { .string($0) },
      "words": .string(voice.words.joined(separator: " ")),
      "bearingDegrees": place.map { .direction(bearing(from: $0)) },
      "headingDegrees": heading.map { .direction($0) },
      "trouble": trouble.map { .string($0.kind.rawValue) },
      "isTold": trouble.map { .bool($0.isTold) },
      "reroutes": .integer(Int64(reroutes)),
    ])
  }

  /// Along the way where there is one, else straight to the place.
  private func bearing(from place: Coordinate) -> Double {
    guard let follower, follower.metersLeft > 1 else {
      return Angle.bearing(from: place, to: destination.place)
    }
    return follower.line.bearing(at: follower.along)
  }
}

extension Journey.Destination {
  /// `{name, latitude, longitude, isHome}`.
  var json: JSONValue {
    place.json.setting("name", to: .string(name)).setting("isHome", to: .bool(isHome))
  }
}

extension JSONValue {
  /// A direction as a whole number of degrees, 0 through 359.
  static func direction(_ degrees: Double) -> JSONValue {
    let whole = Int64(degrees.rounded()) % 360
    return .integer(whole < 0 ? whole + 360 : whole)
  }
}
