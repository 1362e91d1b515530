/// The log.
public struct LogSection: ConfigurationPart {
  /// The least important entry that is written.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    /// What needs somebody.
    case error
    /// What may need somebody soon.
    case warning
    /// What happens.
    case info
    /// Everything.
    case debug
  }

  /// The least important entry that is written.
  public var level = Level.info

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group(
    "log",
    [.word("level", \.level)])

  /// Its section of the documented file.
  public static let documentation =
    """
    log:
      # error, warning, info or debug.
      level: info
    """
}

extension GatewayConfiguration {
  /// The log.
  public var log: LogSection {
    get { self[LogSection.self] }
    set { self[LogSection.self] = newValue }
  }
}
