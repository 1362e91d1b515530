import Care
import JSON
import Moments
import WalkingRoutes

/// Along the way: positions, ways that were found, and what is said of them.
extension GuidanceEngine {
  /// The shortest time between two searches for a way.
  private static let searchMilliseconds: Int64 = 20_000
  /// A search that failed is tried again after so long.
  private static let retryMilliseconds: Int64 = 60_000
  /// Without a way the direction is told again after so long.
  private static let pointMilliseconds: Int64 = 90_000
  /// So many searches in a row may find nothing to walk before somebody is asked to come.
  private static let mostLostWays = 2
  /// How near somebody has arrived who was only told the direction.
  private static let reachedMeters = 25.0
  /// Where a way ends farther from the place than this, the direction is told from there.
  private static let gapMeters = 40.0
  /// Whoever is farther than this from a place that no way reaches is shown the way to there again.
  private static let beyondMeters = 200.0

  // MARK: The beginning

  /// Sets out, from where somebody is; looks for that first where nobody knows.
  mutating func begin(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    guard let journey = journeys[id] else { return }
    journeys[id]?.stage = .seeking
    journeys[id]?.since = world.now.tick
    positions.judge(id, from: world.now.tick)
    let located = freshStep(id, at: world.now.tick)?.tick
    journeys[id]?.located = located
    let words = sentences(id, journey, in: world)
    outcome.events.append(
      journey.event(.guidanceBegan, of: id, words.began))
    say([words.begin], to: id, chime: true, in: world, &outcome)
    burst(id, in: world, &outcome)
    setOut(id, in: world, &outcome)
  }

  /// Asks for a way where the place is known and may be walked from.
  private mutating func setOut(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    guard let journey = journeys[id], let step = freshStep(id, at: world.now.tick) else { return }
    let settings = settings(of: id, in: world)
    let meters = step.place.distanceMeters(to: journey.destination.place)
    if meters <= Follower.arrivalMeters + min(step.doubt, 20) / 2 {
      return arrive(id, in: world, &outcome)
    }
    if meters > Double(settings.guidanceMaxMeters) {
      return giveUp(id, because: .tooFar, in: world, &outcome)
    }
    let isDark = world.now.quality.isTrusted && Sun.isDark(at: step.place, world.now.utc)
    if isDark, !settings.guidanceInTheDark {
      return giveUp(id, because: .dark, in: world, &outcome)
    }
    seek(id, from: step.place, at: world.now.tick, &outcome)
  }

  func freshStep(_ id: ResidentID, at now: Tick) -> Trail.Step? {
    positions.trail(of: id)?.last.flatMap {
      now.milliseconds(since: $0.tick) <= Self.freshMilliseconds ? $0 : nil
    }
  }

  private mutating func seek(
    _ id: ResidentID, from place: Coordinate, at now: Tick, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id] else { return }
    let query = "\(id)-\(now.nanoseconds)"
    journeys[id]?.query = (query, now)
    journeys[id]?.sought = now
    outcome.actions.append(
      .askMap(
        MapQuery(id: query, resident: id, .way(from: place, to: journey.destination.place))))
  }

  // MARK: Positions

  /// Takes a position of somebody; true where they are on the way.
  mutating func locate(
    _ id: ResidentID, _ location: Signal.Location, in world: World, _ outcome: inout Outcome
  ) -> Bool {
    let now = world.now.tick
    positions.take(location, of: id, at: now)
    guard let journey = journeys[id], let step = positions.trail(of: id)?.current(at: now) else {
      return true
    }
    if journey.isOver(at: world.now) {
      end(id, because: "over", in: world, &outcome)
      return true
    }
    journeys[id]?.located = now
    journeys[id]?.isBlindTold = false
    switch journey.stage {
    case .asked: break
    case .seeking: if journey.query == nil { setOut(id, in: world, &outcome) }
    case .leading: lead(id, step, in: world, &outcome)
    case .pointing: point(id, step, in: world, &outcome)
    }
    return true
  }

  private mutating func lead(
    _ id: ResidentID, _ step: Trail.Step, in world: World, _ outcome: inout Outcome
  ) {
    guard let standing = journeys[id]?.follower?.take(step) else { return }
    if standing == .off { return findAnother(id, step, in: world, &outcome) }
    if journeys[id]?.isResumed == true {
      journeys[id]?.isResumed = false
      guard let journey = journeys[id] else { return }
      let words = sentences(id, journey, in: world).resumed
      return repeatWords(id, after: words, in: world, &outcome)
    }
    guard let cue = journeys[id]?.follower?.cue(for: step) else { return }
    say(cue, to: id, in: world, &outcome)
  }

  /// Somebody is on another way than the one shown: that is no mistake, and a new one is found.
  private mutating func findAnother(
    _ id: ResidentID, _ step: Trail.Step, in world: World, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id] else { return }
    let now = world.now.tick
    if let sought = journey.sought, now.milliseconds(since: sought) < Self.searchMilliseconds {
      return
    }
    journeys[id]?.stage = .seeking
    journeys[id]?.isReroute = true
    journeys[id]?.isResumed = false
    seek(id, from: step.place, at: now, &outcome)
  }

  // MARK: Ways that were found

  mutating func take(
    _ report: MapReport, in world: World, _ outcome: inout Outcome
  ) -> Bool {
    let id = report.resident
    if case .address(let address) = report.outcome {
      return books.note(address, of: report, &outcome)
    }
    guard let journey = journeys[id], journey.query?.id == report.query else { return false }
    journeys[id]?.query = nil
    switch report.outcome {
    case .found(let route): lead(id, along: route, in: world, &outcome)
    case .address: return false
    case .missing(.noWay):
      if !staysOnOldWay(id) { giveUp(id, because: .noWay, in: world, &outcome) }
    case .missing:
      journeys[id]?.follower = nil
      journeys[id]?.stage = .pointing
      journeys[id]?.isReroute = false
      // Who heard the direction already hears it again in its time.
      if journey.stage != .pointing { sayDirection(id, in: world, &outcome) }
    }
    return true
  }

  private mutating func lead(
    _ id: ResidentID, along route: WalkingRoute, in world: World, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id] else { return }
    let limit = Double(settings(of: id, in: world).guidanceMaxMeters)
    // Whoever is under way already is not left alone because a new way is a little longer.
    if route.lengthMeters > (journey.isReroute ? 1.5 : 1) * limit {
      if !staysOnOldWay(id) { giveUp(id, because: .tooFar, in: world, &outcome) }
      return
    }
    journeys[id]?.lostWays = 0
    journeys[id]?.isBeyondWay = false
    journeys[id]?.follower = Follower(route)
    journeys[id]?.stage = .leading
    if journey.isReroute {
      journeys[id]?.reroutes += 1
      outcome.events.append(
        journey.event(
          .guidanceRerouted, of: id,
          sentences(id, journey, in: world).rerouted(journey.reroutes + 1)))
    }
    guard let step = positions.trail(of: id)?.current(at: world.now.tick) else { return }
    _ = journeys[id]?.follower?.take(step)
    guard let cue = journeys[id]?.follower?.cue(for: step) else { return }
    say(cue, to: id, in: world, &outcome)
  }

  /// Where no other way leads, or only one that is much too long, somebody may be on the other side of a river, or on a roof,
  /// where a receiver put them for a moment: whoever has a way keeps it until the next search.
  private mutating func staysOnOldWay(_ id: ResidentID) -> Bool {
    guard let journey = journeys[id], journey.isReroute, journey.follower != nil,
      journey.lostWays < Self.mostLostWays
    else { return false }
    journeys[id]?.lostWays += 1
    journeys[id]?.stage = .leading
    journeys[id]?.isReroute = false
    return true
  }

  // MARK: Without a way

  /// The way is at its end and the place is not: the direction is told from here.
  private mutating func leaveWay(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    journeys[id]?.follower = nil
    journeys[id]?.stage = .pointing
    journeys[id]?.isBeyondWay = true
    sayDirection(id, in: world, &outcome)
  }

  private mutating func point(
    _ id: ResidentID, _ step: Trail.Step, in world: World, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id] else { return }
    let now = world.now.tick
    let meters = step.place.distanceMeters(to: journey.destination.place)
    if meters <= Self.reachedMeters { return arrive(id, in: world, &outcome) }
    let mayBeShown = !journey.isBeyondWay || meters > Self.beyondMeters
    if mayBeShown, now.milliseconds(since: journey.sought ?? now) >= Self.retryMilliseconds {
      return seek(id, from: step.place, at: now, &outcome)
    }
    if now.milliseconds(since: journey.spoken ?? now) >= Self.pointMilliseconds {
      sayDirection(id, in: world, &outcome)
    }
  }

  private mutating func sayDirection(
    _ id: ResidentID, in world: World, _ outcome: inout Outcome
  ) {
    guard let words = direction(id, in: world) else { return }
    say([words], to: id, in: world, &outcome)
  }

  private func direction(_ id: ResidentID, in world: World) -> String? {
    guard let journey = journeys[id], let place = positions.trail(of: id)?.last?.place else {
      return nil
    }
    return sentences(id, journey, in: world).pointing(
      from: place, heading: positions.heading(of: id, at: world.now.tick))
  }

  // MARK: Saying

  private mutating func say(
    _ cue: Follower.Cue, to id: ResidentID, in world: World, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id], let follower = journey.follower else { return }
    let end = follower.route.line.last ?? journey.destination.place
    let leadsThere = end.distanceMeters(to: journey.destination.place) <= Self.gapMeters
    switch cue {
    case .arrived where leadsThere: return arrive(id, in: world, &outcome)
    case .arrived: return leaveWay(id, in: world, &outcome)
    case .near where !leadsThere: return
    default: break
    }
    let words = text(of: cue, follower, id, in: world)
    let isAnother = cue == .depart && journey.isReroute
    let another = isAnother ? [sentences(id, journey, in: world).another] : []
    if cue == .depart { journeys[id]?.isReroute = false }
    say(another + [words], to: id, in: world, &outcome)
    outcome.events.append(follower.said(cue, words, to: id))
  }

  private func text(
    of cue: Follower.Cue, _ follower: Follower, _ id: ResidentID, in world: World
  ) -> String {
    let words = GuidanceSentences(language: world.language(of: id))
    let maneuvers = follower.route.maneuvers
    switch cue {
    case .depart:
      return words.depart(
        follower.route, bearing: follower.line.bearing(at: follower.along, over: 25),
        heading: positions.heading(of: id, at: world.now.tick))
    case .soon(let index): return words.soon(maneuvers[index])
    case .now(let index, let then):
      return words.now(maneuvers[index], then: then.map { maneuvers[$0] })
    case .along(let index): return words.along(maneuvers[index])
    case .reassure(let index):
      return words.reassure(maneuvers[index], metersLeft: follower.metersLeft)
    case .near, .arrived: return words.near(maneuvers[maneuvers.count - 1])
    }
  }

  /// Says once more what is to be done, after some other words.
  mutating func repeatWords(
    _ id: ResidentID, after first: String? = nil, in world: World, _ outcome: inout Outcome
  ) {
    guard let (text, event) = wordsNow(id, in: world) else { return }
    say((first.map { [$0] } ?? []) + [text], to: id, in: world, &outcome)
    if let event { outcome.events.append(event) }
  }

  /// Says what nobody could speak, or what has taken its place since.
  mutating func sayUnheard(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    guard let journey = journeys[id] else { return }
    if !isToBeSaid(journey), let (text, _) = wordsNow(id, in: world) {
      say([text], to: id, in: world, &outcome)
    } else {
      say(journey.words, to: id, in: world, &outcome)
    }
  }

  /// Whether the last words still hold: those of a way do until something else is to be done, a direction does not.
  private func isToBeSaid(_ journey: Journey) -> Bool {
    let isAsked = journey.trouble.map { $0.kind != .unheard } ?? false
    if isAsked || journey.isBlindTold { return true }
    switch journey.stage {
    case .asked, .seeking: return true
    case .leading: return journey.follower?.next == journey.wordsNext
    case .pointing: return false
    }
  }

  /// What is to be done now, and the event that tells of it on a way.
  private mutating func wordsNow(
    _ id: ResidentID, in world: World
  ) -> (text: String, event: EventDraft?)? {
    guard let journey = journeys[id] else { return nil }
    let words = sentences(id, journey, in: world)
    switch journey.stage {
    case .asked: return (words.question, nil)
    case .seeking: return (journey.isBlindTold ? words.blind : words.seeking, nil)
    case .pointing: return direction(id, in: world).map { ($0, nil) }
    case .leading:
      guard let cue = journeys[id]?.follower?.again(at: world.now.tick),
        let follower = journeys[id]?.follower
      else { return nil }
      let text = text(of: cue, follower, id, in: world)
      return (text, follower.said(cue, text, to: id))
    }
  }
}

extension Trail {
  /// The newest step, at the moment at which it is judged.
  func current(at now: Tick) -> Step? {
    guard var step = last else { return nil }
    step.tick = now
    return step
  }
}
