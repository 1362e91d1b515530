import CareModel
import ControlSocket

/// How the program ends.
enum ExitCode: Int32, Sendable {
  /// Done.
  case done = 0
  /// Failed; the message says why.
  case failed = 1
  /// The arguments were not understood.
  case usage = 2
  /// The daemon is not running.
  case notRunning = 3
  /// The daemon refused.
  case refused = 4
}

/// Why a command did not do what it was asked to.
struct CommandFailure: Error {
  var exitCode: ExitCode
  /// One plain sentence.
  var message: String
  /// What to do next, where the sentence does not say it.
  var hint: String?

  init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.hint = hint
  }

  static func usage(_ message: String, _ command: CommandSpecification? = nil) -> CommandFailure {
    let path = command.map { " " + $0.path.joined(separator: " ") } ?? ""
    return CommandFailure(
      .usage, message, hint: gettext("Try: homeward{path} --help", ["path": path]))
  }

  init(_ error: ControlError) {
    switch error.code {
    case .notRunning: self.init(.notRunning, error.message.spoken)
    case .refused, .forbidden: self.init(.refused, error.message.spoken)
    case .parse, .invalidRequest, .unknownMethod, .invalidParameters, .failed, .busy, .unavailable,
      .timedOut, .disconnected:
      self.init(.failed, error.message.spoken)
    }
  }

  init(_ error: DecodeError) {
    self.init(
      .failed, gettext("the gateway's answer is not as expected ({error}).", ["error": error]),
      hint: gettext("Are homeward and homewardd of the same version? See: homeward version"))
  }
}
