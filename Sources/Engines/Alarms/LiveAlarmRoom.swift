import Care
import Moments
import Texts

/// How an alarm begins and ends to sound in the room.
extension LiveAlarm {
  /// Whether something sounds that a press would silence.
  var isSounding: Bool { stage == .dispatched && room.phase.isHeard }

  /// Starts or stops what it asks for now.
  mutating func settleRoom(in house: House, _ world: World) -> Action? {
    let wanted = AlarmSound(self, in: house).phase(in: world)
    let isFailing = stage == .dispatched && kind != .test && isUnreachable
    guard let before = room.settle(wanted, isFailing: isFailing, at: world.now) else { return nil }
    if let request = AlarmSound(self, in: house).request { return .play(request) }
    return before.isHeard && wanted != .done ? .stopSound(soundID) : nil
  }

  /// What sounds begins anew after a start.
  func resumedSound(in house: House, _ world: World) -> Action? {
    let own = AlarmSound(self, in: house)
    return own.phase(in: world) == room.phase ? own.request.map { .play($0) } : nil
  }

  /// The calm end of an SOS; anything else just stops.
  mutating func closeRoom(wasPrealarm: Bool, in house: House) -> Action? {
    let wasHeard = room.quieten()
    guard !isSilent else { return nil }
    guard kind == .sos else { return wasHeard ? .stopSound(soundID) : nil }
    return .play(AlarmSound(self, in: house).end(wasPrealarm: wasPrealarm))
  }

  /// The resident hears who comes.
  mutating func announce(_ helper: String, in house: House) -> Action? {
    let wasHeard = room.quieten()
    let rule = house.rule(of: self)
    guard !isSilent, !isDuress, rule.sound != .none, wasHeard || rule.priority == .high else {
      return nil
    }
    return .play(AlarmSound(self, in: house).coming(helper))
  }

  /// Stops what sounds; nothing is acknowledged by that.
  mutating func silence(_ step: inout Step) {
    room.silence()
    step.tell(
      .alarmSilenced, self,
      Message("The sound in the room was silenced. Nobody took charge by that; telling goes on."))
  }

  /// Takes that a sound is over.
  mutating func note(_ report: SoundReport) {
    if report.outcome.isEnd, soundID == report.sound { room.finish() }
  }
}
