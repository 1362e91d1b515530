public import Configuration

/// What vouches for the clock, as the configuration has it.
public struct ClockSection: ConfigurationPart {
  /// What vouches for the clock.
  public var trust = SystemClock.TrustPolicy.automatic

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group("clock", [.word("trust", \.trust)])

  /// The section of the documented file.
  public static let documentation =
    """
    clock:
      # automatic: scheduled things wait until network time, a hardware clock or satellites vouch for the clock.
      # system: the system clock is always believed.
      trust: automatic
    """
}
