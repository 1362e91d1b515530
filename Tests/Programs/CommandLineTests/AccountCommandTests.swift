import Accounts
import Care
import ControlSocket
import Door
import JSON
import Moments
import Testing
import Texts

@Suite("Accounts on the command line")
struct AccountCommandTests {
  private static func listed(_ id: String, _ name: String, _ email: String) -> JSONValue {
    [
      "id": .string(id), "email": .string(email), "role": "caregiver", "residents": ["mary"],
      "profile": UserAccount.Profile(name: name).json, "sessions": 2, "isPaused": false,
      "created": "2026-11-20T10:00:00.000Z",
    ]
  }

  private static let accounts: JSONValue = [
    listed("a1", "Anna", "anna@example.org"), listed("t1", "Tom", "tom@example.org"),
    listed("t2", "TOM", "tom2@example.org").setting("isPaused", to: true)
      .setting("residents", to: []).setting("email", to: .null).setting("role", to: .null),
  ]

  private static func session(_ id: String, _ kind: String, _ label: String) -> JSONValue {
    [
      "id": .string(id), "kind": .string(kind), "label": .string(label),
      "began": "2026-11-20T10:00:00.000Z", "seen": "2026-11-20T11:00:00.000Z",
    ]
  }

  private static let page: JSONValue = [
    "sessions": [
      session("5e55100000000001aa", "browser", "Firefox\u{1B}[2J"),
      session("5e55100000000002bb", "program", ""),
    ],
    "requests": [
      ["asked": "2026-11-20T10:00:00.000Z", "fromName": "Anna", "toName": "Mary"],
      [
        "asked": "2026-11-20T10:00:00.000Z", "fromName": "Tom", "toName": "Mary",
        "answer": ["isAccepted": false, "time": "2026-11-20T12:00:00.000Z"],
      ],
    ],
    "openID": ["issuer": "Family cloud", "connected": "2026-11-20T13:00:00.000Z"],
  ]

  private func daemon(_ accounts: JSONValue = accounts) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([AlarmPeople.mary.json])
      case .accountsList: .success(RouteAnswer(accounts))
      case .accountShow: .success(RouteAnswer(Self.page))
      case .command:
        .success([
          "account": "n1", "code": "ABCD2345", "token": "hw_secret",
          "until": "2026-11-27T10:00:00.000Z",
        ])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  private static let asked: [([String], AccountRequest)] = [
    (["link", "anna"], .linking("a1", .link("mary"))),
    (["unlink", "ANNA@example.org", "--resident", "mary"], .linking("a1", .unlink("mary"))),
    (["disconnect", "a1"], .disconnectOpenID("a1")),
    (["role", "anna", "clinician"], .chooseRole("a1", .clinician, resident: nil)),
    (["role", "anna", "caregiver"], .chooseRole("a1", .caregiver, resident: nil)),
    (["role", "anna", "resident"], .chooseRole("a1", .resident, resident: "mary")),
    (["screen"], .addScreen(for: "mary")), (["invite"], .invite),
    (["log-out", "t1"], .endSessions("t1", besides: nil)),
    (
      ["log-out", "anna", "--session", "5e55100000000002"],
      .endSession("a1", session: "5e55100000000002bb")
    ),
    (["remove", "t2"], .remove("t2")),
    (
      [
        "program", "anna", "--label", "Weekly", "--may", "health", "--may", "routine", "--until",
        "2027-01-31",
      ],
      .addProgram(
        "a1", label: "Weekly", scope: [.health, .routine], until: .seconds(1_801_350_000))
    ),
  ]

  @Test("Each command asks for one thing, of the account that is meant", arguments: asked)
  func requests(words: [String], request: AccountRequest) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["accounts"] + words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let sent = try (await daemon.commands).map { try AccountRequest(json: $0) }
    #expect(sent == [request])
    await daemon.stop()
  }

  @Test("A code is shown in two groups, and a token once and whole")
  func codes() async throws {
    let daemon = try await daemon()
    let screen = try daemon.tool.run(["accounts", "screen"]).output
    #expect(screen.hasPrefix("ABCD 2345 lets a screen speak for Mary O'Neil."))
    let invite = try daemon.tool.run(["accounts", "invite"]).output
    #expect(invite.contains("ABCD 2345 lets one person") && invite.contains("2026-11-27 11:00:00"))
    let token = try daemon.tool.run([
      "accounts", "program", "anna", "--label", "Weekly", "--until", "2027-01-31",
    ]).output
    #expect(token == "The token of Weekly, until 2027-01-31 00:00:00 CET: hw_secret\n")
    await daemon.stop()
  }

  @Test(
    "An account is made, told what it is for and linked to whom it sees, in this order",
    arguments: [
      ([], [.chooseRole("n1", .caregiver, resident: nil)], "and sees nobody yet"),
      (
        ["--resident", "mary"],
        [
          .chooseRole("n1", .caregiver, resident: nil), .linking("n1", .link("mary")),
        ], "and sees Mary O'Neil."
      ),
      (
        ["--resident", "mary", "--clinician"],
        [
          .chooseRole("n1", .clinician, resident: nil), .linking("n1", .link("mary")),
        ], "and sees Mary O'Neil."
      ),
      (
        ["--resident", "mary", "--self"], [.chooseRole("n1", .resident, resident: "mary")],
        "with an account of their own."
      ),
    ] as [([String], [AccountRequest], String)])
  func add(words: [String], then: [AccountRequest], sentence: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(
      ["accounts", "add", "--name", "Nora", "--email", "nora@example.org"] + words,
      input: "eight blue cars\n")
    #expect(outcome.code == 0 && outcome.output.contains(sentence), "\(outcome)")
    let sent = await daemon.commands
    #expect(
      sent.first?["action"] == "account.sign-up" && sent.first?["email"] == "nora@example.org")
    #expect(sent.first?["password"] == "eight blue cars")
    #expect(try sent.dropFirst().map { try AccountRequest(json: $0) } == then)
    #expect(sent.dropFirst().allSatisfy { $0["password"] == nil })
    await daemon.stop()
  }

  private static let new = ["add", "--name", "Nora", "--email", "nora@example.org"]

  @Test(
    "What does not fit is refused before anything is sent, and a password is never repeated",
    arguments: [
      (["add", "--name", "Nora"], 2, "--email ADDRESS"), (new + ["--self"], 2, "whose account"),
      (new + ["--self", "--clinician", "--resident", "mary"], 2, "not both"),
      (new + ["--resident", "tom"], 4, "there is no resident \"tom\""),
      (new, 2, "a password has 8 to 200 characters."),
      (["password", "anna"], 2, "a password has 8 to 200 characters."),
      (["password", "nobody"], 4, "there is no account \"nobody\""),
      (["role", "anna", "boss"], 2, "caregiver, clinician or resident"),
      (["program", "anna"], 2, "--label NAME"),
      (["program", "anna", "--label", "x", "--may", "all"], 2, "not \"all\""),
      (["program", "anna", "--label", "x", "--until", "soon"], 2, "is no time"),
      (["remove", "tom"], 4, "t1 (Tom), t2 (TOM)"),
      (["log-out", "anna", "--session", "ffff"], 4, "there is no session \"ffff\""),
      (["log-out", "anna", "--session", "5e551"], 4, "there are several"),
    ] as [([String], Int32, String)])
  func refused(words: [String], code: Int32, sentence: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["accounts"] + words, input: "seven77\n")
    #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome)")
    #expect(!(outcome.output + outcome.errors).contains("seven77"))
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("The list says who waits after wrong passwords, and who sees nobody")
  func list() async throws {
    let daemon = try await daemon()
    let lines = try daemon.tool.run(["accounts"]).output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("Anna  anna@example.org  caring "))
    #expect(lines[1].contains("  mary    2 ") && lines[1].hasSuffix("2026-11-20 11:00:00 CET"))
    #expect(lines[3].hasPrefix("TOM   -                 not chosen yet  nobody  wrong passwords"))
    await daemon.stop()
    let empty = try await self.daemon([])
    #expect(try empty.tool.run(["accounts"]).output.hasPrefix("Nobody has an account yet."))
    #expect(try empty.tool.run(["accounts", "show", "x"]).errors.contains("accounts add --help"))
    await empty.stop()
  }

  @Test("What speaks for an account is shown with short ids, and who asked to be linked")
  func show() async throws {
    let daemon = try await daemon()
    let shown = try daemon.tool.run(["accounts", "show", "anna"]).output
    for words in [
      "5e55100000000001  browser: Firefox [2J  2026-11-20 11:00:00 CET  2026-11-20 12:00:00 CET",
      "5e55100000000002  program               2026-11-20 11:00:00 CET",
      "Anna asked to be linked with Mary, on 2026-11-20 11:00:00 CET.",
      "Mary said no to Tom, who had asked to be linked, on 2026-11-20 13:00:00 CET.",
      "Logs in by Family cloud too, since 2026-11-20 14:00:00 CET.",
    ] { #expect(shown.contains(words), "\(words)\n\(shown)") }
    #expect(!shown.contains("\u{1B}") && !shown.contains("01aa"))
    await daemon.stop()
  }
}
