import Bytes
import Configuration
import ControlSocket
import JSON

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

  /// Arguments that were not understood; without a command the hint names the one that was typed.
  static func usage(_ message: String, _ command: CommandSpecification? = nil) -> CommandFailure {
    CommandFailure(.usage, message, hint: command.map { help(for: $0.path) })
  }

  /// A configuration that cannot be changed as it is wanted.
  static func unchangeable(_ error: ConfigurationError, hint: String? = nil) -> CommandFailure {
    CommandFailure(
      .failed,
      gettext(
        "the configuration cannot be changed: {error}",
        ["error": error.text(in: SpokenLanguage.current)]),
      hint: hint)
  }

  private static func help(for path: [String]) -> String {
    let words = path.map { " " + $0 }.joined()
    return gettext("Try: homeward{path} --help", ["path": words])
  }

  /// The failure with what to do next, where the arguments were not understood and nothing is said yet.
  func pointing(to words: [String]) -> CommandFailure {
    guard exitCode == .usage, hint == nil else { return self }
    let path = try? CommandTable.path(in: words)
    return CommandFailure(exitCode, message, hint: Self.help(for: path ?? []))
  }

  /// The failure for programs, on standard error: `{"error": {"kind": "refused", "code": 4, "message": …, "hint": …}}`.
  var json: JSONValue {
    let kind =
      switch exitCode {
      case .done: "done"
      case .failed: "failed"
      case .usage: "usage"
      case .notRunning: "not-running"
      case .refused: "refused"
      }
    return [
      "error": .object([
        "kind": .string(kind), "code": .integer(Int64(exitCode.rawValue)),
        "message": .string(message), "hint": hint.map { .string($0) },
      ])
    ]
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
