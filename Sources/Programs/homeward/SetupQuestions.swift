import Care
import CivilTime
import JSON
import PhoneNumbers
import Texts

/// What set-up asks about people; what is known already is offered, and stays when it is answered with Enter.
struct SetupQuestions {
  let dialogue: SetupDialogue
  let known: SetupKnown
  /// What the configuration is now.
  let present: DaemonProgram.Judgement

  private static let radiusMeters = 5.0...2000.0
  private static let none = "none"

  func ask(position: Coordinate?) throws(CommandFailure) -> SetupAnswers {
    let resident = try askResident()
    let language = try askLanguage(of: resident)
    let home = try askHome(of: resident, position: position)
    let guardian = try askGuardian(of: resident)
    return SetupAnswers(resident: resident, language: language, home: home, guardian: guardian)
  }

  /// The home after the answers: the new one, or the one that stays.
  func home(of answers: SetupAnswers) -> SafeZone? {
    answers.home ?? known.home(of: answers.resident.id)
  }

  private func askResident() throws(CommandFailure) -> Resident {
    let only = known.residents.count == 1 ? known.residents.first?.name : nil
    let name = try dialogue.required(
      "name", gettext("Who is looked after (name)?"), default: dialogue.isAsking ? only : nil)
    let same = known.residents.first { $0.name == name }
    let zone = try dialogue.checked(
      "time-zone", gettext("Time zone?"),
      default: same?.timeZone ?? dialogue.session.times.zone.name
    ) { TimeZoneText.fault($0) }
    let source =
      dialogue.session.arguments.option("gps").map { SourceID($0) } ?? same?.gpsSource
      ?? present.receivers.first.map { SourceID($0.name) }
    let taken = known.residents.map(\.id.rawValue)
    return Resident(
      id: same?.id ?? ResidentID(Slug.make(from: name, besides: taken)), name: name, timeZone: zone,
      gpsSource: source)
  }

  private func askLanguage(of resident: Resident) throws(CommandFailure) -> String? {
    let present = known.languages[resident.id]
    let chosen = try dialogue.checked(
      "language", gettext("Language of reminders and messages (en or zh)?"),
      default: present ?? SpokenLanguage.current.rawValue
    ) { Language(rawValue: $0) == nil ? gettext("write en or zh.") : nil }
    return chosen == present ? nil : chosen
  }

  /// The new home; nil where there is none yet, or nothing about it changes.
  private func askHome(
    of resident: Resident, position: Coordinate?
  ) throws(CommandFailure) -> SafeZone? {
    let old = known.home(of: resident.id)
    let present = old.map { NumberText.place($0.center) }
    let offered = present ?? (dialogue.isAsking ? position.map(NumberText.place) : nil)
    let place = try dialogue.checked(
      "home", gettext("Where is the home (LAT,LON, or none for later)?"),
      default: offered ?? Self.none
    ) { $0 == Self.none ? nil : NumberText.placeFault($0) }
    guard place != Self.none else { return nil }
    let presentRadius = old.map { NumberText.short($0.radiusMeters) }
    let radius = try dialogue.checked(
      "radius", gettext("Radius of the home, in metres or such as 82ft?"),
      default: presentRadius ?? "25"
    ) { text in
      if text == presentRadius { return nil }
      return NumberText.length(text).map { Self.radiusMeters.contains($0) } ?? false
        ? nil : gettext("write a number from 5 to 2000.")
    }
    if old != nil, place == present, radius == presentRadius { return nil }
    let center = try NumberText.coordinate(place, option: "home")
    var home =
      old
      ?? SafeZone(
        id: ZoneID(Slug.make(from: "home", besides: known.zones.map(\.id.rawValue))),
        resident: resident.id, name: gettext("Home"), center: center, radiusMeters: 25, isHome: true
      )
    home.area = .circle(
      center: place == present ? home.center : center,
      radiusMeters: radius == presentRadius
        ? home.radiusMeters : try NumberText.length(radius, option: "radius"))
    return home
  }

  /// A new guardian; nil for none.
  private func askGuardian(of resident: Resident) throws(CommandFailure) -> Guardian? {
    let present = known.guardians.filter { $0.resident == resident.id }
    let names = present.map { TextWidth.printable($0.name) }.joined(separator: ", ")
    let question =
      present.isEmpty
      ? gettext("Who is told in an emergency (name of a guardian, or none for later)?")
      : gettext("{names} is told in an emergency. Who else (name, or none)?", ["names": names])
    let name = try dialogue.checked("guardian", question, default: Self.none) { _ in nil }
    guard name != Self.none else { return nil }
    let arguments = dialogue.session.arguments
    var (phone, email) = (Self.none, Self.none)
    repeat {
      phone = try dialogue.checked(
        "guardian-phone",
        gettext("Telephone of {name}, with + and country code (or none)?", ["name": name]),
        default: Self.none
      ) { $0 == Self.none ? nil : Self.phoneFault($0) }
      email = try dialogue.checked(
        "guardian-email", gettext("E-mail address of {name} (or none)?", ["name": name]),
        default: Self.none
      ) { $0 == Self.none || $0.contains("@") ? nil : gettext("write it as in anna@example.org.") }
      guard phone == Self.none, email == Self.none else { break }
      let sentence = gettext(
        "{name} cannot be reached without a telephone number or an e-mail address.", ["name": name])
      guard dialogue.isAsking, arguments.option("guardian") == nil else {
        throw .usage(sentence, SetupCommand.specification)
      }
      dialogue.say(sentence)
    } while true
    let number = try? PhoneNumber(validating: phone, country: "")
    return Guardian(
      id: GuardianID(Slug.make(from: name, besides: known.guardians.map(\.id.rawValue))),
      resident: resident.id, name: name, phone: number?.e164,
      email: email == Self.none ? nil : email, isCaregiver: true)
  }

  private static func phoneFault(_ text: String) -> String? {
    do throws(PhoneNumberFault) {
      _ = try PhoneNumber(validating: text, country: "")
      return nil
    } catch { return error.message.spoken }
  }

  /// Whether the room has a loudspeaker; nil where that stays as it is.
  func askSound() throws(CommandFailure) -> Bool? {
    let present = present.hasSound ?? true
    let word = try dialogue.checked(
      "sound", gettext("Is there a loudspeaker in the room (yes or no)?"),
      default: present ? "yes" : "no"
    ) { Self.truth($0) == nil ? gettext("write yes or no.") : nil }
    guard let wanted = Self.truth(word), wanted != present else { return nil }
    return wanted
  }

  static func truth(_ word: String) -> Bool? {
    ["yes": true, "y": true, "on": true, "no": false, "n": false, "off": false][word.lowercased()]
  }
}

/// What is known already: to the daemon, or left for its next start by an earlier set-up.
struct SetupKnown {
  var residents: [Resident] = []
  var zones: [SafeZone] = []
  var guardians: [Guardian] = []
  var languages: [ResidentID: String] = [:]

  func home(of resident: ResidentID) -> SafeZone? {
    zones.first { $0.resident == resident && $0.isHome }
  }

  /// Takes what a command will bring about; other commands leave it as it is.
  mutating func note(_ request: Command.Request) {
    switch request {
    case .putResident(let resident):
      residents.removeAll { $0.id == resident.id }
      residents.append(resident)
    case .putZone(let zone):
      zones.removeAll { $0.id == zone.id }
      zones.append(zone)
    case .putGuardian(let guardian):
      guardians.removeAll { $0.id == guardian.id }
      guardians.append(guardian)
    case .putSetting(let resident, "language", let content):
      languages[resident] = content.stringContent
    default: break
    }
  }
}
