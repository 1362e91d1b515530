import Bytes
import Care
import JSON
import Moments
import Texts

/// Leave to contact the emergency services of a resident: none until what was agreed has been confirmed with a code.
struct EmergencySetup: Hashable, Sendable {
  /// What is agreed.
  struct Terms: Hashable, Sendable {
    /// Whose emergency services, as ``EmergencyProfile`` names them.
    var profile: String
    /// The day on which the phone was registered for texts, such as `2026-11-20`; nil where it was not.
    var registered: String?
    /// Who it is about and what to know.
    var text: String

    /// Where texts may go.
    func textNumber(_ profile: EmergencyProfile) -> String? {
      profile.textNeedsRegistration && registered == nil ? nil : profile.textNumber
    }
  }

  /// What a person has yet to confirm.
  private struct Offer: Hashable, Sendable {
    var terms: Terms
    var code: String
    var made: Stamp
    var wrongCodes: Int64 = 0
  }

  /// For so long a code counts, in seconds.
  static let codeSeconds: Int64 = 600
  private static let codeTries: Int64 = 5

  /// What was confirmed; nil while nothing is.
  private(set) var confirmed: Terms?
  private var offer: Offer?

  /// Offers terms, to be confirmed with a code.
  mutating func offer(_ terms: Terms, confirmedWith code: String, at now: Moment) {
    offer = Offer(terms: terms, code: code, made: Stamp(now))
  }

  private func valid(at now: Moment) -> Offer? {
    guard let offer, !offer.made.isEstimated, offer.made.age(at: now) < Self.codeSeconds * 1000,
      offer.wrongCodes < Self.codeTries
    else { return nil }
    return offer
  }

  /// Confirms what was offered, which it answers.
  ///
  /// - Throws: a refusal where there is no such offer any more.
  mutating func confirm(_ code: String, at now: Moment) throws(CommandReply.Refusal) -> Terms {
    guard let offer = valid(at: now), offer.code == code.uppercased() else { throw Self.noOffer }
    self = EmergencySetup()
    confirmed = offer.terms
    return offer.terms
  }

  /// Refuses a code that is not the one that was offered for a resident, and says how many tries are left.
  func refuseWrongCode(
    _ code: String, of resident: ResidentID, at now: Moment
  ) throws(CommandReply.Refusal) {
    guard let offer = valid(at: now), offer.code != code.uppercased() else { return }
    let left = Self.codeTries - offer.wrongCodes - 1
    guard left > 0 else { throw Self.noOffer.counting(.code(resident)) }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "That code is not right. {n} try is left.",
        plural: "That code is not right. {n} tries are left.", Int(left))
    ).counting(.code(resident))
  }

  mutating func countWrongCode() { offer?.wrongCodes += 1 }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    guard var made = offer?.made else { return }
    change(&made)
    offer?.made = made
  }

  /// What is said where no code counts.
  private static var noOffer: CommandReply.Refusal {
    CommandReply.Refusal(
      .expired, Message("There is no valid code; begin again: homeward emergency prepare."))
  }
}

extension EmergencySetup.Terms {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    profile = try reader.string("profile")
    registered = try reader.optionalString("registered")
    text = try reader.string("text")
  }

  var json: JSONValue {
    .object([
      "profile": .string(profile), "registered": registered.map { .string($0) },
      "text": .string(text),
    ])
  }
}

extension EmergencySetup {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let found = reader.optional("confirmed") { confirmed = try Terms(json: found) }
    guard let found = reader.optional("offer") else { return }
    let inner = try reader.object("offer")
    offer = Offer(
      terms: try Terms(json: found), code: try inner.string("code"), made: try inner.stamp("made"),
      wrongCodes: try inner.count("wrongCodes"))
  }

  var json: JSONValue {
    .object([
      "confirmed": confirmed?.json,
      "offer": offer.map { offer in
        offer.terms.json.setting("code", to: .string(offer.code))
          .setting("made", to: offer.made.json)
          .setting("wrongCodes", to: .integer(offer.wrongCodes))
      },
    ])
  }
}
