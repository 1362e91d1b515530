import Care
import Moments
import Texts

/// Who is told of an alarm, by which ways.
struct AlarmAudience {
  private let alarm: LiveAlarm
  private let house: House
  private let carriers: Carriers

  init(of alarm: LiveAlarm, in house: House, by carriers: Carriers) {
    self.alarm = alarm
    self.house = house
    self.carriers = carriers
  }

  /// A message for every guardian of the tiers reached by every channel of the alarm's priority.
  func messages(at now: Moment) -> [GuardianMessage] {
    var addresses: Set<String> = []
    var planned: [GuardianMessage] = []
    for guardian in house.guardians(reachedBy: alarm) {
      for channel in channels(to: guardian) {
        // One person may be guardian of several residents; the gateway's own alarms reach them once.
        let address = "\(channel.rawValue) \(address(of: guardian, channel) ?? "")"
        guard addresses.insert(address).inserted || alarm.resident != nil else { continue }
        planned.append(GuardianMessage(alarm.notice, guardian.id, channel, at: now))
      }
    }
    return planned
  }

  private func channels(to guardian: Guardian) -> [Guardian.Channel] {
    let channels = Guardian.Channel.allCases.filter { address(of: guardian, $0) != nil }
    // A call wakes people: below the highest priority it is the last resort.
    guard house.rule(of: alarm).priority != .high else { return channels }
    let quiet = channels.filter { $0 != .voice }
    return quiet.contains { carriers.carry($0) }
      || !channels.contains { carriers.carry($0) } && !quiet.isEmpty
      ? quiet : channels
  }

  private func address(of guardian: Guardian, _ channel: Guardian.Channel) -> String? {
    house.address(of: GuardianWay(guardian: guardian.id, channel: channel))
  }

  // MARK: Words

  /// Who is being told, or that nobody can be.
  var words: Message {
    let told = house.guardians(reachedBy: alarm)
    let reached = told.filter { carriers.reach($0) }
    let names = (reached.isEmpty ? told : reached).map { house.shownName($0.id) }.joined(
      separator: ", ")
    if told.isEmpty {
      return Message("There is no guardian to tell. Add one: homeward guardians add.")
    }
    return reached.isEmpty
      ? Message(
        "Nobody can be told: no plugin reaches {names}. Call somebody yourself.", ["names": names])
      : Message("Being told: {names}.", ["names": names])
  }

  /// Who is told as well, now that the next tier is reached.
  ///
  /// - Parameter hadNoWay: whether none of those before can be told.
  func nextWords(hadNoWay: Bool) -> Message {
    let next = house.guardians(toldOf: alarm.resident).filter { Int64($0.tier) == alarm.tier }
    let names = next.map { house.shownName($0.id) }
    let values: Message.Values = ["names": names.joined(separator: ", ")]
    return hadNoWay
      ? Message("None of those before can be told. Being told as well: {names}.", values)
      : Message("Nobody took charge in time. Being told as well: {names}.", values)
  }
}
