import Testing

/// Where the package manifest has its targets.
struct TargetFolders {
  /// A target's folder from the root, and whether it holds tests.
  struct Target: Equatable {
    let name: String
    let path: String
    let isTest: Bool
  }

  /// Every target of a manifest that holds Swift or C of this repository, in the manifest's order.
  static func all(in manifest: String) -> [Target] {
    manifest.matches(
      of: /\n +(?:\.target|\.executableTarget|library|tests)\(\s*(?:name: )?"([^"]+)"/
    ).map { match in
      let name = String(match.1)
      let isTest = manifest[match.range].contains("tests(")
      // Up to the next target: a path belongs to the target in whose brackets it stands.
      let rest = manifest[match.range.upperBound...]
      let end =
        rest.firstRange(of: /\n +(?:\.\w*[tT]arget|\.systemLibrary|library|tests)\(/)?.lowerBound
        ?? rest.endIndex
      let path = rest[..<end].firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
      return Target(
        name: name, path: path ?? (isTest ? "Tests/\(name)" : "Sources/\(name)"), isTest: isTest)
    }
  }
}

@Suite("Targets of the manifest")
struct TargetFoldersTests {
  @Test("A target's folder is the one that the manifest names, or the usual one")
  func folders() {
    let manifest = """
      targets: [
          library("CareModel", ["Texts"]),
          .executableTarget(
            name: "homeward-bench",
            dependencies: ["CareModel"],
            path: "Tests/Benchmarks", swiftSettings: strict),
          .systemLibrary(
            name: "CMosquitto", path: "plugins/mqtt/Sources/CMosquitto", pkgConfig: "libmosquitto"),
          .target(name: "CCrypt"),
          tests("TextsTests", ["Texts"]),
          tests(
            "MQTTPluginTests", ["PluginKit"],
            path: "plugins/mqtt/Tests"),
      """
    #expect(
      TargetFolders.all(in: manifest) == [
        .init(name: "CareModel", path: "Sources/CareModel", isTest: false),
        .init(name: "homeward-bench", path: "Tests/Benchmarks", isTest: false),
        .init(name: "CCrypt", path: "Sources/CCrypt", isTest: false),
        .init(name: "TextsTests", path: "Tests/TextsTests", isTest: true),
        .init(name: "MQTTPluginTests", path: "plugins/mqtt/Tests", isTest: true),
      ])
  }
}
