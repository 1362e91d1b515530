import Bytes
public import Care
public import JSON
public import Moments
import WalkingRoutes

/// What whoever looks sees of the way.
extension GuidanceEngine {
  /// What is known of a journey, for people to read; null while there is none.
  ///
  /// `{stage, destination: {name, latitude, longitude, isHome}, began, metersLeft?, minutesLeft?, metersToNext?, street?,
  /// words, bearingDegrees?, headingDegrees?, trouble?, isTold?, reroutes}`; `bearingDegrees` is which way to go now and
  /// `headingDegrees` which way somebody looks or goes, both clockwise from true north, and missing while nobody knows.
  public func summary(of id: ResidentID, at now: Tick) -> JSONValue {
    guard let journey = journeys[id] else { return .null }
    let (goal, follower) = (journey.destination, journey.follower)
    let street = follower.flatMap { $0.route.maneuvers[max(0, $0.next - 1)].street }
    let place = freshStep(id, at: now)?.place
    let left = follower?.metersLeft ?? place?.distanceMeters(to: goal.place)
    return .object([
      "stage": .string(journey.stage.rawValue),
      "destination": goal.place.json.setting("name", to: .string(goal.name))
        .setting("isHome", to: .bool(goal.isHome)),
      "began": .string(journey.began.iso8601),
      "metersLeft": left.map { .integer(Int64($0.rounded())) },
      "minutesLeft": left.map { .integer(Int64(GuidanceSentences.minutes($0))) },
      "metersToNext": follower.map { .integer(Int64($0.metersToNext.rounded())) },
      "street": street.map { .string($0) },
      "words": .string(journey.words.joined(separator: " ")),
      "bearingDegrees": place.map { .integer(Self.whole(bearing(of: journey, from: $0))) },
      "headingDegrees": positions.heading(of: id, at: now).map { .integer(Self.whole($0)) },
      "trouble": journey.trouble.map { .string($0.kind.rawValue) },
      "isTold": journey.trouble.map { .bool($0.isTold) },
      "reroutes": .integer(Int64(journey.reroutes)),
    ])
  }

  /// Along the way where there is one, else straight to the place.
  private func bearing(of journey: Journey, from place: Coordinate) -> Double {
    guard let follower = journey.follower, follower.metersLeft > 1 else {
      return Angle.bearing(from: place, to: journey.destination.place)
    }
    return follower.line.bearing(at: follower.along)
  }

  /// Where home is from here, for somebody who is not on the way: `{destination?, meters?, minutes?, isHere?, words?,
  /// bearingDegrees?, headingDegrees?}`, without what nobody knows just now.
  public func wayHome(of id: ResidentID, in world: World) -> JSONValue {
    guard let home = home(of: id, in: world) else { return .object([]) }
    let goal = home.place.json.setting("name", to: .string(home.name))
    let now = world.now.tick
    guard !world.house.isRefused(.location, by: id), let place = freshStep(id, at: now)?.place
    else { return ["destination": goal] }
    let (meters, heading) = (
      place.distanceMeters(to: home.place), positions.heading(of: id, at: now)
    )
    let journey = Journey(to: home, at: world.now)
    return .object([
      "destination": goal, "meters": .integer(Int64(meters.rounded())),
      "minutes": .integer(Int64(GuidanceSentences.minutes(meters))),
      "isHere": .bool(meters <= Self.hereMeters),
      "words": .string(sentences(id, journey, in: world).pointing(from: place, heading: heading)),
      "bearingDegrees": .integer(Self.whole(Angle.bearing(from: place, to: home.place))),
      "headingDegrees": heading.map { .integer(Self.whole($0)) },
    ])
  }

  /// A direction as a whole number of degrees, 0 through 359.
  private static func whole(_ degrees: Double) -> Int64 {
    let whole = Int64(degrees.rounded()) % 360
    return whole < 0 ? whole + 360 : whole
  }
}
