import Care
import Moments
import Texts

/// Finds the alarm that is meant, by who speaks of it.
struct AlarmFinder {
  let alarms: [LiveAlarm]
  let house: House
  let carriers: Carriers

  /// The alarm that somebody means: by id or tag, or the only one of theirs that called for somebody when they asked; any for
  /// the gateway itself, which is nobody.
  ///
  /// One that looks over is over to everybody but a guardian who answers by the plugin that tells them.
  func meant(
    _ named: String?, by speakers: [Guardian]?, _ asker: Asker
  ) throws(CommandReply.Refusal) -> Int {
    let mayKnow = answersOwnWay(asker.principal)
    guard let named, !named.isEmpty else {
      return try only(of: speakers, since: asker.sent, mayKnow: mayKnow)
    }
    let tag = (named.hasPrefix("#") ? String(named.dropFirst()) : named).uppercased()
    let place = alarms.firstIndex { $0.id.rawValue == named || $0.tag == tag }
    guard let index = place else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no alarm \"{alarm}\". Open: {tags}.",
          ["alarm": String(named.prefix(60)), "tags": openTags]))
    }
    guard concerns(speakers, alarms[index]) else {
      throw CommandReply.Refusal(
        .forbidden, Message("That alarm is about somebody whose guardian you are not."))
    }
    if alarms[index].isDuress, !mayKnow { throw .isOver(alarms[index]) }
    return index
  }

  /// Whether a guardian answers by the plugin that carries messages to them, so that the answer is surely theirs.
  ///
  /// What a broker, or a program on this machine, says in a guardian's name may come from whoever forced the resident.
  private func answersOwnWay(_ principal: Principal) -> Bool {
    guard let person = principal.person, let plugin = principal.plugin else { return false }
    let carried = Guardian.Channel.allCases.filter { carriers.carries(plugin, $0) }
    return house.guardians(knownAs: person).contains { guardian in
      carried.contains { channel in
        let isPhone = channel == .sms || channel == .voice
        return house.address(of: GuardianWay(guardian: guardian.id, channel: channel)) != nil
          || isPhone && guardian.phone != nil
      }
    }
  }

  private func only(
    of speakers: [Guardian]?, since sent: Tick, mayKnow: Bool
  ) throws(CommandReply.Refusal) -> Int {
    let all = alarms.indices.filter { index in
      let alarm = alarms[index]
      return alarm.isDispatched && concerns(speakers, alarm) && (mayKnow || !alarm.isDuress)
    }
    let open = all.filter { alarms[$0].callsSince(sent) }
    guard !open.isEmpty || all.isEmpty else {
      throw CommandReply.Refusal(
        .expired,
        Message(
          "The alarm that is open came after this was sent. If you mean it, name it: {tags}.",
          ["tags": all.map { alarms[$0].tag }.joined(separator: ", ")]))
    }
    // A test, or a part that needs care, never stands in the way of an answer to the real thing.
    let real = open.filter { alarms[$0].kind.isAboutAPerson }
    let candidates = real.isEmpty ? open : real
    if candidates.count > 1 {
      let tags = candidates.map { alarms[$0].tag }.joined(separator: ", ")
      throw CommandReply.Refusal(
        .conflict, Message("More than one alarm is open; say which: {tags}.", ["tags": tags]))
    }
    guard let index = candidates.first else {
      throw CommandReply.Refusal(.conflict, Message("No alarm is open; there is nothing to do."))
    }
    return index
  }

  private func concerns(_ speakers: [Guardian]?, _ alarm: LiveAlarm) -> Bool {
    guard let speakers else { return true }
    return speakers.contains { alarm.resident == nil || $0.resident == alarm.resident }
  }

  private var openTags: Message {
    let tags = alarms.filter { $0.isDispatched && !$0.isDuress }.map(\.tag)
    return tags.isEmpty
      ? Message("none") : Message(verbatim: tags.sorted().joined(separator: ", "))
  }
}

extension CommandReply.Refusal {
  /// That an alarm is over already.
  static func isOver(_ alarm: LiveAlarm) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .conflict,
      Message("The alarm {tag} is over already; nothing is to be done.", ["tag": alarm.tag]))
  }
}
