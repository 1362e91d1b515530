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
      ["zones", "add", "--name", "x"], "a zone needs --name NAME, and either --at LAT,LON"
    ),
    (["zones", "add", "--name", "x", "--at", "91,0", "--radius", "5"], "\"91,0\" is no place."),
    (
      ["zones", "add", "--name", "x", "--at", "1,0", "--radius", "wide"],
      "\"wide\" is no length, such as 25, 25m or 82ft."
    ),
    (
      ["zones", "add", "--name", "x", "--at", "1,0", "--radius", "5", "--leaving", "loud"],
      "--leaving is alarm or quiet, not \"loud\"."
    ),
    (["tracking", "maybe"], "say on or off"),
    (["events", "--lane", "fast"], "--lane must be alarm, record or trace"),
    (["replay", "track", "/dev/null", "--zone", "Home,1,2"], "must be NAME,LAT,LON,RADIUS_M"),
    (["restore", "/tmp/x"], "add --yes"),
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

  @Test func theManualOfTheResidentIsPrintedWithoutADaemon() throws {
    let english = try Tool().run(["help", "--for", "resident"]).output
    #expect(
      english.hasPrefix("Your safety button\n\nWhen you need help, hold the big button down.\n"))
    let chinese = try Tool().run(["help", "--for=resident", "--language", "zh"]).output
    #expect(chinese.hasPrefix("您的安全按钮\n\n需要帮助时，请按住大按钮。\n"))
    #expect(english.split(separator: "\n").count == chinese.split(separator: "\n").count)
    let spoken = try Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"]).run([
      "help", "--for", "resident", "--speak",
    ])
    #expect(spoken.code == 3 && spoken.output == english, "it is printed though nobody speaks")
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

  @Test(arguments: [
    (["LANG": "zh_CN.UTF-8"], "没有命令“homeward zons”。您是指“homeward zones”吗？"),
    (["LANG": "nb_NO.UTF-8", "LANGUAGE": "nb:zh"], "没有命令“homeward zons”。您是指“homeward zones”吗？"),
    (["LANG": "zh_CN.UTF-8", "LC_ALL": "C"], "there is no command \"homeward zons\"."),
    (["LANG": "nb_NO.UTF-8"], "there is no command \"homeward zons\"."),
    ([:], "there is no command \"homeward zons\"."),
  ])
  func theEnvironmentDecidesTheLanguage(environment: [String: String], sentence: String) throws {
    let outcome = try Tool(environment: environment).run(["zons"])
    #expect(outcome.code == 2 && outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test func everyHelpIsThereInChineseWithTheSameOptionsAndExamples() throws {
    let chinese = Tool(environment: ["LANG": "zh_CN.UTF-8"])
    for command in try Self.commands() {
      let (own, other) = (
        try Tool().run(command + ["--help"]).output, try chinese.run(command + ["--help"]).output
      )
      #expect(other.contains("用法：homeward \(command.joined(separator: " "))"), "\(command)")
      let words = { (text: String) in
        text.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("--") || $0 == "homeward" }
          .filter { $0.utf8.allSatisfy { $0 < 0x80 } }.sorted()
      }
      #expect(Set(words(own)).subtracting(words(other)).count <= 4, "\(command): \(other)")
    }
  }
}
