import Glibc
import Loop
public import PluginProtocol

/// Writes lines to standard error, which the host stores as the plugin's log.
///
/// Never waits: while the host does not read, lines are dropped and counted, and the count is said when it reads again.
/// Secrets do not belong here.
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
    guard line.utf8.count > PluginLimits.logLineBytes else { return writer.write(line) }
    writer.write(
      String(decoding: line.utf8.prefix(PluginLimits.logLineBytes - 1), as: UTF8.self) + "\n")
  }

  private static let writer = LogWriter(descriptor: STDERR_FILENO, prefix: "warning: ")
    .drainingAtExit()
}

extension RPCError {
  /// Why the gateway refused, for the log: the kind alone, for the sentence behind it may name people.
  public var logWords: String {
    guard code == RPCError.refusedCode, let colon = message.firstIndex(of: ":") else {
      return "error \(code)"
    }
    return String(message[..<colon]).asPluginReason(limit: 40)
  }
}
