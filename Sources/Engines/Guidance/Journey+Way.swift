import Care
import Moments
import WalkingRoutes

/// Along the way: positions, ways that were found, and where there is none.
extension Journey {
  /// Without a way the direction is told again after so long.
  private static let pointMilliseconds: Int64 = 90_000
  /// How near somebody has arrived who was only told the direction.
  private static let reachedMeters = 25.0
  /// Whoever is farther than this from a place that no way reaches is shown the way to there again.
  private static let beyondMeters = 200.0

  // MARK: The beginning

  /// Asks the resident whether to go.
  mutating func ask(_ walker: Pedestrian, _ outcome: inout Outcome) {
    stage = .asked
    say([sentences(for: walker).question], to: walker, chime: true, &outcome)
  }

  /// Sets out, from where somebody is; looks for that first where nobody knows.
  mutating func begin(_ walker: Pedestrian, _ outcome: inout Outcome) {
    stage = .seeking
    since = walker.now
    located = walker.freshStep?.tick
    let words = sentences(for: walker)
    outcome.events.append(event(.guidanceBegan, of: walker.id, words.began))
    say([words.begin], to: walker, chime: true, &outcome)
    outcome.actions += walker.burst
    setOut(walker, &outcome)
  }

  /// Asks for a way where the place is known and may be walked from.
  private mutating func setOut(_ walker: Pedestrian, _ outcome: inout Outcome) {
    guard let step = walker.freshStep else { return }
    let settings = walker.settings
    let meters = step.place.distanceMeters(to: destination.place)
    if meters <= Follower.arrivalMeters + min(step.doubt, 20) / 2 {
      return arrive(walker, &outcome)
    }
    if meters > Double(settings.guidanceMaxMeters) {
      return giveUp(walker, because: .tooFar, &outcome)
    }
    let now = walker.world.now
    let isDark = now.quality.isTrusted && Sun.isDark(at: step.place, now.utc)
    if isDark, !settings.guidanceInTheDark {
      return giveUp(walker, because: .dark, &outcome)
    }
    seek(walker, from: step.place, &outcome)
  }

  private mutating func seek(
    _ walker: Pedestrian, from place: Coordinate, _ outcome: inout Outcome
  ) {
    outcome.actions.append(
      search.ask(for: walker.id, from: place, to: destination.place, at: walker.now))
  }

  // MARK: Positions

  /// Takes the newest position of whoever is on the way.
  mutating func locate(_ walker: Pedestrian, _ outcome: inout Outcome) {
    guard let step = walker.trail?.current(at: walker.now) else { return }
    if isOver(at: walker.world.now) { return end(walker, because: "over", &outcome) }
    located = walker.now
    isBlindTold = false
    switch stage {
    case .asked: break
    case .seeking: if search.query == nil { setOut(walker, &outcome) }
    case .leading: lead(walker, step, &outcome)
    case .pointing: point(walker, step, &outcome)
    }
  }

  private mutating func lead(
    _ walker: Pedestrian, _ step: Trail.Step, _ outcome: inout Outcome
  ) {
    guard let standing = follower?.take(step) else { return }
    if standing == .off { return findAnother(walker, step, &outcome) }
    if isResumed {
      isResumed = false
      return repeatWords(to: walker, after: sentences(for: walker).resumed, &outcome)
    }
    guard let cue = follower?.cue(for: step) else { return }
    say(cue, to: walker, &outcome)
  }

  /// Somebody is on another way than the one shown: that is no mistake, and a new one is found.
  private mutating func findAnother(
    _ walker: Pedestrian, _ step: Trail.Step, _ outcome: inout Outcome
  ) {
    guard search.maySeekAnother(at: walker.now) else { return }
    stage = .seeking
    search.turnToAnother()
    isResumed = false
    seek(walker, from: step.place, &outcome)
  }

  // MARK: Ways that were found

  /// Takes what became of a search for a way; false where nobody asked for it.
  mutating func take(
    _ report: MapReport, for walker: Pedestrian, _ outcome: inout Outcome
  ) -> Bool {
    guard search.close(report.query) else { return false }
    switch report.outcome {
    case .found(let route): lead(walker, along: route, &outcome)
    case .address: return false
    case .missing(.noWay):
      if !staysOnOldWay() { giveUp(walker, because: .noWay, &outcome) }
    case .missing:
      let before = stage
      follower = nil
      stage = .pointing
      search.settle()
      // Who heard the direction already hears it again in its time.
      if before != .pointing { sayDirection(to: walker, &outcome) }
    }
    return true
  }

  private mutating func lead(
    _ walker: Pedestrian, along route: WalkingRoute, _ outcome: inout Outcome
  ) {
    let before = self
    let limit = Double(walker.settings.guidanceMaxMeters)
    // Whoever is under way already is not left alone because a new way is a little longer.
    if route.lengthMeters > (search.isForAnother ? 1.5 : 1) * limit {
      if !staysOnOldWay() { giveUp(walker, because: .tooFar, &outcome) }
      return
    }
    search.find()
    isBeyondWay = false
    follower = Follower(route)
    stage = .leading
    if search.isForAnother {
      reroutes += 1
      outcome.events.append(
        before.event(
          .guidanceRerouted, of: walker.id, sentences(for: walker).rerouted(reroutes)))
    }
    guard let step = walker.trail?.current(at: walker.now) else { return }
    _ = follower?.take(step)
    guard let cue = follower?.cue(for: step) else { return }
    say(cue, to: walker, &outcome)
  }

  private mutating func staysOnOldWay() -> Bool {
    guard follower != nil, search.keepOldWay() else { return false }
    stage = .leading
    return true
  }

  // MARK: Without a way

  /// The way is at its end and the place is not: the direction is told from here.
  mutating func leaveWay(_ walker: Pedestrian, _ outcome: inout Outcome) {
    follower = nil
    stage = .pointing
    isBeyondWay = true
    sayDirection(to: walker, &outcome)
  }

  private mutating func point(
    _ walker: Pedestrian, _ step: Trail.Step, _ outcome: inout Outcome
  ) {
    let now = walker.now
    let meters = step.place.distanceMeters(to: destination.place)
    if meters <= Self.reachedMeters { return arrive(walker, &outcome) }
    let mayBeShown = !isBeyondWay || meters > Self.beyondMeters
    if mayBeShown, search.mayRetry(at: now) { return seek(walker, from: step.place, &outcome) }
    if now.milliseconds(since: voice.spoken ?? now) >= Self.pointMilliseconds {
      sayDirection(to: walker, &outcome)
    }
  }
}
