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

  /// Metres, or kilometres from 10 km on.
  static func distance(_ meters: Double) -> String {
    meters < 10_000
      ? gettext("{meters} m", ["meters": fixed(meters, 0)])
      : gettext("{kilometers} km", ["kilometers": fixed(meters / 1000, 1)])
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

  /// Reads `LAT,LON` in degrees.
  /// What is wrong with a place, without the name of an option; nil for a place.
  static func placeFault(_ text: String) -> String? {
    if (try? coordinate(text, option: "")) != nil { return nil }
    return gettext(
      "\"{text}\" is no place. Write degrees north and east with a comma: 59.9139,10.7522",
      ["text": text])
  }

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
