/// One option, `--name` or `--name VALUE`.
struct OptionSpecification: Sendable {
  var name: String
  /// What to call the value in help; nil for a switch.
  var value: String?
  var isRepeatable = false
  var help: String

  static func flag(_ name: String, _ help: String) -> Self {
    Self(name: name, value: nil, help: help)
  }

  static func option(_ name: String, _ value: String, _ help: String) -> Self {
    Self(name: name, value: value, help: help)
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
struct CommandSpecification: Sendable {
  /// `["zones", "add"]`.
  var path: [String]
  /// One line for the overview, without a full stop.
  var summary: String
  /// More, for the command's own help; lines of at most 100 characters.
  var discussion = ""
  var operands: [OperandSpecification] = []
  var options: [OptionSpecification] = []
  var examples: [Example] = []
  var run: @Sendable (Session) throws(CommandFailure) -> Void

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
