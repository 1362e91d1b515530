import Care
import JSON
import Moments
import Texts

/// When an alarm sounds, and the lamp changes.
extension AlarmEngine {
  private func sound(_ alarm: LiveAlarm) -> AlarmSound {
    let words =
      alarm.isForSomebody
      ? sentencesForSomebody
      : Sentences(
        language: house.alarmLanguage(of: alarm.resident), name: house.name(of: alarm.resident))
    return AlarmSound(alarm: alarm, settings: house.alarmSettings(of: alarm.resident), words: words)
  }

  /// What is said to whoever held a button of which nobody knows whose it is.
  var sentencesForSomebody: Sentences {
    let language = house.alarmLanguage(of: nil)
    return Sentences(language: language, name: gettext("Hello", in: language))
  }

  // MARK: What should sound

  private func wantedPhase(_ alarm: LiveAlarm, _ world: World) -> RoomPhase {
    guard alarm.isOpen, !alarm.isSilent, !alarm.isDuress else { return .quiet }
    if alarm.stage == .prealarm { return alarm.kind == .sos ? .prealarm : .quiet }
    guard alarm.stage == .dispatched, !alarm.isSilenced, quietMinutes(alarm, world) == nil
    else { return .quiet }
    let sound = house.rule(of: alarm).sound
    switch sound {
    case .none: return .quiet
    case .speech, .low: return alarm.sound == .done ? .done : .once
    case .medium, .high:
      let isOver = sirenDeadline(alarm).map { $0 <= world.now.tick } ?? false
      guard isOver || house.alarmSettings(of: alarm.resident).sirenSeconds == 0 else {
        return .siren
      }
      if sound == .high { return .speech }
      return isOver || alarm.sound == .done ? .done : .once
    }
  }

  /// What an alarm asks of the room once it is dispatched, for whoever drives a siren of their own; none for a silent one,
  /// for a part of the gateway, and in quiet hours.
  func wantedSound(_ alarm: LiveAlarm, _ world: World) -> RoomSound {
    guard !alarm.isSilent, alarm.kind.isAboutAPerson, quietMinutes(alarm, world) == nil
    else { return .none }
    return house.rule(of: alarm).sound
  }

  /// When the siren has sounded long enough; nil while it has not begun.
  func sirenDeadline(_ alarm: LiveAlarm) -> Tick? {
    guard let since = alarm.soundSince else { return nil }
    return since.tick(after: house.alarmSettings(of: alarm.resident).sirenSeconds)
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
      if let request = sound(state.alarms[index]).request {
        step.act(.play(request))
      } else if alarm.sound.isHeard, wanted != .done {
        step.act(.stopSound(alarm.soundID))
      }
    }
  }

  /// What sounds begins anew after a start.
  mutating func resumeSound(_ index: Int, _ world: World, _ step: inout Step) {
    let alarm = state.alarms[index]
    guard wantedPhase(alarm, world) == alarm.sound, let request = sound(alarm).request
    else { return }
    step.act(.play(request))
  }

  // MARK: Ends

  /// The calm end of an SOS; anything else just stops.
  mutating func closeRoom(_ index: Int, wasPrealarm: Bool, _ step: inout Step) {
    let alarm = state.alarms[index]
    state.alarms[index].sound = .quiet
    guard !alarm.isSilent else { return }
    guard alarm.kind == .sos else {
      if alarm.sound.isHeard { step.act(.stopSound(alarm.soundID)) }
      return
    }
    step.act(.play(sound(alarm).end(wasPrealarm: wasPrealarm)))
  }

  /// The resident hears who comes.
  mutating func announce(_ helper: Guardian, _ index: Int, _ step: inout Step) {
    let alarm = state.alarms[index]
    let wasHeard = alarm.sound.isHeard
    state.alarms[index].sound = .quiet
    guard !alarm.isSilent, !alarm.isDuress, house.rule(of: alarm).sound != .none,
      wasHeard || house.rule(of: alarm).priority == .high
    else { return }
    step.act(.play(sound(alarm).coming(helper.name)))
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
    where state.alarms[index].sound == .once && state.alarms[index].soundID == report.sound {
      state.alarms[index].sound = .done
    }
  }

  // MARK: Quiet hours

  /// Minutes of quiet hours left for an alarm; nil outside of them and while no clock is trusted.
  func quietMinutes(_ alarm: LiveAlarm, _ world: World) -> Int? {
    guard alarm.kind != .sos,
      let hours = house.alarmSettings(of: alarm.resident).quietHours(alarm.kind),
      let local = localTime(of: alarm.resident, world)
    else { return nil }
    return hours.minutesLeft(at: local)
  }

  /// The local time of a resident, or of the house.
  func localTime(of resident: ResidentID?, _ world: World) -> CivilDateTime? {
    (resident ?? house.residents.keys.min()).flatMap { world.localTime(of: $0) }
  }
}

extension AlarmEngine {
  mutating func showLamp(_ step: inout Step) {
    let wanted = pressed == nil ? LampSignal(of: state.alarms) : .pressed
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
