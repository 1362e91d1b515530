/// Makes ids out of names.
public enum Slug {
  /// Lower-case Latin letters and digits of a name, joined by hyphens; `other` where there are none.
  ///
  /// Taken ids get a number behind them.
  public static func make(
    from name: String, besides taken: [String], otherwise other: String
  ) -> String {
    let base = latin(name)
    return unique(base.isEmpty ? other : base, besides: taken)
  }

  private static func unique(_ base: String, besides taken: [String]) -> String {
    if !taken.contains(base) { return base }
    var number = 2
    while taken.contains("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }

  private static func latin(_ name: String) -> String {
    var slug = ""
    for scalar in name.lowercased().unicodeScalars {
      if let letter = plain[scalar] {
        slug += letter
      } else if (scalar.isASCII && scalar.properties.isAlphabetic)
        || ("0"..."9").contains(scalar)
      {
        slug.unicodeScalars.append(scalar)
      } else if scalar.properties.isAlphabetic {
        return ""
      } else if !slug.isEmpty, slug.last != "-" {
        slug += "-"
      }
    }
    while slug.last == "-" { slug.removeLast() }
    return String(slug.prefix(40))
  }

  private static let plain: [Unicode.Scalar: String] = [
    "à": "a", "á": "a", "â": "a", "ã": "a", "ä": "a", "å": "a", "æ": "ae", "ç": "c", "è": "e",
    "é": "e", "ê": "e", "ë": "e", "ì": "i", "í": "i", "î": "i", "ï": "i", "ñ": "n", "ò": "o",
    "ó": "o", "ô": "o", "õ": "o", "ö": "o", "ø": "o", "œ": "oe", "ß": "ss", "ù": "u", "ú": "u",
    "û": "u", "ü": "u", "ý": "y", "ÿ": "y", "š": "s", "ž": "z", "č": "c", "ć": "c", "ł": "l",
    "ń": "n", "ś": "s", "ź": "z", "ż": "z", "ą": "a", "ę": "e", "ğ": "g", "ı": "i", "ş": "s",
    "ř": "r", "ě": "e", "ů": "u", "ő": "o", "ű": "u", "đ": "d",
  ]
}
