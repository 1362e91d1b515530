import Care
import Moments

/// When an alarm sounds in the room, and what it sounds like, as it is now.
struct AlarmSound {
  /// The volume rises, the pitch does not: older ears.
  private static let risingLevels: [Double] = [-18, -12, -6, 0]
  private static let calmLevels: [Double] = [-12]

  private let alarm: LiveAlarm
  private let house: House

  init(_ alarm: LiveAlarm, in house: House) {
    self.alarm = alarm
    self.house = house
  }

  private var settings: AlarmSettings { house.alarmSettings(of: alarm.resident) }
  private var rule: KindRule { settings.rule(alarm.kind) }
  private var words: Sentences { Sentences(about: alarm, in: house) }

  // MARK: When

  /// What it should do now.
  func phase(in world: World) -> RoomPhase {
    guard alarm.isOpen, !alarm.isSilent, !alarm.isDuress else { return .quiet }
    if alarm.stage == .prealarm { return alarm.kind == .sos ? .prealarm : .quiet }
    guard alarm.stage == .dispatched, !alarm.room.isSilenced,
      house.quietMinutes(of: alarm, in: world) == nil
    else { return .quiet }
    let sound = rule.sound
    switch sound {
    case .none: return .quiet
    case .speech, .low: return alarm.room.phase == .done ? .done : .once
    case .medium, .high:
      let isOver = sirenEnd.map { $0 <= world.now.tick } ?? false
      guard isOver || settings.sirenSeconds == 0 else { return .siren }
      if sound == .high { return .speech }
      return isOver || alarm.room.phase == .done ? .done : .once
    }
  }

  /// What it asks of the room once it is dispatched, for whoever drives a siren of their own; none for a silent one, for a
  /// part of the gateway, and in quiet hours.
  func wanted(in world: World) -> RoomSound {
    guard !alarm.isSilent, alarm.kind.isAboutAPerson,
      house.quietMinutes(of: alarm, in: world) == nil
    else { return .none }
    return rule.sound
  }

  /// When the siren has sounded long enough; nil while it has not begun.
  var sirenEnd: Tick? {
    guard let since = alarm.room.sirenSince else { return nil }
    return since.tick(after: settings.sirenSeconds)
  }

  // MARK: Changes

  /// What begins or ends now that it does something else than before.
  func change(from before: RoomPhase) -> Action? {
    if let request { return .play(request) }
    return before.isHeard && alarm.room.phase != .done ? .stopSound(alarm.soundID) : nil
  }

  /// What sounds begins anew after a start.
  func resumed(in world: World) -> Action? {
    phase(in: world) == alarm.room.phase ? request.map { .play($0) } : nil
  }

  /// The calm end of an SOS; anything else just stops.
  func closing(wasHeard: Bool, wasPrealarm: Bool) -> Action? {
    guard !alarm.isSilent else { return nil }
    guard alarm.kind == .sos else { return wasHeard ? .stopSound(alarm.soundID) : nil }
    return .play(end(wasPrealarm: wasPrealarm))
  }

  /// Who comes, where something was heard or matters enough.
  func announcement(of helper: String, wasHeard: Bool) -> Action? {
    guard !alarm.isSilent, !alarm.isDuress, rule.sound != .none,
      wasHeard || rule.priority == .high
    else { return nil }
    return .play(coming(helper))
  }

  // MARK: What

  /// The sound of its phase; nil for those that are quiet.
  private var request: SoundRequest? {
    let finding =
      alarm.room.hasSaidFailed && alarm.kind == .sos
      ? words.unreachable : words.finding(alarm.kind, alarm.label, isOverdue: alarm.isOverdue)
    let reassure = settings.reassureSeconds
    switch alarm.room.phase {
    case .quiet, .done: return nil
    case .prealarm:
      // The ringtone lasts as long as the pre-alarm: the words come before it, behind one burst that wakes.
      return repeated([.pattern("high"), .speech(words.prealarm), .pattern("sos")], pause: 500)
    case .siren:
      return repeated(
        burst(rule.sound.rawValue, for: reassure) + [.speech(finding)], pause: 1000)
    case .speech: return repeated([.speech(finding)], pause: reassure * 1000)
    case .once: return once(rule.sound == .low ? "low" : "reminder", finding)
    }
  }

  /// The calm end of an SOS.
  private func end(wasPrealarm: Bool) -> SoundRequest {
    SoundRequest(
      id: alarm.soundID, priority: .emergency,
      parts: [
        .pattern("cancel"), .pause(milliseconds: 500),
        .speech(wasPrealarm ? words.cancelled : words.over),
      ], levelsDecibels: Self.calmLevels)
  }

  /// Who comes.
  private func coming(_ helper: String) -> SoundRequest {
    once("reminder", alarm.kind == .sos ? words.coming(helper) : words.handled(helper))
  }

  private func once(_ pattern: String, _ sentence: Sentence) -> SoundRequest {
    SoundRequest(
      id: alarm.soundID, priority: priority,
      parts: [.pattern(pattern), .pause(milliseconds: 500), .speech(sentence)],
      levelsDecibels: [-6])
  }

  /// Bursts with their pauses, as many as fit between two sentences; a burst with its pause takes about 4.5 s.
  private func burst(_ pattern: String, for seconds: Int64) -> [SoundPart] {
    let count = max(1, (seconds - 6) * 2 / 9)
    let one: [SoundPart] = [.pattern(pattern), .pause(milliseconds: 2600)]
    return (0..<count).flatMap { _ in one }
  }

  private func repeated(_ parts: [SoundPart], pause: Int64) -> SoundRequest {
    SoundRequest(
      id: alarm.soundID, priority: priority, parts: parts, repetitions: nil,
      pauseMilliseconds: pause, levelsDecibels: Self.risingLevels, levelStepSeconds: 10)
  }

  private var priority: SoundPriority {
    switch rule.priority {
    case .high: .emergency
    case .medium: .reminder
    case .low: .chime
    }
  }
}

extension LiveAlarm {
  /// What its sounds are known by.
  var soundID: SoundID { SoundID("alarm-\(id)") }
}
