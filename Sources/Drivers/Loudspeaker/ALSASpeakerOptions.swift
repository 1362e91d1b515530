public import Care
public import Moments

/// What the owner decides about the speaker.
public struct ALSASpeakerOptions: Sendable {
  /// False: the speaker stays silent on purpose, and says so.
  public var isEnabled: Bool
  /// The playback device as alsa-lib names it, such as `default` or `plughw:CARD=Headphones`.
  public var device: String
  /// The card whose mixer is used, such as `default` or `hw:CARD=Headphones`; nil to take it from ``device``.
  public var mixerCard: String?
  /// Simple mixer elements that are raised for an emergency, those that the card has.
  public var mixerElements: [String]
  /// Where they are put for an emergency, in percent of their range, 0 through 100.
  public var emergencyLevelPercent: Int
  /// Whether a quiet tone is played at start.
  public var playsSelfTest: Bool
  /// Whether the audio thread asks for a real-time priority; without the right to it, it does without.
  public var wantsRealtime = true
  /// How long a card may take nothing while something sounds before it is closed and opened again.
  public var hangMilliseconds: Int64 = 3_000
  /// Called on the audio thread when the first frames of a sound have been handed to the card; for measurements.
  public var onFirstFrame: (@Sendable (SoundID, Tick) -> Void)?

  /// The defaults of the configuration.
  public init(
    isEnabled: Bool = true, device: String = "default", mixerCard: String? = nil,
    mixerElements: [String] = ["Master", "PCM", "Speaker", "Headphone"],
    emergencyLevelPercent: Int = 90, playsSelfTest: Bool = true
  ) {
    self.isEnabled = isEnabled
    self.device = device
    self.mixerCard = mixerCard
    self.mixerElements = mixerElements
    self.emergencyLevelPercent = max(0, min(100, emergencyLevelPercent))
    self.playsSelfTest = playsSelfTest
  }

  /// `hw:CARD=X` for `plughw:CARD=X,DEV=0`; a device without a card is its own mixer.
  var resolvedMixerCard: String {
    if let mixerCard { return mixerCard }
    for prefix in ["plughw:", "hw:", "sysdefault:", "dmix:"] where device.hasPrefix(prefix) {
      let card = device.dropFirst(prefix.count).prefix { $0 != "," }
      return "hw:\(card)"
    }
    return device
  }
}
