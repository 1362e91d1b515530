import Testing

/// A target in Swift, as Package.swift has it.
struct PackageTarget: Equatable {
  let name: String
  /// Its folder from the root.
  let path: String
  /// What it says that it depends on.
  let needs: Set<String>

  /// The libraries and programs of a manifest that hold Swift, but no tests, in its order.
  static func all(in manifest: String) -> [PackageTarget] {
    let call =
      /\b(?<kind>module|program|plugin)\(\s*"(?<path>[^"\\]+)"(?:,\s*named: "(?<name>[^"]+)")?(?:,\s*in: "(?<folder>[^"]+)")?(?:,\s*(?:"""(?<long>[^"]*)"""|"(?<needs>[^"]*)"))?\s*\)/
    // What a plugin is made of is said once for all of them.
    let everyPlugin = manifest.firstMatch(of: /"([\w ]+) \\\(needs\)"\)/).map { words in
      words.1.split(separator: " ").map(String.init)
    }
    return manifest.matches(of: call).map { match in
      let path = String(match.path)
      let needs = Set(
        (match.long ?? match.needs ?? "").split { " \n".contains($0) }.map(String.init))
      if match.kind == "plugin" {
        let name = "homeward-plugin-\(path)"
        return PackageTarget(
          name: name, path: "plugins/\(path)/Sources/\(name)", needs: needs.union(everyPlugin ?? [])
        )
      }
      let last = path.split(separator: "/").last.map(String.init) ?? path
      return PackageTarget(
        name: match.name.map(String.init) ?? last, path: "\(match.folder ?? "Sources")/\(path)",
        needs: needs)
    }
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
          \"""
          Tracking
          Texts
          \"""),
      """
    #expect(
      PackageTarget.all(in: manifest) == [
        .init(name: "Tracking", path: "Sources/Engines/Tracking", needs: ["JSON", "Texts"]),
        .init(name: "Sums", path: "Sources/Sums", needs: []),
        .init(name: "Seeds", path: "Sources/Seeds", needs: []),
        .init(name: "MQTTTopics", path: "plugins/mqtt/Sources/MQTTTopics", needs: ["Care"]),
        .init(
          name: "homeward-plugin-mqtt", path: "plugins/mqtt/Sources/homeward-plugin-mqtt",
          needs: ["CMosquitto", "PluginKit", "PluginProtocol"]),
        .init(name: "homeward-bench", path: "Tests/Benchmarks", needs: ["Tracking", "Texts"]),
      ])
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
    for file in try Repository.swiftFiles(below: ["Sources", "plugins", "Tests"])
    where !file.isTest {
      #expect(targets.contains { file.path.hasPrefix("\($0.path)/") }, "\(file.path)")
    }
  }
}
