import Care
import JSON
import Moments
import Texts

/// What an alarm sounds like, and what the lamp shows.
extension AlarmEngine {
  /// The volume rises, the pitch does not: older ears.
  private static let risingLevels: [Double] = [-18, -12, -6, 0]
  private static let calmLevels: [Double] = [-12]

  func soundID(_ alarm: LiveAlarm) -> SoundID { SoundID("alarm-\(alarm.id)") }

  private func sentences(_ alarm: LiveAlarm) -> Sentences {
    alarm.isForSomebody
      ? sentencesForSomebody
      : Sentences(language: language(of: alarm.resident), name: name(of: alarm.resident))
  }

  /// What is said to whoever held a button of which nobody knows whose it is.
  var sentencesForSomebody: Sentences {
    let language = language(of: nil)
    return Sentences(language: language, name: gettext("Hello", in: language))
  }

  // MARK: What should sound

  private func wantedPhase(_ alarm: LiveAlarm, _ world: World) -> RoomPhase {
    guard alarm.isOpen, !alarm.isSilent, !alarm.isDuress else { return .quiet }
    if alarm.stage == .prealarm { return alarm.kind == .sos ? .prealarm : .quiet }
    guard alarm.stage == .dispatched, !alarm.isSilenced, quietMinutes(alarm, world) == nil
    else { return .quiet }
    let sound = rule(of: alarm).sound
    switch sound {
    case .none: return .quiet
    case .speech, .low: return alarm.sound == .done ? .done : .once
    case .medium, .high:
      let isOver = sirenDeadline(alarm).map { $0 <= world.now.tick } ?? false
      guard isOver || settings(of: alarm.resident).sirenSeconds == 0 else { return .siren }
      if sound == .high { return .speech }
      return isOver || alarm.sound == .done ? .done : .once
    }
  }

  /// What an alarm asks of the room once it is dispatched, for whoever drives a siren of their own; none for a silent one,
  /// for a part of the gateway, and in quiet hours.
  func wantedSound(_ alarm: LiveAlarm, _ world: World) -> RoomSound {
    guard !alarm.isSilent, alarm.kind.isAboutAPerson, quietMinutes(alarm, world) == nil
    else { return .none }
    return rule(of: alarm).sound
  }

  /// When the siren has sounded long enough; nil while it has not begun.
  func sirenDeadline(_ alarm: LiveAlarm) -> Tick? {
    guard let since = alarm.soundSince else { return nil }
    return since.tick(after: settings(of: alarm.resident).sirenSeconds)
  }

  /// Starts and stops what the state asks for.
  mutating func settleRoom(_ step: inout Step) {
    for index in state.alarms.indices {
      let alarm = state.alarms[index]
      let wanted = wantedPhase(alarm, step.world)
      let isUnreachable = alarm.stage == .dispatched && alarm.kind != .test && alarm.isUnreachable
      let isNews = isUnreachable != alarm.hasSaidFailed
      state.alarms[index].hasSaidFailed = isUnreachable
      guard wanted != alarm.sound || isNews && wanted.isRepeated else { continue }
      state.alarms[index].sound = wanted
      if wanted == .siren, alarm.soundSince == nil {
        state.alarms[index].soundSince = Stamp(step.now)
      }
      if let request = request(state.alarms[index]) {
        step.act(.play(request))
      } else if alarm.sound.isHeard, wanted != .done {
        step.act(.stopSound(soundID(alarm)))
      }
    }
  }

  /// What sounds begins anew after a start.
  mutating func resumeSound(_ index: Int, _ world: World, _ step: inout Step) {
    let alarm = state.alarms[index]
    guard wantedPhase(alarm, world) == alarm.sound, let request = request(alarm) else { return }
    step.act(.play(request))
  }

  /// The sound of a phase; nil for those that are quiet.
  private func request(_ alarm: LiveAlarm) -> SoundRequest? {
    let words = sentences(alarm)
    let finding =
      alarm.hasSaidFailed && alarm.kind == .sos
      ? words.unreachable : words.finding(alarm.kind, alarm.label, isOverdue: alarm.isOverdue)
    let reassure = settings(of: alarm.resident).reassureSeconds
    switch alarm.sound {
    case .quiet, .done: return nil
    case .prealarm:
      // The ringtone lasts as long as the pre-alarm: the words come before it, behind one burst that wakes.
      return repeated(
        alarm, [.pattern("high"), .speech(words.prealarm), .pattern("sos")], pause: 500)
    case .siren:
      let pattern = rule(of: alarm).sound.rawValue
      return repeated(alarm, burst(pattern, for: reassure) + [.speech(finding)], pause: 1000)
    case .speech: return repeated(alarm, [.speech(finding)], pause: reassure * 1000)
    case .once:
      let chime = rule(of: alarm).sound == .low ? "low" : "reminder"
      return SoundRequest(
        id: soundID(alarm), priority: priority(alarm),
        parts: [.pattern(chime), .pause(milliseconds: 500), .speech(finding)],
        levelsDecibels: [-6])
    }
  }

  /// Bursts with their pauses, as many as fit between two sentences; a burst with its pause takes about 4.5 s.
  private func burst(_ pattern: String, for seconds: Int64) -> [SoundPart] {
    let count = max(1, (seconds - 6) * 2 / 9)
    let one: [SoundPart] = [.pattern(pattern), .pause(milliseconds: 2600)]
    return (0..<count).flatMap { _ in one }
  }

  private func repeated(
    _ alarm: LiveAlarm, _ parts: [SoundPart], pause: Int64
  ) -> SoundRequest {
    SoundRequest(
      id: soundID(alarm), priority: priority(alarm), parts: parts, repetitions: nil,
      pauseMilliseconds: pause, levelsDecibels: Self.risingLevels, levelStepSeconds: 10)
  }

  private func priority(_ alarm: LiveAlarm) -> SoundPriority {
    switch rule(of: alarm).priority {
    case .high: .emergency
    case .medium: .reminder
    case .low: .chime
    }
  }

  // MARK: Ends

  /// The calm end of an SOS; anything else just stops.
  mutating func closeRoom(_ index: Int, wasPrealarm: Bool, _ step: inout Step) {
    let alarm = state.alarms[index]
    state.alarms[index].sound = .quiet
    guard !alarm.isSilent else { return }
    guard alarm.kind == .sos else {
      if alarm.sound.isHeard { step.act(.stopSound(soundID(alarm))) }
      return
    }
    let words = sentences(alarm)
    step.act(
      .play(
        SoundRequest(
          id: soundID(alarm), priority: .emergency,
          parts: [
            .pattern("cancel"), .pause(milliseconds: 500),
            .speech(wasPrealarm ? words.cancelled : words.over),
          ], levelsDecibels: Self.calmLevels)))
  }

  /// The resident hears who comes.
  mutating func announce(_ helper: Guardian, _ index: Int, _ step: inout Step) {
    let alarm = state.alarms[index]
    let wasHeard = alarm.sound.isHeard
    state.alarms[index].sound = .quiet
    guard !alarm.isSilent, !alarm.isDuress, rule(of: alarm).sound != .none,
      wasHeard || rule(of: alarm).priority == .high
    else { return }
    let words = sentences(alarm)
    let sentence = alarm.kind == .sos ? words.coming(helper.name) : words.handled(helper.name)
    step.act(
      .play(
        SoundRequest(
          id: soundID(alarm), priority: priority(alarm),
          parts: [.pattern("reminder"), .pause(milliseconds: 500), .speech(sentence)],
          levelsDecibels: [-6])))
  }

  /// Stops what sounds of alarms that were dispatched; a pre-alarm goes on, and nothing is acknowledged.
  mutating func silence(_ asker: Asker, _ step: inout Step) {
    var tags: [JSONValue] = []
    for index in state.alarms.indices
    where isSounding(state.alarms[index]) && state.alarms[index].callsSince(asker.sent) {
      state.alarms[index].isSilenced = true
      let alarm = state.alarms[index]
      tags.append(.string(alarm.tag))
      tell(
        .alarmSilenced, alarm,
        Message("The sound in the room was silenced. Nobody took charge by that; telling goes on."),
        [:],
        &step)
    }
    step.outcome.reply = ["silenced": .array(tags)]
  }

  func isSounding(_ alarm: LiveAlarm) -> Bool {
    alarm.stage == .dispatched && alarm.sound.isHeard
  }

  mutating func note(_ report: SoundReport) {
    guard report.outcome.isEnd else { return }
    for index in state.alarms.indices
    where state.alarms[index].sound == .once && soundID(state.alarms[index]) == report.sound {
      state.alarms[index].sound = .done
    }
  }

  // MARK: Quiet hours

  /// Minutes of quiet hours left for an alarm; nil outside of them and while no clock is trusted.
  func quietMinutes(_ alarm: LiveAlarm, _ world: World) -> Int? {
    guard alarm.kind != .sos, let hours = settings(of: alarm.resident).quietHours(alarm.kind),
      let local = localTime(of: alarm.resident, world)
    else { return nil }
    return hours.minutesLeft(at: local)
  }

  /// The local time of a resident, or of the house.
  func localTime(of resident: ResidentID?, _ world: World) -> CivilDateTime? {
    (resident ?? house.residents.keys.min()).flatMap { world.localTime(of: $0) }
  }

  // MARK: Lamp

  /// The lamp is for whoever calls for help or needs it; a part that needs care would only frighten.
  var wantedLamp: LampSignal {
    let open = state.alarms.filter { $0.isOpen && !$0.isDuress && $0.kind.isAboutAPerson }
    return open.map(signal).max { rank($0) < rank($1) } ?? .off
  }

  /// The alarm that is worst off decides.
  private func rank(_ signal: LampSignal) -> Int {
    switch signal {
    case .off: 0
    case .acknowledged: 1
    case .delivered: 2
    case .sent: 3
    case .pressed: 4
    case .stored: 5
    case .failed: 6
    }
  }

  private func signal(_ alarm: LiveAlarm) -> LampSignal {
    switch alarm.stage {
    case .prealarm: return .stored
    case .acknowledged: return .acknowledged
    case .resolved, .cancelled: return .off
    case .dispatched: break
    }
    if alarm.told.contains(where: \.wasDelivered) { return .delivered }
    if alarm.told.contains(where: \.wasSent) { return .sent }
    return alarm.isUnreachable ? .failed : .stored
  }

  mutating func showLamp(_ step: inout Step) {
    let wanted = pressed == nil ? wantedLamp : .pressed
    guard wanted != lamp else { return }
    lamp = wanted
    step.act(.light(wanted))
  }
}

extension RoomPhase {
  /// Whether something sounds that can be stopped.
  var isHeard: Bool {
    switch self {
    case .prealarm, .siren, .speech, .once: true
    case .quiet, .done: false
    }
  }

  /// Whether it goes on until it is stopped.
  var isRepeated: Bool {
    switch self {
    case .siren, .speech: true
    case .quiet, .prealarm, .once, .done: false
    }
  }
}
