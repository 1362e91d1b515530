import Care

/// Takes texts apart into words as the index has them, by the index's own tokenizer.
final class WordFolder {
  private let database: PlaceDatabase

  init() throws(PlaceFault) {
    database = try PlaceDatabase(nil)
    try database.rows(
      #"CREATE VIRTUAL TABLE text USING fts5 (words, tokenize="unicode61 remove_diacritics 2")"#
    ) { _ in }
    try database.rows("CREATE VIRTUAL TABLE word USING fts5vocab (text, instance)") { _ in }
  }

  /// The words of a text in order, folded; at most `limit`.
  func words(_ text: String, limit: Int = 64) throws(PlaceFault) -> [String] {
    try database.rows("INSERT INTO text (rowid, words) VALUES (1, ?)", [.text(Self.spaced(text))]) {
      _ in
    }
    var words: [String] = []
    try database.rows("SELECT term FROM word ORDER BY offset") { row in
      if words.count < limit { words.append(row.text(0)) }
    }
    try database.rows("DELETE FROM text WHERE rowid = 1") { _ in }
    return words
  }

  /// The text with a space around each character of a writing without spaces, as the index was made.
  private static func spaced(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isUnspaced(scalar.value) {
        result.append(" ")
        result.append(scalar)
        result.append(" ")
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isUnspaced(_ code: UInt32) -> Bool {
    switch code {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x30FF, 0x3400...0x9FFF,
      0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}

/// One word of a query, and what else it may stand for.
struct QueryWord: Hashable {
  /// As it was typed, folded.
  var text: String
  /// Other words that mean the same; the end of one may be missing where it ends in an asterisk.
  var alternatives: [String] = []

  init(_ text: String) {
    self.text = text
    alternatives = Self.others(text)
  }

  var isNumber: Bool { text.unicodeScalars.first.map { ("0"..."9").contains($0) } ?? false }

  /// The word as SQLite's search takes it.
  func term(isPrefix: Bool) -> String {
    let all = ([text] + alternatives).map { word in
      word.hasSuffix("*") ? "\"\(word.dropLast())\"*" : "\"\(word)\""
    }
    let prefix = isPrefix && text.unicodeScalars.count > 1 && !isNumber ? ["\"\(text)\"*"] : []
    return "(" + (all + prefix).joined(separator: " OR ") + ")"
  }

  /// Whether a word of a place is this one.
  func fits(_ word: String) -> Bool {
    word == text
      || alternatives.contains { $0.hasSuffix("*") ? word.hasPrefix($0.dropLast()) : word == $0 }
  }

  // MARK: Abbreviations

  /// What abbreviations of addresses stand for, folded.
  ///
  /// - Source: wiki.openstreetmap.org/wiki/Name_finder:Abbreviations.
  private static let abbreviations: [[String]] = [
    ["str", "strasse", "straße", "street", "strada"], ["st", "saint", "sankt", "street", "sint"],
    ["ste", "sainte"], ["av", "ave", "avenue", "avenida"], ["bd", "bld", "blvd", "boulevard"],
    ["rd", "road"], ["ln", "lane"], ["dr", "drive", "doktor"], ["ct", "court"], ["sq", "square"],
    ["pl", "platz", "place", "plaza", "plac", "площадь"], ["r", "rue"], ["all", "allee"],
    ["ch", "chemin"], ["rte", "route"], ["imp", "impasse"], ["esc", "escalier", "escaliers"],
    ["g", "gasse"], ["gr", "gross", "grosse", "grosser"], ["kl", "klein", "kleine", "kleiner"],
    ["ob", "obere", "oberer"], ["unt", "untere", "unterer"], ["prof", "professor"],
    ["c", "cl", "calle", "carrer"], ["crta", "carretera"], ["av", "avinguda"],
    ["ул", "улица"], ["пл", "площадь"], ["пер", "переулок"], ["пр", "проспект", "проезд"],
    ["просп", "пр-т", "проспект"], ["наб", "набережная"], ["б", "большой", "большая"],
    ["м", "малый", "малая"], ["ш", "шоссе"], ["бул", "бульвар"], ["туп", "тупик"],
    ["д", "дом"], ["им", "имени"],
  ]

  private static let known: [String: [String]] = {
    var known: [String: [String]] = [:]
    for words in abbreviations {
      for word in words { known[word, default: []] += words.filter { $0 != word } }
    }
    return known
  }()

  /// No word has more ways to write it that are tried.
  private static let mostAlternatives = 16

  private static func others(_ word: String) -> [String] {
    var all = [word] + (known[word] ?? [])
    var index = 0
    while index < all.count, all.count < mostAlternatives {
      for other in respelled(all[index]) where !all.contains(other) { all.append(other) }
      index += 1
    }
    return Array(all.dropFirst())
  }

  /// A word with one of its parts written otherwise.
  private static func respelled(_ word: String) -> [String] {
    var others: [String] = []
    // German writes street and square at the end of the name, and often not in full.
    for (short, long, stem) in [
      ("str", "straße", 1), ("pl", "platz", 4), ("g", "gasse", 4), ("all", "allee", 4),
    ] where word.hasSuffix(short) && word.unicodeScalars.count >= short.count + stem {
      others.append(word.dropLast(short.count) + long)
    }
    for (one, other) in [
      ("ss", "ß"), ("ß", "ss"), ("ae", "a"), ("oe", "o"), ("ue", "u"), ("ё", "е"),
    ]
    where word.contains(one) {
      others.append(word.replacing(one, with: other))
    }
    return others
  }
}
