import Care
import JSON
import Moments
import Texts

/// How somebody takes charge, and how alarms end.
extension AlarmState {
  private func rights(
    _ alarm: LiveAlarm, of resident: ResidentID?, in house: House
  ) -> EndingRights {
    EndingRights(alarm, in: house, hasPIN: hasPIN(resident))
  }

  /// Somebody takes charge of the alarm that they mean.
  ///
  /// - Parameters:
  ///   - named: its id or tag; nil for the only one that can be meant.
  ///   - by: whom the asker speaks for.
  ///   - carriers: who carries messages now.
  /// - Throws: a refusal where none is meant, or they may not.
  mutating func acknowledge(
    _ named: String?, _ by: String?, _ asker: Asker, carriers: Carriers, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let house = step.house
    let speakers = try house.guardians(speakingAs: asker.principal, by: by)
    let finder = AlarmFinder(alarms: alarms, house: house, carriers: carriers)
    let index = try finder.meant(named, by: speakers, asker)
    let alarm = alarms[index]
    let helper = try rights(alarm, of: alarm.resident, in: house).helper(of: speakers)
    ways.learn(
      fromAnswerOf: helper.id, asker.principal, to: alarm, by: carriers, in: house, at: step.now)
    alarms[index].acknowledge(helper, by: asker.principal, &step)
    let names = alarms[index].acknowledgedBy.map { JSONValue.string($0.rawValue) }
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag), "stage": "acknowledged",
      "acknowledgedBy": .array(names),
    ]
  }

  /// A resident's SOS, or one of which nobody knows whose it is, is called off.
  ///
  /// - Parameters:
  ///   - message: why, for guardians; 1 through 100 characters.
  ///   - proof: what became of the PIN that was given.
  ///   - carriers: who carries messages now.
  /// - Throws: a refusal where there is none, or more is asked for to end it.
  mutating func cancel(
    _ id: ResidentID, _ message: String?, _ proof: Command.PINProof?, by asker: Asker,
    carriers: Carriers, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    if let message, !(1...100).contains(message.count) {
      throw CommandReply.Refusal(
        .invalid, Message("The message must have 1 through 100 characters."))
    }
    // The resident's true PIN, given when they are free, ends what only looks over.
    let forced = proof.verdict == .correct ? forcedSOS(id, asker.sent) : nil
    let own = openSOS(id, asker.sent) ?? forced
    let house = step.house
    guard let index = own ?? somebodysSOS(asker.sent) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "No SOS of {name} is open; there is nothing to cancel.", ["name": house.name(of: id)]))
    }
    let alarm = alarms[index]
    let closing = message.map(Closing.words) ?? .allRight
    let rights = rights(alarm, of: id, in: house)
    switch try rights.cancelling(id, proof.verdict, by: asker.principal) {
    case .underDuress:
      alarms[index].endUnderDuress(closing, by: carriers, at: position(of: index), &step)
    case .byResident: alarms[index].endByResident(closing, &step)
    case .byCaregiver(let caregiver):
      alarms[index].end(as: .resolved, closing, by: caregiver.id.rawValue, &step)
    }
    // Nothing in the answer tells duress from the real thing.
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "stage": alarm.stage == .prealarm ? "cancelled" : "resolved",
    ]
  }

  /// A caregiver, or the gateway itself, ends the alarm that they mean.
  ///
  /// - Parameters:
  ///   - named: its id or tag; nil for the only one that can be meant.
  ///   - by: whom the asker speaks for.
  ///   - reason: why it is over; 1 through 500 characters.
  ///   - carriers: who carries messages now.
  /// - Throws: a refusal where none is meant, or they may not.
  mutating func resolve(
    _ named: String?, _ by: String?, _ reason: String, _ asker: Asker, carriers: Carriers,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard (1...500).contains(reason.count), reason.contains(where: { !$0.isWhitespace }) else {
      throw CommandReply.Refusal(
        .invalid, Message("Say why the alarm is over, in 1 through 500 characters (--reason)."))
    }
    let house = step.house
    let isOwn = asker.principal.isItsOwnWord(by: by)
    let speakers = isOwn ? nil : try house.guardians(speakingAs: asker.principal, by: by)
    let finder = AlarmFinder(alarms: alarms, house: house, carriers: carriers)
    let index = try finder.meant(named, by: speakers, asker)
    let alarm = alarms[index]
    let caregiver = try rights(alarm, of: alarm.resident, in: house).resolver(of: speakers)
    let who = isOwn ? "Homeward" : caregiver?.name ?? ""
    alarms[index].end(
      as: .resolved, .words("\(who): \(reason)"), by: caregiver?.id.rawValue ?? "gateway",
      &step)
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag), "stage": "resolved",
    ]
  }

  /// Two presses in the pre-alarm of a call for help that might be anybody's: nobody needs help.
  mutating func cancelSomebodys(_ step: inout Step) {
    guard let index = somebodysSOS(step.now.tick), alarms[index].stage == .prealarm else { return }
    alarms[index].endByResident(.allRight, &step)
  }
}
