import Bytes
import Care
import Moments
import Texts

/// What the emergency services are told: who, what and where.
struct EmergencyText {
  /// The resident's name.
  var name: String
  /// Who it is about and what to know, as it was agreed.
  var terms: String
  /// Where the resident was last; nil where nobody knows.
  var position: KnownPosition?
  var language: Language

  /// The words; in a text the position is `key=value` pairs named as in Advanced Mobile Location, in a call words.
  ///
  /// - Source: ETSI TS 103 625, field set `lt lg rd top lc pm`.
  func text(_ mode: EmergencyContact.Mode, at now: Moment) -> String {
    let start = gettext("{name} needs help. {terms}", ["name": name, "terms": terms], in: language)
    guard let position else {
      return "\(start) \(gettext("Position unknown.", in: language))"
    }
    let place = position.coordinate
    let age = MessageFacts.agePhrase(position.stamp.age(at: now) / 1000)
    let measured = gettext("measured {age} ago", ["age": age], in: language)
    let meters = position.accuracyMeters.flatMap { Int64(exactly: $0.rounded(.up)) }
    guard mode == .text else {
      let within =
        meters.map { gettext(", within {meters} metres", ["meters": $0], in: language) } ?? ""
      return gettext(
        "{start} Position: latitude {latitude}, longitude {longitude}{within}, {measured}.",
        [
          "start": start, "latitude": decimals(place.latitudeDegrees),
          "longitude": decimals(place.longitudeDegrees), "within": within, "measured": measured,
        ], in: language)
    }
    // Names and numbers as machines read them, in every language.
    var text =
      "\(start) Position: lt=\(signed(place.latitudeDegrees)) lg=\(signed(place.longitudeDegrees))"
    if let meters { text += " rd=\(meters)" }
    if position.stamp.quality.isTrusted, !position.stamp.isEstimated {
      text += " top=\(Self.compact(position.stamp.utc))"
    }
    return text + " lc=68 pm=G, \(measured)."
  }

  private func signed(_ degrees: Double) -> String {
    (degrees < 0 ? "" : "+") + decimals(degrees)
  }

  /// UTC as `YYYYMMDDhhmmss`.
  private static func compact(_ utc: Timestamp) -> String {
    String(utc.iso8601.prefix(19).filter(\.isNumber))
  }
}
