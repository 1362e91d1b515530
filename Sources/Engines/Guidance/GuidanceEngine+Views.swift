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
    journeys[id]?.summary(
      from: positions.trail(of: id)?.fresh(at: now)?.place,
      heading: positions.heading(of: id, at: now)) ?? .null
  }

  /// Where home is from here, for somebody who is not on the way: `{destination?, meters?, minutes?, isHere?, words?,
  /// bearingDegrees?, headingDegrees?}`, without what nobody knows just now.
  public func wayHome(of id: ResidentID, in world: World) -> JSONValue {
    guard let home = destinations(of: id, in: world).home else { return .object([]) }
    let goal = home.place.json.setting("name", to: .string(home.name))
    let walker = Pedestrian(id, positions, in: world)
    guard !world.house.isRefused(.location, by: id), let place = walker.freshStep?.place
    else { return ["destination": goal] }
    let meters = place.distanceMeters(to: home.place)
    let words = JourneySentences(language: walker.language, name: walker.name, destination: home)
    return .object([
      "destination": goal, "meters": .integer(Int64(meters.rounded())),
      "minutes": .integer(Int64(GuidanceSentences.minutes(meters))),
      "isHere": .bool(meters <= JourneySentences.hereMeters),
      "words": .string(words.pointing(from: place, heading: walker.heading)),
      "bearingDegrees": .direction(Angle.bearing(from: place, to: home.place)),
      "headingDegrees": walker.heading.map { .direction($0) },
    ])
  }
}
