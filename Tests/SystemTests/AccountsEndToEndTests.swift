import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// Accounts through the real daemon, its real hashes, its database and the command line.
@Suite(.serialized) struct AccountsEndToEndTests {
  private static let password = "seven red boats"

  /// `homeward accounts …` against a gateway, with what is typed.
  private func homeward(
    _ words: [String], typing input: String = "", at house: TalkingGateway
  ) throws -> (code: Int32, output: String) {
    let directory = try TemporaryDirectory()
    let typed = try directory.write(input, to: "typed")
    let child = try ChildProcess(
      "sh",
      ["-c", "exec \"$@\" <'\(typed)'", "sh", BuiltProducts.path(of: "homeward")] + words
        + ["--socket", house.gateway.socketPath], log: directory.path(of: "log"))
    let code = child.wait()
    return (code, child.log)
  }

  private func logIn(_ password: String, at house: TalkingGateway) throws -> JSONValue {
    try house.call(
      .command,
      [
        "command": [
          "request": [
            "action": "account.log-in", "email": "ANNA@example.org", "password": .string(password),
            "label": "Firefox on Linux",
          ]
        ]
      ])
  }

  @Test(
    "A keeper makes an account, its owner logs in, and after a power cut the password still counts",
    .timeLimit(.minutes(2)))
  func life() throws {
    let house = try TalkingGateway()
    let added = try homeward(
      [
        "accounts", "add", "--name", "Anna", "--email", "anna@example.org", "--resident", "mary",
      ], typing: Self.password + "\n", at: house)
    #expect(added.code == 0 && added.output.contains("Anna may log in, and sees Mary."), "\(added)")
    let first = try logIn(Self.password, at: house)
    let token = try #require(first["token"]?.stringContent)
    #expect(token.count == 64)
    house.gateway.kill()
    try house.start()
    let listed = try homeward(["accounts"], at: house).output
    #expect(listed.contains("anna@example.org") && listed.contains("caring"), "\(listed)")
    #expect(try logIn(Self.password, at: house)["token"]?.stringContent != token)
    #expect(throws: ControlError.self) { try logIn("six red boats", at: house) }
    let shown = try homeward(["accounts", "show", "anna"], at: house).output
    #expect(shown.components(separatedBy: "Firefox on Linux").count == 3, "\(shown)")
    #expect(
      try homeward(
        ["accounts", "password", "anna"], typing: "eight blue cars\n", at: house
      ).output.contains("logged out everywhere"))
    #expect(throws: ControlError.self) { try logIn(Self.password, at: house) }
    #expect(try logIn("eight blue cars", at: house)["session"] != nil)
    #expect(try homeward(["accounts", "remove", "anna"], at: house).code == 0)
    #expect(throws: ControlError.self) { try logIn("eight blue cars", at: house) }
    // Neither password nor token is in any file of the gateway.
    let files = FileManager.default.enumerator(atPath: house.gateway.stateDirectory)
    for case let name as String in try #require(files) {
      let path = "\(house.gateway.stateDirectory)/\(name)"
      guard let bytes = FileManager.default.contents(atPath: path) else { continue }
      for secret in [Self.password, "eight blue cars", token] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
      }
    }
    #expect(!house.gateway.log.contains(Self.password) && !house.gateway.log.contains(token))
  }

  @Test(
    "What is no account, password or resident is said, and nothing is made", .timeLimit(.minutes(1))
  )
  func refused() throws {
    let house = try TalkingGateway()
    let words = ["accounts", "add", "--name", "Anna", "--email"]
    for (email, password, resident, code) in [
      ("anna@example.org", "short\n", "mary", 2), ("anna@example.org", "", "mary", 2),
      ("anna@example.org", "password1\n", "mary", 4), ("anna@example.org", "anna anna\n", "eve", 4),
      ("anna@", "seven red boats\n", "mary", 4),
    ] {
      let outcome = try homeward(
        words + [email, "--resident", resident], typing: password, at: house)
      #expect(outcome.code == Int32(code), "\(email) \(password) \(outcome)")
    }
    #expect(try house.call(.accountsList, .object([])) == .array([]))
  }

  @Test(
    "A page of a plugin shows whoever logs in what they may see, and nothing from the moment on that they may not",
    .timeLimit(.minutes(2)))
  func dashboard() throws {
    let grants = [
      "network", "accounts", "read:position", "read:journal", "read:account", "contacts", "places",
      "command:account.log-in", "command:account.end-session",
    ]
    let house = try TalkingGateway(others: [
      RunningGateway.TestPlugin(
        name: "dashboard", grants: grants)
    ])
    try house.perform(
      .putResident(Resident(id: "ben", name: "Ben", timeZone: "Europe/Oslo")))
    _ = try homeward(
      ["accounts", "add", "--name", "Anna", "--email", "anna@example.org", "--resident", "mary"],
      typing: Self.password + "\n", at: house)
    let portFile = "\(house.gateway.stateDirectory)/plugins/dashboard/port"
    let isUp = Eventually.holds(withinSeconds: 30) {
      FileManager.default.fileExists(atPath: portFile)
    }
    try #require(isUp, "\(house.gateway.log)")
    let port = try String(contentsOfFile: portFile, encoding: .utf8)
    let directory = try TemporaryDirectory()
    func visit(_ file: String, _ password: String, _ more: [String] = []) throws -> ChildProcess {
      try ChildProcess(
        "python3",
        [
          "-I", Checkout.path("Tests/SystemTests/visitor.py"), port, "anna@example.org",
          password, directory.path(of: file),
        ] + more, log: directory.path(of: "\(file).log"))
    }
    func seen(_ file: String) -> [String] {
      let text = try? String(contentsOfFile: directory.path(of: file), encoding: .utf8)
      return (text ?? "").split(separator: "\n").map(String.init)
    }
    // Whoever logs out is out.
    #expect(try visit("left", Self.password, ["out"]).wait() == 0)
    let left = seen("left")
    #expect(left.count == 3 && left[0].contains("Mary") && !left[0].contains("Ben"), "\(left)")
    #expect(left.last?.contains("Log in") == true && left.last?.contains("Mary") == false)
    #expect(try visit("wrong", "six red boats", ["out"]).wait() == 0)
    #expect(
      seen("wrong").first?.contains("That password is not right.") == true, "\(seen("wrong"))")
    // Whoever watches sees Mary's news and not Ben's; from the moment on that she is not linked, nothing.
    let watcher = try visit("watched", Self.password)
    #expect(Eventually.holds(withinSeconds: 20) { seen("watched").contains("watching") })
    func move(_ resident: ResidentID) throws {
      try house.perform(.setTracking(resident: resident, isOn: false))
      try house.perform(.setTracking(resident: resident, isOn: true))
    }
    try move("ben")
    try move("mary")
    let news = Eventually.holds(withinSeconds: 20) {
      seen("watched").count { $0 == "news tracking.changed" } == 2
    }
    #expect(news, "\(seen("watched"))")
    _ = try homeward(["accounts", "unlink", "anna", "--resident", "mary"], at: house)
    try move("mary")
    _ = try homeward(["accounts", "log-out", "anna"], at: house)
    #expect(Eventually.holds(withinSeconds: 20) { seen("watched").contains("ended logged-out") })
    #expect(seen("watched").count { $0 == "news tracking.changed" } == 2, "\(seen("watched"))")
    watcher.kill()
  }
}
