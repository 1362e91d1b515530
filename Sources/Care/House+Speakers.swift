public import Texts

/// Who speaks where only a guardian is listened to.
///
/// A plugin's person is found by the entry that the owner made: the guardian's id, number or address. Whoever is not found
/// is nobody's guardian, whatever name a message bears. Who keeps this machine says for whom they speak.
extension House {
  /// The guardian entries of who asks; one person may be guardian of several residents.
  ///
  /// - Parameter by: the guardian that the request names. A keeper of this machine has to name one; a plugin's person may, but no
  ///   one else's.
  /// - Throws: a refusal, unless who asks is a guardian or speaks for one.
  public func guardians(
    speakingAs principal: Principal, by: String?
  ) throws(CommandReply.Refusal) -> [Guardian] {
    let by = by.map { String($0.prefix(200)) } ?? ""
    switch principal.channel {
    case .plugin: return try guardians(behind: principal, by)
    case .local, .gateway:
      guard !by.isEmpty else {
        throw CommandReply.Refusal(
          .invalid, Message("Say who takes charge: name a guardian by id or phone number (--by)."))
      }
      let named = guardians(knownAs: by)
      guard !named.isEmpty else { throw stranger(by) }
      return named
    }
  }

  private func guardians(
    behind principal: Principal, _ by: String
  ) throws(CommandReply.Refusal) -> [Guardian] {
    let person = principal.person ?? principal.name
    let known = guardians(knownAs: person)
    guard !known.isEmpty else { throw stranger(person) }
    let named = guardians(knownAs: by)
    guard by.isEmpty || known.contains(where: { mine in named.contains { $0.id == mine.id } })
    else {
      throw CommandReply.Refusal(
        .forbidden,
        Message("{person} cannot answer in the name of {by}.", ["person": person, "by": by]))
    }
    return known
  }

  private func stranger(_ name: String) -> CommandReply.Refusal {
    if residents[ResidentID(name)] != nil {
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

  // MARK: Names

  /// Guardians whom a name, number or address stands for; one person may be guardian of several residents.
  ///
  /// - Parameter name: a guardian's id, phone number as people write it, or e-mail address.
  public func guardians(knownAs name: String) -> [Guardian] {
    let number = Self.digits(name)
    let address = name.lowercased()
    return guardians.filter { guardian in
      guardian.id.rawValue == name
        || number != nil && guardian.phone.flatMap { Self.digits($0) } == number
        || guardian.email.map { $0.lowercased() == address } ?? false
    }
  }

  /// Who asks, as people know them: by the name of their account, a guardian's, or that of a user of this machine.
  ///
  /// - Parameter account: the name of the account that asks; nil for none.
  public func speaker(_ principal: Principal, account: String?) -> Message {
    if let account { return Message(verbatim: account) }
    switch principal.channel {
    case .local: return Message("{user} at the gateway", ["user": principal.name])
    case .gateway: return Message("The gateway")
    case .plugin:
      let name = nameOfGuardian(
        knownAs: String((principal.person ?? principal.name).prefix(200)))
      return Message(verbatim: "\(name) (\(principal.plugin ?? ""))")
    }
  }

  /// The name of a guardian whom somebody speaks for, as people know them.
  public func nameOfGuardian(knownAs name: String) -> String {
    guardians(knownAs: name).first?.name ?? name
  }

  /// The digits of an international phone number; nil when it is none.
  private static func digits(_ text: String) -> String? {
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
}
