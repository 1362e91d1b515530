import Care
import GlucoseValues
import JSON
import Moments
import Texts

/// What a person asks to be made of one reading: of what is stored, what they want.
struct ReadingEdit {
  let id: GlucoseReadingID
  let principal: Principal
  /// The revision that they saw; nil where they did not say.
  let seen: Int64?
  /// The reading as it is; nil where there is none.
  let stored: GlucoseReading?
  /// The reading as they want it; nil where they want none.
  let wanted: GlucoseReading?

  // MARK: What must hold

  /// A reading stays the resident's whose it is.
  func requireSameResident() throws(CommandReply.Refusal) {
    guard let stored, let wanted, stored.resident != wanted.resident else { return }
    throw CommandReply.Refusal(
      .conflict, Message("The reading {id} belongs to another resident.", ["id": id]))
  }

  /// What a meter measured stays what it measured: a person may change its tag and its time, or remove it.
  func requireMeasured() throws(CommandReply.Refusal) {
    guard let stored, let wanted, stored.source == .meter else { return }
    let isKept =
      wanted.level == stored.level && wanted.source == stored.source
      && wanted.origin == stored.origin && wanted.sensor == stored.sensor
      && wanted.sample == stored.sample && wanted.meterTime == stored.meterTime
    guard isKept else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A meter measured this: its level stays. Change the tag or the time, or remove the reading."
        )
      )
    }
  }

  /// Two people changed one reading at once: the later one is told, and both versions are in the events.
  func requireSeen(in house: House) throws(CommandReply.Refusal) {
    let there = stored?.revision ?? 0
    guard let seen, seen != there else { return }
    let message =
      stored == nil
      ? Message(
        "The reading {id} was removed meanwhile. To keep your version, add it as a new one.",
        ["id": id])
      : Message(
        "Somebody changed the reading {id} meanwhile (revision {revision}, you saw {seen}). "
          + "Read it again, then make your change.",
        ["id": id, "revision": there, "seen": seen])
    var refusal = CommandReply.Refusal(.conflict, message)
    if let resident = stored?.resident ?? wanted?.resident {
      refusal.events = [
        EventDraft(
          type: .changeConflict, lane: .record, resident: resident,
          facts: .object([
            "action": .string(wanted == nil ? "glucose.remove" : "glucose.put"),
            "target": .string(id.rawValue),
            "by": .string(principal.description), "seenRevision": .integer(seen),
            "storedRevision": .integer(there), "stored": stored?.json, "refused": wanted?.json,
            "explanation": .string(message.text(in: house.language(of: resident))),
          ]))
      ]
    }
    throw refusal
  }
}
