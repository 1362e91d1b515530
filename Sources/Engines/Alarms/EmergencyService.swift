import Bytes
import Care
import Moments
import Texts

/// The emergency services of a resident, as terms let them be contacted.
struct EmergencyService {
  private let resident: ResidentID
  private let house: House
  private let profile: EmergencyProfile
  /// What is agreed.
  let terms: EmergencySetup.Terms

  /// The services that terms are about which are to be agreed.
  ///
  /// - Throws: a refusal where the terms cannot be offered.
  init(
    agreeing terms: EmergencySetup.Terms, of resident: ResidentID, _ step: Step
  ) throws(CommandReply.Refusal) {
    let house = step.house
    guard let profile = EmergencyProfile.of(terms.profile) else {
      let countries = EmergencyProfile.all.map(\.country).sorted().joined(separator: ", ")
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "No emergency profile is known for \"{profile}\". Known: {countries}.",
          ["profile": terms.profile.prefix(20), "countries": countries]))
    }
    guard (1...160).contains(terms.text.count) else {
      throw CommandReply.Refusal(
        .invalid, Message("Say who it is about and what to know, in 1 through 160 characters."))
    }
    if let date = terms.registered { try Self.checkRegistration(date, at: step.now) }
    guard house.hasWay(toldOf: resident) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("Add a guardian first: the emergency services are never contacted alone."))
    }
    let agreed = EmergencySetup.Terms(
      profile: profile.country, registered: terms.registered, text: terms.text)
    if agreed.textNumber(profile) == nil { try house.requireConsent(.calls, of: resident) }
    self.resident = resident
    self.house = house
    self.profile = profile
    self.terms = agreed
  }

  /// The services that were agreed on.
  ///
  /// - Throws: a refusal where nothing is confirmed.
  init(
    _ setup: EmergencySetup?, of resident: ResidentID, in house: House
  ) throws(CommandReply.Refusal) {
    guard let terms = setup?.confirmed, let profile = EmergencyProfile.of(terms.profile) else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "Contact with the emergency services is not set up. Call them yourself if it is urgent."))
    }
    self.resident = resident
    self.house = house
    self.profile = profile
    self.terms = terms
  }

  private static func checkRegistration(
    _ date: String, at now: Moment
  ) throws(CommandReply.Refusal) {
    let parsed = date.utf8.count == 10 ? try? Timestamp(iso8601: date + "T00:00:00Z") : nil
    guard let parsed else {
      throw CommandReply.Refusal(
        .invalid, Message("The date of registration must be as 2026-11-20."))
    }
    guard now.quality.isTrusted else { return }
    // A day's grace: the date is the resident's, the clock is UTC.
    guard parsed <= now.utc.advanced(byMilliseconds: 86_400_000) else {
      throw CommandReply.Refusal(.invalid, Message("The date of registration lies in the future."))
    }
  }

  /// What a confirmation of the terms allows, for whoever is to confirm them.
  var meaning: String {
    let call = profile.callNumber
    let ways: Message
    if let number = terms.textNumber(profile), house.isRefused(.calls, by: resident) {
      ways = Message("text {number}, and never call", ["number": number])
    } else if let number = terms.textNumber(profile) {
      ways = Message("text {number} and call {callNumber}", ["number": number, "callNumber": call])
    } else if profile.textNumber != nil {
      ways = Message(
        "call {callNumber}, and text only once the phone is registered", ["callNumber": call])
    } else {
      ways = Message(
        "call {callNumber}; texts are not known to be taken in {country}",
        ["callNumber": call, "country": profile.country])
    }
    return gettext(
      "With this code Homeward may, when asked to, {ways} for {name}, with the exact position. "
        + "A guardian is told at the same time. Tests never do it. Misuse is an offence.",
      ["ways": ways, "name": house.name(of: resident)], in: house.alarmLanguage(of: resident))
  }

  // MARK: Contact

  /// The number for a text or a call.
  ///
  /// - Throws: a refusal where there is none, or the resident refused calls: whoever asked for one can still call, and
  ///   texts go out.
  func number(_ mode: EmergencyContact.Mode) throws(CommandReply.Refusal) -> String {
    if mode == .call { try requireCalls() }
    let number = mode == .call ? profile.callNumber : terms.textNumber(profile)
    guard let number else {
      throw CommandReply.Refusal(
        .conflict,
        Message("The emergency services do not take texts from this phone; make a call instead."))
    }
    return number
  }

  private func requireCalls() throws(CommandReply.Refusal) {
    guard let answer = house.consent(.calls, of: resident), !answer.isGranted else { return }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "If it is urgent, call {number} yourself: {who} refused calls by the gateway on {date}. "
          + "Ask again; when the answer is yes: homeward consent grant calls",
        ["number": profile.callNumber, "who": answer.by, "date": answer.at.iso8601.prefix(10)]))
  }

  /// What is asked of whoever reaches them.
  func contact(
    _ call: EmergencyCall, at position: KnownPosition?, _ now: Moment
  ) -> EmergencyContact {
    let words = EmergencyText(
      name: house.name(of: resident), terms: terms.text, position: position,
      language: house.alarmLanguage(of: resident))
    return EmergencyContact(
      id: call.id, resident: resident, mode: call.mode, number: call.number,
      text: words.text(call.mode, at: now))
  }
}
