import Care
import JSON
import Moments

/// What worries on the way, and its end.
extension Journey {
  /// What a worry is among the causes of an alarm.
  private static let cause = "guidance"
  /// Guardians are told at once when somebody goes back and forth for the third time on one way.
  private static let mostPacings = 3

  /// Looks whether all is well with somebody on the way.
  mutating func look(after walker: Pedestrian, _ outcome: inout Outcome) {
    if isOver(at: walker.world.now) { return end(walker, because: "over", &outcome) }
    guard stage != .asked else {
      hasEnded = true
      return
    }
    outcome.actions += walker.burst
    if worries(about: walker).isBlind { sayBlind(to: walker, &outcome) }
    judge(walker, &outcome)
    if voice.isUnheard { sayUnheard(to: walker, &outcome) }
  }

  private func worries(about walker: Pedestrian) -> Worries {
    Worries(
      now: walker.now, trail: walker.trail, located: located ?? since,
      unheardSince: voice.unheardSince,
      stillMilliseconds: walker.settings.guidanceStillSeconds * 1000)
  }

  private mutating func sayBlind(to walker: Pedestrian, _ outcome: inout Outcome) {
    guard !isBlindTold else { return }
    isBlindTold = true
    say([sentences(for: walker).blind], to: walker, &outcome)
  }

  /// Looks for what worries, and follows what does already; of whoever is not seen it is only known what they hear.
  private mutating func judge(_ walker: Pedestrian, _ outcome: inout Outcome) {
    let worries = worries(about: walker)
    if let trouble {
      guard trouble.kind == .unheard || !worries.isBlind else { return }
      follow(trouble, of: walker, isEased: worries.isEased(trouble), &outcome)
    } else if let kind = worries.kind {
      trouble = Trouble(kind: kind, asked: walker.now)
      ask(about: kind, walker, &outcome)
      outcome.events.append(
        event(.guidanceWorried, of: walker.id, sentences(for: walker).worry(kind), kind))
      if kind == .pacing { notePacing(walker, &outcome) }
    }
  }

  /// Whoever goes back and forth again and again needs a person, also when they press each time.
  private mutating func notePacing(_ walker: Pedestrian, _ outcome: inout Outcome) {
    pacings += 1
    guard pacings >= Self.mostPacings else { return }
    pacings = 0
    trouble?.isTold = true
    tell(.pacing, of: walker, &outcome)
  }

  private mutating func ask(
    about kind: Trouble.Kind, _ walker: Pedestrian, _ outcome: inout Outcome
  ) {
    guard let question = sentences(for: walker).asking(kind) else { return }
    say([question], to: walker, &outcome)
  }

  /// Tells guardians of what worries when the resident has not answered, and that it is over once it is.
  private mutating func follow(
    _ trouble: Trouble, of walker: Pedestrian, isEased: Bool, _ outcome: inout Outcome
  ) {
    if isEased {
      self.trouble = nil
      if trouble.isTold { settle(walker, .goesOn, &outcome) }
      return
    }
    let words = sentences(for: walker)
    let isAsked = words.asking(trouble.kind) != nil
    let limit = isAsked ? walker.settings.guidanceTellSeconds * 1000 : 0
    guard !trouble.isTold, walker.now.milliseconds(since: trouble.asked) >= limit else { return }
    self.trouble?.isTold = true
    tell(trouble.kind, of: walker, &outcome)
    if isAsked { say([words.told], to: walker, &outcome) }
  }

  /// Tells guardians, by an alarm, that somebody on the way needs a person.
  private func tell(_ kind: Trouble.Kind, of walker: Pedestrian, _ outcome: inout Outcome) {
    let words = sentences(for: walker).worry(kind)
    var draft = event(.guidanceTold, of: walker.id, words, kind)
    draft.lane = .alarm
    draft.signal = .found(
      Signal.Finding(
        resident: walker.id, kind: .lost, cause: Self.cause, label: destination.name,
        explanation: words))
    outcome.events.append(draft)
  }

  private func settle(
    _ walker: Pedestrian, _ reason: Signal.Settlement.Reason, _ outcome: inout Outcome
  ) {
    outcome.signals.append(
      .settled(
        Signal.Settlement(resident: walker.id, kind: .lost, causes: [Self.cause], reason: reason)))
  }

  // MARK: Ends

  /// A person is asked to come, and nobody is sent on foot.
  mutating func giveUp(
    _ walker: Pedestrian, because kind: Trouble.Kind, _ outcome: inout Outcome
  ) {
    tell(kind, of: walker, &outcome)
    ask(about: kind, walker, &outcome)
    trouble = nil
    end(walker, because: kind.rawValue, &outcome)
  }

  mutating func arrive(_ walker: Pedestrian, _ outcome: inout Outcome) {
    let words = sentences(for: walker)
    say([words.arrived], to: walker, &outcome)
    var draft = event(.guidanceArrived, of: walker.id, words.news)
    draft.signal = .news(.arrival(sentence: words.news), of: walker.id)
    outcome.events.append(draft)
    if trouble?.isTold == true { settle(walker, .arrived, &outcome) }
    hasEnded = true
  }

  /// Somebody wants to go no longer.
  mutating func cancel(_ walker: Pedestrian, _ outcome: inout Outcome) {
    say([sentences(for: walker).cancelled], to: walker, &outcome)
    if stage == .asked {
      hasEnded = true
    } else {
      end(walker, because: "cancelled", &outcome)
    }
  }

  /// Ends it before its end. An alarm that was told stays: nobody has seen yet that all is well.
  mutating func end(
    _ walker: Pedestrian, because reason: String, _ outcome: inout Outcome
  ) {
    var draft = event(.guidanceEnded, of: walker.id, sentences(for: walker).ended)
    draft.facts = draft.facts.setting("reason", to: .string(reason))
    outcome.events.append(draft)
    hasEnded = true
  }
}
