import Care
import Texts

/// Who may take charge of an alarm, and who may end it.
struct EndingRights {
  /// How an alarm ends that a resident calls off.
  enum Cancelling {
    /// It only looks over.
    case underDuress
    case byResident
    case byCaregiver(Guardian)
  }

  private let alarm: LiveAlarm
  private let house: House
  /// Whether the resident has a PIN that says that they are all right.
  private let hasPIN: Bool

  init(_ alarm: LiveAlarm, in house: House, hasPIN: Bool) {
    self.alarm = alarm
    self.house = house
    self.hasPIN = hasPIN
  }

  private func isAbout(_ guardian: Guardian) -> Bool {
    alarm.resident == nil || guardian.resident == alarm.resident
  }

  private func needsHelp(_ guardian: Guardian) -> Bool {
    guardian.id.rawValue == alarm.resident?.rawValue
  }

  // MARK: Taking charge

  /// Who takes charge, of those who speak.
  ///
  /// - Throws: a refusal where none of them can, or nobody is called for.
  func helper(of speakers: [Guardian]) throws(CommandReply.Refusal) -> Guardian {
    guard let helper = speakers.first(where: isAbout), !needsHelp(helper) else {
      throw CommandReply.Refusal(
        .forbidden, Message("The person who needs help cannot take charge; a guardian has to."))
    }
    switch alarm.stage {
    case .prealarm:
      throw CommandReply.Refusal(
        .conflict,
        Message("The pre-alarm is still on and nobody was called yet; answer when it is over."))
    case .resolved, .cancelled: throw .isOver(alarm)
    case .dispatched, .acknowledged: return helper
    }
  }

  // MARK: Cancelling

  /// How it ends when it is called off for a resident; without a PIN only before guardians are told, or by the profile's
  /// rule: in the dementia profile a caregiver, in person.
  func cancelling(
    _ id: ResidentID, _ verdict: PINVerdict, by principal: Principal
  ) throws(CommandReply.Refusal) -> Cancelling {
    switch verdict {
    // Wrong was counted already: this one is once too often.
    case .duress, .wrong: .underDuress
    case .correct: .byResident
    case .notSet where alarm.stage == .prealarm: .byResident
    case .notSet: .byCaregiver(try caregiver(id, principal))
    }
  }

  private func caregiver(
    _ id: ResidentID, _ principal: Principal
  ) throws(CommandReply.Refusal) -> Guardian {
    let isDementia = house.alarmSettings(of: id).profile == "dementia"
    let speakers = (try? house.guardians(speakingAs: principal, by: nil)) ?? []
    if isDementia, let found = speakers.first(where: { $0.resident == id && $0.isCaregiver }) {
      return found
    }
    throw CommandReply.Refusal(.forbidden, endings(of: id, isDementia: isDementia))
  }

  /// What ends an SOS once guardians have been told.
  private func endings(of id: ResidentID, isDementia: Bool) -> Message {
    let name: Message.Values = ["name": house.name(of: id)]
    guard hasPIN else {
      return Message(
        "Guardians have been told. A caregiver ends the alarm: "
          + "homeward sos resolve --by NAME --reason TEXT.")
    }
    return isDementia
      ? Message(
        "Guardians have been told. The PIN of {name} ends the alarm: homeward sos cancel --pin. "
          + "So does a caregiver: homeward sos resolve --by NAME --reason TEXT.", name)
      : Message(
        "Guardians have been told. Enter the PIN to say that {name} is all right: "
          + "homeward sos cancel --pin.", name)
  }

  // MARK: Resolving

  /// Who ends it, of those who speak; nil for the gateway itself, which may.
  ///
  /// In the profile `protego` an SOS is the resident's own: where they have a PIN, nothing else ends it.
  func resolver(of speakers: [Guardian]?) throws(CommandReply.Refusal) -> Guardian? {
    guard alarm.isOpen else { throw .isOver(alarm) }
    let caregiver = speakers?.first { $0.isCaregiver && isAbout($0) && !needsHelp($0) }
    guard speakers == nil || caregiver != nil else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "Only a caregiver can end the alarm; take charge instead, or make the guardian a caregiver."
        )
      )
    }
    try requireNoPIN()
    return caregiver
  }

  private func requireNoPIN() throws(CommandReply.Refusal) {
    guard alarm.kind == .sos, let id = alarm.resident,
      house.alarmSettings(of: id).profile == "protego", hasPIN
    else { return }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "Only the PIN of {name} ends this SOS: homeward sos cancel --pin. You can take charge of it.",
        ["name": house.name(of: id)]))
  }
}

extension Command.PINProof? {
  /// What became of a PIN; `notSet` where none was given.
  var verdict: PINVerdict {
    guard case .verdict(let verdict) = self else { return .notSet }
    return verdict
  }

  /// The hash of a new PIN; nil to remove it.
  ///
  /// - Throws: a refusal where there is no such thing.
  func newHash() throws(CommandReply.Refusal) -> String? {
    switch self {
    case .hash(let text):
      guard (1...200).contains(text.utf8.count) else {
        throw CommandReply.Refusal(.notNow, Message("The PIN could not be stored; try again."))
      }
      return text
    case .verdict:
      throw CommandReply.Refusal(.invalid, Message("Give the new PIN, or none to remove it."))
    case nil: return nil
    }
  }
}
