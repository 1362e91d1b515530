import Alarms
public import CareModel
import CivilTime
import FakeCall
import Reminders

extension GatewayCore {
  /// When it is, for alarms: both clocks, and where the clock is trusted the residents' local times.
  func alarmContext(at now: Moment) -> AlarmContext {
    var context = AlarmContext(now: now, language: configuration.language)
    guard now.quality.isTrusted else { return context }
    for resident in directory.residents.values {
      context.localTimes[resident.id] = timeZones[resident.timeZone]?.local(at: now.utc).civil
    }
    return context
  }

  /// Keeps a zone's file for this run and the next ones; one that cannot be read leaves local time unknown.
  mutating func take(
    timeZone name: String, file: [UInt8], at now: Moment, in step: inout Step
  ) {
    configuration.timeZoneFiles[name] = file
    timeZones[name] = try? CivilTimeZone(name: name, tzif: file)
    step.take(reminders.handle(.timeZone(name: name, timeZones[name]), at: now))
    watchZones(at: now, in: &step)
  }

  // MARK: Between the engines

  /// Tells the alarms what other engines found in this step, and a fake call that a real alarm began.
  mutating func spread(_ step: inout Step, at now: Moment) {
    let context = alarmContext(at: now)
    while step.spread < step.drafts.count {
      let place = step.spread
      let draft = expected(heard(step.drafts[place]), at: now, in: &step)
      step.drafts[place] = draft
      step.spread += 1
      if draft.type == .alarmRaised, Self.endsFakeCalls(draft) {
        step.take(try? fakeCall.handle(.alarmBegan, at: now))
        step.take(reminders.handle(.alarmBegan, at: now))
      }
      if let resident = residentLeavingHome(draft) {
        step.take(reminders.handle(.leftHome(resident), at: now))
      }
      followOuting(of: draft, at: now, in: &step)
      tellNews(of: step.spread - 1, in: &step, at: now)
      if Self.isOfAlarms(draft.type) { continue }
      step.take(alarms.handle(.noticed(draft), in: context))
    }
  }

  private static func isOfAlarms(_ type: EventType) -> Bool {
    type.rawValue.hasPrefix("alarm.") || type.rawValue.hasPrefix("emergency.")
      || type == .fakeCallChanged
  }

  /// Whether an alarm is one that a person in the room must hear at once.
  private static func endsFakeCalls(_ draft: EventDraft) -> Bool {
    draft.facts["kind"]?.stringContent.flatMap(AlarmKind.init)?.isAboutAPerson ?? false
  }

  mutating func advanceAlarms(_ input: AlarmInput, at now: Moment, in step: inout Step) {
    step.take(alarms.handle(input, in: alarmContext(at: now)))
  }

  // MARK: Buttons

  /// Does what a gesture is bound to. A hold is an SOS, always and everywhere.
  mutating func handle(_ report: ButtonReport, at now: Moment, in step: inout Step) {
    let binding = binding(of: report.button)
    let resident = resident(of: binding)
    switch report.gesture {
    case .down, .stuck, .loose:
      advanceAlarms(.button(report, resident), at: now, in: &step)
    case .hold:
      guard let resident else { return }
      ask(
        .raise(resident: resident, kind: .sos, trigger: .button, text: ""), of: binding, at: now,
        in: &step)
    case .press: perform(binding.press, binding, resident, at: now, in: &step)
    case .double:
      if let resident, isInPrealarm(resident) {
        ask(.cancel(resident: resident, pin: nil, message: nil), of: binding, at: now, in: &step)
      } else if answerReminder(isDone: false, binding, at: now, in: &step) {
        break
      } else {
        perform(binding.double, binding, resident, at: now, in: &step)
      }
    case .triple: perform(binding.triple, binding, resident, at: now, in: &step)
    }
  }

  private func binding(of button: SourceID) -> ButtonBinding {
    configuration.buttons.first { $0.button == button } ?? ButtonBinding(button: button)
  }

  /// The resident whom a button is for: named, or their caregiver's, or the only one.
  private func resident(of binding: ButtonBinding) -> ResidentID? {
    if let resident = binding.resident { return directory.residents[resident]?.id }
    if let caregiver = binding.caregiver { return directory.guardians[caregiver]?.resident }
    return directory.sortedResidents.first?.id
  }

  /// Whether an alarm of the resident is on, its pre-alarm included: no time for a call that only seems to come in.
  func needsHelp(_ resident: ResidentID) -> Bool {
    alarms.hasOpenAlarm(resident) || isInPrealarm(resident)
  }

  /// Whether help is about to be called for the resident; a fault that may pass by itself is none of their business.
  private func isInPrealarm(_ resident: ResidentID) -> Bool {
    alarms.summaries.contains {
      $0["resident"]?.stringContent == resident.rawValue
        && $0["stage"]?.stringContent == AlarmStage.prealarm.rawValue
        && $0["kind"]?.stringContent.flatMap(AlarmKind.init)?.isAboutAPerson == true
    }
  }

  private mutating func perform(
    _ command: ButtonCommand, _ binding: ButtonBinding, _ resident: ResidentID?, at now: Moment,
    in step: inout Step
  ) {
    switch command {
    case .none: break
    case .sos:
      guard let resident else { return }
      ask(
        .raise(resident: resident, kind: .sos, trigger: .button, text: ""), of: binding, at: now,
        in: &step)
    case .assist: assist(resident, binding, at: now, in: &step)
    case .acknowledge:
      guard let caregiver = binding.caregiver else { return }
      ask(.acknowledge(alarm: nil, by: caregiver.rawValue), of: binding, at: now, in: &step)
    case .photograph:
      guard let resident else { return }
      ask(.photograph(resident: resident), of: binding, at: now, in: &step)
    case .fakeCall:
      guard let resident, !needsHelp(resident) else { return }
      step.take(try? fakeCall.handle(fakeCallStart(resident, afterSeconds: 0), at: now))
    }
  }

  /// A press silences what sounds, answers what asks (a call, then a reminder), or says the time.
  private mutating func assist(
    _ resident: ResidentID?, _ binding: ButtonBinding, at now: Moment, in step: inout Step
  ) {
    if alarms.isSounding { return ask(.silence, of: binding, at: now, in: &step) }
    switch fakeCall.stage {
    case .ringing: step.take(try? fakeCall.handle(.answer, at: now))
    case .talking: step.take(try? fakeCall.handle(.end, at: now))
    case .idle, .planned, .unanswered:
      if answerReminder(isDone: true, binding, at: now, in: &step) { return }
      let isForAlarm = resident.map(isInPrealarm) ?? false
      if !isForAlarm, answerMessage(by: binding.button, at: now, in: &step) { return }
      guard let resident = resident.flatMap({ directory.residents[$0] }) else { return }
      step.actions.append(
        .play(
          SoundRequest(
            id: "clock", priority: .chime,
            parts: [
              .pattern("chime"),
              .clock(timeZone: resident.timeZone, language: language(of: resident.id)),
            ])))
    }
  }

  /// A request by a button; one that does not fit the moment changes nothing.
  private mutating func ask(
    _ request: AlarmRequest, of binding: ButtonBinding, at now: Moment, in step: inout Step
  ) {
    let principal = Principal(channel: .gateway, name: "button/\(binding.button)")
    step.take(
      try? alarms.perform(request, by: principal, proof: nil, in: alarmContext(at: now)))
  }

  // MARK: Fake calls and sounds by hand

  func fakeCallStart(_ resident: ResidentID, afterSeconds: Int64) -> FakeCallInput {
    let home = alarmSetting("country", of: resident)
    return .start(
      resident: resident, afterSeconds: afterSeconds,
      country: alarmSetting("fakeCallCountry", of: resident) ?? home ?? "GB",
      language: language(of: resident), recording: alarmSetting("fakeCallScript", of: resident))
  }

  func language(of resident: ResidentID) -> String {
    alarmSetting("language", of: resident) ?? "en"
  }

  private func alarmSetting(_ name: String, of resident: ResidentID) -> String? {
    let text = alarmSettings(of: resident).value(name)?.stringContent ?? ""
    return text.isEmpty ? nil : text
  }

  /// The settings of a resident's alarms: built-in, then their own.
  func alarmSettings(of resident: ResidentID) -> AlarmSettings {
    var settings = AlarmSettings()
    for (name, content) in (directory.settings[resident] ?? [:]).sorted(by: { $0.key < $1.key })
    where AlarmSettings.names.contains(name) {
      // All were checked when they came.
      try? settings.set(name, to: content)
    }
    return settings
  }

  // MARK: Views

  /// The guardians of a resident, or of all when nil, by id.
  public func guardians(of resident: ResidentID?) -> [Guardian] {
    if let resident { return directory.guardians(of: resident) }
    return directory.sortedGuardians
  }

  /// Open alarms, most urgent first.
  public var alarmSummaries: [JSONValue] { alarms.summaries }

  /// Whether an alarm of a resident is open, so that those who come see where they are.
  public func hasOpenAlarm(_ resident: ResidentID) -> Bool { alarms.hasOpenAlarm(resident) }

  /// Whether what is told to guardians alone about an alarm must not be shown to whoever looks at the gateway.
  public func conceals(_ alarm: AlarmID) -> Bool { alarms.isConcealed(alarm) }

  /// The sentences that have to be spoken in an emergency.
  public var emergencySentences: [Sentence] { alarms.emergencySentences }

  /// The stored hash of a resident's PIN; nil when it is not set.
  public func pinHash(_ kind: PINKind, of resident: ResidentID) -> String? {
    alarms.pinHash(kind, of: resident)
  }
}

extension Step {
  mutating func take(_ outcome: AlarmOutcome?) {
    guard let outcome else { return }
    drafts += outcome.events
    changes += outcome.changes
    actions += outcome.actions
  }

  mutating func take(_ outcome: ReminderOutcome) {
    drafts += outcome.events
    changes += outcome.changes
    actions += outcome.actions
  }

  mutating func take(_ outcome: FakeCallOutcome?) {
    guard let outcome else { return }
    drafts += outcome.events
    changes += outcome.changes
    actions += outcome.actions
  }
}
