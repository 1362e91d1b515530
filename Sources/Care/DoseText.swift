/// What a dose in words takes from a stock, where the words leave no doubt.
public enum DoseText {
  /// How many units a dose is: `2 tablets`, `½ tablet`, `1 1/2 pills`, `half a tablet`, `两片`, `2片`.
  ///
  /// Nil where that is not sure: a measure (`500 mg`, `10 ml`), a range, two doses in one text, no number.
  public static func units(in dose: String) -> UnitCount? {
    chinese(dose) ?? english(dose.lowercased())
  }

  // MARK: English

  private static let countable: Set<String> = [
    "tablet", "tablets", "tab", "tabs", "pill", "pills", "capsule", "capsules", "caplet",
    "caplets", "puff", "puffs", "sachet", "sachets", "patch", "patches", "ampoule", "ampoules",
    "lozenge", "lozenges", "suppository", "suppositories",
  ]
  private static let numbers: [String: UnitCount] = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "a": 1, "an": 1, "half": UnitCount(hundredths: 50),
    "quarter": UnitCount(hundredths: 25),
  ]
  /// A number before one of these is a strength, not a count.
  private static let strengths: Set<String> = ["mg", "g", "µg", "mcg", "ml", "iu", "%"]
  private static let joints: Set<String> = [
    "or", "and", "to", "then", "x", "×", "-", "–", "+", "/",
  ]

  private static func english(_ text: String) -> UnitCount? {
    let words = split(text)
    guard let unit = words.firstIndex(where: countable.contains), unit > 0,
      !saysMore(Array(words[(unit + 1)...]))
    else { return nil }
    var before = Array(words[..<unit])
    if before.count == 2, before[0] == "half" || before[0] == "quarter",
      before[1] == "a" || before[1] == "of"
    {
      before.removeLast()
    }
    if before.count == 1, let number = numbers[before[0]] { return number }
    return UnitCount(text: before.joined(separator: " "))
  }

  /// Whether what comes behind the unit may be another count: `1 tablet in the morning, 2 in the evening`.
  private static func saysMore(_ words: [String]) -> Bool {
    for (place, word) in words.enumerated() {
      if countable.contains(word) || joints.contains(word) { return true }
      let isNumber = UnitCount(text: word) != nil || (numbers[word] != nil && word.count > 2)
      let next = place + 1 < words.count ? words[place + 1] : ""
      if isNumber, !strengths.contains(next) { return true }
    }
    return false
  }

  /// Words without brackets and punctuation at their end, with a number parted from the unit that touches it.
  private static func split(_ text: String) -> [String] {
    var words: [String] = []
    for part in text.split(whereSeparator: { $0.isWhitespace || "()[];".contains($0) }) {
      var part = part
      while let last = part.last, ".,:".contains(last) { part.removeLast() }
      let number = part.prefix { $0.isNumber || "./".contains($0) }
      let rest = String(part.dropFirst(number.count))
      if !number.isEmpty, countable.contains(rest) {
        words += [String(number), rest]
      } else if !part.isEmpty {
        words.append(String(part))
      }
    }
    return words
  }

  // MARK: Chinese

  private static let measures: Set<Character> = [
    "片", "粒", "颗", "丸", "枚", "包", "袋", "贴", "喷", "吸",
  ]
  private static let numerals: [Character: UnitCount] = [
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    "半": UnitCount(hundredths: 50),
  ]
  private static let openings = ["每次", "一次"]

  private static func chinese(_ text: String) -> UnitCount? {
    var letters = Array(text.filter { !$0.isWhitespace })
    for opening in openings where letters.starts(with: Array(opening)) {
      letters.removeFirst(opening.count)
    }
    guard let unit = letters.firstIndex(where: measures.contains), unit > 0 else { return nil }
    let count = letters[..<unit]
    var rest = letters[(unit + 1)...]
    var part: Int64 = 0
    // 一片半: one and a half.
    if rest.first == "半" {
      part = 50
      rest = rest.dropFirst()
    }
    guard rest.allSatisfy({ !measures.contains($0) && numerals[$0] == nil && !$0.isNumber })
    else { return nil }
    let numeral = count.count == 1 ? count.first.flatMap { numerals[$0] } : nil
    return (numeral ?? UnitCount(text: String(count))).map {
      UnitCount(hundredths: $0.hundredths + part)
    }
  }
}
