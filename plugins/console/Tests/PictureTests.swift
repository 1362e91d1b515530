import Bytes
import ConsoleRequests
import Foundation
import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

/// The pictures in `docs` show each page as it looks now.
///
/// No browser is asked: each page is written from what a gateway answered once (`Family/answers.json`), and a digest of its
/// markup, of the styles and of what draws on it is compared with the one that was kept when its picture was taken. Words
/// and code behind the pages may change without anybody taking pictures, as long as the pages stay the same. What looks
/// different on purpose gets new pictures by `make screenshots`; `HOMEWARD_LOOKS=FILE` writes the digests of now for it.
@Suite struct PictureTests {
  private static let console = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
  /// All pictures together, so that a clone stays small.
  private static let mostBytes = 2_000_000
  /// Those that are also shown as large as a hub's screen and a desk's.
  private static let main: Set = ["home", "map", "alarm", "zones"]
  /// What an alarm is besides for those who care and have an account: as large as a desk's, and in Chinese.
  private static let sides: Set = ["alarm-own", "alarm-over", "linked"]

  /// What somebody who is looked after sees: also on the hub's screen, and in Chinese.
  private static let own: Set = ["me", "me-way", "me-places"]

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: console.appendingPathComponent(path), encoding: .utf8)
  }

  /// What the gateway of the invented family answered, with the time of that.
  private let family: JSONValue

  /// Digests of the files that every page is dressed by, and of those that draw a map.
  private let styles: String
  private let drawing: String
  /// Of what pages of somebody who is looked after are dressed by besides.
  private let own: String

  init() throws {
    family = try JSONValue(parsing: Self.text("Tests/Family/answers.json"))
    func digests(of files: String...) throws -> String {
      try files.map { Self.digest(of: Self.meaning(of: try Self.text("web/\($0)"))) }.joined()
    }
    styles = try digests(of: "app.css", "dark.css")
    own = try digests(of: "resident.css")
    drawing = try digests(of: "map.js", "zones.js", "border.js")
  }

  // MARK: What a page looks like

  /// What is pictured: a page, with who sees what on it.
  private struct Scene {
    var name: String
    var page: Page
    var fields: [String: String?] = [:]
    /// The member of the family's file that holds what they are answered; nil for the file itself.
    var seenBy: String?
    /// Whether an alarm is open: on every other page its banner would hide that page's own look.
    var isAlarmOpen = false
    /// The token of the link by which they came.
    var link: String?
  }

  /// The page that the link in a message opens, which has an address of its own for everybody.
  private static let linked = Page(
    path: "/g/family", isForAccounts: false, questionsAtTheDoor: [Question("alarm.linked")],
    content: { LinkPage(visit: $0).content })

  private var scenes: [Scene] {
    let answers = family["answers"] ?? .null
    let open = answers["alarms.list"]?.arrayContent?.first?["alarm"]?.stringContent
    let zone = answers["zones.list"]?.arrayContent?.first?["id"]?.stringContent
    let ended = answers["events.query"]?.arrayContent?.first { $0["type"] == "alarm.resolved" }
    let pages = Page.all.map { page in
      Scene(
        name: page.path == "/"
          ? "home" : page.path.dropFirst().split(separator: "/").joined(separator: "-"),
        page: page,
        fields: ["/alarm": ["id": open], "/zones": ["zone": zone]][page.path, default: [:]],
        seenBy: page.path == "/me" || page.path.hasPrefix("/me/") ? "own" : nil,
        isAlarmOpen: page.path == "/alarm")
    }
    return pages + [
      Scene(
        name: "alarm-own", page: AlarmPage.page, fields: ["id": open], seenBy: "own",
        isAlarmOpen: true),
      Scene(
        name: "alarm-over", page: AlarmPage.page,
        fields: ["id": ended?["data"]?["alarm"]?.stringContent]),
      Scene(name: "linked", page: Self.linked, link: "family"),
    ]
  }

  /// The answer to a question, whatever it asks about whom.
  private func answer(
    to question: Question, in scene: Scene
  ) throws -> Result<JSONValue, Refusal> {
    if question.route == "alarms.list", !scene.isAlarmOpen { return .success(.array([])) }
    let told = scene.seenBy.map { family[$0] ?? .null } ?? family
    if let code = told["refusals"]?[question.route]?.stringContent {
      return .failure(Refusal(code: code, words: ""))
    }
    return .success(
      try #require(
        told["answers"]?[question.route],
        "\(scene.name) asks \(question.route), which Family/answers.json does not know; make screenshots ANSWERS=1 asks"
      ))
  }

  private func visit(_ scene: Scene, in language: Language) throws -> Visit {
    let now = try #require(family["now"]?.stringContent)
    let page = scene.page
    var visit = Visit(
      visitor: Visitor(token: "family", address: "", language: language),
      path: page.path.split(separator: "/").map(String.init),
      fields: scene.fields.compactMapValues { $0 }, now: try Timestamp(iso8601: now),
      way: Way(
        authority: "localhost:8474",
        trust: PageTrust(authority: try Self.text("Tests/Family/authority.pem"))),
      link: scene.link)
    var questions =
      page.questionsAtTheDoor + (page.isForAccounts ? Page.always(at: visit.now) : [])
    while !questions.isEmpty {
      for question in questions {
        visit.answers.add(try answer(to: question, in: scene), as: question.name)
      }
      questions = page.next(visit)
    }
    return visit
  }

  private func look(of scene: Scene, in language: Language) throws -> String {
    let visit = try visit(scene, in: language)
    let content = scene.page.content(visit)
    // Files have no version here: it would change with each of them.
    let markup = Layout(assets: Assets(folder: "/nonexistent")).page(content, visit).source
    return Self.digest(
      of: markup + styles + (content.hasMap ? drawing : "")
        + (content.frame == .resident ? own : ""))
  }

  private static func digest(of text: String) -> String {
    Hexadecimal.text(SHA256.hash(Array(text.utf8)).prefix(8))
  }

  /// A file without its comments, and with one space for many.
  private static func meaning(of text: String) -> String {
    text.replacing(#/\/\*(?s:.*?)\*\//#, with: "").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// The digests of now: `home en 0123456789abcdef` for each page and language.
  private func looks() throws -> [String: String] {
    var looks: [String: String] = [:]
    for scene in scenes {
      for language in [Language.en, .zh] {
        looks["\(scene.name) \(language.rawValue)"] = try look(of: scene, in: language)
      }
    }
    return looks
  }

  // MARK: What is kept of it

  private func kept() throws -> [String: String] {
    let lines = try Self.text("docs/looks.txt").split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words.dropLast().joined(separator: " "), words.last ?? "")
      })
  }

  @Test("Every page has its picture, and looks as in it")
  func current() throws {
    let now = try looks()
    if let file = ProcessInfo.processInfo.environment["HOMEWARD_LOOKS"] {
      let lines = now.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
      try lines.joined().write(toFile: file, atomically: true, encoding: .utf8)
      return
    }
    let kept = try kept()
    let unseen = scenes.map { "\($0.name) en" }.filter { kept[$0] == nil }
    #expect(unseen == [], "pages without a picture; make screenshots takes them")
    let changed = kept.filter { now[$0.key] != $0.value }.keys.sorted()
    #expect(changed == [], "they look different now; make screenshots takes new pictures")
  }

  @Test("The pictures are there, in every size, and small")
  func files() throws {
    let docs = Self.console.appendingPathComponent("docs")
    let pictures = try FileManager.default.contentsOfDirectory(atPath: docs.path)
      .filter { $0.hasSuffix(".webp") }
    for scene in scenes.map(\.name) {
      let more =
        Self.own.contains(scene)
        ? ["800x480", "390x844-zh"]
        : Self.main.contains(scene)
          ? ["800x480", "1280x800"] : Self.sides.contains(scene) ? ["1280x800", "390x844-zh"] : []
      for look in ["390x844"] + more { #expect(pictures.contains("\(scene)-\(look).webp")) }
    }
    let design = try Self.text("Design.md")
    var sum = 0
    for picture in pictures {
      let data = try Data(contentsOf: docs.appendingPathComponent(picture))
      #expect(data.prefix(4) == Data("RIFF".utf8) && data[8..<12] == Data("WEBP".utf8))
      #expect(design.contains("docs/\(picture)"), "\(picture) is in the design page")
      sum += data.count
    }
    #expect(sum <= Self.mostBytes)
  }

  @Test("A page whose markup, styles or drawing change looks different, and a comment does not")
  func noticed() throws {
    let home = try #require(scenes.first { $0.name == "home" })
    #expect(try look(of: home, in: .en) != look(of: home, in: .zh))
    var other = home
    other.page.content = { visit in
      var content = home.page.content(visit)
      content.main = content.main + "<p></p>"
      return content
    }
    #expect(try look(of: other, in: .en) != look(of: home, in: .en))
    other.page.content = { visit in
      var content = home.page.content(visit)
      content.hasMap = true
      return content
    }
    #expect(try look(of: other, in: .en) != look(of: home, in: .en))
    #expect(Self.meaning(of: "a { /* why */\n  b }") == Self.meaning(of: "a {\n b }"))
    #expect(Self.meaning(of: "a { b }") != Self.meaning(of: "a { c }"))
  }
}
