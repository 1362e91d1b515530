import Care
import Moments
import Texts

/// Writes what one guardian is told of an alarm.
struct MessageWriter {
  private let alarm: LiveAlarm
  /// Where the resident was last.
  private let position: KnownPosition?
  private let house: House
  private let world: World

  init(_ alarm: LiveAlarm, at position: KnownPosition?, in step: Step) {
    self.alarm = alarm
    self.position = position
    house = step.house
    world = step.world
  }

  /// A message in the words of whoever is told; nil where no address leads to them.
  func write(_ message: GuardianMessage) -> AlarmMessage? {
    guard let address = house.address(of: message.way) else { return nil }
    var facts = facts(message.notice, to: message.guardian)
    facts.hasRoom = message.channel == .email || message.channel == .push
    facts.answer = answerWay(message)
    return AlarmMessage(
      alarm: alarm.id, tag: alarm.tag, notice: message.notice, guardian: message.guardian,
      channel: message.channel, address: address, attempt: message.attempt,
      text: MessageText.text(facts), spokenText: Sentences.spoken(facts),
      language: facts.language.rawValue,
      asksForAcknowledgement: message.notice == .alarm || message.notice == .duress,
      attachment: message.notice == .photo ? alarm.photo.path : nil)
  }

  /// Everything that the words of a message are made from, in the language of whoever is told.
  private func facts(_ notice: AlarmNotice, to guardian: GuardianID) -> MessageFacts {
    let language = house.language(of: guardian, toldOf: alarm.resident)
    let name = house.name(of: alarm, in: language)
    var facts = MessageFacts(
      language: language, notice: notice, kind: alarm.kind, tag: alarm.tag, name: name,
      plainName: alarm.isForSomebody ? "Somebody" : alarm.resident?.rawValue ?? "Homeward")
    facts.label = alarm.label
    facts.isOverdue = alarm.isOverdue
    facts.map = house.alarmSettings(of: alarm.resident).mapLink
    facts.localTime = clockTime
    if alarm.kind != .fault, alarm.kind != .battery, alarm.resident != nil {
      facts.position = position
      facts.positionAgeSeconds = (position?.stamp.age(at: world.now) ?? 0) / 1000
    }
    let helper = alarm.acknowledgedBy.first
    facts.helper = helper.map { house.shownName($0) } ?? ""
    facts.isScheduled = alarm.trigger == .schedule
    if alarm.kind == .sos { facts.why = alarm.text }
    facts.closing = alarm.closing?.message.text(in: facts.language)
    if let call = alarm.contact, call.outcome != .failed { facts.emergencyNumber = call.number }
    return facts
  }

  /// The time of day at which the alarm was raised, or at which it ended.
  private var clockTime: String? {
    let stamp = alarm.ended ?? alarm.raised
    guard let local = house.localTime(of: alarm.resident, in: world), !stamp.isEstimated else {
      return nil
    }
    let raised = CivilDateTime(
      utc: local.asUTC.advanced(byMilliseconds: -stamp.age(at: world.now)))
    return String(raised.iso8601Time.prefix(5))
  }

  /// A guardian answers by phone; who has none, or whose texts and calls all fail, has to come or call.
  private func answerWay(_ message: GuardianMessage) -> AnswerWay {
    if message.channel == .sms || message.channel == .voice { return .reply }
    let phone = alarm.messages.filter {
      $0.guardian == message.guardian && $0.notice == message.notice
        && ($0.channel == .sms || $0.channel == .voice)
    }
    return phone.contains { $0.failures == 0 || $0.wasSent } ? .phone : .inPerson(message.guardian)
  }
}
