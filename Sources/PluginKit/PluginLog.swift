import Glibc
import PluginProtocol

/// Writes lines to standard error, which the host stores as the plugin's log.
///
/// Never blocks: while the host does not read, lines are lost. Secrets do not belong here.
public enum PluginLog {
  /// How much a line matters, as its first word says.
  public enum Level: String, Sendable {
    /// Something does not work and a person must act.
    case error
    /// Something is not as it should be; the plugin goes on.
    case warning
    /// A change worth knowing.
    case info
    /// For those who look for a fault.
    case debug
  }

  /// Writes one line; control characters become spaces, the rest after 4,000 characters is left out.
  public static func write(_ level: Level, _ text: String) {
    let line = "\(level.rawValue): \(text.asPluginReason(limit: 4000))\n"
    var bytes = Array(line.utf8.prefix(PluginLimits.logLineBytes))
    if bytes.last != 0x0A { bytes[bytes.count - 1] = 0x0A }
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
