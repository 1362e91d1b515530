import Foundation
import TestSupport
import Testing

@Suite("Translations")
struct CatalogueTests {
  /// What `.ci/catalogues` answers, and what it says.
  private static func catalogues(_ arguments: [String]) throws -> (code: Int32, words: String) {
    let folder = try TemporaryDirectory()
    let program = Repository.root.appendingPathComponent(".ci/catalogues").path
    let child = try ChildProcess(
      "/usr/bin/python3", [program] + arguments, log: folder.path(of: "log"))
    let code = child.wait()
    return (code, child.log)
  }

  @Test("Every text of the sources is translated, and the catalogues are up to date")
  func complete() throws {
    let (code, words) = try Self.catalogues(["--check"])
    #expect(code == 0, "\(words)")
  }

  private static let pot = ".build/homeward.pot"
  private static let po = "Sources/Base/Texts/Catalogues/zh_CN.po"
  private static let source = #"""
    func f() {
      // gettext(notEvenALiteral) in a comment
      let s = "gettext(inAString) \(g("x", gettext("Third {n}.", ["n": 3], in: .zh)))"
      _ = gettext("First " + "{name}.", ["name": n], in: .en)
      throw Refusal(.no, Message("Second.", context: "time"))
      _ = Message("{n} try", plural: "{n} tries", 3)
      _ = Message(verbatim: name)
    }
    """#
  private static let header = """
    msgid ""
    msgstr ""
    "Language: zh_CN\\n"
    "MIME-Version: 1.0\\n"
    "Content-Type: text/plain; charset=UTF-8\\n"
    "Content-Transfer-Encoding: 8bit\\n"
    "Plural-Forms: nplurals=1; plural=0;\\n"

    """

  /// A small tree whose texts are all translated.
  private static func tree() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.write(source, to: "Sources/Engine/Words.swift")
    try folder.write("print(gettext(\"Fourth.\"))\n", to: "plugins/x/push.py")
    try folder.write(header, to: po)
    let (code, words) = try catalogues(["--root", folder.path])
    #expect(code == 0, "\(words)")
    var text = try String(contentsOfFile: folder.path(of: po), encoding: .utf8)
    for (english, chinese) in [
      ("msgid \"First {name}.\"\nmsgstr \"\"", "msgid \"First {name}.\"\nmsgstr \"一{name}\""),
      ("msgid \"Second.\"\nmsgstr \"\"", "msgid \"Second.\"\nmsgstr \"二\""),
      ("msgid \"Third {n}.\"\nmsgstr \"\"", "msgid \"Third {n}.\"\nmsgstr \"三{n}\""),
      ("msgid \"Fourth.\"\nmsgstr \"\"", "msgid \"Fourth.\"\nmsgstr \"四\""),
      ("msgstr[0] \"\"", "msgstr[0] \"{n}次\""),
    ] {
      #expect(text.contains(english), "\(english) is not in\n\(text)")
      text = text.replacingOccurrences(of: english, with: chinese)
    }
    try folder.write(text, to: po)
    return folder
  }

  @Test(
    "Texts are found in Swift and in Python, in and out of interpolations, and a whole tree passes")
  func whole() throws {
    let folder = try Self.tree()
    let (code, words) = try Self.catalogues(["--check", "--root", folder.path])
    #expect(code == 0 && words == "5 texts\n", "\(words)")
    let template = try String(contentsOfFile: folder.path(of: Self.pot), encoding: .utf8)
    #expect(
      template.contains(
        """
        #: Sources/Engine/Words.swift
        #, python-brace-format
        msgid "First {name}."
        msgstr ""
        """))
    #expect(template.contains("msgctxt \"time\"\nmsgid \"Second.\""))
    #expect(template.contains("msgid_plural \"{n} tries\""))
    #expect(template.contains("#: plugins/x/push.py\nmsgid \"Fourth.\""))
  }

  @Test(
    "What lacks or does not fit is found",
    arguments: [
      (po, "msgstr \"四\"", "msgstr \"\"", "not translated: 'Fourth.'"),
      (po, "msgid \"Fourth.\"\nmsgstr \"四\"\n\n", "", "missing in the catalogue: 'Fourth.'"),
      (po, "msgid \"Fourth.\"", "#, fuzzy\nmsgid \"Fourth.\"", "to be confirmed: 'Fourth.'"),
      (po, "一{name}", "一{nama}", "argument 'nama' doesn't exist"),
      (po, "一{name}", "一", "argument 'name' doesn't exist in 'msgstr'"),
      (
        po, "msgid \"Fourth.\"\nmsgstr \"四\"", "msgid \"A.\"\nmsgstr \"甲\"",
        "missing in the catalogue: 'Fourth.'"
      ),
      (
        po, "msgctxt \"time\"\nmsgid \"Second.\"\nmsgstr \"二\"\n\n", "",
        "missing in the catalogue: 'Second.'"
      ),
      ("Sources/Engine/Words.swift", "\"First \" + ", "start + ", "needs literal texts"),
      ("Sources/Engine/Words.swift", "\"{name}.\"", "\"\\(name).\"", "needs literal texts"),
      (
        "Sources/Engine/Words.swift", "First ", "Another ",
        "missing in the catalogue: 'Another {name}.'"
      ),
      ("plugins/x/push.py", "\"Fourth.\"", "word", "needs a literal text"),
    ])
  func faults(file: String, found: String, instead: String, says: String) throws {
    let folder = try Self.tree()
    let text = try String(contentsOfFile: folder.path(of: file), encoding: .utf8)
    #expect(text.contains(found), "\(file) has no \(found):\n\(text)")
    try folder.write(text.replacingOccurrences(of: found, with: instead), to: file)
    let (code, words) = try Self.catalogues(["--check", "--root", folder.path])
    #expect(code == 1 && words.contains(says), "\(words)")
  }

  @Test("Entries out of order are found, because the program finds a text by halving")
  func order() throws {
    let folder = try Self.tree()
    let text = try String(contentsOfFile: folder.path(of: Self.po), encoding: .utf8)
    let entries = text.trimmingCharacters(in: .newlines).components(separatedBy: "\n\n")
    let moved = [entries[0]] + entries.dropFirst().reversed()
    try folder.write(moved.joined(separator: "\n\n") + "\n", to: Self.po)
    let (code, words) = try Self.catalogues(["--check", "--root", folder.path])
    #expect(code == 1 && words.contains("not in order"), "\(words)")
  }
}
