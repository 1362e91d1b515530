import Care
import JSON
import Moments
import Texts

/// How an alarm begins, and what a further raise means to it.
extension LiveAlarm {
  /// The alarm that a finding makes.
  init(_ finding: Finding, id: AlarmID, tag: String, _ step: Step) {
    self.init(
      id: id, tag: tag, kind: finding.kind, resident: finding.resident, trigger: finding.trigger,
      isSilent: finding.isSilent || step.house.isSilent(about: finding.resident),
      text: finding.text, label: finding.label,
      causes: finding.cause.isEmpty ? [] : [finding.cause], raised: Stamp(step.now))
  }

  /// Tells that it began, and asks for what shows where the resident is.
  func tellRaised(at position: KnownPosition?, _ step: inout Step) {
    step.tell(
      .alarmRaised, self, AlarmSummary(self, in: step.house).words,
      [
        "trigger": .string(trigger.rawValue), "text": .string(text), "isSilent": .bool(isSilent),
        "position": self.position(position, at: step.now),
      ])
    guard kind == .sos, let resident else { return }
    step.sampleBurst(
      of: resident, seconds: step.house.alarmSettings(of: resident).prealarmSeconds + 30)
    step.act(.photograph(alarm: id, resident: resident))
  }

  /// A further raise belongs to the alarm that is open. After somebody took charge it means that help is needed still, and
  /// telling goes on; before, it changes nothing about what is under way.
  mutating func join(_ finding: Finding, _ step: inout Step) {
    let isNews = noteCause(finding, step)
    raises += 1
    if !finding.text.isEmpty { text = finding.text }
    if isNews, !finding.label.isEmpty { label = finding.label }
    let isAgain = stage == .acknowledged && (finding.kind == .sos || isNews)
    if finding.kind == .sos || isNews { room.endSilence() }
    if isAgain {
      tellAnew(&step)
    } else if isNews, isDispatched, !step.house.rule(of: self).escalates {
      renewMessages(at: step.now)
    }
    step.tell(
      .alarmRepeated, self,
      Message(
        "{name}: raised {raises} times, the last time {trigger}.",
        [
          "name": step.house.name(of: self), "raises": raises, "trigger": finding.trigger.words,
        ]),
      [
        "raises": .integer(raises), "trigger": .string(finding.trigger.rawValue),
        "text": .string(finding.text), "isToldAgain": .bool(isAgain),
      ])
  }

  /// Whether a raise says something that is not known yet. What is told once only is news again after most of a day.
  private mutating func noteCause(_ finding: Finding, _ step: Step) -> Bool {
    let age = (dispatched ?? raised).age(at: step.now)
    let isOld = !step.house.rule(of: self).escalates && age >= 20 * 3_600_000
    guard !finding.cause.isEmpty, !causes.contains(finding.cause) else { return isOld }
    // Sixteen parts at fault are enough to know that the whole needs care.
    if causes.count < 16 { causes.append(finding.cause) }
    return true
  }

  /// Tells everybody of the tiers reached once more, as somebody who took charge was not enough.
  private mutating func tellAnew(_ step: inout Step) {
    endCharge()
    dispatched = Stamp(step.now)
    tierSince = Stamp(step.now)
    renewMessages(at: step.now)
    step.tell(
      .alarmDispatched, self,
      Message(
        "{name} still needs help: guardians are told again.",
        ["name": step.house.name(of: self)]),
      ["tier": .integer(tier), "isAgain": true])
  }

  private mutating func renewMessages(at now: Moment) {
    room.startAnew()
    if stage == .acknowledged { stage = .dispatched }
    dispatched = Stamp(now)
    messages.renew(at: now) { $0.notice.isAlarm }
  }
}
