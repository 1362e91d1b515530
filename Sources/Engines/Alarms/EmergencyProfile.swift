/// How the emergency services of a country are contacted.
///
/// - Source: for Great Britain the rules of the emergency text service (register first by texting `register` to 999; no
///   tests; not from abroad); for Ireland 112.ie. Where nothing is known for sure about texts, only a call is made.
struct EmergencyProfile: Hashable, Sendable {
  /// ISO 3166-1 alpha-2.
  let country: String
  /// The number to call.
  let callNumber: String
  /// The number that takes texts; nil where texts are not taken or not known to be.
  let textNumber: String?
  /// Whether the phone has to be registered before a text is taken.
  let textNeedsRegistration: Bool

  /// The profile of a country; nil where none is known.
  static func of(_ country: String) -> EmergencyProfile? {
    all.first { $0.country == country.uppercased() }
  }

  static let all: [EmergencyProfile] =
    [
      EmergencyProfile(
        country: "GB", callNumber: "999", textNumber: "999", textNeedsRegistration: true),
      EmergencyProfile(
        country: "IE", callNumber: "112", textNumber: "112", textNeedsRegistration: false),
    ]
    + [
      ("NO", "112"), ("SE", "112"), ("DK", "112"), ("FI", "112"), ("IS", "112"), ("DE", "112"),
      ("FR", "112"), ("NL", "112"), ("BE", "112"), ("LU", "112"), ("AT", "112"), ("CH", "112"),
      ("IT", "112"), ("ES", "112"), ("PT", "112"), ("GR", "112"), ("PL", "112"), ("CZ", "112"),
      ("US", "911"), ("CA", "911"), ("AU", "000"), ("NZ", "111"), ("CN", "120"),
    ].map {
      EmergencyProfile(
        country: $0.0, callNumber: $0.1, textNumber: nil, textNeedsRegistration: false)
    }
}
