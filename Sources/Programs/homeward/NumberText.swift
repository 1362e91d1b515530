import Care

/// Numbers and places as people read them.
enum NumberText {
  /// A number with so many decimals, 0 through 9.
  static func fixed(_ number: Double, _ decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    let scaled = (number * scale).rounded()
    guard let whole = Int64(exactly: scaled) else { return "\(number)" }
    let digits = String(whole.magnitude)
    let sign = whole < 0 ? "-" : ""
    if decimals == 0 { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// How whoever sits at the terminal counts lengths, as their locale says (LC_MEASUREMENT).
  static let lengthUnits = LengthUnits(environment: Environment.value)

  /// A length with its unit; kilometres from 10 km on.
  static func distance(_ meters: Double, in units: LengthUnits = lengthUnits) -> String {
    units.text(meters: meters, kilometersFrom: 10_000).spoken
  }

  /// Reads a length as metres: `25`, `25m` or `82ft`; a number alone is metres.
  static func length(_ text: String) -> Double? {
    let written = trimmed(text).lowercased()
    let unit = written.hasSuffix("ft") ? "ft" : written.hasSuffix("m") ? "m" : ""
    guard let number = Double(trimmed(String(written.dropLast(unit.count)))), number.isFinite else {
      return nil
    }
    return unit == "ft" ? number * LengthUnits.metersInFoot : number
  }

  /// The same of an option.
  static func length(_ text: String, option: String) throws(CommandFailure) -> Double {
    guard let meters = length(text) else {
      throw .usage(
        gettext(
          "--{option} \"{text}\" is no length, such as 25, 25m or 82ft.",
          ["option": option, "text": text]))
    }
    return meters
  }

  /// A number without a fraction where it has none.
  static func short(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }

  static func bytes(_ count: Int64) -> String {
    if count < 10_000_000 { return "\(count / 1000) kB" }
    return count < 10_000_000_000 ? "\(count / 1_000_000) MB" : "\(count / 1_000_000_000) GB"
  }

  static func place(_ coordinate: Coordinate) -> String {
    "\(fixed(coordinate.latitudeDegrees, 5)),\(fixed(coordinate.longitudeDegrees, 5))"
  }

  /// What is wrong with a place, without the name of an option; nil for a place.
  static func placeFault(_ text: String) -> String? {
    if (try? coordinate(text, option: "")) != nil { return nil }
    return gettext(
      "\"{text}\" is no place. Write degrees north and east with a comma: 59.9139,10.7522",
      ["text": text])
  }

  /// Reads `LAT,LON` in degrees, of an operand, which has no name that could be written.
  static func coordinate(operand text: String) throws(CommandFailure) -> Coordinate {
    if let fault = placeFault(text) { throw .usage(fault) }
    return try coordinate(text, option: "")
  }

  /// Reads `LAT,LON` in degrees.
  static func coordinate(_ text: String, option: String) throws(CommandFailure) -> Coordinate {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double(trimmed(String($0)))
    }
    if parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    {
      return coordinate
    }
    throw .usage(
      gettext(
        "--{option} \"{text}\" is no place. Write degrees north and east with a comma: 59.9139,10.7522",
        ["option": option, "text": text])
    )
  }

  static func number(_ text: String, option: String) throws(CommandFailure) -> Double {
    guard let number = Double(trimmed(text)), number.isFinite else {
      throw .usage(
        gettext("--{option} \"{text}\" is no number.", ["option": option, "text": text]))
    }
    return number
  }

  static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace ?? false { rest.removeFirst() }
    while rest.last?.isWhitespace ?? false { rest.removeLast() }
    return String(rest)
  }
}

extension LengthUnits {
  /// The units of a locale: of those that the C library has, that of the United States counts in feet.
  ///
  /// - Parameter variable: the value of a variable of the environment.
  init(environment variable: (String) -> String?) {
    let named = ["LC_ALL", "LC_MEASUREMENT", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    let territory = (named ?? "").split(separator: "_").dropFirst().first?.prefix(2)
    self = territory == "US" ? .imperial : .metric
  }
}
