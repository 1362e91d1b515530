import Testing

@testable import Texts

@Suite("Catalogue")
struct CatalogueTests {
  /// A catalogue over a text, for as long as something is asked of it.
  private func reading<Answer>(_ text: String, _ ask: (Catalogue) -> Answer) -> Answer {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { ask(Catalogue($0)) }
  }

  /// The entries of a text with so many of them, `word 000` and on, in order.
  private func catalogue(_ count: Int) -> String {
    let entries = (0..<count).map { "#: a\nmsgid \"word \(1000 + $0)\"\nmsgstr \"译 \($0)\"\n" }
    return (["msgid \"\"\nmsgstr \"\"\n\"Language: zh_CN\\n\"\n"] + entries).joined(separator: "\n")
  }

  @Test("Every entry is found, whatever the number of entries, and nothing else is")
  func halving() {
    for count in [0, 1, 2, 3, 4, 7, 8, 100] {
      reading(catalogue(count)) { catalogue in
        for index in 0..<count {
          #expect(catalogue.translation(of: "word \(1000 + index)") == "译 \(index)")
          #expect(catalogue.translation(of: "word \(1000 + index) ") == nil)
        }
        for missing in ["", "a", "word", "word 999", "zzz", "字"] {
          #expect(catalogue.translation(of: missing) == nil)
        }
      }
    }
  }

  @Test("Folded lines, escapes, contexts and plurals are read")
  func forms() {
    let text = """
      msgid ""
      msgstr ""

      msgid ""
      "one\\n"
      "two \\"quoted\\" \\\\ \\t."
      msgstr ""
      "一\\n"
      "二"

      msgctxt "day"
      msgid "second"
      msgstr "第二"

      msgctxt "time"
      msgid "second"
      msgstr "秒"

      msgid "{n} try"
      msgid_plural "{n} tries"
      msgstr[0] "{n}次"
      """
    reading(text) { catalogue in
      #expect(catalogue.translation(of: "one\ntwo \"quoted\" \\ \t.") == "一\n二")
      #expect(catalogue.translation(of: "second", context: "day") == "第二")
      #expect(catalogue.translation(of: "second", context: "time") == "秒")
      #expect(catalogue.translation(of: "second") == nil)
      #expect(catalogue.translation(of: "{n} try") == "{n}次")
      #expect(catalogue.translation(of: "{n} tries") == nil)
    }
  }

  @Test("What is fuzzy or empty is not said")
  func unconfirmed() {
    let text = """
      #, fuzzy, python-brace-format
      msgid "a {x}"
      msgstr "猜 {x}"

      msgid "b"
      msgstr ""
      """
    reading(text) { catalogue in
      #expect(catalogue.translation(of: "a {x}") == nil)
      #expect(catalogue.translation(of: "b") == nil)
    }
  }

  @Test("A catalogue cut off or damaged anywhere never stops the program")
  func damaged() {
    let whole = Array(catalogue(6).utf8)
    for end in 0...whole.count {
      whole[..<end].withUnsafeBufferPointer { bytes in
        _ = Catalogue(bytes).translation(of: "word 1003")
      }
    }
    var seed: UInt64 = 0x9E37_79B9
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<4 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = [0x0A, 0x22, 0x5C, 0xFF][Int(seed >> 20) % 4]
      }
      bytes.withUnsafeBufferPointer { _ = Catalogue($0).translation(of: "word 1004") }
    }
  }

  @Test("The built-in Chinese catalogue answers all its own texts, and English needs none")
  func builtIn() throws {
    #expect(Catalogue.of(.en) == nil)
    let chinese = try #require(Catalogue.of(.zh))
    #expect(chinese.translation(of: "It is midnight.") == "现在是午夜十二点。")
  }
}
