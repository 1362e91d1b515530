import Care
import JSON
import Moments
import Texts

/// How somebody takes charge, and how alarms end.
extension AlarmEngine {
  private var finder: AlarmFinder {
    AlarmFinder(alarms: state.alarms, house: house, carriers: carriers)
  }

  private func rights(_ alarm: LiveAlarm, of resident: ResidentID?) -> EndingRights {
    EndingRights(alarm, in: house, hasPIN: state.hasPIN(resident))
  }

  mutating func acknowledge(
    _ named: String?, _ by: String?, _ asker: Asker, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let speakers = try house.guardians(speakingAs: asker.principal, by: by)
    let index = try finder.meant(named, by: speakers, asker)
    let alarm = state.alarms[index]
    let helper = try rights(alarm, of: alarm.resident).helper(of: speakers)
    state.ways.learn(
      fromAnswerOf: helper.id, asker.principal, to: alarm, by: carriers, in: house, at: step.now)
    state.alarms[index].acknowledge(helper, by: asker.principal, &step)
    let names = state.alarms[index].acknowledgedBy.map { JSONValue.string($0.rawValue) }
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag), "stage": "acknowledged",
      "acknowledgedBy": .array(names),
    ]
  }

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
    guard let index = own ?? state.somebodysSOS(asker.sent) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "No SOS of {name} is open; there is nothing to cancel.", ["name": house.name(of: id)]))
    }
    let alarm = state.alarms[index]
    let closing = message.map(Closing.words) ?? .allRight
    switch try rights(alarm, of: id).cancelling(id, proof.verdict, by: asker.principal) {
    case .underDuress:
      state.alarms[index].endUnderDuress(
        closing, by: carriers, at: state.position(of: index), &step)
    case .byResident: state.alarms[index].endByResident(closing, &step)
    case .byCaregiver(let caregiver):
      state.alarms[index].end(as: .resolved, closing, by: caregiver.id.rawValue, &step)
    }
    // Nothing in the answer tells duress from the real thing.
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "stage": alarm.stage == .prealarm ? "cancelled" : "resolved",
    ]
  }

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
    let caregiver = try rights(alarm, of: alarm.resident).resolver(of: speakers)
    let who = isOwn ? "Homeward" : caregiver?.name ?? ""
    state.alarms[index].end(
      as: .resolved, .words("\(who): \(reason)"), by: caregiver?.id.rawValue ?? "gateway",
      &step)
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag), "stage": "resolved",
    ]
  }

  mutating func setPIN(
    _ id: ResidentID, _ kind: PINKind, _ proof: Command.PINProof?, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let hash = try proof.newHash()
    state.care[id, default: CareState()].pins[kind.rawValue] = hash
    step.outcome.reply = ["kind": .string(kind.rawValue), "isSet": .bool(hash != nil)]
  }
}
