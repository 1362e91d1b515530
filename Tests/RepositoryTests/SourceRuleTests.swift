import Testing

@Suite("Source rules")
struct SourceRuleTests {
  /// Layers and modules that ask no clock, log nothing and touch no file.
  static let pureLayers: Set<String> = ["Base", "Care", "Engines", "Formats"]
  static let pureModules: Set<String> = [
    "Core", "Door", "Privacy", "WalkSimulator", "MQTTTopics", "ShortMessage",
  ]

  /// A word that must not stand in code, and what to do instead.
  struct Rule {
    var pattern: Regex<Substring>
    var instead: String
  }

  private static var inPureModules: [Rule] {
    [
      Rule(pattern: /\bDate\(|\bContinuousClock\b|\bSuspendingClock\b/, instead: "take `now`"),
      Rule(
        pattern: /\bclock_gettime\b|\bgettimeofday\b|\blocaltime\w*\(|\bEventLoop\b|\btime\(nil\)/,
        instead: "take `now`"),
      Rule(pattern: /\bprint\(|\bdebugPrint\(|\bdump\(|\bLogger\b|\bNSLog\b/, instead: "answer it"),
      Rule(
        pattern: /\bgetenv\b|\bfopen\b|\bopen\(|\bsocket\(/, instead: "take the bytes or the text"),
      Rule(
        pattern:
          /SystemRandomNumberGenerator|\.random\(in:[^,]*\)|\.shuffled\(\)|\.randomElement\(\)/,
        instead: "take a seed"),
    ]
  }

  private static var everywhere: [Rule] {
    [
      Rule(pattern: /\btry!/, instead: "throw a typed error"),
      Rule(pattern: /\bas!/, instead: "use `as?` and throw"),
      Rule(pattern: /\bfatalError\(/, instead: "throw; outside bytes never stop the daemon"),
      Rule(pattern: /\bTask\.detached\b|\bTask\.sleep\b/, instead: "use a LoopTimer"),
      Rule(pattern: /\bTask \{/, instead: "stay on the loop with callbacks"),
      Rule(pattern: /\bDispatchQueue\b|\bDispatchSource\b/, instead: "use EventLoop"),
      Rule(pattern: /\bDate\(\)/, instead: "take a Moment"),
    ]
  }

  private func check(_ files: [Repository.SourceFile], _ rules: [Rule]) {
    for file in files {
      for line in file.codeLines {
        for rule in rules where line.text.contains(rule.pattern) {
          Issue.record("\(file.path):\(line.number): \(line.text) — \(rule.instead)")
        }
      }
    }
  }

  private func shipped() throws -> [Repository.SourceFile] {
    try Repository.swiftFiles(below: ["Sources", "plugins"]).filter {
      !$0.path.contains("/Tests/")
    }
  }

  @Test("Engines, codecs and values ask no clock, draw no chance, log nothing and open nothing")
  func pureModules() throws {
    let files = try shipped().filter {
      Self.pureLayers.contains($0.layer) || Self.pureModules.contains($0.module)
    }
    #expect(Set(files.map(\.layer)).isSuperset(of: Self.pureLayers))
    #expect(Set(files.map(\.module)).isSuperset(of: Self.pureModules))
    // The one place that reads zone files; its parser beside it is pure.
    check(files.filter { $0.fileName != "TimeZoneFile.swift" }, Self.inPureModules)
  }

  @Test("Nothing that ships stops the process on purpose or wakes a global queue")
  func shippedCode() throws { check(try shipped(), Self.everywhere) }

  @Test("Only a program's main names the process's own loop; all else belongs to the current one")
  func loops() throws {
    let mains: Set = ["Launch.swift", "PluginCheckCommand.swift", "PluginMain.swift"]
    let files = try shipped().filter { $0.module != "Loop" && !mains.contains($0.fileName) }
    check(files, [Rule(pattern: /\bEventLoop\.shared\b/, instead: "use EventLoop.current")])
  }

  @Test("Tests wait for facts and do not sleep")
  func testsDoNotSleep() throws {
    // Benchmarks observe for a set time; Eventually is the one place that asks other processes again and again.
    let files = try Repository.swiftFiles(below: ["Tests"]).filter {
      !$0.path.hasPrefix("Tests/RepositoryTests/") && !$0.path.hasPrefix("Tests/Benchmarks/")
        && $0.fileName != "Eventually.swift"
    }
    check(
      files,
      [
        Rule(
          pattern: /\bThread\.sleep\b|\bTask\.sleep\b|\busleep\(|\bnanosleep\(|\bsleep\(/,
          instead: "wait for the fact")
      ])
  }

  @Test("Only tests look inside of a module: a release build has nothing to look into")
  func testableOnlyInTests() throws {
    let files = try Repository.swiftFiles(below: ["Sources", "plugins", "Tests"]).filter {
      !$0.isTest
    }
    // Each support of tests and each program beside them is read, not only what ships.
    #expect(files.contains { $0.path.hasPrefix("Tests/Support/PluginTestSupport/") })
    #expect(files.contains { $0.path.hasPrefix("Tests/Benchmarks/") })
    check(files, [Rule(pattern: Self.testable, instead: "use what the module makes public")])
  }

  private static var testable: Regex<Substring> { /@testable\b/ }

  @Test("No file has more than 500 lines")
  func fileLength() throws {
    for file in try Repository.swiftFiles(below: ["Sources", "plugins", "Tests"]) {
      let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      #expect(count <= 500, "\(file.path) has \(count) lines: split it by subject")
    }
  }

  @Test("The rules find what they forbid")
  func rulesBite() {
    for code in ["let x = try! f()", "x as! Y", "Task { }", "Task.sleep(for: .seconds(1))"] {
      #expect(Self.everywhere.contains { code.contains($0.pattern) }, "\(code)")
    }
    for code in ["Date()", "print(x)", "clock_gettime(0, &t)", "Int.random(in: 0..<3)"] {
      #expect(Self.inPureModules.contains { code.contains($0.pattern) }, "\(code)")
    }
    #expect(!Self.everywhere.contains { "try? f()".contains($0.pattern) })
    #expect("@testable public import PluginHost".contains(Self.testable))
    #expect(
      !Self.inPureModules.contains { "Int.random(in: 0..<3, using: &g)".contains($0.pattern) })
  }
}
