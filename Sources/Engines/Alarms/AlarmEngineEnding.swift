import Care
import JSON
import Moments
import Texts

/// How somebody takes charge, and how alarms end.
extension AlarmEngine {
  private var finder: AlarmFinder {
    AlarmFinder(alarms: state.alarms, house: house, carriers: carriers)
  }

  // MARK: Taking charge

  mutating func acknowledge(
    _ named: String?, _ by: String?, _ asker: Asker, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let speakers = try house.guardians(speakingAs: asker.principal, by: by)
    let index = try finder.meant(named, by: speakers, asker)
    let alarm = state.alarms[index]
    let helper = speakers.first { alarm.resident == nil || $0.resident == alarm.resident }
    guard let helper, helper.id.rawValue != alarm.resident?.rawValue else {
      throw CommandReply.Refusal(
        .forbidden, Message("The person who needs help cannot take charge; a guardian has to."))
    }
    state.ways.learn(
      fromAnswerOf: helper.id, asker.principal, to: alarm, by: carriers, in: house, at: step.now)
    switch alarm.stage {
    case .prealarm:
      throw CommandReply.Refusal(
        .conflict,
        Message("The pre-alarm is still on and nobody was called yet; answer when it is over."))
    case .resolved, .cancelled: throw .isOver(alarm)
    case .dispatched, .acknowledged:
      state.alarms[index].acknowledge(helper, by: asker.principal, &step)
    }
    let names = state.alarms[index].acknowledgedBy.map { JSONValue.string($0.rawValue) }
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag), "stage": "acknowledged",
      "acknowledgedBy": .array(names),
    ]
  }

  // MARK: Cancelling

  mutating func cancel(
    _ id: ResidentID, _ message: String?, _ proof: Command.PINProof?, by asker: Asker,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    if let message, !(1...100).contains(message.count) {
      throw CommandReply.Refusal(
        .invalid, Message("The message must have 1 through 100 characters."))
    }
    // The resident's true PIN, given when they are free, ends what only looks over.
    let forced = proof.verdict == .correct ? state.forcedSOS(id, asker.sent) : nil
    let own = state.openSOS(id, asker.sent) ?? forced
    guard let index = own ?? state.somebodysSOS(asker.sent) else { throw nothingToCancel(id) }
    let alarm = state.alarms[index]
    let closing = message.map(Closing.words) ?? .allRight
    switch proof.verdict {
    // Wrong was counted already: this one is once too often.
    case .duress, .wrong:
      state.alarms[index].endUnderDuress(
        closing, by: carriers, at: state.position(of: index), &step)
    case .correct: state.alarms[index].endByResident(closing, &step)
    case .notSet where alarm.stage == .prealarm:
      state.alarms[index].endByResident(closing, &step)
    case .notSet:
      let caregiver = try caregiver(id, asker.principal)
      state.alarms[index].end(as: .resolved, closing, by: caregiver.id.rawValue, &step)
    }
    // Nothing in the answer tells duress from the real thing.
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "stage": alarm.stage == .prealarm ? "cancelled" : "resolved",
    ]
  }

  private func nothingToCancel(_ id: ResidentID) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .conflict,
      Message("No SOS of {name} is open; there is nothing to cancel.", ["name": house.name(of: id)])
    )
  }

  /// Without a PIN only the profile's rule ends an SOS: in the dementia profile a caregiver, in person.
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
    guard hasPIN(id) else {
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

  mutating func resolve(
    _ named: String?, _ by: String?, _ reason: String, _ asker: Asker, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard (1...500).contains(reason.count), reason.contains(where: { !$0.isWhitespace }) else {
      throw CommandReply.Refusal(
        .invalid, Message("Say why the alarm is over, in 1 through 500 characters (--reason)."))
    }
    let isOwn = asker.principal.isItsOwnWord(by: by)
    let speakers = isOwn ? nil : try house.guardians(speakingAs: asker.principal, by: by)
    let index = try finder.meant(named, by: speakers, asker)
    let alarm = state.alarms[index]
    guard alarm.isOpen else { throw .isOver(alarm) }
    let caregiver = speakers?.first {
      $0.isCaregiver && (alarm.resident == nil || $0.resident == alarm.resident)
        && $0.id.rawValue != alarm.resident?.rawValue
    }
    guard isOwn || caregiver != nil else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "Only a caregiver can end the alarm; take charge instead, or make the guardian a caregiver."
        )
      )
    }
    try requirePIN(alarm)
    let who = isOwn ? "Homeward" : caregiver?.name ?? ""
    state.alarms[index].end(
      as: .resolved, .words("\(who): \(reason)"), by: caregiver?.id.rawValue ?? "gateway",
      &step)
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag), "stage": "resolved",
    ]
  }

  /// In the profile `protego` an SOS is the resident's own: where they have a PIN, nothing else ends it.
  private func requirePIN(_ alarm: LiveAlarm) throws(CommandReply.Refusal) {
    guard alarm.kind == .sos, let id = alarm.resident,
      house.alarmSettings(of: id).profile == "protego",
      hasPIN(id)
    else { return }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "Only the PIN of {name} ends this SOS: homeward sos cancel --pin. You can take charge of it.",
        ["name": house.name(of: id)]))
  }

  private func hasPIN(_ id: ResidentID) -> Bool {
    state.care[id]?.pins[PINKind.okay.rawValue] != nil
  }

  // MARK: PINs

  mutating func setPIN(
    _ id: ResidentID, _ kind: PINKind, _ proof: Command.PINProof?, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    var hash: String?
    switch proof {
    case .hash(let text):
      guard (1...200).contains(text.utf8.count) else {
        throw CommandReply.Refusal(.notNow, Message("The PIN could not be stored; try again."))
      }
      hash = text
    case .verdict:
      throw CommandReply.Refusal(.invalid, Message("Give the new PIN, or none to remove it."))
    case nil: break
    }
    state.care[id, default: CareState()].pins[kind.rawValue] = hash
    step.outcome.reply = ["kind": .string(kind.rawValue), "isSet": .bool(hash != nil)]
  }
}
