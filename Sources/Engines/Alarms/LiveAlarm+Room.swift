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
    return AlarmSound(self, in: house).change(from: before)
  }

  /// Says that it is over.
  mutating func closeRoom(wasPrealarm: Bool, in house: House) -> Action? {
    let wasHeard = room.quieten()
    return AlarmSound(self, in: house).closing(wasHeard: wasHeard, wasPrealarm: wasPrealarm)
  }

  /// The resident hears who comes.
  mutating func announce(_ helper: String, in house: House) -> Action? {
    let wasHeard = room.quieten()
    return AlarmSound(self, in: house).announcement(of: helper, wasHeard: wasHeard)
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
