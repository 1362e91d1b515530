import Foundation
import TestSupport
import Testing

/// One row of the table of dependencies.
struct Dependency {
  var library: String
  var package: String
  var versions: String
  var licence: String
  var target: String
  var programs: [String]

  static let page = "Sources/Dependencies.md"

  /// The rows of the first table.
  static func table() throws -> [Dependency] {
    let lines = try Repository.text(page).split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.drop { !$0.hasPrefix("| Library | Debian package") }.dropFirst(2)
    return rows.prefix { $0.hasPrefix("|") }.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 7 else { return nil }
      return Dependency(
        library: cells[0], package: cells[1], versions: cells[2], licence: cells[3],
        target: cells[4], programs: cells[5].split(separator: ", ").map(String.init))
    }
  }
}

@Suite("Dependencies and licences")
struct DependencyTests {
  /// Licences that an Apache-2.0 program may link dynamically.
  static let acceptable: Set<String> = [
    "BSD-2-Clause", "LGPL-2.1-or-later", "EPL-2.0 OR BSD-3-Clause", "blessing", "MIT",
    "Apache-2.0", "curl", "ISC", "IJG AND BSD-3-Clause AND Zlib", "Zlib", "HPND",
    "LGPL-2.0-or-later", "LGPL-2.1-only OR MPL-1.1",
  ]
  /// Executables that may link a library under the GPL, because they do nothing else.
  static let mayLinkGPL: Set<String> = ["homeward-hci", "homeward-plugin-speech"]

  @Test("Every row is whole and its licence is acceptable where it is linked")
  func rows() throws {
    let table = try Dependency.table()
    #expect(table.count >= 6)
    for row in table {
      #expect(row.versions.contains(/^\d/), "\(row.library)")
      let isGPL = row.licence.hasPrefix("GPL") || row.licence.hasPrefix("AGPL")
      #expect(isGPL || Self.acceptable.contains(row.licence), "\(row.library): \(row.licence)")
      #expect(!isGPL || Set(row.programs).isSubset(of: Self.mayLinkGPL), "\(row.library)")
    }
  }

  @Test("A program that links a library under the GPL says so in its manifest and its README")
  func programsUnderTheGPL() throws {
    let programs = try Dependency.table().filter { $0.licence.hasPrefix("GPL") }.flatMap(\.programs)
    for program in programs where program.hasPrefix("homeward-plugin-") {
      let folder = "plugins/\(program.dropFirst("homeward-plugin-".count))"
      let manifest = try Repository.text("\(folder)/plugin.json")
      #expect(manifest.contains("\"licence\": \"GPL-3.0-or-later\""), "\(folder)/plugin.json")
      #expect(try Repository.text("\(folder)/README.md").contains("GPL-3.0-or-later"))
      #expect(try Repository.text("debian/copyright").contains("\(folder)/*"))
    }
    for program in programs where !program.hasPrefix("homeward-plugin-") {
      #expect(
        try Repository.text("Sources/Programs/\(program)/LICENSE").contains("GPL-2.0-or-later"))
      #expect(try Repository.text("debian/copyright").contains("Sources/Programs/\(program)/*"))
      for file in try Repository.swiftFiles(below: ["Sources/Programs/\(program)"]) {
        #expect(
          file.text.hasPrefix("// SPDX-License-Identifier: GPL-2.0-or-later\n"), "\(file.path)")
      }
    }
  }

  @Test("Only the program of its own imports the shim of a library under the GPL")
  func shimsUnderTheGPL() throws {
    for row in try Dependency.table() where row.licence.hasPrefix("GPL") {
      for file in try Repository.swiftFiles(below: ["Sources", "plugins"])
      where file.imports.contains(row.target) {
        #expect(row.programs.contains(file.module), "\(file.path) imports \(row.target)")
      }
    }
  }

  @Test("Package.swift names no C library that the table lacks, and the table none that is gone")
  func packageManifest() throws {
    let manifest = try Repository.text("Package.swift")
    let table = try Dependency.table()
    let systemTargets = manifest.matches(of: /\bsystem\(\s*"(\w+)"/).map {
      String($0.1)
    }
    let linked = manifest.matches(of: /links: "(\w+)"/).map { String($0.1) }
    let packages = manifest.matches(of: /\bsystem\([^)]*"([\w.+-]+)"\)/).map { String($0.1) }
    #expect(!systemTargets.isEmpty && !linked.isEmpty && !packages.isEmpty)
    #expect(Set(systemTargets).isSubset(of: table.map(\.target)))
    #expect(Set(linked).isSubset(of: table.map(\.library)))
    #expect(Set(packages).isSubset(of: table.map(\.package)))
    for row in table {
      #expect(
        systemTargets.contains(row.target) || linked.contains(row.library),
        "\(row.library) is in the table only")
    }
    #expect(!manifest.contains(".package("), "a Swift package needs a row and a decision record")
  }

  @Test("The Debian package builds with exactly the libraries of the table")
  func debianControl() throws {
    let control = try Repository.text("debian/control")
    let field = try #require(control.firstMatch(of: /Build-Depends:((?:.*\n)(?:\s+.*\n)*)/))
    let wanted = field.1.matches(of: /(z?lib[\w.+-]+-dev)/).map { String($0.1) }
    #expect(Set(wanted) == Set(try Dependency.table().map(\.package)))
  }

  @Test("The packages that make installs for a build hold every library of the table")
  func packageScript() throws {
    let script = try Repository.text(".ci/packages")
    for row in try Dependency.table() {
      #expect(script.contains(row.package), "\(row.package)")
    }
  }

  private static let readelf = ["/usr/bin/readelf", "/usr/local/bin/readelf"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Libraries that come with the toolchain or the system; see the page's second table.
  private static func isFromSystem(_ library: String) -> Bool {
    let names: Set<String> = [
      "c", "m", "dl", "pthread", "rt", "util", "stdc++", "gcc_s", "dispatch", "BlocksRuntime",
      "Testing", "XCTest",
    ]
    return names.contains(library)
      || ["ld-linux", "swift", "Foundation", "_"].contains { library.hasPrefix($0) }
  }

  @Test(
    "Built programs ask the dynamic linker for libraries of the table only, each in its row",
    .enabled(if: readelf != nil, "readelf is absent"),
    arguments: [
      "homewardd", "homeward", "homeward-hci", "homeward-warden", "homeward-plugin-mqtt",
      "homeward-plugin-speech",
      "homeward-plugin-keyword",
      "homeward-plugin-webhook", "homeward-plugin-email", "homeward-plugin-sms-modem",
      "homeward-plugin-camera", "homeward-plugin-report",
    ])
  func builtPrograms(program: String) throws {
    let table = try Dependency.table()
    let folders = [".build/debug", ".build/release"]
    let built = folders.map { "\($0)/\(program)" }.filter(Repository.exists)
    try #require(!built.isEmpty, "\(program) is not built")
    for path in built {
      for library in try Self.neededLibraries(path) where !Self.isFromSystem(library) {
        let row = table.first { $0.library == library || library.hasPrefix("\($0.library)-") }
        #expect(row?.programs.contains(program) == true, "\(path) links \(library)")
      }
    }
  }

  /// Debian names packages of libraries after them: libmbedcrypto7, libyaml-0-2, zlib1g. The C library brings crypt with it.
  @Test(
    "The rig's machine has the libraries of all programs but two plugins', which it does not play")
  func rigLibraries() throws {
    let packages = try Repository.text("hardware/rig/machine/packages").split(separator: "\n")
    let rows = try Dependency.table().filter { $0.library != "crypt" }
    let notPlayed: Set = ["homeward-plugin-keyword", "homeward-plugin-report"]
    for row in rows where !notPlayed.isSuperset(of: row.programs) {
      #expect(
        packages.contains {
          ["lib\(row.library)", "\(row.library)lib"].contains(where: $0.hasPrefix)
        },
        "a package of \(row.library)")
    }
  }

  /// The names behind `lib` and before `.so` of what an executable needs.
  private static func neededLibraries(_ path: String) throws -> [String] {
    let answer = try ProgramOutput(
      try #require(readelf), ["-d", Repository.root.appendingPathComponent(path).path])
    #expect(answer.exitCode == 0)
    return answer.text.matches(of: /\(NEEDED\).*\[(?:lib)?([^\]]+?)\.so[^\]]*\]/).map {
      String($0.1)
    }
  }
}

@Suite("One version everywhere")
struct VersionTests {
  @Test("Program, Debian package, change log and manual pages agree on the version")
  func version() throws {
    let release = try Repository.text("Sources/Care/Release.swift")
    let version = String(try #require(release.firstMatch(of: /version = "(\d+\.\d+\.\d+)"/)).1)
    #expect(try Repository.text("debian/changelog").hasPrefix("homeward (\(version)) "))
    #expect(try Repository.text("CHANGELOG.md").contains("## [\(version)]"))
    for page in ["debian/homeward.1", "debian/homewardd.8", "debian/homeward-hci.8"] {
      #expect(try Repository.text(page).contains("\"Homeward \(version)\""), "\(page)")
    }
  }
}
