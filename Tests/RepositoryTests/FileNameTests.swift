import Testing

@Suite("Names of files")
struct FileNameTests {
  /// A declaration at the start of a line: what it is, and the first name of it.
  private struct Declaration {
    let isExtension: Bool
    let name: String

    init?(_ line: String) {
      // Most lines are indented, and to match each would take most of a minute.
      guard let first = line.utf8.first, first >= UInt8(ascii: "@"),
        let match = line.prefixMatch(
          of:
            /(?:@\w+(?:\([^)]*\))? |public |package |internal |private |fileprivate |final |indirect |nonisolated )*(struct|class|enum|actor|protocol|extension) (\w+)/
        )
      else { return nil }
      isExtension = match.1 == "extension"
      name = String(match.2)
    }
  }

  /// Types whose extensions are found by another name, with where.
  private static let others: [String: String] = [
    // Each is the step to a version, and is found by its number.
    "Migration": "Sources/Services/Store/Schema/CareSchema"
  ]

  private func misnamed(_ files: [Repository.SourceFile]) -> [String] {
    let declared = files.map { file in (file, file.codeLines.compactMap { Declaration($0.text) }) }
    var homes: [String: String] = [:]
    for (file, declarations) in declared {
      for declaration in declarations where !declaration.isExtension {
        homes["\(file.module) \(declaration.name)"] = file.path
      }
    }
    return declared.compactMap { file, declarations in
      guard let type = declarations.first?.name,
        declarations.allSatisfy({ $0.isExtension && $0.name == type }),
        let home = homes["\(file.module) \(type)"], home != file.path,
        !file.fileName.hasPrefix("\(type)+"),
        Self.others[type].map({ file.path.hasPrefix($0) }) != true
      else { return nil }
      return "\(file.path) only extends \(type), which is in \(home): name it \(type)+Topic.swift"
    }
  }

  @Test("What only extends a type of its module bears that type's name, a plus and its subject")
  func extensions() throws {
    let files = try Repository.swiftFiles(below: ["Sources", "plugins"]).filter { !$0.isTest }
    #expect(misnamed(files) == [])
  }

  @Test("The rule finds a file that it is not true of")
  func bites() {
    func file(_ name: String, _ text: String) -> Repository.SourceFile {
      Repository.SourceFile(path: "Sources/Engines/Alarms/\(name).swift", text: text)
    }
    let type = file("Alarm", "public struct Alarm {}\n")
    let more = "extension Alarm { struct Inner {} }\n\npublic extension Alarm {}\n"
    #expect(misnamed([type, file("AlarmEvents", more)]).count == 1)
    #expect(misnamed([type, file("Alarm+Events", more)]).isEmpty)
    #expect(misnamed([file("Strings", "extension String {}\n")]).isEmpty)
    #expect(misnamed([type, file("AlarmRow", "extension Alarm {}\nstruct AlarmRow {}\n")]).isEmpty)
  }
}
