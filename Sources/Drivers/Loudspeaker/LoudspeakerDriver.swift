public import Configuration
import Loop
public import Ports

/// The loudspeaker.
public enum LoudspeakerDriver: Driver {
  /// The sound of the configuration.
  public struct Section: ConfigurationPart {
    /// Whether anything sounds in the room.
    public var isEnabled = true
    /// The playback device as alsa-lib names it, such as `plughw:CARD=Headphones`.
    public var device = "default"
    /// The card whose mixer is used, such as `hw:CARD=Headphones`; nil to take it from ``device``.
    public var mixerCard: String?
    /// Elements of the mixer that are raised before an emergency sounds, those that the card has.
    public var mixerElements = ["Master", "PCM", "Speaker", "Headphone"]
    /// Where they are put, in percent of their range, 10 through 100.
    public var emergencyLevelPercent = 90
    /// Whether a quiet tone is played at start.
    public var playsSelfTest = true

    /// The defaults.
    public init() {}

    /// Its keys.
    public static let field = ConfigurationField<Self>.group(
      "sound",
      [
        .truth("enabled", \.isEnabled),
        .text("device", \.device, fault: ConfigurationChecks.soundName),
        .optionalText("mixerCard", \.mixerCard, fault: ConfigurationChecks.soundName),
        .texts("mixerElements", \.mixerElements, fault: ConfigurationChecks.soundName),
        .integer("emergencyLevelPercent", \.emergencyLevelPercent, in: 10...100),
        .truth("selfTest", \.playsSelfTest),
      ])

    /// The section of the documented file.
    public static let documentation =
      """
      sound:
        # false: nothing sounds in this room. Alarms then depend on lamp, buzzer and guardians.
        enabled: true
        # The playback device; "aplay -L" lists the names. A card's own name stays the same when cards are added:
        # plughw:CARD=Headphones
        device: default
        # The card whose volume is set, such as hw:CARD=Headphones; empty for that of the device.
        mixerCard:
        # What "amixer" calls its volumes; those that the card has are raised before an alarm and put back after it.
        mixerElements: [Master, PCM, Speaker, Headphone]
        # How far they are raised, in percent, 10 to 100. 85 dBA at one metre is loud enough.
        emergencyLevelPercent: 90
        # A quiet tone at start shows that the speaker is there.
        selfTest: true
      """
  }

  /// The speaker, also one that is silent on purpose: it says so.
  public static func add(
    _ section: Section, to devices: inout Devices, in surroundings: Surroundings
  ) {
    devices.speaker = ALSASpeaker(
      ALSASpeakerOptions(
        isEnabled: section.isEnabled, device: section.device, mixerCard: section.mixerCard,
        mixerElements: section.mixerElements,
        emergencyLevelPercent: section.emergencyLevelPercent, playsSelfTest: section.playsSelfTest))
  }
}
