import Care
import Moments
import Texts

/// What alarms read of a house; with no resident it is about the gateway itself.
extension House {
  /// The settings that hold for an alarm; those of the first resident for the gateway's own.
  func alarmSettings(of resident: ResidentID?) -> AlarmSettings {
    guard let id = resident ?? residents.keys.min() else { return AlarmSettings() }
    return people[id]?.alarms ?? AlarmSettings()
  }

  /// The rule of an alarm's kind.
  func rule(of alarm: LiveAlarm) -> KindRule {
    alarmSettings(of: alarm.resident).rule(alarm.kind)
  }

  /// The language of what is said about an alarm, in the room and to guardians.
  func alarmLanguage(of resident: ResidentID?) -> Language {
    Language(alarmSettings(of: resident).language)
  }

  /// The language in which one guardian is told of a resident's alarm.
  func language(of guardian: GuardianID, toldOf resident: ResidentID?) -> Language {
    let own = self.guardian(guardian)?.language.flatMap(Language.init(tag:))
    return own ?? alarmLanguage(of: resident)
  }

  /// Whether nothing may be heard of what is about a resident; of what may be about anybody, where that holds for all.
  func isSilent(about resident: ResidentID?) -> Bool {
    guard resident == nil, !residents.isEmpty else {
      return alarmSettings(of: resident).isSilent
    }
    return residents.keys.allSatisfy { alarmSettings(of: $0).isSilent }
  }

  // MARK: Time

  /// The local time of a resident, or of the house.
  func localTime(of resident: ResidentID?, in world: World) -> CivilDateTime? {
    (resident ?? residents.keys.min()).flatMap { world.localTime(of: $0) }
  }

  /// Minutes of quiet hours left for an alarm; nil outside of them and while no clock is trusted.
  func quietMinutes(of alarm: LiveAlarm, in world: World) -> Int? {
    guard alarm.kind != .sos,
      let hours = alarmSettings(of: alarm.resident).quietHours(alarm.kind),
      let local = localTime(of: alarm.resident, in: world)
    else { return nil }
    return hours.minutesLeft(at: local)
  }

  // MARK: Names

  /// The name that people know a resident by.
  func name(of resident: ResidentID?) -> String {
    guard let resident else { return "Homeward" }
    return residents[resident]?.name ?? resident.rawValue
  }

  /// The name of whom an alarm is about: of a call for help that might be anybody's, `Somebody`.
  func name(of alarm: LiveAlarm, in language: Language? = nil) -> String {
    guard alarm.isForSomebody else { return name(of: alarm.resident) }
    return gettext("Somebody", in: language ?? alarmLanguage(of: nil))
  }

  /// The name of a guardian, with the id behind it where two of a resident's have the same one.
  func shownName(_ id: GuardianID) -> String {
    guard let guardian = guardian(id) else { return id.rawValue }
    let isShared = guardians.contains {
      $0.id != id && $0.name == guardian.name && $0.resident == guardian.resident
    }
    return isShared ? "\(guardian.name) (\(id))" : guardian.name
  }

  /// The names of some guardians, as they are.
  func plainNames(_ ids: [GuardianID]) -> [String] {
    ids.map { guardian($0)?.name ?? $0.rawValue }
  }

  // MARK: Guardians

  /// The guardians who are told of a resident's alarms; all of them for the gateway's own.
  func guardians(toldOf resident: ResidentID?) -> [Guardian] {
    resident.map { guardians(of: $0) } ?? guardians
  }

  /// Those of the tiers that an alarm has reached.
  func guardians(reachedBy alarm: LiveAlarm) -> [Guardian] {
    guardians(toldOf: alarm.resident).filter { Int64($0.tier) <= alarm.tier }
  }

  /// The ways that carry a picture to those whom an alarm has reached.
  func pictureWays(of alarm: LiveAlarm) -> [GuardianWay] {
    guardians(reachedBy: alarm).flatMap { guardian -> [GuardianWay] in
      let channels = guardian.addresses.map(\.channel).filter { [.email, .push].contains($0) }
      return channels.map { GuardianWay(guardian: guardian.id, channel: $0) }
    }
  }

  /// Whether somebody has an address by which they can be told of a resident.
  func hasWay(toldOf resident: ResidentID) -> Bool {
    guardians(toldOf: resident).contains { !$0.addresses.isEmpty }
  }

  /// The tiers in which somebody can be told of an alarm, lowest first.
  func tiers(of alarm: LiveAlarm) -> [Int64] {
    var tiers: [Int64] = []
    for guardian in guardians
    where alarm.resident == nil || guardian.resident == alarm.resident {
      let tier = Int64(guardian.tier)
      if !guardian.addresses.isEmpty, !tiers.contains(tier) { tiers.append(tier) }
    }
    return tiers.sorted()
  }
}
