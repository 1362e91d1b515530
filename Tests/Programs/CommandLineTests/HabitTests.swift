import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing
import Texts

@Suite("Habits of the command line")
struct HabitTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")

  private func daemon(clock: JSONValue = .null) async throws -> FakeDaemon {
    let setting = Setting(
      name: "tierSeconds", group: .alarms, range: .whole(30...3600), unit: .seconds,
      words: Message(
        verbatim: "After how long the next tier of guardians is told as well, all of them at once.")
    ).json(in: .en).setting("value", to: 180).setting("default", to: 180)
    return try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
      case .settingsDescribe: .success([setting])
      case .health: .success(["version": "0", "components": []])
      case .status: .success(["clock": clock])
      default: .failure(ControlError(.unavailable, Message(verbatim: "the store does not answer.")))
      }
    }
  }

  @Test("A table fits a terminal of 80 columns, and stays in whole lines in a pipe")
  func folding() async throws {
    let daemon = try await daemon()
    let shown = try daemon.tool.look(["settings"], columns: 80)
    let lines = shown.split(whereSeparator: \.isNewline).map(String.init)
    #expect(lines.count > 3 && lines.allSatisfy { $0.count <= 80 }, "\(shown)")
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains("After how long the next tier"), "\(shown)")
    let narrow = try daemon.tool.look(["settings"], columns: 50)
    #expect(narrow.contains("WHAT IT DOES  After how long"), "\(narrow)")
    let piped = try daemon.tool.run(["settings"]).output
    #expect(piped.split(separator: "\n").count == 3)
    await daemon.stop()
  }

  @Test(
    "With --json mistakes are JSON of one shape on standard error",
    arguments: [
      (["status", "--json"], "failed", 1), (["--json", "settings", "set"], "usage", 2),
      (["residents", "erase", "tom", "--json", "--yes"], "refused", 4),
      (["status", "--json", "--socket", "/nowhere/s"], "not-running", 3),
      (["zone", "--json"], "usage", 2),
    ])
  func errorsAsJSON(words: [String], kind: String, code: Int32) async throws {
    let daemon = try await FakeDaemon { request in
      request.method == .residentsList
        ? .success([Self.mary.json])
        : .failure(ControlError(.unavailable, Message(verbatim: "the store does not answer.")))
    }
    let outcome = try daemon.tool.run(words)
    #expect(outcome.code == code && outcome.output.isEmpty)
    let error = try #require(try JSONValue(parsing: outcome.errors)["error"])
    #expect(error["kind"] == .string(kind) && error["code"] == .integer(Int64(code)))
    #expect(error["message"]?.stringContent?.isEmpty == false)
    await daemon.stop()
  }

  @Test("Help keeps its groups whatever option stands beside it")
  func helpBesideOptions() throws {
    let plain = try Tool().run(["--help"])
    #expect(plain.output.contains("First steps:"))
    for words in [["--help", "--config", "/nowhere"], ["help", "--json"], ["--json", "--help"]] {
      #expect(try Tool().run(words).output == plain.output, "\(words)")
    }
    let zones = try Tool().run(["zones", "add", "--config", "/nowhere", "--help"])
    #expect(zones.output.hasPrefix("homeward zones add - "))
  }

  @Test("What to try after a mistake names the command that was typed")
  func hint() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "zones", "add", "--name", "Home", "--at", "nowhere", "--radius", "5",
    ])
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasSuffix("Try: homeward zones add --help\n"), "\(outcome.errors)")
    await daemon.stop()
  }

  @Test("A former name of an option is still read")
  func formerName() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "diary", "show", "k3x9qa", "--picture", "1", "--out", "/tmp/x",
    ])
    #expect(!outcome.errors.contains("there is no option"), "\(outcome.errors)")
    await daemon.stop()
  }

  @Test(
    "The doctor says of the clock what the daemon says",
    arguments: [
      ("satellite", true, "trusts it (satellite)"), ("untrusted", false, "does not trust"),
    ])
  func doctorsClock(quality: String, isTrusted: Bool, sentence: String) async throws {
    let daemon = try await daemon(
      clock: ["quality": .string(quality), "isTrusted": .bool(isTrusted)])
    let outcome = try daemon.tool.run(["doctor"])
    #expect(outcome.output.contains("homewardd \(sentence)"), "\(outcome.output)")
    await daemon.stop()
  }

  @Test("bash completes commands, subcommands and options from the table")
  func completion() throws {
    func complete(_ words: [String]) throws -> Set<Substring> {
      let directory = try TemporaryDirectory()
      let output = directory.path(of: "out")
      let line = (["homeward"] + words).map { "'\($0)'" }.joined(separator: " ")
      let child = try ChildProcess(
        "/bin/bash",
        [
          "-c",
          """
          source <("\(Tool.path)" completion bash); COMP_WORDS=(\(line)); COMP_CWORD=\(words.count)
          _homeward homeward "${COMP_WORDS[COMP_CWORD]}"; printf '%s\\n' "${COMPREPLY[@]}"
          """,
        ], output: output)
      #expect(child.wait() == 0)
      return Set(try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n"))
    }
    #expect(try complete(["zo"]) == ["zones"])
    #expect(try complete(["zones", "a"]) == ["add"])
    #expect(try complete(["zones", "add", "--ra"]) == ["--radius"])
    #expect(try complete(["settings", "--gr"]) == ["--group"])
    for shell in ["bash", "zsh", "fish"] {
      let outcome = try Tool().run(["completion", shell])
      #expect(outcome.code == 0 && outcome.output.contains("zones add"), "\(shell)")
    }
    #expect(try Tool().run(["completion", "csh"]).code == 2)
  }
}

@Suite("What texts advise")
struct AdviceTests {
  /// Every path of the command table with the words and options that may follow it.
  private func table() throws -> [String: Set<String>] {
    let lines = try Tool().run(["completion", "bash"]).output.split(separator: "\n")
    var table: [String: Set<String>] = [:]
    for line in lines {
      guard let match = line.wholeMatch(of: /\s*\['homeward ?(.*)'\]='(.*)'/) else { continue }
      table[String(match.1)] = Set(match.2.split(separator: " ").map(String.init))
    }
    return table
  }

  /// Sources, pages and units in which people read advice, with their texts.
  private func texts() throws -> [(path: String, text: String)] {
    let files = FileManager.default
    var paths = ["README.md", "SECURITY.md"]
    for folder in ["Sources", "plugins", "debian"] {
      let found = files.enumerator(atPath: Checkout.root.appendingPathComponent(folder).path)
      while let name = found?.nextObject() as? String {
        let isRead = [".swift", ".py", ".md", ".1", ".8", ".Debian"].contains {
          name.hasSuffix($0)
        }
        if isRead { paths.append("\(folder)/\(name)") }
      }
    }
    return try paths.map {
      ($0, try String(contentsOf: Checkout.root.appendingPathComponent($0), encoding: .utf8))
    }
  }

  @Test("Every command and option that a text names exists")
  func commands() throws {
    let table = try table()
    #expect(table.count > 100)
    var count = 0
    for (path, text) in try texts() {
      for match in text.matches(
        of:
          /(?:`|: |sudo |"|&& |\(|\n|    )homeward ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)*)( --[a-z-]+)?/
      ) {
        count += 1
        let words = match.1.split(separator: " ")
        let known = (0...words.count).last {
          table[words.prefix($0).joined(separator: " ")] != nil
        }
        let place = words.prefix(known ?? 0).joined(separator: " ")
        #expect(!place.isEmpty, "\(path): homeward \(match.1)")
        guard let option = match.2, (known ?? 0) == words.count else { continue }
        #expect(
          table[place]?.contains(option.trimmingCharacters(in: .whitespaces)) == true,
          "\(path): homeward \(match.1)\(option)")
      }
    }
    #expect(count > 300)
  }

  @Test("The manual page has every command of the table, and no other")
  func manualPage() throws {
    let page = try String(
      contentsOf: Checkout.root.appendingPathComponent("debian/homeward.1"), encoding: .utf8)
    let commands = page.split(separator: ".SH COMMANDS")[1].split(separator: ".SH ")[0]
    var described: Set<String> = []
    for entry in commands.split(separator: ".TP\n.B ") {
      let heading = entry.prefix { $0 != "\n" }
        .replacing("\\-", with: "-").replacing("\\fR", with: "").replacing("\\fB", with: "")
      let words = heading.split { " []|".contains($0) }.map(String.init)
      guard let first = words.first else { continue }
      described.insert(first)
      for word in words.dropFirst() { described.insert("\(first) \(word)") }
    }
    let known = Set(try table().keys).subtracting([""])
    // A word that only begins others is in their heading.
    #expect(described == known, "\(described.symmetricDifference(known).sorted())")
  }

  @Test("Every unit of ours that a text names exists")
  func units() throws {
    var count = 0
    for (path, text) in try texts() {
      for match in text.matches(
        of:
          /(?:systemctl (?:start|stop|restart|reload|status|enable|edit)(?: --now)?|journalctl -u) (homeward[a-z-]*)/
      ) {
        count += 1
        let unit = Checkout.root.appendingPathComponent("debian/\(match.1).service")
        #expect(FileManager.default.fileExists(atPath: unit.path), "\(path): \(match.0)")
      }
    }
    #expect(count > 10)
  }
}
