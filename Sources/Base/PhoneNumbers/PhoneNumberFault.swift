public import Texts

/// Why a text is not the telephone number of a person.
public struct PhoneNumberFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of fault.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no digit in it.
    case empty
    /// A letter or another character stands in it that no number has.
    case characterUnknown = "character-unknown"
    /// A plus sign stands elsewhere than in front.
    case plusMisplaced = "plus-misplaced"
    /// It is a national number, and nobody knows of which country.
    case countryMissing = "country-missing"
    /// The country is none of ISO 3166-1.
    case countryUnknown = "country-unknown"
    /// No country has this calling code.
    case callingCodeUnknown = "calling-code-unknown"
    /// It is shorter than the country's numbers.
    case tooShort = "too-short"
    /// It is longer than the country's numbers.
    case tooLong = "too-long"
    /// The country has no numbers of this length, though longer and shorter ones.
    case lengthUnknown = "length-unknown"
    /// Another zero follows the trunk prefix, and no area begins with one.
    case zeroTwice = "zero-twice"
    /// It reaches the emergency services.
    case emergency
    /// It is a short number, which reaches a service.
    case service
  }

  /// The kind of fault.
  public var code: Code
  /// One or two plain sentences that say what to write instead; without the number itself, which is personal.
  public var message: Message

  /// The message.
  public var description: String { message.description }

  init(_ code: Code, about what: String = "") {
    self.code = code
    message = Self.sentence(code, String(what.prefix(20)))
  }

  /// A fault of the length of what follows the calling code.
  init(length national: String, in plan: NumberingPlan) {
    let (count, lengths) = (national.utf8.count, plan.lengths.sorted())
    let allowed = Self.words(lengths)
    let values: Message.Values = [
      "code": plan.callingCode, "allowed": allowed, "count": count,
      "hint": Message(
        "If it is a number of another country, write it with + and that country's code."),
    ]
    if count < lengths.first ?? 0 {
      code = .tooShort
      message = Message(
        "The number is too short: after the calling code +{code} come {allowed} digits, "
          + "not {count}. {hint}", values)
    } else if count > lengths.last ?? 0 {
      code = .tooLong
      message = Message(
        "The number is too long: after the calling code +{code} come {allowed} digits, "
          + "not {count}. {hint}", values)
    } else {
      code = .lengthUnknown
      message = Message(
        "A digit is missing or too many: after the calling code +{code} come {allowed} digits, "
          + "not {count}. {hint}", values)
    }
  }

  private static let emergencyNumbers: Set<String> = [
    "000", "108", "110", "111", "112", "113", "114", "115", "117", "118", "119", "120", "122",
    "190", "192", "193", "911", "988", "995", "999",
  ]

  /// The fault of dialling an emergency or another short service; nil for everything longer.
  static func ofService(_ digits: String) -> PhoneNumberFault? {
    if emergencyNumbers.contains(digits) { return PhoneNumberFault(.emergency) }
    let isHarmonised = digits.utf8.count == 6 && digits.hasPrefix("116")
    return digits.utf8.count <= 3 || isHarmonised ? PhoneNumberFault(.service) : nil
  }

  private static func sentence(_ code: Code, _ what: String) -> Message {
    switch code {
    case .empty: Message("There is no digit in the number. Write it like +47 912 34 567.")
    case .characterUnknown:
      Message(
        "A telephone number has no \"{what}\". Write digits only, like +47 912 34 567.",
        ["what": what])
    case .plusMisplaced: Message("The plus sign may stand only in front, like +47 912 34 567.")
    case .countryMissing:
      Message(
        "The country is not known. Write the number with + and its calling code, like "
          + "+47 912 34 567, or set the resident's country.")
    case .countryUnknown:
      Message(
        "\"{what}\" is no country. Write its two letters, such as NO, GB or CN.", ["what": what])
    case .callingCodeUnknown:
      Message(
        "No country has a calling code at the start of +{what}. Check the first digits.",
        ["what": what])
    case .tooShort: Message("The number is too short. Write all of it, like +47 912 34 567.")
    case .tooLong: Message("The number is too long. Write one number only, like +47 912 34 567.")
    case .lengthUnknown:
      Message("A digit is missing or too many. Compare it with the person's own note.")
    case .zeroTwice:
      Message(
        "No area there begins with 0 behind the first 0. Write a number of another country with + "
          + "and that country's code.")
    case .emergency:
      Message(
        "This number reaches the emergency services, which are no guardian. Set them up by "
          + "themselves: homeward emergency prepare --help")
    case .service:
      Message(
        "This short number reaches a service, no person. Write the full number of the guardian's "
          + "own telephone.")
    }
  }

  private static func words(_ lengths: [Int]) -> Message {
    guard let first = lengths.first, let last = lengths.last else { return Message("no digits") }
    if first == last { return Message(verbatim: "\(first)") }
    if last - first == lengths.count - 1, lengths.count > 2 {
      return Message("{first} to {last}", ["first": first, "last": last])
    }
    return Message(
      "{numbers} or {last}",
      ["numbers": lengths.dropLast().map(String.init).joined(separator: ", "), "last": last])
  }
}
