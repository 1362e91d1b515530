import Care

/// What an alarm sounds like in the room, as it is now.
struct AlarmSound {
  /// The volume rises, the pitch does not: older ears.
  private static let risingLevels: [Double] = [-18, -12, -6, 0]
  private static let calmLevels: [Double] = [-12]

  let alarm: LiveAlarm
  let settings: AlarmSettings
  let words: Sentences

  private var rule: KindRule { settings.rule(alarm.kind) }

  /// The sound of its phase; nil for those that are quiet.
  var request: SoundRequest? {
    let finding =
      alarm.hasSaidFailed && alarm.kind == .sos
      ? words.unreachable : words.finding(alarm.kind, alarm.label, isOverdue: alarm.isOverdue)
    let reassure = settings.reassureSeconds
    switch alarm.sound {
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
  func end(wasPrealarm: Bool) -> SoundRequest {
    SoundRequest(
      id: alarm.soundID, priority: .emergency,
      parts: [
        .pattern("cancel"), .pause(milliseconds: 500),
        .speech(wasPrealarm ? words.cancelled : words.over),
      ], levelsDecibels: Self.calmLevels)
  }

  /// Who comes.
  func coming(_ helper: String) -> SoundRequest {
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
