import CGatewayShims
import Care
import Moments

/// Identifiers that cannot be guessed from anything.
enum RandomIdentifier {
  /// A UUID of version 7, whose text sorts by time.
  static var uuid: String {
    var generator = IdentifierGenerator(seed: UInt64.random(in: 0...UInt64.max))
    return generator.next(at: Timestamp(milliseconds: homeward_realtime_milliseconds()))
  }

  /// Six letters and digits without those that look alike.
  static var short: String {
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    return String((0..<6).compactMap { _ in letters.randomElement() })
  }
}

/// Makes ids out of names.
enum Slug {
  /// Lower-case Latin letters and digits of a name, joined by hyphens, or six random characters where there are none.
  ///
  /// Taken ids get a number behind them.
  static func make(from name: String, besides taken: [String]) -> String {
    let base = latin(name)
    if base.isEmpty { return unique(RandomIdentifier.short, besides: taken) }
    return unique(base, besides: taken)
  }

  private static func unique(_ base: String, besides taken: [String]) -> String {
    if !taken.contains(base) { return base }
    let numbers = (2...(taken.count + 2)).lazy.map { "\(base)-\($0)" }
    return numbers.first { !taken.contains($0) } ?? RandomIdentifier.short
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
