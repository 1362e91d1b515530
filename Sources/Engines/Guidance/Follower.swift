import Care
import Moments
import WalkingRoutes

/// Follows somebody along a way: how far they have come, whether they left it, and what is to be said now.
///
/// Knows geometry and time, and no words.
struct Follower: Hashable, Sendable {
  /// What is to be said.
  enum Cue: Hashable, Sendable {
    /// How the way begins.
    case depart
    /// Something is to be done in a moment; what, by its number.
    case soon(Int)
    /// Something is to be done here, and where `then` something else right after it.
    case now(Int, then: Int?)
    /// The turn was taken, and it goes straight on for a while.
    case along(Int)
    /// Nothing was said for long.
    case reassure(Int)
    /// The end is near.
    case near
    /// The end.
    case arrived
  }

  /// What a position says about the way.
  enum Standing: Hashable, Sendable {
    /// On it, as far as can be told.
    case on
    /// Off it for so long or so far that another way is to be found.
    case off
  }

  private struct Reach: Hashable {
    var meters: Double
    var at: Tick
  }

  /// Off the way by more than this beyond all doubt, for two positions, another way is needed.
  static let offMeters = 20.0
  /// Off the way for longer than this, likewise.
  static let offMilliseconds: Int64 = 15_000
  /// Sentences that can wait do so for this long after the one before.
  static let pauseMilliseconds: Int64 = 9_000
  /// A sentence that cannot wait comes so long after the one before at the earliest.
  static let leastPauseMilliseconds: Int64 = 4_500
  /// After so long in silence something kind is said.
  static let silenceMilliseconds: Int64 = 90_000
  /// How near the end one has arrived.
  static let arrivalMeters = 15.0
  /// Nobody comes along a way on foot faster than this, in metres a second; a receiver may seem to.
  private static let fastestWalk = 2.0
  /// Further ahead than a walk explains by so much is believed all the same.
  private static let slackMeters = 12.0
  private static let soonMeters = 45.0
  private static let nearMeters = 40.0

  let line: RouteLine
  /// Metres along the way.
  private(set) var along = 0.0
  private(set) var furthest = 0.0
  /// How far along somebody can have come at the last position; nil before the first.
  private var reach: Reach?
  /// How far along the first position can be: a way begins near where somebody was when it was asked for.
  private var firstReach = 40.0
  /// The number of what is to be done next.
  private(set) var next = 1
  private var offSince: Tick?
  private var isFarOff = false
  private var backSince: Tick?
  /// Up to which number it was announced, was told, and was spoken of once it was done.
  private var announced = 0
  private var told = 0
  private var confirmed = 0
  /// The last one that was announced and is done, although nobody said when: they hear that it is.
  private var skipped = 0
  private var isNearTold = false
  /// How many positions in a row were at the end.
  private var endPositions = 0
  private(set) var lastCue: Tick?
  private var hasDeparted = false

  init(_ route: WalkingRoute) { line = RouteLine(route) }

  /// The way.
  var route: WalkingRoute { line.route }

  /// Metres that are left.
  var metersLeft: Double { max(0, route.lengthMeters - along) }

  /// Metres to what is to be done next.
  var metersToNext: Double { max(0, route.meters(to: next) - along) }

  // MARK: Where somebody is

  /// Takes a position.
  mutating func take(_ step: Trail.Step) -> Standing {
    let limit = limit(at: step.tick)
    let place = locate(step, upTo: limit)
    // Who is not seen on the way may come back to it further along.
    let isSeen = place.off <= Self.offMeters
    reach = Reach(
      meters: isSeen ? min(limit, place.along + Self.slackMeters) : limit, at: step.tick)
    let doubt = min(step.doubt, 25)
    noteEnd(place, step)
    let isBack = isGoingBack(to: place, doubt, at: step.tick)
    let isOff = isOff(by: place.off, doubt, at: step.tick)
    if place.off <= Self.offMeters + doubt {
      along = place.along
      furthest = max(furthest, along)
      advance()
    }
    return isBack || isOff ? .off : .on
  }

  /// How far along the way somebody can be now. Where it leads past the same houses twice, or a receiver leaps, the nearest
  /// point of it may be one that they cannot have reached.
  private func limit(at now: Tick) -> Double {
    let length = max(route.lengthMeters, 1)
    guard let reach else { return min(length, firstReach) }
    let seconds = Double(now.milliseconds(since: reach.at)) / 1000
    return min(length, reach.meters + Self.fastestWalk * max(0, seconds))
  }

  /// The place on the way near what was reached so far; further ahead only where it fits there and here it does not.
  private func locate(_ step: Trail.Step, upTo limit: Double) -> RouteLine.Place {
    let near = line.place(
      of: step.place, within: max(0, along - 60)...max(along, min(limit, along + 120)))
    guard near.off > Self.offMeters, limit > along else { return near }
    let ahead = line.place(of: step.place, within: along...limit)
    return ahead.off < near.off / 2 ? ahead : near
  }

  private mutating func isOff(by meters: Double, _ doubt: Double, at now: Tick) -> Bool {
    let wasFarOff = isFarOff
    isFarOff = meters > Self.offMeters + 1.5 * doubt
    // Between houses a receiver leans to one side for long, by more than it says.
    guard meters > max(12, 2.2 * doubt) else {
      offSince = nil
      return false
    }
    let since = offSince ?? now
    offSince = since
    return isFarOff && wasFarOff || now.milliseconds(since: since) > Self.offMilliseconds
  }

  /// Whether somebody walks back along the way that they came.
  private mutating func isGoingBack(
    to place: RouteLine.Place, _ doubt: Double, at now: Tick
  ) -> Bool {
    guard place.off <= Self.offMeters + doubt, furthest - place.along > 15 + 2 * doubt else {
      backSince = nil
      return false
    }
    let since = backSince ?? now
    backSince = since
    let isFar = furthest - place.along > Self.offMeters + 10 + 2 * doubt
    return isFar && now > since || now.milliseconds(since: since) > Self.offMilliseconds
  }

  /// What lies behind is done. What was not said yet, because a receiver leapt over it, is said a little late; whoever was
  /// told of it beforehand waits for it.
  private mutating func advance() {
    func lateMeters(_ maneuver: Int) -> Double {
      told >= maneuver ? 4 : announced >= maneuver ? 25 : 12
    }
    while next < route.maneuvers.count - 1, along > route.meters(to: next) + lateMeters(next) {
      if announced >= next, told < next { skipped = next }
      next += 1
    }
  }

  // MARK: What to say

  /// What is to be said now; nil for nothing. Whatever it answers counts as said.
  mutating func cue(for step: Trail.Step) -> Cue? {
    guard let cue = due(step), mayBeSaid(cue, at: step.tick) else { return nil }
    note(cue, at: step.tick)
    return cue
  }

  private func due(_ step: Trail.Step) -> Cue? {
    if hasArrived { return .arrived }
    guard hasDeparted else { return .depart }
    if skipped == next - 1, confirmed < skipped { return .along(skipped) }
    let last = route.maneuvers.count - 1
    if next == last {
      if metersLeft <= Self.nearMeters, !isNearTold { return .near }
    } else if told < next, metersToNext <= Self.nowMeters(step) {
      return .now(next, then: follow(next))
    } else if announced < next, told < next, metersToNext <= Self.soonMeters,
      metersToNext > Self.nowMeters(step) + 10, route.metersAfter(next - 1) >= 60
    {
      return .soon(next)
    }
    if confirmed < next - 1, metersToNext > Self.soonMeters + 15 { return .along(next - 1) }
    guard let lastCue, step.tick.milliseconds(since: lastCue) >= Self.silenceMilliseconds else {
      return nil
    }
    return .reassure(next - 1)
  }

  /// How near something is when it is to be done: nearer than a receiver can tell makes no difference.
  private static func nowMeters(_ step: Trail.Step) -> Double { 10 + min(step.doubt, 16) / 2 }

  /// What comes so soon after something that both are said at once.
  private func follow(_ maneuver: Int) -> Int? {
    let after = maneuver + 1
    guard after < route.maneuvers.count - 1, route.metersAfter(maneuver) < 25 else { return nil }
    return after
  }

  /// Whether somebody has arrived: two positions say so, for one may be a leap.
  private var hasArrived: Bool { endPositions >= 2 }

  private mutating func noteEnd(_ place: RouteLine.Place, _ step: Trail.Step) {
    guard let end = route.line.last else { return }
    // Before the last turn the place may be near and around a corner.
    let doubt = next == route.maneuvers.count - 1 ? min(step.doubt, 20) / 2 : 0
    let isThere = end.distanceMeters(to: step.place) <= Self.arrivalMeters + doubt
    let isAtEnd =
      place.off <= Self.offMeters && route.lengthMeters - place.along <= Self.arrivalMeters / 2
    endPositions = isThere || isAtEnd ? endPositions + 1 : 0
  }

  private func mayBeSaid(_ cue: Cue, at now: Tick) -> Bool {
    guard let lastCue else { return true }
    let silence = now.milliseconds(since: lastCue)
    switch cue {
    case .depart, .arrived: return true
    case .now: return silence >= Self.leastPauseMilliseconds
    case .along(let maneuver) where maneuver == skipped:
      return silence >= Self.leastPauseMilliseconds
    case .soon, .along, .reassure, .near: return silence >= Self.pauseMilliseconds
    }
  }

  private mutating func note(_ cue: Cue, at now: Tick) {
    lastCue = now
    switch cue {
    case .depart: hasDeparted = true
    case .soon(let maneuver): announced = maneuver
    case .now(let maneuver, let then):
      told = then ?? maneuver
      if let then { confirmed = max(confirmed, then - 1) }
    case .along(let maneuver): confirmed = maneuver
    case .near: isNearTold = true
    case .reassure, .arrived: break
    }
  }

  /// What to say to somebody who asks for it again.
  mutating func again(at now: Tick) -> Cue {
    let cue = present
    note(cue, at: now)
    return cue
  }

  private var present: Cue {
    guard hasDeparted else { return .depart }
    let last = route.maneuvers.count - 1
    if next == last { return metersLeft <= Self.nearMeters ? .near : .along(next - 1) }
    if told >= next { return .now(next, then: nil) }
    return metersToNext <= Self.soonMeters ? .soon(next) : .along(next - 1)
  }

  /// Goes on after a restart, so many metres along the way: how it begins was said.
  mutating func resume(at meters: Double) {
    along = min(max(0, meters), route.lengthMeters)
    furthest = along
    hasDeparted = meters > 0
    firstReach = .infinity
    advance()
    confirmed = next - 1
  }
}
