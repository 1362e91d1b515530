/// The numbers of plugin protocol 1.
public enum PluginLimits {
  /// Protocol versions that this build of the host speaks.
  public static let protocolVersions = [1]
  /// The most bytes of one line from a plugin, its newline not counted.
  public static let lineFromPluginBytes = 1 << 20
  /// The most bytes of one line from the host, its newline not counted.
  public static let lineFromHostBytes = 4 << 20
  /// The most events of one batch.
  public static let batchEvents = 10_000
  /// The most bytes of bodies of one batch.
  public static let batchBytes = 3 << 20
  /// The longest that a plugin may put an event off.
  public static let retrySeconds: Int64 = 86_400
  /// What a plugin may watch for those whose sessions it hands in.
  public static let watches = 256
  /// Types of events that one watch may name.
  public static let watchedTypes = 64
  /// The most bytes that wait for a plugin before what it watches is given up.
  public static let watchedBytes = 4 << 20
  /// Observations of each kind about rooms that a plugin may hand in within any second.
  public static let roomMessagesPerSecond = 50
  /// The most bytes of one line of a plugin's log; the rest of the line is left out.
  public static let logLineBytes = 4096
  /// Lines of log a second that are kept.
  public static let logLinesPerSecond = 100
  /// The most characters of a reason or detail that are kept.
  public static let reasonCharacters = 500
}

extension String {
  /// At most so many characters, control characters replaced by spaces, for reasons that people will read.
  public func asPluginReason(limit: Int = PluginLimits.reasonCharacters) -> String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.prefix(limit).map { scalar in
          scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar
        }))
  }
}
