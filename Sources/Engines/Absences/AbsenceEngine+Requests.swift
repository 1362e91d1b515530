import Care
import CivilTime
import JSON
import Moments
import Texts

/// What people ask, and why not.
extension AbsenceEngine {
  mutating func put(
    _ absence: Absence, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try check(absence, in: world)
    let old = planned[absence.id]
    planned[absence.id] = PlannedAbsence(absence)
    if world.now.quality.isTrusted {
      begin(absence.id, isAsked: true, at: world.now.utc, in: world, &outcome)
      follow(absence.id, in: world, &outcome)
    }
    if let old, let visit = old.visit, planned[absence.id]?.visit == nil {
      end(old, visit, .changed, in: world, &outcome)
    }
    outcome.reply = summary(absence, in: world)
      .setting("isClockTrusted", to: .bool(world.now.quality.isTrusted))
    let coming = windows(of: absence, count: Self.toldAtMost, in: world)
    outcome.signals.append(.planned(absence.resident, coming.map { $0.from...$0.until }))
  }

  /// So many of an absence's coming times are told to whoever wants to know what falls into them.
  private static let toldAtMost = 7

  mutating func remove(
    _ id: AbsenceID, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard let old = planned.removeValue(forKey: id) else { throw Self.unknown(id) }
    if let visit = old.visit { end(old, visit, .removed, in: world, &outcome) }
    outcome.reply = ["removed": .string(id.rawValue)]
  }

  private static func unknown(_ id: AbsenceID) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no planned absence \"{id}\". List them with: homeward absence list", ["id": id]))
  }

  // MARK: Checks

  static func checkForm(
    of absence: Absence, in house: House
  ) throws(CommandReply.Refusal) {
    try Validation.id(absence.id.rawValue, of: "absence")
    try Validation.name(absence.name)
    try house.requireResident(absence.resident)
  }

  private func check(
    _ absence: Absence, in world: World
  ) throws(CommandReply.Refusal) {
    let others = planned.values.filter { $0.absence.id != absence.id }
    if let old = planned[absence.id], old.absence.resident != absence.resident {
      throw CommandReply.Refusal(
        .conflict,
        Message("The planned absence {id} belongs to another resident.", ["id": absence.id]))
    }
    guard others.count(where: { $0.absence.resident == absence.resident }) < Self.absencesAtMost
    else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A resident has at most {most} planned absences. Remove one first.",
          ["most": Self.absencesAtMost]))
    }
    guard (1...100).contains(absence.name.unicodeScalars.count) else {
      throw CommandReply.Refusal(
        .invalid, Message("What a planned absence is called has 1 through 100 characters."))
    }
    guard (0...240).contains(absence.graceMinutes) else {
      throw CommandReply.Refusal(
        .invalid, Message("The time in which nobody worries yet is 0 through 240 minutes."))
    }
    try checkTimes(absence, in: world)
    try checkZone(absence, in: world)
  }

  private func checkTimes(
    _ absence: Absence, in world: World
  ) throws(CommandReply.Refusal) {
    guard absence.lengthMinutes > 0 else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The end, {until}, is not after the beginning, {from}. An absence does not go over midnight: for a night give two, one until 23:59 and one from 00:00.",
          ["until": absence.until.text, "from": absence.from.text]))
    }
    guard case .weekly(let days) = absence.days else {
      guard world.now.quality.isTrusted, world.people[absence.resident]?.zone != nil else {
        return
      }
      guard times(absence, world)?.window(atOrAfter: world.now.utc) == nil else { return }
      throw CommandReply.Refusal(
        .invalid,
        Message("{until} on that day is over already.", ["until": absence.until.text]))
    }
    guard days.isEmpty else { return }
    throw CommandReply.Refusal(
      .invalid, Message("A planned absence needs a day: days of the week, or a date."))
  }

  private func checkZone(
    _ absence: Absence, in world: World
  ) throws(CommandReply.Refusal) {
    guard let zone = absence.zone else { return }
    guard let isHome = world.whereabouts[absence.resident]?.safeZones[zone] else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no zone \"{id}\" of this resident. List them with: homeward zones",
          ["id": zone]))
    }
    guard !isHome else {
      throw CommandReply.Refusal(
        .invalid, Message("Who is at home is not absent: give the zone of another place."))
    }
  }
}
