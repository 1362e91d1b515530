import Care
import ControlSocket
import Door
import JSON
import TestSupport
import Testing
import Texts

@Suite("Addresses on the command line, and the bookmarks that they become")
struct AddressCommandTests {
  private static func found(
    _ name: String, _ address: String, _ latitude: Double, isSuggestion: Bool = false
  ) -> JSONValue {
    .object([
      "name": .string(name), "address": .string(address), "latitude": .number(latitude),
      "longitude": 10.5, "kind": "address", "suggestion": isSuggestion ? true : nil,
    ])
  }

  private static let known: JSONValue = [
    "id": "bakery", "resident": "mary", "name": "Bakery", "address": "Mill Lane 4",
    "coordinate": ["latitude": 59.5, "longitude": 10.5],
  ]

  /// A gateway whose map finds these places; with nil it has no map.
  private func daemon(
    finding places: [JSONValue] = [], at reversed: JSONValue? = .null
  ) async throws -> FakeDaemon {
    let noMap = ControlError(.unavailable, Message(verbatim: "there is no map."))
    return try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([AlarmPeople.mary.json])
      case .bookmarksList: .success([Self.known])
      case .mapFind: .success(["places": .array(places), "attribution": "The map."])
      case .mapReverse: reversed.map { .success(["place": $0]) } ?? .failure(noMap)
      case .command: .success(["id": "x"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  private func bookmark(_ daemon: FakeDaemon) async throws -> Bookmark {
    let json = try #require(await daemon.commands.last)
    guard case .putBookmark(let bookmark) = try Command.Request(json: json) else {
      throw ControlError(.failed, Message(verbatim: json.serialized))
    }
    return bookmark
  }

  @Test("The one place that an address has is taken, with the address as the map writes it")
  func one() async throws {
    let daemon = try await daemon(finding: [
      Self.found("Lindengasse 9", "Lindengasse 9, 9001 Ahrenstett", 59.25),
      Self.found("Lindengasse 9a", "Lindengasse 9a, 9001 Ahrenstett", 59.75, isSuggestion: true),
    ])
    let outcome = try daemon.tool.run([
      "bookmarks", "add", "--name", "Doctor", "--address", "lindeng 9",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "Added the bookmark Doctor as doctor.\n")
    #expect(
      try await bookmark(daemon)
        == Bookmark(
          id: "doctor", resident: "mary", name: "Doctor",
          address: "Lindengasse 9, 9001 Ahrenstett", coordinate: try place(59.25, 10.5)))
    let asked = await daemon.requests.first { $0.method == .mapFind }
    #expect(asked?.params["text"] == "lindeng 9")
    await daemon.stop()
  }

  @Test(
    "What may be another place than was meant is never taken",
    arguments: [
      ([], ["The map does not have \"Main Street 1\".", "--at LAT,LON"]),
      (
        [found("Maine Street 1", "Maine Street 1, Ahrenstett\u{1B}[2J", 59, isSuggestion: true)],
        ["Did you mean one of these?", "  Maine Street 1, Ahrenstett [2J"]
      ),
      (
        [
          found("Main Street 1", "Main Street 1, Ahrenstett", 59),
          found("Main Street 1", "Main Street 1, Brunn", 60),
        ],
        ["There is more than one \"Main Street 1\". Add the town:", "Ahrenstett", "Brunn"]
      ),
    ] as [([JSONValue], [String])])
  func unclear(places: [JSONValue], words: [String]) async throws {
    let daemon = try await daemon(finding: places)
    let outcome = try daemon.tool.run([
      "bookmarks", "add", "--name", "Doctor", "--address", "Main Street 1",
    ])
    #expect(outcome.code == 1 && !outcome.errors.contains("\u{1B}"))
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("A place itself goes before its address, which the map tells where it can")
  func byPlace() async throws {
    let there = Self.found("Mill Lane 5", "Mill Lane 5, Ahrenstett", 59.25)
    let words = ["bookmarks", "add", "--name", "Pub", "--at", "59.25,10.5"]
    for (reversed, more, address) in [
      (there, [], "Mill Lane 5, Ahrenstett"), (.null, [], ""), (nil, [], ""),
      (there, ["--address", "The blue door"], "The blue door"),
    ] as [(JSONValue?, [String], String)] {
      let daemon = try await daemon(at: reversed)
      let outcome = try daemon.tool.run(words + more)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let added = try await bookmark(daemon)
      #expect(added.address == address)
      #expect(added.coordinate == (try place(59.25, 10.5)))
      await daemon.stop()
    }
  }

  @Test("A change keeps what is not named, and needs something to change")
  func change() async throws {
    let daemon = try await daemon()
    #expect(try daemon.tool.run(["bookmarks", "change", "bakery"]).code == 2)
    #expect(await daemon.commands.isEmpty)
    #expect(try daemon.tool.run(["bookmarks", "change", "BAKERY", "--name", "Old"]).code == 0)
    let renamed = try await bookmark(daemon)
    #expect(renamed.id == "bakery" && renamed.name == "Old" && renamed.address == "Mill Lane 4")
    #expect(renamed.coordinate == (try place(59.5, 10.5)))
    #expect(try daemon.tool.run(["bookmarks", "change", "bak", "--at", "1,2"]).code == 0)
    let moved = try await bookmark(daemon)
    #expect(moved.name == "Bakery")
    #expect(moved.coordinate == (try place(1, 2)))
    #expect(moved.address.isEmpty, "the old address is not that of the new place")
    #expect(try daemon.tool.run(["bookmarks", "remove", "Bakery"]).code == 0)
    #expect(await daemon.commands.last?["target"] == "bakery")
    let unknown = try daemon.tool.run(["bookmarks", "remove", "club"])
    #expect(unknown.code == 4 && unknown.errors.contains("List them: homeward bookmarks"))
    await daemon.stop()
  }

  @Test("A search shows what was found, says where it is from, and fails where nothing was")
  func search() async throws {
    let daemon = try await daemon(
      finding: [Self.found("Mill Lane 4", "Mill Lane 4, Ahrenstett", 59.25, isSuggestion: true)],
      at: Self.found("Mill Lane 4", "Mill Lane 4, Ahrenstett", 59.25))
    let found = try daemon.tool.run(["places", "search", "mill", "lane", "--near", "59,10"])
    #expect(
      found.output == """
        Did you mean:
        NAME         ADDRESS                  KIND     PLACE
        Mill Lane 4  Mill Lane 4, Ahrenstett  address  59.25000,10.50000
        The map.

        """)
    let params = try #require(await daemon.requests.last?.params)
    #expect(params["text"] == "mill lane" && params["near"]?["latitude"]?.doubleContent == 59)
    let there = try daemon.tool.run(["places", "reverse", "59.25,10.5", "--json"])
    #expect(try JSONValue(parsing: there.output)["address"] == "Mill Lane 4, Ahrenstett")
    await daemon.stop()
    let empty = try await self.daemon()
    let nothing = try empty.tool.run(["places", "search", "Qqq"])
    #expect(nothing.code == 1 && nothing.errors.contains("Nothing on the map is called \"Qqq\"."))
    let sea = try empty.tool.run(["places", "reverse", "0,0"])
    #expect(sea.code == 1 && sea.errors.contains("Nothing on the map is near 0.00000,0.00000."))
    await empty.stop()
  }

  @Test(
    "What is no place, no number and no import is said",
    arguments: [
      (["reverse", "91,0"], 2, "homeward: \"91,0\" is no place."),
      (["search"], 2, "WORDS is missing."),
      (["search", "x", "--near", "here"], 2, "\"here\" is no place"),
      (["search", "x", "--limit", "0"], 2, "from 1 through 100"),
      (["search", "x", "--limit", "2.5"], 2, "from 1 through 100"),
      (["route", "1,2"], 2, "TO is missing."),
      (["route", "here", "1,2"], 2, "homeward: \"here\" is no place."),
      (["route", "1,2", "there"], 2, "homeward: \"there\" is no place."),
      (["route", "1,2", "3,4", "--language", "xx"], 2, "--language is one of en, zh"),
      (["status", "--in", "/nowhere"], 1, "Nothing has been imported to /nowhere yet."),
      (["remove", "--in", "/nowhere"], 1, "homeward places import --help"),
      (["search", "x", "--in", "/nowhere"], 1, "Nothing has been imported"),
    ] as [([String], Int32, String)])
  func refused(words: [String], code: Int32, sentence: String) throws {
    let outcome = try Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"]).run(["places"] + words)
    #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome)")
  }

  @Test(
    "An import is searched without a gateway, and is gone once it is removed",
    .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
  func imported() throws {
    let folder = try TemporaryDirectory()
    try InventedTown.makeImport(in: folder.path)
    let tool = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])
    func run(_ words: String...) throws -> Tool.Outcome {
      try tool.run(["places"] + words + ["--in", folder.path])
    }
    let found = try run("search", "lindengasse", "9", "--json", "--limit", "1")
    let place = try #require(try JSONValue(parsing: found.output).arrayContent?.first)
    #expect(place["address"] == "Lindengasse 9, 9001 Ahrenstett", "\(found)")
    let (latitude, longitude) = try (
      #require(place["latitude"]?.doubleContent), #require(place["longitude"]?.doubleContent)
    )
    let back = try run("reverse", "\(latitude),\(longitude)")
    #expect(back.code == 0 && back.output.contains("Lindengasse 9, 9001 Ahrenstett"))
    #expect(back.output.contains("An invented town"))
    #expect(try run("status").output.contains("An invented town"))
    #expect(try run("search", "Qqqqxxxx").code == 1)
    #expect(try run("remove").output.hasPrefix("Removed the places of "))
    #expect(try run("status").code == 1)
  }
}
