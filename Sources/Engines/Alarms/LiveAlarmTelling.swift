import Care
import JSON
import Moments
import Texts

/// How guardians are told of an alarm, as time passes and as plugins answer.
extension LiveAlarm {
  /// Does what of it is due by a moment, and answers the ways on which nothing was heard of a message.
  ///
  /// - Parameters:
  ///   - carriers: who can carry messages now.
  ///   - position: where the resident was last.
  mutating func advance(
    until limit: Tick, by carriers: Carriers, at position: KnownPosition?, _ step: inout Step
  ) -> [GuardianWay] {
    if stage == .prealarm {
      guard AlarmDeadlines(self, in: step.house).dispatch <= limit else { return [] }
      dispatch(by: carriers, at: position, &step)
    }
    if let due = AlarmDeadlines(self, in: step.house).tier, due <= limit {
      escalate(by: carriers, &step)
    }
    if stage == .dispatched { planMessages(by: carriers, &step) }
    var silent: [GuardianWay] = []
    for place in messages.indices {
      let isSilent = advance(place, until: limit, by: carriers, at: position, &step)
      if isSilent { silent.append(messages[place].way) }
    }
    if let due = AlarmDeadlines(self, in: step.house).live, due <= limit {
      tellLive(at: position, &step)
    }
    if let due = contact?.deadline, due <= limit {
      noteContact(.failed, GuardianMessage.silence(in: step.house, of: self), &step)
    }
    if let due = AlarmDeadlines(self, in: step.house).testEnd, due <= limit { endTest(&step) }
    return silent
  }

  // MARK: Dispatch and escalation

  /// Has guardians told, those of the first tier at first.
  mutating func dispatch(
    by carriers: Carriers, at position: KnownPosition?, _ step: inout Step
  ) {
    let tiers = step.house.tiers(of: self)
    stage = .dispatched
    dispatched = Stamp(step.now)
    tier = tiers.first ?? 0
    tierSince = Stamp(step.now)
    planMessages(by: carriers, &step)
    step.tell(
      .alarmDispatched, self, AlarmAudience(of: self, in: step.house, by: carriers).words,
      ["tier": .integer(tier), "position": self.position(position, at: step.now)])
    tellPhoto(&step)
  }

  private mutating func escalate(by carriers: Carriers, _ step: inout Step) {
    guard let next = step.house.tiers(of: self).first(where: { $0 > tier }) else { return }
    let hadNoWay = messages.haveNoWay(notice)
    tier = next
    tierSince = Stamp(step.now)
    let audience = AlarmAudience(of: self, in: step.house, by: carriers)
    step.tell(
      .alarmEscalated, self, audience.nextWords(hadNoWay: hadNoWay), ["tier": .integer(next)])
  }

  /// Adds what is missing.
  private mutating func planMessages(by carriers: Carriers, _ step: inout Step) {
    messages.plan(AlarmAudience(of: self, in: step.house, by: carriers).messages(at: step.now))
  }

  // MARK: Attempts

  /// Does what of a message is due; answers whether nothing was heard of it.
  private mutating func advance(
    _ place: Int, until limit: Tick, by carriers: Carriers, at position: KnownPosition?,
    _ step: inout Step
  ) -> Bool {
    let deadlines = AlarmDeadlines(self, in: step.house)
    switch deadlines.turn(of: messages[place], until: limit, in: step.world) {
    case .rest: return false
    case .hand: hand(place, by: carriers, at: position, &step)
    case .expire: messages[place].expire(at: step.now)
    case .noteSilence(let isExpired):
      let silence = GuardianMessage.silence(in: step.house, of: self)
      if messages[place].noteSilence(saying: silence, at: step.now) {
        tellDelivery(place, .failed, &step)
      }
      if isExpired { messages[place].expire(at: step.now) }
      return true
    }
    return false
  }

  /// Hands a message to its transport.
  private mutating func hand(
    _ place: Int, by carriers: Carriers, at position: KnownPosition?, _ step: inout Step
  ) {
    let channel = messages[place].channel
    guard carriers.carry(channel) else {
      let why = DeliveryWords.noWay(channel).text(in: step.house.alarmLanguage(of: resident))
      if messages[place].waitForWay(saying: why, at: step.now) {
        tellDelivery(place, .failed, &step)
      }
      return
    }
    messages[place].hand(to: carriers.asked(for: channel), at: step.now)
    notify(place, at: position, &step)
  }

  private func notify(_ place: Int, at position: KnownPosition?, _ step: inout Step) {
    let writer = MessageWriter(self, at: position, in: step)
    step.act(writer.write(messages[place]).map { .notify($0) })
  }

  /// After a start the same attempts are handed over again: whoever sent one already does not send it twice.
  mutating func resumeMessages(at position: KnownPosition?, _ step: inout Step) {
    for place in messages.indices
    where messages[place].progress == .handed && wants(messages[place]) {
      messages[place].since = Stamp(step.now)
      notify(place, at: position, &step)
    }
  }

  // MARK: What became of it

  /// Takes what became of a message.
  mutating func note(_ report: DeliveryReport, of place: Int, _ step: inout Step) {
    let detail = String(report.detail.prefix(300))
    let isNews = messages[place].note(report.outcome, detail, at: step.now)
    // The gateway found nobody whom it could have asked.
    if report.plugin.isEmpty, messages[place].asked == .whoever {
      messages[place].asked = .nobody
    }
    if isNews { tellDelivery(place, report.outcome, &step) }
  }

  private func tellDelivery(
    _ place: Int, _ outcome: DeliveryReport.Outcome, _ step: inout Step
  ) {
    let message = messages[place]
    let what = DeliveryWords.sentence(
      outcome, message.channel, to: step.house.shownName(message.guardian), reason: message.detail)
    step.tell(.alarmDelivery, self, what, message.facts(outcome))
  }
}

extension GuardianMessage {
  /// As the facts of an event that tells what became of it.
  fileprivate func facts(
    _ outcome: DeliveryReport.Outcome
  ) -> KeyValuePairs<String, JSONValue?> {
    [
      "recipient": .string(guardian.rawValue), "channel": .string(channel.rawValue),
      "notice": .string(notice.rawValue), "attempt": .integer(attempt),
      "outcome": .string(outcome.rawValue), "detail": detail.isEmpty ? nil : .string(detail),
    ]
  }
}
