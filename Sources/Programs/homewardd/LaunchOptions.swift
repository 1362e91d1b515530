import Care
import Configuration
import Glibc
import Texts

/// What the command line of the daemon says.
struct LaunchOptions: Sendable {
  /// What is wrong with a command line.
  struct Fault: Error {
    var message: Message
  }

  /// The configuration file named, or the usual one if it exists.
  var configurationPath: String?
  /// Single settings, which go before environment and file.
  var settings: [String: String] = [:]
  /// What to print instead of running.
  var textToPrint: String?
  /// Whether only to look at the configuration.
  var isCheck = false
  /// Whether a check answers with everything that counts, as JSON.
  var wantsJSON = false

  static let usualPath = "/etc/homeward/homeward.yaml"

  init(arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": textToPrint = Self.help
      case "--version": textToPrint = "homewardd \(Release.version)\n"
      case "--default-configuration": textToPrint = DriverList.schema.documentedDefault
      case "--check": isCheck = true
      case "--json": wantsJSON = true
      case "--config", "-c": configurationPath = try Self.operand(of: word, &rest)
      case "--set":
        let assignment = try Self.operand(of: word, &rest)
        guard let equals = assignment.firstIndex(of: "=") else {
          throw Fault(message: Message("--set wants KEY=VALUE, such as --set store.backupsKept=14"))
        }
        settings[String(assignment[..<equals])] = String(
          assignment[assignment.index(after: equals)...])
      default:
        throw Fault(
          message: Message(
            "homewardd does not know \"{word}\". Try: homewardd --help", ["word": word]))
      }
    }
    if wantsJSON, !isCheck {
      throw Fault(message: Message("--json is for --check: homewardd --check --json"))
    }
    if configurationPath == nil, access(Self.usualPath, R_OK) == 0 {
      configurationPath = Self.usualPath
    }
  }

  private static func operand(
    of word: String, _ rest: inout ArraySlice<String>
  ) throws(Fault) -> String {
    guard let operand = rest.popFirst() else {
      throw Fault(message: Message("{word} needs a value. Try: homewardd --help", ["word": word]))
    }
    return operand
  }

  /// In the language of whoever sits at the terminal.
  static var help: String {
    gettext(
      """
      homewardd keeps a person safe: it reads GPS, decides on this machine, and tells those who care.

      Usage: homewardd [--config FILE] [--set KEY=VALUE]...

        --config FILE, -c FILE  the configuration; {path} unless given
        --set KEY=VALUE         one setting, before environment and file (store.backupsKept=14)
        --check                 says whether the configuration is right, and ends; --check --json: what counts, as JSON
        --default-configuration prints the file with every key, its default and what it means
        --version               prints the version
        --help, -h              prints this

      Every setting can come from the environment too: HOMEWARD_STORE_BACKUPS_KEPT=14.
      The daemon stays in the foreground and logs to standard error; systemd runs it as homeward.service.
      SIGTERM and SIGINT stop it, SIGHUP reads the plugins' configuration again.
      Talk to it with: homeward status

      """, ["path": usualPath], in: language)
  }

  /// The language of the environment, for what is said before there is a configuration.
  static var language: Language {
    let variables = Environment.all
    return Language(environment: { variables[$0] })
  }
}

/// The text of a configuration file.
enum ConfigurationText {
  /// The text at a path, or nil for no path.
  ///
  /// - Throws: ``ConfigurationError`` when it cannot be read as UTF-8 text.
  static func read(path: String?) throws(ConfigurationError) -> String? {
    guard let path else { return nil }
    guard let file = fopen(path, "r") else {
      throw problem(
        path,
        Message("The file cannot be read ({reason}).", ["reason": String(cString: strerror(errno))])
      )
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: (1 << 20) + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard count < bytes.count else {
      throw problem(path, Message("The file is larger than 1 MiB."))
    }
    guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
      throw problem(path, Message("The file is not UTF-8 text."))
    }
    return text
  }

  private static func problem(_ path: String, _ message: Message) -> ConfigurationError {
    ConfigurationError(
      problems: [ConfigurationProblem(origin: Message(verbatim: path), message: message)])
  }
}

/// The environment of this process.
enum Environment {
  /// Every variable.
  static var all: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let assignment = String(cString: text)
      if let equals = assignment.firstIndex(of: "=") {
        variables[String(assignment[..<equals])] = String(
          assignment[assignment.index(after: equals)...])
      }
      entry += 1
    }
    return variables
  }
}
