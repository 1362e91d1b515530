import Care
import ControlSocket
import Door
import Guidance
import JSON
import Moments
import Testing
import Texts

@Suite("Ways on the command line")
struct GuideCommandTests {
  private func daemon(
    journeys: JSONValue = [], hasPlaces: Bool = true
  ) async throws -> FakeDaemon {
    let here = try place(59.9, 10.7)
    let bookmarks: JSONValue = [
      Bookmark(
        id: "bakery", resident: "mary", name: "Old bakery", address: "Mill Lane 4",
        coordinate: here
      ).json,
      Bookmark(id: "club", resident: "tom", name: "Club", address: "", coordinate: here).json,
    ]
    let bench: JSONValue = [
      "id": "3", "name": "The bench\u{1B}[31m", "address": "River 1", "latitude": 59.9,
      "longitude": 10.7, "kept": "2026-11-20T10:00:00.000Z", "resident": "mary",
    ]
    return try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([AlarmPeople.mary.json])
      case .bookmarksList: .success(RouteAnswer(bookmarks))
      case .guidancePlaces: .success(hasPlaces ? [bench] : [])
      case .guidanceList: .success(RouteAnswer(journeys))
      case .command: .success(["guidance": ["words": "Turn\u{1B}[2J left."]])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  private static let asked: [([String], GuidanceRequest)] = [
    (["home"], .start("mary", to: .home, asks: false)),
    (["home", "--ask", "--resident", "MARY O'NEIL"], .start("mary", to: .home, asks: true)),
    (["to", "bakery"], .start("mary", to: .bookmark("bakery"), asks: false)),
    (["to", "Old bakery", "--ask"], .start("mary", to: .bookmark("bakery"), asks: true)),
    (["to", "3"], .start("mary", to: .kept("3"), asks: false)),
    (["repeat"], .repeated("mary")), (["stop"], .cancel("mary")),
    (["keep", "The pond"], .keep("mary", name: "The pond", at: nil)),
    (["forget", "3"], .forget("mary", place: "3")),
  ]

  @Test("Each command asks for one thing, of the resident who is meant", arguments: asked)
  func requests(words: [String], request: GuidanceRequest) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["guide"] + words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(!outcome.output.contains("\u{1B}"))
    let sent = try (await daemon.commands).map { try GuidanceRequest(json: $0) }
    #expect(sent == [request])
    await daemon.stop()
  }

  @Test("What the gateway says is shown, and a place is kept where it is told")
  func words() async throws {
    let daemon = try await daemon()
    #expect(try daemon.tool.run(["guide", "home"]).output == "Turn [2J left.\n")
    #expect(try daemon.tool.run(["guide", "keep", "Pond", "--at", "1,2"]).output == "Kept Pond.\n")
    let kept = try GuidanceRequest(json: try #require(await daemon.commands.last))
    #expect(kept == .keep("mary", name: "Pond", at: try place(1, 2)))
    await daemon.stop()
  }

  @Test(
    "Where no such place is, nobody is sent anywhere",
    arguments: [
      (["to", "club"], 1, "has no bookmark and no place \"club\""),
      (["to", "nowhere"], 1, "See: homeward bookmarks, homeward guide places"),
      (["forget", "nowhere"], 1, "There is no place \"nowhere\""),
      (["keep", "Pond", "--at", "91,0"], 2, "\"91,0\" is no place"),
      (["home", "--resident", "tom"], 4, "there is no resident \"tom\""), (["to"], 2, "PLACE"),
    ] as [([String], Int32, String)])
  func refused(words: [String], code: Int32, sentence: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["guide"] + words)
    #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("Who is shown a way is listed with what worries on it, in capital letters")
  func list() async throws {
    let journey: JSONValue = [
      "resident": "mary", "destination": ["name": "Home"], "stage": "leading",
      "trouble": "pacing", "metersLeft": 120, "words": "Go on for 50 metres.",
    ]
    let lost: JSONValue = [
      "resident": "mary", "destination": ["name": "Home"], "stage": "seeking", "words": "Wait.",
    ]
    let daemon = try await daemon(journeys: [journey, lost])
    #expect(
      try daemon.tool.run(["guide"]).output == """
        RESIDENT  TO    STATE                            LEFT   SAID
        mary      Home  on the way, GOES BACK AND FORTH  120 m  Go on for 50 metres.
        mary      Home  looking for the way              -      Wait.

        """)
    await daemon.stop()
    let quiet = try await self.daemon(hasPlaces: false)
    #expect(try quiet.tool.run(["guide"]).output == "Nobody is shown a way now.\n")
    #expect(try quiet.tool.run(["guide", "places"]).output.hasPrefix("No places yet."))
    await quiet.stop()
  }

  @Test("The address book shows each place with its number, and nothing that moves the cursor")
  func book() async throws {
    let daemon = try await daemon()
    let shown = try daemon.tool.run(["guide", "places"]).output
    #expect(
      shown == """
        RESIDENT  ID  NAME            PLACE              ADDRESS
        mary      3   The bench [31m  59.90000,10.70000  River 1

        """)
    await daemon.stop()
  }
}
