import Testing

/// A target in Swift, as Package.swift has it.
struct PackageTarget: Equatable {
  let name: String
  /// Its folder from the root.
  let path: String
  /// What it says that it depends on.
  let needs: Set<String>
  /// Whether it is started, and not imported.
  let isProgram: Bool

  /// The libraries and programs of a manifest that hold Swift, but no tests, in its order.
  static func all(in manifest: String) -> [PackageTarget] {
    let call =
      /\b(?<kind>module|program|plugin)\(\s*"(?<path>[^"\\]+)"(?:,\s*named: "(?<name>[^"]+)")?(?:,\s*in: "(?<folder>[^"]+)")?(?<needs>(?:,\s*"[^"]*")*)\s*\)/
    // What a plugin is made of is said once for all of them.
    let everyPlugin = manifest.firstMatch(of: /"([\w ]+) \\\(needs\)"\)/).map { words in
      words.1.split(separator: " ").map(String.init)
    }
    return manifest.matches(of: call).map { match in
      let path = String(match.path)
      let needs = Set(match.needs.split { "\", \n".contains($0) }.map(String.init))
      if match.kind == "plugin" {
        let name = "homeward-plugin-\(path)"
        return PackageTarget(
          name: name, path: "plugins/\(path)/Sources/\(name)",
          needs: needs.union(everyPlugin ?? []), isProgram: true)
      }
      let last = path.split(separator: "/").last.map(String.init) ?? path
      return PackageTarget(
        name: match.name.map(String.init) ?? last, path: "\(match.folder ?? "Sources")/\(path)",
        needs: needs, isProgram: match.kind == "program")
    }
  }
}

/// What Package.swift says about tests: every module that ships has some, but for a few.
struct PackageSuites {
  /// Where tests lie, from the root.
  let folders: Set<String>
  /// The modules that ship and have tests of their own.
  let tested: Set<String>
  /// The modules that are said to have none.
  let untested: Set<String>
  /// The modules whose tests are said to need something besides.
  let needing: Set<String>

  init(in manifest: String) {
    let without = manifest.firstMatch(of: /\blet untested: Set = \[([^\]]*)\]/)?.1 ?? ""
    let besides = manifest.firstMatch(of: /\blet besides = \[([^\]]*)\]/)?.1 ?? ""
    let untested = Set(without.matches(of: /"([^"]+)"/).map { String($0.1) })
    let modules = PackageTarget.all(in: manifest).filter {
      !$0.isProgram && !$0.path.hasPrefix("Tests/") && !untested.contains($0.name)
    }
    let named = manifest.matches(of: /\btests\(\s*"([^"\\]+)"/).map { "Tests/\($0.1)Tests" }
    let plugins = manifest.matches(of: /\btests\(\s*plugin: "([^"]+)"/).map {
      "plugins/\($0.1)/Tests"
    }
    self.untested = untested
    needing = Set(besides.matches(of: /"([^"]+)":/).map { String($0.1) })
    tested = Set(modules.map(\.name))
    folders = Set(
      modules.map { "Tests/\($0.path.dropFirst("Sources/".count))Tests" } + named + plugins)
  }
}

@Suite("Targets of the manifest")
struct PackageTests {
  @Test("Each form in which the manifest names a target is read")
  func forms() {
    let manifest = """
      let shipped: [Target] = [
        "PluginKit PluginProtocol \\(needs)")
        module("Engines/Tracking", "JSON Texts"),
        module("Sums"), module("Seeds"),
        module(
          "MQTTTopics", in: "plugins/mqtt/Sources", "Care"),
        plugin("mqtt", "CMosquitto"),
        program(
          "Benchmarks", named: "homeward-bench", in: "Tests",
          "Bytes Tracking",
          "Texts"),
      """
    #expect(
      PackageTarget.all(in: manifest) == [
        .init(
          name: "Tracking", path: "Sources/Engines/Tracking", needs: ["JSON", "Texts"],
          isProgram: false),
        .init(name: "Sums", path: "Sources/Sums", needs: [], isProgram: false),
        .init(name: "Seeds", path: "Sources/Seeds", needs: [], isProgram: false),
        .init(
          name: "MQTTTopics", path: "plugins/mqtt/Sources/MQTTTopics", needs: ["Care"],
          isProgram: false),
        .init(
          name: "homeward-plugin-mqtt", path: "plugins/mqtt/Sources/homeward-plugin-mqtt",
          needs: ["CMosquitto", "PluginKit", "PluginProtocol"], isProgram: true),
        .init(
          name: "homeward-bench", path: "Tests/Benchmarks", needs: ["Bytes", "Tracking", "Texts"],
          isProgram: true),
      ])
  }

  @Test("Each form in which the manifest names tests is read")
  func formsOfTests() {
    let suites = PackageSuites(
      in: """
        module("Base/Bytes"), module("Engines/Tracking", "Bytes"), module("Linux/DBus", "Loop"),
        module("Topics", in: "plugins/mqtt/Sources"), plugin("mqtt", "Topics"),
        program("Programs/homeward", "Tracking"), module("Support/TestSupport", in: "Tests"),
        let untested: Set = ["DBus", "Topics"]
        let besides = [
          "Tracking": "TrackFiles", "Bytes": "Texts JSON",
        ]
        tests("\\(path)", plus: ""), tests("System", of: "homeward"),
        tests(
          plugin: "mqtt", named: "MQTT"),
        """)
    #expect(
      suites.folders == [
        "Tests/Base/BytesTests", "Tests/Engines/TrackingTests", "Tests/SystemTests",
        "plugins/mqtt/Tests",
      ])
    #expect(suites.tested == ["Bytes", "Tracking"] && suites.needing == suites.tested)
    #expect(suites.untested == ["DBus", "Topics"])
  }

  @Test("A target depends on what its files import, and on nothing else")
  func needs() throws {
    let targets = PackageTarget.all(in: try Repository.text("Package.swift"))
    #expect(targets.count > 60)
    let files = try Repository.swiftFiles(below: ["Sources", "plugins", "Tests"])
    let names = Set(targets.map { $0.name.replacing("-", with: "_") })
    for target in targets {
      let own = files.filter { $0.path.hasPrefix("\(target.path)/") }
      #expect(!own.isEmpty, "\(target.path) holds no Swift")
      let imported = Set(own.flatMap(\.imports)).filter {
        names.contains($0) || $0.contains(/^C[A-Z]/)
      }
      // The sanitizers' settings are linked, not imported.
      #expect(imported == target.needs.subtracting(["CSanitizerShims"]), "\(target.name)")
    }
  }

  @Test("Every folder with Swift in it belongs to a target")
  func everyFile() throws {
    let targets = PackageTarget.all(in: try Repository.text("Package.swift"))
    // SwiftPM puts the entry point of the tests into a target of its own.
    for file in try Repository.swiftFiles(below: ["Sources", "plugins", "Tests"])
    where !file.isTest && file.path != "Tests/XCTMain.swift" {
      #expect(targets.contains { file.path.hasPrefix("\($0.path)/") }, "\(file.path)")
    }
  }

  @Test("Every folder of tests belongs to a target, and every target of tests has one")
  func everyTest() throws {
    let suites = PackageSuites(in: try Repository.text("Package.swift"))
    #expect(suites.folders.count > 50)
    let files = try Repository.swiftFiles(below: ["Tests", "plugins"]).filter(\.isTest)
    for file in files {
      #expect(suites.folders.contains { file.path.hasPrefix("\($0)/") }, "\(file.path)")
    }
    for folder in suites.folders {
      #expect(files.contains { $0.path.hasPrefix("\(folder)/") }, "\(folder) holds no test")
    }
  }

  @Test("What the manifest says about the tests of a module is about one that it has")
  func modulesOfTests() throws {
    let manifest = try Repository.text("Package.swift")
    let suites = PackageSuites(in: manifest)
    #expect(!suites.untested.isEmpty && !suites.needing.isEmpty)
    #expect(suites.needing.isSubset(of: suites.tested))
    let modules = Set(PackageTarget.all(in: manifest).filter { !$0.isProgram }.map(\.name))
    #expect(suites.untested.isSubset(of: modules))
  }
}
