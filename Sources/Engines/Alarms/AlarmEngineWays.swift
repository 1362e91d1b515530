import Care
import JSON
import Moments
import Texts

/// By which ways guardians can be told: what plugins offer, and what has proved to work.
extension AlarmEngine {
  /// Takes what plugins offer now; what waited for a way that did not exist goes out when it does.
  mutating func take(_ report: WaysReport, _ step: inout Step) {
    carriers.take(report)
    for index in state.alarms.indices {
      state.alarms[index].messages.takeUp(by: carriers, at: step.now)
    }
    settleWays(at: step.now)
  }

  /// Forgets what is known of ways that are gone, and begins to know those that are new.
  mutating func settleWays(at now: Moment) {
    state.ways.settle(in: house, begins: carriers.isKnown, at: now)
  }

  // MARK: Proof

  /// An answer proves the ways of the plugin that brought it, by which the guardian was told.
  mutating func learn(
    fromAnswerOf guardian: GuardianID, _ principal: Principal, to alarm: LiveAlarm, at now: Moment
  ) {
    guard let plugin = principal.plugin else { return }
    for message in alarm.told
    where message.guardian == guardian && message.wasSent
      && carriers.carries(plugin, message.channel)
    {
      state.ways.prove(
        message.way, .answer, isTest: alarm.kind == .test, in: house, at: now)
    }
  }

  // MARK: A week without proof

  /// Tells whoever can be reached, by each quiet way, that no way has proved to work.
  mutating func tell(unproven reach: Reach, _ step: inout Step) {
    let notice = identifiers.next(at: step.now.utc)
    step.outcome.events.append(
      EventDraft(
        type: .alarmTested, lane: .alarm, resident: reach.resident,
        facts: [
          "test": "guardians", "isProven": false,
          "explanation": .string(
            reach.explanation.text(in: house.alarmLanguage(of: reach.resident))),
        ], id: EventID(notice)))
    for way in reach.ways where way.state.isHopeful && way.channel != .voice {
      let language = house.language(of: way.guardian, toldOf: reach.resident)
      let words = gettext(
        "Homeward for {name}: no way to a guardian has proved to work for a week. "
          + "If you read this, this way works. Try all: homeward alarm test",
        ["name": reach.name], in: language)
      let message = AlarmMessage(
        alarm: AlarmID(notice), tag: "", notice: .news, guardian: way.guardian,
        channel: way.channel, address: way.address, attempt: 1,
        text: way.channel == .sms ? TextAlphabet.textMessage(words) : words, spokenText: words,
        language: language.rawValue, asksForAcknowledgement: false)
      toldNews.note(message, by: carriers.asked(for: message.channel))
      step.act(.notify(message))
    }
  }

  // MARK: What others may know

  /// How each guardian of a resident can be reached now.
  ///
  /// - Parameter failed: names of plugins that say that they do not work.
  func reach(of resident: ResidentID, failed: Set<String>, at now: Moment) -> Reach {
    let ways = house.guardians(toldOf: resident).flatMap { guardian in
      guardian.addresses.map { channel, address in
        way(guardian, channel, address, failed: failed, at: now)
      }
    }
    return Reach(
      resident: resident, name: house.name(of: resident), ways: ways, isKnown: carriers.isKnown)
  }

  private func way(
    _ guardian: Guardian, _ channel: Guardian.Channel, _ address: String, failed: Set<String>,
    at now: Moment
  ) -> Reach.Way {
    let record = state.ways[GuardianWay(guardian: guardian.id, channel: channel)]
    let offer = carriers[channel]
    var way = Reach.Way(
      guardian: guardian.id, guardianName: guardian.name, channel: channel, address: address,
      state: .untried)
    way.plugin = offer?.plugin
    way.proven = record?.proven
    way.proof = record?.proof?.rawValue
    way.tested = record?.tested
    way.failing = record?.failing
    way.detail = record?.detail ?? ""
    way.unprovenMilliseconds = (record?.proven ?? record?.known).map { $0.age(at: now) } ?? 0
    if carriers.isKnown, offer == nil {
      way.state = .missing
    } else if let offer, !offer.isRunning || failed.contains(offer.plugin) {
      way.state = .down
    } else if record?.failing != nil {
      way.state = .failing
    } else if record?.proven != nil {
      way.state = .proven
    }
    return way
  }
}
