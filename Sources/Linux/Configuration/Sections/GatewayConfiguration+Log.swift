extension GatewayConfiguration {
  /// The log.
  public struct Log: ConfigurationPart {
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

    /// The section of the documented file.
    public static let documentation =
      """
      log:
        # error, warning, info or debug.
        level: info
      """
  }

  /// The log.
  public var log: Log {
    get { self[Log.self] }
    set { self[Log.self] = newValue }
  }
}
