import Glibc

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
      terminal.writeError("homeward: \(error.message)")
      if let hint = error.hint { terminal.writeError(hint) }
      return error.exitCode
    }
  }

  private static func dispatch(_ words: [String], _ terminal: Terminal) throws(CommandFailure) {
    let wantsHelp = words.isEmpty || ["help", "--help", "-h"].contains(words[0])
    if wantsHelp {
      return try help(words.filter { !["help", "--help", "-h"].contains($0) }, terminal)
    }
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

  private static func help(_ path: [String], _ terminal: Terminal) throws(CommandFailure) {
    if path.isEmpty { return terminal.write(HelpText.overview) }
    let found = try CommandTable.path(in: path)
    if let command = CommandTable.find(found) { return terminal.write(HelpText.of(command)) }
    terminal.write(HelpText.ofGroup(found))
  }
}
