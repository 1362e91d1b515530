import Texts

/// The sign of life.
public struct HeartbeatSection: ConfigurationPart {
  /// Minutes between signs of life, 1 through 1440; 0 for none.
  public var everyMinutes = 5

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group(
    "heartbeat",
    [.integer("everyMinutes", \.everyMinutes, in: 1...1440, zeroMeans: Message("none"))])

  /// Its section of the documented file.
  public static let documentation =
    """
    heartbeat:
      # Minutes between signs of life, 1 to 1440; 0 for none. The far side notices when one is missing.
      everyMinutes: 5
    """
}

extension GatewayConfiguration {
  /// The sign of life.
  public var heartbeat: HeartbeatSection {
    get { self[HeartbeatSection.self] }
    set { self[HeartbeatSection.self] = newValue }
  }
}
