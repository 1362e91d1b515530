import Alarms
public import Care
import CivilTime
import FakeCall
public import JSON
import Moments
import Proximity
import Reminders
import Texts

extension GatewayCore {
  /// Keeps a zone's file for this run and the next ones; one that cannot be read leaves local time unknown.
  mutating func take(
    timeZone name: String, file: [UInt8], at now: Moment, in step: inout Step
  ) {
    configuration.timeZoneFiles[name] = file
    directory.timeZones[name] = try? CivilTimeZone(name: name, tzif: file)
    step.take(reminders.handle(.timeZone(name: name, directory.timeZones[name]), at: now))
    watchZones(at: now, in: &step)
  }

  // MARK: Between the engines

  /// Lets the engines hear what the events of this step mean to them, in order.
  mutating func spread(_ step: inout Step, at now: Moment) {
    while step.spread < step.drafts.count {
      let place = step.spread
      step.spread += 1
      step.drafts[place] = expected(heard(step.drafts[place]), at: now, in: &step)
      guard let signal = step.drafts[place].signal else { continue }
      switch signal {
      case .alarmBegan:
        step.take(try? fakeCall.handle(.alarmBegan, at: now))
        step.take(reminders.handle(.alarmBegan, at: now))
      case .zone(let news, let resident):
        if news.leftHome != nil {
          step.take(reminders.handle(.leftHome(resident), at: now))
          advance(proximityOf: resident, .outing(isOut: true), at: now, in: &step)
        }
        if news.enteredHome != nil {
          advance(proximityOf: resident, .outing(isOut: false), at: now, in: &step)
        }
      case .news: tellNews(of: place, in: &step, at: now)
      case .located, .absence, .found, .settled, .homeTag: break
      }
      advanceAlarms(.signalled(signal), at: now, in: &step)
    }
  }

  mutating func advanceAlarms(_ input: AlarmInput, at now: Moment, in step: inout Step) {
    step.take(alarms.handle(input, in: world(at: now)))
  }

  // MARK: Buttons

  /// Does what a gesture is bound to. A hold is an SOS, always and everywhere, whoever's button it is.
  mutating func handle(_ report: ButtonReport, at now: Moment, in step: inout Step) {
    let binding = binding(of: report.button)
    let resident = resident(of: binding)
    switch report.gesture {
    case .down, .stuck, .loose:
      advanceAlarms(.button(report, resident), at: now, in: &step)
    case .hold: callForHelp(by: binding, at: now, in: &step)
    case .press: perform(binding.press, binding, resident, at: now, in: &step)
    case .double:
      if let resident, isInPrealarm(resident) {
        ask(.cancel(resident: resident, pin: nil, message: nil), of: binding, at: now, in: &step)
      } else if alarms.isSomebodyInNeed {
        step.take(alarms.cancelForSomebody(in: world(at: now)))
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

  /// The resident whom a button is for: named, or their caregiver's, or the only one; nil where nobody knows.
  private func owner(of binding: ButtonBinding) -> ResidentID? {
    if let resident = binding.resident { return directory.residents[resident]?.id }
    if let caregiver = binding.caregiver { return directory.guardians[caregiver]?.resident }
    return directory.residents.count == 1 ? directory.residents.keys.first : nil
  }

  /// The resident whose language and settings hold for a button: its owner, or the first where it is everybody's.
  private func resident(of binding: ButtonBinding) -> ResidentID? {
    if let owner = owner(of: binding) { return owner }
    guard binding.resident == nil, binding.caregiver == nil else { return nil }
    return directory.sortedResidents.first?.id
  }

  /// Raises an SOS for whoever a button belongs to; for somebody where nobody knows who that is.
  private mutating func callForHelp(
    by binding: ButtonBinding, at now: Moment, in step: inout Step
  ) {
    if let owner = owner(of: binding) {
      return ask(
        .raise(resident: owner, kind: .sos, trigger: .button, text: ""), of: binding, at: now,
        in: &step)
    }
    let why = Message(
      "The button {button} was held; nobody knows whose it is.", ["button": binding.button])
    step.take(
      alarms.raiseForSomebody(
        .button, text: why.text(in: alarmLanguageOfHouse), in: world(at: now)))
    noteUnowned(binding.button, at: now, in: &step)
  }

  /// The language in which alarms speak of the gateway itself: the first resident's.
  private var alarmLanguageOfHouse: Language {
    directory.sortedResidents.first.map { language(of: $0.id) } ?? configuration.language
  }

  // MARK: Buttons of nobody

  /// The part that the buttons' owners are, among the gateway's own.
  public static let ownersComponent: ComponentID = "buttons"

  private mutating func noteUnowned(
    _ button: SourceID, at now: Moment, in step: inout Step
  ) {
    let isBound = configuration.buttons.contains { $0.button == button }
    if !isBound, unownedButtons.count < Self.unownedAtMost { unownedButtons.insert(button) }
    judgeOwners(isHeld: true, at: now, in: &step)
  }

  /// The most buttons of plugins that are remembered because nobody knows whose they are.
  private static let unownedAtMost = 16

  /// Finds out anew whether somebody's help would be called for nobody; what changed becomes a fault, or clears one.
  ///
  /// - Parameter isHeld: whether help was called for with one of them, so that nothing is waited for.
  mutating func judgeOwners(isHeld: Bool = false, at now: Moment, in step: inout Step) {
    let bindings =
      configuration.buttons + unownedButtons.sorted().map { ButtonBinding(button: $0) }
    let unowned = bindings.filter { owner(of: $0) == nil }.map(\.button.rawValue)
    var report = HealthReport(component: Self.ownersComponent, state: .unused)
    if !directory.residents.isEmpty, !bindings.isEmpty { report.state = .working }
    if !directory.residents.isEmpty, !unowned.isEmpty {
      let words = Message(
        "Nobody knows whose button this is: {buttons}. Held, it calls for help for somebody, and all guardians are told. Set its resident under buttons in the configuration.",
        ["buttons": unowned.joined(separator: ", ")])
      report.state = .degraded
      report.code = "of-nobody"
      report.detail = Message(verbatim: words.text(in: configuration.language))
    }
    let isNew = report.state != ownersReport?.state || report.detail != ownersReport?.detail
    guard isNew || isHeld else { return }
    ownersReport = report
    watch(report, isCertain: isHeld, at: now, in: &step)
  }

  /// Whether an alarm of the resident is on, its pre-alarm included: no time for a call that only seems to come in.
  func needsHelp(_ resident: ResidentID) -> Bool {
    alarms.hasOpenAlarm(resident) || isInPrealarm(resident) || alarms.isSomebodyInNeed
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
    case .sos: callForHelp(by: binding, at: now, in: &step)
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
      let isForAlarm = resident.map(isInPrealarm) ?? false || alarms.isSomebodyInNeed
      if !isForAlarm, answerMessage(by: binding.button, at: now, in: &step) { return }
      guard let resident = resident.flatMap({ directory.residents[$0] }) else { return }
      step.actions.append(
        .play(
          SoundRequest(
            id: "clock", priority: .chime,
            parts: [
              .pattern("chime"),
              .clock(timeZone: resident.timeZone, language: language(of: resident.id).rawValue),
            ])))
    }
  }

  /// A request by a button; one that does not fit the moment changes nothing.
  private mutating func ask(
    _ request: AlarmRequest, of binding: ButtonBinding, at now: Moment, in step: inout Step
  ) {
    let principal = Principal(channel: .gateway, name: "button/\(binding.button)")
    step.take(
      try? alarms.perform(request, by: principal, proof: nil, in: world(at: now)))
  }

  // MARK: Fake calls and sounds by hand

  func fakeCallStart(_ resident: ResidentID, afterSeconds: Int64) -> FakeCallInput {
    let home = alarmSetting("country", of: resident)
    return .start(
      resident: resident, afterSeconds: afterSeconds,
      country: alarmSetting("fakeCallCountry", of: resident) ?? home ?? "GB",
      language: language(of: resident).rawValue,
      recording: alarmSetting("fakeCallScript", of: resident))
  }

  /// The language that a resident is spoken to in, and in which others are told of them.
  func language(of resident: ResidentID) -> Language {
    directory.people[resident]?.language ?? .en
  }

  private func alarmSetting(_ name: String, of resident: ResidentID) -> String? {
    let text = directory.alarmSettings(of: resident).value(name)?.stringContent ?? ""
    return text.isEmpty ? nil : text
  }

  // MARK: Views

  /// The guardians of a resident, or of all when nil, by id.
  public func guardians(of resident: ResidentID?) -> [Guardian] {
    if let resident { return directory.guardians(of: resident) }
    return directory.sortedGuardians
  }

  /// Open alarms, most urgent first.
  public var alarmSummaries: [JSONValue] { alarms.summaries }

  /// Homes that were moved or removed.
  public var pastHomes: [PastHome] { homes.all }

  /// Whether what is told to guardians alone about an alarm must not be shown to whoever looks at the gateway.
  public func conceals(_ alarm: AlarmID) -> Bool { alarms.isConcealed(alarm) }

  /// The sentences that have to be spoken in an emergency.
  public var emergencySentences: [Sentence] { alarms.emergencySentences }

  /// The stored hash of a resident's PIN; nil when it is not set.
  public func pinHash(_ kind: PINKind, of resident: ResidentID) -> String? {
    alarms.pinHash(kind, of: resident)
  }
}
