/// An e-mail address that mail can be sent to.
///
/// One name, `@`, and a domain of at least two labels; in any script. Quoted names and numbers in brackets, which RFC 5321
/// allows and no family has, are none.
///
/// - Source: RFC 5321, sections 4.1.2 and 4.5.3.1 (lengths); RFC 6531 (other scripts).
public struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as it was written.
  public let text: String
  /// What says whether two addresses reach one mailbox: providers tell capital letters apart nowhere.
  public let folded: String

  private static let longest = 254
  private static let longestName = 64
  private static let longestLabel = 63

  /// An address from a text; nil when it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= Self.longest, Self.isName(parts[0]),
      Self.isDomain(parts[1])
    else { return nil }
    self.text = text
    folded = text.lowercased()
  }

  /// The address as it was written.
  public var description: String { text }

  private static func isName(_ name: Substring) -> Bool {
    name.utf8.count <= longestName
      && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
        !word.isEmpty && word.unicodeScalars.allSatisfy(isInName)
      }
  }

  private static func isDomain(_ domain: Substring) -> Bool {
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2
      && labels.allSatisfy { label in
        (1...longestLabel).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.unicodeScalars.allSatisfy(isInLabel)
      }
  }

  private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? isLetterOrDigit(scalar) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
      : isVisible(scalar)
  }

  private static func isInLabel(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? isLetterOrDigit(scalar) || scalar == "-" : isVisible(scalar)
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  /// Of other scripts: letters, marks and digits, and nothing that hides or turns what stands beside it.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      true
    default: false
    }
  }
}
