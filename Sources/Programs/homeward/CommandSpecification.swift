/// One option, `--name` or `--name VALUE`.
struct OptionSpecification: Sendable {
  var name: String
  /// What to call the value in help; nil for a switch.
  var value: String?
  var isRepeatable = false
  var help: String
  /// The name that it had before, which is still read.
  var formerName: String?

  static func flag(_ name: String, _ help: String) -> Self {
    Self(name: name, value: nil, help: help)
  }

  static func option(_ name: String, _ value: String, _ help: String) -> Self {
    Self(name: name, value: value, help: help)
  }

  /// The file that something is written to; one name wherever a command writes a file.
  static func file(
    _ help: String, value: String = "FILE", formerly: String? = nil
  ) -> Self {
    Self(name: "to", value: value, help: help, formerName: formerly)
  }

  static func repeatable(_ name: String, _ value: String, _ help: String) -> Self {
    Self(name: name, value: value, isRepeatable: true, help: help)
  }
}

/// One argument that has no option's name in front.
struct OperandSpecification: Sendable {
  var name: String
  var isOptional = false
  var isRepeatable = false
  var help: String
}

/// One line to try, and what it does.
struct Example: Sendable {
  var line: String
  var meaning: String

  init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// One command: what it is called, takes and does.
///
/// Texts are looked up when they are asked for: of two hundred commands one runs.
struct CommandSpecification: Sendable {
  /// `["zones", "add"]`.
  let path: [String]
  let run: @Sendable (Session) throws(CommandFailure) -> Void
  private let makeSummary: @Sendable () -> String
  private let makeDiscussion: @Sendable () -> String
  private let makeOperands: @Sendable () -> [OperandSpecification]
  private let makeOptions: @Sendable () -> [OptionSpecification]
  private let makeExamples: @Sendable () -> [Example]

  init(
    path: [String], summary: @escaping @autoclosure @Sendable () -> String,
    discussion: @escaping @autoclosure @Sendable () -> String = "",
    operands: @escaping @autoclosure @Sendable () -> [OperandSpecification] = [],
    options: @escaping @autoclosure @Sendable () -> [OptionSpecification] = [],
    examples: @escaping @autoclosure @Sendable () -> [Example] = [],
    run: @escaping @Sendable (Session) throws(CommandFailure) -> Void
  ) {
    self.path = path
    self.run = run
    makeSummary = summary
    makeDiscussion = discussion
    makeOperands = operands
    makeOptions = options
    makeExamples = examples
  }

  /// One line for the overview, without a full stop.
  var summary: String { makeSummary() }
  /// More, for the command's own help; lines of at most 100 characters.
  var discussion: String { makeDiscussion() }
  var operands: [OperandSpecification] { makeOperands() }
  var options: [OptionSpecification] { makeOptions() }
  var examples: [Example] { makeExamples() }

  /// Options that every command takes.
  static let common: [OptionSpecification] = [
    .flag("json", gettext("Print JSON, for programs")),
    .option(
      "socket", "PATH", gettext("The daemon's control socket, instead of the configured one")),
    .option(
      "config", "PATH", gettext("The configuration file, instead of /etc/homeward/homeward.yaml")),
    .flag("help", gettext("Print this and do nothing")),
  ]
}
