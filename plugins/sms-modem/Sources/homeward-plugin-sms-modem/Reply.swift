/// What somebody answered.
enum Reply: Hashable, Sendable {
  /// They go; of the alarm with that tag where they named one.
  case acknowledges(tag: String?)
  /// Anything else.
  case other

  /// Words that mean "I am going", without signs and in small letters.
  private static let going: Set<String> = [
    "i am going", "im going", "i m going", "going", "i go", "i will go", "on my way",
    "i am on my way", "im on my way", "i am coming", "im coming", "coming", "yes", "yes i am going",
    "好", "好的", "我去", "我来", "我在路上", "是", "1",
  ]
  /// The longest reply that can mean "I am going"; whoever writes more says something else as well.
  private static let maximumCharacters = 60

  /// Reads a reply; `tags` are those of the alarms that the sender was told of.
  init(_ text: String, tags: [String]) {
    guard text.unicodeScalars.count <= Self.maximumCharacters else {
      self = .other
      return
    }
    var words = Self.words(of: text)
    let tag = tags.last { tag in words.contains(tag.lowercased()) }
    if let tag { words.removeAll { $0 == tag.lowercased() } }
    let isNumberOne =
      words.first == "1" && !words.dropFirst().contains { $0.first?.isNumber == true }
    if isNumberOne || Self.going.contains(words.joined(separator: " ")) {
      self = .acknowledges(tag: tag)
    } else {
      self = .other
    }
  }

  /// Letters and digits between everything else, small; a full-width or framed 1 is a 1.
  private static func words(of text: String) -> [String] {
    let plain = text.lowercased().unicodeScalars.compactMap { scalar -> Character? in
      switch scalar.value {
      case 0xFE0F, 0x20E3, 0x27, 0x2019: nil
      case 0xFF10...0xFF19: Unicode.Scalar(scalar.value - 0xFF10 + 0x30).map { Character($0) }
      default: Character(scalar)
      }
    }
    return plain.split { !($0.isLetter || $0.isNumber) }.map { String($0) }
  }
}
