import Glibc
import JSON
import Loop

/// Finds the command that was asked for, runs it and turns what went wrong into words and an exit code.
enum CommandLineTool {
  static func runAndExit() -> Never {
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func run(_ words: [String]) -> ExitCode {
    let terminal = Terminal()
    do throws(CommandFailure) {
      try dispatch(words, terminal)
      return .done
    } catch {
      let failure = error.pointing(to: words)
      if words.prefix(while: { $0 != "--" }).contains("--json") {
        terminal.writeError(failure.json.serialized)
      } else {
        terminal.writeError("homeward: \(failure.message)")
        if let hint = failure.hint { terminal.writeError(hint) }
      }
      return failure.exitCode
    }
  }

  private static func dispatch(_ given: [String], _ terminal: Terminal) throws(CommandFailure) {
    if let fault = GivenArguments.fault {
      throw CommandFailure(.failed, fault.spoken)
    }
    let words = commonOptionsLast(given)
    let wantsHelp = words.isEmpty || ["--help", "-h"].contains(words[0])
    if wantsHelp { return try help(words.filter { !["--help", "-h"].contains($0) }, terminal) }
    if words[0] == "--version" { return try dispatch(["version"] + words.dropFirst(), terminal) }
    let path = try CommandTable.path(in: words)
    guard let command = CommandTable.find(path) else { return try help(path, terminal) }
    let rest = Array(words.dropFirst(path.count))
    let beforeEnd = rest.prefix { $0 != "--" }
    if beforeEnd.contains("--help") || beforeEnd.contains("-h") {
      return terminal.write(HelpText.of(command))
    }
    let arguments = try ArgumentParser.parse(rest, for: command)
    try command.run(Session(arguments: arguments, terminal: terminal))
  }

  /// Options that every command takes may stand before the command too: `homeward --json status`.
  private static func commonOptionsLast(_ words: [String]) -> [String] {
    var options: [String] = []
    var rest = words[...]
    while let word = rest.first {
      if word == "--json" || word.hasPrefix("--socket=") || word.hasPrefix("--config=") {
        options.append(word)
        rest = rest.dropFirst()
      } else if word == "--socket" || word == "--config", rest.count > 1 {
        options += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    guard !rest.isEmpty else { return words }
    let (command, afterEnd) = (rest.prefix { $0 != "--" }, rest.drop { $0 != "--" })
    return command + options + afterEnd
  }

  /// Help for the command that some words begin with; options do not matter.
  static func help(_ words: [String], _ terminal: Terminal) throws(CommandFailure) {
    let path = Array(words.prefix { !$0.hasPrefix("-") })
    if path.isEmpty { return terminal.write(HelpText.overview) }
    let found = try CommandTable.path(in: path)
    if let command = CommandTable.find(found) { return terminal.write(HelpText.of(command)) }
    terminal.write(HelpText.ofGroup(found))
  }
}
