import Testing

@testable import Gazetteer

@Suite("Words of a query")
struct WordTests {
  /// - Source: worked out by the table of the restricted edit distance, each by hand.
  @Test(
    "Words differ by letters that are missing, too many, others, or changed places",
    arguments: [
      ("", "", 0), ("", "a", 1), ("lindengasse", "lindengasse", 0),
      ("lindengasse", "lindengase", 1), ("lindengasse", "lindenngasse", 1),
      ("lindengasse", "lindemgasse", 1), ("lindengasse", "lindnegasse", 1), ("ab", "ba", 1),
      ("abcd", "badc", 2), ("abc", "cab", 2), ("kitten", "sitting", 3),
      // Letters that changed places are not changed once more: else it would be 2.
      ("ca", "abc", 3), ("тихая", "тхая", 1), ("müller", "muller", 1), ("安静路", "安路静", 1),
    ])
  func distances(one: String, other: String, distance: Int) {
    for (left, right) in [(one, other), (other, one)] {
      for limit in 0...4 {
        #expect(
          editDistance(Array(left), Array(right), atMost: limit)
            == (distance <= limit ? distance : nil), "\(limit)")
      }
    }
  }

  @Test(
    "A text is taken apart as the index is: in small letters, without marks, sign by sign in Chinese",
    arguments: [
      ("Untere Mühlstraße 10", ["untere", "muhlstraße", "10"]),
      ("Rue de l’Église 5", ["rue", "de", "l", "eglise", "5"]), ("13a", ["13a"]),
      ("e\u{301}cole", ["ecole"]), ("улица Тихая, д. 7", ["улица", "тихая", "д", "7"]),
      ("安静路3", ["安", "静", "路", "3"]), ("a路b", ["a", "路", "b"]),
      ("ÅNGSTRÖM-Straße  12/3", ["angstrom", "straße", "12", "3"]), ("a a b", ["a", "a", "b"]),
      ("", []), (" — . ", []), ("\" OR 1 --", ["or", "1"]),
    ])
  func words(text: String, words: [String]) throws {
    let folder = try WordFolder()
    // Nothing of one text stays for the next.
    for _ in 0..<2 { #expect(try folder.words(text) == words) }
    #expect(try folder.words(text, limit: 1) == Array(words.prefix(1)))
  }

  @Test(
    "An abbreviation fits what it stands for, alone or at the end of a street's name",
    arguments: [
      ("str", "strasse"), ("str", "straße"), ("strasse", "straße"), ("st", "saint"),
      ("st", "street"), ("av", "avenue"), ("av", "avinguda"), ("ave", "avenida"),
      ("lindeng", "lindengasse"), ("muhlstr", "muhlstraße"), ("muhlstr", "muhlstrasse"),
      ("muehlstr", "muhlstraße"), ("hauptpl", "hauptplatz"), ("gross", "groß"), ("ул", "улица"),
      ("пр", "проезд"), ("пл", "площадь"), ("зелёная", "зеленая"),
    ])
  func fits(typed: String, word: String) {
    #expect(QueryWord(typed).fits(word) && QueryWord(typed).fits(typed))
  }

  @Test(
    "What only begins alike, or is too short to be a name with an ending, is another word",
    arguments: [
      ("str", "strand"), ("ring", "ringasse"), ("g", "ggasse"), ("lindengasse", "lindeng"),
      ("10", "100"), ("st", "sainte"), ("av", "road"),
    ])
  func others(typed: String, word: String) {
    #expect(!QueryWord(typed).fits(word))
  }

  @Test(
    "The last word may be the beginning of one, but not a number or a single letter",
    arguments: [
      ("xyz", false, "(\"xyz\")"), ("xyz", true, "(\"xyz\" OR \"xyz\"*)"), ("x", true, "(\"x\")"),
      ("12", true, "(\"12\")"), ("12a", true, "(\"12a\")"),
      ("rd", true, "(\"rd\" OR \"road\" OR \"rd\"*)"),
    ])
  func terms(word: String, isPrefix: Bool, term: String) {
    #expect(QueryWord(word).term(isPrefix: isPrefix) == term)
  }

  @Test("A number begins with a digit; and no word is written in more ways than can be searched")
  func limits() {
    #expect(QueryWord("12a").isNumber && QueryWord("0").isNumber)
    #expect(!QueryWord("a12").isNumber && !QueryWord("").isNumber && !QueryWord("１２").isNumber)
    for word in [
      String(repeating: "ss", count: 100), "aeoeuessßёstr", String(repeating: "ßae", count: 50),
    ] {
      #expect(QueryWord(word).alternatives.count < 32)
    }
  }
}
