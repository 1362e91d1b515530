import Care
import WalkingRoutes

/// What is said on a journey.
extension Journey {
  /// Where a way ends farther from the place than this, the direction is told from there.
  private static let gapMeters = 40.0

  /// What is said and written about it, in the resident's language.
  func sentences(for walker: Pedestrian) -> JourneySentences {
    JourneySentences(language: walker.language, name: walker.name, destination: destination)
  }

  /// Says something; what of guidance still sounds or waits gives way to it.
  mutating func say(
    _ words: [String], to walker: Pedestrian, chime: Bool = false, _ outcome: inout Outcome
  ) {
    outcome.actions.append(walker.play(words, chime: chime))
    voice.say(words, next: follower?.next, at: walker.now)
  }

  /// Says what a position on the way calls for.
  mutating func say(_ cue: Follower.Cue, to walker: Pedestrian, _ outcome: inout Outcome) {
    guard let follower else { return }
    let end = follower.route.line.last ?? destination.place
    let leadsThere = end.distanceMeters(to: destination.place) <= Self.gapMeters
    switch cue {
    case .arrived where leadsThere: return arrive(walker, &outcome)
    case .arrived: return leaveWay(walker, &outcome)
    case .near where !leadsThere: return
    default: break
    }
    let words = text(of: cue, follower, to: walker)
    let isAnother = cue == .depart && search.isForAnother
    let another = isAnother ? [sentences(for: walker).another] : []
    if cue == .depart { search.settle() }
    say(another + [words], to: walker, &outcome)
    outcome.events.append(follower.said(cue, words, to: walker.id))
  }

  private func text(
    of cue: Follower.Cue, _ follower: Follower, to walker: Pedestrian
  ) -> String {
    GuidanceSentences(language: walker.language).text(of: cue, follower, heading: walker.heading)
  }

  /// Says where the place lies from here, where that is known.
  mutating func sayDirection(to walker: Pedestrian, _ outcome: inout Outcome) {
    guard let words = direction(for: walker) else { return }
    say([words], to: walker, &outcome)
  }

  private func direction(for walker: Pedestrian) -> String? {
    guard let place = walker.trail?.last?.place else { return nil }
    return sentences(for: walker).pointing(from: place, heading: walker.heading)
  }

  /// Somebody who asks is there and well: what worried is judged anew.
  mutating func sayAgain(to walker: Pedestrian, _ outcome: inout Outcome) {
    if trouble?.isTold == false { trouble = nil }
    repeatWords(to: walker, &outcome)
  }

  /// Says once more what is to be done, after some other words.
  mutating func repeatWords(
    to walker: Pedestrian, after first: String? = nil, _ outcome: inout Outcome
  ) {
    guard let (text, event) = wordsNow(for: walker) else { return }
    say((first.map { [$0] } ?? []) + [text], to: walker, &outcome)
    if let event { outcome.events.append(event) }
  }

  /// Says what nobody could speak, or what has taken its place since.
  mutating func sayUnheard(to walker: Pedestrian, _ outcome: inout Outcome) {
    if !isToBeSaid, let (text, _) = wordsNow(for: walker) {
      say([text], to: walker, &outcome)
    } else {
      say(voice.words, to: walker, &outcome)
    }
  }

  /// Whether the last words still hold: those of a way do until something else is to be done, a direction does not.
  private var isToBeSaid: Bool {
    let isAsked = trouble.map { $0.kind != .unheard } ?? false
    if isAsked || isBlindTold { return true }
    switch stage {
    case .asked, .seeking: return true
    case .leading: return follower?.next == voice.next
    case .pointing: return false
    }
  }

  /// What is to be done now, and the event that tells of it on a way.
  private mutating func wordsNow(
    for walker: Pedestrian
  ) -> (text: String, event: EventDraft?)? {
    let words = sentences(for: walker)
    switch stage {
    case .asked: return (words.question, nil)
    case .seeking: return (isBlindTold ? words.blind : words.seeking, nil)
    case .pointing: return direction(for: walker).map { ($0, nil) }
    case .leading:
      guard let cue = follower?.again(at: walker.now), let follower else { return nil }
      let text = text(of: cue, follower, to: walker)
      return (text, follower.said(cue, text, to: walker.id))
    }
  }
}

extension GuidanceSentences {
  /// What a position on the way calls for, as words; `heading` is the direction in which somebody goes or looks, nil where
  /// nobody knows.
  func text(of cue: Follower.Cue, _ follower: Follower, heading: Double?) -> String {
    let maneuvers = follower.route.maneuvers
    switch cue {
    case .depart:
      return depart(
        follower.route, bearing: follower.line.bearing(at: follower.along, over: 25),
        heading: heading)
    case .soon(let index): return soon(maneuvers[index])
    case .now(let index, let then):
      return now(maneuvers[index], then: then.map { maneuvers[$0] })
    case .along(let index): return along(maneuvers[index])
    case .reassure(let index):
      return reassure(maneuvers[index], metersLeft: follower.metersLeft)
    case .near, .arrived: return near(maneuvers[maneuvers.count - 1])
    }
  }
}
