public import Care
import Moments
import Texts

/// Finds out who speaks: only a guardian can take charge, and who it is follows from the way that the request came.
///
/// A plugin's person is found by the entry that the owner made: the guardian's id, number or address. Whoever is not found
/// is nobody's guardian, whatever name a message bears. Who keeps this machine says for whom they speak.
extension AlarmEngine {
  /// Refuses what a principal may never do, whatever is open.
  public func requireStanding(
    for request: AlarmRequest, _ principal: Principal
  ) throws(CommandReply.Refusal) {
    switch request {
    case .acknowledge(_, let by): _ = try speakers(by, principal)
    case .resolve(_, let by, _) where !isOwnWord(by, principal): _ = try speakers(by, principal)
    case .resolve, .raise, .cancel, .silence, .photograph, .test, .setPIN, .prepareEmergency,
      .confirmEmergency, .disableEmergency, .contactEmergency:
      return
    }
  }

  /// The name of a guardian whom somebody speaks for, as people know them.
  public func nameOfGuardian(_ by: String) -> String { matches(by).first?.name ?? by }

  /// Whether the gateway itself speaks, and for nobody.
  func isOwnWord(_ by: String?, _ principal: Principal) -> Bool {
    principal.channel == .gateway && (by ?? "").isEmpty
  }

  /// The guardian entries of who asks; one person may be guardian of several residents.
  func speakers(
    _ by: String?, _ principal: Principal
  ) throws(CommandReply.Refusal) -> [Guardian] {
    let by = by.map { String($0.prefix(200)) } ?? ""
    switch principal.channel {
    case .plugin: return try known(principal, by)
    case .local, .gateway:
      guard !by.isEmpty else {
        throw CommandReply.Refusal(
          .invalid, Message("Say who takes charge: name a guardian by id or phone number (--by)."))
      }
      let named = matches(by)
      guard !named.isEmpty else { throw stranger(by) }
      return named
    }
  }

  private func known(
    _ principal: Principal, _ by: String
  ) throws(CommandReply.Refusal) -> [Guardian] {
    let person = person(behind: principal) ?? principal.name
    let known = matches(person)
    guard !known.isEmpty else { throw stranger(person) }
    let named = matches(by)
    guard by.isEmpty || known.contains(where: { mine in named.contains { $0.id == mine.id } })
    else {
      throw CommandReply.Refusal(
        .forbidden,
        Message("{person} cannot answer in the name of {by}.", ["person": person, "by": by]))
    }
    return known
  }

  private func stranger(_ name: String) -> CommandReply.Refusal {
    if house.residents[ResidentID(name)] != nil {
      return CommandReply.Refusal(
        .forbidden,
        Message(
          "{name} is the person who may need help; a guardian or caregiver has to take charge.",
          ["name": name]))
    }
    return CommandReply.Refusal(
      .forbidden,
      Message("{name} is no guardian; add them first: homeward guardians add.", ["name": name]))
  }

  /// Who stands behind a plugin's principal, as in `sms-modem/+4791234567`.
  private func person(behind principal: Principal) -> String? {
    guard principal.channel == .plugin, let slash = principal.name.firstIndex(of: "/") else {
      return nil
    }
    let person = principal.name[principal.name.index(after: slash)...]
    return person.isEmpty ? nil : String(person)
  }

  private func matches(_ name: String) -> [Guardian] {
    let number = digits(name)
    let address = name.lowercased()
    return house.guardians.filter { guardian in
      guardian.id.rawValue == name
        || number != nil && guardian.phone.flatMap { digits($0) } == number
        || guardian.email.map { $0.lowercased() == address } ?? false
    }
  }

  /// The digits of an international phone number; nil when it is none.
  private func digits(_ text: String) -> String? {
    var found = ""
    for character in text.utf8 {
      switch character {
      case 0x30...0x39: found.append(Character(Unicode.Scalar(character)))
      case UInt8(ascii: "+") where found.isEmpty: continue
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "("), UInt8(ascii: ")"): continue
      default: return nil
      }
    }
    if found.hasPrefix("00") { found.removeFirst(2) }
    return found.utf8.count >= 6 ? found : nil
  }

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
    let place = state.alarms.firstIndex { $0.id.rawValue == named || $0.tag == tag }
    guard let index = place else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no alarm \"{alarm}\". Open: {tags}.",
          ["alarm": String(named.prefix(60)), "tags": openTags]))
    }
    guard concerns(speakers, state.alarms[index]) else {
      throw CommandReply.Refusal(
        .forbidden, Message("That alarm is about somebody whose guardian you are not."))
    }
    if state.alarms[index].isDuress, !mayKnow { throw isOver(state.alarms[index]) }
    return index
  }

  /// Whether a guardian answers by the plugin that carries messages to them, so that the answer is surely theirs.
  ///
  /// What a broker, or a program on this machine, says in a guardian's name may come from whoever forced the resident.
  private func answersOwnWay(_ principal: Principal) -> Bool {
    guard let person = person(behind: principal) else { return false }
    let plugin = principal.name.prefix { $0 != "/" }
    let carried = Guardian.Channel.allCases.filter { offers?[$0]?.plugin ?? "" == plugin }
    return matches(person).contains { guardian in
      carried.contains { channel in
        let isPhone = channel == .sms || channel == .voice
        return address(of: guardian.id, channel) != nil || isPhone && guardian.phone != nil
      }
    }
  }

  private func only(
    of speakers: [Guardian]?, since sent: Tick, mayKnow: Bool
  ) throws(CommandReply.Refusal) -> Int {
    let all = state.alarms.indices.filter { index in
      let alarm = state.alarms[index]
      return alarm.isDispatched && concerns(speakers, alarm) && (mayKnow || !alarm.isDuress)
    }
    let open = all.filter { state.alarms[$0].callsSince(sent) }
    guard !open.isEmpty || all.isEmpty else {
      throw CommandReply.Refusal(
        .expired,
        Message(
          "The alarm that is open came after this was sent. If you mean it, name it: {tags}.",
          ["tags": all.map { state.alarms[$0].tag }.joined(separator: ", ")]))
    }
    // A test, or a part that needs care, never stands in the way of an answer to the real thing.
    let real = open.filter { state.alarms[$0].kind.isAboutAPerson }
    let candidates = real.isEmpty ? open : real
    if candidates.count > 1 {
      let tags = candidates.map { state.alarms[$0].tag }.joined(separator: ", ")
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
    known(state.alarms.filter { $0.isDispatched && !$0.isDuress }.map(\.tag))
  }
}
