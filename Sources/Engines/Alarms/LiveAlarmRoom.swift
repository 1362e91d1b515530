import Care
import Moments

/// How an alarm begins and ends to sound in the room.
extension LiveAlarm {
  /// Whether something sounds that a press would silence.
  var isSounding: Bool { stage == .dispatched && sound.isHeard }

  /// Starts or stops what it asks for now.
  mutating func settleRoom(in house: House, _ world: World) -> Action? {
    let wanted = AlarmSound(self, in: house).phase(in: world)
    let isFailing = stage == .dispatched && kind != .test && isUnreachable
    let isNews = isFailing != hasSaidFailed
    hasSaidFailed = isFailing
    let before = sound
    guard wanted != before || isNews && wanted.isRepeated else { return nil }
    sound = wanted
    if wanted == .siren, soundSince == nil { soundSince = Stamp(world.now) }
    if let request = AlarmSound(self, in: house).request { return .play(request) }
    return before.isHeard && wanted != .done ? .stopSound(soundID) : nil
  }

  /// What sounds begins anew after a start.
  func resumedSound(in house: House, _ world: World) -> Action? {
    let own = AlarmSound(self, in: house)
    return own.phase(in: world) == sound ? own.request.map { .play($0) } : nil
  }

  /// The calm end of an SOS; anything else just stops.
  mutating func closeRoom(wasPrealarm: Bool, in house: House) -> Action? {
    let wasHeard = sound.isHeard
    sound = .quiet
    guard !isSilent else { return nil }
    guard kind == .sos else { return wasHeard ? .stopSound(soundID) : nil }
    return .play(AlarmSound(self, in: house).end(wasPrealarm: wasPrealarm))
  }

  /// The resident hears who comes.
  mutating func announce(_ helper: String, in house: House) -> Action? {
    let wasHeard = sound.isHeard
    sound = .quiet
    let rule = house.rule(of: self)
    guard !isSilent, !isDuress, rule.sound != .none, wasHeard || rule.priority == .high else {
      return nil
    }
    return .play(AlarmSound(self, in: house).coming(helper))
  }

  /// Takes that a sound is over.
  mutating func note(_ report: SoundReport) {
    guard report.outcome.isEnd, sound == .once, soundID == report.sound else { return }
    sound = .done
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
