import Testing

@testable import homeward

@Suite("What shells complete")
struct CompletionTests {
  private func lines(_ shell: String) throws -> Set<Substring> {
    let outcome = try Tool().run(["completion", shell])
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    return Set(outcome.output.split(separator: "\n"))
  }

  @Test("Each command is below the words that lead to it, each place stands there once")
  func places() throws {
    let places = CompletionCommand.places
    let words = Dictionary(
      places.map { ($0.path, $0.words) }, uniquingKeysWith: { first, _ in first })
    #expect(words.count == places.count)
    for command in CommandTable.all {
      for length in 0..<command.path.count {
        let below = words[Array(command.path.prefix(length))]
        #expect(below?.contains(command.path[length]) == true, "\(command.path)")
      }
      let place = try #require(places.first { $0.path == command.path })
      #expect(command.options.allSatisfy { own in place.options.contains { $0.name == own.name } })
      #expect(place.options.contains { $0.name == "json" } && place.words == place.words.sorted())
    }
  }

  @Test("No word has a letter that means something to a shell")
  func letters() {
    for place in CompletionCommand.places {
      for word in place.path + place.words + place.options.map(\.name) {
        #expect(word.wholeMatch(of: /[a-z0-9][a-z0-9-]*/) != nil, "\(word)")
      }
    }
  }

  @Test("bash and zsh read one table; fish knows the same places, and which options take a value")
  func shells() throws {
    let (bash, zsh) = (try lines("bash"), try lines("zsh"))
    let table = bash.filter { $0.hasPrefix("  ['homeward") }
    #expect(table.count == CompletionCommand.places.count && table.isSubset(of: zsh))
    let fish = try lines("fish")
    let known = try #require(fish.first { $0.hasPrefix("set -g __homeward_places ") })
    for place in CompletionCommand.places {
      let path = place.path.joined(separator: " ")
      #expect(known.contains(" '\(path)'"))
      for option in place.options {
        let line =
          "complete -c homeward -n \"__homeward_at '\(path)'\" -l \(option.name)"
          + (option.value == nil ? "" : " -r")
        #expect(fish.contains(line[...]), "\(line)")
      }
    }
  }
}
