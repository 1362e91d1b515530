public import Moments

/// What to do outside now; never decides anything.
public enum Action: Hashable, Sendable {
  /// Sample a GPS source as fast as it can until the tick, to confirm or refute what one fix said.
  case sampleBurst(source: SourceID, until: Tick)
  /// Sound something in the room.
  case play(SoundRequest)
  /// Stop a sound, if it still sounds or waits.
  case stopSound(SoundID)
  /// Tell a guardian; what became of it comes back as a delivery report.
  case notify(AlarmMessage)
  /// Take a photograph for an alarm; it comes back as a photo report.
  case photograph(alarm: AlarmID, resident: ResidentID)
  /// Contact the emergency services; what became of it comes back as a delivery report for the recipient `emergency`.
  case contactEmergency(EmergencyContact)
  /// Find a way on foot, or an address; what became of it comes back as an observation.
  case askMap(MapQuery)
  /// Show something on the lamp.
  case light(LampSignal)
}
