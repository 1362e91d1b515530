import Bytes
import Care
import JSON
import Moments
import Texts

/// How alarms begin, and how those that engines found end by themselves.
extension AlarmEngine {
  /// What there is to raise.
  struct Finding {
    var resident: ResidentID?
    var kind: AlarmKind
    var trigger: AlarmTrigger
    var text: String
    var label = ""
    var cause = ""
    /// Whether it must not be heard in the room, whatever the resident's settings say.
    var isSilent = false
  }

  mutating func raise(
    _ id: ResidentID, _ kind: AlarmKind, _ trigger: AlarmTrigger, _ text: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard text.count <= 500 else {
      throw CommandReply.Refusal(
        .invalid, Message("The reason may have at most 500 characters; shorten it."))
    }
    if kind == .test { return try test(id, &step) }
    guard house.alarmSettings(of: id).rule(kind).isEnabled else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Alarms of kind {kind} are off; switch on the setting {kind}Alarm.",
          ["kind": kind.rawValue]))
    }
    let raises = state.joined(kind, id).map { state.alarms[$0].raises }
    let index = raise(
      Finding(resident: id, kind: kind, trigger: trigger, text: text, label: text), &step)
    let alarm = state.alarms[index]
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "stage": .string(alarm.stage.rawValue), "raises": .integer(alarm.raises),
      "isNew": .bool(raises == nil),
    ]
  }

  /// Raises an alarm or joins the open one of its kind; answers its place.
  @discardableResult
  mutating func raise(_ finding: Finding, _ step: inout Step) -> Int {
    if let index = state.joined(finding.kind, finding.resident) {
      join(index, finding, &step)
      return index
    }
    return begin(finding, &step)
  }

  private mutating func begin(_ finding: Finding, _ step: inout Step) -> Int {
    let alarm = LiveAlarm(
      id: AlarmID(identifiers.next(at: step.now.utc)), tag: newTag(), kind: finding.kind,
      resident: finding.resident, trigger: finding.trigger,
      isSilent: finding.isSilent || house.isSilent(about: finding.resident), text: finding.text,
      label: finding.label,
      causes: finding.cause.isEmpty ? [] : [finding.cause], raised: Stamp(step.now))
    state.alarms.append(alarm)
    state.alarms.sort(by: LiveAlarm.isBefore)
    let index = state.alarms.firstIndex { $0.id == alarm.id } ?? state.alarms.endIndex - 1
    lamp.release()
    step.tell(
      .alarmRaised, alarm, raisedWords(alarm),
      [
        "trigger": .string(alarm.trigger.rawValue), "text": .string(alarm.text),
        "isSilent": .bool(alarm.isSilent),
        "position": alarm.position(state.position(of: index), at: step.now),
      ])
    if alarm.kind == .sos, let resident = alarm.resident {
      step.sampleBurst(
        of: resident, seconds: house.alarmSettings(of: resident).prealarmSeconds + 30)
      step.act(.photograph(alarm: alarm.id, resident: resident))
    }
    if AlarmDeadlines(alarm, in: house).prealarmSeconds == 0 { dispatch(index, &step) }
    return index
  }

  func raisedWords(_ alarm: LiveAlarm) -> Message {
    let name = house.name(of: alarm)
    let why = alarm.text.isEmpty ? "" : " \(alarm.text)"
    switch alarm.kind {
    case .sos: return Message("{name} asked for help.{why}", ["name": name, "why": why])
    case .zone, .position, .glucose, .medicine, .lost, .fault, .battery:
      return alarm.text.isEmpty
        ? Message("{name}: an alarm of kind {kind}.", ["name": name, "kind": alarm.kind.rawValue])
        : Message(verbatim: alarm.text)
    case .test: return Message("A test for {name}: nobody needs help.", ["name": name])
    }
  }

  /// A further raise belongs to the alarm that is open. After somebody took charge it means that help is needed still, and
  /// telling goes on; before, it changes nothing about what is under way.
  private mutating func join(_ index: Int, _ finding: Finding, _ step: inout Step) {
    let isNews = noteCause(index, finding, at: step.now)
    state.alarms[index].raises += 1
    if !finding.text.isEmpty { state.alarms[index].text = finding.text }
    if isNews, !finding.label.isEmpty { state.alarms[index].label = finding.label }
    let isAgain = state.alarms[index].stage == .acknowledged && (finding.kind == .sos || isNews)
    if finding.kind == .sos || isNews, state.alarms[index].isSilenced {
      state.alarms[index].isSilenced = false
      state.alarms[index].soundSince = nil
    }
    if isAgain {
      tellAnew(index, &step)
    } else if isNews, state.alarms[index].isDispatched,
      !house.rule(of: state.alarms[index]).escalates
    {
      renewMessages(index, &step)
    }
    let alarm = state.alarms[index]
    step.tell(
      .alarmRepeated, alarm,
      Message(
        "{name}: raised {raises} times, the last time {trigger}.",
        ["name": house.name(of: alarm), "raises": alarm.raises, "trigger": finding.trigger.words]),
      [
        "raises": .integer(alarm.raises), "trigger": .string(finding.trigger.rawValue),
        "text": .string(finding.text), "isToldAgain": .bool(isAgain),
      ])
  }

  /// Whether a raise says something that is not known yet. What is told once only is news again after most of a day.
  private mutating func noteCause(_ index: Int, _ finding: Finding, at now: Moment) -> Bool {
    let alarm = state.alarms[index]
    let age = (alarm.dispatched ?? alarm.raised).age(at: now)
    let isOld = !house.rule(of: alarm).escalates && age >= 20 * 3_600_000
    guard !finding.cause.isEmpty, !alarm.causes.contains(finding.cause) else { return isOld }
    // Sixteen parts at fault are enough to know that the whole needs care.
    if alarm.causes.count < 16 { state.alarms[index].causes.append(finding.cause) }
    return true
  }

  /// Tells everybody of the tiers reached once more, as somebody who took charge was not enough.
  private mutating func tellAnew(_ index: Int, _ step: inout Step) {
    state.alarms[index].stage = .dispatched
    state.alarms[index].acknowledgedBy = []
    state.alarms[index].dispatched = Stamp(step.now)
    state.alarms[index].tierSince = Stamp(step.now)
    renewMessages(index, &step)
    let alarm = state.alarms[index]
    step.tell(
      .alarmDispatched, alarm,
      Message(
        "{name} still needs help: guardians are told again.", ["name": house.name(of: alarm)]),
      ["tier": .integer(alarm.tier), "isAgain": true])
  }

  private mutating func renewMessages(_ index: Int, _ step: inout Step) {
    state.alarms[index].sound = .quiet
    state.alarms[index].soundSince = nil
    if state.alarms[index].stage == .acknowledged { state.alarms[index].stage = .dispatched }
    state.alarms[index].dispatched = Stamp(step.now)
    state.alarms[index].messages.renew(at: step.now) { $0.notice.isAlarm }
  }

  /// Four letters and digits that cannot be mistaken for each other, unlike any known one.
  private mutating func newTag() -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    while true {
      var word = random.next()
      var tag = ""
      for _ in 0..<4 {
        tag.append(letters[Int(word % UInt64(letters.count))])
        word /= UInt64(letters.count)
      }
      if !state.alarms.contains(where: { $0.tag == tag }) { return tag }
    }
  }

  // MARK: What other engines find

  mutating func find(_ finding: Signal.Finding, _ step: inout Step) {
    find(
      finding.resident, finding.kind, finding.cause, finding.label, finding.explanation, &step)
  }

  mutating func find(
    _ resident: ResidentID?, _ kind: AlarmKind, _ cause: String, _ label: String,
    _ explanation: String, _ step: inout Step
  ) {
    guard house.alarmSettings(of: resident).rule(kind).isEnabled else { return }
    raise(
      Finding(
        resident: resident, kind: kind, trigger: .engine, text: String(explanation.prefix(500)),
        label: String(label.prefix(100)), cause: cause), &step)
  }

  mutating func take(_ settlement: Signal.Settlement, _ step: inout Step) {
    for cause in settlement.causes {
      relieve(settlement.kind, settlement.resident, of: [cause], &step) { label in
        switch settlement.reason {
        case .located: .located
        case .works where settlement.kind == .battery: .charged
        case .works: .works(label)
        case .unused: .unused(label)
        case .done: .medicineSettled
        case .withinRange: .withinRange
        case .goesOn: .goesOn
        case .arrived: .arrived
        }
      }
    }
  }

  /// Takes causes from the open alarm of a kind, and ends it when none is left.
  ///
  /// - Parameter closing: why it is over, from the alarm's label.
  mutating func relieve(
    _ kind: AlarmKind, _ resident: ResidentID?, of causes: Set<String>, _ step: inout Step,
    closing: (String) -> Closing
  ) {
    let open = state.alarms.firstIndex {
      $0.isOpen && $0.kind == kind && $0.resident == resident && !causes.isDisjoint(with: $0.causes)
    }
    guard let index = open else { return }
    state.alarms[index].causes.removeAll { causes.contains($0) }
    guard state.alarms[index].causes.isEmpty else { return }
    let words = closing(state.alarms[index].label)
    state.alarms[index].end(as: .resolved, words, by: "engine", &step)
  }

  /// Ends what is about residents who are not there any more, and forgets them.
  mutating func forgetErased(_ step: inout Step) {
    let gone = state.alarms.filter { $0.resident.map { house.residents[$0] == nil } ?? false }
    for alarm in gone where alarm.isOpen {
      if alarm.sound != .quiet { step.act(.stopSound(alarm.soundID)) }
      step.outcome.events.append(
        EventDraft(
          type: .alarmResolved, lane: .alarm, resident: nil,
          facts: [
            "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
            "kind": .string(alarm.kind.rawValue), "stage": "resolved",
            "explanation": .string(
              gettext(
                "The resident was erased, and the alarm with them.", in: step.world.language)),
          ]))
    }
    state.alarms.removeAll { alarm in gone.contains { $0.id == alarm.id } }
    for id in state.care.keys.sorted() where house.residents[id] == nil { state.care[id] = nil }
  }
}
