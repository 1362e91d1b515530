import Testing

@Suite struct HelpTests {
  /// Every command of the overview, as its words.
  private static func commands() throws -> [[String]] {
    let overview = try Tool().run(["--help"]).output
    return overview.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  "), !line.hasPrefix("   "),
        let name = line.dropFirst(2).firstRange(of: "  ")
      else { return nil }
      let words = line[line.index(line.startIndex, offsetBy: 2)..<name.lowerBound].split(
        separator: " ")
      return words.map(String.init).filter { $0 == $0.lowercased() && !$0.contains("|") }
    }
  }

  @Test func everyCommandOfTheOverviewHasHelpWithUsageAndAnExample() throws {
    let commands = try Self.commands()
    #expect(commands.count > 25)
    for command in commands {
      let help = try Tool().run(command + ["--help"])
      let name = command.joined(separator: " ")
      #expect(help.code == 0 && help.errors.isEmpty, "\(name)")
      #expect(help.output.hasPrefix("homeward \(name) - "), "\(name)")
      #expect(help.output.contains("Usage: homeward \(name)"), "\(name)")
      #expect(help.output.contains("\nExamples:\n  "), "\(name)")
      #expect(try Tool().run(["help"] + command).output == help.output, "\(name)")
    }
  }

  @Test func everyCommandTakesJSONSocketAndConfig() throws {
    for command in try Self.commands() {
      let help = try Tool().run(command + ["-h"]).output
      for option in ["--json", "--socket PATH", "--config PATH"] {
        #expect(help.contains(option), "\(command)")
      }
    }
  }

  @Test func commonOptionsMayStandBeforeTheCommand() throws {
    let before = try Tool().run(["--socket", "/nonexistent/control.sock", "--json", "version"])
    #expect(before.code == 0)
    #expect(before.output == (try Tool().run(["version", "--json"]).output))
    #expect(try Tool().run(["--json", "status", "--socket", "/nonexistent/s"]).code == 3)
  }

  @Test func withoutArgumentsTheOverviewIsShown() throws {
    let outcome = try Tool().run([])
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("Exit codes: 0 done, 1 failed, 2"))
  }

  @Test func aGroupOfCommandsShowsItsCommands() throws {
    let outcome = try Tool().run(["replay"])
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("replay track FILE"))
  }

  @Test(arguments: [
    (["zone"], "Did you mean \"homeward zones\"?"),
    (["zones", "ad"], "Did you mean \"homeward zones add\"?"),
    (["xyzzy"], "there is no command \"homeward xyzzy\"."),
    (["status", "--jsn"], "Did you mean --json?"),
    (["status", "now"], "\"now\" is one word too many."), (["explain"], "EVENT is missing."),
    (["explain", "--", "--x", "y"], "\"y\" is one word too many."),
    (["history", "--limit"], "--limit needs a value: --limit COUNT"),
    (["status", "--json=yes"], "--json takes no value."),
    (["history", "--limit", "1", "--limit", "2"], "--limit was given twice."),
    (
      ["zones", "add", "--name", "x"], "a zone needs --name NAME, --at LAT,LON and --radius METERS."
    ),
    (["zones", "add", "--name", "x", "--at", "91,0", "--radius", "5"], "\"91,0\" is no place."),
    (["zones", "add", "--name", "x", "--at", "1,0", "--radius", "wide"], "\"wide\" is no number."),
    (["tracking", "maybe"], "say on or off"),
    (["events", "--lane", "fast"], "--lane must be alarm, record or trace"),
    (["settings", "set", "exitFixCuont", "3"], "Did you mean exitFixCount?"),
    (["replay", "track", "/dev/null", "--zone", "Home,1,2"], "must be NAME,LAT,LON,RADIUS_M"),
    (["setup"], "say --name."), (["restore", "/tmp/x"], "add --yes"),
  ]) func whatIsNotUnderstoodIsSaidWithWhatToDo(words: [String], sentence: String) throws {
    let outcome = try Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"]).run(words)
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.contains("Try: homeward"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["status"], ["zones"], ["watch"], ["locate", "mary"], ["plugins"], ["events"], ["backup"],
  ])
  func withoutADaemonTheCodeIsThreeAndTheSentenceSaysHowToStartIt(words: [String]) throws {
    let outcome = try Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"]).run(words)
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("Start it: systemctl start homeward"))
  }

  @Test func versionWorksWithoutADaemon() throws {
    let outcome = try Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"]).run([
      "version", "--json",
    ])
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("\"homewardd\":null}\n"))
    #expect(
      try Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"]).run(["--version"]).output.contains(
        "not running"))
  }
}
