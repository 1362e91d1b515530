import Foundation
import Testing

@Suite("Folders")
struct FolderTests {
  /// What the top level holds, and what tools leave there.
  static let topLevel: Set<String> = [
    "Package.swift", "Sources", "Tests", "plugins", "hardware", "udev", "README.md", "Makefile",
    "LICENSE", "CHANGELOG.md", "SECURITY.md", "debian", ".ci", ".ruff.toml", ".swift-format",
    ".gitignore",
  ]
  static let leftByTools: Set<String> = [
    ".git", ".build", ".run", ".swiftpm", ".vscode", ".DS_Store", "Package.resolved",
  ]

  @Test("The top level holds only what its page allows")
  func topLevelEntries() {
    let extra = Set(Repository.entries(".")).subtracting(Self.topLevel)
      .subtracting(Self.leftByTools)
    #expect(extra.isEmpty, "move \(extra.sorted()) into a folder")
  }

  @Test("The top level holds what a newcomer needs")
  func topLevelIsComplete() {
    for name in ["README.md", "Makefile", "LICENSE", "CHANGELOG.md", "SECURITY.md", ".ci/run"] {
      #expect(Repository.exists(name), "\(name) is missing")
    }
  }

  @Test("Every plugin folder has its manifest, README and tests, and bears the manifest's name")
  func plugins() throws {
    let folders = Repository.entries("plugins").filter { !$0.contains(".") }
    #expect(!folders.isEmpty)
    for folder in folders {
      for entry in ["plugin.json", "README.md", "Tests"] {
        #expect(Repository.exists("plugins/\(folder)/\(entry)"), "plugins/\(folder)/\(entry)")
      }
      #expect(
        try Repository.paths(below: ["plugins/\(folder)/Tests"]).contains {
          $0.lowercased().contains("test") && ($0.hasSuffix(".swift") || $0.hasSuffix(".py"))
        }, "plugins/\(folder)/Tests has no test")
      guard Repository.exists("plugins/\(folder)/plugin.json") else { continue }
      let manifest = try JSONSerialization.jsonObject(
        with: Data(try Repository.text("plugins/\(folder)/plugin.json").utf8))
      #expect((manifest as? [String: Any])?["name"] as? String == folder)
    }
  }

  @Test("A comment stands above every udev rule")
  func udevRules() throws {
    let files = try Repository.paths(below: ["udev"]).filter { $0.hasSuffix(".rules") }
    #expect(!files.isEmpty)
    for file in files {
      #expect(
        file.contains(/\/\d\d-homeward-[a-z]+\.rules$/), "\(file): NN-homeward-<subsystem>.rules")
      let lines = try Repository.text(file).split(
        separator: "\n", omittingEmptySubsequences: false)
      var hasRule = false
      for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
        hasRule = true
        let isFirstOfRule = index == 0 || !lines[index - 1].hasSuffix("\\")
        guard isFirstOfRule else { continue }
        #expect(index > 0 && lines[index - 1].hasPrefix("# "), "\(file):\(index + 1)")
      }
      #expect(hasRule, "\(file) has no rule")
    }
  }

  @Test("Decision records are numbered without gaps, have their four parts, and stand in the index")
  func decisions() throws {
    let folder = "Sources/Decisions"
    let records = Repository.entries(folder).filter { $0 != "README.md" }
    #expect(records.count >= 26)
    var index: [String] = []
    for (offset, name) in records.enumerated() {
      let number = String(offset + 1)
      let padded = String(repeating: "0", count: 4 - number.count) + number
      #expect(name.hasPrefix("\(padded)-") && name.hasSuffix(".md"), "\(name)")
      let text = try Repository.text("\(folder)/\(name)")
      for part in ["## Context", "## Decision", "## Consequences", "## Rejected"] {
        #expect(text.contains(part), "\(name) lacks \(part)")
      }
      let title = try #require(text.firstMatch(of: /^# (\d{4}): (.+)\n/), "\(name)")
      #expect(title.1 == padded, "\(name)")
      index.append("- [\(padded)](\(name)): \(title.2)")
    }
    let lines = try Repository.text("\(folder)/README.md").split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("- [") } == index.map { $0[...] })
  }

  @Test("Every requirement that is quoted is in the catalogue")
  func requirements() throws {
    let catalogue = try Repository.text("Sources/REQUIREMENTS.md")
    let known = catalogue.matches(of: /\n\| ((?:CARD|SB|DC|EG|SD|PR|NEW)-\d+) \|/).map {
      String($0.1)
    }
    #expect(known.count == Set(known).count && known.count > 90)
    let files = try Repository.paths(below: ["Sources", "Tests", "plugins", "hardware"]).filter {
      path in [".swift", ".md", ".feature", ".py", ".toml"].contains { path.hasSuffix($0) }
    }
    var quoted: Set<String> = []
    for file in files {
      for match in try Repository.text(file).matches(of: /\b(?:SB|DC|EG|SD|PR|NEW)-\d+\b/) {
        quoted.insert(String(match.output))
      }
    }
    #expect(quoted.count > 30)
    #expect(quoted.isSubset(of: known), "\(quoted.subtracting(known).sorted())")
  }

  @Test("Every link of a page to another file leads somewhere")
  func links() throws {
    let pages = try Repository.paths(below: ["Sources", "Tests", "plugins", "hardware"]).filter {
      $0.hasSuffix(".md")
    }
    var count = 0
    for page in pages + ["README.md", "CHANGELOG.md", "SECURITY.md"] {
      let folder = page.split(separator: "/").dropLast().joined(separator: "/")
      for match in try Repository.text(page).matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/) {
        guard !match.1.contains(/^[a-z]+:/) else { continue }
        count += 1
        let isThere = Repository.exists(folder.isEmpty ? "\(match.1)" : "\(folder)/\(match.1)")
        #expect(isThere, "\(page): \(match.1)")
      }
    }
    #expect(count > 50)
  }

  @Test("No merge marker and no trailing white space in what people read")
  func cleanDocuments() throws {
    let documents = try Repository.paths(below: ["Sources", "plugins", "hardware", "udev"])
      .filter { $0.hasSuffix(".md") }
    for path in documents + ["README.md", "CHANGELOG.md", "SECURITY.md"] {
      for (index, line) in try Repository.text(path).split(
        separator: "\n", omittingEmptySubsequences: false
      ).enumerated() {
        #expect(!line.hasSuffix(" "), "\(path):\(index + 1) ends in a space")
        #expect(!line.hasPrefix("<<<<<<<") && !line.hasPrefix(">>>>>>>"), "\(path):\(index + 1)")
      }
    }
  }
}
