import Care
import JSON
import Moments
import Texts

/// Who is told when, by which ways, and what became of it.
extension AlarmEngine {
  mutating func advance(until limit: Tick, _ step: inout Step) {
    runSchedule(until: limit, &step)
    for index in state.alarms.indices { advance(index, until: limit, &step) }
    if state.alarms.contains(where: { isForgotten($0, limit) }) {
      state.alarms = state.alarms.filter { !isForgotten($0, limit) }
    }
    lamp.forgetPress(by: limit)
  }

  private func isForgotten(_ alarm: LiveAlarm, _ limit: Tick) -> Bool {
    AlarmDeadlines(alarm, in: house).forgotten.map { $0 <= limit } ?? false
  }

  private mutating func advance(_ index: Int, until limit: Tick, _ step: inout Step) {
    let alarm = state.alarms[index]
    if alarm.stage == .prealarm {
      guard AlarmDeadlines(alarm, in: house).dispatch <= limit else { return }
      dispatch(index, &step)
    }
    if let due = AlarmDeadlines(state.alarms[index], in: house).tier, due <= limit {
      escalate(index, &step)
    }
    if state.alarms[index].stage == .dispatched { planMessages(index, at: step.now) }
    for place in state.alarms[index].messages.indices { advance(index, place, limit, &step) }
    if let due = AlarmDeadlines(state.alarms[index], in: house).live, due <= limit {
      tellLive(index, &step)
    }
    if let due = state.alarms[index].contact?.deadline, due <= limit {
      noteContact(
        index, .failed, GuardianMessage.silence.text(in: house.alarmLanguage(of: alarm.resident)),
        &step)
    }
    endTest(index, until: limit, &step)
  }

  // MARK: Dispatch and escalation

  mutating func dispatch(_ index: Int, _ step: inout Step) {
    let tiers = house.tiers(of: state.alarms[index])
    state.alarms[index].stage = .dispatched
    state.alarms[index].dispatched = Stamp(step.now)
    state.alarms[index].tier = tiers.first ?? 0
    state.alarms[index].tierSince = Stamp(step.now)
    planMessages(index, at: step.now)
    let alarm = state.alarms[index]
    let explanation = toldWords(
      house.guardians(toldOf: alarm.resident).filter { $0.tier <= alarm.tier })
    step.tell(
      .alarmDispatched, alarm, explanation,
      ["tier": .integer(alarm.tier), "position": positionFact(of: alarm, at: step.now)])
    tellPhoto(index, &step)
  }

  /// Who is being told, or that nobody can be.
  private func toldWords(_ guardians: [Guardian]) -> Message {
    let reached = guardians.filter { carriers.reach($0) }
    let names = (reached.isEmpty ? guardians : reached).map { house.shownName($0.id) }.joined(
      separator: ", ")
    if guardians.isEmpty {
      return Message("There is no guardian to tell. Add one: homeward guardians add.")
    }
    return reached.isEmpty
      ? Message(
        "Nobody can be told: no plugin reaches {names}. Call somebody yourself.", ["names": names])
      : Message("Being told: {names}.", ["names": names])
  }

  private mutating func escalate(_ index: Int, _ step: inout Step) {
    guard
      let next = house.tiers(of: state.alarms[index]).first(where: { $0 > state.alarms[index].tier }
      )
    else { return }
    let hadNoWay = state.alarms[index].hasNoWay
    state.alarms[index].tier = next
    state.alarms[index].tierSince = Stamp(step.now)
    let alarm = state.alarms[index]
    let names = house.guardians(toldOf: alarm.resident).filter { Int64($0.tier) == next }.map {
      house.shownName($0.id)
    }
    step.tell(
      .alarmEscalated, alarm,
      hadNoWay
        ? Message(
          "None of those before can be told. Being told as well: {names}.",
          ["names": names.joined(separator: ", ")])
        : Message(
          "Nobody took charge in time. Being told as well: {names}.",
          ["names": names.joined(separator: ", ")]),
      ["tier": .integer(next)])
  }

  // MARK: Planning

  /// Adds what is missing: a message for every guardian of the tiers reached by every channel of the alarm's priority.
  func plannedChannels(
    _ guardian: Guardian, _ alarm: LiveAlarm
  ) -> [Guardian.Channel] {
    let channels = Guardian.Channel.allCases.filter { address(of: guardian.id, $0) != nil }
    // A call wakes people: below the highest priority it is the last resort.
    guard house.rule(of: alarm).priority != .high else { return channels }
    let quiet = channels.filter { $0 != .voice }
    return quiet.contains { carriers.carry($0) }
      || !channels.contains { carriers.carry($0) } && !quiet.isEmpty
      ? quiet : channels
  }

  private mutating func planMessages(_ index: Int, at now: Moment) {
    let alarm = state.alarms[index]
    var addresses: Set<String> = []
    var planned: [GuardianMessage] = []
    for guardian in house.guardians(toldOf: alarm.resident) where Int64(guardian.tier) <= alarm.tier
    {
      for channel in plannedChannels(guardian, alarm) {
        // One person may be guardian of several residents; the gateway's own alarms reach them once.
        let address = "\(channel.rawValue) \(address(of: guardian.id, channel) ?? "")"
        guard addresses.insert(address).inserted || alarm.resident != nil else { continue }
        planned.append(GuardianMessage(alarm.notice, guardian.id, channel, at: now))
      }
    }
    state.alarms[index].messages.plan(planned)
  }

  // MARK: Attempts

  /// The address that a guardian has on a channel now.
  func address(of id: GuardianID, _ channel: Guardian.Channel) -> String? {
    house.guardian(id)?.address(by: channel)
  }

  private mutating func advance(
    _ index: Int, _ place: Int, _ limit: Tick, _ step: inout Step
  ) {
    let alarm = state.alarms[index]
    let message = alarm.messages[place]
    let deadlines = AlarmDeadlines(alarm, in: house)
    guard let due = deadlines.message(message), due <= limit else { return }
    if message.progress == .handed {
      let silence = GuardianMessage.silence.text(in: house.alarmLanguage(of: alarm.resident))
      let isNews = state.alarms[index].messages[place].noteSilence(saying: silence, at: step.now)
      state.ways.fail(
        message.way, silence, in: house, at: step.now)
      if isNews { tellDelivery(index, place, .failed, &step) }
    }
    let isExpired =
      !message.notice.isAlarm
      && deadlines.expiry(of: message) <= step.now.tick
    if isExpired {
      state.alarms[index].messages[place].progress = .over
      state.alarms[index].messages[place].since = Stamp(step.now)
    } else if message.progress == .handed {
      return
    } else if message.attempt > 0 || house.quietMinutes(of: alarm, in: step.world) == nil
      || house.rule(of: alarm).priority != .low || !message.notice.isAlarm
    {
      hand(index, place, &step)
    }
  }

  /// Hands a message to its transport.
  private mutating func hand(_ index: Int, _ place: Int, _ step: inout Step) {
    let channel = state.alarms[index].messages[place].channel
    guard carriers.carry(channel) else {
      let why = DeliveryWords.noWay(channel).text(
        in: house.alarmLanguage(of: state.alarms[index].resident))
      let isNews = state.alarms[index].messages[place].waitForWay(saying: why, at: step.now)
      if isNews { tellDelivery(index, place, .failed, &step) }
      return
    }
    state.alarms[index].messages[place].attempt += 1
    state.alarms[index].messages[place].progress = .handed
    state.alarms[index].messages[place].since = Stamp(step.now)
    state.alarms[index].messages[place].mayHaveCost = false
    state.alarms[index].messages[place].asked = carriers.asked(for: channel)
    notify(state.alarms[index].messages[place], state.alarms[index], &step)
  }

  private func notify(_ message: GuardianMessage, _ alarm: LiveAlarm, _ step: inout Step) {
    guard let address = address(of: message.guardian, message.channel) else { return }
    var facts = messageFacts(alarm, message.notice, to: message.guardian, step.world)
    facts.hasRoom = message.channel == .email || message.channel == .push
    facts.answer = answerWay(message, alarm)
    step.act(
      .notify(
        AlarmMessage(
          alarm: alarm.id, tag: alarm.tag, notice: message.notice, guardian: message.guardian,
          channel: message.channel, address: address, attempt: message.attempt,
          text: MessageText.text(facts), spokenText: Sentences.spoken(facts),
          language: facts.language.rawValue,
          asksForAcknowledgement: message.notice == .alarm || message.notice == .duress,
          attachment: message.notice == .photo ? alarm.photo : nil)))
  }

  /// A guardian answers by phone; who has none, or whose texts and calls all fail, has to come or call.
  private func answerWay(_ message: GuardianMessage, _ alarm: LiveAlarm) -> AnswerWay {
    if message.channel == .sms || message.channel == .voice { return .reply }
    let phone = alarm.messages.filter {
      $0.guardian == message.guardian && $0.notice == message.notice
        && ($0.channel == .sms || $0.channel == .voice)
    }
    return phone.contains { $0.failures == 0 || $0.wasSent } ? .phone : .inPerson(message.guardian)
  }

  /// After a start the same attempts are handed over again: whoever sent one already does not send it twice.
  mutating func resume(_ step: inout Step) {
    for index in state.alarms.indices {
      for place in state.alarms[index].messages.indices {
        let message = state.alarms[index].messages[place]
        guard message.progress == .handed, state.alarms[index].wants(message) else { continue }
        state.alarms[index].messages[place].since = Stamp(step.now)
        notify(state.alarms[index].messages[place], state.alarms[index], &step)
      }
      step.act(state.alarms[index].resumedSound(in: house, step.world))
    }
    step.act(lamp.showAnew(state.alarms))
  }

  // MARK: What became of it

  /// That somebody said what became of a message.
  func reported(_ report: DeliveryReport) -> EventDraft {
    EventDraft(
      type: .deliveryReported, lane: .record, resident: nil,
      facts: report.json.setting(
        "explanation", to: .string(words(of: report).text(in: house.language))),
      isForGuardians: isConcealed(AlarmID(report.event.rawValue)))
  }

  private func words(of report: DeliveryReport) -> Message {
    let who = house.guardian(GuardianID(report.recipient))?.name ?? report.recipient
    return DeliveryWords.sentence(
      report.outcome, Guardian.Channel(rawValue: report.channel), to: who, reason: report.detail)
  }

  mutating func note(_ report: DeliveryReport, _ step: inout Step) {
    guard let subject = subject(of: report) else { return }
    switch subject {
    case .contact(let index): noteContact(index, report.outcome, report.detail, &step)
    case .news(let place):
      state.ways.learn(from: report, in: house, at: step.now)
      toldNews.take(report.outcome, at: place)
    case .message(let index, let place):
      state.ways.learn(from: report, in: house, at: step.now)
      let detail = String(report.detail.prefix(300))
      let isNews = state.alarms[index].messages[place].note(report.outcome, detail, at: step.now)
      // The gateway found nobody whom it could have asked.
      if report.plugin.isEmpty, state.alarms[index].messages[place].asked == .whoever {
        state.alarms[index].messages[place].asked = .nobody
      }
      if isNews { tellDelivery(index, place, report.outcome, &step) }
    }
  }

  private func tellDelivery(
    _ index: Int, _ place: Int, _ outcome: DeliveryReport.Outcome, _ step: inout Step
  ) {
    let alarm = state.alarms[index]
    let message = alarm.messages[place]
    let what = DeliveryWords.sentence(
      outcome, message.channel, to: house.shownName(message.guardian), reason: message.detail)
    step.tell(
      .alarmDelivery, alarm, what,
      [
        "recipient": .string(message.guardian.rawValue),
        "channel": .string(message.channel.rawValue), "notice": .string(message.notice.rawValue),
        "attempt": .integer(message.attempt), "outcome": .string(outcome.rawValue),
        "detail": message.detail.isEmpty ? nil : .string(message.detail),
      ])
  }
}
