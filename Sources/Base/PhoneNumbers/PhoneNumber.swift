/// The telephone number of a person, as ITU-T E.164 writes it.
public struct PhoneNumber: Hashable, Sendable {
  /// Plus sign, calling code and national number, digits only: `+4791234567`.
  public let e164: String

  /// Reads a number as people write it, with spaces, dots, dashes, slashes and parentheses.
  ///
  /// Understood are `+47 912 34 567`, `0047 912 34 567` behind the country's own international prefix, `(0) 912…` and
  /// national numbers with or without the country's trunk prefix. Digits of any script count. Whether anybody answers
  /// there is not known before a test call; costly numbers are not told apart.
  ///
  /// - Parameter country: where the resident lives, ISO 3166-1 alpha-2; may be empty for an international number.
  /// - Throws: why it is no number of a person, in a sentence that says what to write instead.
  public init(validating text: String, country: String) throws(PhoneNumberFault) {
    let written = try WrittenNumber(text)
    let home = try Self.plan(of: country)
    if let digits = written.international(from: home) {
      e164 = try Self.international(digits, hasZeroInParentheses: written.hasZeroInParentheses)
      return
    }
    if let fault = PhoneNumberFault.ofService(written.digits) { throw fault }
    guard let home else { throw PhoneNumberFault(.countryMissing) }
    e164 = try Self.join(
      home, national: written.digits, hasZeroInParentheses: written.hasZeroInParentheses)
  }

  /// Whether two capital letters are a country, as ISO 3166-1 alpha-2 has it.
  public static func isCountry(_ letters: String) -> Bool {
    NumberingPlan.of(country: letters) != nil
  }

  /// The country that letters of another kind stand for, such as `uk` for `GB`; nil where none is near.
  public static func countryMeant(by letters: String) -> String? {
    let capitals = letters.uppercased()
    let usual = ["UK": "GB", "GBR": "GB", "USA": "US", "CHN": "CN", "NOR": "NO", "EN": "GB"]
    return usual[capitals] ?? (isCountry(capitals) ? capitals : nil)
  }

  private static func plan(of country: String) throws(PhoneNumberFault) -> NumberingPlan? {
    if country.isEmpty { return nil }
    guard let plan = NumberingPlan.of(country: country.uppercased()) else {
      throw PhoneNumberFault(.countryUnknown, about: country)
    }
    return plan
  }

  private static func international(
    _ digits: String, hasZeroInParentheses: Bool
  ) throws(PhoneNumberFault) -> String {
    guard let plan = NumberingPlan.beginning(digits) else {
      throw PhoneNumberFault(.callingCodeUnknown, about: String(digits.prefix(3)))
    }
    let national = String(digits.dropFirst(plan.callingCode.count))
    if let fault = PhoneNumberFault.ofService(national) { throw fault }
    return try join(plan, national: national, hasZeroInParentheses: hasZeroInParentheses)
  }

  private static func join(
    _ plan: NumberingPlan, national: String, hasZeroInParentheses: Bool
  ) throws(PhoneNumberFault) -> String {
    var national = national
    if hasZeroInParentheses, plan.trunkPrefixes.isEmpty, plan.dropsZeroInParentheses,
      national.hasPrefix("0")
    {
      national.removeFirst()
    }
    var candidates = plan.trunkPrefixes.filter { national.hasPrefix($0) }.map {
      String(national.dropFirst($0.count))
    }
    // Where zero is the trunk prefix no area begins with it; other prefixes may begin a number too.
    if !(plan.trunkPrefixes.contains("0") && national.hasPrefix("0")) {
      candidates.append(national)
    }
    guard let fitting = candidates.first(where: { plan.lengths.contains($0.utf8.count) }) else {
      throw PhoneNumberFault(length: candidates.first ?? national, in: plan)
    }
    if plan.trunkPrefixes.contains("0"), fitting.hasPrefix("0") {
      throw PhoneNumberFault(.zeroTwice)
    }
    return "+\(plan.callingCode)\(fitting)"
  }
}

extension NumberingPlan {
  /// Whether a zero that somebody put in parentheses is a slip; some countries' numbers keep theirs.
  fileprivate var dropsZeroInParentheses: Bool {
    !["39", "225", "241", "242", "378"].contains(callingCode)
  }
}

/// A text that holds a telephone number and nothing else.
private struct WrittenNumber {
  /// All digits in their order, as ASCII.
  var digits = ""
  /// Whether a plus sign stands in front.
  var hasPlus = false
  /// Whether `(0)` stands somewhere: "leave me out when you call from abroad".
  var hasZeroInParentheses = false

  private static let separators: Set<Unicode.Scalar> = [
    " ", "\t", "\u{A0}", "\u{2007}", "\u{2009}", "\u{202F}", "\u{3000}", "-", "\u{2010}",
    "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}", "\u{FF0D}", ".", "/", "(", ")", "\u{FF08}",
    "\u{FF09}", "~",
  ]

  init(_ text: String) throws(PhoneNumberFault) {
    guard text.utf8.count <= 100 else { throw PhoneNumberFault(.tooLong) }
    var plain = ""
    for scalar in text.unicodeScalars {
      if let digit = Self.digit(scalar) {
        digits.append(digit)
        plain.append(digit)
      } else if scalar == "+" || scalar == "\u{FF0B}" {
        guard digits.isEmpty, !hasPlus else { throw PhoneNumberFault(.plusMisplaced) }
        hasPlus = true
      } else if Self.separators.contains(scalar) {
        plain.append(Self.parenthesis(scalar))
      } else {
        throw PhoneNumberFault(.characterUnknown, about: Self.shown(scalar))
      }
    }
    guard !digits.isEmpty else { throw PhoneNumberFault(.empty) }
    hasZeroInParentheses = plain.split(separator: " ").joined().contains("(0)")
  }

  /// What follows an international prefix or the plus sign; nil for a national number.
  func international(from home: NumberingPlan?) -> String? {
    if hasPlus { return digits }
    let prefixes = home.map(\.internationalPrefixes) ?? ["00"]
    return prefixes.first { digits.hasPrefix($0) }.map { String(digits.dropFirst($0.count)) }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Character? {
    guard scalar.properties.numericType == .decimal,
      let amount = scalar.properties.numericValue, let digit = Int(exactly: amount)
    else { return nil }
    return Character("\(digit)")
  }

  private static func parenthesis(_ scalar: Unicode.Scalar) -> Character {
    switch scalar {
    case "(", "\u{FF08}": "("
    case ")", "\u{FF09}": ")"
    default: " "
    }
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    scalar.properties.isAlphabetic || scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
      ? String(scalar) : "U+" + String(scalar.value, radix: 16, uppercase: true)
  }
}
