/// What a text message can carry, and how much of it.
///
/// GSM-7 has one unit a character and 160 in a message; anything else is UCS-2, 67 units in each of two parts.
///
/// - Source: 3GPP TS 23.038, section 6.2.1 (default alphabet); TS 23.040 for the parts.
enum TextAlphabet: Hashable, Sendable {
  case gsm
  case ucs2
  /// No text message: every character, and room for all that is to be said.
  case roomy

  /// Units of a message: one part of GSM-7, two of UCS-2.
  var limit: Int {
    switch self {
    case .gsm: 160
    case .ucs2: 134
    case .roomy: 2000
    }
  }

  /// Units that a text takes.
  func units(_ text: String) -> Int { self == .gsm ? text.count : text.utf16.count }

  /// The beginning of a text that takes at most so many units, without blanks at its end.
  func prefix(_ text: String, units limit: Int) -> String {
    guard units(text) > limit else { return text }
    var kept = ""
    var used = 0
    for character in text {
      used += units(String(character))
      if used > limit { break }
      kept.append(character)
    }
    while kept.last == " " { kept.removeLast() }
    return kept
  }

  /// As much of a text as one text message carries, in GSM-7 where that can spell it.
  static func textMessage(_ text: String) -> String {
    guard let plain = folded(text) else { return ucs2.prefix(text, units: ucs2.limit) }
    return gsm.prefix(plain, units: gsm.limit)
  }

  /// A text in the characters of GSM-7; nil when more than a third of it would be lost.
  static func folded(_ text: String) -> String? {
    var kept = ""
    var lost = 0
    for character in text {
      if basic.contains(character) {
        kept.append(character)
      } else if let plain = plainForms[character] {
        kept += plain
      } else if character.isWhitespace {
        kept.append(" ")
      } else {
        lost += 1
      }
    }
    while kept.first == " " { kept.removeFirst() }
    return lost * 3 > text.count || kept.isEmpty ? nil : kept
  }

  private static let basic = Set(
    "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ"
      + "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")

  private static let plainForms: [Character: String] = {
    let groups: [(String, String)] = [
      ("a", "áâãāăą"), ("A", "ÁÂÃÀĀĂĄ"), ("c", "çćčĉ"), ("C", "ĆČĈ"), ("d", "ďđð"), ("D", "ĎĐÐ"),
      ("e", "êëēėęě"), ("E", "ÊËÈĒĖĘĚ"), ("g", "ğģĝ"), ("G", "ĞĢĜ"), ("i", "íîïīįı"),
      ("I", "ÍÎÏÌĪĮİ"), ("k", "ķ"), ("K", "Ķ"), ("l", "łľļĺ"), ("L", "ŁĽĻĹ"), ("n", "ńňņ"),
      ("N", "ŃŇŅ"), ("o", "óôõőō"), ("O", "ÓÔÕÒŐŌ"), ("oe", "œ"), ("OE", "Œ"), ("r", "řŕ"),
      ("R", "ŘŔ"), ("s", "śšşș"), ("S", "ŚŠŞȘ"), ("t", "ťţț"), ("T", "ŤŢȚ"), ("th", "þ"),
      ("TH", "Þ"), ("u", "úûūůűų"), ("U", "ÚÛÙŪŮŰŲ"), ("y", "ýÿ"), ("Y", "ÝŸ"), ("z", "źžż"),
      ("Z", "ŹŽŻ"), ("'", "’‘`´"), ("\"", "“”„«»"), ("-", "–—‐"), ("...", "…"), ("EUR", "€"),
      ("(", "[{"), (")", "]}"),
    ]
    var forms: [Character: String] = [:]
    for (plain, marked) in groups {
      for character in marked { forms[character] = plain }
    }
    return forms
  }()
}
