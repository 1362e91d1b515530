import Care
import JSON
import Moments
import WalkingRoutes

/// What worries on the way, and its end.
extension GuidanceEngine {
  /// What a worry is among the causes of an alarm.
  static let cause = "guidance"
  /// Without a position for so long somebody is told so, in milliseconds.
  private static let blindMilliseconds: Int64 = 60_000
  /// Without a word that could be spoken for so long guardians are told so, in milliseconds.
  private static let unheardMilliseconds: Int64 = 60_000
  /// Faster than on foot, in metres a second.
  private static let vehicleSpeed = 5.5
  private static let vehicleMilliseconds: Int64 = 20_000
  /// Back and forth: so much was walked in so long, and led nearly nowhere.
  private static let pacingMilliseconds: Int64 = 240_000
  private static let pacingMeters = 150.0
  /// Guardians are told at once when somebody goes back and forth for the third time on one way.
  private static let mostPacings = 3
  /// A worry is over once somebody went on for so long.
  private static let easeMilliseconds: Int64 = 45_000

  /// Looks whether all is well with somebody on the way.
  mutating func look(after id: ResidentID, in world: World, _ outcome: inout Outcome) {
    guard let journey = journeys[id] else { return }
    if journey.isOver(at: world.now) { return end(id, because: "over", in: world, &outcome) }
    guard journey.stage != .asked else {
      journeys[id] = nil
      return
    }
    burst(id, in: world, &outcome)
    if isBlind(journey, at: world.now.tick) { sayBlind(id, journey, in: world, &outcome) }
    judge(id, in: world, &outcome)
    if journeys[id]?.isUnheard == true { sayUnheard(id, in: world, &outcome) }
  }

  /// Looks for what worries, and follows what does already; of whoever is not seen it is only known what they hear.
  private mutating func judge(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    guard let journey = journeys[id] else { return }
    if let trouble = journey.trouble {
      guard trouble.kind == .unheard || !isBlind(journey, at: world.now.tick) else { return }
      follow(trouble, of: id, in: world, &outcome)
    } else if let kind = worry(id, journey, in: world) {
      journeys[id]?.trouble = Trouble(kind: kind, asked: world.now.tick)
      ask(about: kind, id, journey, in: world, &outcome)
      outcome.events.append(
        journey.event(
          .guidanceWorried, of: id, sentences(id, journey, in: world).worry(kind), kind))
      if kind == .pacing { notePacing(id, in: world, &outcome) }
    }
  }

  /// Whoever goes back and forth again and again needs a person, also when they press each time.
  private mutating func notePacing(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    journeys[id]?.pacings += 1
    guard let journey = journeys[id], journey.pacings >= Self.mostPacings else { return }
    journeys[id]?.pacings = 0
    journeys[id]?.trouble?.isTold = true
    tell(.pacing, of: id, journey, in: world, &outcome)
  }

  private func isBlind(_ journey: Journey, at now: Tick) -> Bool {
    now.milliseconds(since: journey.located ?? journey.since) >= Self.blindMilliseconds
  }

  private mutating func sayBlind(
    _ id: ResidentID, _ journey: Journey, in world: World, _ outcome: inout Outcome
  ) {
    guard !journey.isBlindTold else { return }
    journeys[id]?.isBlindTold = true
    say([sentences(id, journey, in: world).blind], to: id, in: world, &outcome)
  }

  private mutating func ask(
    about kind: Trouble.Kind, _ id: ResidentID, _ journey: Journey, in world: World,
    _ outcome: inout Outcome
  ) {
    guard let question = sentences(id, journey, in: world).asking(kind) else { return }
    say([question], to: id, in: world, &outcome)
  }

  /// What worries about somebody now; nil for nothing.
  private func worry(_ id: ResidentID, _ journey: Journey, in world: World) -> Trouble.Kind? {
    let now = world.now.tick
    if now.milliseconds(since: journey.unheardSince ?? now) >= Self.unheardMilliseconds {
      return .unheard
    }
    guard let trail = positions.trail(of: id), !isBlind(journey, at: now) else { return nil }
    if let speed = trail.speed(overMilliseconds: Self.vehicleMilliseconds),
      speed >= Self.vehicleSpeed
    {
      return .vehicle
    }
    let still = settings(of: id, in: world).guidanceStillSeconds * 1000
    if trail.restMilliseconds(at: now) >= still { return .still }
    let (walked, led) = trail.walked(overMilliseconds: Self.pacingMilliseconds)
    return walked >= Self.pacingMeters && led <= walked / 3 ? .pacing : nil
  }

  /// Tells guardians of what worries when the resident has not answered, and that it is over once it is.
  private mutating func follow(
    _ trouble: Trouble, of id: ResidentID, in world: World, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id] else { return }
    let now = world.now.tick
    if isEased(trouble, id, in: world) {
      journeys[id]?.trouble = nil
      if trouble.isTold { settle(id, .goesOn, &outcome) }
      return
    }
    let words = sentences(id, journey, in: world)
    let isAsked = words.asking(trouble.kind) != nil
    let limit = isAsked ? settings(of: id, in: world).guidanceTellSeconds * 1000 : 0
    guard !trouble.isTold, now.milliseconds(since: trouble.asked) >= limit else { return }
    journeys[id]?.trouble?.isTold = true
    tell(trouble.kind, of: id, journey, in: world, &outcome)
    if isAsked { say([words.told], to: id, in: world, &outcome) }
  }

  private func isEased(_ trouble: Trouble, _ id: ResidentID, in world: World) -> Bool {
    guard let journey = journeys[id] else { return true }
    let asked = world.now.tick.milliseconds(since: trouble.asked)
    switch trouble.kind {
    case .still:
      return positions.trail(of: id)?.restMilliseconds(at: world.now.tick) ?? 0
        < min(asked, Self.easeMilliseconds)
    case .vehicle:
      return asked >= Self.easeMilliseconds && worry(id, journey, in: world) != .vehicle
    case .pacing:
      let (walked, led) =
        positions.trail(of: id)?.walked(overMilliseconds: Self.pacingMilliseconds) ?? (0, 0)
      return asked >= Self.easeMilliseconds && led > walked / 2
    case .unheard: return journey.unheardSince == nil
    case .tooFar, .dark, .noWay: return false
    }
  }

  /// Tells guardians, by an alarm, that somebody on the way needs a person.
  private func tell(
    _ kind: Trouble.Kind, of id: ResidentID, _ journey: Journey, in world: World,
    _ outcome: inout Outcome
  ) {
    let words = sentences(id, journey, in: world).worry(kind)
    var draft = journey.event(.guidanceTold, of: id, words, kind)
    draft.lane = .alarm
    draft.signal = .found(
      Signal.Finding(
        resident: id, kind: .lost, cause: Self.cause, label: journey.destination.name,
        explanation: words))
    outcome.events.append(draft)
  }

  private func settle(
    _ id: ResidentID, _ reason: Signal.Settlement.Reason, _ outcome: inout Outcome
  ) {
    outcome.signals.append(
      .settled(
        Signal.Settlement(resident: id, kind: .lost, causes: [Self.cause], reason: reason)))
  }

  // MARK: Ends

  /// A person is asked to come, and nobody is sent on foot.
  mutating func giveUp(
    _ id: ResidentID, because kind: Trouble.Kind, in world: World, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id] else { return }
    tell(kind, of: id, journey, in: world, &outcome)
    ask(about: kind, id, journey, in: world, &outcome)
    journeys[id]?.trouble = nil
    end(id, because: kind.rawValue, in: world, &outcome)
  }

  mutating func arrive(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    guard let journey = journeys[id] else { return }
    let words = sentences(id, journey, in: world)
    say([words.arrived], to: id, in: world, &outcome)
    var draft = journey.event(.guidanceArrived, of: id, words.news)
    draft.signal = .news(.arrival(sentence: words.news), of: id)
    outcome.events.append(draft)
    if journey.trouble?.isTold == true { settle(id, .arrived, &outcome) }
    journeys[id] = nil
  }

  /// Ends a journey before its end. An alarm that was told stays: nobody has seen yet that all is well.
  mutating func end(
    _ id: ResidentID, because reason: String, in world: World, _ outcome: inout Outcome
  ) {
    guard let journey = journeys[id] else { return }
    var draft = journey.event(
      .guidanceEnded, of: id, sentences(id, journey, in: world).ended)
    draft.facts = draft.facts.setting("reason", to: .string(reason))
    outcome.events.append(draft)
    journeys[id] = nil
  }
}
