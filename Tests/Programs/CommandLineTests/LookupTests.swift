import Testing

@testable import homeward

@Suite("Things by their ids and names")
struct LookupTests {
  private struct Thing: Sendable {
    var id: String
    var name: String
  }

  private static let things = [
    Thing(id: "day-centre", name: "Club"), Thing(id: "day-centre-2", name: "Åse's house"),
    Thing(id: "park-lane", name: "Shop"), Thing(id: "green", name: "Park"),
    Thing(id: "club", name: "Garden"), Thing(id: "tom-1", name: "Tom\u{1B}[2J"),
    Thing(id: "tom-2", name: "TOM\u{1B}[2J"), Thing(id: "k3", name: "老王的家"),
  ]

  private func find(_ wanted: String) throws(CommandFailure) -> String {
    try Lookup(
      among: Self.things, id: \.id, name: \.name, nothing: { "nothing is called \($0)" },
      list: "look"
    ).find(wanted).id
  }

  @Test(
    "A whole id goes before a name, a name before the beginning of an id",
    arguments: [
      ("day-centre", "day-centre"), ("club", "club"), ("CLUB", "day-centre"), ("park", "green"),
      ("ÅSE'S HOUSE", "day-centre-2"), ("PAR", "park-lane"), ("park-", "park-lane"),
      ("老王的家", "k3"), ("gre", "green"),
    ])
  func found(wanted: String, id: String) throws {
    #expect(try find(wanted) == id)
  }

  @Test("Two of one name, and a beginning of two ids, are refused with the ids that there are")
  func several() throws {
    for wanted in ["tom\u{1B}[2j", "tom"] {
      let failure = try #require(throws: CommandFailure.self) { try find(wanted) }
      #expect(failure.exitCode == .refused)
      let hint = failure.hint ?? ""
      #expect(hint.contains("tom-1") && hint.contains("tom-2") && !hint.contains("\u{1B}"))
      #expect(!hint.contains("green"))
    }
    let begun = try #require(throws: CommandFailure.self) { try find("day-c") }
    #expect(begun.hint?.contains("day-centre (Club), day-centre-2") == true)
  }

  @Test(
    "Too little to begin an id, or what is nowhere, is said to be nothing",
    arguments: ["gr", "g", "", "reen", "greens", "\u{1B}green"])
  func nothing(wanted: String) throws {
    let failure = try #require(throws: CommandFailure.self) { try find(wanted) }
    #expect(failure.exitCode == .refused && failure.hint == "look")
    #expect(failure.message.hasPrefix("nothing is called"))
    #expect(!failure.message.contains("\u{1B}"))
  }

  @Test("A short id begins one id alone, and is no shorter than twelve letters")
  func shortIDs() {
    let ids = [
      "01932d5e-7c3a-7001", "01932d5e-7c3a-7002", "01932d5e-7c3b-7001", "ffff2d5e-7c3a-7001", "e1",
    ]
    let short = ShortIDs(ids)
    #expect(
      ids.map(short.text) == [
        "01932d5e-7c3a-7001", "01932d5e-7c3a-7002", "01932d5e-7c3b", "ffff2d5e-7c3", "e1",
      ])
    #expect(short.text("unknown-and-long") == "unknown-and-long")
    #expect(
      ShortIDs(["abcdefghijklmnop", "abcdefghijklmnop"]).text("abcdefghijklmnop").count == 16)
  }
}

@Suite("Words of a command line")
struct ArgumentParserTests {
  private static let command = CommandSpecification(
    path: ["try"], summary: "Tries",
    operands: [
      OperandSpecification(name: "WHAT", help: ""),
      OperandSpecification(name: "MORE", isOptional: true, help: ""),
    ],
    options: [
      .flag("loud", ""), .option("name", "NAME", ""), .repeatable("tag", "TAG", ""),
      .file("", formerly: "out"),
    ]
  ) { _ in }

  private func parse(_ words: String...) throws(CommandFailure) -> ParsedArguments {
    try ArgumentParser.parse(words, for: Self.command)
  }

  @Test("A value follows its option or an equals sign, of which the first one counts")
  func values() throws {
    let parsed = try parse("a", "--name=b=c", "--tag", "1", "--loud", "--tag=2", "--out", "file")
    #expect(parsed.operands == ["a"] && parsed.has("loud") && !parsed.has("json"))
    #expect(parsed.option("name") == "b=c" && parsed.all("tag") == ["1", "2"])
    #expect(parsed.option("to") == "file", "the former name is that of today")
    #expect(try parse("a", "--name=").option("name") == "")
    #expect(try parse("a", "--name", "").option("name") == "")
  }

  @Test("Behind two hyphens nothing is an option, and one hyphen never makes one")
  func operands() throws {
    let parsed = try parse("--loud", "--", "--name", "--")
    #expect(parsed.operands == ["--name", "--"] && parsed.has("loud") && !parsed.has("name"))
    #expect(try parse("-", "-33.8,151.2").operands == ["-", "-33.8,151.2"])
  }

  @Test(
    "What does not fit the command is refused as usage, with its help named",
    arguments: [
      [], ["a", "b", "c"], ["a", "--name"], ["a", "--name", "x", "--name=x"], ["a", "--loud=1"],
      ["a", "--nmae", "x"], ["a", "--out", "x", "--to", "y"], ["a", "--=x"], ["--", "a", "b", "c"],
      ["a", "--Name", "x"],
    ])
  func refused(words: [String]) throws {
    let failure = try #require(throws: CommandFailure.self) {
      try ArgumentParser.parse(words, for: Self.command)
    }
    #expect(failure.exitCode == .usage && failure.hint?.contains("homeward try --help") == true)
  }
}
