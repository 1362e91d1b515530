import Care
import JSON
import Moments
import Texts

/// How somebody takes charge of an alarm, and how it ends.
extension LiveAlarm {
  // MARK: Taking charge

  /// A guardian takes charge, as the first or beside others.
  ///
  /// The same answer twice says nothing new.
  mutating func acknowledge(_ helper: Guardian, by principal: Principal, _ step: inout Step) {
    guard stage != .acknowledged else {
      guard !acknowledgedBy.contains(helper.id) else { return }
      acknowledgedBy.append(helper.id)
      return tellAcknowledged(helper, principal, isFirst: false, &step)
    }
    stage = .acknowledged
    acknowledgedBy = [helper.id]
    tellAcknowledged(helper, principal, isFirst: true, &step)
    if kind != .test {
      messages.tell(.acknowledged, messages.calmWays(toAllBut: helper.id), at: step.now)
    }
    step.act(announce(helper.name, in: step.house))
  }

  private func tellAcknowledged(
    _ helper: Guardian, _ principal: Principal, isFirst: Bool, _ step: inout Step
  ) {
    let words = principal.charge(of: step.house.shownName(helper.id), isFirst: isFirst)
    step.tell(
      .alarmAcknowledged, self, words,
      [
        "by": .string(helper.id.rawValue), "byName": .string(helper.name),
        "principal": .string(principal.description), "isFirst": .bool(isFirst),
      ])
  }

  // MARK: Ends

  /// Ends it; whoever was told that help is needed is told that it is over.
  mutating func end(
    as next: AlarmStage, _ words: Closing, by who: String, _ step: inout Step
  ) {
    let wasPrealarm = stage == .prealarm
    stage = next
    ended = Stamp(step.now)
    closing = words
    if !isDuress { step.act(closeRoom(wasPrealarm: wasPrealarm, in: step.house)) }
    tellEnd(words, by: who, &step)
    if kind != .test { messages.tell(.cancelled, messages.toldWays, at: step.now) }
  }

  /// The resident says that they are all right.
  mutating func endByResident(_ words: Closing, _ step: inout Step) {
    end(as: stage == .prealarm ? .cancelled : .resolved, words, by: "resident", &step)
    isEndedByResident = true
  }

  /// A test is over.
  mutating func endTest(_ step: inout Step) {
    let sent = messages.filter(\.wasSent).count
    end(
      as: .resolved, .tested(sent: Int64(sent), all: Int64(messages.count)), by: "schedule", &step)
  }

  private func tellEnd(_ closing: Closing, by who: String, _ step: inout Step) {
    let words = closing.message.text(in: step.language(of: resident))
    step.tell(
      stage == .cancelled || who == "resident" ? .alarmCancelled : .alarmResolved, self,
      Message(verbatim: words), ["by": .string(who), "reason": .string(words)])
  }

  /// Looks over to everybody, with the sounds and the event of a true end; guardians learn that it is not.
  mutating func endUnderDuress(
    _ closing: Closing, by carriers: Carriers, at position: KnownPosition?, _ step: inout Step
  ) {
    let wasPrealarm = stage == .prealarm
    step.act(closeRoom(wasPrealarm: wasPrealarm, in: step.house))
    var shown = self
    shown.stage = wasPrealarm ? .cancelled : .resolved
    shown.tellEnd(closing, by: "resident", &step)
    isDuress = true
    step.tell(
      .alarmDuress, self,
      Message(
        "{name} was forced to end the alarm. It goes on silently.",
        ["name": step.house.name(of: self)]),
      ["position": self.position(position, at: step.now)])
    if wasPrealarm { return dispatch(by: carriers, at: position, &step) }
    // Somebody in charge believed in an accident or a fall; this is something else.
    if stage == .acknowledged { endCharge() }
    dispatched = Stamp(step.now)
    tierSince = Stamp(step.now)
  }

  /// Nobody is in charge any more.
  mutating func endCharge() {
    stage = .dispatched
    acknowledgedBy = []
  }
}

extension Principal {
  /// Who takes charge, as it says; what a keeper of this machine says for somebody is told as that.
  fileprivate func charge(of helper: String, isFirst: Bool) -> Message {
    let values: Message.Values = ["helper": helper, "user": name]
    guard channel == .local else {
      return isFirst
        ? Message("{helper} takes charge.", values) : Message("{helper} comes as well.", values)
    }
    return isFirst
      ? Message("{helper} takes charge, says {user} at the gateway.", values)
      : Message("{helper} comes as well, says {user} at the gateway.", values)
  }
}
